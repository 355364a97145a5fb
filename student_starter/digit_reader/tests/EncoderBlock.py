"""Public cases of `EncoderBlock`."""

import torch
from checking import assert_tensor, call_loaded, loaded_answers, test_case

OK_FORMAT = False
name = "EncoderBlock"


def asked(block, sizes, weights, inputs):
    found = call_loaded(block, sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


@test_case(points=2)
def two_vectors(EncoderBlock):
    """(2, 0, 1, 1): attention adds (0, 0, 1, -1), the network (0, 2, -2, 0); gains 1, 2, 3, 4"""
    zero = torch.zeros(4, 4)
    weights = {
        "attention.in_proj_weight": torch.zeros(12, 4),
        "attention.in_proj_bias": torch.zeros(12),
        "attention.out_proj.weight": zero,
        "attention.out_proj.bias": torch.tensor([0.0, 0.0, 1.0, -1.0]),
        "attention_norm.weight": torch.ones(4),
        "attention_norm.bias": torch.zeros(4),
        "feed_forward.0.weight": 10 * torch.eye(4),
        "feed_forward.0.bias": torch.zeros(4),
        "feed_forward.2.weight": zero.clone(),
        "feed_forward.2.bias": torch.zeros(4),
        "feed_forward_norm.weight": torch.tensor([1.0, 2.0, 3.0, 4.0]),
        "feed_forward_norm.bias": torch.full((4,), 5.0),
    }
    weights["feed_forward.2.weight"][1, 0], weights["feed_forward.2.weight"][2, 2] = 0.2, -0.2
    x = torch.tensor([[[2.0, 0.0, 1.0, 1.0], [1.0, 3.0, 0.0, 4.0]]])
    (answer,) = asked(EncoderBlock, (4, 1, 4), weights, [(x,)])
    # the first norm leaves (1, -1, 1, -1) and (-1, 1, -1, 1); to these the feed-forward network
    # adds (0, 2, -2, 0) and nothing; the last norm multiplies by (1, 2, 3, 4) and adds 5
    expected = torch.tensor([[[6.0, 7.0, 2.0, 1.0], [4.0, 7.0, 2.0, 9.0]]])
    assert_tensor(answer, expected, atol=1e-3)
