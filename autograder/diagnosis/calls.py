"""Records what a function is asked and what it answers, and asks another one the same."""

from __future__ import annotations

import functools
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.checking import Driver, LocalFunction
from autograder.text import one_line

SLOW_SECONDS = 0.05
"""A call that took the student longer is not asked again of everyone."""
REFUSED = ("refused",)
"""What `Answer.raised` says if one of the functions that were given raised."""


class Differs(BaseException):
    """A replayed function asks what the recorded one did not. No `except Exception` catches it."""


@dataclass
class Answer:
    """What came of a call.

    Attributes:
        value: what was returned.
        raised: the exception's class and its text; empty if nothing was raised.
        asked: how often each of the functions that it was given was called with what.
    """

    value: Any = None
    raised: tuple[str, ...] = ()
    asked: Sequence[Counter[Hashable]] = ()


@dataclass(eq=False)
class Call:
    """One request to a function, by a driver or without, and what came of it.

    Attributes:
        arguments: with `Listened` in the place of functions, and the `Recorded` itself.
        seed: of the random numbers that the function may draw.
    """

    driver: Driver | None
    arguments: Sequence[Any]
    keywords: dict[str, Any]
    seed: int
    answer: Answer = field(default_factory=Answer)
    seconds: float = 0.0

    @property
    def can_be_replayed(self) -> bool:
        """Whether it needs no other function of the student's."""
        return not any(hasattr(a, "drive") and not isinstance(a, Recorded) for a in self.arguments)

    @property
    def is_slow(self) -> bool:
        """Whether it is to be left out if others tell; each subject of a test tells on its own."""
        subjects = [f for f in self.arguments if hasattr(f, "afresh")]
        return self.seconds > SLOW_SECONDS and not subjects

    @property
    def answered(self) -> bool:
        """Whether anything was returned."""
        return not self.answer.raised and self.answer.value is not None

    @functools.cached_property
    def scale(self) -> float:
        """The largest number among the inputs: rounding errors grow with it."""
        tensors = _found([self.arguments, self.keywords], Tensor)
        finite = [t[t.isfinite()].abs() for t in tensors if t.is_floating_point()]
        return max([1.0, *(float(t.max()) for t in finite if t.numel())])


class Listened:
    """A function of the grader's that notes how it is called and what it answers."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.dialogue: list[tuple[Hashable, Any, BaseException | None]] = []

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the function."""
        key = _key([arguments, keywords])
        try:
            value = self.function(*arguments, **keywords)
        except BaseException as error:
            self.dialogue.append((key, None, error))
            raise
        self.dialogue.append((key, _kept(value), None))
        return value

    def __getattr__(self, name: str) -> Any:
        """Be like the function in everything else."""
        return getattr(self.function, name)


class Refused(Exception):
    """The recorded call came to its end here: a function that it was given raised."""


class Player:
    """Answers as a `Listened` function did."""

    def __init__(self, listened: Listened) -> None:
        self._known = defaultdict(list)
        for key, value, error in listened.dialogue:
            self._known[key].append((value, error))
        self.asked: Counter[Hashable] = Counter()

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Return what was returned; the last again if there were fewer calls.

        Raises:
            Differs: if the recorded function never asked this.
        """
        key = _key([arguments, keywords])
        answers = self._known.get(key)
        if answers is None:
            raise Differs
        value, error = answers[min(self.asked[key], len(answers) - 1)]
        self.asked[key] += 1
        if error is not None:
            raise Refused
        return _kept(value)


class Recorded:
    """A student's function whose calls are written down."""

    def __init__(self, function: Any, calls: list[Call], seed: int) -> None:
        self._function = function
        self._calls = calls
        self._seed = seed

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call it."""
        call = Call(None, _exchanged(arguments, _listen), _exchanged(keywords, _listen), self._seed)
        return self._noted(call, lambda: self._function(*call.arguments, **call.keywords))

    def drive(self, driver: Driver, arguments: Sequence[Any]) -> Any:
        """Run a driver on it."""
        call = Call(driver, _exchanged(arguments, _listen), {}, self._seed)
        plain = [a._function if isinstance(a, Recorded) else a for a in call.arguments]
        return self._noted(call, lambda: self._function.drive(driver, plain))

    def _noted(self, call: Call, ask: Callable[[], Any]) -> Any:
        self._calls.append(call)
        started = time.perf_counter()
        try:
            _reseed(self._seed)
            call.answer.value = ask()
        except BaseException as error:
            call.answer.raised = _described(error)
            raise
        finally:
            call.seconds = time.perf_counter() - started
            _note_dialogues(call)
        return call.answer.value


def replay(call: Call, function: Callable[..., Any]) -> Answer:
    """Ask another function the same.

    Raises:
        Differs: if it asks what the recorded one did not.
    """
    local = LocalFunction(function)
    arguments = _exchanged(call.arguments, _play)
    keywords = _exchanged(call.keywords, _play)
    answer = Answer(asked=[p.asked for p in _found([arguments, keywords], Player)])
    try:
        _reseed(call.seed)
        if call.driver is None:
            answer.value = local(*arguments, **keywords)
        else:
            given = [local if isinstance(a, Recorded) else a for a in arguments]
            answer.value = local.drive(call.driver, given)
    except Refused:
        answer.raised = REFUSED
    except Exception as error:  # whatever a mistake does to unexpected input
        answer.raised = _described(error)
    return answer


def _note_dialogues(call: Call) -> None:
    """Write down what the functions that were given were asked."""
    dialogues = [f.dialogue for f in _found([call.arguments, call.keywords], Listened)]
    call.answer.asked = [Counter(key for key, _, _ in dialogue) for dialogue in dialogues]
    if call.answer.raised and any(error for dialogue in dialogues for _, _, error in dialogue):
        call.answer.raised = REFUSED


def _described(error: BaseException) -> tuple[str, str]:
    """Name an exception's class and give its text, whether it was raised here or elsewhere."""
    kinds = getattr(error, "kinds", None) or [type(error).__name__]
    return kinds[0], one_line(getattr(error, "message", str(error)), 500)


def _listen(value: Any) -> Any:
    as_it_is = hasattr(value, "drive") or hasattr(value, "afresh")
    return Listened(value) if callable(value) and not as_it_is else value


def _play(value: Any) -> Any:
    """Let a function of the grader's answer again: from what it said, or anew if it can.

    One that has a method `afresh`, which returns it as it was before all calls, may be asked
    anything; what it is asked is the student's own choice and is not compared.
    """
    if hasattr(value, "afresh"):
        return value.afresh()
    return Player(value) if isinstance(value, Listened) else value


def _exchanged(value: Any, exchange: Callable[[Any], Any]) -> Any:
    """Rebuild lists, tuples and dictionaries with what is in them exchanged."""
    if isinstance(value, (list, tuple)):
        return type(value)(_exchanged(item, exchange) for item in value)
    if isinstance(value, dict):
        return {key: _exchanged(item, exchange) for key, item in value.items()}
    return exchange(value)


def _found(value: Any, kind: type) -> list[Any]:
    """List what is of a kind, in order."""
    found: list[Any] = []
    _exchanged(value, lambda item: found.append(item) if isinstance(item, kind) else None)
    return found


def _key(value: Any) -> Hashable:
    """Make arguments comparable, whatever they are made of: token ids are numbers anyhow."""
    if isinstance(value, (Tensor, np.ndarray, np.generic)):
        tensor = torch.as_tensor(value)
        return _key(tensor.tolist())
    if isinstance(value, (list, tuple)):
        return tuple(map(_key, value))
    if isinstance(value, dict):
        return tuple((key, _key(item)) for key, item in sorted(value.items()))
    return value if isinstance(value, Hashable) else repr(type(value))


def _kept(value: Any) -> Any:
    """Keep a value from being written into by who gets it."""
    if isinstance(value, tuple):
        return tuple(map(_kept, value))
    if isinstance(value, np.ndarray):
        return value.copy()
    return value.clone() if isinstance(value, Tensor) else value


def _reseed(seed: int) -> None:
    """Let random draws begin where the recorded ones began."""
    random.seed(seed)
    np.random.seed(seed % (1 << 32))
    torch.default_generator.manual_seed(seed)
