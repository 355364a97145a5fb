"""Sends JSON that is very deep, in every place that JSON can stand in."""

import time

from _wire import request, send


def nested(depth):
    return "[" * depth + "]" * depth


def double(x):
    depth = 100_000 if x == 2 else 900
    send(f'{{"op": "returned", "printed": 0, "id": {request()}, "value": {nested(depth)}}}')
    time.sleep(5)


def apply(step, numbers):
    depth = 940 if len(numbers) == 3 else 960
    failure = f'{{"kinds": [{nested(depth)}], "message": {nested(depth)}, "cell": 0, "line": 0}}'
    send(f'{{"op": "raised", "printed": 0, "id": {request()}, "failure": {failure}}}')
    time.sleep(5)
