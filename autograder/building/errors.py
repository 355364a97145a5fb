"""The error of this package."""

from autograder.errors import PlainError


class BuildError(PlainError):
    """The authored files cannot be built: one line for their author."""
