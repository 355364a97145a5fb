"""Raises exceptions whose text, name and traceback are traps."""

import sys


class Loud(Exception):
    def __str__(self):
        return "x" * (1 << 28)


class Leaving(BaseException):
    def __str__(self):
        sys.exit(3)


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit


class Nameless(Exception, metaclass=Meta):
    pass


def double(x):
    raise Loud if x == 2 else Leaving


def apply(step, numbers):
    if len(numbers) == 3:
        raise Nameless
    raise KeyboardInterrupt(Loud(), Leaving()) from Leaving()
