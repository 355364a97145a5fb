"""Public cases of `Reader`."""

import torch
from checking import Mismatch, assert_pair, assert_tensor, call_loaded, driver, loaded_answers, standing_in, test_case

OK_FORMAT = False
name = "Reader"
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
def reader_of_idle_blocks(Reader, sizes, weights, method, inputs):
    """Call a reader whose blocks return the x that they get: the rest is in plain view."""
    from torch import nn

    class IdleEncoderBlock(nn.Module):
        def __init__(self, *_sizes, **_named):
            super().__init__()

        def forward(self, x, *_others, **_named):
            return x

    class IdleDecoderBlock(IdleEncoderBlock):
        def forward(self, x, *_others, **_named):
            return x, None

    parts = {"EncoderBlock": IdleEncoderBlock, "DecoderBlock": IdleDecoderBlock}
    return standing_in(Reader, parts, lambda: call_loaded(Reader, sizes, weights, method, inputs))


def idle(reader, method, *arguments):
    """Call a reader with idle blocks."""
    weights = {part: torch.tensor(values) for part, values in WEIGHTS.items()}
    sizes = ((2, 4), 2, 2, 1, 2, 3, 13)
    (answer,) = loaded_answers(
        reader_of_idle_blocks(reader, sizes, weights, method, [arguments]), weights, 1
    )
    return answer


@test_case(points=2)
def encode(Reader):
    """encode, with blocks that return what they get: two patches, projected, and positions"""
    image = torch.tensor([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]])
    expected = torch.tensor([[[11.5, 26.0], [13.0, 28.5]]])
    assert_tensor(idle(Reader, "encode", image), expected, "memory", atol=1e-3)


@test_case(points=2)
def decode(Reader):
    """decode, with blocks that return what they get: the logits of START 4 7"""
    logits, weights = assert_pair(
        idle(Reader, "decode", torch.ones(1, 2, 2), torch.tensor([[10, 4, 7]])),
        ("logits", "weights"),
    )
    rest = [float(token) for token in range(3, 12)]
    first, second, third = [110.0, -9.0, 102.0], [204.0, -3.0, 202.0], [307.0, -6.0, 302.0]
    expected = torch.tensor([[first + rest, second + rest, third + rest]])
    assert_tensor(logits, expected, "logits", atol=1e-3)
    if weights is not None:
        raise Mismatch("weights are returned, though they are not wanted: return None instead")
