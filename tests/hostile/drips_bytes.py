"""Announces a message and sends one byte of it at a time, so that something always arrives."""

import struct
import time

from _wire import send_bytes


def double(x):
    send_bytes(struct.pack("!IQ", 10_000, 10_000))
    while True:
        send_bytes(b" ")
        time.sleep(0.02)


def apply(step, numbers):
    return [step(n) for n in numbers]
