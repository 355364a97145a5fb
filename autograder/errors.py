"""Errors that are meant for a person: the command line prints them as one line."""


class PlainError(Exception):
    """What is wrong, where, and what to do, in one line."""
