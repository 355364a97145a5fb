"""Known wrong answers to `beam_search`: each docstring is the student's hint."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor


def prunes_each_hypothesis_alone(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Each hypothesis seems to keep its own best continuation after the first round.

    Revisit who competes with whom: all candidates of a round stand in one list.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        wanted, survivors = (k if len(beam[0][0]) == 1 else 1), []
        for tokens, total in beam:
            if tokens[-1] == eos:
                survivors.append((tokens, total))
                continue
            scores = list(enumerate(step(list(tokens)).tolist()))
            best = sorted(scores, key=lambda pair: -pair[1])[:wanted]
            survivors += [([*tokens, token], total + score) for token, score in best]
        beam = [(tokens, total) for tokens, total in survivors if total > -math.inf]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def keeps_one_hypothesis(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Only the single best hypothesis seems to live through a round, which is greedy decoding.

    Revisit how many hypotheses stay, and why the second best may win later.
    """
    tokens, total = [bos], 0.0
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        scores = step(list(tokens)).tolist()
        total += max(scores)
        tokens = [*tokens, scores.index(max(scores))]
    return [(tokens, total / max(len(tokens) - 1, 1) ** alpha)]


def hard_codes_two_hypotheses(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Two hypotheses seem to be kept, as in the lesson, whatever k is.

    Revisit which argument says how many stay.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:2]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def keeps_one_too_many(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """One hypothesis more than k seems to stay in each round.

    Revisit the bound of the slice, and count what is left for k = 1.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[: k + 1]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])[:k]


def never_prunes(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Far more than k hypotheses seem to live on, and the choice is made only at the end.

    Revisit when the beam is cut: a search that forgets nothing is not a beam search.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[: 50 * k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])[:k]


def drops_finished_hypotheses(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Finished hypotheses seem to vanish when the others go on.

    Revisit what a hypothesis does after its EOS: it stays as it is and still competes.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = []
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        if not candidates:
            break
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def extends_finished_hypotheses(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Tokens seem to be added after EOS.

    Revisit which hypotheses a round extends.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = []
        for tokens, total in beam:
            for token, score in enumerate(step(list(tokens)).tolist()):
                if score > -math.inf:
                    candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def sets_finished_hypotheses_aside(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Finished hypotheses seem to wait outside the beam, where they take no place from the others.

    Revisit what they compete for: finished or not, only k stay in each round.
    """
    beam, finished = [([bos], 0.0)], []
    for _ in range(max_new_tokens):
        candidates = []
        for tokens, total in beam:
            for token, score in enumerate(step(list(tokens)).tolist()):
                if score > -math.inf:
                    candidates.append(([*tokens, token], total + score))
        best = sorted(candidates, key=lambda pair: -pair[1])[:k]
        finished += [pair for pair in best if pair[0][-1] == eos]
        beam = [pair for pair in best if pair[0][-1] != eos]
    pool = [(t, total / max(len(t) - 1, 1) ** alpha) for t, total in finished + beam]
    return sorted(pool, key=lambda pair: -pair[1])[:k]


def narrows_beam_by_finished_hypotheses(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """A finished hypothesis seems to hold its place for good, even against better ones.

    Revisit whether finished hypotheses can still be pushed out by longer ones.
    """
    beam, finished = [([bos], 0.0)], []
    for _ in range(max_new_tokens):
        candidates = []
        for tokens, total in beam:
            for token, score in enumerate(step(list(tokens)).tolist()):
                if score > -math.inf:
                    candidates.append(([*tokens, token], total + score))
        best = sorted(candidates, key=lambda pair: -pair[1])[: k - len(finished)]
        finished += [pair for pair in best if pair[0][-1] == eos]
        beam = [pair for pair in best if pair[0][-1] != eos]
    pool = [(t, total / max(len(t) - 1, 1) ** alpha) for t, total in finished + beam]
    return sorted(pool, key=lambda pair: -pair[1])


def stops_at_first_finished_hypothesis(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The search seems to end as soon as one hypothesis is finished.

    Revisit when nothing is left to extend.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        if any(tokens[-1] == eos for tokens, _ in beam):
            break
        candidates = []
        for tokens, total in beam:
            for token, score in enumerate(step(list(tokens)).tolist()):
                if score > -math.inf:
                    candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def stops_when_the_best_is_finished(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The search seems to end when the best hypothesis is finished, while others are half-way.

    Revisit the stopping rule: it speaks of all that are kept, and the end may rank them anew.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        if beam[0][0][-1] == eos:
            break
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def returns_finished_hypotheses_only(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Hypotheses without EOS seem to be left out of the result.

    Revisit what is returned when max_new_tokens ends the search: all that the beam holds.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    finished = [pair for pair in beam if pair[0][-1] == eos] or beam
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in finished]
    return sorted(ranked, key=lambda pair: -pair[1])


def normalises_during_the_search(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The length normalisation seems to decide in each round who stays.

    Revisit when α is used: once, after the search, while the search itself compares raw sums.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1] / (len(pair[0]) - 1) ** alpha)[:k]
    return [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]


def counts_bos_in_the_length(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The length seems to count BOS.

    Revisit which tokens were generated, for only these have a log-probability in the sum.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / len(tokens) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def leaves_eos_out_of_the_length(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The length seems to leave EOS out.

    Revisit which tokens were generated: EOS was chosen like any other and has its log-probability.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    lengths = [len([token for token in tokens[1:] if token != eos]) for tokens, _ in beam]
    ranked = [(t, s / max(n, 1) ** alpha) for (t, s), n in zip(beam, lengths, strict=True)]
    return sorted(ranked, key=lambda pair: -pair[1])


def uses_gnmt_formula(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The length penalty seems to be the one of a well-known translation system, with its 5 and 6.

    Revisit the formula of this homework, where the plain length stands under the power.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(t, total / ((5 + len(t) - 1) / 6) ** alpha) for t, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def multiplies_by_the_length(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The sums seem to be multiplied by the power of the length.

    Revisit the sign of the sums, and whether normalisation should help or hurt long sentences.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total * max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def multiplies_length_by_alpha(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The length seems to be multiplied by α instead of raised to it.

    Revisit where α stands in the formula, and what becomes of it for 0 < α < 1.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(t, total / (alpha * (len(t) - 1) or 1.0)) for t, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def applies_alpha_twice(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The length normalisation seems to be applied twice, to rank and again to report.

    Revisit how often the sum is divided: once.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    ranked.sort(key=lambda pair: -pair[1])
    return [(tokens, score / max(len(tokens) - 1, 1) ** alpha) for tokens, score in ranked]


def forgets_alpha(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The scores seem to be raw sums, whatever α is.

    Revisit what is divided by what before the last ranking.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    return beam


def always_averages(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The scores seem to be means per token, whatever α is.

    Revisit what α = 0 should leave of the length.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1)) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def does_not_rank_again(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The scores seem to be normalised, but the order is still that of the raw sums.

    Revisit what α may change at the end: not only the numbers but also who comes first.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    return [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]


def reports_raw_sums(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The order seems to be the normalised one, but the scores that come with it are raw sums.

    Revisit what the second member of each pair is.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    return sorted(beam, key=lambda pair: -pair[1] / max(len(pair[0]) - 1, 1) ** alpha)


def returns_the_best_last(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The result seems to be sorted from worst to best.

    Revisit the order of negative numbers: which of −1 and −2 is the better score?
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: pair[1])


def keeps_the_worst(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The beam seems to be cut at its good end.

    Revisit in which direction the candidates are sorted before the first k are taken.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def sorts_by_tokens(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The candidates seem to be sorted by their tokens, which stand first in each pair.

    Revisit what a sort of pairs compares first.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, reverse=True)[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def compares_last_step_only(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The log-probability of the newest token seems to replace the sum so far.

    Revisit the word "cumulative".
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, _total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def multiplies_log_probabilities(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The log-probabilities seem to be multiplied with each other.

    Revisit what becomes of a product of probabilities under the logarithm.
    """
    beam = [([bos], 1.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], -abs(total * score)))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def returns_probabilities(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The scores seem to be turned back into probabilities.

    Revisit the formula of the score, which is a sum of logarithms to the end.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return [(t, math.exp(score)) for t, score in sorted(ranked, key=lambda pair: -pair[1])]


def takes_logarithm_again(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """What `step` returns seems to be taken for probabilities, of which a logarithm is due.

    Revisit what `step` returns here, which may be negative.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                scores = torch.log(step(list(tokens)).clamp(min=1e-9)).tolist()
                candidates += [([*tokens, i], total + score) for i, score in enumerate(scores)]
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def returns_only_the_best(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Only the winner seems to come back.

    Revisit what is returned: everything that is left in the beam.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])[:1]


def fails_when_k_exceeds_vocabulary(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The k best tokens of one step seem to be asked for even when there are fewer than k.

    Revisit a beam that is wider than the vocabulary.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                values, indices = step(list(tokens)).topk(k)
                for token, score in zip(indices.tolist(), values.tolist(), strict=True):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def narrows_beam_to_vocabulary(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The beam seems to be no wider than the vocabulary, although k is larger.

    Revisit how many candidates the second round has: more than there are tokens.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                scores = step(list(tokens)).tolist()
                k = min(k, len(scores))
                candidates += [([*tokens, i], total + score) for i, score in enumerate(scores)]
        candidates = [pair for pair in candidates if pair[1] > -math.inf]
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def keeps_impossible_candidates(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Candidates with a score of −∞ seem to fill the empty places of the beam.

    Revisit what a log-probability of −∞ says about a hypothesis.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def drops_unlikely_candidates(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Candidates far below zero seem to be dropped although they are possible.

    Revisit which candidates may be dropped: those of probability 0 and no others.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if total + score > -10.0:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def starts_with_k_copies(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The search seems to start with k copies of BOS, so the same hypothesis fills the beam.

    Revisit how many different hypotheses there are before the first token.
    """
    beam = [([bos], 0.0)] * k
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def keeps_one_hypothesis_per_last_token(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Hypotheses that end in the same token seem to overwrite each other.

    Revisit what makes a hypothesis: all of its tokens, not only the newest.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        best = {tokens[-1]: (tokens, total) for tokens, total in beam if tokens[-1] == eos}
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if total + score > best.get(token, ([], -math.inf))[1]:
                        best[token] = ([*tokens, token], total + score)
        beam = sorted(best.values(), key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def passes_last_token_only(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The model seems to be shown only the newest token of each hypothesis.

    Revisit what a decoder attends to: everything that the hypothesis holds so far.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(tokens[-1:]).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def drops_bos(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The hypotheses seem to come back without BOS.

    Revisit what the tokens of each pair begin with.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens[1:], total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def drops_eos(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The hypotheses seem to come back without the EOS that finished them.

    Revisit what the tokens of a finished hypothesis end with.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(t, total / max(len(t) - 1, 1) ** alpha) for t, total in beam]
    ranked.sort(key=lambda pair: -pair[1])
    return [(t[:-1] if t[-1] == eos else t, score) for t, score in ranked]


def counts_bos_as_new(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """BOS seems to be counted among the new tokens, so there is one round too few.

    Revisit what max_new_tokens counts.
    """
    beam = [([bos], 0.0)]
    for _ in range(1, max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def makes_one_round_too_many(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The hypotheses seem to be one token longer than they may be.

    Revisit the number of rounds, and what is left of it for max_new_tokens = 0.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens + 1):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def fails_without_new_tokens(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The length of a hypothesis that is only BOS seems to be divided by, although it is 0.

    Revisit what must come back when no token may be added.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / (len(tokens) - 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def returns_nothing_without_new_tokens(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """An empty list seems to come back when no token may be added.

    Revisit what the beam holds before the first round.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(t, total / (len(t) - 1) ** alpha) for t, total in beam if len(t) > 1]
    return sorted(ranked, key=lambda pair: -pair[1])


def takes_eos_zero_for_missing(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """An EOS with the id 0 seems to be taken for "none given", so nothing ever finishes.

    Revisit which values count as false in a condition.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if eos and pair[0][-1] == eos]
        for tokens, total in beam:
            if not (eos and tokens[-1] == eos):
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def hard_codes_eos_of_lesson(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Hypotheses seem to be finished by the lesson's EOS, whatever id is given.

    Revisit which argument closes a hypothesis.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == 11]
        for tokens, total in beam:
            if tokens[-1] != 11:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def pads_finished_hypotheses_with_eos(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Finished hypotheses seem to be filled up with EOS for as long as others grow.

    Revisit what "stay as they are" means for their tokens and for their length.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        if all(eos in tokens[1:] for tokens, _ in beam):
            break
        candidates = [([*tokens, eos], total) for tokens, total in beam if eos in tokens[1:]]
        for tokens, total in beam:
            if eos not in tokens[1:]:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def shares_one_list_of_tokens(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The candidates of one hypothesis seem to share its list, so each sees all of their tokens.

    Revisit when a list is copied and when it only gets another name.
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                for token, score in enumerate(step(list(tokens)).tolist()):
                    tokens.append(token)
                    candidates.append((tokens, total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def remembers_earlier_searches(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Log-probabilities of an earlier search seem to be used again for another model.

    Revisit what the result may depend on: the arguments of this call and nothing else.
    """
    known = globals().setdefault("_known_prefixes", {})
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        candidates = [pair for pair in beam if pair[0][-1] == eos]
        for tokens, total in beam:
            if tokens[-1] != eos:
                if tuple(tokens) not in known:
                    known[tuple(tokens)] = step(list(tokens)).tolist()
                for token, score in enumerate(known[tuple(tokens)]):
                    if score > -math.inf:
                        candidates.append(([*tokens, token], total + score))
        beam = sorted(candidates, key=lambda pair: -pair[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda pair: -pair[1])


def keeps_at_least_two(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """More than one hypothesis seems to be kept where one was asked for.

    Revisit what the search becomes with the smallest k.
    """
    beams = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        if all(tokens[-1] == eos and len(tokens) > 1 for tokens, _ in beams):
            break
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == eos and len(tokens) > 1:
                candidates.append((tokens, score))
                continue
            for token, value in enumerate(step(list(tokens)).tolist()):
                if value > -math.inf:
                    candidates.append(([*tokens, token], score + value))
        beams = sorted(candidates, key=lambda beam: -beam[1])[: max(k, 2)]
    ranked = [(tokens, score / max(len(tokens) - 1, 1) ** alpha) for tokens, score in beams]
    return sorted(ranked, key=lambda beam: -beam[1])


def adds_scores_in_place(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """What the model returned seems to be written into, so the model is no longer the same.

    Revisit whose tensor that is, and who may still need it.
    """
    beams = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        if all(tokens[-1] == eos and len(tokens) > 1 for tokens, _ in beams):
            break
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == eos and len(tokens) > 1:
                candidates.append((tokens, score))
                continue
            total = step(list(tokens))
            total += score
            for token, value in enumerate(total.tolist()):
                if value > -math.inf:
                    candidates.append(([*tokens, token], value))
        beams = sorted(candidates, key=lambda beam: -beam[1])[:k]
    ranked = [(tokens, score / max(len(tokens) - 1, 1) ** alpha) for tokens, score in beams]
    return sorted(ranked, key=lambda beam: -beam[1])


def rounds_scores(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The scores seem to be rounded to the digits that the lesson prints.

    Revisit the difference between a number and how it is shown.
    """
    beams = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        if all(tokens[-1] == eos and len(tokens) > 1 for tokens, _ in beams):
            break
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == eos and len(tokens) > 1:
                candidates.append((tokens, score))
                continue
            for token, value in enumerate(step(list(tokens)).tolist()):
                if value > -math.inf:
                    candidates.append(([*tokens, token], score + value))
        beams = sorted(candidates, key=lambda beam: -beam[1])[:k]
    ranked = [(tokens, score / max(len(tokens) - 1, 1) ** alpha) for tokens, score in beams]
    return [(tokens, round(score, 3)) for tokens, score in sorted(ranked, key=lambda b: -b[1])]


def refills_the_beam(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Finished hypotheses seem to be put aside and their places filled, until k are finished.

    Revisit what finished hypotheses compete for, and when the search ends.
    """
    live, done = [([bos], 0.0)], []
    for _ in range(max_new_tokens):
        candidates = []
        for tokens, score in live:
            for token, value in enumerate(step(list(tokens)).tolist()):
                if value > -math.inf:
                    candidates.append(([*tokens, token], score + value))
        candidates.sort(key=lambda beam: -beam[1])
        done += [beam for beam in candidates[: 2 * k] if beam[0][-1] == eos]
        live = [beam for beam in candidates if beam[0][-1] != eos][:k]
        if len(done) >= k or not live:
            break
    final = (done + live) if len(done) < k else done
    ranked = [(tokens, score / max(len(tokens) - 1, 1) ** alpha) for tokens, score in final]
    return sorted(ranked, key=lambda beam: -beam[1])[:k]


def stops_when_k_were_finished(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The search seems to count hypotheses that were finished once, also those pushed out since.

    Revisit when the search ends: it looks at what the beam holds now.
    """
    beams, finished = [([bos], 0.0)], set()
    for _ in range(max_new_tokens):
        if len(finished) >= k or all(len(t) > 1 and t[-1] == eos for t, _ in beams):
            break
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == eos and len(tokens) > 1:
                candidates.append((tokens, score))
                continue
            for token, value in enumerate(step(list(tokens)).tolist()):
                if value > -math.inf:
                    candidates.append(([*tokens, token], score + value))
        beams = sorted(candidates, key=lambda beam: -beam[1])[:k]
        finished |= {tuple(tokens) for tokens, _ in beams if tokens[-1] == eos}
    ranked = [(tokens, score / max(len(tokens) - 1, 1) ** alpha) for tokens, score in beams]
    return sorted(ranked, key=lambda beam: -beam[1])


def leaves_every_bos_out_of_the_length(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """A token that happens to be BOS seems not to count where it was generated.

    Revisit which tokens the length leaves out: the one that opens the hypothesis.
    """
    beams = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        if all(tokens[-1] == eos and len(tokens) > 1 for tokens, _ in beams):
            break
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == eos and len(tokens) > 1:
                candidates.append((tokens, score))
                continue
            for token, value in enumerate(step(list(tokens)).tolist()):
                if value > -math.inf:
                    candidates.append(([*tokens, token], score + value))
        beams = sorted(candidates, key=lambda beam: -beam[1])[:k]
    ranked = [(t, s / max(sum(x != bos for x in t), 1) ** alpha) for t, s in beams]
    return sorted(ranked, key=lambda beam: -beam[1])


def multiplies_probabilities(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """The probabilities seem to be multiplied, and very small ones become 0.

    Revisit why searches add logarithms instead.
    """
    beams = [([bos], 1.0)]
    for _ in range(max_new_tokens):
        if all(tokens[-1] == eos and len(tokens) > 1 for tokens, _ in beams):
            break
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == eos and len(tokens) > 1:
                candidates.append((tokens, score))
                continue
            for token, value in enumerate(step(list(tokens)).exp().tolist()):
                if score * value > 0:
                    candidates.append(([*tokens, token], score * value))
        beams = sorted(candidates, key=lambda beam: -beam[1])[:k]
    ranked = [(t, math.log(score) / max(len(t) - 1, 1) ** alpha) for t, score in beams]
    return sorted(ranked, key=lambda beam: -beam[1])
