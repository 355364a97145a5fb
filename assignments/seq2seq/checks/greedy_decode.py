"""Cases of `greedy_decode`."""

import torch

from autograder.checking import (
    Mismatch,
    answers,
    as_parts,
    assert_tensor,
    assert_tokens,
    compare_each,
    driver,
    test_case,
)
from autograder.language_model import RandomLanguageModel, draw_seed
from solutions import seq2seq as reference

OK_FORMAT = False
name = "greedy_decode"


@driver
def decode_twice(greedy_decode, table, bos, eos, max_new_tokens):
    """Decode two sentences with a model that returns the same tensors each time."""

    def step(prefix):
        return table[prefix[-1]]

    return [[greedy_decode(step, bos, eos, max_new_tokens) for _ in range(2)], table]


def anything(new):
    """Want nothing in particular."""
    return True


def decoding(rng, vocabulary, bias, bos, eos, limit, wanted=anything):
    """Draw a model whose new tokens are as they are wanted; return it with its settings."""
    while True:
        model = RandomLanguageModel(vocabulary, draw_seed(rng), bias=bias)
        settings = (bos, eos, limit)
        if wanted(reference.greedy_decode(model, *settings)[1:]):
            return model, settings


def assert_decoded(greedy_decode, decodings):
    """Compare with the reference; return the calls of each model, right ones and the student's.

    Args:
        greedy_decode: the student's.
        decodings: (model, settings) for each kind.
    """
    right = [(model.again(), settings) for model, settings in decodings.values()]
    asked = [(model.again(), settings) for model, settings in decodings.values()]
    expected = [reference.greedy_decode(model, *settings) for model, settings in right]
    found = answers(greedy_decode, [(model, *settings) for model, settings in asked])
    compare_each(decodings, found, expected, assert_sentence)
    return [(model.calls, again.calls) for (model, _), (again, _) in zip(right, asked)]


def assert_sentence(answer, expected):
    assert_tokens(answer, expected, "the sentence")


@test_case(points=2)
def digit_three(greedy_decode):
    """The lesson's digit 3: BOS, 3, 3, EOS"""
    best = {(10,): 3, (10, 3): 3, (10, 3, 3): 11}

    def step(prefix):
        if tuple(prefix) not in best:
            raise Mismatch("`step` is asked about tokens that are not the sentence so far")
        logits = torch.zeros(12)
        logits[best[tuple(prefix)]] = 5.0
        return logits

    assert_tokens(greedy_decode(step, 10, 11, 8), [10, 3, 3, 11], "the sentence")


@test_case(points=3, hidden=True)
def ends_with_eos(greedy_decode, rng):
    """The sentence ends with EOS as soon as it comes"""
    decodings = {
        "a sentence of EOS alone": decoding(rng, 8, {3: 60.0}, 7, 3, 12),
        "three tokens": decoding(rng, 8, {3: 1.5}, 7, 3, 12, ends(3, 3)),
        "four or five": decoding(rng, 8, {3: 1.0}, 7, 3, 12, ends(3, 4, 5)),
        "a few more": decoding(rng, 8, {3: 0.3}, 7, 3, 12, ends(3, 6, 7, 8)),
    }
    assert_decoded(greedy_decode, decodings)


def ends(eos, *lengths):
    """Want EOS after so many new tokens, itself counted."""
    return lambda new: new[-1] == eos and len(new) in lengths


@test_case(points=3, hidden=True)
def calls(greedy_decode, rng):
    """`step` is called once for each new token, with all tokens so far, and never after EOS"""
    decodings = {
        "the limit": decoding(rng, 7, {2: -50.0}, 6, 2, 7),
        "an EOS": decoding(rng, 7, {2: 1.0}, 6, 2, 9, ends(2, 4, 5, 6)),
        "no new token": decoding(rng, 7, {2: 1.0}, 6, 2, 0),
    }
    for expected, found in assert_decoded(greedy_decode, decodings):
        if len(found) != len(expected):
            few = "fewer" if len(found) < len(expected) else "more"
            raise Mismatch(f"`step` is called {few} times than there are new tokens")
        if found != expected:
            raise Mismatch("`step` is called with other tokens than the sentence so far")


@test_case(points=1, hidden=True)
def limits(greedy_decode, rng):
    """At most max_new_tokens new tokens, EOS counted: none, one, and just enough for EOS"""
    kinds = {"no new token": 0, "one": 1, "two": 2, "five": 5}
    decodings = {k: decoding(rng, 6, {4: -50.0}, 5, 4, limit) for k, limit in kinds.items()}
    decodings["just enough for EOS"] = decoding(rng, 6, {4: 60.0}, 5, 4, 1)
    model, _ = decoding(rng, 6, {4: 1.0}, 5, 4, 9, ends(4, 4))
    decodings["EOS right after the limit"] = (model, (5, 4, 3))
    assert_decoded(greedy_decode, decodings)


@test_case(points=1, hidden=True)
def ties(greedy_decode):
    """Where two tokens tie, the lower one is taken"""

    best = [[4, 6], [4, 7], [4], [1, 2, 5], [5, 6]]  # EOS among them: 5

    def step(prefix):
        logits = torch.full((8,), -1.0)
        logits[[2, 4]] = torch.tensor([2.0, 2.004]) if len(prefix) == 3 else -1.0
        logits[best[min(len(prefix), 5) - 1]] = 2.004
        return logits

    assert_tokens(greedy_decode(step, 0, 5, 9), [0, 4, 4, 4, 1, 5], "the sentence")


@test_case(points=1, hidden=True)
def second_sentence(greedy_decode, rng):
    """A second sentence comes out like the first: nothing is kept, and the model is not changed"""
    table = torch.rand(6, 6, generator=rng)
    table[range(6), [3, 0, 0, 5, 1, 4]] += 2.0
    sentences, left = as_parts(decode_twice(greedy_decode, table, 0, 2, 7), 2)
    for sentence in as_parts(sentences, 2):
        assert_tokens(sentence, [0, 3, 5, 4, 1, 0, 3, 5], "a sentence")
    assert_tensor(left, table, "what `step` returned", atol=0.0)


@test_case(points=1, hidden=True)
def any_special_ids(greedy_decode, rng):
    """Any ids may be BOS and EOS, 0 too; BOS may come again inside a sentence"""
    decodings = {
        "EOS 0": decoding(rng, 6, {0: 1.0}, 5, 0, 6, ends(0, 2, 3, 4)),
        "BOS 0": decoding(rng, 6, {0: 1.0, 2: -50.0}, 0, 2, 6, lambda new: 0 in new[1:-1]),
        "other ids": decoding(rng, 6, {1: 1.0}, 8, 1, 6, ends(1, 2, 3, 4)),
    }
    assert_decoded(greedy_decode, decodings)
