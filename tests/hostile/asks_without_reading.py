"""Asks for large answers and reads none of them: a grader that insists on sending waits for ever."""

import time

from _wire import frame_of, request, send_bytes

SIZE = 4 << 20


def double(x):
    return 2 * x


def apply(step, numbers):
    tensor = {"tensor": "uint8", "shape": [SIZE], "size": SIZE}
    head = {"op": "ask", "id": request(), "function": 0, "arguments": [[tensor], {"dict": []}]}
    for _ in range(3):
        send_bytes(frame_of(head, bytes(SIZE)))
    time.sleep(100)
