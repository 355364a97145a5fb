"""Cases of `generate`.

The models are the grader's own: they follow a script as long as they are asked in the right way.
"""

from collections import namedtuple
from typing import NamedTuple

import torch

from autograder.checking import (
    Mismatch,
    as_parts,
    as_tensor,
    assert_tensor,
    compare_each,
    driver,
    test_case,
)

OK_FORMAT = False
name = "generate"

# So many tokens each script is long: more than any limit.
STEPS = 14
# What the driver returns of a run.
Notes = namedtuple("Notes", "answer encoded calls modes recorded after gradients source")


@driver
def echoes(generate, source, limits):
    """Let a model repeat each source, whatever it means, for several limits."""
    from torch import nn

    class Echo(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(12, 1)

        def encode(self, source):
            return nn.functional.one_hot(source, 12).float(), source != 0

        def decode(self, target_prefix, memory, source_visible):
            said = (memory * source_visible[..., None])[:, : target_prefix.size(1)]
            return said + 0 * self.embedding(target_prefix)

        def forward(self, source, target_prefix):
            return self.decode(target_prefix, *self.encode(source))

    return [generate(Echo(), source.clone(), max_new_tokens=limit) for limit in limits]


@driver
def scripted_model(sources, tokens, logits, failure):
    """Make a model that says its script as long as it is given the tokens so far.

    It notes how it is called, also if it is copied, and fails in call number `failure` of `decode`,
    or, for 0, in that of `encode`. Returns the model and its notes.
    """
    import torch
    from torch import nn

    notes = encoded, calls, modes, gradients = [], [], [], []
    no_weights, wrong = torch.zeros(32, 1), logits.roll(1, -1)

    class Scripted(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding.from_pretrained(no_weights.clone(), freeze=False)
            self.part = nn.Dropout(0.5)

        def noted(self, result):
            modes.append([self.training, self.part.training])
            gradients.append(result.requires_grad)
            if len(calls) == failure:
                raise ArithmeticError("the model fails")
            return result

        def encode(self, source):
            encoded.append(source.detach().clone())
            row = (source[:, :1] == sources[:, 0]).int().argmax(-1, keepdim=True)
            visible = source != 0
            memory = torch.where(visible, row, 99)[..., None]
            return self.noted(memory + self.embedding(source)), visible[:, None, None]

        def decode(self, target_prefix, memory, source_visible):
            row = (memory[..., 0] * source_visible[:, 0, 0]).amax(-1).long() % len(sources)
            calls.append([row, target_prefix.detach().clone()])
            length = target_prefix.size(1)
            if length > tokens.size(1) or len(calls) > 100:
                raise RecursionError("the model is called without end")
            right = (target_prefix == tokens[row, :length]).cumprod(1).bool()[..., None]
            said = torch.where(right, logits[row, :length], wrong[row, :length])
            return self.noted(said + self.embedding(target_prefix))

        def forward(self, source, target_prefix):
            return self.decode(target_prefix, *self.encode(source))

    return Scripted(), list(notes)


@driver
def comes_from_model(error):
    """Tell whether an error is the model's, or was raised while that was handled."""
    while error is not None and type(error) is not ArithmeticError:
        error = error.__context__
    return error is not None


@driver
def generations(generate, runs):
    """Generate with scripted models; return for each what came of it and what the model noted."""
    import torch

    def run(script, mode, failure, settings):
        model, notes = scripted_model(*script, failure)
        model, source = model.train(mode), script[0].clone()
        try:
            answer = generate(model, source, **settings)
        except RecursionError:
            answer = "endless"
        except Exception as error:
            if not comes_from_model(error):
                raise
            answer = "raised"
        after = [model.training, model.part.training]
        gradients = [torch.is_grad_enabled(), model.embedding.weight.requires_grad]
        return [answer, *notes, after, gradients, source]

    found = []
    for arguments in runs:
        with torch.enable_grad():
            found.append(run(*arguments))
    return found


class Script(NamedTuple):
    """What a model shall say: sources (B, 4), tokens (B, STEPS), and logits (B, STEPS, 9).

    The tokens are BOS, those of the answer, and PADs. A length counts EOS; STEPS is a row that does
    not end.
    """

    source: torch.Tensor
    tokens: torch.Tensor
    logits: torch.Tensor
    lengths: list


class Run(NamedTuple):
    """A script with the arguments of `generate`, the model's mode, and the call that fails."""

    script: Script
    settings: dict
    mode: bool = False
    failure: object = None

    @property
    def steps(self):
        return min(self.settings.get("max_new_tokens", 4), max(self.script.lengths))

    @property
    def answer(self):
        return self.script.tokens[:, 1 : self.steps + 1]

    def prefixes(self, step):
        """Return the tokens so far of each row that has not ended."""
        going = [row for row, length in enumerate(self.script.lengths) if length >= step]
        return {row: self.script.tokens[row, :step].tolist() for row in going}


def script(rng, lengths, after_end="pad", level=0.0, inside=None, bos=1, eos=2, pad=0):
    """Draw a script.

    Args:
        rng: draws it.
        lengths: of each row, with its EOS; None for a row that does not end.
        after_end: "pad" for a model that says PAD after EOS; or "more", other tokens and EOS again.
        level: of the logits.
        inside: a token that each row says second, if it is long enough.
        bos, eos, pad: the ids.
    """
    rows, lengths = len(lengths), [length or STEPS for length in lengths]
    source = torch.randint(4, 12, (rows, 4), generator=rng)
    source[:, 0] = 4 + torch.randperm(8, generator=rng)[:rows]
    source[torch.arange(4) > torch.arange(rows)[:, None] % 4] = 0
    ordinary = torch.tensor([token for token in range(9) if token not in (bos, eos, pad)])
    said = ordinary[torch.randint(len(ordinary), (rows, STEPS), generator=rng)]
    tokens = torch.cat([torch.full((rows, 1), bos), said], 1)[:, :STEPS]
    for row, length in enumerate(lengths):
        if inside is not None and length > 2:
            said[row, 1] = tokens[row, 2] = inside
        if length < STEPS:
            said[row, length - 1] = tokens[row, length] = eos
            tokens[row, length + 1 :] = pad
            if after_end == "pad":
                said[row, length:] = pad
            else:
                said[row, length + 1 :: 3] = eos
    logits = torch.randn(rows, STEPS, 9, generator=rng) + level
    winner = logits.amax(-1, keepdim=True) + 0.5
    return Script(source, tokens, logits.scatter(-1, said[..., None], winner), lengths)


def compare_runs(generate, runs, compare):
    """Compare what comes of each run with what should."""
    given = [(list(r.script[:3]), r.mode, r.failure, r.settings) for r in runs.values()]
    found = as_parts(generations(generate, given), len(given))
    found = [Notes(*as_parts(each, len(Notes._fields))) for each in found]
    compare_each(runs, found, list(runs.values()), compare)


def assert_ended(found):
    if isinstance(found.answer, str) and found.answer == "endless":
        raise Mismatch("`decode` is called again and again: when does the loop end?")


def assert_called(found):
    assert_ended(found)
    if not found.encoded or not found.calls:
        raise Mismatch("`encode` and `decode` are not both called")


def assert_answer(found, run):
    assert_ended(found)
    assert_tensor(found.answer, run.answer, atol=0.0)


def as_list(value):
    """Take what a model noted; beside a student's code anything may have happened to it."""
    return value if isinstance(value, list) else []


@test_case(points=1)
def echo(generate):
    """A model that repeats its source: [5, 6, EOS] and [7, EOS, PAD], or as much as is allowed"""
    source = torch.tensor([[5, 6, 2, 9, 9, 9], [7, 2, 8, 8, 8, 8]])
    found = echoes(generate, source, [5, 3, 2, 1])
    expected = {
        "a limit of 5": [[5, 6, 2], [7, 2, 0]],
        "a limit of 3": [[5, 6, 2], [7, 2, 0]],
        "a limit of 2": [[5, 6], [7, 2]],
        "a limit of 1": [[5], [7]],
    }
    right = [torch.tensor(rows) for rows in expected.values()]
    compare_each(expected, as_parts(found, 4), right, assert_echo)


def assert_echo(answer, expected):
    assert_tensor(answer, expected, atol=0.0)
    assert_type(answer)


def assert_type(answer):
    """A list or an array holds the same tokens, but is no tensor."""
    if not isinstance(answer, torch.Tensor):
        raise Mismatch(f"the result is a {type(answer).__name__}, not a tensor")


@test_case(points=2, hidden=True)
def rows_of_all_lengths(generate, rng):
    """Rows that end at different steps: PAD after EOS, as wide as the longest row"""
    limit = {"max_new_tokens": 8}
    runs = {
        "one sentence": Run(script(rng, [4]), limit),
        "rows of one length": Run(script(rng, [3, 3, 3]), limit),
        "a first row that is the shortest": Run(script(rng, [2, 5, 3]), limit),
        "a first row that is the longest": Run(script(rng, [6, 2, 4, 1]), limit),
        "rows that are EOS alone": Run(script(rng, [1, 1]), limit),
        "rows that do not end": Run(script(rng, [3, None, 5, None]), limit),
        "logits below 0": Run(script(rng, [3, 5, 4], level=-20.0), limit),
        "logits above 0": Run(script(rng, [5, 3, 4], level=20.0), limit),
    }
    compare_runs(generate, runs, assert_answer)


@test_case(points=1, hidden=True)
def finished_rows(generate, rng):
    """Whatever the model says in a row that has ended, EOS again and other tokens: it is ignored"""
    limit = {"max_new_tokens": 7}
    runs = {
        "rows that end": Run(script(rng, [2, 7, 5], after_end="more"), limit),
        "a row that does not end": Run(script(rng, [None, 1, 4], after_end="more"), limit),
    }
    compare_runs(generate, runs, assert_answer)


@test_case(points=1, hidden=True)
def limits(generate, rng):
    """At most max_new_tokens new tokens, EOS counted: none, one, and just enough for EOS"""
    endless = script(rng, [None, None, None])
    runs = {
        "no new token": Run(endless, {"max_new_tokens": 0}),
        "one": Run(endless, {"max_new_tokens": 1}),
        "five": Run(endless, {"max_new_tokens": 5}),
        "the default": Run(endless, {}),
        "just enough for EOS": Run(script(rng, [3, 2]), {"max_new_tokens": 3}),
        "EOS right after the limit": Run(script(rng, [4, 2]), {"max_new_tokens": 3}),
    }
    compare_runs(generate, runs, assert_answer)


@test_case(points=1, hidden=True)
def special_ids(generate, rng):
    """Any ids may be BOS, EOS and PAD, 0 too; BOS and PAD may be said inside a row"""
    every = {
        "other ids": {"bos": 7, "eos": 5, "pad": 8},
        "EOS 0": {"bos": 3, "eos": 0, "pad": 4},
        "BOS inside": {"bos": 6, "eos": 4, "pad": 1, "inside": 6},
        "PAD inside": {"bos": 1, "eos": 2, "pad": 0, "inside": 0},
        "BOS and PAD alike": {"bos": 0, "eos": 6, "pad": 0},
        "BOS and EOS alike": {"bos": 2, "eos": 2, "pad": 0},
        "EOS and PAD alike": {"bos": 1, "eos": 2, "pad": 2},
    }
    pads = script(rng, [None, None], inside=0)
    runs = {"PAD at the end of all rows": Run(pads, {"max_new_tokens": 2})}
    for kind, ids in every.items():
        settings = {key: token for key, token in ids.items() if key != "inside"}
        drawn = script(rng, [4, 2, 6] if kind == "EOS 0" else [4, 2, None], **ids)
        runs[kind] = Run(drawn, {"max_new_tokens": 7, **settings})
    compare_runs(generate, runs, assert_answer)


@test_case(points=1, hidden=True)
def calls_of_decode(generate, rng):
    """`decode` is called once a step, with BOS and all tokens so far, and not after the last EOS"""
    runs = {
        "one sentence": Run(script(rng, [4]), {"max_new_tokens": 8}),
        "rows of several lengths": Run(script(rng, [3, 5, 1]), {"max_new_tokens": 8}),
        "rows that do not end": Run(script(rng, [2, None]), {"max_new_tokens": 6}),
        "EOS at the limit": Run(script(rng, [3, 2]), {"max_new_tokens": 3}),
        "no new token": Run(script(rng, [3, 2]), {"max_new_tokens": 0}),
    }
    compare_runs(generate, runs, assert_calls)


def assert_calls(found, run):
    assert_ended(found)
    calls = as_list(found.calls)
    for step, call in enumerate(calls[: run.steps], 1):
        rows, prefixes = (as_tensor(part).tolist() for part in as_parts(call, 2))
        given, wanted = dict(zip(rows, prefixes)), run.prefixes(step)
        if wanted.keys() - given.keys():
            raise Mismatch("`decode` is not given all rows at once")
        if any(given[row] != prefix for row, prefix in wanted.items()):
            raise Mismatch("`decode` is called with other tokens than BOS and all those so far")
    if len(calls) != run.steps:
        few = "fewer" if len(calls) < run.steps else "more"
        raise Mismatch(f"`decode` is called {few} times than there are steps")


@test_case(points=1, hidden=True)
def calls_of_encode(generate, rng):
    """`encode` is called once, with the source as it is, which stays so"""
    runs = {
        "one step": Run(script(rng, [1, 1]), {"max_new_tokens": 4}),
        "several steps": Run(script(rng, [4, 2, 5]), {"max_new_tokens": 8}),
        "rows that do not end": Run(script(rng, [None, 3]), {"max_new_tokens": 5}),
    }
    compare_runs(generate, runs, assert_encoded)


def assert_encoded(found, run):
    assert_ended(found)
    encoded = as_list(found.encoded)
    if len(encoded) != 1:
        raise Mismatch(f"`encode` is called {len(encoded)} times, not once")
    assert_tensor(encoded[0], run.script.source, "what `encode` is given", atol=0.0)
    assert_tensor(found.source, run.script.source, "source after the call", atol=0.0)


@test_case(points=1, hidden=True)
def modes(generate, rng):
    """The model is in evaluation mode meanwhile, and afterwards in the mode in which it was"""
    drawn, limit = script(rng, [2, 4]), {"max_new_tokens": 6}
    runs = {
        "a model in training mode": Run(drawn, limit, mode=True),
        "a model in evaluation mode": Run(drawn, limit, mode=False),
    }
    compare_runs(generate, runs, assert_modes)


def assert_modes(found, run):
    assert_called(found)
    for mode in as_list(found.modes):
        model, part = as_parts(mode, 2)
        if model or part:
            which = "the model" if model else "a part of the model"
            raise Mismatch(f"{which} is in training mode when the model is called")
    assert_left(found, run)


def assert_left(found, run):
    model, part = as_parts(found.after, 2)
    was, other = ("training", "evaluation") if run.mode else ("evaluation", "training")
    if model is not run.mode:
        raise Mismatch(f"the model was in {was} mode and is left in {other} mode")
    if part is not run.mode:
        raise Mismatch(f"the model was in {was} mode and a part of it is left in {other} mode")


@test_case(points=1, hidden=True)
def modes_after_errors(generate, rng):
    """If the model raises an error, it gets its mode back, and the error comes through"""
    drawn, limit = script(rng, [None, None]), {"max_new_tokens": 5}
    runs = {
        "an error in the first call of `decode`": Run(drawn, limit, mode=True, failure=1),
        "an error in a later one": Run(drawn, limit, mode=True, failure=2),
        "an error in `encode`": Run(drawn, limit, mode=True, failure=0),
        "a model in evaluation mode": Run(drawn, limit, mode=False, failure=2),
    }
    compare_runs(generate, runs, assert_left_after_error)


def assert_left_after_error(found, run):
    if not isinstance(found.answer, str) or found.answer != "raised":
        raise Mismatch("an error of the model does not come through")
    assert_left(found, run)


@test_case(points=1, hidden=True)
def no_gradient(generate, rng):
    """No gradient is recorded, neither by `encode` nor by `decode`; afterwards it is again"""
    runs = {"a batch": Run(script(rng, [2, 4]), {"max_new_tokens": 6}, mode=True)}
    compare_runs(generate, runs, assert_no_gradient)


def assert_no_gradient(found, run):
    assert_called(found)
    if any(as_list(found.recorded)):
        raise Mismatch("the model's operations are recorded for a gradient")
    enabled, wanted = as_parts(found.gradients, 2)
    if enabled is not True:
        raise Mismatch("gradients are left switched off after the call")
    if wanted is not True:
        raise Mismatch("the model's weights are left without gradients after the call")


@test_case(points=1, hidden=True)
def int64(generate, rng):
    """The tokens come as a tensor of int64, also where there is no new one"""
    drawn = script(rng, [None, None])
    runs = {
        "a batch": Run(drawn, {"max_new_tokens": 3}),
        "no new token": Run(drawn, {"max_new_tokens": 0}),
    }
    compare_runs(generate, runs, assert_int64)


def assert_int64(found, run):
    assert_answer(found, run)
    assert_type(found.answer)
    assert_tensor(found.answer, run.answer, atol=0.0, dtype=torch.int64)
