"""What a confined process can and cannot do, level by level, each time in a child of its own."""

import asyncio
import ctypes
import errno
import fcntl
import json
import multiprocessing.popen_fork  # what is imported late could not be, at the level ROOT
import os
import platform
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from autograder.worker import confinement as confinement_module
from autograder.worker.confinement import (
    UIDS,
    Confinement,
    ConfinementError,
    Level,
    available_level,
    confine,
    filter_program,
    interpreter_paths,
    kill_uid,
    landlock_abi,
    leased_uid,
    make_private,
    why_not,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and looks into /proc")

CONFINED = (Level.ROOT, Level.READER, Level.USER)
WAIT_SECONDS = 10
INTERPRETER = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]


class Run:
    """A folder and a uid for a child at one level, and a way to see what happens in it."""

    def __init__(self, level, uid, folder):
        self.level = level
        self.uid = uid
        self.folder = folder

    def confinement(self, **changes):
        facts = {
            "readable": interpreter_paths(),
            "memory_bytes": 512 << 20,
            "file_bytes": 1 << 20,
            "cpu_seconds": 20,
            "threads": 16,
        }
        return Confinement(self.level, self.uid, writable=self.folder, **(facts | changes))

    def start(self, action, keep=(), **changes):
        """Fork a child that confines itself and acts; return its pid and where it reports."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            text = "nothing"
            try:
                confine(self.confinement(**changes), keep=[writing, *keep])
                text = f"did it: {action(self.folder)}"
            except BaseException as error:
                text = f"{type(error).__name__}: {error}"
            finally:
                os.write(writing, text.encode())
                os._exit(0)
        os.close(writing)
        return child, reading

    def outcome(self, action, keep=(), **changes):
        """Return `did it: …`, or the name and text of the exception, or the signal."""
        child, reading = self.start(action, keep, **changes)
        ready, _, _ = select.select([reading], [], [], WAIT_SECONDS)
        text = os.read(reading, 60_000).decode() if ready else "hangs"
        os.close(reading)
        if not ready:
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        return text or signal.Signals(os.WTERMSIG(status)).name


@pytest.fixture(scope="module")
def uid():
    """A uid for all runs: sweeping /proc after each test would take longer than the tests."""
    if os.geteuid() != 0:
        yield os.getuid()
    else:
        with leased_uid() as leased:
            yield leased


@pytest.fixture(scope="module")
def reasons():
    return {level: why_not(level, []) for level in Level}


@pytest.fixture
def run_at(uid, reasons):
    with ExitStack() as stack:

        def make(level):
            if reasons[level] is not None:
                pytest.skip(f"{level.value}: {reasons[level]}")
            temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(temporary))
            return Run(level, uid if level.own_uid else os.getuid(), folder)

        yield make


@pytest.fixture(params=CONFINED, ids=lambda level: level.value)
def run(request, run_at):
    return run_at(request.param)


@pytest.fixture
def user_run(run_at):
    return run_at(Level.USER)


@pytest.fixture
def outside():
    """A file of mode 0644 in a folder of mode 0755: nothing but Landlock protects it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / "expected.json"
        file.write_text("42")
        file.chmod(0o644)
        yield file


def assert_refused(outcome, code=errno.EPERM):
    """Accept a refusal that Python turns into an exception with this errno."""
    assert f"[Errno {code}]" in outcome, outcome


# ---- files


def test_a_file_that_all_may_read_is_not_readable(run, outside):
    assert_refused(run.outcome(lambda _: outside.read_text()), errno.EACCES)


def test_a_file_in_a_private_folder_is_not_readable(run, outside):
    outside.parent.chmod(0o700)
    assert_refused(run.outcome(lambda _: outside.read_text()), errno.EACCES)


def test_a_folder_elsewhere_cannot_be_listed(run, outside):
    assert_refused(run.outcome(lambda _: list(outside.parent.iterdir())), errno.EACCES)


def test_the_projects_own_files_are_not_readable(run):
    assert_refused(run.outcome(lambda _: Path(__file__).read_text()), errno.EACCES)


def test_a_symlink_out_of_the_own_folder_leads_nowhere(run, outside):
    def follow(folder):
        (folder / "link").symlink_to(outside)
        return Path("link").read_text()

    assert_refused(run.outcome(follow), errno.EACCES)


def test_a_hard_link_to_a_file_elsewhere_cannot_be_made(run, outside):
    assert "did it" not in run.outcome(lambda _: os.link(outside, "link"))


def test_a_file_that_all_may_write_cannot_be_changed(run, outside):
    outside.chmod(0o666)
    outside.parent.chmod(0o777)
    for action in (
        lambda _: outside.write_text("43"),
        lambda _: os.truncate(outside, 0),
        lambda _: outside.unlink(),
        lambda _: outside.rename(outside.parent / "moved"),
        lambda _: (outside.parent / "new").write_text(""),
    ):
        assert "did it" not in run.outcome(action)
    assert outside.read_text() == "42"


def test_a_package_cannot_be_edited(run):
    target = Path(sysconfig.get_path("purelib")) / "planted.py"
    outcome = run.outcome(lambda _: target.write_text("import os"))
    assert "Errno" in outcome
    assert not target.exists()


def test_mode_owner_and_times_of_files_elsewhere_stay(run, outside):
    outside.chmod(0o600)
    before = outside.stat()
    run.outcome(lambda _: outside.chmod(0o777))
    run.outcome(lambda _: os.chown(outside, run.uid, run.uid))
    run.outcome(lambda _: os.utime(outside, (0, 0)))
    run.outcome(lambda _: os.setxattr(outside, "user.mark", b"1"))
    assert outside.stat() == before
    assert os.listxattr(outside) == []


def test_a_file_can_be_copied_with_its_mode(run):
    def copy(_):
        Path("a").write_text("text")
        shutil.copy2("a", "b")
        return Path("b").read_text()

    assert run.outcome(copy) == "did it: text"


def test_the_own_folder_can_be_used_and_is_private(run):
    def use(folder):
        (folder / "sub").mkdir()
        (folder / "sub" / "a").write_text("text")
        (folder / "sub" / "a").rename("b")
        with tempfile.NamedTemporaryFile() as file:
            assert Path(file.name).parent == folder
        return Path("b").read_text()

    assert run.outcome(use) == "did it: text"
    file = (run.folder / "b").stat()
    assert file.st_mode & 0o777 == 0o600
    assert file.st_uid == run.uid


def test_no_fifo_socket_or_device_is_left_for_the_grader_to_hang_on(run):
    assert "Errno" in run.outcome(lambda _: os.mkfifo("fifo"))
    assert "Errno" in run.outcome(lambda _: os.mknod("disk", 0o60600, os.makedev(8, 0)))


def test_dev_null_can_be_written_and_urandom_read(run):
    def use(_):
        Path(os.devnull).write_text("gone")
        with Path("/dev/urandom").open("rb") as file:
            return len(file.read(8) + os.urandom(8))

    assert run.outcome(use) == "did it: 16"


def test_a_large_file_cannot_be_written(run):
    outcome = run.outcome(lambda folder: (folder / "big").write_bytes(bytes(64 << 20)))
    assert_refused(outcome, errno.EFBIG)
    assert (run.folder / "big").stat().st_size <= 1 << 20


def test_only_the_descriptors_to_keep_stay_open(run, outside):
    with outside.open() as inherited, outside.open() as kept:
        keep = [kept.fileno()]
        assert_refused(run.outcome(lambda _: os.fstat(inherited.fileno()), keep), errno.EBADF)
        assert run.outcome(lambda _: os.pread(kept.fileno(), 2, 0), keep) == "did it: b'42'"


def test_standard_streams_lead_nowhere_and_do_not_fall_to_a_file(run):
    outcome = run.outcome(lambda _: [os.read(0, 1), os.write(1, b"x"), os.write(2, b"x")])
    assert outcome == "did it: [b'', 1, 1]"


# ---- processes


@pytest.mark.parametrize(
    "action",
    [
        lambda _: os.fork(),
        lambda _: os.posix_spawn("/bin/true", ["true"], {}),
        lambda _: os.execv("/bin/true", ["true"]),
        lambda _: subprocess.run(["/bin/true"], check=True),
        lambda _: multiprocessing.get_context("fork").Process(target=print).start(),
    ],
    ids=["fork", "posix_spawn", "exec", "subprocess", "multiprocessing"],
)
def test_no_process_can_be_started(run, action):
    assert_refused(run.outcome(action))


def test_os_system_starts_nothing(run):
    run.outcome(lambda _: os.system("touch made"))
    assert not (run.folder / "made").exists()


def test_no_signal_reaches_the_parent(run):
    parent = os.getpid()
    assert_refused(run.outcome(lambda _: os.kill(parent, 0)))
    assert_refused(run.outcome(lambda _: os.kill(-1, 0)))
    assert_refused(run.outcome(lambda _: call("tgkill", parent, parent, 0)))


def test_the_process_may_signal_itself(run):
    assert run.outcome(lambda _: os.kill(os.getpid(), signal.SIGKILL)) == "SIGKILL"
    assert run.outcome(lambda _: os.abort()) == "SIGABRT"


def test_no_signal_reaches_the_parent_by_way_of_a_pipe(run):
    parent = os.getpid()
    assert_refused(run.outcome(lambda _: fcntl.fcntl(0, fcntl.F_SETOWN, parent)))


def test_the_parent_cannot_be_traced_or_read(run):
    parent = os.getpid()
    attach = 16
    assert_refused(run.outcome(lambda _: libc_call("ptrace", attach, parent, 0, 0)))
    assert_refused(run.outcome(lambda _: libc_call("process_vm_readv", parent, 0, 0, 0, 0, 0)))
    for name in ("environ", "mem", "maps", "cmdline", "fd"):
        outcome = run.outcome(lambda _, name=name: os.open(f"/proc/{parent}/{name}", os.O_RDONLY))
        assert_refused(outcome, errno.EACCES)


def test_a_child_does_not_outlive_its_parent(run):
    reading, writing = os.pipe()
    middle = os.fork()
    if middle == 0:
        child, _ = run.start(lambda _: time.sleep(60))
        os.write(writing, str(child).encode())
        time.sleep(60)
        os._exit(0)
    child = int(os.read(reading, 20))
    wait_until(lambda: "S (sleeping)" in status_of(child) and "Seccomp:\t2" in status_of(child))
    os.kill(middle, signal.SIGKILL)
    os.waitpid(middle, 0)
    wait_until(lambda: "State" not in status_of(child) or "Z (zombie)" in status_of(child))


def status_of(pid):
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


def wait_until(true, seconds=60):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.005)


# ---- rights and limits


def test_no_other_uid_can_be_taken(run):
    assert_refused(run.outcome(lambda _: os.setuid(0)))
    assert_refused(run.outcome(lambda _: os.setresuid(0, 0, 0)))
    assert_refused(run.outcome(lambda _: os.setgroups([0])))


def test_capabilities_are_gone_and_cannot_come_back(run):
    confined, reading = run.start(lambda _: time.sleep(60))
    try:
        wait_until(lambda: "Seccomp:\t2" in status_of(confined))
        status = status_of(confined)
    finally:
        os.kill(confined, signal.SIGKILL)
        os.waitpid(confined, 0)
        os.close(reading)
    expected = 1 << 2 if run.level is Level.READER else 0
    assert f"CapEff:\t{expected:016x}" in status
    assert f"CapPrm:\t{expected:016x}" in status
    assert "NoNewPrivs:\t1" in status
    assert "\t".join(["Uid:", *[str(run.uid)] * 4]) in status


@pytest.mark.parametrize("name", ["RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_NOFILE"])
def test_no_limit_can_be_raised(run, name):
    limit = getattr(resource, name)

    def raise_it(_):
        soft, hard = resource.getrlimit(limit)
        assert hard != resource.RLIM_INFINITY
        resource.setrlimit(limit, (soft, hard + 1))

    assert "not allowed" in run.outcome(raise_it)


def test_namespaces_and_mounts_are_refused(run):
    new_user = 0x10000000
    assert_refused(run.outcome(lambda _: libc_call("unshare", new_user)))
    assert_refused(run.outcome(lambda _: os.chroot(".")))


def test_memory_that_no_limit_counts_cannot_be_had(run):
    assert_refused(run.outcome(lambda _: os.memfd_create("hoard")))
    assert_refused(run.outcome(lambda _: libc_call("shmget", 0, 1 << 20, 0o1600)))


def test_the_death_signal_stays(run):
    set_death_signal = 1
    assert_refused(run.outcome(lambda _: libc_call("prctl", set_death_signal, 0, 0, 0, 0)))


def test_a_memory_bomb_ends_in_a_memory_error(run):
    assert run.outcome(lambda _: len(bytearray(2 << 30))) == "MemoryError: "
    assert run.outcome(lambda _: len(bytearray(100 << 20))) == f"did it: {100 << 20}"


def test_an_endless_loop_ends_when_the_processor_time_does(run_at, reasons):
    strongest = next(level for level in Level if reasons[level] is None)

    def loop(_):
        while True:
            pass

    assert run_at(strongest).outcome(loop, cpu_seconds=1) == "SIGXCPU"


def test_a_few_threads_start_and_300_do_not(run):
    assert run.outcome(lambda _: threads(4)) == "did it: 4"
    assert run.outcome(lambda _: threads(300)).startswith("RuntimeError: can't start new thread")


@pytest.mark.parametrize("level", [Level.ROOT, Level.READER], ids=lambda level: level.value)
def test_threads_with_small_stacks_are_counted_where_the_uid_is_the_runs_own(run_at, level):
    def start(_):
        threading.stack_size(64 << 10)
        return threads(40)

    assert run_at(level).outcome(start).startswith("RuntimeError: can't start new thread")
    assert run_at(level).outcome(start, threads=60) == "did it: 40"


def threads(count):
    stop = threading.Event()
    started = [threading.Thread(target=stop.wait, daemon=True) for _ in range(count)]
    for thread in started:
        thread.start()
    stop.set()
    return len(started)


def test_a_process_with_threads_is_not_confined_by_half(run):
    def confine_again(_):
        stop = threading.Event()
        threading.Thread(target=stop.wait, daemon=True).start()
        confinement_module._require_one_thread()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confinement_module, "_restrict", lambda _: None)
        assert "the process has 2 threads" in run.outcome(confine_again)


# ---- network


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"])
@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM"])
def test_no_socket_can_be_made(run, family, kind):
    family, kind = getattr(socket, family), getattr(socket, kind)
    assert_refused(run.outcome(lambda _: socket.socket(family, kind)))


def test_a_listening_server_is_not_reached_even_with_a_socket_in_hand(run):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        address = server.getsockname()
        outcome = run.outcome(lambda _: client.connect(address), keep=[client.fileno()])
    assert_refused(outcome)


def test_a_pair_for_asyncio_is_allowed_and_leads_nowhere_else(run, outside):
    async def wait():
        await asyncio.sleep(0)
        return "awaited"

    assert run.outcome(lambda _: asyncio.run(wait())) == "did it: awaited"
    assert_refused(run.outcome(lambda _: socket.socketpair(type=socket.SOCK_DGRAM)))
    path = str(outside.parent / "socket")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        Path(path).chmod(0o777)
        assert_refused(run.outcome(lambda _: socket.socketpair()[0].connect(path)))
        assert "did it" not in run.outcome(lambda _: socket.socketpair()[0].sendto(b"x", path))


# ---- the filter, also for the architecture that this machine has not

NUMBERS = {
    "x86_64": {"fork": 57, "clone": 56, "clone3": 435, "kill": 62, "prlimit64": 302, "read": 0},
    "aarch64": {"clone": 220, "clone3": 435, "kill": 129, "prlimit64": 261, "read": 63},
}
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x50001, 0x50026


def evaluate(program, architecture, number, *arguments):
    """Interpret the classic BPF that the filter uses, as the kernel would."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("=HBBI", program))
    register = position = 0
    while True:
        code, if_true, if_false, operand = steps[position]
        position += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            register = struct.unpack_from("=I", data, operand)[0]
        elif code == 0x54:
            register &= operand
        else:
            tests = {0x15: register == operand, 0x25: register > operand}
            truth = tests.get(code, bool(register & operand))
            position += if_true if truth else if_false


@pytest.mark.parametrize("machine", NUMBERS)
def test_the_filter_allows_threads_and_refuses_processes(machine):
    program, numbers, audit = filter_program(machine, 77), NUMBERS[machine], AUDIT
    answers = {
        ("read",): ALLOW,
        ("clone", 0x3D0F00): ALLOW,  # what glibc's pthread_create passes
        ("clone", 0x1200011): EPERM,  # and its fork
        ("clone", 0x4111): EPERM,  # and its posix_spawn
        ("clone3",): ENOSYS,
        ("kill", 77): ALLOW,
        ("kill", 76): EPERM,
        ("kill", (1 << 64) - 77): EPERM,
        ("prlimit64", 0, 7, 0): ALLOW,
        ("prlimit64", 0, 7, 0x7FFF00000000): EPERM,
        ("prlimit64", 0, 7, 0x1000): EPERM,
    }
    for (name, *arguments), answer in answers.items():
        assert evaluate(program, audit[machine], numbers[name], *arguments) == answer, name
    if "fork" in numbers:
        assert evaluate(program, audit[machine], numbers["fork"]) == EPERM


@pytest.mark.parametrize("machine", NUMBERS)
def test_the_filter_kills_what_comes_by_way_of_another_architecture(machine):
    program = filter_program(machine, 77)
    i386 = 0x40000003
    assert evaluate(program, i386, 1) == KILL
    assert evaluate(program, AUDIT[machine], 0x40000000 + 1) == KILL
    assert evaluate(program, AUDIT[machine], 5000) == ENOSYS


def test_there_is_no_filter_for_an_unknown_machine():
    with pytest.raises(ConfinementError, match="riscv64"):
        filter_program("riscv64", 77)


# ---- levels


def capable(*numbers):
    effective = int(status_of("self").split("CapEff:\t")[1].split()[0], 16)
    return all(effective >> number & 1 for number in numbers)


def test_a_kernel_that_has_everything_offers_every_level(reasons):
    """Guards against tests that are skipped because the confinement itself is broken."""
    if landlock_abi() == 0 or "Seccomp:" not in status_of("self"):
        pytest.skip("no Landlock or no seccomp")
    assert reasons[Level.USER] is None
    chown, read_search, setgid, setuid = 0, 2, 6, 7
    if os.geteuid() == 0 and capable(chown, read_search, setgid, setuid):
        assert reasons[Level.ROOT] is None
        assert reasons[Level.READER] is None


def test_what_a_private_interpreter_costs_is_said():
    if why_not(Level.ROOT, []) is not None:
        pytest.skip("needs root")
    with tempfile.TemporaryDirectory() as private:
        needed = Path(private) / "lib"
        needed.mkdir()
        level, reasons = available_level([needed])
    assert level is Level.READER
    assert reasons == [f"root: {needed} cannot be used (Permission denied)"]


def test_a_missing_landlock_is_said(monkeypatch):
    monkeypatch.setattr(confinement_module, "landlock_abi", lambda: 0)
    level, reasons = available_level([])
    assert level is Level.PLAIN
    assert len(reasons) == 3
    assert "no Landlock" in reasons[-1]


def test_a_filter_without_effect_is_noticed(monkeypatch):
    if why_not(Level.USER, []) is not None:
        pytest.skip("needs seccomp")
    monkeypatch.setattr(confinement_module, "_filter_syscalls", lambda _: None)
    assert why_not(Level.USER, []) == "processes can be started"


def test_a_path_that_is_not_there_is_an_error(user_run, outside):
    missing = outside.parent / "missing"
    outcome = user_run.outcome(lambda _: None, readable=(missing,))
    assert outcome.startswith("ConfinementError: user: ")
    assert str(missing) in outcome


@pytest.mark.parametrize("version", range(1, 6))
def test_older_versions_of_landlock_confine_as_well(user_run, outside, monkeypatch, version):
    if version > landlock_abi():
        pytest.skip("the kernel is older still")
    monkeypatch.setattr(confinement_module, "landlock_abi", lambda: version)
    assert_refused(user_run.outcome(lambda _: outside.read_text()), errno.EACCES)
    assert "Errno" in user_run.outcome(lambda _: os.truncate(outside, 0))
    assert "Errno" in user_run.outcome(lambda _: os.kill(os.getppid(), 0))
    assert user_run.outcome(lambda f: (f / "a").write_text("text")) == "did it: 4"


def test_plain_limits_memory_and_files_and_no_more(run_at, outside):
    run = run_at(Level.PLAIN)
    assert run.outcome(lambda _: len(bytearray(2 << 30))) == "MemoryError: "
    assert_refused(run.outcome(lambda f: (f / "a").write_bytes(bytes(2 << 20))), errno.EFBIG)
    assert run.outcome(lambda _: outside.read_text()) == "did it: 42"


# ---- uids


@pytest.fixture
def as_root():
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("needs root")


@pytest.mark.usefixtures("as_root")
def test_graders_at_the_same_time_get_different_uids():
    with leased_uid() as first, leased_uid() as second:
        assert first != second
        assert {first, second} <= set(UIDS)


@pytest.mark.usefixtures("as_root")
def test_a_process_in_another_session_is_found_by_its_uid():
    with leased_uid() as uid:
        script = (
            f"import os,time; os.setsid(); os.setresuid({uid},{uid},{uid}); print(); time.sleep(60)"
        )
        command = [sys.executable, "-S", "-u", "-c", script]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as stray:
            stray.stdout.readline()
            kill_uid(uid)
            assert stray.wait(60) == -signal.SIGKILL


@pytest.mark.parametrize("uid", [0, 1000, UIDS.stop])
def test_no_other_uid_is_swept(uid):
    with pytest.raises(ConfinementError, match="not one of"):
        kill_uid(uid)


def test_private_folders_are_closed_to_others(tmp_path):
    tmp_path.chmod(0o755)
    assert make_private([tmp_path, tmp_path / "missing"]) == [tmp_path / "missing"]
    assert tmp_path.stat().st_mode & 0o777 == 0o700


# ---- what students' code needs

NEEDS = """
import json, os, random, sys, tempfile, threading
from pathlib import Path

import matplotlib.pyplot as plt  # looks for fonts, and for the home folder, when imported
import numpy as np
import torch
import torch._dynamo
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import autograder.worker.confinement as c

torch.set_num_threads(1)


def trains(folder):
    torch.set_num_threads(2)
    model = torch.nn.Transformer(32, 2, 1, 1, 64, batch_first=True)
    optimizer = torch.optim.AdamW(model.parameters())
    loss = model(torch.randn(4, 9, 32), torch.randn(4, 7, 32)).square().mean()
    loss.backward()
    optimizer.step()
    torch.randn(600, 600) @ torch.randn(600, 600)
    torch.save(model.state_dict(), folder / "model.pt")
    torch.load(folder / "model.pt")


def computes(folder):
    np.save(folder / "a.npy", np.linalg.inv(np.random.rand(300, 300)))
    np.load(folder / "a.npy")
    random.SystemRandom().random()
    np.random.default_rng().random()


def runs_cells(folder):
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    shell.run_cell("import asyncio\\nawait asyncio.sleep(0)\\nx = 1").raise_error()
    shell.run_cell("%time x += 1").raise_error()
    assert shell.user_ns["x"] == 2


def draws(folder):
    plt.plot([1, 2])
    plt.title("$x^2$")
    plt.savefig(folder / "plot.png")


def imports(folder):
    import sqlite3, xml.dom.minidom, zoneinfo
    import mpmath
    zoneinfo.ZoneInfo("Europe/Berlin")


def keeps_files(folder):
    with tempfile.TemporaryDirectory() as inner:
        Path(inner, "a").write_text("text")
        Path(inner, "a").touch()
    with tempfile.TemporaryFile() as file:
        file.write(b"text")


def starts_threads(folder):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(len, ["ab"] * 8)) == 16


def try_one(need, level, uid, folder):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        text = "dies"
        try:
            for name in ("HOME", "MPLCONFIGDIR", "IPYTHONDIR", "TORCHINDUCTOR_CACHE_DIR"):
                os.environ[name] = folder
            paths = c.interpreter_paths()
            facts = (1 << 30, 16 << 20, 60, 32)
            c.confine(c.Confinement(level, uid, paths, Path(folder), *facts), keep=[writing])
            need(Path(folder))
            text = "fine"
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        finally:
            os.write(writing, text.encode())
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    return os.read(reading, 10_000).decode()


needs = (trains, computes, runs_cells, draws, imports, keeps_files, starts_threads)
for level, uid in json.loads(sys.argv[1]):
    for need in needs:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            outcome = try_one(need, c.Level(level), uid, folder)
            print(json.dumps([level, need.__name__, outcome]))
"""


def test_torch_numpy_ipython_and_matplotlib_work_at_the_strongest_level_and_as_user(uid):
    strongest, reasons = available_level(INTERPRETER)
    if strongest is Level.PLAIN:
        pytest.skip("; ".join(reasons))
    levels = {strongest, Level.USER}
    runs = [(level.value, uid if level.own_uid else os.getuid()) for level in levels]
    environment = {
        "PATH": os.defpath,
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "PYTHONPATH": str(Path(confinement_module.__file__).parents[2]),
    }
    result = subprocess.run(
        [sys.executable, "-c", NEEDS, json.dumps(runs)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    outcomes = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(outcomes) == 7 * len(levels)
    assert [outcome for outcome in outcomes if outcome[2] != "fine"] == []


# ---- calls that Python has no function for


def libc_call(name, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*map(ctypes.c_long, arguments)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def call(name, *arguments):
    number = {"tgkill": {"x86_64": 234, "aarch64": 131}}[name][platform.machine()]
    libc_call("syscall", number, *arguments)
