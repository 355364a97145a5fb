"""`python -m autograder`."""

from autograder.cli import main

main(prog_name="python -m autograder")
