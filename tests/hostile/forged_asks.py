"""Asks for functions that do not exist, in ways that no function has."""

from _wire import request, send


def double(x):
    for number in (0, -1, 1 << 70, True, "0", None, [], {"a": 1}):
        send({"op": "ask", "id": request(), "function": number, "arguments": 3})
    send('{"op": "ask", "id": %d, "function": Infinity, "arguments": [[], {}]}' % request())
    return -1


def apply(step, numbers):
    for arguments in ([[], {"dict": [["calls", []]]}], [[1], [2]], {"tuple": []}, [[{}], {}]):
        send({"op": "ask", "id": request(), "function": -1, "arguments": arguments})
    return -1
