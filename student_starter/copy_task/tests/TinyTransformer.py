"""Public cases of `TinyTransformer`."""

import torch
from checking import assert_pair, assert_tensor, call_loaded, driver, loaded_answers, standing_in, test_case

OK_FORMAT = False
name = "TinyTransformer"
# Embeddings of five ids, and with them all weights of a model whose blocks have none.
WEIGHTS = {
    "embedding.weight": [[9.0, 0.0], [8.0, 1.0], [3.0, 0.0], [0.0, 5.0], [7.0, 0.0]],
    "encoder_norm.weight": [1.0, 2.0],
    "encoder_norm.bias": [10.0, 20.0],
    "decoder_norm.weight": [3.0, 1.0],
    "decoder_norm.bias": [0.0, 5.0],
    "readout.weight": [[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 2.0], [1.0, 1.0]],
    "readout.bias": [0.0, 0.0, 0.0, 0.0, 50.0],
}


@driver
def model_of_idle_blocks(TinyTransformer, sizes, weights, method, inputs):
    """Call a model in which both blocks return the x that they get: the rest is in plain view."""
    from torch import nn

    class Idle(nn.Module):
        def __init__(self, *_sizes):
            super().__init__()

        def forward(self, x, *_others, **_named):
            return x

    def work():
        return call_loaded(TinyTransformer, sizes, weights, method, inputs)

    return standing_in(TinyTransformer, {"EncoderBlock": Idle, "DecoderBlock": Idle}, work)


def idle(model, method, *arguments):
    """Call the model with idle blocks."""
    weights = {part: torch.tensor(values) for part, values in WEIGHTS.items()}
    found = model_of_idle_blocks(model, (5, 2, 1, 2), weights, method, [arguments])
    (answer,) = loaded_answers(found, weights, 1)
    return answer


@test_case(points=1)
def encode(TinyTransformer):
    """encode, with a block that returns what it gets: the memory, and which tokens are visible"""
    answer = idle(TinyTransformer, "encode", torch.tensor([[3, 4, 0]]))
    memory = torch.tensor([[[9.0, 22.0], [11.0, 18.0], [11.0, 18.0]]])
    assert_encoded(answer, (memory, torch.tensor([[[[True, True, False]]]])), atol=1e-3)


def assert_encoded(answer, expected, atol=1e-4):
    memory, visible = assert_pair(answer, ("memory", "source_visible"))
    assert_tensor(visible, expected[1], "source_visible", atol=0.0, dtype=torch.bool)
    assert_tensor(memory, expected[0], "memory", atol=atol)


@test_case(points=1)
def decode(TinyTransformer):
    """decode, with a block that returns what it gets: the logits of two positions"""
    memory, visible = torch.ones(1, 3, 2), torch.tensor([[[[True, True, False]]]])
    answer = idle(TinyTransformer, "decode", torch.tensor([[1, 3]]), memory, visible)
    expected = torch.tensor([[[3.0, 4.0, 6.0, 8.0, 57.0], [-3.0, 6.0, -6.0, 12.0, 53.0]]])
    assert_tensor(answer, expected, "the result", atol=1e-3)
