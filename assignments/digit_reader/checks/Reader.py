"""Cases of `Reader`.

Other classes stand in for the student's blocks, and another function for `patchify`.
"""

import functools

import torch

from autograder.checking import (
    Mismatch,
    as_parts,
    as_tensor,
    assert_loaded_gradients,
    assert_no_trace,
    assert_other,
    assert_pair,
    assert_same,
    assert_tensor,
    call_loaded,
    calls_in_turn,
    compare_each,
    driver,
    loaded,
    loaded_answers,
    loaded_gradients,
    put_weights,
    random_weights,
    standing_in,
    test_case,
)
from solutions import digit_reader as reference
from solutions.digit_reader_parts import among_right_blocks, torch_blocks

OK_FORMAT = False
name = "Reader"

RIGHT = {"patchify": reference.patchify}
KINDS = {  # the arguments of `__init__`, B and T
    "several images": (((4, 6), 2, 8, 2, 2, 3, 13), (4, 4)),
    "START alone, one layer": (((6, 3), 3, 4, 1, 1, 2, 13), (1, 1)),
    "fewer tokens than positions, three layers": (((6, 9), 3, 6, 3, 3, 4, 12), (3, 3)),
}
SIZES = ((4, 6), 2, 8, 2, 2, 4, 13)

IMAGE = torch.tensor([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]])
TOKENS = torch.tensor([[10, 4, 7]])
WEIGHTS = {  # all those of a reader whose blocks have none
    "image_positions": [[[0.5, 0.0], [0.0, 0.5]]],
    "token_positions": [[[100.0, 0.0], [200.0, 0.0], [300.0, 0.0], [400.0, 0.0]]],
    "project.weight": [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
    "project.bias": [10.0, 20.0],
    "embedding.weight": [[float(token), -float(token)] for token in range(13)],
    "readout.weight": [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], *[[0.0, 0.0]] * 9],
    "readout.bias": [float(token) for token in range(12)],
}


@driver
def reader_of_plain_blocks(Reader, sizes, weights, method, inputs):
    """Call a reader whose blocks do hardly anything, so that the rest is in plain view.

    A block of the encoder returns what it gets. One of the decoder adds up, at each position, all
    vectors that the mask lets it see, and all vectors of the memory.
    """
    import torch
    from torch import nn

    class PlainEncoderBlock(nn.Module):
        def __init__(self, *_sizes, **_named):
            super().__init__()

        def forward(self, x):
            return x

    class PlainDecoderBlock(PlainEncoderBlock):
        def forward(self, x, memory, mask, want_weights=False):  # noqa: ARG002
            return torch.exp(mask) @ x + memory.sum(dim=1, keepdim=True), None

    parts = {"EncoderBlock": PlainEncoderBlock, "DecoderBlock": PlainDecoderBlock}
    return standing_in(Reader, parts, lambda: call_loaded(Reader, sizes, weights, method, inputs))


def plain(reader, method, *arguments):
    """Call a reader with plain blocks, for images of two patches."""
    weights = {part: torch.tensor(values) for part, values in WEIGHTS.items()}
    sizes = ((2, 4), 2, 2, 1, 1, 3, 13)
    (answer,) = loaded_answers(
        reader_of_plain_blocks(reader, sizes, weights, method, [arguments]), weights, 1
    )
    return answer


@functools.cache
def made(sizes):
    """Make the reference once for each size: it takes more time than to use it."""
    return reference.Reader(*sizes)


def asked(reader, sizes, weights, method, inputs):
    found = among_right_blocks(reader, "calls", sizes, weights, method, inputs)
    return loaded_answers(found, weights, len(inputs))


def right(sizes, weights, method, inputs):
    reader = put_weights(made(sizes), weights)
    with torch.no_grad():
        return [getattr(reader, method)(*arguments) for arguments in inputs]


def drawn_weights(rng, sizes):
    weights = random_weights(made(sizes), rng)
    for part in ("embedding.weight", "image_positions", "token_positions"):
        weights[part] *= sizes[2] ** 0.5
    return weights


def drawn_images(rng, sizes, rows):
    return torch.rand(rows, *sizes[0], generator=rng)


def drawn_tokens(rng, sizes, rows, length):
    """Draw START and digits; where PAD can be fed, every second row ends in PADs."""
    tokens = torch.randint(10, (rows, length), generator=rng)
    tokens[:, 0] = 10
    if sizes[-1] > 12:
        tokens[1::2, (length + 1) // 2 :] = 12
    return tokens


@test_case(points=2)
def encode(Reader):
    """encode, with blocks that return what they get: two patches, projected, and positions"""
    expected = torch.tensor([[[11.5, 26.0], [13.0, 28.5]]])
    assert_tensor(plain(Reader, "encode", IMAGE), expected, "memory", atol=1e-3)


@test_case(points=2)
def decode(Reader):
    """decode START 4 7, with blocks that add up the positions seen and the memory (1, 1), (1, 1)"""
    answer = plain(Reader, "decode", torch.ones(1, 2, 2), TOKENS)
    logits, weights = assert_pair(answer, ("logits", "weights"))
    assert_tensor(logits, logits_of([112, -8], [316, -12], [623, -19]), "logits", atol=1e-3)
    if weights is not None:
        raise Mismatch("weights are returned, though they are not wanted: return None instead")


def logits_of(*vectors):
    """Read the vectors at three positions out: their two numbers, their sum, and nine biases."""
    rest = [float(token) for token in range(3, 12)]
    rows = [[x, y + 1.0, x + y + 2.0, *rest] for x, y in vectors]
    return torch.tensor([rows])


@test_case(points=1)
def forward(Reader):
    """forward, with the same blocks: the logits of START 4 7 for an image of two patches"""
    expected = logits_of([134.5, 44.5], [338.5, 40.5], [645.5, 33.5])
    assert_tensor(plain(Reader, "forward", IMAGE, TOKENS), expected, "logits", atol=1e-3)


@test_case(points=2, hidden=True)
def memory(Reader, rng):
    """encode, with blocks that work: images and patches of other sizes"""
    found, expected = [], []
    for sizes, (rows, _) in KINDS.values():
        weights = drawn_weights(rng, sizes)
        inputs = [(drawn_images(rng, sizes, rows),)]
        found += asked(Reader, sizes, weights, "encode", inputs)
        expected += right(sizes, weights, "encode", inputs)
    compare_each(KINDS, found, expected, assert_memory)


def assert_memory(answer, expected):
    assert_tensor(answer, expected, "memory", atol=1e-4)


@test_case(points=2, hidden=True)
def logits(Reader, rng):
    """decode, with blocks that work: any memory, as many tokens as there are"""
    found, expected = [], []
    for sizes, (rows, length) in KINDS.values():
        weights = drawn_weights(rng, sizes)
        inputs = [(drawn_memory(rng, sizes, rows), drawn_tokens(rng, sizes, rows, length))]
        found += asked(Reader, sizes, weights, "decode", inputs)
        expected += right(sizes, weights, "decode", inputs)
    compare_each(KINDS, found, expected, assert_decoded)


def drawn_memory(rng, sizes, rows):
    (height, width), patch, *_ = sizes
    patches = (height // patch) * (width // patch)
    return torch.randn(rows, patches, sizes[2], generator=rng)


def assert_decoded(answer, expected):
    found, _ = assert_pair(answer, ("logits", "weights"))
    assert_tensor(found, expected[0], "logits", atol=1e-4)


@test_case(points=1, hidden=True)
def float64(Reader, rng):
    """A reader whose weights are float64, and images of float64: all digits count"""
    weights = {part: weight.double() for part, weight in drawn_weights(rng, SIZES).items()}
    inputs = [(drawn_images(rng, SIZES, 3).double(), drawn_tokens(rng, SIZES, 3, 4))]
    (answer,) = asked(Reader, SIZES, weights, "forward", inputs)
    (expected,) = right(SIZES, weights, "forward", inputs)
    assert_tensor(answer, expected, "the result", atol=1e-11, dtype=torch.float64)


@driver
def decoded_with_weights(Reader, sizes, weights, given):
    """Decode for weights, without, and for weights again by the keyword."""
    import torch

    def work():
        reader, shapes = loaded(Reader, sizes, weights)
        if reader is None:
            return [shapes, None]
        with torch.no_grad():
            named = reader.decode(*given, want_weights=True)
            return [shapes, [reader.decode(*given, True), reader.decode(*given), named]]

    return standing_in(Reader, torch_blocks(), work)


@test_case(points=2, hidden=True)
def last_weights(Reader, rng):
    """decode returns the weights of the last block if they are wanted, and the same logits"""
    found, expected = [], []
    for sizes, (rows, length) in KINDS.values():
        weights = drawn_weights(rng, sizes)
        given = [drawn_memory(rng, sizes, rows), drawn_tokens(rng, sizes, rows, length)]
        answers = decoded_with_weights(Reader, sizes, weights, given)
        found.append(loaded_answers(answers, weights, 3))
        expected += right(sizes, weights, "decode", [(*given, True)])
    compare_each(KINDS, found, expected, assert_weights_if_wanted)


def assert_weights_if_wanted(found, expected):
    kinds = []
    for answer, wanted in zip(as_parts(found, 3), (True, False, True)):
        logits, weights = assert_pair(answer, ("logits", "weights"))
        if wanted:
            assert_tensor(weights, expected[1], "weights", atol=1e-4)
        elif weights is not None:
            raise Mismatch("weights are returned, though they are not wanted: return None instead")
        kinds.append(as_tensor(logits, "logits"))
    for logits in kinds[1:]:
        assert_same(logits, kinds[0], "the logits are others while weights are wanted")


@driver
def logits_in_two_steps(Reader, sizes, weights, inputs):
    """Return what `decode` makes of what `encode` returns."""

    class InTwoSteps(Reader):
        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

    return among_right_blocks(InTwoSteps, "calls", sizes, weights, "forward", inputs)


@test_case(points=2, hidden=True)
def flow(Reader, rng):
    """forward decodes what encode returns; logits depend on all they may see and on nothing else"""
    weights = drawn_weights(rng, SIZES)
    images, tokens = drawn_images(rng, SIZES, 4), drawn_tokens(rng, SIZES, 4, 5)
    later = torch.where(tokens < 10, (tokens + 3) % 10, 7)
    inputs = [(images, tokens), (images[1:2], tokens[1:2]), (1 - images, tokens)]
    for start in range(1, 5):
        changed = torch.where(torch.arange(5) < start, tokens, later)
        inputs += [(images, changed), (images, tokens[:, :start])]
    found = asked(Reader, SIZES, weights, "forward", inputs)
    full, alone, other, *prefixes = (as_tensor(logits) for logits in found)
    answers = logits_in_two_steps(Reader, SIZES, weights, inputs[:1])
    (steps,) = loaded_answers(answers, weights, 1)
    assert_same(full, as_tensor(steps), "forward does not return what decode makes of encode")
    assert_same(alone, full[1:2], "an image alone has other logits than in a batch")
    assert_other(other, full, "another image has the same logits")
    for start, (changed, short) in enumerate(zip(prefixes[::2], prefixes[1::2]), 1):
        early = "tokens change the logits of positions before them"
        assert_same(changed[:, :start], full[:, :start], early)
        assert_same(short, full[:, :start], "fewer tokens have other logits than the same in more")
        assert_other(changed[:, start:], full[:, start:], "other tokens have the same logits")


@test_case(points=2, hidden=True)
def training(Reader, rng):
    """Gradients flow from the logits of the whole reader to all weights; calls leave no trace"""
    weights, others = drawn_weights(rng, SIZES), drawn_weights(rng, SIZES)
    given = (drawn_images(rng, SIZES, 3), drawn_tokens(rng, SIZES, 3, 5))
    smaller = (drawn_images(rng, SIZES, 2), drawn_tokens(rng, SIZES, 2, 2))
    alike = tuple(part.roll(1, 0) for part in given)
    arguments = (SIZES, [weights, others], [given, alike, smaller])
    found = among_right_blocks(Reader, "turns", *arguments)
    expected = calls_in_turn(reference.Reader, *arguments)
    named = dict(zip(("images", "tokens"), given))
    assert_no_trace(found, expected, weights, named, assert_logits)
    found = among_right_blocks(Reader, "gradients", SIZES, weights, [], given)
    expected = loaded_gradients(reference.Reader, SIZES, weights, [], given)
    assert_loaded_gradients(found, expected, weights, atol=1e-3)


def assert_logits(answer, expected):
    assert_tensor(answer, expected, "the result", atol=1e-4)
