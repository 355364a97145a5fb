"""Known wrong answers to `generate`: each docstring is the student's hint."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def keeps_bos(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The answers seem to begin with the BOS that opened them.

    Revisit what the docstring says about BOS in the result.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix
    finally:
        model.train(was_training)


def does_not_fill_up(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Rows that have ended seem to go on saying what the model says.

    Revisit what stands in a row after its EOS.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def fills_with_eos(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Rows that have ended seem to be filled up with EOS.

    Revisit which of the special tokens fills a row up.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = eos
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def pads_eos_too(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """EOS itself seems to be replaced by PAD.

    Revisit the order of the two steps: the row is ended after EOS has been written, not before.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                ended |= token == eos
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def forgets_ends(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A row seems to be ended only for one step, and to go on after that.

    Revisit how what was ended stays so: `=` or `|=`?
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended = token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def wakes_at_second_eos(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A second EOS seems to wake up a row that the first has ended.

    Revisit how a row becomes ended, and whether anything can undo it.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                said = logits.argmax(dim=-1)
                token = torch.where(ended, pad, said)
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended = ended ^ (said == eos)
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def stops_with_the_first_row(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The loop seems to end as soon as any row has ended.

    Revisit the difference between `any` and `all`.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.any():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def watches_one_row(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The loop seems to look at the first row alone to see whether it may end.

    Revisit which rows have to be ended.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended[0]:
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def stops_if_all_end_at_once(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The loop seems to end only if all rows say EOS in the same step.

    Revisit what has to be remembered of earlier steps.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if (token == eos).all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def runs_to_the_limit(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The loop seems to go on to its limit although all rows have ended.

    Revisit how wide the result is.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def cuts_afterwards(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model seems to be asked for tokens that are cut off in the end.

    Revisit when the last step is: the one in which the last row ends.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
            steps = (prefix[:, 1:] == eos).int().cumsum(1).clamp(max=1)
            width = int((steps.sum(0) < len(source)).sum()) + 1
            return prefix[:, 1 : width + 1]
    finally:
        model.train(was_training)


def cuts_columns_of_pad(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Columns at the end that hold nothing but PAD seem to be cut off.

    Revisit how wide the result is, and who may have said PAD.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            tokens = prefix[:, 1:]
            while tokens.size(1) and (tokens[:, -1] == pad).all():
                tokens = tokens[:, :-1]
            return tokens
    finally:
        model.train(was_training)


def cuts_where_the_first_row_ends(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The result seems to be as wide as its first row.

    Revisit which row decides.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            first = prefix[0, 1:].tolist()
            return prefix[:, 1 : first.index(eos) + 2] if eos in first else prefix[:, 1:]
    finally:
        model.train(was_training)


def makes_the_full_width(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The result seems to have the width of the limit, however short the rows are.

    Revisit how wide the result is.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            tokens = torch.full((len(source), max_new_tokens), pad)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for step in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                tokens[:, step] = token
                ended |= token == eos
                if ended.all():
                    break
            return tokens
    finally:
        model.train(was_training)


def has_no_limit(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The loop seems to end only when all rows have ended, which they may never do.

    Revisit `max_new_tokens`.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            while not ended.all():
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def counts_bos(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """BOS seems to be counted as a new token, so the answers are one token short.

    Revisit what `max_new_tokens` counts.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            while prefix.size(1) < max_new_tokens and not ended.all():
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def allows_one_too_many(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The loop seems to run once more than it may.

    Revisit the bound, and count by hand for a limit of 1.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            while prefix.size(1) <= max_new_tokens + 1 and not ended.all():
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def does_not_count_eos(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """EOS seems to be allowed on top of the limit.

    Revisit whether EOS counts as a token.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            if not ended.all() and max_new_tokens > 0:
                token = model.decode(prefix, memory, visible)[:, -1].argmax(dim=-1)
                token = torch.where(ended, pad, token)
                if ((token == eos) | ended).all():
                    prefix = torch.cat([prefix, token[:, None]], dim=1)
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def ends_rows_at_the_limit(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """EOS seems to be written at the limit, whether the model has said so or not.

    Revisit who decides about a row's last token.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            if max_new_tokens > 0:
                prefix[~ended, -1] = eos
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def takes_zero_for_the_default(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A limit of 0 seems to be taken for "none given".

    Revisit which values count as false.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens or 4):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def makes_at_least_one_token(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A token seems to be made before the limit is looked at, so that 0 becomes 1.

    Revisit what 0 new tokens give.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            while True:
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all() or prefix.size(1) > max_new_tokens:
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def asks_once_more(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model seems to be asked for one more token that is never used.

    Revisit when the next token is needed, and whether it is.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            logits = model.decode(prefix, memory, visible)[:, -1]
            for _ in range(max_new_tokens):
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                logits = model.decode(prefix, memory, visible)[:, -1]
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def takes_the_first_position(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The next token seems to be read from the first position of the logits.

    Revisit which position speaks about the token that comes next.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, 0]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def takes_the_second_last_position(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The next token seems to be read one position too early.

    Revisit which position speaks about the token that comes next.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, max(prefix.size(1) - 2, 0)]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def takes_the_least_likely(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The least likely token seems to be taken.

    Revisit whether a large logit means likely or unlikely.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmin(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def takes_the_largest_magnitude(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The logit farthest from 0 seems to win, even if it is negative.

    Revisit what a very negative logit says.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.abs().argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def samples(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The next token seems to be drawn at random by its probability.

    Revisit the word "likeliest".
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = torch.multinomial(logits.softmax(dim=-1), 1)[:, 0]
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def lets_all_rows_say_the_same(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """All rows seem to say what the first one says.

    Revisit over which axis the argmax is taken, and for which rows.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits[:1].argmax(dim=-1).repeat(len(source))
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def pads_with_zero_always(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Ended rows seem to be filled up with 0, whatever `pad` says.

    Revisit the argument `pad`.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1) * ~ended
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def waits_for_eos_two_always(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Rows seem to end with the token 2, whatever `eos` says.

    Revisit the argument `eos`.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == 2
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def begins_with_one_always(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Rows seem to begin with the token 1, whatever `bos` says.

    Revisit the argument `bos`.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.ones(len(source), 1, dtype=torch.long)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def takes_zero_for_missing(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """An EOS with the id 0 seems to be taken for "none given".

    Revisit which values count as false.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                if eos:
                    ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def overlooks_eos_at_first(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """An EOS that comes as the very first token seems to go unnoticed.

    Revisit from which step on a row may end.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for step in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                if step > 0:
                    ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def begins_with_pad(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Rows seem to begin with PAD.

    Revisit which token opens a row.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), pad)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def begins_with_the_source(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Rows seem to begin with the first token of the source.

    Revisit which token opens a row.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = source[:, :1]
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def ends_with_pad_too(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A row seems to be ended by PAD as well as by EOS.

    Revisit what ends a row: EOS or the limit, and nothing else.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= (token == eos) | (token == pad)
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def never_says_bos_again(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """BOS seems to be forbidden inside a row, even where the model prefers it.

    Revisit the rule for the next token, which knows no exceptions.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                logits[:, bos] = -torch.inf
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def never_says_special_tokens(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """PAD and BOS seem to be forbidden, even where the model prefers them.

    Revisit the rule for the next token, which knows no exceptions.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                logits[:, [bos, pad]] = -torch.inf
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def gives_the_last_token_alone(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The decoder seems to be given only the last token of each row.

    Revisit what `decode` needs to know: everything that was said.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix[:, -1:], memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def loses_bos_on_the_way(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The decoder seems to be given the tokens so far without their BOS.

    Revisit what the prefix begins with, at every step.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                given = prefix if prefix.size(1) == 1 else prefix[:, 1:]
                logits = model.decode(given, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def gives_a_padded_prefix(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The decoder seems to be given rows that are filled up to their full length already.

    Revisit how long the prefix is at each step.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            tokens = torch.full((len(source), max_new_tokens + 1), pad)
            tokens[:, 0] = bos
            prefix = tokens[:, :1]
            ended = torch.zeros(len(source), dtype=torch.bool)
            for step in range(max_new_tokens):
                logits = model.decode(tokens, memory, visible)[:, step]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                tokens[:, step + 1] = token
                prefix = tokens[:, : step + 2]
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def encodes_at_each_step(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The source seems to be encoded again at each step.

    Revisit what changes from step to step, and what does not.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                memory, visible = model.encode(source)
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def encodes_row_by_row(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The rows seem to be encoded one by one.

    Revisit how many sources one call of `encode` takes.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            parts = [model.encode(row[None]) for row in source]
            memory, visible = (torch.cat(part) for part in zip(*parts))
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def encodes_a_padded_source(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The encoder seems to be given a wider source than there is.

    Revisit what `encode` takes.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(F.pad(source, (0, 1), value=pad))
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def works_row_by_row(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The rows seem to be decoded one after another.

    Revisit how many rows one call of `decode` takes.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            rows = []
            for b in range(len(source)):
                prefix = torch.full((1, 1), bos)
                while prefix.size(1) <= max_new_tokens and (prefix[0, 1:] != eos).all():
                    logits = model.decode(prefix, memory[b : b + 1], visible[b : b + 1])[:, -1]
                    prefix = torch.cat([prefix, logits.argmax(dim=-1, keepdim=True)], dim=1)
                rows.append(prefix[0, 1:])
            return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad)
    finally:
        model.train(was_training)


def writes_bos_into_source(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The caller's source seems to be changed.

    Revisit whose numbers a slice shows.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = source[:, :1]
            prefix.fill_(bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def stays_in_training_mode(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model seems to be called in the mode in which it happens to be.

    Revisit what `model.eval()` does, and when it is needed.
    """
    with torch.no_grad():
        memory, visible = model.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_new_tokens):
            logits = model.decode(prefix, memory, visible)[:, -1]
            token = logits.argmax(dim=-1)
            token[ended] = pad
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
            if ended.all():
                break
        return prefix[:, 1:]


def asks_in_training_mode(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model seems to be put into training mode.

    Revisit which of the two modes generation needs.
    """
    was_training = model.training
    model.train()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def leaves_evaluation_mode(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model seems to be left in evaluation mode.

    Revisit what happens to the next step of training.
    """
    model.eval()
    with torch.no_grad():
        memory, visible = model.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_new_tokens):
            logits = model.decode(prefix, memory, visible)[:, -1]
            token = logits.argmax(dim=-1)
            token[ended] = pad
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
            if ended.all():
                break
        return prefix[:, 1:]


def always_leaves_training_mode(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model seems to be left in training mode, whatever it was in before.

    Revisit which mode comes back.
    """
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train()


def forgets_mode_after_errors(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The mode seems to come back only if nothing goes wrong.

    Revisit `try` and `finally`.
    """
    was_training = model.training
    model.eval()
    with torch.no_grad():
        memory, visible = model.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_new_tokens):
            logits = model.decode(prefix, memory, visible)[:, -1]
            token = logits.argmax(dim=-1)
            token[ended] = pad
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
            if ended.all():
                break
        model.train(was_training)
        return prefix[:, 1:]


def protects_decode_alone(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The mode seems not to come back after an error in the encoder.

    Revisit where `try` begins.
    """
    was_training = model.training
    model.eval()
    with torch.no_grad():
        memory, visible = model.encode(source)
    try:
        with torch.no_grad():
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def swallows_errors(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Errors of the model seem to vanish.

    Revisit the difference between `except` and `finally`.
    """
    was_training = model.training
    model.eval()
    prefix = torch.full((len(source), 1), bos)
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
    except Exception:
        pass
    model.train(was_training)
    return prefix[:, 1:]


def sets_flag_of_the_whole_alone(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A flag of the model seems to be set, and those of its parts to stay.

    Revisit what `eval` and `train` do beside setting `training`.
    """
    was_training = model.training
    model.training = False
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.training = was_training


def gives_flag_back_to_the_whole_alone(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The parts of the model seem to be left in evaluation mode.

    Revisit what `train` does beside setting `training`.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.training = was_training


def records_gradients(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model's operations seem to be recorded for a gradient that nobody wants.

    Revisit `torch.no_grad`.
    """
    was_training = model.training
    model.eval()
    try:
        memory, visible = model.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_new_tokens):
            logits = model.decode(prefix, memory, visible)[:, -1]
            token = logits.argmax(dim=-1)
            token[ended] = pad
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
            if ended.all():
                break
        return prefix[:, 1:]
    finally:
        model.train(was_training)


def records_the_encoder(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The encoder's operations seem to be recorded for a gradient.

    Revisit how far `no_grad` reaches.
    """
    was_training = model.training
    model.eval()
    try:
        memory, visible = model.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_new_tokens):
            with torch.no_grad():
                logits = model.decode(prefix, memory, visible)[:, -1]
            token = logits.argmax(dim=-1)
            token[ended] = pad
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
            if ended.all():
                break
        return prefix[:, 1:]
    finally:
        model.train(was_training)


def freezes_the_model(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The model's weights seem to be frozen by the call, so that it can no longer be trained.

    Revisit `torch.no_grad`, which leaves the model as it is.
    """
    was_training = model.training
    model.eval()
    model.requires_grad_(False)
    try:
        memory, visible = model.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_new_tokens):
            logits = model.decode(prefix, memory, visible)[:, -1]
            token = logits.argmax(dim=-1)
            token[ended] = pad
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
            if ended.all():
                break
        return prefix[:, 1:]
    finally:
        model.train(was_training)


def switches_gradients_off_for_good(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Gradients seem to be off after the call, for the whole program.

    Revisit how long `set_grad_enabled` holds.
    """
    was_training = model.training
    model.eval()
    torch.set_grad_enabled(False)
    try:
        memory, visible = model.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_new_tokens):
            logits = model.decode(prefix, memory, visible)[:, -1]
            token = logits.argmax(dim=-1)
            token[ended] = pad
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
            if ended.all():
                break
        return prefix[:, 1:]
    finally:
        model.train(was_training)


def answers_floats_if_empty(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """An empty result seems to hold floats.

    Revisit the default dtype of new tensors.
    """
    if max_new_tokens == 0:
        return torch.empty(len(source), 0)
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def answers_int32(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The tokens seem to come back as int32.

    Revisit the dtype that is asked for.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:].int()
    finally:
        model.train(was_training)


def answers_floats(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The tokens seem to come back as floats.

    Revisit the default dtype of new tensors.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            answer = torch.zeros(len(source), 0)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                answer = torch.cat([answer, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return answer
    finally:
        model.train(was_training)


def answers_with_an_array(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A NumPy array seems to come back.

    Revisit the type of the result.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:].numpy()
    finally:
        model.train(was_training)


def answers_lists_without_pad(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Lists of different lengths seem to come back.

    Revisit the shape of the result.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            rows = [row[1:].tolist() for row in prefix]
            return [row[: row.index(eos) + 1] if eos in row else row for row in rows]
    finally:
        model.train(was_training)


def loses_the_batch_axis(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The axis of the batch seems to be lost if there is one source only.

    Revisit what `squeeze` does to an axis of size 1.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:].squeeze(0)
    finally:
        model.train(was_training)


def keeps_memory_of_same_shape(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """An earlier source of the same shape seems to be answered once more.

    Revisit what may be kept from call to call.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            kept = globals().setdefault("_memories", {})
            if source.shape not in kept:
                kept[source.shape] = model.encode(source)
            memory, visible = kept[source.shape]
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                logits = model.decode(prefix, memory, visible)[:, -1]
                token = logits.argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended |= token == eos
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)


def looks_for_eos_in_the_whole_prefix(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A row seems to be ended by the BOS that opens it, where BOS and EOS are the same id.

    Revisit where you look for EOS: among the new tokens alone.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix = torch.full((len(source), 1), bos)
            ended = torch.zeros(len(source), dtype=torch.bool)
            for _ in range(max_new_tokens):
                token = model.decode(prefix, memory, visible)[:, -1].argmax(dim=-1)
                token[ended] = pad
                prefix = torch.cat([prefix, token[:, None]], dim=1)
                ended = (prefix == eos).any(dim=1)
                if ended.all():
                    break
            return prefix[:, 1:]
    finally:
        model.train(was_training)
