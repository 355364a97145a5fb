"""Cases of `train_reader`.

One of them trains a reader, as long as that takes. The others look at an epoch or two of models
that cost hardly anything.
"""

import functools
import math

import torch

from autograder.checking import (
    Mismatch,
    as_parts,
    as_tensor,
    as_tokens,
    assert_number,
    assert_shape,
    compare_each,
    driver,
    test_case,
)
from autograder.homework import ROOT
from solutions import digit_reader as reference

OK_FORMAT = False
name = "train_reader"

END, PAD = 11, 12
# So many composites are read, and so many of them at least are to be read exactly: 80 %, where a
# right recipe reads 87 to 96 % of them, as the digits happen to be split.
READ, ENOUGH = 600, 480
GUESSING = (
    "that is guessing: is the model itself trained, are gradients cleared in each step, and does "
    "each image get its own number?"
)


@driver
def model_of_known_loss():
    """Make a model that learns nothing and whose loss is known, whatever it is fed.

    To START, which is never right, it gives a logit that makes the loss ln 12 and ln 48 by turns,
    and ln 2 more after each epoch: so the means are ln 24, ln 48, ln 96 ... It notes how it is
    called for a step: its modes, and how many digits there are in each row of tokens.
    """
    import math

    import torch
    from torch import nn

    class KnownLoss(nn.Module):
        def __init__(self):
            super().__init__()
            self.nothing = nn.Parameter(torch.zeros(1))
            self.epochs, self.modes, self.digits = 0, [], []

        def forward(self, images, tokens):
            logits = torch.zeros(*tokens.shape, 12)
            total = 12 * 4 ** (len(self.modes) % 2) * 2**self.epochs
            logits[..., 10] = math.log(total - 11)
            if torch.is_grad_enabled():
                self.modes.append(self.training)
                self.digits += (tokens < 10).sum(1).tolist()
            return logits + 0 * self.nothing + 0 * images.sum()

    return KnownLoss()


@driver
def short_training(train_reader, settings):
    """Train a model of known loss with digits that are made up; return what it noted, too."""
    import torch

    model = model_of_known_loss().eval()

    def after_epoch():
        model.epochs += 1
        model.eval()

    digits = torch.eye(64)[:10].view(10, 8, 8)
    settings = {**settings, "after_epoch": after_epoch}
    losses = train_reader(model, digits, torch.arange(10), **settings)
    return [losses, model.epochs, model.modes, sorted(set(model.digits))]


@test_case(points=1)
def losses(train_reader):
    """A model of known loss: the means of two epochs are ln 24, ln 48; `after_epoch` is called"""
    found, calls, _, _ = as_parts(short_training(train_reader, {"epochs": 2}), 4)
    if not isinstance(found, (list, tuple)):
        raise Mismatch(f"the losses are a {type(found).__name__}, not a list")
    if len(found) != 2:
        raise Mismatch(f"there are {len(found)} losses after 2 epochs")
    for loss, right, which in zip(found, (24, 48), ("first", "second")):
        if not isinstance(loss, float):
            raise Mismatch(f"a loss is a {type(loss).__name__}, not a float")
        assert_number(loss, math.log(right), f"the mean loss of the {which} epoch", atol=0.1)
    if calls != 2:
        raise Mismatch(f"`after_epoch` is called {calls} times in 2 epochs")


@driver
def small_reader():
    """Make a reader out of torch's own layers: two of each kind, 32 wide, for patches of 4 x 4."""
    import torch
    from torch import nn

    def layers(kind):
        return nn.ModuleList([kind(32, 2, 128, 0.0, "gelu", batch_first=True) for _ in range(2)])

    class SmallReader(nn.Module):
        def __init__(self):
            super().__init__()
            self.project = nn.Conv2d(1, 32, 4, stride=4)
            self.image_positions = nn.Parameter(0.02 * torch.randn(1, 12, 32))
            self.encoder = layers(nn.TransformerEncoderLayer)
            self.embedding = nn.Embedding(13, 32)
            self.token_positions = nn.Parameter(0.02 * torch.randn(1, 4, 32))
            self.decoder = layers(nn.TransformerDecoderLayer)
            self.readout = nn.Linear(32, 12)

        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

        def encode(self, images):
            memory = self.project(images[:, None]).flatten(2).mT + self.image_positions
            for layer in self.encoder:
                memory = layer(memory)
            return memory

        def decode(self, memory, tokens, want_weights=False):  # noqa: ARG002
            x = self.embedding(tokens) + self.token_positions[:, : tokens.size(1)]
            mask = nn.Transformer.generate_square_subsequent_mask(tokens.size(1))
            for layer in self.decoder:
                x = layer(x, memory, tgt_mask=mask)
            return self.readout(x), None

    return SmallReader()


@driver
def said_by(model, images, steps):
    """Return the likeliest tokens of so many steps, whether END is among them or not."""
    import torch

    was_training = model.training
    model.eval()
    with torch.no_grad():
        memory, tokens = model.encode(images), torch.full((len(images), 1), 10)
        for _ in range(steps):
            scores = model.decode(memory, tokens)[0][:, -1]
            tokens = torch.cat([tokens, scores.argmax(-1, keepdim=True)], 1)
    model.train(was_training)
    return tokens[:, 1:]


@driver
def trained_reader(train_reader, digits, seed, read_rows, share_of_rows):
    """Train a small reader; what reads is the grader's own meanwhile, if the student calls it."""
    import inspect

    import torch

    def read(model, images, max_digits=3):
        return read_rows(said_by(model, images, max_digits + 1))

    def exact_sequence(model, images, targets):
        return share_of_rows(said_by(model, images, targets.size(1) + 1), targets)

    torch.default_generator.manual_seed(seed)
    model = small_reader()
    scope = getattr(inspect.unwrap(train_reader), "__globals__", {})
    others = {"read": read, "exact_sequence": exact_sequence}
    before = {name: scope[name] for name in others if name in scope}
    scope.update({name: others[name] for name in before})
    try:
        train_reader(model, *digits, seed=seed)
    finally:
        scope.update(before)
    return model


@driver
def readings(train_reader, digits, seed, read_rows, share_of_rows, wide, shown):
    """Train a reader; return what it says to images, and what after tokens that it is shown."""
    import torch

    model = trained_reader(train_reader, digits, seed, read_rows, share_of_rows).eval()
    with torch.no_grad():
        after = model(wide[: len(shown)], shown).argmax(-1)
    return [said_by(model, wide, 4), after]


def careful(function):
    """Mark a function that looks for itself whether its arguments are modest."""
    function.is_careful = True
    return function


@careful
def compose_modestly(images, labels, count, seed, lengths=(1, 2, 3)):
    """Compose, unless somebody asks for more than fits."""
    if max(count, count * max(lengths) * images[0].numel() / 128) > 1 << 18:
        raise Mismatch("`compose` was asked for more composites than there is room for")
    return reference.compose(images, labels, count, seed, lengths)


@careful
def read_rows(said):
    """Return what `read` makes of tokens that a model says in max_digits + 1 steps."""
    if said.numel() > 1 << 20:
        raise Mismatch("`read` was asked for more images than there is room for")
    ends = said == END
    rows = said.masked_fill(ends.cumsum(1) - ends.long() > 0, PAD)
    rows[:, -1] = rows[:, -1].masked_fill(~ends.any(1), PAD)
    return rows


@careful
def share_of_rows(said, targets):
    """Return what `exact_sequence` makes of the same."""
    _, wanted = reference.decoder_tensors(targets)
    return (read_rows(said) == wanted).all(1).float().mean().item()


RIGHT = {"compose": compose_modestly, "decoder_tensors": reference.decoder_tensors}


@functools.cache
def all_digits():
    return reference.load_digits(ROOT / "assignments" / "digit_reader" / "data" / "digits.csv")


@test_case(points=4, hidden=True)
def new_numbers(train_reader, rng):
    """After training with most of the digits, numbers made of the others are read, END included"""
    images, labels = all_digits()
    order = torch.randperm(len(images), generator=rng).tensor_split([len(images) * 8 // 10])
    seeds = torch.randint(1 << 20, (2,), generator=rng).tolist()
    digits, kept = ([images[some], labels[some]] for some in order)
    wide, targets = reference.compose(*kept, READ, seeds[0])
    shown = torch.randint(10, (100, 4), generator=rng)
    shown[:, 0] = 10
    found = readings(train_reader, digits, seeds[1], read_rows, share_of_rows, wide, shown)
    said, after = as_parts(found, 2)
    assert_no_copying(as_tensor(after), shown)
    assert_read(as_tensor(said), targets)


def assert_no_copying(after, shown):
    """Tell a model that has learned to repeat what it is fed, which only looks like a low loss."""
    assert_shape(after, shown.shape, "what the model says")
    if (after[:, 1:] == shown[:, 1:]).float().mean() > 0.9:
        what = "the model repeats the token that it is fed, instead of saying the next one"
        raise Mismatch(f"{what}: what is it fed at each position, and what must it say there?")


def assert_read(said, targets):
    """Demand that enough is read exactly, or say what is missing."""
    assert_shape(said, (len(targets), 4), "what the model says")
    _, wanted = reference.decoder_tensors(targets)
    exact = (read_rows(said) == wanted).all(1)
    count = int(exact.sum())
    if count < ENOUGH:
        found = f"{count} of {READ} new numbers are read exactly, where {ENOUGH} still pass"
        raise Mismatch(f"{found}: {first_of_reasons(said, targets, exact)}")


def first_of_reasons(said, targets, exact):
    """Say what numbers that are not read exactly have in common."""
    names = {1: "one digit", 2: "two digits", 3: "three digits"}
    lengths = (targets != PAD).sum(1)
    by_length = {n: exact[lengths == n].float().mean().item() for n in names}
    good = [names[n] for n, share in by_length.items() if share > 0.75]
    bad = [names[n] for n, share in by_length.items() if share < 0.4]
    if good and bad:
        which = f"right for numbers of {' and '.join(good)}, wrong for {' and '.join(bad)}"
        return f"{which}: does it learn from numbers of all lengths?"
    digits = ((said[:, :3] == targets) | (targets == PAD)).all(1)
    if digits.float().mean() > 0.75 and (said == END).any(1).float().mean() < 0.1:
        return "the digits are right, but END is never said: does the model learn to say it?"
    if digits.float().mean() > 0.75:
        return "the digits are right, but END is not in its place: is it a target like the digits?"
    if (said[:, 0] == targets[:, 0]).float().mean() < 0.3:
        return GUESSING
    shares = ", ".join(f"{share:.0%} of {names[n]}" for n, share in by_length.items())
    return f"{shares}. Is it trained for long enough, at a good rate?"


@test_case(points=1, hidden=True)
def lengths(train_reader):
    """The numbers to learn from have the lengths that are asked for"""
    kinds = {"one to three": [1, 2, 3], "two alone": [2], "one and three": [3, 1]}
    found = [
        short_training(train_reader, {"epochs": 1, "lengths": each}) for each in kinds.values()
    ]
    digits = [as_parts(each, 4)[3] for each in found]
    compare_each(kinds, digits, list(map(sorted, kinds.values())), assert_lengths)


def assert_lengths(found, expected):
    if as_tokens(found, "the lengths") != expected:
        raise Mismatch("the model is fed numbers of other lengths than those asked for")


@test_case(points=1, hidden=True)
def training_mode(train_reader):
    """The model is in training mode for each step, whatever mode it is in before and in between"""
    _, _, modes, _ = as_parts(short_training(train_reader, {"epochs": 2}), 4)
    modes = as_parts(modes, len(modes) if isinstance(modes, list) else 0)
    if not modes:
        raise Mismatch("the model is never called for a step")
    if not modes[0]:
        raise Mismatch("the model is in evaluation mode for a step, as it was before training")
    if not all(modes):
        raise Mismatch("the model is in evaluation mode for a step, after an epoch has ended")


@driver
def seeded_training(train_reader, seed, others):
    """Seed three generators; train a tiny model; return its weights, and what they draw next."""
    import random

    import numpy as np
    import torch
    from torch import nn

    class Tiny(nn.Module):
        def __init__(self):
            super().__init__()
            self.before, self.image = nn.Embedding(13, 12), nn.Linear(192, 12)
            for parameter in self.parameters():
                nn.init.zeros_(parameter)

        def forward(self, images, tokens):
            return self.before(tokens) + self.image(images.flatten(1))[:, None]

    model, digits = Tiny(), torch.eye(64)[:10].view(10, 8, 8)
    torch.default_generator.manual_seed(others)
    np.random.seed(others)
    random.seed(others)
    train_reader(model, digits, torch.arange(10), seed=seed, epochs=1)
    drawn = [torch.randint(1 << 30, (3,)), np.random.randint(1 << 30), random.getrandbits(30)]
    return [torch.cat([parameter.detach().flatten() for parameter in model.parameters()]), *drawn]


@test_case(points=1, hidden=True)
def seeds(train_reader, rng):
    """The seed decides the result, and the global random states stay as they were"""
    seed, other, first, second = torch.randint(1 << 20, (4,), generator=rng).tolist()
    runs = [(seed, first), (seed, second), (other, first)]
    found = [as_parts(seeded_training(train_reader, *run), 4) for run in runs]
    nothing = seeded_training(lambda *_arguments, **_settings: None, seed, first)
    weights = [as_tensor(each[0], "the model's weights") for each in found]
    for each in weights:
        assert_shape(each, nothing[0].shape, "the model's weights")
    if not weights[0].any():
        raise Mismatch("the model is not trained")
    if not torch.allclose(weights[0], weights[1], atol=1e-6):
        same = "the same model, digits and seed give another result"
        raise Mismatch(f"{same}: something is drawn from a global state")
    if torch.allclose(weights[0], weights[2], atol=1e-6):
        raise Mismatch("another seed gives the same result")
    for drawn, right, whose in zip(found[0][1:], nothing[1:], ("torch", "NumPy", "`random`")):
        if not torch.equal(as_tensor(drawn).flatten(), torch.as_tensor(right).flatten()):
            raise Mismatch(f"after training, {whose} draws other random numbers than without it")
