"""Public cases of `Reader`."""

import torch
from checking import Mismatch, assert_pair, assert_tensor, call_loaded, driver, loaded_answers, standing_in, test_case

OK_FORMAT = False
name = "Reader"
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
