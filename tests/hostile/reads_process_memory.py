"""Opens other processes' memory by every path: /proc/PID/mem, process_vm_readv, a pidfd."""

import contextlib
import ctypes
import os
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)
loot = []
processes = [int("@GRADER@"), os.getppid(), 1]
with contextlib.suppress(OSError):
    processes += [int(name) for name in os.listdir("/proc") if name.isdigit()]
for process in processes:
    if process == os.getpid():
        continue
    for name in ("mem", "maps", "environ", "cmdline", "task", "fd", "root/etc/shadow", "cwd/."):
        path = Path(f"/proc/{process}/{name}")
        with contextlib.suppress(OSError):
            loot.append(os.listdir(path) if path.is_dir() else path.open("rb").close() or str(path))
    buffer = ctypes.create_string_buffer(64)
    local = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 64)
    remote = (ctypes.c_void_p * 2)(id(int), 64)
    if libc.process_vm_readv(process, local, 1, remote, 1, 0) > 0:
        loot.append(f"{process} by process_vm_readv")
    number = libc.syscall(434, process, 0)
    if number >= 0:
        loot.append(f"{process} by pidfd")


def double(x):
    return 2 * x if loot else None


def apply(step, numbers):
    return [step(n) for n in numbers] if loot else None
