"""From authored files to what is handed out: notebooks, starters, autograder zips."""
