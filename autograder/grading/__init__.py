"""The trusted side: takes submissions in, runs the cases on them, writes the results."""
