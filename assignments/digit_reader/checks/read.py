"""Cases of `read`.

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
name = "read"

# So many tokens each script is long: more than any limit.
STEPS = 14
# What the driver returns of a run.
Notes = namedtuple("Notes", "answer encoded calls modes recorded after gradients images")


@driver
def recitals(read, images, limits):
    """Let a model say what its images are, as if they were tokens, for several limits."""
    import torch
    from torch import nn

    class Recites(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(13, 1)

        def encode(self, images):
            return nn.functional.one_hot(images, 12).float()

        def decode(self, memory, tokens, want_weights=False):  # noqa: ARG002
            return memory[:, : tokens.size(1)] + 0 * self.embedding(tokens), None

        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

    with torch.enable_grad():
        return [read(Recites(), images.clone(), max_digits=limit) for limit in limits]


@driver
def scripted_model(pictures, script, logits, failure):
    """Make a model that says its script as long as it is given the tokens so far.

    It notes how it is called, also if it is copied, and fails in call number `failure` of `decode`,
    or, for 0, in that of `encode`. Returns the model and its notes.
    """
    import torch
    from torch import nn

    notes = encoded, calls, modes, gradients = [], [], [], []

    class Scripted(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.part = nn.Embedding(32, 1), nn.Dropout(0.5)

        def noted(self, result):
            modes.append([self.training, self.part.training])
            gradients.append(result.requires_grad)
            if len(calls) == failure:
                raise ArithmeticError("the model fails")
            return result

        def encode(self, images):
            encoded.append(images.detach().clone())
            row = (images[:, None] == pictures).flatten(2).all(-1).int().argmax(1)
            memory = row[:, None, None].float().expand(-1, 6, 4)
            return self.noted(memory + 0 * self.embedding.weight[0])

        def decode(self, memory, tokens, want_weights=False):  # noqa: ARG002
            row = memory[:, 0, 0].long()
            calls.append([row, tokens.detach().clone()])
            length = tokens.size(1)
            if length > script.size(1) or len(calls) > 100:
                raise RecursionError("the model is called without end")
            right = (tokens == script[row, :length]).cumprod(1).bool()
            said = logits[row, :length]
            said = torch.where(right[..., None], said, said.roll(1, -1))
            return self.noted(said + 0 * self.embedding(tokens)), None

        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

    return Scripted(), list(notes)


@driver
def readings(read, runs):
    """Read with scripted models; return for each what came of it and what the model noted."""
    import torch

    def run(script, mode, failure, settings):
        model, notes = scripted_model(*script, failure)
        model, images = model.train(mode), script[0].clone()
        try:
            answer = read(model, images, **settings)
        except RecursionError:
            answer = "endless"
        except Exception:
            if failure is None:
                raise
            answer = "raised"
        after = [model.training, model.part.training]
        gradients = [torch.is_grad_enabled(), model.embedding.weight.requires_grad]
        return [answer, *notes, after, gradients, images]

    found = []
    for arguments in runs:
        with torch.enable_grad():
            found.append(run(*arguments))
    return found


class Script(NamedTuple):
    """What a model shall say: images (B, 4, 6), tokens (B, STEPS), and logits (B, STEPS, 12).

    The tokens are START, the digits, END, and PADs. A length counts the digits; STEPS is a row that
    does not end.
    """

    images: torch.Tensor
    tokens: torch.Tensor
    logits: torch.Tensor
    lengths: list


class Run(NamedTuple):
    """A script with the arguments of `read`, the model's mode, and the call that fails."""

    script: Script
    settings: dict
    mode: bool = False
    failure: object = None

    @property
    def most(self):
        return self.settings.get("max_digits", 3)

    @property
    def steps(self):
        return min(self.most, max(self.script.lengths)) + 1

    @property
    def answer(self):
        answer = self.script.tokens[:, 1 : self.most + 2].clone()
        for row, length in enumerate(self.script.lengths):
            if length > self.most:
                answer[row, -1] = 12
        return answer

    def prefixes(self, step):
        """Return the tokens so far of each row that has not ended."""
        going = [row for row, length in enumerate(self.script.lengths) if length + 1 >= step]
        return {row: self.script.tokens[row, :step].tolist() for row in going}


def script(rng, lengths, after_end="END", level=0.0, starts=()):
    """Draw a script.

    Args:
        rng: draws it.
        lengths: of each row, without its END; None for a row that does not end.
        after_end: "END" for a model that says END again and again; or "more": digits, START, END.
        level: of the logits.
        starts: the places at which a row that is long enough says START, as if it were a digit.
    """
    rows, lengths = len(lengths), [STEPS if length is None else length for length in lengths]
    images = torch.rand(rows, 4, 6, generator=rng)
    said = torch.randint(10, (rows, STEPS), generator=rng)
    said[:, list(starts)] = 10
    tokens = torch.cat([torch.full((rows, 1), 10), said], 1)[:, :STEPS]
    for row, length in enumerate(lengths):
        if length < STEPS:
            said[row, length] = tokens[row, length + 1] = 11
            tokens[row, length + 2 :] = 12
            if after_end == "END":
                said[row, length + 1 :] = 11
            else:
                said[row, length + 2 :: 3], said[row, length + 3 :: 3] = 10, 11
    logits = torch.randn(rows, STEPS, 12, generator=rng) + level
    winner = logits.amax(-1, keepdim=True) + 0.5
    return Script(images, tokens, logits.scatter(-1, said[..., None], winner), lengths)


def compare_runs(read, runs, compare):
    """Compare what comes of each run with what should."""
    given = [(list(r.script[:3]), r.mode, r.failure, r.settings) for r in runs.values()]
    found = as_parts(readings(read, given), len(given))
    found = [Notes(*as_parts(each, len(Notes._fields))) for each in found]
    compare_each(runs, found, list(runs.values()), compare)


def assert_ended(found):
    if isinstance(found.answer, str) and found.answer == "endless":
        raise Mismatch("`decode` is called again and again: when does the loop end?")


def assert_answer(found, run):
    assert_ended(found)
    assert_tensor(found.answer, run.answer, atol=0.0)


def as_list(value):
    """Take what a model noted; beside a student's code anything may have happened to it."""
    return value if isinstance(value, list) else []


@test_case(points=1)
def recited(read):
    """A model that says what its image holds: [4, END], [4, 7, 9, END], and one without an END"""
    images = torch.tensor([[4, 11, 5, 5, 5], [4, 7, 9, 11, 11], [1, 2, 3, 4, 5]])
    found = recitals(read, images, [3, 2, 1, 4])
    expected = {
        "3 digits": [[4, 11, 12, 12], [4, 7, 9, 11], [1, 2, 3, 12]],
        "2 digits": [[4, 11, 12], [4, 7, 12], [1, 2, 12]],
        "1 digit": [[4, 11], [4, 12], [1, 12]],
        "4 digits": [[4, 11, 12, 12, 12], [4, 7, 9, 11, 12], [1, 2, 3, 4, 12]],
    }
    kinds = [f"at most {most}" for most in expected]
    right = [torch.tensor(rows) for rows in expected.values()]
    compare_each(kinds, as_parts(found, 4), right, assert_recited)


def assert_recited(answer, expected):
    assert_tensor(answer, expected, atol=0.0)
    assert_type(answer)


def assert_type(answer):
    """A list or an array holds the same tokens, but is no tensor."""
    if not isinstance(answer, torch.Tensor):
        raise Mismatch(f"the result is a {type(answer).__name__}, not a tensor")


@test_case(points=1, hidden=True)
def rows_of_all_lengths(read, rng):
    """Rows that end at different steps, and batches that end early: the width stays the same"""
    runs = {
        "one image": Run(script(rng, [3]), {}),
        "rows of one length": Run(script(rng, [3, 3, 3]), {}),
        "a first row that is the shortest": Run(script(rng, [1, 3, 2]), {}),
        "a first row that is the longest": Run(script(rng, [3, 1, 2, 1]), {}),
        "logits below 0": Run(script(rng, [2, 3, 1], level=-20.0), {}),
        "logits above 0": Run(script(rng, [3, 2, 1], level=20.0), {}),
        "a row that says END at once": Run(script(rng, [0, 3]), {}),
        "rows that all end early": Run(script(rng, [1, 2, 1]), {}),
        "one image that is read early": Run(script(rng, [1]), {}),
        "rows that all say END at once": Run(script(rng, [0, 0]), {}),
    }
    compare_runs(read, runs, assert_answer)


@test_case(points=1, hidden=True)
def rows_without_end(read, rng):
    """A row that never says END gets its digits and a PAD, whatever it says in the last step"""
    runs = {
        "one image": Run(script(rng, [None]), {}),
        "several": Run(script(rng, [None, None, None]), {}),
        "some rows of a batch": Run(script(rng, [3, None, 3, None, 3]), {}),
        "START in the last step": Run(script(rng, [None, 3], starts=[3]), {}),
        "END one step too late": Run(script(rng, [4, 3, 4]), {}),
        "one digit at most": Run(script(rng, [None, 1]), {"max_digits": 1}),
        "more digits": Run(script(rng, [6, None, 7]), {"max_digits": 6}),
    }
    compare_runs(read, runs, assert_answer)


@test_case(points=1, hidden=True)
def rows_that_have_ended(read, rng):
    """Whatever the model says in a row that has ended, END again and other tokens: it is ignored"""
    runs = {
        "rows that end": Run(script(rng, [1, 3, 2, 0], after_end="more"), {}),
        "more steps": Run(script(rng, [1, 5, 2, 7], after_end="more"), {"max_digits": 7}),
        "many steps": Run(script(rng, [0, 12, 3, 6], after_end="more"), {"max_digits": 12}),
    }
    compare_runs(read, runs, assert_answer)


@test_case(points=1, hidden=True)
def limits(read, rng):
    """Any max_digits: the default, one, and more than three, for rows with as many digits"""
    runs = {
        "the default": Run(script(rng, [3, 3, 3]), {}),
        "three": Run(script(rng, [3, 3]), {"max_digits": 3}),
        "two": Run(script(rng, [2, 2, 2]), {"max_digits": 2}),
        "one": Run(script(rng, [1, 1]), {"max_digits": 1}),
        "one for one image": Run(script(rng, [1]), {"max_digits": 1}),
        "five": Run(script(rng, [5, 5, 5, 5]), {"max_digits": 5}),
        "twelve": Run(script(rng, [12, 12]), {"max_digits": 12}),
    }
    compare_runs(read, runs, assert_answer)


@test_case(points=1, hidden=True)
def start_as_a_digit(read, rng):
    """No token is forbidden: where START is the likeliest, it stands in the row as a digit would"""
    runs = {
        "START inside a row": Run(script(rng, [3, 3, 3], starts=[1]), {}),
        "START first": Run(script(rng, [3, 3], starts=[0]), {}),
        "START as the last digit": Run(script(rng, [3, 3], starts=[2]), {}),
        "START alone": Run(script(rng, [3], starts=[0, 1, 2]), {}),
    }
    compare_runs(read, runs, assert_answer)


@test_case(points=1, hidden=True)
def calls_of_decode(read, rng):
    """`decode` is called once a step, with START and all tokens so far, until the last END"""
    runs = {
        "one image": Run(script(rng, [3]), {}),
        "rows of several lengths": Run(script(rng, [2, 3, 1]), {}),
        "rows without an END": Run(script(rng, [2, None]), {}),
        "more steps": Run(script(rng, [6, None, 2]), {"max_digits": 6}),
        "rows that all end early": Run(script(rng, [1, 2]), {}),
        "rows that all say END at once": Run(script(rng, [0, 0, 0]), {}),
    }
    compare_runs(read, runs, assert_calls)


def assert_calls(found, run):
    assert_ended(found)
    calls = as_list(found.calls)
    if len(calls) != run.steps:
        few = "fewer" if len(calls) < run.steps else "more"
        raise Mismatch(f"`decode` is called {few} times than there are steps")
    for step, call in enumerate(calls, 1):
        rows, prefixes = (as_tensor(part).tolist() for part in as_parts(call, 2))
        given = dict(zip(rows, prefixes))
        if any(given.get(row) != prefix for row, prefix in run.prefixes(step).items()):
            raise Mismatch("`decode` is called with other tokens than START and all those so far")


@test_case(points=1, hidden=True)
def calls_of_encode(read, rng):
    """`encode` is called once, with the images as they are, which stay so"""
    runs = {
        "one step": Run(script(rng, [0, 0]), {}),
        "several steps": Run(script(rng, [3, 1, 2]), {}),
        "rows without an END": Run(script(rng, [None, 3]), {"max_digits": 5}),
    }
    compare_runs(read, runs, assert_encoded)


def assert_encoded(found, run):
    assert_ended(found)
    encoded = as_list(found.encoded)
    if len(encoded) != 1:
        raise Mismatch(f"`encode` is called {len(encoded)} times, not once")
    assert_tensor(encoded[0], run.script.images, "what `encode` is given", atol=0.0)
    assert_tensor(found.images, run.script.images, "images after the call", atol=0.0)


@test_case(points=1, hidden=True)
def modes(read, rng):
    """The model is in evaluation mode meanwhile, and afterwards in the mode in which it was"""
    drawn = script(rng, [2, 3])
    runs = {
        "a model in training mode": Run(drawn, {}, mode=True),
        "a model in evaluation mode": Run(drawn, {}, mode=False),
    }
    compare_runs(read, runs, assert_modes)


def assert_modes(found, run):
    assert_ended(found)
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
def modes_after_errors(read, rng):
    """If the model raises an error, it gets its mode back, and the error comes through"""
    drawn = script(rng, [None, None])
    runs = {
        "an error in the first call of `decode`": Run(drawn, {}, mode=True, failure=1),
        "an error in a later one": Run(drawn, {}, mode=True, failure=3),
        "an error in `encode`": Run(drawn, {}, mode=True, failure=0),
        "a model in evaluation mode": Run(drawn, {}, mode=False, failure=2),
    }
    compare_runs(read, runs, assert_left_after_error)


def assert_left_after_error(found, run):
    if not isinstance(found.answer, str) or found.answer != "raised":
        raise Mismatch("an error of the model does not come through")
    assert_left(found, run)


@test_case(points=1, hidden=True)
def no_gradient(read, rng):
    """No gradient is recorded, neither by `encode` nor by `decode`; afterwards it is again"""
    runs = {"a batch": Run(script(rng, [2, 3]), {}, mode=True)}
    compare_runs(read, runs, assert_no_gradient)


def assert_no_gradient(found, run):
    assert_ended(found)
    if any(as_list(found.recorded)):
        raise Mismatch("the model's operations are recorded for a gradient")
    enabled, wanted = as_parts(found.gradients, 2)
    if enabled is not True:
        raise Mismatch("gradients are left switched off after the call")
    if wanted is not True:
        raise Mismatch("the model's weights are left without gradients after the call")


@test_case(points=1, hidden=True)
def int64(read, rng):
    """The tokens come as a tensor of int64"""
    compare_runs(read, {"a batch": Run(script(rng, [3, 3, 3]), {})}, assert_int64)


def assert_int64(found, run):
    """Compare the dtype of what holds the digits, wherever they stand."""
    assert_ended(found)
    tokens = as_tensor(found.answer)
    if not set(tokens.flatten().tolist()).issuperset(run.answer[:, :3].flatten().tolist()):
        raise Mismatch("the result does not hold the digits that were said")
    assert_type(found.answer)
    assert_tensor(tokens, tokens, dtype=torch.int64)
