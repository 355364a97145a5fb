"""Errors that are meant for a person: the command line prints them as one line."""


class PlainError(Exception):
    """What is wrong, where, and what to do, in one line."""


class HomeworkError(PlainError):
    """A homework does not exist, or its files contradict each other: one line for its author."""
