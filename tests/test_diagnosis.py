"""A wrong answer is told which known mistake does the same; a right one costs nothing."""

import dataclasses

import numpy as np
import pytest
import torch

from autograder.audit.messages import read_messages
from autograder.bank import MISTAKES, bank_names, read_bank
from autograder.checking import LocalFunction
from autograder.diagnosis import calls, diagnose
from autograder.diagnosis.sameness import alike
from autograder.grading import engine
from autograder.grading.intake import Cell, Submission
from autograder.homework import load_homework
from autograder.samples import bank_answer

HOMEWORK = load_homework("seq2seq")
ASKED = [question for question in HOMEWORK.questions if not question.stretch]
IMPORTS = """
import math
import numpy as np
import torch
import torch.nn.functional as F
from collections.abc import Callable, Sequence
from torch import Tensor, nn
"""


def graded(launcher, question, source, seed=None, before=""):
    """Grade one answer, as a notebook that answers nothing else."""
    alone = dataclasses.replace(HOMEWORK, question_names=(question,), stretch=frozenset())
    cells = (Cell(0, IMPORTS), Cell(1, before), Cell(2, source))
    return engine.grade(Submission("someone", cells), alone, seed, launcher)


def named(result):
    return {case.misconception for case in result.cases if not case.passed}


@pytest.mark.parametrize("question", [pytest.param(q, id=q.name) for q in ASKED])
def test_every_mistake_is_named_or_one_that_answers_the_same(question):
    readings = list(read_messages(HOMEWORK, question))
    assert [r.mistake.name for r in readings if r.named is None] == []
    others = [r.mistake.name for r in readings if r.named.name != r.mistake.name]
    assert len(others) <= 3, others


@pytest.mark.parametrize("question", [pytest.param(q.name, id=q.name) for q in ASKED])
def test_mistakes_are_named_in_notebooks(question, launcher):
    path = HOMEWORK.bank(MISTAKES, question)
    before = "\n".join(
        bank_answer(HOMEWORK.solutions, name, bank_names(HOMEWORK.solutions).index(name))
        for name in ("causal_mask", "shift_targets")
        if name != question
    )
    for number in range(0, len(bank_names(path)), 7):
        source = bank_answer(path, question, number)
        result = graded(launcher, question, source, seed=1, before=before)
        name = bank_names(path)[number]
        assert result.faults == ()
        if name not in ("steps_before_backward", "keeps_size_of_first_call"):
            assert named(result) == {name}


RESTYLED = {
    ("scaled_dot_product_attention", "divides_by_d_k"): """
def scaled_dot_product_attention(query, key, value, mask=None):
    q, k, v = query.numpy(), key.numpy(), value.numpy()
    logits = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1]
    if mask is not None:
        logits = logits + mask.numpy()
    e = np.exp(logits - logits.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return torch.from_numpy(np.einsum("...ij,...jd->...id", p, v)), torch.from_numpy(p)
""",
    ("scaled_dot_product_attention", "masks_after_softmax"): """
def scaled_dot_product_attention(query, key, value, mask=None):
    a = torch.einsum("...id,...jd->...ij", query, key) * key.shape[-1] ** -0.5
    a = a.exp() / a.exp().sum(-1, keepdim=True) if a.abs().max() < 50 else a.softmax(-1)
    if mask is not None:
        a = torch.where(mask == -math.inf, torch.zeros_like(a), a)
    return torch.einsum("...ij,...jd->...id", a, value), a
""",
    ("causal_mask", "hides_the_past"): """
def causal_mask(n):
    rows = [[-math.inf if j < i else 0.0 for j in range(n)] for i in range(n)]
    return torch.tensor(rows)
""",
    ("positional_encoding", "counts_positions_from_one"): """
def positional_encoding(length, width):
    table = [[0.0] * width for _ in range(length)]
    for p in range(length):
        for i in range(width // 2):
            angle = (p + 1) / 10000 ** (2 * i / width)
            table[p][2 * i], table[p][2 * i + 1] = math.sin(angle), math.cos(angle)
    return torch.tensor(table)
""",
    ("shift_targets", "swaps_input_and_labels"): """
def shift_targets(t):
    left, right = t.tolist(), t.tolist()
    return torch.tensor([r[1:] for r in left]), torch.tensor([r[:-1] for r in right])
""",
    ("smoothed_targets", "smooths_over_other_classes"): """
def smoothed_targets(labels, num_classes, epsilon=0.1):
    eye = np.eye(num_classes, dtype=np.float32)[labels.numpy()]
    return torch.from_numpy(np.where(eye > 0, 1 - epsilon, epsilon / (num_classes - 1)))
""",
    ("smoothed_cross_entropy", "sums_over_positions"): """
def smoothed_cross_entropy(logits, labels, epsilon=0.1, ignore_index=None):
    z, y = logits.reshape(-1, logits.shape[-1]), labels.reshape(-1)
    total = 0.0
    for row, label in zip(z, y):
        if ignore_index is None or label != ignore_index:
            p = row - row.logsumexp(0)
            total = total - (1 - epsilon) * p[label] - epsilon * p.sum() / len(p)
    return total
""",
    ("greedy_decode", "drops_eos"): """
def greedy_decode(step, bos, eos, max_new_tokens):
    out = [bos]
    while len(out) < max_new_tokens + 1:
        best = max(enumerate(step(out).tolist()), key=lambda pair: pair[1])[0]
        if best == eos:
            return out
        out = out + [best]
    return out
""",
    ("beam_search", "normalises_during_the_search"): """
def beam_search(step, bos, eos, k=2, max_new_tokens=20, alpha=0.0):
    import heapq
    live = [((bos,), 0.0, False)]
    value = lambda h: h[1] / max(1, len(h[0]) - 1) ** alpha
    for _ in range(max_new_tokens):
        if all(done for *_, done in live):
            break
        grown = [h for h in live if h[2]]
        for seq, total, done in live:
            if not done:
                for tok, lp in enumerate(step(list(seq)).tolist()):
                    if lp != -math.inf:
                        grown.append((seq + (tok,), total + lp, tok == eos))
        live = heapq.nlargest(k, grown, key=value)
    return [(list(h[0]), value(h)) for h in sorted(live, key=value, reverse=True)]
""",
    ("train_step", "keeps_old_gradients"): """
def train_step(net, opt, src, tgt, pad=None):
    net.train()
    x, y = tgt[:, :-1], tgt[:, 1:]
    n = x.shape[1]
    out = net(src, x, torch.triu(torch.full((n, n), -math.inf), 1))
    logp = out.log_softmax(-1).gather(-1, y[..., None])[..., 0]
    keep = torch.ones_like(y, dtype=torch.bool) if pad is None else y != pad
    loss = -logp[keep].mean()
    loss.backward()
    opt.step()
    return float(loss)
""",
}


@pytest.mark.parametrize(
    ("question", "mistake"), [pytest.param(*key, id=key[1]) for key in RESTYLED]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_mistake_in_another_style_is_named(question, mistake, seed, launcher):
    result = graded(launcher, question, RESTYLED[question, mistake], seed)
    assert named(result) == {mistake}


def test_the_hint_comes_once_and_the_name_with_every_failure(launcher):
    source = "def causal_mask(n):\n    return torch.full((n, n), -math.inf).tril(-1)"
    result = graded(launcher, "causal_mask", source)
    (hint,) = {
        k.hint for k in read_bank(HOMEWORK, MISTAKES, "causal_mask") if k.name in named(result)
    }
    assert sum(hint in case.message for case in result.cases) == 1
    assert all((case.misconception is None) == case.passed for case in result.cases)


def test_an_unknown_mistake_is_told_for_which_kinds_it_is_right(launcher):
    source = """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores + mask
    if scores.dim() > 2:
        scores = scores + 0.01 * torch.arange(scores.shape[-1])
    weights = torch.softmax(scores, -1)
    return weights @ value, weights
"""
    result = graded(launcher, "scaled_dot_product_attention", source)
    assert named(result) == {None}
    told = {case.case.name: case.message for case in result.cases}
    assert told["batches_and_heads"].endswith("(right for one sentence, wrong for a batch of 3)")


CLASSES = '''
"""Known wrong answers to `Doubling`."""

from __future__ import annotations

import torch

from solutions.doubling import Doubling


class triples(Doubling):
    """Three times x seems to be returned. Revisit the name."""

    def forward(self, x):
        return torch.add(2 * x, x)
'''
DOUBLING = """class Doubling(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return 2 * x
"""


def test_a_class_of_a_bank_is_written_as_a_students_cell(tmp_path):
    path = tmp_path / "Doubling.py"
    path.write_text(CLASSES)
    assert bank_names(path) == ["triples"]
    scope = {}
    exec("from torch import nn\n" + bank_answer(path, "Doubling", 0, DOUBLING), scope)
    assert scope["Doubling"]()(4) == 12
    assert "triples" not in scope


def test_what_an_answer_needs_is_there_although_its_notebook_has_none(launcher):
    names = bank_names(HOMEWORK.solutions)
    source = bank_answer(HOMEWORK.solutions, "train_step", names.index("train_step"))
    assert "causal_mask(" in source
    assert graded(launcher, "train_step", source).score == 10


def test_right_answers_are_not_diagnosed(launcher, monkeypatch):
    monkeypatch.setattr(engine, "diagnose", lambda *_: pytest.fail("nothing is wrong"))
    source = "def causal_mask(n):\n    return torch.full((n, n), -math.inf).triu(1)"
    assert graded(launcher, "causal_mask", source).score == 8


def test_a_diagnosis_that_fails_loses_nothing(launcher, monkeypatch):
    def broken(*_):
        raise RuntimeError("of the diagnosis")

    monkeypatch.setattr(engine, "diagnose", broken)
    result = graded(launcher, "causal_mask", "def causal_mask(n):\n    return torch.zeros(n, n)")
    assert result.faults == ("diagnosis of causal_mask: RuntimeError: of the diagnosis",)
    assert not any(case.passed for case in result.cases)


def doubled(x):
    return 2 * x


def test_a_call_is_answered_from_what_was_said_and_nothing_else():
    found = []
    recorded = calls.Recorded(LocalFunction(lambda f, x: f(x) + f(x + 1)), found, seed=1)
    assert recorded(doubled, 3) == 14
    again = calls.replay(found[0], lambda f, x: f(x + 1) + f(x))
    assert (again.value, again.asked) == (14, found[0].answer.asked)
    with pytest.raises(calls.Differs):
        calls.replay(found[0], lambda f, x: f(x + 2))


def test_the_reference_is_never_named():
    for question in ASKED[:8]:
        found = []
        reference = HOMEWORK.reference(question.name)
        recorded = calls.Recorded(LocalFunction(reference), found, seed=1)
        for case in question.cases:
            case.test_func(**engine.case_arguments(case.test_func, {question.name: recorded}, 3))
        bank = read_bank(HOMEWORK, MISTAKES, question.name)
        assert diagnose(found, bank, reference) is None


@pytest.mark.parametrize(
    ("one", "other", "closely", "loosely"),
    [
        (torch.ones(2), torch.ones(2), True, True),
        (torch.ones(2), torch.ones(2, dtype=torch.float64), False, True),
        (torch.ones(2), torch.ones(2) + 1e-5, False, True),
        (torch.ones(2), np.ones(2, dtype=np.float32), False, True),
        (torch.ones(2), [1.0, 1.0], False, True),
        (torch.ones(2), torch.ones(3), False, False),
        (torch.tensor([float("nan"), 1.0]), torch.tensor([float("nan"), 1.0]), True, True),
        (torch.tensor([float("inf")]), torch.tensor([1.0]), False, False),
        (([1, 2], -0.5), ([1, 2], -0.5), True, True),
        (([1, 2], -0.5), [[1, 2], -0.5], False, True),
        ([[1], [1, 2]], torch.ones(2), False, False),
        (None, None, True, True),
        (None, "None", False, False),
        ("a", 1, False, False),
    ],
)
def test_answers_are_alike(one, other, closely, loosely):
    assert alike(one, other, strict=True) == closely
    assert alike(one, other, strict=False) == loosely
    assert alike(other, one, strict=False) == loosely
