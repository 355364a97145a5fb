"""A model for grading decoders: its next token depends on the whole prefix, and nothing ties."""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Mapping

import torch
from torch import Tensor

from autograder.checking import Mismatch, as_tokens


class RandomLanguageModel:
    """A `step` function that records how it is called.

    Args:
        vocabulary: V, the number of tokens.
        seed: two models of one seed are the same function.
        bias: added to the logits of these tokens; makes EOS likely or rare.
        noise: standard deviation of a disturbance of the logits, to see whether a result hangs on
            a difference of that size.
        max_calls: one call more raises a `Mismatch`.
    """

    def __init__(
        self,
        vocabulary: int,
        seed: int,
        *,
        bias: Mapping[int, float] | None = None,
        noise: float = 0.0,
        max_calls: int = 5000,
    ) -> None:
        self.__name__ = "step"
        self.vocabulary = vocabulary
        self.calls: list[list[int]] = []
        self._seed = seed
        self._bias = dict(bias or {})
        self._noise = noise
        self._max_calls = max_calls
        self._known: dict[tuple[int, ...], Tensor] = {}

    def again(self) -> RandomLanguageModel:
        """Return the same function with no calls recorded; what is worked out already is shared."""
        model = copy.copy(self)
        model.calls = []
        return model

    def __call__(self, prefix: object) -> Tensor:
        """Return log-probabilities (V,) float32 for the token after the prefix.

        Raises:
            Mismatch: if the prefix is no list of token ids, or the calls do not end.
        """
        tokens = as_tokens(prefix, "the prefix given to `step`")
        if len(self.calls) >= self._max_calls:
            raise Mismatch("`step` is called again and again: when does the search stop?")
        self.calls.append(tokens)
        key = tuple(tokens)
        if key not in self._known:
            self._known[key] = self._log_probabilities(tokens)
        return self._known[key].clone()

    def _log_probabilities(self, tokens: list[int]) -> Tensor:
        draw = random.Random(hash((self._seed, *tokens))).gauss  # noqa: S311  (quicker than torch)
        logits = [draw(0, 1) + self._bias.get(token, 0.0) for token in range(self.vocabulary)]
        logits[logits.index(max(logits))] += 0.1  # greedy decoding never hangs on rounding
        if self._noise:
            logits = [logit + self._noise * draw(0, 1) for logit in logits]
        total = math.log(sum(map(math.exp, logits)))
        return torch.tensor([logit - total for logit in logits])


def draw_seed(rng: torch.Generator) -> int:
    """Draw a seed for a model from a case's generator."""
    return int(torch.randint(1 << 40, (), generator=rng))
