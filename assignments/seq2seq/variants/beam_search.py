"""Unusual right answers to `beam_search`, which must get full marks."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor


def top_tokens_of_each_hypothesis(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Only the best k tokens of each hypothesis, since no more of one parent can stay."""
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                scores = step(list(tokens))
                values, indices = scores.topk(min(k, scores.numel()))
                for value, index in zip(values.tolist(), indices.tolist(), strict=True):
                    if value != -math.inf:
                        candidates.append(([*tokens, index], total + value))
        beam = sorted(candidates, key=lambda pair: pair[1], reverse=True)[:k]
        if all(tokens[-1] == eos for tokens, _ in beam):
            break
    ranked = [(tokens, total / max(1, len(tokens) - 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: pair[1], reverse=True)


def with_heap(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """A heap of the best k, in which the worst lies on top."""
    import heapq

    beam = [(0.0, [bos])]
    for _ in range(max_new_tokens):
        heap: list[tuple[float, list[int]]] = []
        for total, tokens in beam:
            children = [(total, tokens)]
            if tokens[-1] != eos:
                scores = enumerate(step(tokens[:]).tolist())
                children = [(total + score, [*tokens, token]) for token, score in scores]
            for child in children:
                if child[0] > -math.inf:
                    heapq.heappush(heap, child)
                    if len(heap) > k:
                        heapq.heappop(heap)
        beam = heap
        if all(tokens[-1] == eos for _, tokens in beam):
            break
    scored = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for total, tokens in beam]
    return sorted(scored, key=lambda pair: -pair[1])


def with_nlargest(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The largest k of a generator of candidates, by heapq."""
    import heapq

    def candidates(beam: list[tuple[float, tuple[int, ...]]]):
        for total, tokens in beam:
            if tokens[-1] == eos:
                yield total, tokens
                continue
            for token, score in enumerate(step(list(tokens)).tolist()):
                if math.isfinite(score):
                    yield total + score, (*tokens, token)

    beam: list[tuple[float, tuple[int, ...]]] = [(0.0, (bos,))]
    for _ in range(max_new_tokens):
        if all(tokens[-1] == eos for _, tokens in beam):
            break
        beam = heapq.nlargest(k, candidates(beam))
    final = [(total / max(len(tokens) - 1, 1) ** alpha, list(tokens)) for total, tokens in beam]
    return [(tokens, score) for score, tokens in sorted(final, reverse=True)]


def vectorised(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """All candidates of a round in one matrix, with topk over its entries."""
    beam, totals = [[bos]], torch.zeros(1, dtype=torch.float64)
    for _ in range(max_new_tokens):
        open_rows = [i for i, tokens in enumerate(beam) if tokens[-1] != eos]
        if not open_rows:
            break
        done = [i for i in range(len(beam)) if i not in open_rows]
        scores = torch.stack([step(list(beam[i])).double() for i in open_rows])
        extended = (totals[open_rows].unsqueeze(1) + scores).flatten()
        pool = torch.cat([totals[done], extended])
        values, order = pool.topk(min(k, len(pool)))
        order = order[values > -math.inf]
        names = [beam[i] for i in done]
        names += [[*beam[i], token] for i in open_rows for token in range(scores.size(1))]
        beam, totals = [names[i] for i in order.tolist()], pool[order]
    lengths = torch.tensor([max(len(tokens) - 1, 1) for tokens in beam], dtype=torch.float64)
    final = totals / lengths**alpha
    return [(beam[i], final[i].item()) for i in final.argsort(descending=True).tolist()]


def with_numpy(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """NumPy scores and one argsort per round."""
    beam: list[tuple[list[int], float]] = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        names, totals = [], []
        for tokens, total in beam:
            if tokens[-1] == eos:
                names.append(tokens)
                totals.append(np.array([total]))
            else:
                scores = np.asarray(step(list(tokens)), dtype=np.float64)
                names += [[*tokens, token] for token in range(len(scores))]
                totals.append(total + scores)
        pool = np.concatenate(totals)
        order = np.argsort(-pool, kind="stable")[:k]
        beam = [(names[i], float(pool[i])) for i in order if np.isfinite(pool[i])]
        if all(tokens[-1] == eos for tokens, _ in beam):
            break
    scores = np.array([total / max(len(tokens) - 1, 1) ** alpha for tokens, total in beam])
    return [(beam[i][0], float(scores[i])) for i in np.argsort(-scores)]


def by_recursion(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """A round calls the next one with one token less to go."""

    def grow(beam: list[tuple[list[int], float]], left: int) -> list[tuple[list[int], float]]:
        if left == 0 or all(tokens[-1] == eos for tokens, _ in beam):
            return beam
        children = []
        for tokens, total in beam:
            if tokens[-1] == eos:
                children.append((tokens, total))
            else:
                row = step(list(tokens)).tolist()
                children += [([*tokens, i], total + s) for i, s in enumerate(row) if s > -math.inf]
        return grow(sorted(children, key=lambda pair: -pair[1])[:k], left - 1)

    final = grow([([bos], 0.0)], max_new_tokens)
    normal = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in final]
    return sorted(normal, key=lambda pair: -pair[1])


def hypotheses_as_objects(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """A class of hypotheses that extend and score themselves."""

    class Hypothesis:
        def __init__(self, tokens: list[int], total: float) -> None:
            self.tokens, self.total = tokens, total
            self.finished = tokens[-1] == eos

        def children(self) -> list:
            if self.finished:
                return [self]
            scores = enumerate(step(list(self.tokens)).tolist())
            return [Hypothesis([*self.tokens, i], self.total + score) for i, score in scores]

        def score(self) -> float:
            return self.total / max(len(self.tokens) - 1, 1) ** alpha

    beam = [Hypothesis([bos], 0.0)]
    for _ in range(max_new_tokens):
        if all(hypothesis.finished for hypothesis in beam):
            break
        pool = [child for hypothesis in beam for child in hypothesis.children()]
        pool = [child for child in pool if child.total != -math.inf]
        beam = sorted(pool, key=lambda child: child.total, reverse=True)[:k]
    beam.sort(key=lambda hypothesis: hypothesis.score(), reverse=True)
    return [(hypothesis.tokens, hypothesis.score()) for hypothesis in beam]


def scores_by_token_tuple(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """A dictionary from all tokens of a hypothesis to its sum."""
    beam = {(bos,): 0.0}
    for _ in range(max_new_tokens):
        pool = {tokens: total for tokens, total in beam.items() if tokens[-1] == eos}
        if len(pool) == len(beam):
            break
        for tokens in beam.keys() - pool.keys():
            for token, score in enumerate(step(list(tokens)).tolist()):
                pool[(*tokens, token)] = beam[tokens] + score
        best = sorted(pool, key=pool.__getitem__, reverse=True)[:k]
        beam = {tokens: pool[tokens] for tokens in best if pool[tokens] > -math.inf}
    length = {tokens: max(len(tokens) - 1, 1) for tokens in beam}
    final = [(list(tokens), total / length[tokens] ** alpha) for tokens, total in beam.items()]
    return sorted(final, key=lambda pair: -pair[1])


def sums_as_tensors(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """0-d tensors as sums, which become numbers at the end."""
    beam = [([bos], torch.tensor(0.0, dtype=torch.float64))]
    for _ in range(max_new_tokens):
        finished = [pair for pair in beam if pair[0][-1] == eos]
        unfinished = [pair for pair in beam if pair[0][-1] != eos]
        if not unfinished:
            break
        extended = [
            ([*tokens, token], total + score)
            for tokens, total in unfinished
            for token, score in enumerate(step(tokens))
        ]
        possible = [pair for pair in finished + extended if not torch.isinf(pair[1])]
        beam = sorted(possible, key=lambda pair: float(pair[1]), reverse=True)[:k]
    final = [(tokens, float(total) / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    final.sort(key=lambda pair: pair[1])
    return final[::-1]


def in_two_lists(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Finished and unfinished hypotheses in two lists, joined and cut in each round."""
    import itertools

    finished: list[tuple[float, list[int]]] = []
    unfinished: list[tuple[float, list[int]]] = [(0.0, [bos])]
    rounds = 0
    while unfinished and rounds < max_new_tokens:
        rounds += 1
        rows = [step(list(tokens)).tolist() for _, tokens in unfinished]
        ids = itertools.product(range(len(rows)), range(len(rows[0])))
        pool = [(unfinished[i][0] + rows[i][j], [*unfinished[i][1], j]) for i, j in ids]
        pool = sorted((pair for pair in pool + finished if pair[0] > -math.inf), reverse=True)
        finished = [pair for pair in pool[:k] if pair[1][-1] == eos]
        unfinished = [pair for pair in pool[:k] if pair[1][-1] != eos]
    best = [(s / max(len(t) - 1, 1) ** alpha, t) for s, t in finished + unfinished]
    return [(tokens, score) for score, tokens in sorted(best, reverse=True)]


def inserted_in_order(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Candidates are inserted into a short list that is always in order."""

    def insert(beam: list[tuple[list[int], float]], tokens: list[int], total: float) -> None:
        place = sum(other >= total for _, other in beam)
        if place < k and total > -math.inf:
            beam.insert(place, (tokens, total))
            del beam[k:]

    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        longer: list[tuple[list[int], float]] = []
        for tokens, total in beam:
            if tokens[-1] == eos:
                insert(longer, tokens, total)
                continue
            for token, score in enumerate(step(list(tokens)).tolist()):
                insert(longer, [*tokens, token], total + score)
        beam = longer
        if not any(tokens[-1] != eos for tokens, _ in beam):
            break
    scores = [total / (len(tokens) - 1 or 1) ** alpha for tokens, total in beam]
    pairs = zip((tokens for tokens, _ in beam), scores, strict=True)
    return sorted(pairs, key=lambda pair: -pair[1])


def asks_for_every_row(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    rows, totals, done = [[bos]], torch.zeros(1, dtype=torch.float64), torch.tensor([False])
    for _ in range(max_new_tokens):
        if bool(done.all()):
            break
        logs = torch.stack([step(list(row)) for row in rows]).double()
        logs[done] = -math.inf
        logs[done, eos if eos < logs.size(1) else 0] = 0.0
        values, places = (totals[:, None] + logs).flatten().sort(descending=True, stable=True)
        kept = (values > -math.inf).nonzero().flatten()[:k]
        totals, places = values[kept], places[kept]
        parents, tokens = places // logs.size(1), places % logs.size(1)
        pairs = zip(parents.tolist(), tokens.tolist(), strict=True)
        rows = [rows[p] if done[p] else [*rows[p], t] for p, t in pairs]
        done = done[parents] | (tokens == eos)
    scores = [float(t) / max(len(r) - 1, 1) ** alpha for r, t in zip(rows, totals, strict=True)]
    return sorted(zip(rows, scores, strict=True), key=lambda pair: -pair[1])
