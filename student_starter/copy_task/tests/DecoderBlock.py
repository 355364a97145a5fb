"""Public cases of `DecoderBlock`."""

import torch
from checking import assert_tensor, call_loaded, driver, loaded_answers, standing_in, test_case

OK_FORMAT = False
name = "DecoderBlock"


@driver
def block_that_averages(DecoderBlock, sizes, weights, inputs):
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
        return call_loaded(DecoderBlock, sizes, weights, "forward", inputs)

    return standing_in(DecoderBlock, {"MultiHeadAttention": Mean}, work)


@test_case(points=1)
def means_for_attention(DecoderBlock):
    """Two target tokens, a memory with a hidden row, and plain means in the place of attention"""
    one, zero = torch.eye(2), torch.zeros(2, 2)
    matrices = {"feed_forward.0": one, "feed_forward.2": 10 * one}
    for attention in ("self_attention", "cross_attention"):
        matrices |= {f"{attention}.query": zero, f"{attention}.key": zero}
        matrices |= {f"{attention}.value": one, f"{attention}.output": one}
    weights = {f"{part}.weight": matrix for part, matrix in matrices.items()}
    for part in ("self_attention", "cross_attention"):
        weights[f"{part}_norm.weight"] = torch.tensor([1.0, 1.0])
    weights["feed_forward_norm.weight"] = torch.tensor([1.0, 2.0])
    weights |= {part.replace("weight", "bias"): torch.zeros(2) for part in weights}
    weights["self_attention.output.bias"] = torch.tensor([0.0, 0.5])
    x = torch.tensor([[[1.0, 3.0], [6.0, 2.0]]])
    memory = torch.tensor([[[4.0, 20.0], [6.0, 30.0], [99.0, 99.0]]])
    target_visible = torch.tensor([[[[True, False], [True, True]]]])
    source_visible = torch.tensor([[[[True, True, False]]]])
    inputs = [(x, memory, target_visible, source_visible)]
    found = block_that_averages(DecoderBlock, (2, 1, 2), weights, inputs)
    (answer,) = loaded_answers(found, weights, 1)
    assert_tensor(answer, torch.tensor([[[5.0, 49.5], [11.0, 47.5]]]), atol=1e-3)
