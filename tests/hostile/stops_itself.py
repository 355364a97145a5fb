"""Stops its own process in a call, so that it neither answers nor ends."""

import os
import signal


def double(x):
    os.kill(os.getpid(), signal.SIGSTOP)


def apply(step, numbers):
    return [step(n) for n in numbers]
