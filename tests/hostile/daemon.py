"""Starts processes that outlive it, by every way there is. Answers only if one of them works."""

import ctypes
import multiprocessing
import os
import pty
import signal
import subprocess

started = []
libc = ctypes.CDLL(None, use_errno=True)
signal.signal(signal.SIGHUP, signal.SIG_IGN)


def double_fork():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "98765"])
        os._exit(0)


def by_pty():
    if pty.fork()[0] == 0:
        os.execvp("sleep", ["sleep", "98765"])


def by_number(number, *arguments):
    def call():
        child = libc.syscall(number, *arguments)
        if child == 0:
            os.execvp("sleep", ["sleep", "98765"])
        if child < 0:
            raise OSError

    return call


def by_multiprocessing(method):
    def call():
        context = multiprocessing.get_context(method)
        context.Process(target=signal.pause, daemon=False).start()

    return call


def by_system():
    if os.system("sleep 98765 &") != 0:
        raise OSError


for way in (
    double_fork,
    by_pty,
    by_number(57),
    by_number(56, 17, 0, 0, 0, 0),
    by_system,
    lambda: subprocess.Popen(["sleep", "98765"], start_new_session=True),
    lambda: subprocess.run("sleep 98765 &", shell=True, check=True),
    lambda: os.posix_spawn("/bin/sleep", ["sleep", "98765"], {}),
    by_multiprocessing("fork"),
    by_multiprocessing("spawn"),
    by_multiprocessing("forkserver"),
):
    try:
        way()
        started.append(way)
    except Exception:
        pass


def double(x):
    return 2 * x if started else None


def apply(step, numbers):
    return [step(n) for n in numbers]
