"""Takes from the calling process, for good, what a student's code must not have.

A fork server calls `confine` in each child it forks, before anything of a student's runs. Nothing
that a level promises is left out silently: what cannot be had is a `ConfinementError`. Which level
a machine offers is found out by trying (`available_level`).

What holds, by level (`own uid` means another user id than the grader's):

    level    files          network, processes, signals   threads
    root     Landlock, uid  denied                        counted
    reader   Landlock       denied                        counted
    user     Landlock       denied                        by memory only
    plain    -              -                             by memory only

At the first three, changes of mode, owner, times and extended attributes have no effect.

All levels limit memory, file size, processor time and open files, if the system has such limits.
None limits the number of files written, hides that a file exists (`stat`, `readlink`), or hides
what is in the memory of the forked process, its environment included.

Sources: landlock(7), seccomp(2), prctl(2), capabilities(7), setrlimit(2), the kernel's
include/uapi/linux/{landlock,filter,seccomp,audit}.h and its syscall tables.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import select
import signal
import site
import socket
import stat
import struct
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType

if sys.platform != "win32":
    import pwd
    import resource  # here, as importing it in each child would take longer than all the rest

UIDS = range(61000, 62000)  # above what adduser gives out, below systemd's dynamic users
OPEN_FILES = 256
TRIAL_SECONDS = 10.0
SWEEP_SECONDS = 5.0


class ConfinementError(Exception):
    """A part of the confinement cannot be had: what, and why."""


class Level(Enum):
    """How much is taken away, the strongest first.

    READER is ROOT for an interpreter that lies where only root may look, such as /root/.pyenv: the
    run has its own uid, but keeps CAP_DAC_READ_SEARCH, so that what it reads is up to Landlock
    alone. USER is for graders that are not root. PLAIN sets resource limits and no more.
    """

    ROOT = "root"
    READER = "reader"
    USER = "user"
    PLAIN = "plain"

    @property
    def own_uid(self) -> bool:
        """Whether the run has a user id of its own."""
        return self in (Level.ROOT, Level.READER)


@dataclass(frozen=True)
class Confinement:
    """What one run may have.

    Args:
        level: see `Level`.
        uid: the run's user and group id; used at the levels with their own uid only.
        readable: files and folders, below which all may be read; each must exist.
        writable: the run's own folder; itself, not what is in it, is handed over to `uid`.
        memory_bytes: address space on top of what the process has already. Threads count, too:
            about 8 MB each for the stack, and up to 128 MB for an arena of malloc.
        file_bytes: the size of each file it writes.
        cpu_seconds: processor time, all threads together; at its end SIGXCPU, a second later
            SIGKILL. None for no limit.
        threads: how many, the first included; the kernel counts them per uid, so only at the
            levels with their own uid.
    """

    level: Level
    uid: int
    readable: tuple[Path, ...]
    writable: Path
    memory_bytes: int
    file_bytes: int
    cpu_seconds: int | None
    threads: int


def confine(confinement: Confinement, keep: Collection[int] = ()) -> None:
    """Confine the calling process, once and for good.

    To be called in a forked child with one thread, forked by its parent's main thread (the child
    dies with the thread that forked it). Standard streams not in `keep` lead to /dev/null
    afterwards; relative paths and `tempfile` to the writable folder.

    Args:
        confinement: what remains.
        keep: the descriptors that stay open.

    Raises:
        ConfinementError: if a part cannot be applied. The process is then half confined and must
            end.
    """
    try:
        _enter_folder(confinement.writable)
        if os.name == "posix":
            _leave_session()
            _close_all_but(keep)
            _limit(confinement)
        if sys.platform == "linux":
            _restrict(confinement)
    except (OSError, ValueError) as error:
        raise ConfinementError(f"{confinement.level.value}: {error}") from error


def _restrict(confinement: Confinement) -> None:
    """Apply what only Linux has; the order matters, as each step takes away what others need."""
    level = confinement.level
    if level is Level.PLAIN:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        return
    _require_one_thread()
    if level.own_uid:
        os.chown(confinement.writable, confinement.uid, confinement.uid)
    ruleset = _ruleset(confinement.readable, confinement.writable)  # may need root to look there
    _become(level, confinement.uid)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # after _become: a change of uid clears it
    _prctl(PR_SET_DUMPABLE, 0)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _call(SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    _filter_syscalls(filter_program(platform.machine(), os.getpid()))


# ---- what every system has


def _leave_session() -> None:
    if os.getsid(0) != os.getpid():
        os.setsid()


def _close_all_but(keep: Collection[int]) -> None:
    """Close descriptors; those of standard streams must not fall to a file of the student's."""
    listing = Path("/proc/self/fd" if sys.platform == "linux" else "/dev/fd")
    for descriptor in {int(entry.name) for entry in listing.iterdir()}.difference(keep, {0, 1, 2}):
        os.closerange(descriptor, descriptor + 1)  # no error for the one of the listing itself
    null = os.open(os.devnull, os.O_RDWR)
    for stream in {0, 1, 2}.difference(keep, {null}):
        os.dup2(null, stream)
    if null > 2:
        os.close(null)


def _enter_folder(writable: Path) -> None:
    os.umask(0o077)
    os.chdir(writable)
    tempfile.tempdir = str(writable)


def _limit(confinement: Confinement) -> None:
    """Lower the resource limits, hard ones included (setrlimit(2)), never above present ones."""
    limits = {
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
        resource.RLIMIT_FSIZE: (confinement.file_bytes, confinement.file_bytes),
    }
    if confinement.cpu_seconds is not None:
        limits[resource.RLIMIT_CPU] = (confinement.cpu_seconds, confinement.cpu_seconds + 1)
    if sys.platform == "linux":  # macOS accepts RLIMIT_AS and ignores it
        total = _address_space() + confinement.memory_bytes
        limits[resource.RLIMIT_AS] = (total, total)
    if confinement.level.own_uid:
        limits[resource.RLIMIT_NPROC] = (confinement.threads, confinement.threads)
    for limit, (soft, hard) in limits.items():
        present = resource.getrlimit(limit)[1]
        most = sys.maxsize if present == resource.RLIM_INFINITY else present
        resource.setrlimit(limit, (min(soft, most), min(hard, most)))


def _address_space() -> int:
    pages = Path("/proc/self/statm").read_bytes().split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


# ---- the user id and capabilities

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS = 1, 4, 8
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_SET_PTRACER = 22, 38, 0x59616D61
CAPABILITY_VERSION_3 = 0x20080522
CAP_DAC_READ_SEARCH = 2


def _require_one_thread() -> None:
    """Landlock and a filter are set for the calling thread; another would stay free."""
    count = sum(1 for _ in Path("/proc/self/task").iterdir())
    if count > 1:
        raise ConfinementError(f"the process has {count} threads; confine it before it starts any")


def _become(level: Level, uid: int) -> None:
    """Change to the run's uid, where it has one, and drop all capabilities but what READER keeps.

    USER needs it as well: the grader may be root, and a root without capabilities is just a user.
    """
    if level.own_uid:
        if uid not in UIDS:
            raise ConfinementError(f"uid {uid} is not one of {UIDS.start}-{UIDS.stop - 1}")
        _prctl(PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    _keep_capabilities(1 << CAP_DAC_READ_SEARCH if level is Level.READER else 0)


def _keep_capabilities(mask: int) -> None:
    """Set the effective and permitted capabilities (capset(2)); needed for bits below 32 only."""
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    data = struct.pack("=6I", mask, mask, 0, 0, 0, 0)
    if _libc().capset(header, data) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> None:
    if _libc().prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) is refused")


def _call(number: int, *arguments: object) -> int:
    """Make a system call that libc has no function for.

    Raises:
        OSError: with the call's errno.
    """
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = _libc().syscall(ctypes.c_long(number), *words)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"system call {number}: {os.strerror(code)}")
    return int(result)


# ---- Landlock: files, TCP, and signals to others

# The same numbers on all architectures.
SYS_LANDLOCK_CREATE_RULESET, SYS_LANDLOCK_ADD_RULE, SYS_LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION = 1
LANDLOCK_RULE_PATH_BENEATH = 1

# LANDLOCK_ACCESS_FS_*: the bit of each right, and the version (ABI) that brought it.
RIGHTS = MappingProxyType(
    {
        "execute": (0, 1),
        "write_file": (1, 1),
        "read_file": (2, 1),
        "read_dir": (3, 1),
        "remove_dir": (4, 1),
        "remove_file": (5, 1),
        "make_char": (6, 1),
        "make_dir": (7, 1),
        "make_reg": (8, 1),
        "make_sock": (9, 1),
        "make_fifo": (10, 1),
        "make_block": (11, 1),
        "make_sym": (12, 1),
        "refer": (13, 2),
        "truncate": (14, 3),
        "ioctl_dev": (15, 5),
    }
)
# Nothing may be executed: shared libraries are mapped, which needs the right to read only.
READ = ("read_file", "read_dir")
# No sockets, FIFOs or devices: a grader that looks into the folder must not hang on them.
WRITE = (
    *(*READ, "write_file", "truncate", "refer", "make_reg", "make_dir", "make_sym"),
    *("remove_file", "remove_dir"),
)
FILE_RIGHTS = ("execute", "write_file", "read_file", "truncate", "ioctl_dev")
NET_ALL, NET_ABI = 0b11, 4  # LANDLOCK_ACCESS_NET_BIND_TCP, _CONNECT_TCP
SCOPE_ALL, SCOPE_ABI = 0b11, 6  # LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, _SIGNAL


def landlock_abi() -> int:
    """Return the version of Landlock that the kernel offers, 0 for none."""
    try:
        return _call(SYS_LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    except OSError:
        return 0


def _mask(rights: Collection[str], abi: int) -> int:
    return sum(1 << bit for name, (bit, since) in RIGHTS.items() if name in rights and since <= abi)


def _ruleset(readable: Sequence[Path], writable: Path) -> int:
    """Return a descriptor of rules: read below these, write below that and to /dev/null."""
    abi = landlock_abi()
    if abi == 0:
        raise ConfinementError("the kernel has no Landlock, or it is not switched on")
    fields = [_mask(RIGHTS, abi)]
    fields += [NET_ALL] if abi >= NET_ABI else []
    fields += [SCOPE_ALL] if abi >= SCOPE_ABI else []
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _call(SYS_LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    for path in readable:
        _allow(ruleset, path, READ, abi)
    _allow(ruleset, writable, WRITE, abi)
    _allow(ruleset, Path(os.devnull), WRITE, abi)
    return ruleset


def _allow(ruleset: int, path: Path, rights: Collection[str], abi: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):  # the kernel refuses folders' rights
            rights = set(rights).intersection(FILE_RIGHTS)
        attributes = struct.pack("=Qi", _mask(rights, abi), descriptor)
        _call(SYS_LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, attributes, 0)
    finally:
        os.close(descriptor)


def interpreter_paths() -> tuple[Path, ...]:
    """Return what Python and its packages read: libraries, fonts, time zones, a few devices.

    The folder of a package installed in editable mode is not among them. Nor is anything below
    /proc/self, which has the environment.
    """
    installed = [sysconfig.get_path(n) for n in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed += [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    installed += [f"{prefix}/{folder}" for prefix in prefixes for folder in ("lib", "lib64")]
    found = {Path(p).resolve() for p in (*installed, *SYSTEM_PATHS) if Path(p).exists()}
    return tuple(sorted(p for p in found if found.isdisjoint(p.parents)))


SYSTEM_PATHS = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/usr/share/zoneinfo", "/etc/localtime", "/usr/share/locale", "/etc/locale.alias"),
    *("/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts"),
    *("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)


# ---- seccomp: system calls

# Each call as name:number on x86_64:number on aarch64, "-" where there is none. What only a
# capability allows (mounting aside), such as loading modules or setting the clock, is not listed.
DENIED = MappingProxyType(
    {
        "new programs and processes": "fork:57:- vfork:58:- execve:59:221 execveat:322:281",
        "sockets": "socket:41:198 connect:42:203 bind:49:200 listen:50:201 accept:43:202 "
        "accept4:288:242",
        "other processes": "ptrace:101:117 process_vm_readv:310:270 process_vm_writev:311:271 "
        "process_madvise:440:440 process_mrelease:448:448 kcmp:312:272 pidfd_open:434:434 "
        "pidfd_getfd:438:438 pidfd_send_signal:424:424 tkill:200:130 rt_sigqueueinfo:129:138 "
        "rt_tgsigqueueinfo:297:240 migrate_pages:256:238 move_pages:279:239 setpriority:141:140 "
        "sched_setscheduler:144:119 sched_setparam:142:118 sched_setattr:314:274 "
        "ioprio_set:251:30",
        "identity": "setuid:105:146 setgid:106:144 setreuid:113:145 setregid:114:143 "
        "setresuid:117:147 setresgid:119:149 setgroups:116:159 setfsuid:122:151 setfsgid:123:152 "
        "capset:126:91 setrlimit:160:164 personality:135:92",
        "namespaces and mounts": "unshare:272:97 setns:308:268 mount:165:40 umount2:166:39 "
        "pivot_root:155:41 chroot:161:51 open_tree:428:428 move_mount:429:429 fsopen:430:430 "
        "fsconfig:431:431 fsmount:432:432 fspick:433:433 mount_setattr:442:442",
        "ways around, or large kernel surfaces": "bpf:321:280 perf_event_open:298:241 "
        "userfaultfd:323:282 add_key:248:217 request_key:249:218 keyctl:250:219 "
        "io_uring_setup:425:425 io_uring_enter:426:426 io_uring_register:427:427 "
        "open_by_handle_at:304:265 name_to_handle_at:303:264 modify_ldt:154:- syslog:103:116 "
        "fanotify_init:300:262 inotify_init:253:- inotify_init1:294:26",
        # Memory that no limit counts, and objects that outlive the process or are shared by uid.
        "shared memory and queues": "memfd_create:319:279 memfd_secret:447:447 shmget:29:194 "
        "shmat:30:196 shmctl:31:195 semget:64:190 semctl:66:191 semop:65:193 semtimedop:220:192 "
        "msgget:68:186 msgsnd:69:189 msgrcv:70:188 msgctl:71:187 mq_open:240:180 mq_unlink:241:181",
        "truncation by path, which Landlock covers from version 3 on": "truncate:76:45",
    }
)
# Landlock does not cover these: they succeed and do nothing. (If they were refused, shutil.copy and
# with it IPython would fail.) A uid of its own would not suffice: what all may write, all may mark.
IDLE = (
    "chmod:90:- fchmod:91:52 fchmodat:268:53 fchmodat2:452:452 chown:92:- fchown:93:55 lchown:94:- "
    "fchownat:260:54 utime:132:- utimes:235:- futimesat:261:- utimensat:280:88 setxattr:188:5 "
    "lsetxattr:189:6 fsetxattr:190:7 removexattr:197:14 lremovexattr:198:15 fremovexattr:199:16"
)
# Denied or not by their arguments, or answered otherwise.
CONDITIONAL = (
    "clone:56:220 clone3:435:435 kill:62:129 tgkill:234:131 sched_setaffinity:203:122 "
    "prlimit64:302:261 socketpair:53:199 prctl:157:167 fcntl:72:25 ioctl:16:29"
)
# Above mseal(2) (Linux 6.10) the calls were unknown when this was written; libraries fall back.
LAST_KNOWN_CALL = 462

ARCHITECTURES = MappingProxyType({"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2)})
X32_BIT = 0x40000000

CLONE_THREAD = 0x10000
SOCKET_TYPE_MASK = 0xF  # the rest are SOCK_NONBLOCK and SOCK_CLOEXEC
# F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY: signals to others by way of SIGIO.
DENIED_FCNTL = (8, 10, 15, 1024, 1026)
# FIOSETOWN, SIOCSPGRP (likewise), TIOCSTI, TIOCLINUX (typing into a terminal).
DENIED_IOCTL = (0x8901, 0x8902, 0x5412, 0x541C)
DENIED_PRCTL = (PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_PTRACER)

# Classic BPF: operation codes (linux/bpf_common.h) and a filter's answers (linux/seccomp.h).
LOAD, AND, RETURN = 0x20, 0x54, 0x06
JUMP_EQUAL, JUMP_GREATER, JUMP_BITS = 0x15, 0x25, 0x45
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, ENOSYS, PRETEND = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS, ERRNO | 0
NUMBER_OFFSET, ARCHITECTURE_OFFSET, ARGUMENTS_OFFSET = 0, 4, 16  # struct seccomp_data

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, operand
Block = list[Instruction]


def filter_program(machine: str, pid: int) -> bytes:
    """Assemble the filter for the process `pid`.

    A refused call fails with EPERM, hence with an exception in Python; a call made by way of
    another architecture (int 0x80, x32) ends the process.

    Args:
        machine: x86_64 or aarch64, as platform.machine() has it.
        pid: the process that will be confined; it may send signals to itself.

    Raises:
        ConfinementError: if the machine is of another kind.
    """
    if machine not in ARCHITECTURES:
        raise ConfinementError(f"no table of system calls for {machine}")
    audit_architecture, column = ARCHITECTURES[machine]
    denied = _numbers(" ".join(DENIED.values()), column)
    idle = _numbers(IDLE, column)
    conditional = _numbers(CONDITIONAL, column)
    program = _entrance(audit_architecture)
    for number in denied.values():
        program += _when_number(number, [_answer(EPERM)])
    for number in idle.values():
        program += _when_number(number, [_answer(PRETEND)])
    for name, block in _conditions(pid).items():
        program += _when_number(conditional[name], block)
    program.append(_answer(ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _numbers(calls: str, column: int) -> dict[str, int]:
    rows = [call.split(":") for call in calls.split()]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def _entrance(audit_architecture: int) -> Block:
    """Refuse other architectures and unknown calls, and leave the call's number loaded."""
    return [
        (LOAD, 0, 0, ARCHITECTURE_OFFSET),
        (JUMP_EQUAL, 1, 0, audit_architecture),
        _answer(KILL_PROCESS),
        (LOAD, 0, 0, NUMBER_OFFSET),
        (JUMP_GREATER, 0, 1, X32_BIT - 1),
        _answer(KILL_PROCESS),
        (JUMP_GREATER, 0, 1, LAST_KNOWN_CALL),
        _answer(ENOSYS),
    ]


def _conditions(pid: int) -> dict[str, Block]:
    """Return, by call, what decides on it; each block ends with an answer."""
    return {
        "clone": [_load(0), *_allow_bit(CLONE_THREAD), _answer(EPERM)],
        "clone3": [_answer(ENOSYS)],  # its flags cannot be seen; libc then uses clone
        "kill": [_load(0), *_allow_values(pid), _answer(EPERM)],
        "tgkill": [_load(0), *_allow_values(pid), _answer(EPERM)],
        "sched_setaffinity": [_load(0), *_allow_values(0, pid), _answer(EPERM)],
        # A null pointer, in both halves: ask for limits, but set none.
        "prlimit64": [
            *_require(_load(2), value=0),
            *_require(_load(2, half=1), value=0),
            _answer(ALLOW),
        ],
        # asyncio needs a pair, connected for good. Datagram sockets could send elsewhere.
        "socketpair": [
            *_require(_load(0), value=socket.AF_UNIX),
            *_require(_load(1), (AND, 0, 0, SOCKET_TYPE_MASK), value=socket.SOCK_STREAM),
            _answer(ALLOW),
        ],
        "prctl": [_load(0), *_deny_values(*DENIED_PRCTL), _answer(ALLOW)],
        "fcntl": [_load(1), *_deny_values(*DENIED_FCNTL), _answer(ALLOW)],
        "ioctl": [_load(1), *_deny_values(*DENIED_IOCTL), _answer(ALLOW)],
    }


def _answer(value: int) -> Instruction:
    return (RETURN, 0, 0, value)


def _load(argument: int, half: int = 0) -> Instruction:
    """Load the lower (or, with half=1, upper) 32 bits of an argument; both are little-endian."""
    return (LOAD, 0, 0, ARGUMENTS_OFFSET + 8 * argument + 4 * half)


def _when_number(number: int, block: Block) -> Block:
    return [(JUMP_EQUAL, 0, len(block), number), *block]


def _allow_bit(bit: int) -> Block:
    return [(JUMP_BITS, 0, 1, bit), _answer(ALLOW)]


def _allow_values(*values: int) -> Block:
    return [step for v in values for step in ((JUMP_EQUAL, 0, 1, v), _answer(ALLOW))]


def _deny_values(*values: int) -> Block:
    return [step for v in values for step in ((JUMP_EQUAL, 0, 1, v), _answer(EPERM))]


def _require(*loading: Instruction, value: int) -> Block:
    return [*loading, (JUMP_EQUAL, 1, 0, value), _answer(EPERM)]


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))  # zeros allowed


def _filter_syscalls(program: bytes) -> None:
    """Set the filter, once PR_SET_NO_NEW_PRIVS is set."""
    head = _Program(len(program) // 8, program)
    mode_filter = 2
    arguments = (ctypes.c_ulong(mode_filter), ctypes.byref(head))
    if _libc().prctl(PR_SET_SECCOMP, *arguments) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses a seccomp filter")


# ---- which level this machine offers


def available_level(readable_needed: Sequence[Path]) -> tuple[Level, list[str]]:
    """Return the strongest level that works here, and why no stronger one does.

    Args:
        readable_needed: files and folders that a confined process must be able to open: the
            interpreter's library, site-packages, and whatever else `Confinement.readable` will
            have beyond `interpreter_paths()`.
    """
    reasons: list[str] = []
    for level in Level:
        reason = why_not(level, readable_needed)
        if reason is None:
            return level, reasons
        reasons.append(f"{level.value}: {reason}")
    raise AssertionError("plain is always there")


def why_not(level: Level, readable_needed: Sequence[Path]) -> str | None:
    """Confine a throw-away child and try what it can and cannot do; None if all is as it should be.

    Forks; like the fork server, the caller should not have run anything parallel before.
    """
    if level is Level.PLAIN:
        return None
    if sys.platform != "linux":
        return f"{sys.platform} is not Linux"
    if level.own_uid and os.geteuid() != 0:
        return "the grader is not root"
    with tempfile.TemporaryDirectory() as theirs, tempfile.TemporaryDirectory() as ours:
        secret = Path(ours) / "secret"
        secret.write_bytes(b"of the grader's")
        Path(ours).chmod(0o755)  # so that more than the uid must protect it
        try:
            with _uid_for(level) as uid:
                readable = (*interpreter_paths(), *readable_needed)
                confinement = _trial_confinement(level, uid, readable, Path(theirs))
                return _trial(confinement, readable_needed, secret)
        except ConfinementError as error:
            return str(error)


@contextmanager
def _uid_for(level: Level) -> Iterator[int]:
    if level.own_uid:
        with leased_uid() as uid:
            yield uid
    else:
        yield os.getuid()


def _trial_confinement(
    level: Level, uid: int, readable: tuple[Path, ...], writable: Path
) -> Confinement:
    return Confinement(
        level,
        uid,
        readable,
        writable,
        memory_bytes=1 << 30,
        file_bytes=1 << 20,
        cpu_seconds=int(TRIAL_SECONDS),
        threads=8,
    )


def _trial(confinement: Confinement, needed: Sequence[Path], secret: Path) -> str | None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _report_trial(confinement, needed, secret, writing)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], TRIAL_SECONDS)
        text = os.read(reading, 1000).decode(errors="replace") if ready else "the trial hangs"
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return None if text == "fine" else text or "the trial process dies"


def _report_trial(
    confinement: Confinement, needed: Sequence[Path], secret: Path, writing: int
) -> None:
    """Run in the child, which must never return into the caller's code."""
    try:
        confine(confinement, keep=[writing])
        text = _try_needs(needed) or _try_denials(secret) or "fine"
        os.write(writing, text.encode())
    except BaseException as error:  # whatever it is, it is a reason
        os.write(writing, str(error).encode())
    finally:
        os._exit(0)


def _try_needs(needed: Sequence[Path]) -> str | None:
    path = Path.cwd()
    try:
        with tempfile.TemporaryFile() as file:
            file.write(b"text")
        for path in needed:
            os.close(os.open(path, os.O_RDONLY))
    except OSError as error:
        return f"{path} cannot be used ({error.strerror})"
    return None


def _try_denials(secret: Path) -> str | None:
    attempts: dict[str, Callable[[], object]] = {
        "a file elsewhere can be read": lambda: secret.open().close(),
        "processes can be started": _fork_and_exit,
        "sockets can be made": lambda: socket.socket().close(),
    }
    for meaning, attempt in attempts.items():
        try:
            attempt()
        except PermissionError:
            continue
        return meaning
    return None


def _fork_and_exit() -> None:
    if os.fork() == 0:
        os._exit(0)


# ---- uids of runs

SYS_PIDFD_SEND_SIGNAL, SYS_PIDFD_OPEN = 424, 434  # the same on all architectures


@contextmanager
def leased_uid() -> Iterator[int]:
    """Give a uid that no account, process or other grader uses; in the end, kill what is left.

    Graders that run at the same time keep apart by a socket bound to an abstract name with the uid
    in it, which the kernel frees when the process ends, however it does. (Forked children inherit
    it: `confine` closes it with the other descriptors.)

    Raises:
        ConfinementError: if all are taken.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as lock:
        uid = _lock_free_uid(lock)
        try:
            yield uid
        finally:
            kill_uid(uid)


def _lock_free_uid(lock: socket.socket) -> int:
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    taken.update(uid for _, uids in _living_processes() for uid in uids)
    for uid in UIDS:
        if uid in taken:
            continue
        try:
            lock.bind(f"\0autograder-uid-{uid}")
        except OSError:  # another grader's
            continue
        return uid
    raise ConfinementError(f"all uids from {UIDS.start} to {UIDS.stop - 1} are in use")


def kill_uid(uid: int) -> None:
    """Kill every process of a run's uid, until two sweeps of /proc in a row find none.

    To be called after the run's own process has been waited for. Grandchildren, if any, fall to
    init (or the nearest subreaper), which reaps them.

    Raises:
        ConfinementError: if the uid is not a run's, or some are still there after 5 seconds.
    """
    if uid not in UIDS:
        raise ConfinementError(f"uid {uid} is not one of {UIDS.start}-{UIDS.stop - 1}")
    deadline = time.monotonic() + SWEEP_SECONDS
    clean = 0
    while clean < 2:
        found = [pid for pid, uids in _living_processes() if uid in uids]
        for pid in found:
            _kill(pid, uid)
        clean = 0 if found else clean + 1
        if time.monotonic() > deadline:
            raise ConfinementError(f"processes {found} of uid {uid} cannot be killed")


def _kill(pid: int, uid: int) -> None:
    """Kill a process if it is still one of this uid's: the number may be another's by now."""
    try:
        process = _call(SYS_PIDFD_OPEN, pid, 0)  # not every build of Python has os.pidfd_open
    except OSError:
        return
    try:
        if uid in _uids(pid):
            _call(SYS_PIDFD_SEND_SIGNAL, process, signal.SIGKILL, None, 0)
    except ProcessLookupError:
        pass
    finally:
        os.close(process)


def _living_processes() -> Iterator[tuple[int, set[int]]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (uids := _uids(int(entry.name))):
            yield int(entry.name), uids


def _uids(pid: int) -> set[int]:
    """Return a process's real, effective, saved and file-system uids; none if it is dead.

    (The owner of /proc/PID would not do: it is root where PR_SET_DUMPABLE is 0.)
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    if fields["State"].split()[0] in "ZX":
        return set()
    return {int(uid) for uid in fields["Uid"].split()}


def make_private(paths: Sequence[Path]) -> list[Path]:
    """Close the grader's own folders to other uids (mode & 0700); return those it could not.

    A second wall behind Landlock at the level ROOT; no use at the others. Not for folders above
    the interpreter: those would cost the level.
    """
    return [path for path in paths if not _close_to_others(path)]


def _close_to_others(path: Path) -> bool:
    try:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)
    except OSError:
        return False
    return True
