"""Public cases of `beam_search`."""

import math
import torch
from checking import Mismatch, assert_number, assert_tokens, test_case

OK_FORMAT = False
name = "beam_search"
FIRST = [0.05, 0.10, 0.15, 0.45, 0.25]
AFTER_3 = [0.02, 0.03, 0.10, 0.15, 0.70]
AFTER_4 = [0.05, 0.05, 0.20, 0.40, 0.30]


def table_step(tables):
    """Make a step function of probabilities by prefix (BOS left out)."""

    def step(prefix):
        known = tables.get(tuple(prefix[1:]))
        if known is None:  # nothing that leads to an answer, but whoever asks gets one
            known = torch.linspace(1, 2, len(tables[()])).softmax(0).tolist()
        return torch.tensor(known).log()

    return step


def assert_beam(answer, expected, atol=1e-4):
    if not isinstance(answer, (list, tuple)):
        raise Mismatch("the result is not a list of pairs (tokens, score)")
    if len(answer) != len(expected):
        few = "fewer" if len(answer) < len(expected) else "more"
        detail = f"expected {len(expected)}, got {len(answer)}"
        raise Mismatch(f"the result has {few} hypotheses than it should", detail)
    for rank, (found, (tokens, score)) in enumerate(zip(answer, expected), 1):
        if not isinstance(found, (list, tuple)) or len(found) != 2:
            raise Mismatch(f"hypothesis {rank} is not a pair (tokens, score)")
        assert_tokens(found[0], tokens, f"hypothesis {rank}")
        assert_number(found[1], score, f"the score of hypothesis {rank}", atol=atol)


@test_case(points=2)
def trace_of_the_lesson(beam_search):
    """The lesson's trace: [3, 4] at -1.155 and [4, 3] at -2.303 are kept"""
    step = table_step({(): FIRST, (3,): AFTER_3, (4,): AFTER_4})
    found = beam_search(step, bos=9, eos=8, k=2, max_new_tokens=2)
    assert_beam(found, [([9, 3, 4], -1.155183), ([9, 4, 3], -2.302585)], atol=1e-5)


@test_case(points=1)
def better_than_greedy(beam_search):
    """A second-best first token can lead to the best sentence"""
    after_3, after_4 = [0.30, 0.20, 0.20, 0.16, 0.14], [0.02, 0.02, 0.02, 0.02, 0.92]
    step = table_step({(): FIRST, (3,): after_3, (4,): after_4})
    found = beam_search(step, bos=9, eos=8, k=2, max_new_tokens=2)
    expected = [([9, 4, 4], math.log(0.23)), ([9, 3, 0], math.log(0.135))]
    assert_beam(found, expected, atol=1e-5)
