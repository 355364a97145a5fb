"""Kills its own process in a call."""

import os
import signal


def double(x):
    os.kill(os.getpid(), signal.SIGKILL)


def apply(step, numbers):
    return [step(n) for n in numbers]
