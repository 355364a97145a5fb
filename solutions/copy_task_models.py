"""Right and broken models and attentions, on which students' tests of the mechanism are run.

A broken one is a right one with a fault put in: `altered` changes what one attention may see, the
functions that end in an answer change what comes out, and a `Remembering` model keeps something
between calls. Kinds are in words that a student may read: they say what goes wrong, not how.
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from autograder.checking import Mismatch
from solutions.copy_task import (
    EOS,
    PAD,
    TinyTransformer,
    make_batch,
    make_dataset,
    numpy_attention,
    positions,
    training_loss,
)

Model = Callable[[Tensor, Tensor], Tensor]
Attention = Callable[..., tuple[Any, Any]]
Floats = NDArray[np.float64]
Change = Callable[[Tensor], Tensor]

MAX_CALLS = 5_000
MAX_ROWS, MAX_LENGTH, MAX_SCORES = 512, 256, 1 << 19
NOTED_CALLS, NOTED_LOGITS = 500, 4096


class Examined:
    """A model or an attention as a test sees it: something that can be called, within limits.

    Args:
        make: returns the model as it is before all calls.
        demand: raises `Mismatch` on arguments that the model cannot or should not take.
    """

    is_careful = True

    def __init__(self, make: Callable[[], Callable[..., Any]], demand: Callable[..., None]) -> None:
        self._make = make
        self._demand = demand
        self._model: Callable[..., Any] | None = None
        self._calls = 0

    def afresh(self) -> Examined:
        """Return it as it was before all calls."""
        return Examined(self._make, self._demand)

    def __call__(self, *arguments: Any) -> Any:
        """Call it.

        Raises:
            Mismatch: on arguments that it does not take, and after thousands of calls.
        """
        self._calls += 1
        if self._calls > MAX_CALLS:
            raise Mismatch(f"your test calls one model more than {MAX_CALLS:,} times")
        self._demand(*arguments)
        if self._model is None:
            self._model = self._make()
        with torch.no_grad():
            return self._model(*arguments)


def demand_ids(*arguments: object) -> None:
    """Raise `Mismatch` unless these are a source and a target prefix that a model can take."""
    if len(arguments) != 2:
        raise Mismatch(f"`model` takes (source, target_prefix), not {len(arguments)} arguments")
    for name, ids in zip(("source", "target_prefix"), arguments, strict=True):
        if not isinstance(ids, Tensor) or ids.is_floating_point() or ids.dim() != 2:
            raise Mismatch(f"`model` is called with a {name} that is no (B, n) tensor of ints")
        if not 0 < len(ids) <= MAX_ROWS or not 0 < ids.size(1) <= MAX_LENGTH:
            raise Mismatch(f"`model` is called with a {name} that is empty or too large")
        if ids.min() < 0 or ids.max() > 11:
            raise Mismatch(f"`model` is called with a {name} whose ids are not all of 0 ... 11")
    source, target = arguments
    assert isinstance(source, Tensor)
    assert isinstance(target, Tensor)
    _demand_rows(source, target)


def _demand_rows(source: Tensor, target: Tensor) -> None:
    length = max(source.size(1), target.size(1))
    if len(source) != len(target):
        raise Mismatch("`model` is called with source and target_prefix of different batch sizes")
    if len(source) * length**2 > MAX_SCORES:
        raise Mismatch("`model` is called with a batch that is too large")
    if (source == PAD).all(dim=1).any():
        raise Mismatch("`model` is called with a source in which a row has no symbol")
    if (target[:, 0] == PAD).any():
        raise Mismatch("`model` is called with a target_prefix in which a row begins with PAD")


def demand_arrays(*arguments: object) -> None:
    """Raise `Mismatch` unless these are (query, key, value, visible) as an attention takes them."""
    names = ("query", "key", "value", "visible")
    if len(arguments) != 4:
        raise Mismatch(f"`attention` takes {', '.join(names)}, not {len(arguments)} arguments")
    for name, array in zip(names, arguments, strict=True):
        if not isinstance(array, np.ndarray) or array.ndim != 4 or not array.size:
            raise Mismatch(f"`attention` is called with a {name} that is no 4-d NumPy array")
    query, key, value, visible = arguments
    assert isinstance(query, np.ndarray)
    assert isinstance(key, np.ndarray)
    assert isinstance(value, np.ndarray)
    assert isinstance(visible, np.ndarray)
    if visible.dtype != bool:
        raise Mismatch("`attention` is called with a `visible` that is not bool")
    fits = query.shape[:2] == key.shape[:2] == value.shape[:2] and key.shape[2] == value.shape[2]
    if not fits or query.shape[3] != key.shape[3]:
        raise Mismatch("`attention` is called with arrays whose shapes do not fit together")
    _demand_visible((*query.shape[:3], key.shape[2]), visible)


def _demand_visible(shape: tuple[int, ...], visible: NDArray[np.bool_]) -> None:
    if any(n not in (1, m) for n, m in zip(visible.shape, shape, strict=True)):
        raise Mismatch("`attention` is called with a `visible` that does not broadcast")
    if math.prod(shape) > MAX_SCORES:
        raise Mismatch("`attention` is called with arrays that are too large")
    if not visible.any(axis=-1).all():
        raise Mismatch("`attention` is called with a query that may attend to no key")


class _Noting:
    """A model that notes what it has answered: many tests ask the same."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._noted: dict[tuple[Any, ...], Tensor] = {}

    def __call__(self, source: Tensor, target: Tensor) -> Tensor:
        key = (source.shape, target.shape, source.numpy().tobytes(), target.numpy().tobytes())
        logits = self._noted.get(key)
        if logits is None:
            logits = self._model(source, target)
            if logits.numel() <= NOTED_LOGITS and len(self._noted) < NOTED_CALLS:
                self._noted[key] = logits
        return logits.clone()


def _model(make: Callable[[], Model]) -> Examined:
    """Make a model whose answers hang on nothing but its arguments."""
    return Examined(functools.cache(lambda: _Noting(make())), demand_ids)


def _fickle(make: Callable[[], Model]) -> Examined:
    """Make a model that answers otherwise from call to call."""
    return Examined(make, demand_ids)


def _attention(make: Callable[[], Attention]) -> Examined:
    return Examined(make, demand_arrays)


# Right models


def untrained(seed: int, heads: int = 2, head_width: int = 8, inner: int = 24) -> TinyTransformer:
    """Make a model with random weights; the global random state stays as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return TinyTransformer(12, heads * head_width, heads, inner).eval()


@functools.cache
def trained() -> TinyTransformer:
    """Train a small model to copy: often right, and sure of it.

    By Adam (arXiv:1412.6980), written out: the library's optimizers take seconds to be imported.
    """
    model, rate = untrained(seed=7), 1e-2
    sequences, _ = make_dataset()
    generator = torch.Generator().manual_seed(8)
    parameters = list(model.parameters())
    means, squares = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
    for step in range(1, 121):
        chosen = torch.randint(len(sequences), (32,), generator=generator).tolist()
        with torch.enable_grad():
            loss = training_loss(model, *make_batch([sequences[i] for i in chosen]))
        gradients = torch.autograd.grad(loss, parameters)
        for p, slope, mean, square in zip(parameters, gradients, means, squares, strict=True):
            mean.lerp_(slope, 0.1)
            square.lerp_(slope**2, 0.001)
            root = (square / (1 - 0.999**step)).sqrt() + 1e-8
            p.data -= rate * mean / (1 - 0.9**step) / root
    return model.requires_grad_(False)


class Otherwise(nn.Module):
    """A right model of another build: the layers of torch, normalised after each sublayer."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(12, 16)
        self.transformer = nn.Transformer(16, 2, 1, 1, 32, dropout=0.0, batch_first=True)
        self.readout = nn.Linear(16, 12)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return logits (B, T, 12)."""
        x, y = (self.embedding(ids) + positions(ids.size(1), 16) for ids in (source, target))
        causal = torch.ones(target.size(1), target.size(1), dtype=torch.bool).triu(1)
        hidden = source == PAD
        mixed = self.transformer(
            x, y, tgt_mask=causal, src_key_padding_mask=hidden, memory_key_padding_mask=hidden
        )
        logits: Tensor = self.readout(mixed)
        return logits


def otherwise(seed: int) -> Otherwise:
    """Make a right model of another build; it is in training mode, without dropout."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return Otherwise()


def noisy(model: Model, seed: int) -> Model:
    """Disturb each answer by up to 1e-5, each time otherwise: more than rounding does."""
    generator = torch.Generator().manual_seed(seed)

    def disturbed(source: Tensor, target: Tensor) -> Tensor:
        logits = model(source, target)
        return logits + 1e-5 * (2 * torch.rand(logits.shape, generator=generator) - 1)

    return disturbed


def magnified(model: TinyTransformer, factor: float) -> TinyTransformer:
    """Copy a model with larger weights: attention is sharper, logits are larger."""
    model = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(factor)
    return model


def right_models(seed: int) -> dict[str, Examined]:
    """Make models that have each of the three properties.

    Args:
        seed: of the weights of those that are not trained.

    Returns:
        By kind, as in "a right model: one that ...".
    """
    narrow, wide = untrained(seed, 1, 8, 16), untrained(seed + 1, 6, 4, 40)
    return {
        "is not trained": _model(lambda: narrow),
        "has other sizes": _model(lambda: wide),
        "is trained": _model(trained),
        "is trained longer, so that its logits are large": _model(
            lambda: magnified(trained(), 1.4)
        ),
        "is trained and rounds as another machine would": _fickle(lambda: noisy(trained(), seed)),
        "is not trained and rounds as another machine would": _fickle(lambda: noisy(wide, seed)),
        "is built otherwise": _model(lambda: otherwise(seed)),
        "copies by a rule, without rounding": _model(lambda: _by_rule),
        "does not look at the source": _model(lambda: _by_the_target_alone),
    }


def _by_rule(source: Tensor, target: Tensor) -> Tensor:
    """Say the source, whatever the target is, and EOS after it."""
    wanted = F.pad(source, (0, target.size(1)))[:, : target.size(1)]
    return F.one_hot(wanted.masked_fill(wanted == PAD, EOS), 12).float()


def _by_the_target_alone(_source: Tensor, target: Tensor) -> Tensor:
    """Say each token once more."""
    return F.one_hot(target, 12).float() + 2


def _by_length(source: Tensor, target: Tensor) -> Tensor:
    """Say it louder the more tokens a target has."""
    return _by_the_target_alone(source, target) * (1 + 0.02 * target.size(1))


# Faults of masks


def altered(model: TinyTransformer, where: str, change: Change) -> TinyTransformer:
    """Copy a model and change what one of its attentions may see.

    Args:
        model: a right one.
        where: the attention, as `get_submodule` names it.
        change: gets (B, H, n_q, n_k) bool, True where a query may attend to a key.
    """
    model = copy.deepcopy(model)
    attention = model.get_submodule(where)

    def see_otherwise(_: nn.Module, arguments: tuple[Tensor, Tensor, Tensor]) -> Any:
        x, memory, visible = arguments
        shape = (len(x), int(attention.heads), x.size(1), memory.size(1))  # type: ignore[arg-type]
        return x, memory, change(visible.expand(shape).clone())

    attention.register_forward_pre_hook(see_otherwise)
    return model


def everywhere(visible: Tensor) -> Tensor:
    """Let each query see all keys."""
    return torch.ones_like(visible)


def last_row_for_all(visible: Tensor) -> Tensor:
    """Let each query see what the last one may see."""
    return visible[:, :, -1:].expand_as(visible)


def one_wider(visible: Tensor) -> Tensor:
    """Let each query see one key more: the one after the last that it may see."""
    wider = visible.clone()
    wider[..., 1:] |= visible[..., :-1]
    return wider


def in_head(number: int, fault: Change) -> Change:
    """Confine a fault to one head."""

    def change(visible: Tensor) -> Tensor:
        visible[:, number] = fault(visible)[:, number]
        return visible

    return change


def in_later_heads(fault: Change) -> Change:
    """Confine a fault to all heads but the first."""

    def change(visible: Tensor) -> Tensor:
        visible[:, 1:] = fault(visible)[:, 1:]
        return visible

    return change


def in_half(second: bool, fault: Change) -> Change:
    """Confine a fault to the queries of the first or of the second half."""

    def change(visible: Tensor) -> Tensor:
        middle = (visible.size(2) + (not second)) // 2
        half = slice(middle, None) if second else slice(middle)
        visible[:, :, half] = fault(visible)[:, :, half]
        return visible

    return change


def in_row(number: int, fault: Change) -> Change:
    """Confine a fault to one row of a batch of several."""

    def change(visible: Tensor) -> Tensor:
        if len(visible) > 1:
            visible[number] = fault(visible)[number]
        return visible

    return change


def if_longer(length: int, fault: Change) -> Change:
    """Confine a fault to long sequences of keys."""
    return lambda visible: fault(visible) if visible.size(-1) > length else visible


def mask_of_the_first_row(visible: Tensor) -> Tensor:
    """Give all rows of the batch the mask of the first."""
    return visible[:1].expand_as(visible)


# Faults of what goes in or comes out


Answer = Callable[[TinyTransformer, Tensor, Tensor], Tensor]


def changed(model: TinyTransformer, answer: Answer) -> Examined:
    """Let a function of (model, source, target) answer in place of the model."""
    return _model(lambda: functools.partial(answer, model))


def next_token_read(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Read each target token one step early."""
    return model(source, target.roll(-1, 1))  # type: ignore[no-any-return]


def summary_of_the_target(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Add a little of the mean of all target tokens."""
    summary = F.one_hot(target, 12).float().mean(1, keepdim=True)
    return model(source, target) + 0.05 * summary  # type: ignore[no-any-return]


def normalised_over_positions(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Subtract a mean over positions."""
    logits: Tensor = model(source, target)
    return logits - 0.1 * logits.mean(1, keepdim=True)


def last_token_of_the_row_above(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Give each row a little of the last target token of another one."""
    last = F.one_hot(target[:, -1:], 12).float()
    return model(source, target) + 0.05 * last.roll(1, 0)  # type: ignore[no-any-return]


def counted_from_the_right(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Shift the positions of the source: the last column is number 0."""
    embedded: Tensor = model.embedding(source)
    places = positions(*embedded.shape[1:]).flip(0)
    visible = (source != PAD)[:, None, None]
    memory = model.encoder_norm(model.encoder(embedded + places, visible))
    return model.decode(target, memory, visible)


def mean_of_the_source(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Add a little of the mean of all columns of the source."""
    mean = F.one_hot(source, 12).float().mean(1, keepdim=True)
    return model(source, target) + 0.05 * mean  # type: ignore[no-any-return]


def last_column(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Add a little of the last column of the source."""
    return model(source, target) + 0.05 * F.one_hot(source[:, -1:], 12)  # type: ignore[no-any-return]


def scaled_by_width(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Scale the logits by the width of the source."""
    return model(source, target) * (1 + 0.02 * source.size(1))  # type: ignore[no-any-return]


def memories_mixed(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Let each row read a little of another row's source."""
    memory, visible = model.encode(source)
    return model.decode(target, memory + 0.1 * (memory.roll(1, 0) - memory), visible)


def logits_mixed(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Add a little of the mean over the batch."""
    logits: Tensor = model(source, target)
    return logits + 0.05 * logits.mean(0, keepdim=True)


def counted_from_the_end(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Number the positions of the target so that the last has always the same number."""
    model = copy.deepcopy(model)
    length = target.size(1)
    table = positions(MAX_LENGTH, model.embedding.embedding_dim)[MAX_LENGTH - length :]
    memory, visible = model.encode(source)
    model.embed = lambda ids: model.embedding(ids) + table  # type: ignore[method-assign]
    return model.decode(target, memory, visible)


def scaled_by_length(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Scale the logits by the length of the target."""
    return model(source, target) * (1 + 0.02 * target.size(1))  # type: ignore[no-any-return]


def last_position_differs(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Scale the logits of the last position."""
    logits: Tensor = model(source, target).clone()
    logits[:, -1] *= 1.05
    return logits


def lone_rows_differ(model: TinyTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Scale the logits of a batch of one."""
    return model(source, target) * (1.05 if len(source) == 1 else 1)  # type: ignore[no-any-return]


# Faults of plain functions, which take no time


def _trace_of_the_next_token(source: Tensor, target: Tensor) -> Tensor:
    """Add very little of the next token."""
    return _by_the_target_alone(source, target) + 0.003 * F.one_hot(target.roll(-1, 1), 12)


def _trace_of_padding(source: Tensor, target: Tensor) -> Tensor:
    """Add very little where a source has padding."""
    return _by_the_target_alone(source, target) + 0.003 * (source[:, -1:, None] == PAD)


def _trace_of_the_end(source: Tensor, target: Tensor) -> Tensor:
    """Add very little at the last position."""
    last = torch.arange(target.size(1)) == target.size(1) - 1
    return _by_the_target_alone(source, target) + 0.003 * last[:, None]


def _short_prefixes_differ(source: Tensor, target: Tensor) -> Tensor:
    """Scale the logits if there are one or two tokens."""
    return _by_the_target_alone(source, target) * (1.05 if target.size(1) <= 2 else 1)


def _ahead_if_longer(source: Tensor, target: Tensor) -> Tensor:
    """Add a little of all target tokens if there are more than four."""
    said = _by_the_target_alone(source, target)
    return said + 0.1 * said.sum(1, keepdim=True) if target.size(1) > 4 else said


# Faults between calls


Remembered = Callable[[TinyTransformer, Tensor, Tensor, Any], tuple[Tensor, Any]]


class Remembering:
    """Keeps state between calls: the answer also gets what the last call left, and returns both."""

    def __init__(self, model: TinyTransformer, answer: Remembered) -> None:
        self._model, self._answer = model, answer
        self._state: Any = None

    def __call__(self, source: Tensor, target: Tensor) -> Tensor:
        """Return logits (B, T, 12)."""
        logits, self._state = self._answer(self._model, source, target, self._state)
        return logits


def remembering(model: TinyTransformer, answer: Remembered) -> Examined:
    """Let a function of (model, source, target, state) answer in place of the model."""
    return _fickle(lambda: Remembering(model, answer))


def trace_of_the_last_call(
    model: TinyTransformer, source: Tensor, target: Tensor, state: Any
) -> tuple[Tensor, Any]:
    """Add a little of the last call's logits."""
    logits: Tensor = model(source, target)
    trace = logits.mean((0, 1))
    return (logits if state is None else logits + 0.1 * state), trace


def memory_of_the_last_call(
    model: TinyTransformer, source: Tensor, target: Tensor, state: Any
) -> tuple[Tensor, Any]:
    """Decode with the memory of the last call, where the shape allows it."""
    memory, visible = model.encode(source)
    stale = state is not None and state.shape == memory.shape
    return model.decode(target, state if stale else memory, visible), memory


def memory_by_shape(
    model: TinyTransformer, source: Tensor, target: Tensor, state: Any
) -> tuple[Tensor, Any]:
    """Keep the memory of the first source of each shape, for all that follow."""
    state = state or {}
    memory = state.setdefault(source.shape, model.encode(source))
    return model.decode(target, *memory), state


# Broken models, by property and by where their fault shows

Groups = dict[str, dict[str, Examined]]


def future_faults(model: TinyTransformer) -> Groups:
    """Break the property that no logits depend on later target tokens.

    Returns:
        Groups "everywhere", "in places", "between"; in each by kind, as in "a model that ...".
    """
    see = functools.partial(_seeing, model, "decoder.self_attention")
    return {
        "everywhere": {
            "sees the whole target": see(last_row_for_all),
            "sees one token ahead": see(one_wider),
            "reads each token a step early": changed(model, next_token_read),
            "mixes all positions a little": changed(model, normalised_over_positions),
        },
        "in places": {
            "looks ahead in its first head only": see(in_head(0, last_row_for_all)),
            "looks ahead in its last head only": see(in_head(-1, one_wider)),
            "looks ahead in the second half only": see(in_half(True, last_row_for_all)),
            "looks ahead in the first half only": see(in_half(False, last_row_for_all)),
            "looks ahead in one row of the batch only": see(in_row(-1, last_row_for_all)),
            "looks ahead only in targets longer than the lesson's": see(
                if_longer(4, last_row_for_all)
            ),
        },
        "between": {
            "takes a summary of the target to every position": changed(
                model, summary_of_the_target
            ),
            "lets the next token change logits by three thousandths": _model(
                lambda: _trace_of_the_next_token
            ),
            "lets one row see the target of another": changed(model, last_token_of_the_row_above),
            "is changed by the calls before": remembering(model, trace_of_the_last_call),
            "answers from the source of the call before": remembering(
                model, memory_of_the_last_call
            ),
        },
    }


def padding_faults(model: TinyTransformer) -> Groups:
    """Break the property that padding of the source makes no difference; see `future_faults`."""
    encoder = functools.partial(_seeing, model, "encoder.attention")
    cross = functools.partial(_seeing, model, "decoder.cross_attention")
    blind = altered(model, "encoder.attention", everywhere)
    return {
        "everywhere": {
            "reads all padding": _seeing(blind, "decoder.cross_attention", everywhere),
            "reads padding while it encodes": encoder(everywhere),
            "reads padding while it decodes": cross(everywhere),
            "reads one PAD too many": cross(one_wider),
            "numbers the source's positions from its end": changed(model, counted_from_the_right),
        },
        "in places": {
            "reads padding in one head only": encoder(in_head(0, everywhere)),
            "reads padding in another head only": cross(in_head(-1, everywhere)),
            "reads padding in the second half only": cross(in_half(True, everywhere)),
            "reads padding in one row of the batch only": encoder(in_row(1, everywhere)),
            "reads padding only in sources wider than the lesson's": cross(
                if_longer(3, everywhere)
            ),
        },
        "between": {
            "takes the mask of the first row for all rows": cross(mask_of_the_first_row),
            "averages over the width of the source": changed(model, mean_of_the_source),
            "hangs on the last column of the source": changed(model, last_column),
            "lets padding change logits by three thousandths": _model(lambda: _trace_of_padding),
            "scales with the width of the source": changed(model, scaled_by_width),
            "lets one row see the source of another": changed(model, memories_mixed),
            "keeps the first source of each shape": remembering(model, memory_by_shape),
            "is changed by the calls before": remembering(model, trace_of_the_last_call),
        },
    }


def prefix_faults(model: TinyTransformer) -> Groups:
    """Break the property that prefixes give what the full pass gives; see `future_faults`."""
    see = functools.partial(_seeing, model, "decoder.self_attention")
    return {
        "everywhere": {
            "sees the whole target": see(last_row_for_all),
            "sees one token ahead": see(one_wider),
            "numbers positions from the end of the prefix": changed(model, counted_from_the_end),
            "scales with the length of the prefix": changed(model, scaled_by_length),
        },
        "in places": {
            "looks ahead in one head only": see(in_head(-1, last_row_for_all)),
            "looks ahead in the second half only": see(in_half(True, last_row_for_all)),
            "looks ahead in the first half only": see(in_half(False, last_row_for_all)),
            "looks ahead in one row of the batch only": see(in_row(-1, last_row_for_all)),
            "treats the last position otherwise": changed(model, last_position_differs),
            "changes the logits of the last position by three thousandths": _model(
                lambda: _trace_of_the_end
            ),
            "looks ahead only in targets longer than the lesson's": _model(
                lambda: _ahead_if_longer
            ),
        },
        "between": {
            "treats a row that is alone otherwise": changed(model, lone_rows_differ),
            "treats prefixes of one or two tokens otherwise": _model(
                lambda: _short_prefixes_differ
            ),
            "lets one row see the source of another": changed(model, memories_mixed),
            "adds what other rows say": changed(model, logits_mixed),
            "keeps the first source of each shape": remembering(model, memory_by_shape),
            "is changed by the calls before": remembering(model, trace_of_the_last_call),
        },
    }


def _seeing(model: TinyTransformer, where: str, change: Change) -> Examined:
    return _model(lambda: altered(model, where, change))


# What a test is run on


Subjects = tuple[dict[str, Examined], Groups]


def subjects(prop: str, rng: torch.Generator) -> Subjects:
    """Return models by kind for the test of a property: right ones, and groups of broken ones.

    Args:
        prop: "future tokens", "source padding" or "prefixes".
        rng: decides the weights of models that are not trained, and which model is broken.
    """
    right, broken = _subjects(prop, int(torch.randint(1 << 20, (), generator=rng)))
    return _afresh(right), {group: _afresh(faults) for group, faults in broken.items()}


def _afresh(models: dict[str, Examined]) -> dict[str, Examined]:
    return {kind: model.afresh() for kind, model in models.items()}


@functools.lru_cache(maxsize=4)
def _subjects(prop: str, seed: int) -> Subjects:
    model = trained() if seed % 2 else untrained(seed)
    right = right_models(seed)
    if prop == "source padding":
        ahead = _seeing(model, "decoder.self_attention", last_row_for_all)
        return right | {"looks ahead in the target": ahead}, padding_faults(model)
    right["hangs on the length of the target"] = _model(lambda: _by_length)
    right["reads the padding of the source"] = _seeing(model, "encoder.attention", everywhere)
    faults = {"future tokens": future_faults, "prefixes": prefix_faults}
    return right, faults[prop](model)


# Attention


def _softmax(scores: Floats, axis: int = -1) -> Floats:
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights: Floats = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return weights


def _scores(query: Floats, key: Floats) -> Floats:
    scores: Floats = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    return scores


def single_precision(
    query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
) -> tuple[Tensor, Tensor]:
    """Attend in torch and float32."""
    scores = torch.as_tensor(_scores(query, key)).float()
    weights = scores.masked_fill(~torch.as_tensor(visible), -math.inf).softmax(-1)
    return weights @ torch.as_tensor(value).float(), weights


def all_or_nothing(
    query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Attend to the best visible key alone."""
    best = np.where(visible, _scores(query, key), -np.inf).argmax(axis=-1)
    weights = np.eye(key.shape[-2])[best]
    return weights @ value, weights


def rounding_otherwise() -> Attention:
    """Disturb each output by up to 5e-6, each time otherwise."""
    generator = np.random.default_rng(5)
    return after(
        lambda out, weights, *_: (out + 1e-5 * (generator.random(out.shape) - 0.5), weights)
    )


def with_scores(change: Callable[[Floats, NDArray[np.bool_]], Floats]) -> Attention:
    """Make an attention that hides keys by changing scores, given (scores, visible)."""

    def attention(
        query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        weights = _softmax(change(_scores(query, key), visible))
        return weights @ value, weights

    return attention


def seeing(change: Change) -> Attention:
    """Make an attention that is right, but for a mask that is changed first."""

    def attention(
        query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        shape = (*query.shape[:-1], key.shape[-2])
        wrong = change(torch.as_tensor(visible).expand(shape).clone()).numpy()
        return numpy_attention(query, key, value, wrong)

    return attention


def after(change: Callable[..., tuple[Any, Any]]) -> Attention:
    """Make an attention that changes a right answer, given (output, weights, *inputs)."""
    return lambda *inputs: change(*numpy_attention(*inputs), *inputs)


def hidden_only_in_the_weights(
    query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return right weights, and an output that was made with others."""
    output, _ = numpy_attention(query, key, value, np.ones_like(visible))
    return output, numpy_attention(query, key, value, visible)[1]


def not_renormalised(
    query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Hide after the softmax, and leave the rows as they are."""
    weights = _softmax(_scores(query, key)) * visible
    return weights @ value, weights


def normalised_over_queries(
    query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Let columns sum to 1 in place of rows."""
    weights = _softmax(np.where(visible, _scores(query, key), -1e9), axis=-2) * visible
    return weights @ value, weights


def keys_scaled_together(
    query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Scale the keys by the largest entry of them all, of hidden ones too."""
    scaled = key / np.abs(key).max(axis=-2, keepdims=True)
    return numpy_attention(query, scaled, value, visible)


def mask_kept() -> Attention:
    """Keep the first mask of each shape, for all that follow."""
    masks: dict[tuple[int, ...], NDArray[np.bool_]] = {}

    def attention(
        query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        return numpy_attention(query, key, value, masks.setdefault(visible.shape, visible))

    return attention


def output_kept() -> Attention:
    """Add a little of the output before, where the shape allows it."""
    last: list[Floats] = []

    def attention(
        query: Floats, key: Floats, value: Floats, visible: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        output, weights = numpy_attention(query, key, value, visible)
        before = [kept for kept in last if kept.shape == output.shape]
        last[:] = [output]
        return output + sum(0.1 * kept for kept in before), weights

    return attention


def right_attentions() -> dict[str, Examined]:
    """Make attentions that hide keys completely, by kind."""
    return {
        "is that of the homework": _attention(lambda: numpy_attention),
        "hides with a large negative number": _attention(
            lambda: with_scores(lambda scores, seen: np.where(seen, scores, -1e9))
        ),
        "subtracts a large number": _attention(
            lambda: with_scores(lambda scores, seen: scores - 1e9 * ~seen)
        ),
        "returns torch tensors in float32": _attention(lambda: single_precision),
        "scales otherwise": _attention(
            lambda: lambda query, *rest: numpy_attention(query / 3, *rest)
        ),
        "gives all weight to one visible key": _attention(lambda: all_or_nothing),
        "rounds as another machine would": _attention(rounding_otherwise),
    }


Makers = dict[str, Callable[[], Attention]]


def _faults_everywhere() -> Makers:
    return {
        "hides nothing": lambda: seeing(everywhere),
        "hides what should be seen": lambda: with_scores(
            lambda scores, seen: np.where(seen, -1e9, scores)
        ),
        "lets one key more be seen": lambda: seeing(one_wider),
        "hides too little": lambda: with_scores(lambda scores, seen: scores - 10.0 * ~seen),
        "hides almost all of a weight": lambda: with_scores(
            lambda scores, seen: scores - 200.0 * ~seen
        ),
    }


def _faults_in_places() -> Makers:
    return {
        "hides nothing in its first head": lambda: seeing(in_head(0, everywhere)),
        "lets one key more be seen in all heads but the first": lambda: seeing(
            in_later_heads(one_wider)
        ),
        "hides nothing in the second half": lambda: seeing(in_half(True, everywhere)),
        "hides nothing in one row of the batch": lambda: seeing(in_row(-1, everywhere)),
        "takes the mask of the first row for all rows": lambda: seeing(mask_of_the_first_row),
        "takes the mask of the last query for all": lambda: seeing(last_row_for_all),
    }


def _other_faults() -> Makers:
    return {
        "hides in the weights but not in the output": lambda: hidden_only_in_the_weights,
        "has rows that do not sum to 1": lambda: not_renormalised,
        "has rows that sum to .98": lambda: after(lambda out, weights, *_: (out, 0.98 * weights)),
        "normalises over the wrong axis": lambda: normalised_over_queries,
        "mixes in all values a little": lambda: after(
            lambda out, weights, _q, _k, value, _v: (
                out + 0.05 * value.mean(-2, keepdims=True),
                weights,
            )
        ),
        "lets hidden keys change the scale": lambda: keys_scaled_together,
        "has weights below 0": lambda: after(
            lambda out, weights, *inputs: (
                out,
                2 * weights - inputs[3] / inputs[3].sum(-1, keepdims=True),
            )
        ),
        "keeps the mask of an earlier call": mask_kept,
        "is changed by the calls before": output_kept,
    }


def attention_faults() -> Groups:
    """Break the property that a hidden key has no weight and no influence; see `future_faults`."""
    made = {
        "everywhere": _faults_everywhere(),
        "in places": _faults_in_places(),
        "between": _other_faults(),
    }
    return {
        group: {kind: _attention(make) for kind, make in faults.items()}
        for group, faults in made.items()
    }
