"""Cases of `beam_search`."""

import itertools
import math

import torch

from autograder.checking import (
    Mismatch,
    answers,
    as_parts,
    as_tokens,
    assert_number,
    assert_tensor,
    assert_tokens,
    compare_each,
    driver,
    test_case,
)
from autograder.language_model import RandomLanguageModel, draw_seed
from solutions import seq2seq as reference

OK_FORMAT = False
name = "beam_search"

FIRST = [0.05, 0.10, 0.15, 0.45, 0.25]
AFTER_3 = [0.02, 0.03, 0.10, 0.15, 0.70]
AFTER_4 = [0.05, 0.05, 0.20, 0.40, 0.30]


@driver
def search_twice(beam_search, table, settings):
    """Search twice with a model that returns the same tensors each time."""

    def step(prefix):
        return table[prefix[-1]]

    return [[beam_search(step, **settings) for _ in range(2)], beam_search(step, 1, 3), table]


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


def anything(found):
    """Want nothing in particular."""
    return True


def clear_model(rng, vocabulary, bias, search, wanted=anything):
    """Draw a model whose search does not hang on rounding and finds what is wanted; return both."""
    while True:
        seed = draw_seed(rng)
        model = RandomLanguageModel(vocabulary, seed, bias=bias)
        found = search(model)
        if not wanted(found):
            continue
        disturbed = search(RandomLanguageModel(vocabulary, seed, bias=bias, noise=1e-3))
        if [tokens for tokens, _ in found] == [tokens for tokens, _ in disturbed]:
            return model.again(), found


def assert_searches(beam_search, rng, searches):
    """Compare with the reference on random models.

    Args:
        beam_search: the student's.
        rng: draws the models.
        searches: (V, bias, (k, max_new_tokens, alpha), wanted) by kind; eos is 0, and bos is V or,
            where there is an alpha, 1.
    """
    inputs, expected = [], []
    for vocabulary, bias, limits, wanted in searches.values():
        settings = (1 if len(limits) > 2 else vocabulary, 0, *limits)
        model, right = clear_model(rng, vocabulary, bias, searching(settings), wanted)
        inputs.append((model, *settings))
        expected.append(right)
    compare_each(searches, answers(beam_search, inputs), expected, assert_beam)


def searching(settings):
    return lambda model: reference.beam_search(model, *settings)


def mixed(found):
    """Want finished and unfinished hypotheses of different lengths."""
    ended = [tokens[-1] == 0 for tokens, _ in found]
    return any(ended) and not all(ended) and len({len(tokens) for tokens, _ in found}) > 1


def reordered(alpha):
    """Want finished hypotheses of other lengths, and another order than without alpha."""

    def wanted(found):
        raw = [score * (len(tokens) - 1) ** alpha for tokens, score in found]
        again = any(1 in tokens[1:] for tokens, _ in found)  # BOS, which counts like any other
        return again and mixed(found) and raw != sorted(raw, reverse=True)

    return wanted


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


@test_case(points=2, hidden=True)
def random_models(beam_search, rng):
    """Models that look at the whole prefix; sentences that end early, late and never"""
    searches = {
        "sentences without an end": (5, {0: -50.0}, (3, 4), anything),
        "two beams": (7, {0: 0.5}, (2, 6), mixed),
        "four beams": (6, {0: 1.0}, (4, 5), mixed),
        "alpha": (6, {}, (3, 6, 0.7), reordered(0.7)),
    }
    assert_searches(beam_search, rng, searches)


@test_case(points=2, hidden=True)
def finished_stay(beam_search):
    """Finished hypotheses stay and compete; the search stops when all kept are finished"""
    stays = {
        (): [0.5, 0.3, 0.2],
        (1,): [0.1, 0.6, 0.3],
        (1, 1): [0.9, 0.05, 0.05],
        (2,): [0.8, 0.1, 0.1],
    }
    expected = [([7, 0], math.log(0.5)), ([7, 1, 1, 0], math.log(0.3 * 0.6 * 0.9))]
    assert_endless_search(beam_search, stays, expected)
    displaced = {
        (): [0.25, 0.7, 0.05],
        (1,): [0.02, 0.5, 0.48],
        (1, 1): [0.9, 0.05, 0.05],
        (1, 2): [0.02, 0.08, 0.9],
        (1, 2, 2): [0.97, 0.02, 0.01],
    }
    expected = [
        ([7, 1, 1, 0], math.log(0.7 * 0.5 * 0.9)),
        ([7, 1, 2, 2, 0], math.log(0.7 * 0.48 * 0.9 * 0.97)),
    ]
    assert_endless_search(beam_search, displaced, expected)


def assert_endless_search(beam_search, tables, expected):
    """Search with a limit that is never reached, in tables that hold what may be asked for."""
    calls = []

    def step(prefix):
        calls.append(list(prefix))
        if len(calls) > 20:
            raise Mismatch("`step` is called again and again: when does the search stop?")
        return torch.tensor(tables.get(tuple(prefix[1:]), [0.3, 0.3, 0.4])).log()

    assert_beam(beam_search(step, bos=7, eos=0, k=2, max_new_tokens=1000), expected)


@test_case(points=1, hidden=True)
def second_search(beam_search):
    """Nothing is kept between searches, the model is not changed, and k is 2 by default"""
    table = torch.tensor([[0.2, 0.3, 0.5], [0.15, 0.6, 0.25], [0.3, 0.45, 0.25]])
    table = torch.cat([table, torch.zeros(3, 1)], 1).log()  # token 3 never comes
    settings = {"bos": 1, "eos": 0, "k": 2, "max_new_tokens": 4}

    def step(prefix):
        return table[prefix[-1]]

    twice, by_default, left = as_parts(search_twice(beam_search, table, settings), 3)
    for found in as_parts(twice, 2):
        assert_beam(found, reference.beam_search(step, **settings))
    assert_beam(by_default, reference.beam_search(step, 1, 3))
    assert_tensor(left, table, "what `step` returned", atol=0.0)


@test_case(points=1, hidden=True)
def one_beam_is_greedy(beam_search, rng):
    """k = 1 finds the sentence of greedy decoding"""

    def greedy(model):
        return [(reference.greedy_decode(model, 6, 2, 6), 0.0)]

    def early(found):
        return len(found[0][0]) == 5

    kinds = {
        "a sentence without an end": clear_model(rng, 6, {2: -50.0}, greedy),
        "one with EOS": clear_model(rng, 6, {2: 1.0}, greedy, early),
    }
    found = answers(beam_search, [(model, 6, 2, 1, 6) for model, _ in kinds.values()])
    compare_each(kinds, found, [right[0][0] for _, right in kinds.values()], assert_one)


def assert_one(found, sentence):
    if not isinstance(found, (list, tuple)) or len(found) != 1:
        raise Mismatch("the result does not hold exactly one hypothesis")
    assert_tokens(as_tokens(found[0][0]), sentence, "the hypothesis")


@test_case(points=1, hidden=True)
def more_beams_than_tokens(beam_search, rng):
    """k may be larger than the vocabulary"""
    searches = {
        "one round": (3, {0: -50.0}, (5, 1), anything),
        "several rounds": (3, {0: 0.5}, (7, 4), lambda found: mixed(found) and len(found) == 7),
    }
    assert_searches(beam_search, rng, searches)


@test_case(points=2, hidden=True)
def finds_the_optimum(beam_search, rng):
    """A beam that is wide enough finds the best of all sentences"""
    bias, length = {2: -0.5}, 3
    model, expected = clear_model(rng, 3, bias, lambda model: best_of_all(model, length), short)
    found = beam_search(model, bos=8, eos=2, k=9, max_new_tokens=length)
    assert_beam(found[:1] if isinstance(found, (list, tuple)) else found, expected)


def short(found):
    """Want a sentence that ends before the limit, but not at once."""
    return len(found[0][0]) == 3


def best_of_all(step, limit, bos=8, eos=2):
    """Try every sentence of up to `limit` tokens."""
    log_probabilities = {(): step([bos]).tolist()}
    best = ([], -math.inf)
    for tokens in itertools.product(range(step.vocabulary), repeat=limit):
        length = tokens.index(eos) + 1 if eos in tokens else len(tokens)
        prefixes = [tokens[:n] for n in range(length)]
        for prefix in prefixes:
            if prefix not in log_probabilities:
                log_probabilities[prefix] = step([bos, *prefix]).tolist()
        score = sum(log_probabilities[p][t] for p, t in zip(prefixes, tokens))
        if score > best[1]:
            best = ([bos, *tokens[:length]], score)
    return [best]


@test_case(points=2, hidden=True)
def normalised_at_the_end(beam_search):
    """alpha re-ranks what is left at the end, by the length with EOS and without BOS"""
    step = table_step(
        {
            (): [0.4, 0.6, 0.0],
            (1,): [0.0, 0.55, 0.45],
            (1, 1): [0.0, 0.9, 0.1],
            (1, 2): [0.0, 0.4, 0.6],
            (1, 1, 1): [0.8, 0.1, 0.1],
            (1, 2, 2): [0.7, 0.2, 0.1],
        }
    )
    inputs = {
        f"k = {k}, alpha = {alpha:g}": (step, 5, 0, k, 4, alpha)
        for k, alpha in ((3, 0.0), (3, 0.4), (2, 1.0))
    }
    expected = [reference.beam_search(*given) for given in inputs.values()]
    compare_each(inputs, answers(beam_search, inputs.values()), expected, assert_beam)


@test_case(points=1, hidden=True)
def impossible_tokens(beam_search):
    """Candidates of probability 0 are dropped, even where fewer than k are left, and no others"""
    tables = {(): [0.0, 1.0, 0.0], (1,): [0.25, 0.0, 0.75], (1, 2): [1.0, 0.0, 0.0]}
    logs = {1: torch.tensor([-900.0, -800.0, 0.0]), 2: torch.tensor([-950.0, -820.0, -10.0])}
    inputs = {
        "fewer than k": (table_step(tables), 4, 0, 3, 5),
        "unlikely tokens": (lambda prefix: logs[min(len(prefix), 2)], 5, 2, 9, 2),
    }
    expected = [reference.beam_search(*given) for given in inputs.values()]
    compare_each(inputs, answers(beam_search, inputs.values()), expected, assert_beam)


@test_case(points=1, hidden=True)
def no_new_token(beam_search, rng):
    """0 new tokens give BOS alone with the score 0; 1 new token gives the best k"""
    model = RandomLanguageModel(5, draw_seed(rng))
    for found in answers(beam_search, [(model, 2, 1, 3, 0, alpha) for alpha in (0.0, 0.6)]):
        assert_beam(found, [([2], 0.0)])
    assert_searches(beam_search, rng, {"one new token": (6, {0: 1.0}, (3, 1), with_eos)})


def with_eos(found):
    return any(tokens[-1] == 0 for tokens, _ in found)
