"""Public cases of `EncoderBlock`."""

import torch
from checking import assert_tensor, call_loaded, driver, loaded_answers, standing_in, test_case

OK_FORMAT = False
name = "EncoderBlock"


@driver
def block_that_averages(EncoderBlock, sizes, weights, inputs):
    """Run a block in which the mean of the visible values stands in for `MultiHeadAttention`.

    That is what attention comes to if all scores are equal.
    """
    from torch import nn

    class Mean(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads = heads
            for part in ("query", "key", "value", "output"):
                setattr(self, part, nn.Linear(width, width))

        def forward(self, x, memory, visible):
            shares = visible / visible.sum(-1, keepdim=True)
            mean = shares[:, 0] @ self.value(memory)
            return self.output(mean.expand(x.shape)), shares

    def work():
        return call_loaded(EncoderBlock, sizes, weights, "forward", inputs)

    return standing_in(EncoderBlock, {"MultiHeadAttention": Mean}, work)


@test_case(points=1)
def mean_for_attention(EncoderBlock):
    """Three tokens, the last one hidden, and a plain mean in the place of attention"""
    one, zero = torch.eye(2), torch.zeros(2, 2)
    matrices = {
        "attention.query": zero,
        "attention.key": zero,
        "attention.value": 2 * one,
        "attention.output": one,
        "feed_forward.0": one,
        "feed_forward.2": 10 * one,
    }
    weights = {f"{part}.weight": matrix for part, matrix in matrices.items()}
    weights["attention_norm.weight"] = torch.tensor([1.0, 1.0])
    weights["feed_forward_norm.weight"] = torch.tensor([1.0, 2.0])
    weights |= {part.replace("weight", "bias"): torch.zeros(2) for part in weights}
    weights["attention.output.bias"] = torch.tensor([9.0, 0.0])
    x = torch.tensor([[[1.0, 3.0], [2.0, 16.0], [9.0, 0.0]]])
    visible = torch.tensor([[[[True, True, False]]]])
    found = block_that_averages(EncoderBlock, (2, 1, 2), weights, [(x, visible)])
    (answer,) = loaded_answers(found, weights, 1)
    expected = torch.tensor([[[18.0, 5.0], [9.0, 38.0], [26.0, 2.0]]])
    assert_tensor(answer, expected, atol=1e-3)
