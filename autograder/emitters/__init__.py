"""Results in the forms that people and hosts expect; one module for each form."""
