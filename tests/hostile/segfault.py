"""Crashes the interpreter."""

import ctypes


def double(x):
    ctypes.string_at(0)
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
