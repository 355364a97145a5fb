"""Public cases of `DecoderBlock`."""

import torch
from checking import Mismatch, assert_pair, assert_tensor, call_loaded, loaded_answers, test_case

OK_FORMAT = False
name = "DecoderBlock"


def asked(block, sizes, weights, inputs):
    found = call_loaded(block, sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


def two_positions(block, *wanted):
    """Call a block whose weights and inputs can be followed by hand, on one image.

    All scores of the self-attention are equal. In the cross-attention each position finds the one
    vector of the memory that is like itself, and says -3 times that vector. Nobody finds the third.
    """
    one, zero = torch.eye(4), torch.zeros(4, 4)
    weights = {
        "self_attention.in_proj_weight": torch.cat([zero, zero, one]),
        "cross_attention.in_proj_weight": torch.cat([10 * one, one, -3 * one]),
        "feed_forward.0.weight": 10 * one,
        "feed_forward.2.weight": zero.clone(),
    }
    weights["feed_forward.2.weight"][0, 1], weights["feed_forward.2.weight"][2, 2] = 0.2, -0.2
    for kind in ("self_attention", "cross_attention"):
        weights[f"{kind}.in_proj_bias"] = torch.zeros(12)
        weights[f"{kind}.out_proj.weight"], weights[f"{kind}.out_proj.bias"] = one, torch.zeros(4)
        weights[f"{kind}_norm.weight"] = torch.ones(4)
        weights[f"{kind}_norm.bias"] = torch.zeros(4)
    weights |= {f"feed_forward.{layer}.bias": torch.zeros(4) for layer in (0, 2)}
    weights["feed_forward_norm.weight"] = torch.tensor([1.0, 2.0, 3.0, 4.0])
    weights["feed_forward_norm.bias"] = torch.full((4,), 5.0)
    pattern = torch.tensor([1.0, -1.0, -1.0, 1.0])
    other = torch.tensor([1.0, 1.0, 1.0, 1.0])
    x, memory = torch.stack([pattern, -8 * pattern]), torch.stack([pattern, -pattern, other])
    mask = torch.zeros(2, 2).masked_fill(torch.ones(2, 2).triu(1) > 0, -torch.inf)
    (answer,) = asked(block, (4, 1, 4), weights, [(x[None], memory[None], mask, *wanted)])
    return assert_pair(answer, ("output", "weights"))


@test_case(points=2)
def output(DecoderBlock):
    """Two positions and a memory of three vectors: the output, while no weights are wanted"""
    output, weights = two_positions(DecoderBlock)
    # with p = (1, -1, -1, 1), the first norm leaves p and -p, the second one -p and p; to these
    # the feed-forward network adds (2, 0, -2, 0) and (0, 0, 0, 0)
    expected = torch.tensor([[[6.0, 7.0, 2.0, 1.0], [6.0, 3.0, 2.0, 9.0]]])
    assert_tensor(output, expected, "output", atol=1e-3)
    if weights is not None:
        raise Mismatch("weights are returned, though they are not wanted: return None instead")


@test_case(points=1)
def where_it_looks(DecoderBlock):
    """The same with want_weights=True: each position finds its own vector of the memory"""
    _, weights = two_positions(DecoderBlock, True)
    assert_tensor(weights, torch.eye(2, 3)[None], "weights", atol=1e-3)
