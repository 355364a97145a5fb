"""Known wrong answers to `read`: each docstring is the student's hint."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.digit_reader import Reader


@torch.no_grad()
def keeps_start(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The rows seem to begin with START.

    Revisit what the docstring says about a row of the result.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return torch.cat([tokens[:, :1], said], dim=1)
    finally:
        model.train(was_training)


@torch.no_grad()
def does_not_fill_up(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Rows that have ended seem to go on saying what the model says.

    Revisit what stands in a row after its END.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def fills_with_end(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Rows that have ended seem to be filled up with END.

    Revisit which of the special tokens fills a row up.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 11
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=11)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def fills_with_zero(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Rows that have ended seem to be filled up with 0, which is a digit.

    Revisit which of the special tokens fills a row up.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 0
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=0)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def pads_end_too(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """END itself seems to be replaced by PAD.

    Revisit the order of the two steps: the row is ended after END has been written, not before.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            ended |= token == 11
            token[ended] = 12
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def cuts_end_off(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """END seems to be cut off from each row.

    Revisit what stands in a row after its digits.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said.masked_fill(said == 11, 12)
    finally:
        model.train(was_training)


@torch.no_grad()
def forgets_ends(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A row seems to be ended only for one step, and to go on after that.

    Revisit how a row that was ended stays so in the next step.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended = token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def wakes_at_second_end(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A second END seems to wake up a row that the first has ended.

    Revisit how a row becomes ended, and whether anything can undo it.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            said_end = token == 11
            token[ended] = 12
            ended ^= said_end
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def stops_with_the_first_row(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The loop seems to end as soon as any row has ended.

    Revisit the difference between `any` and `all`.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.any():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def watches_one_row(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The loop seems to look at the first row alone to see whether it may end.

    Revisit which rows have to be ended.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended[0]:
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def stops_if_all_end_at_once(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The loop seems to end only if all rows say END in the same step.

    Revisit what has to be remembered of earlier steps.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if (token == 11).all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def runs_to_the_limit(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The model seems to be asked although all rows have ended.

    Revisit which step is the last one.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def stops_one_step_late(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """There seems to be one more step after all rows have ended.

    Revisit where in the loop it is tested whether it may end.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            all_ended = bool(ended.all())
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if all_ended:
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def makes_the_width_of_the_longest(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The result seems to be as wide as its longest row.

    Revisit how wide the result is.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = tokens[:, 1:].clone()
        if said.size(1) > max_digits:
            said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def has_no_column_for_end(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The last column, in which a full row ends, seems to be cut off.

    Revisit how wide the result is.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said[:, :-1]
    finally:
        model.train(was_training)


@torch.no_grad()
def takes_one_step_less(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The step in which a full row can end seems to be missing.

    Revisit how many steps there are.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def takes_one_step_more(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """There seems to be one step more than there should be.

    Revisit how many digits a row gets.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 2):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 3 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def says_three_digits_always(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Three digits seem to be the most, whatever `max_digits` is.

    Revisit the argument.
    """
    was_training = model.training
    model.eval()
    try:
        most = 3
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(most + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, most + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def has_no_limit(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The loop seems to end only when all rows have ended, which they may never do.

    Revisit `max_digits`.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        while True:
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max(0, max_digits + 2 - tokens.size(1))), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def keeps_what_the_last_step_says(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A row without an END seems to keep what was said in the last step.

    Revisit what stands in the last column of such a row.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def forces_an_end(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A row without an END seems to get one.

    Revisit what stands in the last column of such a row: the model did not say END.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 11
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def pads_the_last_column_always(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The last column seems to be PAD in every row.

    Revisit a row of `max_digits` digits that is ended.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[:, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def drops_rows_without_end(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A row without an END seems to be PAD all over.

    Revisit what such a row keeps.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def keeps_start_in_the_last_column(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A row that says START in the last step seems to keep it.

    Revisit what stands in the last column if END was not said, whatever was.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended & (said[:, -1] < 10), -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def forbids_start(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The logit of START seems to be taken out.

    Revisit what happens if START is the likeliest token.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            logits[:, :, 10] = -torch.inf
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def ends_at_start(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """START seems to end a row as END does.

    Revisit which token ends a row.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= (token == 11) | (token == 10)
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def forbids_an_empty_number(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """END seems to be forbidden in the first step.

    Revisit what the docstring says about tokens that are forbidden.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            if tokens.size(1) == 1:
                token = logits[:, -1, :11].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def chooses_among_digits(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Only the ten digits seem to be looked at.

    Revisit which tokens the model may say.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1, :10].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def takes_the_first_position(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The logits of the first position seem to be read in every step.

    Revisit which position tells the next token.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, 0].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def takes_the_least_likely(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The least likely token seems to be taken.

    Revisit `argmin` and `argmax`.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmin(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def takes_the_largest_modulus(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The logit that is farthest from 0 seems to win, be it negative.

    Revisit which logit is the likeliest token's.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].abs().argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def draws_tokens(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The tokens seem to be drawn at random.

    Revisit which token is wanted: the likeliest.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = torch.multinomial(logits[:, -1].softmax(dim=-1), 1)[:, 0]
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def takes_the_winner_of_the_batch(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """All rows seem to get the same token.

    Revisit over which axis the maximum is taken.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].sum(dim=0).argmax().repeat(len(images))
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def feeds_the_last_token_alone(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The decoder seems to be fed the last token only.

    Revisit what `decode` is called with.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens[:, -1:])
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def feeds_no_start(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The decoder seems to be fed without START as soon as there is a token.

    Revisit what `decode` is called with.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens[:, 1:] if tokens.size(1) > 1 else tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def begins_with_end(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The rows seem to begin with END.

    Revisit which token opens a row.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 11)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def begins_with_zero(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The rows seem to begin with 0, which is a digit.

    Revisit which token opens a row.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 0)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def feeds_a_padded_row(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The decoder seems to be fed a row of full width in every step, filled up with PAD.

    Revisit what `decode` is called with: START and all tokens so far.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(
                memory, F.pad(tokens, (0, max_digits + 1 - tokens.size(1)), value=12)
            )
            token = logits[:, tokens.size(1) - 1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def encodes_in_each_step(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The encoder seems to run in every step.

    Revisit what stays the same from step to step.
    """
    was_training = model.training
    model.eval()
    try:
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(model.encode(images), tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def encodes_row_by_row(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The images seem to be encoded one by one.

    Revisit how often `encode` is called.
    """
    was_training = model.training
    model.eval()
    try:
        memory = torch.cat([model.encode(image[None]) for image in images])
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def reads_row_by_row(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The images seem to be read one by one.

    Revisit how often `encode` is called, and how many rows grow at once.
    """
    was_training = model.training
    model.eval()
    try:
        rows = []
        for image in images:
            memory, row = model.encode(image[None]), [10]
            while len(row) < max_digits + 2 and row[-1] != 11:
                logits, _ = model.decode(memory, torch.tensor([row]))
                row.append(int(logits[0, -1].argmax()))
            if row[-1] != 11:
                row[-1] = 12
            rows.append(row[1:] + [12] * (max_digits + 2 - len(row)))
        return torch.tensor(rows)
    finally:
        model.train(was_training)


@torch.no_grad()
def scales_the_images(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The images seem to be changed before they are encoded.

    Revisit what `encode` is called with.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images / images.max())
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def writes_into_the_images(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The images seem to be written into.

    Revisit what has to stay as it was.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        images.clamp_(max=0.5)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def stays_in_training_mode(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The model seems to stay in the mode in which it is, which may be training.

    Revisit in which mode dropout is switched off.
    """
    was_training = model.training
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def forgets_the_mode(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The model seems to be left in evaluation mode.

    Revisit what has to be restored.
    """
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        del memory


@torch.no_grad()
def leaves_training_mode(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The model seems to be left in training mode, whatever it was.

    Revisit what has to be restored.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train()


@torch.no_grad()
def sets_one_flag(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Only the flag of the model itself seems to be set, not that of its parts.

    Revisit what `eval()` does that an assignment does not.
    """
    was_training = model.training
    model.training = False
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.training = was_training


@torch.no_grad()
def restores_one_flag(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Only the flag of the model itself seems to be restored, not that of its parts.

    Revisit what `train()` does that an assignment does not.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.training = was_training


@torch.no_grad()
def restores_only_without_errors(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The mode seems to be restored only if there is no error.

    Revisit what `finally` is for.
    """
    was_training = model.training
    model.eval()
    memory = model.encode(images)
    tokens = torch.full((len(images), 1), 10)
    ended = torch.zeros(len(images), dtype=torch.bool)
    for _ in range(max_digits + 1):
        logits, _ = model.decode(memory, tokens)
        token = logits[:, -1].argmax(dim=-1)
        token[ended] = 12
        ended |= token == 11
        tokens = torch.cat([tokens, token[:, None]], dim=1)
        if ended.all():
            break
    said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
    said[~ended, -1] = 12
    model.train(was_training)
    return said


@torch.no_grad()
def pads_further_ends_alone(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A row that has ended seems to go on, only a second END becomes PAD.

    Revisit what stands in a row after its END, whatever the model says.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended & (token == 11)] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def swallows_errors(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """An error of the model seems to be swallowed.

    Revisit what becomes of an error after the mode has been restored.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
    except Exception:
        said = torch.full((len(images), max_digits + 1), 12)
    model.train(was_training)
    return said


@torch.no_grad()
def evaluates_after_encoding(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The encoder seems to run before the model is in evaluation mode.

    Revisit from when to when that mode is needed.
    """
    was_training = model.training
    memory = model.encode(images)
    model.eval()
    try:
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


def records_gradients(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Operations seem to be recorded for a gradient.

    Revisit what `torch.no_grad` is for.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


def records_gradients_of_encode(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The encoder seems to be recorded for a gradient.

    Revisit from where to where `torch.no_grad` reaches.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            with torch.no_grad():
                logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


def switches_gradients_off_for_good(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Gradients seem to be switched off for everybody, also afterwards.

    Revisit what ends with the call, and what does not.
    """
    was_training = model.training
    torch.set_grad_enabled(False)
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


def switches_weights_off(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The weights of the model seem to need no gradient any more.

    Revisit what the model is like afterwards.
    """
    was_training = model.training
    model.requires_grad_(False)
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def answers_floats(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The tokens seem to be floats.

    Revisit the dtype of token ids.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said.float()
    finally:
        model.train(was_training)


@torch.no_grad()
def answers_int32(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The tokens seem to be of int32.

    Revisit the dtype of token ids.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said.int()
    finally:
        model.train(was_training)


@torch.no_grad()
def answers_lists(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Lists seem to be returned.

    Revisit the type of the result.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said.tolist()
    finally:
        model.train(was_training)


@torch.no_grad()
def answers_texts(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Numbers seem to be returned as text.

    Revisit the type of the result.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return ["".join(str(token) for token in row if token < 10) for row in said.tolist()]
    finally:
        model.train(was_training)


@torch.no_grad()
def answers_lists_without_pad(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Lists of different lengths seem to come back.

    Revisit the shape of the result.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return [[token for token in row if token != 12] for row in said.tolist()]
    finally:
        model.train(was_training)


@torch.no_grad()
def answers_with_logits(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Logits seem to be returned together with the tokens.

    Revisit what the call returns.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said, logits
    finally:
        model.train(was_training)


@torch.no_grad()
def loses_the_batch_axis(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The axis of the batch seems to be lost if there is one image only.

    Revisit what `squeeze` does to an axis of size 1.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said.squeeze(0)
    finally:
        model.train(was_training)


@torch.no_grad()
def keeps_memory_of_same_shape(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Earlier images of the same shape seem to be read once more.

    Revisit what may be kept from call to call.
    """
    was_training = model.training
    model.eval()
    try:
        kept = globals().setdefault("_memories", {})
        if images.shape not in kept:
            kept[images.shape] = model.encode(images)
        memory = kept[images.shape]
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def pads_ended_rows_by_the_last_token(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A row seems to be taken for ended only if its last token is END, not PAD.

    Revisit how a row that ended two steps ago is recognised.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[tokens[:, -1] == 11] = 12
            ended |= token == 11
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            if ended.all():
                break
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def stops_before_end_is_written(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The loop seems to end before the last END has been written.

    Revisit the order of the steps.
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        ended = torch.zeros(len(images), dtype=torch.bool)
        for _ in range(max_digits + 1):
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1)
            token[ended] = 12
            ended |= token == 11
            if ended.all():
                break
            tokens = torch.cat([tokens, token[:, None]], dim=1)
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=12)
        said[~ended, -1] = 12
        return said
    finally:
        model.train(was_training)
