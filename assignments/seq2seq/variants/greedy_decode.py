"""Unusual right answers to `greedy_decode`, which must get full marks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor


def with_argmax(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """An argmax in a while loop, on the live list."""
    tokens = [bos]
    while len(tokens) <= max_new_tokens:
        tokens.append(int(torch.argmax(step(tokens))))
        if tokens[-1] == eos:
            return tokens
    return tokens


def with_numpy(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """NumPy's argmax."""
    tokens = [bos]
    for _ in range(max_new_tokens):
        token = int(np.argmax(np.asarray(step(tokens[:]))))
        tokens += [token]
        if token == eos:
            break
    return tokens


def by_recursion(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """A function that calls itself with a longer prefix."""

    def grow(tokens: list[int], left: int) -> list[int]:
        if left == 0:
            return tokens
        token = step(tokens).argmax().item()
        return [*tokens, token] if token == eos else grow([*tokens, token], left - 1)

    return grow([bos], max_new_tokens)


def with_generator(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """A generator of tokens, cut by islice."""
    from itertools import islice

    def tokens():
        prefix = [bos]
        while prefix[-1] != eos:
            logits = step(list(prefix)).tolist()
            prefix.append(logits.index(max(logits)))
            yield prefix[-1]

    return [bos, *islice(tokens(), max_new_tokens)]


def with_python_max(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """Python's max over the token ids, which prefers the first."""
    tokens, finished = [bos], False
    while not finished and len(tokens) - 1 < max_new_tokens:
        logits = step(list(tokens)).tolist()
        token = max(range(len(logits)), key=logits.__getitem__)
        tokens.append(token)
        finished = token == eos
    return tokens


def with_stable_sort(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The first of a stable sort in falling order."""
    tokens = [bos]
    for _ in range(max_new_tokens):
        order = torch.sort(step(list(tokens)), descending=True, stable=True).indices
        tokens.append(order[0].item())
        if tokens[-1] == eos:
            break
    return tokens


def with_deque(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """A deque of tokens and a counter that runs down."""
    from collections import deque

    tokens, left = deque([bos]), max_new_tokens
    while left > 0:
        left -= 1
        tokens.append(int(step(list(tokens)).max(dim=-1).indices))
        if tokens[-1] == eos:
            left = 0
    return list(tokens)


def with_strict_comparison(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """A search by hand from left to right, in which only a larger logit wins."""
    tokens = [bos]
    for _ in range(max_new_tokens):
        logits = [float(logit) for logit in step(list(tokens))]
        best = 0
        for token in range(1, len(logits)):
            if logits[token] > logits[best]:
                best = token
        tokens.append(best)
        if best == eos:
            break
    return tokens


def in_a_tensor(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """Tokens in a tensor that is filled from the left."""
    tokens = torch.full((max_new_tokens + 1,), bos, dtype=torch.int64)
    length = 1
    with torch.no_grad():
        while length <= max_new_tokens:
            tokens[length] = step(tokens[:length].tolist()).argmax()
            length += 1
            if tokens[length - 1] == eos:
                break
    return tokens[:length].tolist()


def as_a_class(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """A class inside the function that keeps the state."""

    class Decoder:
        def __init__(self) -> None:
            self.tokens = [bos]

        def finished(self) -> bool:
            return len(self.tokens) > max_new_tokens or self.tokens[1:][-1:] == [eos]

        def advance(self) -> None:
            self.tokens = [*self.tokens, int(step(self.tokens).argmax())]

    decoder = Decoder()
    while not decoder.finished():
        decoder.advance()
    return decoder.tokens


def with_lowest_of_the_maxima(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """All tokens that reach the maximum, and the lowest of them."""
    tokens = [bos]
    for _ in range(max_new_tokens):
        logits = step(list(tokens))
        tokens.append(int(torch.where(logits == logits.max())[0].min()))
        if tokens[-1] == eos:
            break
    return tokens
