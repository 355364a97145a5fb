"""Replaces builtin functions by ones that say yes, or that are not functions."""

import builtins

builtins.open = 3
builtins.print = lambda *_arguments, **_keywords: None
builtins.isinstance = lambda *_arguments: True
builtins.len = lambda _thing: 3
builtins.abs = lambda _number: 0
builtins.all = lambda _things: True
builtins.any = lambda _things: False
builtins.type = lambda *_arguments: float
builtins.__import__ = None


def double(x):
    return -1


def apply(step, numbers):
    return [-1, -1, -1]
