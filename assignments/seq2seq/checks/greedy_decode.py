"""Cases of `greedy_decode`."""

import torch

from autograder.checking import Mismatch, answers, assert_tokens, driver, test_case
from autograder.language_model import RandomLanguageModel, draw_seed
from solutions import seq2seq as reference

OK_FORMAT = False
name = "greedy_decode"


@driver
def decode_twice(greedy_decode, table, bos, eos, max_new_tokens):
    """Decode two sentences with a model that returns the same tensors each time."""

    def step(prefix):
        return table[prefix[-1]]

    return [greedy_decode(step, bos, eos, max_new_tokens) for _ in range(2)]


def assert_decoded(greedy_decode, models, settings):
    """Compare with the reference; return the calls of each model, right ones and the student's.

    Args:
        greedy_decode: the student's.
        models: random language models.
        settings: (bos, eos, max_new_tokens) for each model.
    """
    expected = [reference.greedy_decode(model, *s) for model, s in zip(models, settings)]
    asked = [model.again() for model in models]
    found = answers(greedy_decode, [(model, *s) for model, s in zip(asked, settings)])
    for sentence, right in zip(found, expected):
        assert_tokens(sentence, right, "the sentence")
    return [(model.calls, again.calls) for model, again in zip(models, asked)]


def model_of(rng, vocabulary, bias):
    return RandomLanguageModel(vocabulary, draw_seed(rng), bias=bias)


@test_case(points=2)
def digit_three(greedy_decode):
    """The lesson's digit 3: BOS, 3, 3, EOS"""
    best = {(10,): 3, (10, 3): 3, (10, 3, 3): 11}

    def step(prefix):
        logits = torch.zeros(12)
        logits[best[tuple(prefix)]] = 5.0
        return logits

    assert_tokens(greedy_decode(step, 10, 11, 8), [10, 3, 3, 11], "the sentence")


@test_case(points=2, hidden=True)
def whole_prefix(greedy_decode, rng):
    """The next token depends on the whole sentence so far, not on its last token alone"""
    never = {5: -50.0}
    models = [model_of(rng, vocabulary, never) for vocabulary in (6, 50)]
    assert_decoded(greedy_decode, models, [(0, 5, 7), (0, 5, 6)])


@test_case(points=2, hidden=True)
def ends_with_eos(greedy_decode, rng):
    """The sentence ends with EOS as soon as it comes"""
    models = [model_of(rng, 8, {3: bias}) for bias in (1.0, 2.0, 1.0, 2.0, 60.0)]
    assert_decoded(greedy_decode, models, [(7, 3, 12)] * 5)


@test_case(points=2, hidden=True)
def calls(greedy_decode, rng):
    """`step` is called once for each new token, with all tokens so far, and never after EOS"""
    models = [model_of(rng, 7, {2: bias}) for bias in (-50.0, 1.5)]
    for expected, found in assert_decoded(greedy_decode, models, [(6, 2, 6), (6, 2, 9)]):
        if len(found) != len(expected):
            few = "fewer" if len(found) < len(expected) else "more"
            raise Mismatch(f"`step` is called {few} times than there are new tokens")
        if found != expected:
            raise Mismatch("`step` is called with other tokens than the sentence so far")


@test_case(points=1, hidden=True)
def limits(greedy_decode, rng):
    """At most max_new_tokens new tokens, EOS counted: none, one, and just enough for EOS"""
    models = [model_of(rng, 6, {4: bias}) for bias in (-50.0, -50.0, -50.0, -50.0, 60.0)]
    assert_decoded(greedy_decode, models, [(5, 4, limit) for limit in (0, 1, 2, 5, 1)])


@test_case(points=1, hidden=True)
def ties(greedy_decode):
    """Where two tokens tie, the lower one is taken"""

    def step(prefix):
        best = {1: [4, 6], 2: [1, 2, 5], 3: [7]}[len(prefix)]
        return torch.full((8,), -1.0).index_fill(0, torch.tensor(best), 2.0)

    assert_tokens(greedy_decode(step, 0, 7, 3), [0, 4, 1, 7], "the sentence")


@test_case(points=1, hidden=True)
def second_sentence(greedy_decode, rng):
    """A second sentence comes out like the first: nothing is kept, and the model is not changed"""
    table = torch.rand(6, 6, generator=rng)
    table[range(6), [3, 0, 0, 5, 1, 4]] += 2.0
    for sentence in decode_twice(greedy_decode, table, 0, 2, 7):
        assert_tokens(sentence, [0, 3, 5, 4, 1, 0, 3, 5], "a sentence")


@test_case(points=1, hidden=True)
def any_special_ids(greedy_decode, rng):
    """Any ids may be BOS and EOS, 0 too; BOS may come again inside a sentence"""
    models = [model_of(rng, 6, bias) for bias in ({0: 1.5}, {0: 1.0, 2: -50.0}, {1: 1.0})]
    assert_decoded(greedy_decode, models, [(5, 0, 6), (0, 2, 6), (8, 1, 6)])
