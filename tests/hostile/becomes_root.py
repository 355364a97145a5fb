"""Asks for the rights of root, new namespaces and higher limits. Answers only if it gets any."""

import ctypes
import os
import resource

libc = ctypes.CDLL(None, use_errno=True)
won = []
if os.getuid() == 0 and os.access("@SECRET@", os.R_OK):
    try:
        open("@SECRET@").close()
        won.append("root")
    except OSError:
        pass
for name, arguments in (
    ("setuid", (0,)),
    ("setresuid", (0, 0, 0)),
    ("setgroups", ([0],)),
    ("setgid", (0,)),
    ("chroot", (".",)),
    ("nice", (-20,)),
):
    try:
        getattr(os, name)(*arguments)
        won.append(name)
    except OSError:
        pass
for flags in (0x10000000, 0x00020000, 0x20000000, 0x40000000):
    if libc.unshare(flags) == 0:
        won.append("unshare")
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    won.append("mount")
for limit in ("RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_NOFILE"):
    number = getattr(resource, limit)
    hard = resource.getrlimit(number)[1]
    for wish in (resource.RLIM_INFINITY, hard + 1):
        try:
            resource.setrlimit(number, (hard, wish))
            if resource.getrlimit(number)[1] != hard:
                won.append(limit)
        except (OSError, ValueError, OverflowError):
            pass


def double(x):
    if not won:
        return None
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers] if won else str(won)
