"""Known wrong answers to `greedy_decode`: each docstring is the student's hint."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def drops_bos(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The sentence seems to come back without the BOS that opened it.

    Revisit what the result begins with.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens[1:]


def drops_eos(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The loop seems to end before EOS is written down.

    Revisit the order of the two steps: is the token added first, or compared first?
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        token = int(step(list(tokens)).argmax())
        if token == eos:
            break
        tokens.append(token)
    return tokens


def does_not_stop_at_eos(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The sentence seems to go on after EOS.

    Revisit when the loop must end early.
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens


def cuts_at_eos_afterwards(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be asked for tokens after EOS, which are then cut off.

    Revisit how often `step` may be called: once for each new token that is returned.
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens[: tokens.index(eos, 1) + 1] if eos in tokens[1:] else tokens


def counts_bos_as_new(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """BOS seems to be counted among the new tokens, so one token too few is made.

    Revisit what max_new_tokens counts.
    """
    tokens = [bos]
    while len(tokens) < max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens


def allows_one_token_too_many(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The loop seems to run once more than it may.

    Revisit the bound, and count by hand for max_new_tokens = 1.
    """
    tokens = [bos]
    for _ in range(max_new_tokens + 1):
        tokens.append(int(step(list(tokens)).argmax()))
        if tokens[-1] == eos:
            break
    return tokens


def makes_at_least_one_token(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """A token seems to be made before the limit is looked at, so 0 new tokens become 1.

    Revisit the case where nothing at all may be added.
    """
    tokens = [bos]
    while True:
        tokens.append(int(step(list(tokens)).argmax()))
        if tokens[-1] == eos or len(tokens) > max_new_tokens:
            return tokens


def ignores_the_limit(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The limit seems to be a constant, whatever max_new_tokens is.

    Revisit which argument ends a sentence that never comes to EOS.
    """
    tokens = [bos]
    for _ in range(50):
        tokens.append(int(step(list(tokens)).argmax()))
        if tokens[-1] == eos:
            break
    return tokens


def does_not_count_eos(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """EOS seems to be allowed on top of the limit.

    Revisit which tokens max_new_tokens counts: is EOS among them?
    """
    tokens = [bos]
    for _ in range(max_new_tokens + 1):
        token = int(step(list(tokens)).argmax())
        if token == eos or len(tokens) <= max_new_tokens:
            tokens.append(token)
        if token == eos:
            break
    return tokens


def always_ends_with_eos(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """EOS seems to be added by hand when the limit is reached.

    Revisit the words "if it came": a sentence that was cut short has no EOS.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens if tokens[-1] == eos else [*tokens, eos]


def replaces_last_token_with_eos(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The last token within the limit seems to be overwritten by EOS.

    Revisit who writes EOS: only the model does.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(tokens)).argmax()))
    if len(tokens) > max_new_tokens > 0:
        tokens[-1] = eos
    return tokens


def passes_last_token_only(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be shown only the newest token.

    Revisit what a decoder attends to: everything that it has written so far.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(tokens[-1:]).argmax()))
    return tokens


def passes_last_two_tokens(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be shown a short window of the sentence.

    Revisit how much of the prefix `step` takes.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(tokens[-2:]).argmax()))
    return tokens


def passes_prefix_without_bos(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be shown the sentence without its BOS.

    Revisit what the prefix begins with.
    """
    tokens: list[int] = []
    while len(tokens) < max_new_tokens and (not tokens or tokens[-1] != eos):
        tokens.append(int(step(list(tokens)).argmax()))
    return [bos, *tokens]


def passes_the_same_prefix_each_time(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be shown BOS again and again, and never what it wrote.

    Revisit how the output of one step becomes the input of the next.
    """
    prefix, tokens = [bos], [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(prefix)).argmax()))
    return tokens


def takes_highest_index_on_tie(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The last of several equal maxima seems to win.

    Revisit the rule for ties, and where a search from left to right must be strict.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        best, best_logit = 0, float("-inf")
        for token, logit in enumerate(step(list(tokens)).tolist()):
            if logit >= best_logit:
                best, best_logit = token, logit
        tokens.append(best)
    return tokens


def starts_the_search_at_zero(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The search for the maximum seems to begin at 0, so negative logits are never found.

    Revisit the sign of logits, and of log-probabilities in particular.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        best, best_logit = 0, 0.0
        for token, logit in enumerate(step(list(tokens)).tolist()):
            if logit > best_logit:
                best, best_logit = token, logit
        tokens.append(best)
    return tokens


def takes_smallest_logit(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The least likely token seems to be taken.

    Revisit whether a high logit means likely or unlikely.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(tokens)).argmin()))
    return tokens


def takes_largest_magnitude(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The logit farthest from 0 seems to win, even if it is negative.

    Revisit what a very negative logit says about its token.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(tokens)).abs().argmax()))
    return tokens


def rounds_logits(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The logits seem to be turned into whole numbers before they are compared.

    Revisit what is lost between 1.2 and 1.7.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        logits = [int(logit) for logit in step(list(tokens))]
        tokens.append(logits.index(max(logits)))
    return tokens


def samples_next_token(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The next token seems to be drawn at random by its probability.

    Revisit the word "greedy": the same logits must give the same sentence each time.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        probabilities = torch.softmax(step(list(tokens)).float(), dim=-1)
        tokens.append(int(torch.multinomial(probabilities, 1)))
    return tokens


def hard_codes_eos_of_lesson(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The loop seems to wait for the lesson's EOS, whatever id is given.

    Revisit which argument says when a sentence is finished.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != 11:
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens


def hard_codes_bos_of_lesson(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The sentence seems to begin with the lesson's BOS, whatever id is given.

    Revisit which argument opens a sentence.
    """
    tokens = [10]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens


def takes_eos_zero_for_missing(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """An EOS with the id 0 seems to be taken for "none given".

    Revisit which values count as false in a condition.
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        tokens.append(int(step(list(tokens)).argmax()))
        if eos and tokens[-1] == eos:
            break
    return tokens


def stops_at_token_zero(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """Token 0 seems to end the sentence as if it were padding.

    Revisit what ends a sentence: EOS or the limit, and nothing else.
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        tokens.append(int(step(list(tokens)).argmax()))
        if tokens[-1] in (0, eos):
            break
    return tokens


def stops_when_a_token_repeats(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The sentence seems to end when a token comes for the second time.

    Revisit the lesson's own task, in which each digit is said twice.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        token = int(step(list(tokens)).argmax())
        tokens.append(token)
        if tokens.count(token) > 1:
            break
    return tokens


def never_writes_bos_again(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """BOS seems to be forbidden inside the sentence, even where the model prefers it.

    Revisit the rule for the next token, which knows no exceptions.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        logits = [float(logit) for logit in step(list(tokens))]
        if bos < len(logits):
            logits[bos] = float("-inf")
        tokens.append(logits.index(max(logits)))
    return tokens


def calls_step_twice_per_token(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be asked twice for each token, once to look and once to take.

    Revisit how often `step` may be called, for a step is the expensive part.
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        if int(step(list(tokens)).argmax()) == eos:
            return [*tokens, eos]
        tokens.append(int(step(list(tokens)).argmax()))
    return tokens


def calls_step_once_more_at_the_end(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be asked for one more token that is never used.

    Revisit when the next token is computed: before or after it is known to be needed?
    """
    tokens = [bos]
    token = int(step(list(tokens)).argmax())
    while len(tokens) <= max_new_tokens and tokens[-1] != eos:
        tokens.append(token)
        token = int(step(list(tokens)).argmax())
    return tokens


def continues_last_sentence(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The tokens of an earlier call seem to be still there when the next sentence begins.

    Revisit where the list is made: each call needs a new one.
    """
    sentences = globals().setdefault("_sentences", {})
    tokens = sentences.setdefault(bos, [bos])
    for _ in range(max_new_tokens):
        if tokens[-1] == eos:
            break
        tokens.append(int(step(list(tokens)).argmax()))
    return list(tokens)


def ignores_eos_at_first(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """An EOS that comes as the very first token seems to go unnoticed.

    Revisit whether a sentence may be empty, and when the end is looked for.
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        token = int(step(list(tokens)).argmax())
        tokens.append(token)
        if token == eos and len(tokens) > 2:
            break
    return tokens


def writes_into_logits(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """What the model returned seems to be written into, so the model is no longer the same.

    Revisit whose tensor that is, and who may still need it.
    """
    tokens = [bos]
    while len(tokens) <= max_new_tokens and (len(tokens) == 1 or tokens[-1] != eos):
        logits = step(list(tokens))
        tokens.append(int(logits.argmax()))
        logits[tokens[-1]] = float("-inf")
    return tokens


def keeps_tokens_in_default_argument(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    max_new_tokens: int,
    tokens: list[int] = [],  # noqa: B006
) -> list[int]:
    """A sentence seems to begin with what an earlier call has written.

    Revisit when the default of an argument is made: once, and not at each call.
    """
    if not tokens:
        tokens.append(bos)
    for _ in range(max_new_tokens):
        tokens.append(int(step(list(tokens)).argmax()))
        if tokens[-1] == eos:
            break
    return list(tokens)


def asks_before_it_counts(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be asked even where no token may be added.

    Revisit how often `step` may be called for max_new_tokens = 0.
    """
    tokens, following = [bos], int(step([bos]).argmax())
    while len(tokens) <= max_new_tokens:
        tokens.append(following)
        if following == eos or len(tokens) > max_new_tokens:
            break
        following = int(step(list(tokens)).argmax())
    return tokens


def prefers_eos_on_tie(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """EOS seems to win wherever it ties with another token.

    Revisit the rule for ties: it looks at the ids and makes no exception.
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        logits = step(list(tokens))
        best = int(logits.argmax())
        tokens.append(eos if eos < len(logits) and logits[eos] == logits[best] else best)
        if tokens[-1] == eos:
            break
    return tokens


def asks_once_more_at_the_limit(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """The model seems to be asked for one token more than is returned.

    Revisit how often `step` may be called: once for each new token that is returned.
    """
    tokens = [bos]
    following = int(step(list(tokens)).argmax())
    for _ in range(max_new_tokens):
        tokens.append(following)
        if following == eos:
            break
        following = int(step(list(tokens)).argmax())
    return tokens
