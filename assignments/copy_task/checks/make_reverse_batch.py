"""Cases of `make_reverse_batch`.

One of them trains a small model on the student's batches. The model is the grader's own and learns
in the grader: all that it needs of the student's are the batches.
"""

import functools
import itertools
import math

import torch
import torch.nn.functional as F
from torch import nn

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    as_tensor,
    assert_shape,
    assert_tensor,
    compare_each,
    test_case,
)
from solutions import copy_task as reference

OK_FORMAT = False
name = "make_reverse_batch"

RIGHT = {"make_batch": reference.make_batch}

LABELS = ("the source", "the decoder input", "the target")
WIDTHS = (3, 4, 4)

ROWS, BATCHES = 64, 40
STEPS, ROUNDS = 100, 3
"""Of 100 models that were tried, 95 had learned enough after one round, and all after two."""
RATE = 1e-2
HOPELESS = {40: 0.7, STEPS: 0.3}
"""Losses on new sequences: those models had .27 at most after 40 steps, .17 after a round."""
ENOUGH = 0.9
LOW = 0.1


class Model(nn.Module):
    """A small Transformer made of torch's own layers, with the positions of the homework."""

    def __init__(self, width=32, heads=4, inner=64):
        super().__init__()
        style = {"dropout": 0.0, "batch_first": True, "norm_first": True}
        self.embedding = nn.Embedding(12, width, padding_idx=0)
        self.encoder = nn.TransformerEncoderLayer(width, heads, inner, **style)
        self.encoder_norm = nn.LayerNorm(width)
        self.decoder = nn.TransformerDecoderLayer(width, heads, inner, **style)
        self.decoder_norm = nn.LayerNorm(width)
        self.readout = nn.Linear(width, 12)
        self.positions = reference.positions(4, width)

    def forward(self, source, prefix):
        hidden, length = source == 0, prefix.size(1)
        memory = self.encoder(self.embed(source), src_key_padding_mask=hidden)
        vectors = self.decoder(
            self.embed(prefix),
            self.encoder_norm(memory),
            tgt_mask=torch.ones(length, length, dtype=torch.bool).triu(1),
            memory_key_padding_mask=hidden,
        )
        return self.readout(self.decoder_norm(vectors))

    def embed(self, ids):
        return self.embedding(ids) + self.positions[: ids.size(1)]


class Adam:
    """Adam on all parameters at once: torch's own takes a second to import what it needs."""

    def __init__(self, model):
        self.parameters = list(model.parameters())
        self.values = nn.utils.parameters_to_vector(self.parameters).detach()
        nn.utils.vector_to_parameters(self.values, self.parameters)  # they are views of it now
        self.mean, self.square = torch.zeros_like(self.values), torch.zeros_like(self.values)
        self.count = 0

    def step(self, loss, rate):
        slopes = torch.autograd.grad(loss, self.parameters)
        slope = nn.utils.parameters_to_vector(slopes)
        self.count += 1
        self.mean.lerp_(slope, 0.2)
        self.square.lerp_(slope**2, 0.05)
        mean = self.mean / (1 - 0.8**self.count)
        square = self.square / (1 - 0.95**self.count)
        self.values -= rate * mean / (square.sqrt() + 1e-8)


def loss_of(model, source, decoder_input, target):
    return F.cross_entropy(
        model(source, decoder_input).flatten(0, 1), target.flatten(), ignore_index=0
    )


@torch.no_grad()
def evaluated(model, source, decoder_input, target):
    """Return the loss, and how many targets the model says on its own, token after token."""
    said = torch.ones_like(source[:, :1])
    for _ in range(target.size(1)):
        token = model(source, said)[:, -1].argmax(-1, keepdim=True)
        said = torch.cat([said, token], dim=1)
    right = ((said[:, 1:] == target) | (target == 0)).all(1)  # after EOS anything may come
    return loss_of(model, source, decoder_input, target).item(), int(right.sum())


def batches_of(make_reverse_batch, sequences, rng):
    """Ask for all batches in one trip; every sequence comes before one comes again.

    Returns (BATCHES, ROWS, 11): source, decoder input and target side by side.
    """
    times = math.ceil(BATCHES * ROWS / len(sequences))
    order = torch.cat([torch.randperm(len(sequences), generator=rng) for _ in range(times)])
    chosen = order[: BATCHES * ROWS].view(BATCHES, ROWS).tolist()
    found = answers(make_reverse_batch, [([sequences[i] for i in row],) for row in chosen])
    return torch.stack([usable(answer) for answer in found])


def usable(answer):
    """Take an answer as a batch that the model can be trained on."""
    parts = []
    for found, label, width in zip(three_parts(answer), LABELS, WIDTHS):
        tensor = as_tensor(found, label)
        assert_shape(tensor, (ROWS, width), label)
        if not ((tensor >= 0) & (tensor < 12)).all():
            raise Mismatch(f"{label} holds something else than ids of the vocabulary")
        parts.append(tensor.to(torch.uint8))
    return torch.cat(parts, dim=1)


@functools.lru_cache(maxsize=32)
@torch.enable_grad()
def trained(batches, held_out):
    """Train until it is enough, or time is up, or there is no hope; evaluate.

    Args:
        batches: the bytes of what `batches_of` returns: many answers to one seed are alike, and
            are trained on once.
        held_out: sequences, as tuples.
    """
    torch.manual_seed(7)
    model = Model()
    optimizer = Adam(model)
    ids = torch.frombuffer(bytearray(batches), dtype=torch.uint8).long().view(BATCHES, ROWS, -1)
    supply = itertools.cycle([batch.split(WIDTHS, dim=1) for batch in ids])
    held_out_batch = reference.make_reverse_batch(held_out)
    for step in range(1, STEPS * ROUNDS + 1):
        done = (step - 1) % STEPS / STEPS  # the rate falls to zero in each round
        optimizer.step(loss_of(model, *next(supply)), RATE * min(10 * done + 0.1, 1 - done))
        if step in HOPELESS or step % STEPS == 0:
            loss, right = evaluated(model, *held_out_batch)
            hopeless = not loss < HOPELESS.get(step, math.inf)
            enough = step % STEPS == 0 and loss < LOW and right >= ENOUGH * len(held_out)
            if hopeless or enough:
                break
    return loss, right


def three_parts(answer):
    """Unpack an answer that must be three tensors."""
    if answer is None:
        raise Mismatch("the result is None: is there a `return`?")
    if not isinstance(answer, (tuple, list)) or len(answer) != 3:
        raise Mismatch("the result is not the three tensors (source, decoder_input, target)")
    return answer


def assert_batch(answer, expected):
    for found, right, label in zip(three_parts(answer), expected, LABELS):
        assert_tensor(found, right, label, atol=0.0)


def assert_symbols(answer, sequences):
    """Demand that the source has the right symbols, in whatever order."""
    right, _, _ = reference.make_batch(sequences)
    found = as_tensor(answer[0], LABELS[0])
    assert_shape(found, right.shape, LABELS[0])
    if not torch.equal(found.double().sort(1).values, right.double().sort(1).values):
        raise Mismatch(f"{LABELS[0]} has other symbols than the sequences")


def draw_sequences(rng, *lengths):
    """Draw a sequence of each length; all its symbols are different, and so are all the firsts."""
    firsts = torch.randperm(8, generator=rng).tolist()[: len(lengths)]
    orders = [torch.randperm(8, generator=rng).tolist() for _ in lengths]
    rows = [[first, *(s for s in order if s != first)] for first, order in zip(firsts, orders)]
    return [[4 + symbol for symbol in row[:n]] for row, n in zip(rows, lengths)]


@test_case(points=1)
def two_sequences(make_reverse_batch):
    """The sequences [4, 7, 9] and [6, 5]"""
    expected = [
        torch.tensor([[4, 7, 9], [6, 5, 0]]),
        torch.tensor([[1, 9, 7, 4], [1, 5, 6, 0]]),
        torch.tensor([[9, 7, 4, 2], [5, 6, 2, 0]]),
    ]
    assert_batch(make_reverse_batch([[4, 7, 9], [6, 5]]), expected)


@test_case(points=1, hidden=True)
def all_lengths(make_reverse_batch, rng):
    """Sequences of all lengths, with a symbol twice too; the widths are always 3, 4 and 4"""
    first, second, third = draw_sequences(rng, 3)[0]
    kinds = {
        "sequences of three symbols": draw_sequences(rng, 3, 3, 3, 3),
        "a symbol twice": [
            [first, first, second],
            [first, second, second],
            [second, first, second],
            [third, third],
        ],
        "two symbols and three": draw_sequences(rng, 2, 3, 2, 2, 3),
        "one symbol and three": draw_sequences(rng, 1, 3, 3, 1),
        "a sequence twice": draw_sequences(rng, 3, 2) * 2,
        "pairs": draw_sequences(rng, 2, 2, 2, 2),
        "single symbols": draw_sequences(rng, 1, 1),
        "one sequence": draw_sequences(rng, 3),
        "one symbol alone": draw_sequences(rng, 1),
    }
    found = answers(make_reverse_batch, [(sequences,) for sequences in kinds.values()])
    expected = list(map(reference.make_reverse_batch, kinds.values()))
    compare_each(kinds, found, expected, assert_batch)


@test_case(points=1, hidden=True)
def dtype(make_reverse_batch, rng):
    """All three are tensors of int64"""
    sequences = draw_sequences(rng, 3, 3)
    answer = three_parts(make_reverse_batch(sequences))
    assert_symbols(answer, sequences)
    for found, width, label in zip(answer, WIDTHS, LABELS):
        assert_shape(as_tensor(found, label), (2, width), label)
        assert_tensor(found, as_tensor(found), label, dtype=torch.int64)
        if not isinstance(found, torch.Tensor):
            raise Mismatch(f"{label} is not a tensor")


@test_case(points=1, hidden=True)
def inputs_stay(make_reverse_batch, rng):
    """The sequences stay as they were"""
    sequences = draw_sequences(rng, 3, 2, 1, 3)
    answer, (left,) = answer_and_inputs(make_reverse_batch, sequences)
    assert_symbols(three_parts(answer), sequences)
    if left != sequences:
        raise Mismatch("the sequences are others after the call than before")


@test_case(points=2, hidden=True)
def training_run(make_reverse_batch, rng):
    """A model trained on the batches says 90 % of new sequences backwards, with a loss below .1"""
    seed = int(torch.randint(1 << 20, (), generator=rng))
    sequences, held_out = reference.make_dataset(seed)
    batches = batches_of(make_reverse_batch, sequences, rng)
    with torch.random.fork_rng(devices=[]):
        loss, right = trained(batches.numpy().tobytes(), tuple(map(tuple, held_out)))
    told = "a small model that is trained on these batches"
    if right < (enough := math.ceil(ENOUGH * len(held_out))):
        count = f"{right} of {len(held_out)} new sequences"
        raise Mismatch(f"{told} says {count} backwards, not at least {enough}")
    if not loss < LOW:
        raise Mismatch(f"{told} has a loss of {loss:.2f} on new sequences, not below {LOW}")
