"""What a check file is made of: cases, drivers and assertions.

The same check file runs in three places, and this module with it: in the student's notebook (a copy
lies beside the notebook), under `otter run`, and in the grader, where each function of the student
is a remote one. It needs torch, and otter only where otter is already running.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import inspect
import linecache
import math
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType
from typing import Any, NoReturn

import numpy as np
import torch
from torch import Tensor

RNG = "rng"
"""A case's parameter of this name gets a seeded `torch.Generator`, not a student's function."""


MAX_TOKENS = 10_000
SHOWN_TOKENS = 20
STAND_INS = "RIGHT"
"""A check file's dictionary of this name holds right versions of other questions' functions.

They take the place of the student's own while the cases of the file run, so that a mistake in one
question costs nothing in another. The students' copy of the file does not have it.
"""


class Mismatch(AssertionError):
    """An answer is not what it should be.

    Args:
        brief: what is wrong, in words that give neither inputs nor expected values away.
        detail: what was expected and what came; shown for public cases only.
    """

    def __init__(self, brief: str, detail: str = "") -> None:
        super().__init__(f"{brief}: {detail}" if detail else brief)
        self.brief = brief
        self.detail = detail


class Missing(Mismatch):
    """There is nothing to check: the function is absent, or still the stub."""


class _Case:
    """Stands in for otter's `test_case` where otter is not running; importing otter takes 1 s."""

    def __init__(self, name: str | None, points: int | None, hidden: bool) -> None:
        self.name = name
        self.points = points
        self.hidden = hidden
        self.success_message = None
        self.failure_message = None
        self.test_func: Callable[..., None] = lambda: None


def _base() -> type:
    if "otter" not in sys.modules:
        return _Case
    from otter.test_files import test_case as otter_case

    return otter_case  # type: ignore[no-any-return]


class test_case(_base()):  # type: ignore[misc]  # noqa: N801  (otter's own name)
    """Decorate a case. Its name is the first line of its docstring; its points are an integer.

    The parameters of the decorated function are names of the student's functions, and `rng` where
    the case draws its inputs.
    """

    def __init__(self, points: int, *, hidden: bool = False) -> None:
        if callable(points):
            raise TypeError("write `@test_case(points=…)`, with the points")
        super().__init__(name=None, points=points, hidden=hidden)
        self.told = ""
        self.failed_at: tuple[str, int] | None = None
        self.raised_at: tuple[str, int] | None = None

    def __call__(self, test_func: Callable[..., None]) -> test_case:
        """Take over the function and its title."""
        self.test_func = test_func
        self.name = (inspect.getdoc(test_func) or test_func.__name__).splitlines()[0].rstrip(".")
        return self

    def call_func(self, global_environment: dict[str, Any]) -> None:
        """Run the case on the functions of a notebook: what otter calls.

        Afterwards `told` is what is wrong, `failed_at` the file and the line of the case that found
        it, and `raised_at` the student's own line if one raised.
        """
        stand_ins = self.test_func.__globals__.get(STAND_INS, {})
        try:
            with replaced(global_environment, stand_ins):
                self.test_func(**case_arguments(self.test_func, global_environment, seed=0))
        except Exception as error:
            self._remember(error, global_environment)
            # otter prints the line of the third frame: keep it the line of the case.
            frames = error.__traceback__.tb_next if error.__traceback__ else None
            raise Mismatch(self.told).with_traceback(frames) from None

    def _remember(self, error: Exception, scope: dict[str, Any]) -> None:
        self.told = explain(error, self.hidden)
        self.failed_at = last_line(error, self.test_func.__globals__)
        self.raised_at = None if isinstance(error, Mismatch) else last_line(error, scope)
        if self.raised_at and not self.hidden and not_written(str(error)) != self.told:
            text = linecache.getline(*self.raised_at).strip()
            self.told += f" (line {self.raised_at[1]} of its cell: `{text}`)" if text else ""


def last_line(error: Exception, scope: dict[str, Any]) -> tuple[str, int] | None:
    """Find the last line that ran, before the error, of code that was defined in a scope."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [(f.f_code.co_filename, line) for f, line in frames if f.f_globals is scope]
    return lines[-1] if lines else None


def case_arguments(
    test_func: Callable[..., None], environment: dict[str, Any], seed: int
) -> dict[str, Any]:
    """Look up what a case asks for: functions by name, and `rng`, seeded for this very case.

    A function that is not there becomes one that says so when it is called.
    """
    found: dict[str, Any] = {}
    for name in inspect.signature(test_func).parameters:
        if name == RNG:
            found[name] = seeded(seed, test_func.__name__)
        else:
            found[name] = _function(name, environment.get(name))
    return found


def _function(name: str, value: Any) -> Callable[..., Any]:
    if not callable(value):
        return Absent(_absence(name, value))
    return value if hasattr(value, "drive") else LocalFunction(value)


class LocalFunction:
    """A function of this process that is called as one of another would be: with copies."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call it, and keep it from changing what it is given."""
        named = {name: _copied(value) for name, value in keywords.items()}
        return self.function(*map(_copied, arguments), **named)

    def drive(self, driver: Driver, arguments: Sequence[Any]) -> Any:
        """Run a driver on the functions themselves."""
        plain = [a.function if isinstance(a, LocalFunction) else _copied(a) for a in arguments]
        return driver.function(*plain)


def _copied(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_copied, value))
    return value


@contextlib.contextmanager
def replaced(scope: dict[str, Any], names: dict[str, Any]) -> Iterator[None]:
    """Let a scope have these names, in place of its own or where it has none, for a while."""
    before = {name: scope[name] for name in names if name in scope}
    scope.update(names)
    try:
        yield
    finally:
        for name in names:
            scope.pop(name, None)
        scope.update(before)


class Differentiable:
    """A stand-in through which gradients flow, although it runs in another process.

    Args:
        function: takes tensors and other values, returns one 0-d tensor.
    """

    def __init__(self, function: Callable[..., Tensor]) -> None:
        self.function = function

    def __call__(self, *arguments: Any, **keywords: Any) -> Tensor:
        """Call the function here."""
        return self.function(*arguments, **keywords)

    def with_slopes(
        self, *arguments: Any, **keywords: Any
    ) -> tuple[Tensor, list[Any], dict[str, Any]]:
        """Return the value and its gradients by each argument and keyword, None by others."""
        given = [_leaf(value) for value in arguments]
        named = {name: _leaf(value) for name, value in keywords.items()}
        value = self.function(*given, **named)
        leaves = [x for x in [*given, *named.values()] if _is_float(x)]
        found = dict(zip(map(id, leaves), torch.autograd.grad(value, leaves), strict=True))
        slopes = [found.get(id(x)) for x in given]
        return value.detach(), slopes, {name: found.get(id(x)) for name, x in named.items()}


def _is_float(value: object) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _leaf(value: Any) -> Any:
    return value.detach().clone().requires_grad_() if _is_float(value) else value


class Pure:
    """A function of the grader's whose answer hangs on nothing but its arguments.

    While a wrong answer is diagnosed, such a function answers anew, whatever it is asked.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__name__ = function.__name__

    def afresh(self) -> Pure:
        """Return it as it was before all calls."""
        return self

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the function."""
        return self.function(*arguments, **keywords)


def seeded(seed: int, *labels: object) -> torch.Generator:
    """Return a generator whose stream depends on the seed and on all the labels."""
    digest = hashlib.sha256(repr((seed, *labels)).encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


def not_written(name: str) -> str:
    """Say that a stub is still a stub."""
    return f"`{name}` is not written yet: put your code in place of `raise NotImplementedError`"


class Absent:
    """Takes the place of a function that is not there: each use raises `Missing` and says why."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __call__(self, *_arguments: object, **_keywords: object) -> NoReturn:
        """Say why there is no function."""
        raise Missing(self.reason)

    def drive(self, _driver: Driver, _arguments: Sequence[Any]) -> NoReturn:
        """Say why there is no function."""
        raise Missing(self.reason)


def _absence(name: str, value: object) -> str:
    if value is None:
        return f"`{name}` is not defined: keep the name of the question, and run its cell"
    return f"`{name}` is a {_type(value)}, not a function"


def explain(error: Exception, hidden: bool) -> str:
    """Say to a student what went wrong in a case; of a hidden one nothing that gives it away."""
    if isinstance(error, Mismatch):
        return error.brief if hidden else str(error)
    if isinstance(error, NotImplementedError) and str(error).isidentifier():
        return not_written(str(error))
    return (
        f"{type(error).__name__}" if hidden else f"your code raised {type(error).__name__}: {error}"
    )


class Driver:
    """A function that runs beside the student's code: in the worker when grading, else right here.

    It must be self-contained (imports inside, no names from its file but those of other drivers),
    take the student's functions as arguments, and return values that can be sent: tensors, numbers,
    strings, lists and tuples.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> Any:
        """Run where the student's functions are."""
        for argument in arguments:
            if hasattr(argument, "drive"):
                return argument.drive(self, arguments)
        return self.function(*arguments)

    @functools.cached_property
    def source(self) -> str:
        """The function's text without decorators, after that of the drivers that it calls."""
        used: dict[str, Driver] = {}
        self._collect(used)
        return "\n\n".join(driver._text() for driver in used.values())

    def _collect(self, used: dict[str, Driver]) -> None:
        used[self.__name__] = self
        for name in _global_names(self.function.__code__):
            value = self.function.__globals__.get(name)
            if isinstance(value, Driver) and name not in used:
                value._collect(used)

    def _text(self) -> str:
        lines = textwrap.dedent(inspect.getsource(self.function)).splitlines()
        start = next(n for n, line in enumerate(lines) if line.startswith("def "))
        return "\n".join(lines[start:])


def _global_names(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_global_names, inner))


def driver(function: Callable[..., Any]) -> Driver:
    """Decorate a driver."""
    return Driver(function)


@driver
def call_each(function: Callable[..., Any], inputs: Sequence[Sequence[Any]]) -> Any:
    """Call a function on each tuple of arguments."""
    return [function(*arguments) for arguments in inputs]


def answers(function: Callable[..., Any], inputs: Iterable[Sequence[Any]]) -> list[Any]:
    """Call a function on each tuple of arguments, in one trip to it; return the answers."""
    inputs = list(inputs)
    return as_parts(call_each(function, inputs), len(inputs))


def compare_each(
    kinds: Iterable[str],
    found: Sequence[Any],
    expected: Sequence[Any],
    compare: Callable[[Any, Any], None],
) -> None:
    """Compare several answers; a complaint says for which kinds of input they are right.

    Args:
        kinds: what each input is like, in a few words that give nothing away; simple ones first.
        found: the answers.
        expected: what is right.
        compare: raises `Mismatch` on an answer and what is right.

    Raises:
        Mismatch: at the first answer that is not right.
    """
    right: list[str] = []
    for kind, answer, wanted in zip(kinds, found, expected, strict=True):
        try:
            compare(answer, wanted)
        except Mismatch as error:
            where = f"right for {' and '.join(right)}, wrong for {kind}" if right else f"for {kind}"
            raise Mismatch(f"{error.brief} ({where})", error.detail) from None
        right.append(kind)


@driver
def call_each_on_views(function: Callable[..., Any], inputs: Sequence[Sequence[Any]]) -> Any:
    """Call a function on each tuple of arguments, whose tensors and arrays lie transposed."""
    import numpy
    import torch

    def view(x: Any) -> Any:
        if isinstance(x, numpy.ndarray):
            return view(torch.from_numpy(x)).numpy()
        if not isinstance(x, torch.Tensor) or x.dim() == 0:
            return x
        return x.movedim(0, -1).contiguous().movedim(-1, 0)

    return [function(*map(view, arguments)) for arguments in inputs]


def answers_on_views(function: Callable[..., Any], inputs: Iterable[Sequence[Any]]) -> list[Any]:
    """Do what `answers` does with tensors that are not contiguous, as slices and heads are."""
    inputs = list(inputs)
    return as_parts(call_each_on_views(function, inputs), len(inputs))


@driver
def call_and_look(function: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """Call a function; return its answer, and its inputs as the call leaves them."""
    import copy

    import numpy
    import torch

    kinds = (torch.Tensor, numpy.ndarray, dict, list)
    inputs = [copy.deepcopy(x) if isinstance(x, kinds) else x for x in inputs]
    return [function(*inputs), inputs]


def answer_and_inputs(function: Callable[..., Any], *inputs: Any) -> tuple[Any, list[Any]]:
    """Call a function; return its answer, and its inputs as the call leaves them."""
    answer, left = as_parts(call_and_look(function, inputs), 2)
    return answer, as_parts(left, len(inputs))


@driver
def put_weights(made: Any, weights: dict[str, Any]) -> Any:
    """Write weights into a module that has all of them, and give it their dtype; return it.

    Much quicker than `load_state_dict`.
    """
    dtype = next(iter(weights.values())).dtype
    held = made.state_dict()
    if any(tensor.dtype != dtype for tensor in held.values()):
        held = made.to(dtype).state_dict()
    for name, tensor in weights.items():
        held[name].copy_(tensor)
    return made


@driver
def loaded(module: Callable[..., Any], sizes: Sequence[int], weights: dict[str, Any]) -> Any:
    """Make a module with given weights, in their dtype: for other drivers, it cannot be sent.

    Args:
        module: the class.
        sizes: the arguments of its `__init__`.
        weights: as `state_dict` gives them.

    Returns:
        (the module, the shape of each of its weights by name). If names or shapes are not those of
        `weights`, None takes the place of the module.
    """
    made = module(*sizes)
    held: dict[str, Any] = getattr(made, "state_dict", dict)()  # it may be no module at all
    shapes = {name: list(tensor.shape) for name, tensor in held.items()}
    if shapes != {name: list(tensor.shape) for name, tensor in weights.items()}:
        return None, shapes
    return put_weights(made, weights), shapes


@driver
def call_loaded(
    module: Callable[..., Any],
    sizes: Sequence[int],
    weights: dict[str, Any],
    method: str,
    inputs: Sequence[Sequence[Any]],
) -> Any:
    """Load weights into a module, and call one of its methods on each tuple of arguments.

    Args:
        module: the class.
        sizes: the arguments of its `__init__`.
        weights: as `state_dict` gives them.
        method: "forward" or another name.
        inputs: for each call its arguments.

    Returns:
        [the shape of each weight by name, the answers]. If names or shapes are not those of
        `weights`, nothing is called and the answers are None.
    """
    import torch

    made, shapes = loaded(module, sizes, weights)
    if made is None:
        return [shapes, None]
    call = made if method == "forward" else getattr(made, method)
    with torch.no_grad():
        return [shapes, [call(*arguments) for arguments in inputs]]


@driver
def loaded_gradients(
    module: Callable[..., Any],
    sizes: Sequence[int],
    weights: dict[str, Any],
    inputs: Sequence[Any],
    others: Sequence[Any],
) -> Any:
    """Do what `gradients` does, by the weights of a module and then by its inputs.

    Returns:
        [the shape of each weight by name, the gradients]; the gradients are None if names or shapes
        are not those of `weights`.
    """
    import torch

    made, shapes = loaded(module, sizes, weights)
    if made is None:
        return [shapes, None]

    def call(*values: Any) -> Any:
        held = dict(zip(weights, values, strict=False))
        return torch.func.functional_call(made, held, values[len(held) :])

    return [shapes, gradients(call, [*weights.values(), *inputs], others)]


@driver
def calls_in_turn(
    module: Callable[..., Any],
    sizes: Sequence[int],
    weights: Sequence[dict[str, Any]],
    inputs: Sequence[Sequence[Any]],
) -> Any:
    """Call one module again and again, to see what a call leaves for the next one.

    Args:
        module: the class.
        sizes: the arguments of its `__init__`.
        weights: two sets of them.
        inputs: for each call its arguments, tensors all.

    Returns:
        [the shape of each weight by name, the answers, the first arguments as the call leaves
        them]. There is an answer to each of the inputs, then three more to the first one: the
        second time, in evaluation mode, and with the second set of weights. The last two are None
        if names or shapes are not those of the weights.
    """
    import torch

    made, shapes = loaded(module, sizes, weights[0])
    if made is None:
        return [shapes, None, None]
    copies = [[x.clone() for x in each] for each in (*inputs, inputs[0], inputs[0], inputs[0])]
    other = [x.clone() for x in inputs[1]]  # what evaluation mode keeps of it would show
    with torch.no_grad():
        answers = [made(*arguments) for arguments in copies[:-2]]
        made.eval()(*other)
        answers.append(made(*copies[-2]))
        answers.append(put_weights(made.train(), weights[1])(*copies[-1]))
    return [shapes, answers, copies[0]]


def loaded_answers(found: object, weights: dict[str, Tensor], count: int) -> list[Any]:
    """Take apart what `call_loaded` returned.

    Raises:
        Mismatch: if the module has other weights than those that were to be loaded.
    """
    shapes, answers = as_parts(found, 2)
    if answers is None:
        assert_weights(shapes, weights)
    return as_parts(answers, count)


def assert_no_trace(
    found: object,
    expected: Sequence[Any],
    weights: dict[str, Tensor],
    inputs: dict[str, Tensor],
    compare: Callable[[Any, Any], None],
) -> None:
    """Compare what `calls_in_turn` returned for the student with what it returned when right.

    Args:
        found: what the driver returned for the student.
        expected: what it returned for the reference.
        weights: the first set of weights.
        inputs: the arguments of the first call, by name.
        compare: raises `Mismatch` on an answer and what is right.

    Raises:
        Mismatch: if the first answer is not right, if another one is not although the first is, or
            if the arguments were changed.
    """
    shapes, answers, left = as_parts(found, 3)
    _, right, _ = expected
    if answers is None:
        assert_weights(shapes, weights)
    answers = as_parts(answers, len(right))
    compare(answers[0], right[0])
    complaints = [
        *["a result after the first one is wrong"] * (len(right) - 4),
        "the same input has another result the second time",
        "evaluation mode has another result than training mode",
        "weights that are loaded after a call do not count",
    ]
    for complaint, answer, wanted in zip(complaints, answers[1:], right[1:], strict=True):
        _complain(complaint, compare, answer, wanted)
    for (name, before), after in zip(inputs.items(), as_parts(left, len(inputs)), strict=True):
        assert_tensor(after, before, f"{name} after the call", atol=0.0)


def _complain(
    complaint: str, compare: Callable[[Any, Any], None], answer: object, wanted: object
) -> None:
    """Compare, and say something else if there is a difference."""
    try:
        compare(answer, wanted)
    except Mismatch as error:
        raise Mismatch(complaint, str(error)) from None


def assert_loaded_gradients(
    found: object,
    expected: object,
    weights: dict[str, Tensor],
    names: Sequence[str] = (),
    *,
    atol: float = 1e-5,
) -> None:
    """Compare what `loaded_gradients` returns for the student with what it returns when right.

    Where all right gradients are below `atol`, none need arrive: the bias of keys has no influence.

    Args:
        found: what the driver returned for the student.
        expected: what it returned for the reference.
        weights: the weights that were loaded.
        names: what the message calls the inputs.
        atol: absolute tolerance.

    Raises:
        Mismatch: if no gradient arrives at a weight or an input, or another one.
    """
    shapes, actual = as_parts(found, 2)
    if shapes != {name: list(tensor.shape) for name, tensor in weights.items()}:
        assert_weights(shapes, weights)
    every = [*(f"`{name}`" for name in weights), *names]
    right = as_parts(as_parts(expected, 2)[1], len(every))
    held = [*weights.values(), *right[len(weights) :]]
    right = [torch.zeros_like(x) if r is None else r for r, x in zip(right, held, strict=True)]
    if actual is not None:
        actual = [
            torch.zeros_like(r) if g is None and r.abs().max() <= atol else g
            for g, r in zip(as_parts(actual, len(every)), right, strict=True)
        ]
    assert_gradients(actual, right, every, atol=atol)


def random_weights(module: torch.nn.Module, rng: torch.Generator) -> dict[str, Tensor]:
    """Draw weights for a module: matrices that keep the size of vectors, gains about 1, biases."""
    drawn = {}
    for name, weight in module.state_dict().items():
        noise = torch.randn(weight.shape, generator=rng)
        if noise.dim() > 1:
            drawn[name] = noise / math.sqrt(noise.size(-1))
        else:
            drawn[name] = 0.4 * noise + (0.0 if name.endswith("bias") else 1.0)
    return drawn


def assert_weights(shapes: object, weights: dict[str, Tensor]) -> None:
    """Compare the names and shapes of a module's weights with those that it should have.

    Raises:
        Mismatch: at the first weight that is missing, has another shape, or is too many.
    """
    found = shapes if isinstance(shapes, dict) else {}
    keep = "keep the `__init__` that was given"
    for name, tensor in weights.items():
        if name not in found:
            raise Mismatch(f"the module has no weight `{name}`: {keep}")
        if found[name] != list(tensor.shape):
            raise Mismatch(f"the weight `{name}` has another shape than it should: {keep}")
    if len(found) > len(weights):
        raise Mismatch(f"the module has weights that it should not have: {keep}")


@driver
def standing_in(module: type, names: dict[str, Any], work: Callable[[], Any]) -> Any:
    """Do some work while a student's class finds other things under some names of its notebook.

    So a class can be graded although others, which it is made of, are wrong or missing.

    Args:
        module: the class.
        names: what its methods shall find, by name.
        work: a function without parameters.

    Returns:
        What `work` returns.
    """
    import inspect

    scopes = []
    for kind in getattr(module, "__mro__", ()):
        for value in vars(kind).values():
            scope = getattr(inspect.unwrap(value) if callable(value) else None, "__globals__", {})
            if not str(scope.get("__name__", "torch")).startswith("torch"):
                scopes.append((scope, {name: scope[name] for name in names if name in scope}))
    try:
        for scope, _ in scopes:
            scope.update(names)
        return work()
    finally:
        for scope, before in scopes:
            for name in names:
                scope.pop(name, None)
            scope.update(before)


HOLDS, REFUSED, RETURNED = "holds", "refused", "returned"


@driver
def verdict(test: Callable[[Any], object], subject: Any) -> Any:
    """Run a test that a student has written on a subject; say what it found.

    Returns:
        "holds" if the test returned None, "refused" if it raised AssertionError, "refused without
        a message", "returned", or the class of another exception.
    """
    try:
        return "holds" if test(subject) is None else "returned"
    except AssertionError as error:
        return "refused" if str(error) else "refused without a message"
    except NotImplementedError:
        raise
    except Exception as error:
        return type(error).__name__


def assert_tells_apart(
    test: Callable[[Any], object], right: dict[str, Any], broken: dict[str, Any], noun: str
) -> None:
    """Demand of a test that a student has written that it passes what is right, and only that.

    Args:
        test: the student's; returns None or raises AssertionError with a message.
        right: subjects that have the property, by kind, as in "one that is trained".
        broken: subjects that do not, by kind.
        noun: what a subject is called.

    Raises:
        Mismatch: if the test says the same of all, refuses a right subject, raises something else,
            or lets a broken one pass.
    """
    of_right = {kind: verdict(test, subject) for kind, subject in right.items()}
    of_broken = {kind: verdict(test, subject) for kind, subject in broken.items()}
    found = [*of_right.values(), *of_broken.values()]
    if RETURNED in found:
        raise Mismatch("your test returns a value: it should return None, or raise AssertionError")
    if all(each == HOLDS for each in found):
        raise Mismatch(f"your test passes each {noun}, right or broken: it never raises")
    if all(each == REFUSED for each in found):
        raise Mismatch(f"your test refuses each {noun}, right or broken")
    _assert_passes(of_right, noun)
    _assert_refuses(of_broken, noun)


def _assert_passes(of_right: dict[str, Any], noun: str) -> None:
    for kind, found in of_right.items():
        does = "refuses" if found == REFUSED else f"raises {found} on"
        if found != HOLDS:
            raise Mismatch(f"your test {does} a right {noun}: one that {kind}")


def _assert_refuses(of_broken: dict[str, Any], noun: str) -> None:
    passed = [kind for kind, found in of_broken.items() if found == HOLDS]
    if passed:
        count = f"{len(passed)} of {len(of_broken)} broken {noun}s"
        raise Mismatch(f"your test passes {count}; one of them {passed[0]}")
    for kind, found in of_broken.items():
        if found == f"{REFUSED} without a message":
            raise Mismatch(f"the AssertionError has no message, on a {noun} that {kind}")
        if found != REFUSED:
            raise Mismatch(f"your test raises {found}, not AssertionError, on a {noun} that {kind}")


def as_parts(value: object, count: int) -> list[Any]:
    """Take apart what a driver returned; it ran beside code that may have put anything there."""
    if not isinstance(value, list) or len(value) != count:
        raise Mismatch("the calls of this case did not come to their end")
    return value


@driver
def gradients(function: Callable[..., Any], inputs: Sequence[Any], others: Sequence[Any]) -> Any:
    """Return the gradient, for each of `inputs`, of a fixed weighted sum of all outputs.

    Args:
        function: called as function(*inputs, *others).
        inputs: float tensors to differentiate by.
        others: further arguments, not differentiated.

    Returns:
        A list of tensors shaped as `inputs`, None where no gradient arrives; or None alone if the
        result does not depend on any of them.
    """
    import torch

    leaves = [x.clone().requires_grad_() for x in inputs]
    result = function(*leaves, *others)
    outputs = result if isinstance(result, (tuple, list)) else [result]
    total = torch.zeros(())
    for output in outputs:
        if not isinstance(output, torch.Tensor):
            return None
        weights = torch.linspace(-1, 1, output.numel()).reshape(output.shape)
        total = total + (output * weights.to(output.dtype)).sum()
    if not total.requires_grad:
        return None
    return list(torch.autograd.grad(total, leaves, allow_unused=True))


def assert_tensor(
    actual: object,
    expected: Tensor,
    name: str = "the result",
    *,
    atol: float = 1e-5,
    dtype: torch.dtype | None = None,
) -> None:
    """Compare with what is right: presence, type, shape, dtype, values, in this order.

    Args:
        actual: what the student's function returned.
        expected: the right answer. Infinite values must be equal, finite ones within `atol`.
        name: what the message calls it.
        atol: absolute tolerance.
        dtype: the dtype that the question demands; None where it demands none.

    Raises:
        Mismatch: at the first difference.
    """
    tensor = as_tensor(actual, name)
    assert_shape(tensor, expected.shape, name)
    if dtype is not None and tensor.dtype != dtype:
        raise Mismatch(f"{name} has the dtype {_dtype(tensor.dtype)}, not {_dtype(dtype)}")
    _assert_values(tensor.double(), expected.double(), name, atol)


def assert_shape(tensor: Tensor, shape: Sequence[int], name: str = "the result") -> None:
    """Compare a shape; `()` is that of a single number.

    Raises:
        Mismatch: if it is another one.
    """
    if tuple(tensor.shape) != tuple(shape):
        raise Mismatch(f"{name} has the shape {tuple(tensor.shape)}, not {tuple(shape)}")


def assert_same(found: Tensor, expected: Tensor, complaint: str, *, atol: float = 1e-4) -> None:
    """Demand that two answers agree, such as those to a row alone and in a batch.

    Raises:
        Mismatch: with the complaint, if shapes differ or values differ by more than `atol`.
    """
    if found.shape != expected.shape or not torch.allclose(found, expected, rtol=0, atol=atol):
        raise Mismatch(complaint)


def assert_other(found: Tensor, others: Tensor, complaint: str, *, atol: float = 1e-3) -> None:
    """Demand that two answers, shaped alike, differ in each of their rows (the last axis).

    Raises:
        Mismatch: with the complaint, if shapes differ or a row differs by less than `atol`.
    """
    if found.shape != others.shape or ((found - others).abs().amax(-1) < atol).any():
        raise Mismatch(complaint)


def assert_gradients(
    actual: object, expected: Sequence[Tensor], names: Sequence[str], *, atol: float = 1e-5
) -> None:
    """Compare what the driver `gradients` returns for the student with what it returns when right.

    Raises:
        Mismatch: if no gradient arrives at an input, or another one.
    """
    if actual is None:
        raise Mismatch("the result is cut off from its inputs: no gradient flows back")
    for name, found, right in zip(names, as_parts(actual, len(names)), expected, strict=True):
        if found is None:
            raise Mismatch(f"no gradient flows back to {name}")
        assert_tensor(found, right, f"the gradient of {name}", atol=atol)


def as_tensor(value: object, name: str = "the result") -> Tensor:
    """Take an answer as a real-valued tensor, or say why it is none.

    Raises:
        Mismatch: for None, a function, text, complex numbers, ragged lists …
    """
    if value is None:
        raise Mismatch(f"{name} is None: is there a `return`?")
    try:
        tensor = torch.as_tensor(value)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise Mismatch(f"{name} is a {_type(value)}, not a tensor") from None
    if tensor.is_complex():
        raise Mismatch(f"{name} has complex numbers")
    return tensor.detach()


def assert_pair(actual: object, names: tuple[str, str]) -> tuple[Any, Any]:
    """Unpack an answer that must be a pair.

    Raises:
        Mismatch: if it is anything else.
    """
    if actual is None:
        raise Mismatch("the result is None: is there a `return`?")
    if not isinstance(actual, (tuple, list)) or len(actual) != 2:
        count = f" of {len(actual)}" if isinstance(actual, (tuple, list)) else ""
        what = f"{_type(actual)}{count}"
        raise Mismatch(f"the result is a {what}, not the pair ({names[0]}, {names[1]})")
    return actual[0], actual[1]


def assert_number(actual: object, expected: float, name: str, *, atol: float = 1e-5) -> None:
    """Compare one number; a float, a 0-d tensor and a NumPy scalar are alike.

    Raises:
        Mismatch: if it is no single number, or the wrong one.
    """
    tensor = as_tensor(actual, name)
    assert_shape(tensor, (), name)
    _assert_values(tensor.double(), torch.tensor(expected, dtype=torch.float64), name, atol)


def as_tokens(actual: object, name: str = "the result") -> list[int]:
    """Take an answer as a list of token ids.

    Raises:
        Mismatch: if it is not a sequence of integers.
    """
    if actual is None:
        raise Mismatch(f"{name} is None: is there a `return`?")
    if hasattr(actual, "tolist") and getattr(actual, "ndim", 0) == 1 and len(actual) <= MAX_TOKENS:  # type: ignore[arg-type]
        actual = actual.tolist()
    if isinstance(actual, (list, tuple)) and len(actual) > MAX_TOKENS:
        raise Mismatch(f"{name} has more than {MAX_TOKENS:,} tokens")
    if not isinstance(actual, (list, tuple)):
        raise Mismatch(f"{name} is a {_type(actual)}, not a list of ints")
    try:
        values = [value.item() if hasattr(value, "item") else value for value in actual]
    except (TypeError, ValueError, RuntimeError):
        raise Mismatch(f"{name} is a {_type(actual)}, not a list of ints") from None
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool):
            raise Mismatch(f"{name} holds a {_type(value)}, not ints only")
    return values


def assert_tokens(actual: object, expected: Sequence[int], name: str = "the result") -> None:
    """Compare a list of token ids.

    Raises:
        Mismatch: if it is no list of ints, or another one.
    """
    tokens = as_tokens(actual, name)
    if tokens == list(expected):
        return
    detail = f"expected {_few(expected)}, got {_few(tokens)}"
    if len(tokens) != len(expected):
        size = "short" if len(tokens) < len(expected) else "long"
        raise Mismatch(f"{name} is too {size}", detail)
    first = next(
        n for n, pair in enumerate(zip(tokens, expected, strict=True)) if pair[0] != pair[1]
    )
    raise Mismatch(f"{name} has a wrong token at position {first}", detail)


def _assert_values(actual: Tensor, expected: Tensor, name: str, atol: float) -> None:
    if torch.equal(actual, expected):  # most often, and quick
        return
    if (actual.isnan() & ~expected.isnan()).any():
        raise Mismatch(f"NaN in {name}")
    finite = expected.isfinite() & actual.isfinite()
    wrong = torch.where(finite, (actual - expected).abs() > atol, actual != expected)
    count = int(wrong.sum())
    if count == 0:
        return
    where = [int(n) for n in wrong.nonzero()[0]]
    detail = f"expected {_value(expected[tuple(where)])}, got {_value(actual[tuple(where)])}"
    if actual.ndim == 0:
        raise Mismatch(f"{name} is not the right number", detail)
    are = "is" if count == 1 else "are"
    brief = f"{name}: {count} of {wrong.numel()} values {are} wrong"
    raise Mismatch(brief, f"at {where} {detail}")


def _few(tokens: Sequence[int]) -> str:
    shown = ", ".join(map(str, tokens[:SHOWN_TOKENS]))
    return f"[{shown}, …]" if len(tokens) > SHOWN_TOKENS else f"[{shown}]"


def _value(value: Tensor) -> str:
    return f"{value.item():.6g}"


def _dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _type(value: object) -> str:
    """Name a type; values that came over the wire without content carry the name themselves."""
    return str(getattr(value, "type_name", type(value).__name__))


if __name__ == "checking":  # the students' copy, beside which the other module lies
    importlib.import_module("showing").register()
