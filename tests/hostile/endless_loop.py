"""Loops for ever with all signals blocked or ignored and all exceptions swallowed."""

import signal

for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def double(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def apply(step, numbers):
    return [step(n) for n in numbers]
