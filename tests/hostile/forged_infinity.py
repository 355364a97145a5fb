"""Sends infinite and huge numbers where the grader expects a small whole one, while cells run."""

from _wire import send

send('{"op": "cell", "number": Infinity}')
send('{"op": "cell", "number": 1e999}')


def double(x):
    return None
