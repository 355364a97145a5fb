"""The error of this package."""


class BuildError(Exception):
    """The authored files cannot be built: one line for their author."""
