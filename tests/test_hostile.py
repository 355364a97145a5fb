"""Attacks on the grader: what a malicious student could hand in, and what must come of it.

Each file of `hostile/` is a submission; its docstring says what it tries. Many answer right only if
the attack succeeds, so that points prove a hole. The text of `_wire.py` takes the place of its
import, and names such as @CANARY@ stand for what an attacker may know: paths and process ids.

The strongest level that works here is attacked; the environment variable ISOLATION names another.
"""

import contextlib
import io
import json
import os
import re
import resource
import shutil
import signal
import socket
import stat
import sys
import tempfile
import time
import zipfile
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import nbformat
import pytest

from autograder.emitters import gradescope
from autograder.grading.engine import grade
from autograder.grading.intake import Cell, Found, Submission, find_submissions, read_submission
from autograder.grading.launchers import open_launcher
from autograder.homework import ROOT
from autograder.worker.confinement import UIDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

ATTACKS_FOLDER = Path(__file__).parent / "hostile"
TOKEN = "canary-token-5b1f0c"
SECRET = "canary-secret-93ae7d"
os.environ["SECRET_TOKEN"] = TOKEN  # before any test has started a fork server
CONFINED_LEVELS = ("root", "reader", "user")
MAX_SECONDS = 90
MAX_MESSAGE = 5_000
MAX_RESULT = 1 << 20
MAX_GRADER_MEMORY = 1 << 30
HONEST = (
    "def double(x):\n    return 2 * x",
    "def apply(step, numbers):\n    return [step(n) for n in numbers]",
)


class Attack(NamedTuple):
    """What may come of an attack.

    Attributes:
        least: points of which the attack must not rob its own submission, most often those of the
            other question: what one question does never costs another its points.
        most: what the code honestly earns.
        confined: the promise is made where Linux confines the worker, and not at the level plain.
        damaging: it harms the machine if nothing confines it.
        homework: which one it is handed in to.
    """

    least: int
    most: int
    confined: bool = False
    damaging: bool = False
    homework: str = "tiny"


# In `tiny`, `double` has 3 points and `apply` 4. (0, 0) with `confined`: right answers are given
# only if something was stolen, reached, written or started. Where 1 point of `double` is given,
# the answer of the public case is known to everybody.
ATTACKS = {
    # files
    "reads_checks": Attack(0, 0, confined=True),
    "imports_solution": Attack(0, 0, confined=True, homework="seq2seq"),
    "reads_environment": Attack(0, 0, confined=True),
    "reads_own_memory": Attack(0, 0),
    "reads_process_memory": Attack(0, 0, confined=True),
    "reads_other_submissions": Attack(0, 0, confined=True),
    "reads_secret_file": Attack(0, 0, confined=True, damaging=True),
    "tells_secret": Attack(0, 0, confined=True),
    "writes_results": Attack(0, 0, confined=True, damaging=True),
    "edits_grader": Attack(0, 0, confined=True, damaging=True),
    "changes_modes": Attack(7, 7, confined=True),
    "marks_open_files": Attack(7, 7, confined=True),
    "deletes_everything": Attack(4, 7, damaging=True),
    "links_out": Attack(7, 7),
    "deep_folders": Attack(7, 7),
    "many_files": Attack(7, 7),
    "big_files": Attack(7, 7, damaging=True),
    "leaves_notes": Attack(0, 0, confined=True),
    "poisons_imports": Attack(7, 7, confined=True, damaging=True),
    "shell_escapes": Attack(7, 7),
    # processes and limits
    "exits_in_a_call": Attack(4, 4),
    "exits_in_cells": Attack(7, 7),
    "leaves_at_exit": Attack(0, 1, confined=True),  # 4 may come from a dying process
    "kills_itself": Attack(4, 4),
    "stops_itself": Attack(4, 4),
    "endless_loop": Attack(4, 4),
    "sleeps_at_import": Attack(7, 7),
    "fork_bomb": Attack(4, 4, damaging=True),
    "daemon": Attack(4, 4, confined=True, damaging=True),
    "signals_everyone": Attack(4, 4, damaging=True),
    "traces_parent": Attack(4, 4, confined=True),
    "becomes_root": Attack(0, 0, confined=True),
    "many_threads": Attack(4, 4),
    "memory_list": Attack(4, 4, damaging=True),
    "memory_tensor": Attack(4, 4, damaging=True),
    "memory_bytes": Attack(4, 4, damaging=True),
    "output_flood": Attack(7, 7),
    "segfault": Attack(4, 4),
    "deep_recursion": Attack(4, 4),
    "closes_descriptors": Attack(4, 4),
    "uses_network": Attack(0, 0, confined=True),
    # values
    "walks_memory": Attack(0, 0),
    "replaced_builtins": Attack(0, 0),
    "patches_libraries": Attack(0, 0),
    "patches_worker": Attack(0, 1),
    "equal_to_everything": Attack(0, 0),
    "tensor_subclass": Attack(0, 0),
    "not_a_number": Attack(0, 0),
    "expanded_outputs": Attack(0, 0),
    "reduced_objects": Attack(0, 0),
    "deep_values": Attack(0, 0),
    "endless_iterables": Attack(0, 0),
    "huge_tokens": Attack(3, 3),
    "long_tokens": Attack(0, 0),
    "leaks_inputs": Attack(0, 0),
    "odd_texts": Attack(0, 0),
    "evil_exceptions": Attack(0, 0),
    # the wire
    "claims_a_petabyte": Attack(4, 4),
    "early_replies": Attack(0, 1),
    "forged_reply": Attack(0, 1),
    "forged_cell_number": Attack(0, 0),
    "forged_infinity": Attack(0, 0),
    "forged_load": Attack(0, 0),
    "forged_load_infinity": Attack(0, 0),
    "forged_failure": Attack(0, 0),
    "forged_asks": Attack(0, 0),
    "colliding_keys": Attack(4, 4),
    "deep_json": Attack(0, 0),
    "empty_shapes": Attack(0, 0),
    "drips_bytes": Attack(4, 4),
    "asks_without_reading": Attack(3, 3),
    "million_callbacks": Attack(3, 3),
    "callback_memory": Attack(3, 3),
    "garbage_to_callback": Attack(1, 1),
    # seq2seq: what a reference lends, what a driver tells
    "stand_in_memory": Attack(0, 0, homework="seq2seq"),
    "does_nothing": Attack(0, 0, homework="seq2seq"),
    "fake_gradients": Attack(0, 14, homework="seq2seq"),  # 16 without the case on gradients
}


class Hung(BaseException):
    """The grader itself takes longer than any limit allows. No `except Exception` swallows it."""


@contextlib.contextmanager
def no_longer_than(seconds):
    """Interrupt what hangs, so that a hole is a failing test and not a standstill."""

    def interrupt(_number, _frame):
        raise Hung(f"the grader is still busy after {seconds} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def memory_no_more_than(more):
    """Let an allocation fail instead of the machine."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + more, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


class World:
    """What surrounds a submission: folders it must not touch, sockets it must not reach."""

    def __init__(self, folder, checks):
        self.folder = folder
        self.results = folder / "results"
        self.canary = folder / "canary"
        self.secret = folder / "secret.txt"
        self._make()
        self.port = socket.create_server(("127.0.0.1", 0))
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(self.port.getsockname())
        self.names = {
            "ROOT": ROOT,
            "CHECKS": checks,
            "CANARY": self.canary,
            "RESULTS": self.results,
            "SECRET": self.secret,
            "GRADER": os.getpid(),
            "GRADER_TMP": tempfile.gettempdir(),
            "PORT": self.port.getsockname()[1],
        }

    def _make(self):
        """Leave the folders open to all, so that Landlock alone must protect them."""
        self.folder.chmod(0o777)
        for folder in (self.results, self.canary, self.canary / "submissions"):
            folder.mkdir()
            folder.chmod(0o777)
        for path, mode in (
            (self.results / "results.json", 0o644),
            (self.canary / "public.txt", 0o644),
            (self.canary / "private.txt", 0o600),
            (self.canary / "open.txt", 0o666),
            (self.canary / "submissions" / "somebody.py", 0o644),
            (self.secret, 0o644),
        ):
            path.write_text("\n".join(HONEST) if path.suffix == ".py" else SECRET)
            path.chmod(mode)

    def source(self, name):
        """Return an attack with the names filled in."""
        text = (ATTACKS_FOLDER / f"{name}.py").read_text(encoding="utf-8")
        wire = (ATTACKS_FOLDER / "_wire.py").read_text(encoding="utf-8")
        text = re.sub(r"^from _wire import .*$", lambda _: wire, text, flags=re.MULTILINE)
        for key, value in self.names.items():
            text = text.replace(f"@{key}@", str(value))
        return text

    def files(self):
        """Describe every file around, and where else an attack leaves its mark."""
        found = {}
        for path in sorted([self.folder, *self.folder.rglob("*")]):
            facts = path.lstat()
            content = path.read_bytes() if stat.S_ISREG(facts.st_mode) else b""
            found[str(path)] = (facts.st_mode, facts.st_uid, facts.st_mtime_ns, content)
        return found

    def received(self):
        """Tell whether anything has arrived at a socket."""
        for door in (self.port, self.datagrams):
            door.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                (door.accept if door is self.port else door.recv)(*[] if door is self.port else [9])
                return True
        return False

    def close(self):
        self.port.close()
        self.datagrams.close()


def marks():
    """List what attacks leave in places that are not theirs."""
    places = ["/", "/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir(), ROOT, ROOT / "autograder"]
    places += [Path(os.__file__).parent, Path(pytest.__file__).parents[1]]
    found = set()
    for place in map(Path, places):
        for path in place.iterdir():
            with contextlib.suppress(OSError):
                if "hostile-mark" in path.name or path.lstat().st_uid in UIDS:
                    found.add(str(path))
    return found


def processes():
    """Map the processes that are ours or a worker's to a description."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, KeyError):
            status = dict(
                line.split(":", 1) for line in (entry / "status").read_text().splitlines()
            )
            uids = set(map(int, status["Uid"].split()))
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if status["State"].split()[0] == "X":
                continue
            found[int(entry.name)] = (int(status["PPid"]), uids, command)
    ours = {os.getpid()}
    while more := {pid for pid, (parent, *_) in found.items() if parent in ours} - ours:
        ours |= more
    return {
        pid: facts
        for pid, facts in found.items()
        if pid in ours or facts[1] & set(UIDS) or "98765" in facts[2]
    }


def is_server(facts):
    parent, _, command = facts
    return parent == os.getpid() and "forkserver" in command


def staying(left, seconds=20):
    """Wait until nothing is left, as graders tidy up and others are at work; return what is."""
    deadline = time.monotonic() + seconds
    while (there := left()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return there


def folders_of(runs):
    return [path for path in runs.iterdir() if path.is_dir()]


def left_over(before):
    """Wait a little, and describe the processes that are still there and were not before."""
    deadline = time.monotonic() + 20
    new = processes().keys() - before.keys()
    while new and time.monotonic() < deadline:
        time.sleep(0.05)
        new &= processes().keys()
    now = processes()
    if any(is_server(facts) and pid not in now for pid, facts in before.items()):
        yield "the fork server did not survive"
    yield from (f"left running: {now[p]}" for p in new & now.keys() if not is_server(now[p]))


def grader_memory():
    """Return the most memory that this process has had since the last call, and what it has now."""
    text = Path("/proc/self/status").read_text()
    peak, now = (int(re.search(rf"{name}:\s+(\d+)", text)[1]) << 10 for name in ("VmHWM", "VmRSS"))
    with contextlib.suppress(OSError):  # read-only in some containers
        Path("/proc/self/clear_refs").write_text("5")
    return peak, now


@pytest.fixture(scope="module")
def world(tiny):
    folder = Path(tempfile.mkdtemp(prefix="autograder-test-"))
    world = World(folder, tiny.folder)
    yield world
    world.close()
    shutil.rmtree(folder)


class Grader:
    """Grades with one launcher, as a batch does; takes another one after a standstill."""

    def __init__(self, tiny, seq2seq):
        self.homeworks = {"tiny": tiny, "seq2seq": seq2seq}
        self._stack = contextlib.ExitStack()
        self._open()

    def _open(self):
        self._launcher = self._stack.enter_context(open_launcher(os.environ.get("ISOLATION")))

    def grade(self, submission, homework="tiny"):
        try:
            with no_longer_than(MAX_SECONDS):
                return grade(submission, self.homeworks[homework], launcher=self._launcher)
        except BaseException:
            self.begin_again()
            raise

    def begin_again(self):
        self.close()
        self._open()

    def cells(self, *sources):
        cells = tuple(Cell(number, source) for number, source in enumerate(sources))
        return self.grade(Submission("someone", cells))

    def honest(self):
        return self.cells(*HONEST).score

    def folder_of_runs(self):
        """Return the folder in which each worker has its own."""
        source = "import os\ndef double(x):\n    raise ValueError(os.getcwd())"
        return Path(self.cells(source).cases[0].message.rsplit(": ", 1)[1]).parent

    def close(self):
        self._stack.close()


@pytest.fixture(scope="module")
def grader(tiny, homework):
    grader = Grader(tiny, homework)
    yield grader
    grader.close()


@pytest.fixture(scope="module")
def confined(grader, world):
    """Tell whether the worker is confined: by the name of the level, and by a harmless trial."""
    result = grader.cells(
        "import os, socket\n"
        "def double(x):\n"
        "    for way in (lambda: os.fork() or os._exit(0), socket.socket,\n"
        f"                lambda: open({str(world.canary / 'open.txt')!r}, 'ab').close()):\n"
        "        try:\n            way()\n"
        "        except PermissionError:\n            continue\n"
        "        return None\n"
        "    return 2 * x"
    )
    named = result.isolation in CONFINED_LEVELS
    assert named == (result.score == 3), f"{result.isolation}: {result.cases[0].message}"
    return named


@pytest.fixture
def submit(grader, world, tmp_path):
    """Grade an attack as what it is, a file."""

    def run(name, homework):
        path = tmp_path / "someone.py"
        path.write_text(world.source(name), encoding="utf-8")
        (found,) = find_submissions([path])
        return grader.grade(read_submission(found, grader.homeworks[homework]), homework)

    return run


def flaws(result, homework, out):
    """Yield whatever a result must not have."""
    expected = [case.facts for question in homework.questions for case in question.cases]
    if [case.case for case in result.cases] != expected:
        yield "the result is not complete"
    for case in result.cases:
        if case.passed == bool(case.message):
            yield f"{case.case.name}: passed is {case.passed}, the message {case.message[:80]!r}"
        if len(case.message) > MAX_MESSAGE:
            yield f"{case.case.name}: a message of {len(case.message)} characters"
    yield from (f"the grader failed: {fault[:300]}" for fault in result.faults)
    try:
        text = gradescope.write(result, out).read_text(encoding="utf-8")
        json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    except Exception as error:
        yield f"results.json cannot be written: {type(error).__name__}: {error}"
        return
    if len(text) > MAX_RESULT:
        yield f"results.json has {len(text):,} characters"
    yield from (f"{word} is in results.json" for word in (TOKEN, SECRET) if word in text)
    odd = {c for test in json.loads(text)["tests"] for c in test["output"]} - {"\n", "\t"}
    if control := sorted(c for c in odd if c < " " or c == "\x7f"):
        yield f"control characters {control} are in a message"


def test_every_attack_is_in_the_table():
    files = {path.stem for path in ATTACKS_FOLDER.glob("*.py")} - {"_wire"}
    assert files == ATTACKS.keys()


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(name, submit, grader, world, confined, tmp_path):
    attack = ATTACKS[name]
    if (attack.confined or attack.damaging) and not confined:
        pytest.skip("the worker is not confined here")
    runs = grader.folder_of_runs()
    assert grader.honest() == 7
    before, files, marked = processes(), world.files(), marks()
    _, memory = grader_memory()
    try:
        result = submit(name, attack.homework)
    except Hung as hung:
        pytest.fail(str(hung), pytrace=False)
    peak, _ = grader_memory()
    found = list(flaws(result, grader.homeworks[attack.homework], tmp_path))
    if not attack.least <= result.score <= attack.most:
        told = {case.case.name: case.message[:300] or "passed" for case in result.cases}
        found.append(f"{result.score} points, not {attack.least} to {attack.most}: {told}")
    if peak - memory > MAX_GRADER_MEMORY:
        found.append(f"the grader itself took {(peak - memory) >> 20} MB")
    now = world.files()
    changed = [p for p in files.keys() | now.keys() if files.get(p) != now.get(p)]
    found += [f"changed: {path}" for path in changed]
    found += [f"left behind: {path}" for path in staying(lambda: marks() - marked)]
    found += left_over(before)
    if confined and runs.exists():
        found += [f"left behind: {path}" for path in staying(lambda: folders_of(runs))]
    if world.received():
        found.append("something came over the network")
    try:
        if (score := grader.honest()) != 7:
            found.append(f"the next, honest submission has {score} of 7 points")
    except Hung:
        found.append("the next, honest submission is not graded to the end")
    if found:
        _forget(marks() - marked)
        grader.begin_again()
    assert not found, "\n".join(map(str, found))


def _forget(paths):
    """Remove what an attack has left, so that it does not count against the next one."""
    for path in map(Path, paths):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def test_hidden_inputs_do_not_stand_in_the_results_of_hidden_cases(submit):
    result = submit("leaks_inputs", "tiny")
    for case in result.cases:
        if case.case.hidden:
            assert not re.search(r"leak\d", case.message), case.message
    assert not re.search(r"leak\d", " ".join(result.warnings))
    tests = gradescope.as_dict(result)["tests"]
    assert {test["output_format"] for test in tests} == {"text"}  # hence markup is only text


# ---- uploads


def notebook(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells))


def zipped(members, compression=zipfile.ZIP_STORED):
    """Make a zip of (name or ZipInfo, content) pairs."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return data.getvalue()


def member(name, mode):
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


@pytest.fixture
def hand_in(tmp_path, tiny, grader):
    """Read and grade an upload; nothing around it may change, and the result must be complete."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (tmp_path / "secret.py").write_text(f"def double(x):\n    return '{SECRET}'\n{SECRET}()\n")
    (tmp_path / "secret.ipynb").write_text(notebook(*HONEST, f"{SECRET}()"))
    out = tmp_path / "out"

    def run(*paths):
        before = {p: p.lstat() for p in tmp_path.rglob("*") if out not in p.parents and p != out}
        scores = {}
        with no_longer_than(MAX_SECONDS):
            submissions = [read_submission(f, tiny) for f in find_submissions(paths or [inbox])]
        for submission in submissions:
            result = grader.grade(submission)
            scores[submission.name] = result
            assert list(flaws(result, tiny, out)) == []
            assert "\n" not in (result.problem or "")
        after = {p: p.lstat() for p in tmp_path.rglob("*") if out not in p.parents and p != out}
        assert before.keys() == after.keys()
        assert all(
            (facts.st_mode, facts.st_size, facts.st_mtime_ns)
            == (after[path].st_mode, after[path].st_size, after[path].st_mtime_ns)
            for path, facts in before.items()
        )
        return scores

    run.inbox = inbox
    return run


@pytest.fixture
def hand_in_bytes(hand_in):
    def run(name, data):
        (hand_in.inbox / name).write_bytes(data)
        (result,) = hand_in().values()
        return result

    return run


@pytest.mark.parametrize("suffix", ["py", "ipynb"])
def test_symbolic_links_in_a_folder_are_not_followed(hand_in, suffix):
    student = hand_in.inbox / "mallory"
    student.mkdir()
    (student / f"hw.{suffix}").symlink_to(f"../../secret.{suffix}")
    (hand_in.inbox / f"direct.{suffix}").symlink_to(f"../secret.{suffix}")
    (hand_in.inbox / "parent").symlink_to("..")
    assert all(result.score == 0 for result in hand_in().values())


def test_a_folder_that_links_to_itself_ends(hand_in):
    student = hand_in.inbox / "mallory"
    student.mkdir()
    (student / "again").symlink_to(".")
    (student / "root").symlink_to("/")
    (student / "hw.ipynb").write_text(notebook(*HONEST))
    assert hand_in()["mallory"].score == 7


@pytest.mark.parametrize("where", ["", "mallory"])
def test_a_pipe_is_not_waited_for(hand_in, where):
    (hand_in.inbox / where).mkdir(exist_ok=True)
    os.mkfifo(hand_in.inbox / where / "hw.ipynb")
    assert all(result.score == 0 for result in hand_in().values())


def test_a_device_without_end_is_not_read(hand_in):
    (hand_in.inbox / "zero.py").symlink_to("/dev/zero")
    with memory_no_more_than(2 << 30):
        assert all(result.score == 0 for result in hand_in().values())


def test_a_socket_and_a_hard_link_are_no_matter(hand_in):
    (hand_in.inbox / "good.ipynb").write_text(notebook(*HONEST))
    os.link(hand_in.inbox / "good.ipynb", hand_in.inbox / "again.ipynb")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(hand_in.inbox / "s.ipynb"))
        results = hand_in()
    assert results["good"].score == 7
    assert results.get("s") is None or results["s"].score == 0


@pytest.mark.parametrize("name", ["..ipynb", "...ipynb", ". .ipynb", ".", "tests/.."])
def test_no_name_leads_out_of_the_folder_of_results(hand_in, name):
    (hand_in.inbox / "tests").mkdir()
    (hand_in.inbox / "checking.py").write_text("")
    (hand_in.inbox / "hw.ipynb").write_text(notebook(*HONEST))
    if name.endswith("ipynb"):
        (hand_in.inbox / name).write_text(notebook(*HONEST))
    (found,) = find_submissions([hand_in.inbox / name])
    target = os.path.normpath(f"/out/base/{found.name}/results.json")
    assert Path(target).parents[1] == Path("/out/base")


@pytest.mark.parametrize(
    "name",
    [
        "../../hw.ipynb",
        "/etc/hw.ipynb",
        "C:\\Windows\\hw.ipynb",
        "..\\..\\hw.ipynb",
        "a/../hw.ipynb",
    ],
)
def test_paths_in_a_zip_lead_nowhere(hand_in_bytes, name):
    result = hand_in_bytes("a.zip", zipped([(name, notebook(*HONEST))]))
    assert result.score == 7 or result.problem is not None


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_odd_members_of_a_zip_are_only_their_bytes(hand_in_bytes, kind):
    result = hand_in_bytes("a.zip", zipped([(member("hw.py", kind | 0o777), "../secret.py")]))
    assert result.score == 0
    assert result.problem is not None


def test_a_link_beside_the_notebook_in_a_zip_is_no_matter(hand_in_bytes):
    link = (member("data", stat.S_IFLNK | 0o777), "/etc")
    members = [link, ("data/passwd", "x"), ("hw.ipynb", notebook(*HONEST))]
    assert hand_in_bytes("a.zip", zipped(members)).score == 7


def test_a_zip_in_a_zip_is_not_opened(hand_in_bytes):
    inner = zipped([("hw.ipynb", notebook(*HONEST))])
    result = hand_in_bytes("a.zip", zipped([("inner.zip", inner), ("deeper/inner.zip", inner)]))
    assert result.problem.startswith("the zip holds another zip")


def test_a_bomb_is_not_unpacked(hand_in_bytes):
    data = io.BytesIO()
    with (
        zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("hw.ipynb", "w") as file,
    ):
        for _ in range(512):
            file.write(bytes(1 << 20))
    _, memory = grader_memory()
    result = hand_in_bytes("a.zip", data.getvalue())
    peak, _ = grader_memory()
    assert result.problem.endswith("is larger than 64 MB")
    assert peak - memory < 400 << 20


@pytest.mark.parametrize("size", [0, 5, 0xFFFFFFFE])
def test_sizes_that_lie_are_not_believed(hand_in_bytes, size):
    data = bytearray(zipped([("hw.ipynb", notebook(*HONEST))]))
    head = data.rindex(b"PK\x01\x02")
    data[head + 20 : head + 28] = size.to_bytes(4, "little") * 2
    assert hand_in_bytes("a.zip", bytes(data)).score in (0, 7)


@pytest.mark.parametrize("suffix", ["ipynb", "py", "txt"])
def test_5000_members_are_one_line(hand_in_bytes, suffix):
    members = [(f"hw-{n}.{suffix}", "x = 1") for n in range(5000)]
    result = hand_in_bytes("a.zip", zipped(members))
    assert len(result.problem) < 300


def test_names_in_a_zip_do_not_break_the_message(hand_in_bytes):
    members = [(f"{text}.ipynb", "{}") for text in ("a\nb", "\x1b[2J", "<script>", "x" * 60_000)]
    assert len(hand_in_bytes("a.zip", zipped(members)).problem) < 1000


def test_nested_notebooks_are_text(hand_in_bytes):
    inner = notebook(*HONEST)
    outer = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_raw_cell(inner), nbformat.v4.new_markdown_cell(inner)],
        metadata={"cells": json.loads(inner)["cells"], "double": 1},
    )
    assert hand_in_bytes("a.ipynb", nbformat.writes(outer).encode()).score == 0


def test_damaged_zips_are_results(tiny, tmp_path):
    random = Random(1)
    original = zipped([("hw.ipynb", notebook(*HONEST))], zipfile.ZIP_DEFLATED)
    problems = set()
    for number in range(400):
        data = bytearray(original)
        for _ in range(1 + number % 4):
            data[random.randrange(len(data))] = random.randrange(256)
        path = tmp_path / "a.zip"
        path.write_bytes(data[: random.randrange(len(data)) if number % 5 == 0 else None])
        try:
            read_submission(Found("a", path), tiny)
        except Exception as error:
            problems.add(f"{type(error).__name__}: {error}")
    assert not problems


ODD_NOTEBOOKS = {
    "metadata of a cell": {"cells": [{"cell_type": "code", "source": "double", "metadata": 3}]},
    "tags": {"cells": [{"cell_type": "code", "source": "double", "metadata": {"tags": 5}}]},
    "otter": {"metadata": {"otter": ["x"]}, "cells": []},
    "metadata": {"metadata": [], "cells": []},
    "no metadata": {"cells": [{"cell_type": "code", "source": "double"}]},
    "cell type": {"cells": [{"cell_type": ["code"], "source": "double", "metadata": {}}]},
    "source": {"cells": [{"cell_type": "code", "source": [["double"]], "metadata": {}}]},
    "cells": {"cells": {"a": 1}},
    "worksheets": {"worksheets": [{"cells": [3]}], "nbformat": 3},
    "version": {"cells": [], "nbformat": "four"},
    "huge version": {"cells": [], "nbformat": 10**400},
    "surrogates": {
        "cells": [{"cell_type": "code", "source": "double = '\ud800' + 1", "metadata": {}}]
    },
    "depth": {"cells": [], "metadata": json.loads("[" * 900 + "]" * 900)},
}


@pytest.mark.parametrize("kind", ODD_NOTEBOOKS)
def test_malformed_notebooks_are_results(hand_in_bytes, kind):
    data = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}} | ODD_NOTEBOOKS[kind]
    if kind == "no metadata":
        del data["metadata"]
    assert hand_in_bytes("a.ipynb", json.dumps(data).encode()).score == 0


ODD_SCRIPTS = {
    "minuses": "double = " + "-" * 200_000 + "1",
    "brackets": "double = " + "(" * 100_000,
    "sums": "double = " + "1+" * 100_000 + "1",
    "attributes": "double = a" + ".a" * 100_000,
    "one line": "double = 1\n" + "x" * 5_000_000,
    "many lines": "double = 1\n" * 10_000,
    "header": "# ---\n# jupyter: [\n# ---\n# %%\ndouble = 1\n",
    "aliases": "# ---\n# a: &a [x, x]\n"
    + "".join(f"# {b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in pairwise("abcdefghi"))
    + "# ---\n# %%\ndouble = 1\n",
    "cell options": "# %% {\ndouble = 1\n# %% [markdown] a='\nx\n# %% tags=5\ndouble = 2\n",
    "null": "double = 1\n\0\n",
    "form feeds": "double = 1\n\f\x0b\x1c\u2028y = 2\n",
}


@pytest.mark.parametrize("kind", ODD_SCRIPTS)
def test_odd_scripts_are_results(hand_in_bytes, kind):
    assert hand_in_bytes("a.py", ODD_SCRIPTS[kind].encode()).score == 0


def test_a_file_of_64_mb_is_refused(hand_in_bytes):
    assert "larger than 64 MB" in hand_in_bytes("a.py", bytes((64 << 20) + 1)).problem
