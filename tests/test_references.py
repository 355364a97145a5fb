"""The references against the lesson's figures and against slow, independent ways to the same."""

import functools
import itertools
import math

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from autograder.language_model import RandomLanguageModel
from solutions import seq2seq

sizes = st.integers(1, 5)


def drawn(seed, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@given(sizes, sizes, sizes, sizes, st.integers(0, 999), st.booleans())
def test_attention_is_a_weighted_mean_computed_entry_by_entry(n_q, n_k, d_k, d_v, seed, masked):
    query, key, value = drawn(seed, n_q, d_k), drawn(seed + 1, n_k, d_k), drawn(seed + 2, n_k, d_v)
    mask = drawn(seed + 3, n_q, n_k) if masked else torch.zeros(n_q, n_k, dtype=torch.float64)
    output, weights = seq2seq.scaled_dot_product_attention(query, key, value, mask)
    for i in range(n_q):
        scores = [
            sum(float(query[i, c] * key[j, c]) for c in range(d_k)) / math.sqrt(d_k)
            + float(mask[i, j])
            for j in range(n_k)
        ]
        total = sum(math.exp(score) for score in scores)
        for j in range(n_k):
            assert math.isclose(weights[i, j], math.exp(scores[j]) / total, rel_tol=1e-9)
        for c in range(d_v):
            mean = sum(math.exp(scores[j]) / total * float(value[j, c]) for j in range(n_k))
            assert math.isclose(output[i, c], mean, rel_tol=1e-9, abs_tol=1e-12)


@given(st.integers(1, 30), st.integers(1, 12))
def test_positions_follow_the_formula_entry_by_entry(max_len, half):
    encoding = seq2seq.positional_encoding(max_len, 2 * half)
    for pos, i in itertools.product(range(max_len), range(half)):
        angle = pos / 10000 ** (2 * i / (2 * half))
        assert abs(encoding[pos, 2 * i] - math.sin(angle)) < 1e-6
        assert abs(encoding[pos, 2 * i + 1] - math.cos(angle)) < 1e-6


@given(
    st.integers(2, 6),
    st.integers(1, 6),
    st.floats(0, 1),
    st.integers(0, 999),
    st.sampled_from([None, 0, 1, -100]),
)
def test_the_loss_is_that_of_torch(classes, count, epsilon, seed, ignored):
    logits = 3 * drawn(seed, count, classes)
    labels = torch.randint(0, classes, (count,), generator=torch.Generator().manual_seed(seed))
    if ignored is not None and (labels == ignored).all():
        return
    loss = seq2seq.smoothed_cross_entropy(logits, labels, epsilon, ignored)
    expected = nn.functional.cross_entropy(
        logits, labels, label_smoothing=epsilon, ignore_index=-1 if ignored is None else ignored
    )
    assert math.isclose(loss, expected, rel_tol=1e-6, abs_tol=1e-9)


def best_sentence(model, bos, eos, limit):
    """Try all sentences; returns the best log-probability."""
    best = -math.inf
    for length in range(1, limit + 1):
        for tokens in itertools.product(range(model.vocabulary), repeat=length):
            ends = tokens[-1] == eos or length == limit
            if ends and eos not in tokens[:-1]:
                prefixes = [[bos, *tokens[:n]] for n in range(length)]
                score = sum(float(model(p)[t]) for p, t in zip(prefixes, tokens, strict=True))
                best = max(best, score)
    return best


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 3), st.integers(1, 3))
def test_a_wide_beam_finds_the_optimum_and_a_narrow_one_is_greedy(seed, vocabulary, limit):
    model = RandomLanguageModel(vocabulary, seed, max_calls=10**6)
    wide = seq2seq.beam_search(model, 9, 0, k=vocabulary**limit, max_new_tokens=limit)
    assert math.isclose(wide[0][1], best_sentence(model, 9, 0, limit), abs_tol=1e-5)
    assert [score for _, score in wide] == sorted((s for _, s in wide), reverse=True)
    narrow = seq2seq.beam_search(model, 9, 0, k=1, max_new_tokens=limit)
    assert [narrow[0][0]] == [seq2seq.greedy_decode(model, 9, 0, limit)]


def next_token(model, digit, prefix):
    with torch.no_grad():
        logits = model(
            torch.tensor([[digit]]), torch.tensor([prefix]), seq2seq.causal_mask(len(prefix))
        )
    return logits[0, -1].log_softmax(-1)


def test_the_toy_model_learns_as_the_lesson_says():
    """Figures with dropout 0: 2.8435, .3011, .0128, .0041, .0022, and ten digits out of ten."""
    torch.manual_seed(99)
    model = seq2seq.ToySeq2Seq(dropout=0.0)
    assert sum(p.numel() for p in model.parameters()) == 6220
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    digits = torch.arange(10)
    target = torch.tensor([[10, d, d, 11] for d in range(10)])
    losses = [seq2seq.train_step(model, optimizer, digits[:, None], target) for _ in range(300)]
    figures = [losses[epoch] for epoch in (0, 50, 100, 200, 299)]
    expected = [2.843536, 0.301099, 0.012849, 0.004092, 0.002154]
    torch.testing.assert_close(torch.tensor(figures), torch.tensor(expected), atol=1e-3, rtol=0)
    model.eval()
    for digit in range(10):
        step = functools.partial(next_token, model, digit)
        assert seq2seq.greedy_decode(step, 10, 11, 5) == [10, digit, digit, 11]
        assert seq2seq.beam_search(step, 10, 11, 2, 5)[0][0] == [10, digit, digit, 11]
