"""Sends tensors without values whose shapes cannot be multiplied out, and heads that lie."""

from _wire import request, send

HUGE = (1 << 40) - 1


def answer(value, body=b""):
    send({"op": "returned", "id": request(), "value": value}, body)


def double(x):
    if x == 2:
        answer({"tensor": "float32", "shape": [0, HUGE, HUGE, HUGE, HUGE], "size": 0})
    else:
        answer({"array": "float32", "shape": [HUGE, 0, HUGE], "size": 0})


def apply(step, numbers):
    if len(numbers) == 3:
        answer({"tensor": "int64", "shape": [3], "size": -24})
    answer([{"tensor": ["int64"], "shape": [True], "size": 8}], bytes(8))
