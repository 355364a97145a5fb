"""Sends a head that announces a petabyte, and one that announces all that is allowed."""

import struct
import time

from _wire import send_bytes


def double(x):
    if x == 2:
        send_bytes(struct.pack("!IQ", 100, 1 << 50))
    else:
        send_bytes(struct.pack("!IQ", (1 << 32) - 1, 1 << 63))
    time.sleep(60)


def apply(step, numbers):
    return [step(n) for n in numbers]
