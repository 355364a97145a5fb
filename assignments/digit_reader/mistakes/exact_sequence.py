"""Known wrong answers to `exact_sequence`: each docstring is the student's hint."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.digit_reader import Reader, decoder_tensors, read


def compares_digits_alone(model: Reader, images: Tensor, targets: Tensor) -> float:
    """END seems not to be looked at: digits that are right are enough.

    Revisit what a number has to end with.
    """
    said = read(model, images, max_digits=targets.size(1))
    right = ((said[:, :-1] == targets) | (targets == 12)).all(dim=1)
    return right.float().mean().item()


def cuts_the_last_column(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The END after a number that fills its row seems to be cut off before the comparison.

    Revisit which columns `read` returns.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said[:, :-1] == wanted[:, :-1]).all(dim=1)
    return right.float().mean().item()


def reads_as_the_lesson_does(model: Reader, images: Tensor, targets: Tensor) -> float:
    """So many tokens as there are digits at most seem to be said and compared with the targets, as
    in the lesson.

    Revisit where END is, and what the targets have after a short number.
    """
    tokens = torch.full((len(images), 1), 10)
    memory = model.encode(images)
    for _ in range(targets.size(1)):
        logits, _ = model.decode(memory, tokens)
        tokens = torch.cat([tokens, logits[:, -1].argmax(-1, keepdim=True)], dim=1)
    right = (tokens[:, 1:] == targets).all(dim=1)
    return right.float().mean().item()


def looks_for_end_anywhere(model: Reader, images: Tensor, targets: Tensor) -> float:
    """An END anywhere in the row seems to be enough, be it after further digits.

    Revisit where END has to stand.
    """
    said = read(model, images, max_digits=targets.size(1))
    right = ((said[:, :-1] == targets) | (targets == 12)).all(dim=1) & (said == 11).any(dim=1)
    return right.float().mean().item()


def does_not_end_short_rows(model: Reader, images: Tensor, targets: Tensor) -> float:
    """A short number seems to need no END: PAD will do, or further digits.

    Revisit what has to be said right after the last digit.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    full = targets[:, -1] != 12
    digits = ((said[:, :-1] == targets) | (targets == 12)).all(dim=1)
    right = digits & (~full | (said[:, -1] == 11))
    return right.float().mean().item()


def compares_numbers(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The digits seem to be joined into a number, which forgets leading zeros and END.

    Revisit whether 07 and 7 are the same here.
    """
    said = read(model, images, max_digits=targets.size(1))
    read_numbers, right_numbers = [
        [int("".join(str(token) for token in row if token < 10) or -1) for row in rows.tolist()]
        for rows in (said, targets)
    ]
    return sum(map(int.__eq__, read_numbers, right_numbers)) / len(right_numbers)


def compares_numbers_that_end(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The digits before END seem to be joined into a number, which forgets leading zeros.

    Revisit whether 07 and 7 are the same here.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    numbers = [
        [int("".join(str(token) for token in row if token < 10) or -1) for row in rows.tolist()]
        for rows in (said, wanted)
    ]
    ended = (said == 11).any(dim=1)
    right = torch.tensor([a == b for a, b in zip(*numbers)]) & ended
    return right.float().mean().item()


def ignores_the_order(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The digits seem to be compared whatever their order is.

    Revisit which digit stands where.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said.sort(dim=1).values == wanted.sort(dim=1).values).all(dim=1)
    return right.float().mean().item()


def ignores_where_end_is(model: Reader, images: Tensor, targets: Tensor) -> float:
    """END seems to be left out of the row before it is compared.

    Revisit a digit that is said after END, or in its place.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = ((said == wanted) | (wanted == 11)).all(dim=1)
    return right.float().mean().item()


def shares_tokens(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share of right tokens seems to be returned.

    Revisit what is counted: images that have no flaw.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    return (said == wanted).float().mean().item()


def shares_digits(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share of right digits seems to be returned.

    Revisit what is counted: images that have no flaw.
    """
    said = read(model, images, max_digits=targets.size(1))[:, :-1]
    return (said == targets)[targets != 12].float().mean().item()


def shares_tokens_that_count(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share of right tokens seems to be returned, PAD left out.

    Revisit what is counted: images that have no flaw.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    return (said == wanted)[wanted != 12].float().mean().item()


def takes_any_for_all(model: Reader, images: Tensor, targets: Tensor) -> float:
    """One right token seems to make a row right.

    Revisit the difference between `any` and `all`.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).any(dim=1)
    return right.float().mean().item()


def demands_the_whole_batch(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share seems to be 1 if all images are read right, and 0 otherwise.

    Revisit over which axis `all` runs.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all()
    return right.float().mean().item()


def forces_the_targets(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The decoder seems to be fed the targets, so that a model may repeat what it is shown.

    Revisit what the model reads from: its own outputs.
    """
    fed, wanted = decoder_tensors(targets)
    with torch.no_grad():
        said = model.decode(model.encode(images), fed)[0].argmax(dim=-1)
    said = said.masked_fill(wanted == 12, 12)
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def forces_the_targets_and_all_that_follows(
    model: Reader, images: Tensor, targets: Tensor
) -> float:
    """The decoder seems to be fed the targets, and to be asked for what comes after END.

    Revisit what the model reads from: its own outputs.
    """
    fed, wanted = decoder_tensors(targets)
    with torch.no_grad():
        said = model.decode(model.encode(images), fed)[0].argmax(dim=-1)
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def forces_the_target_itself(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The decoder seems to be fed what it must say.

    Revisit what the model reads from: its own outputs.
    """
    _, wanted = decoder_tensors(targets)
    with torch.no_grad():
        said = model.decode(model.encode(images), wanted)[0].argmax(dim=-1)
    said = said.masked_fill(wanted == 12, 12)
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def may_say_three_digits(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The model seems to say three digits at most, whatever the targets are.

    Revisit how many digits it may say.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images)
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def may_say_one_digit_more(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The model seems to get one step more than it should.

    Revisit how many digits it may say.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1) + 1)
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def reads_on(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The model seems to be asked for one digit more than the targets have places.

    Revisit how many digits it may say, and how many positions its decoder has.
    """
    said = read(model, images, max_digits=targets.size(1) + 1)
    _, wanted = decoder_tensors(F.pad(targets, (0, 1), value=12))
    return (said == wanted).all(dim=1).float().mean().item()


def reads_on_and_cuts(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The model seems to be asked for one digit more than the targets have places, which is cut off.

    Revisit how many digits it may say, and how many positions its decoder has.
    """
    said = read(model, images, max_digits=targets.size(1) + 1)[:, :-1]
    _, wanted = decoder_tensors(targets)
    return (said == wanted).all(dim=1).float().mean().item()


def may_say_one_digit_less(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The model seems to get one step less than it should.

    Revisit how many digits it may say.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=max(1, targets.size(1) - 1))
    said = F.pad(said, (0, 1), value=12)[:, : wanted.size(1)]
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def compares_with_the_input(model: Reader, images: Tensor, targets: Tensor) -> float:
    """What is said seems to be compared with what the decoder is fed.

    Revisit which of the two tensors is the target.
    """
    wanted, _ = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def compares_with_bare_targets(model: Reader, images: Tensor, targets: Tensor) -> float:
    """What is said seems to be compared with targets that have no END.

    Revisit what a row of `read` holds after the digits.
    """
    wanted = F.pad(targets, (0, 1), value=12)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def puts_end_into_the_last_column(model: Reader, images: Tensor, targets: Tensor) -> float:
    """END seems to be expected in the last column of every row.

    Revisit where END stands after a short number.
    """
    wanted = F.pad(targets, (0, 1), value=11)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()


def returns_a_tensor(model: Reader, images: Tensor, targets: Tensor) -> float:
    """A tensor seems to be returned.

    Revisit the type of the result.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return right.float().mean()


def returns_a_count(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The number of images that are right seems to be returned.

    Revisit what a share is.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return float(right.sum())


def returns_percent(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share seems to be in percent.

    Revisit between which numbers it lies.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return 100 * right.float().mean().item()


def returns_the_errors(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share of images that are wrong seems to be returned.

    Revisit what is counted.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return 1 - right.float().mean().item()


def rounds(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share seems to be rounded to two decimals.

    Revisit whether a table for people is asked for.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return round(right.float().mean().item(), 2)


def returns_an_integer_at_the_ends(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share seems to be an integer if all images are right, or none.

    Revisit the type of the result.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    share = right.float().mean().item()
    return int(share) if share in (0.0, 1.0) else share


def looks_at_the_first_image(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Only the first image seems to be judged.

    Revisit how many images there are.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return right[:1].float().mean().item()


def looks_at_a_first_batch(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Only the first images seem to be judged, as many as make a batch.

    Revisit how many images there are.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    return right[:64].float().mean().item()


def means_over_batches(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The mean over batches seems to be taken, the last of which is smaller.

    Revisit how much each image counts.
    """
    _, wanted = decoder_tensors(targets)
    shares = []
    for start in range(0, len(images), 50):
        some, right = images[start : start + 50], wanted[start : start + 50]
        said = read(model, some, max_digits=targets.size(1))
        shares.append((said == right).all(dim=1).float().mean().item())
    return sum(shares) / len(shares)


def drops_the_last_batch(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The last images seem to be dropped if they make no whole batch.

    Revisit how many images are judged.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    whole = max(1, len(right) // 32) * 32
    return right[:whole].float().mean().item()


def shares_among_ended_rows(model: Reader, images: Tensor, targets: Tensor) -> float:
    """The share seems to be one of the rows that have an END.

    Revisit what a model gets that never says END.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    right = (said == wanted).all(dim=1)
    ended = (said == 11).any(dim=1)
    return right[ended].float().mean().nan_to_num().item()


def looks_for_end_in_every_row(model: Reader, images: Tensor, targets: Tensor) -> float:
    """A row without an END seems to raise an error.

    Revisit what a model gets that never says END.
    """
    _, wanted = decoder_tensors(targets)
    said = read(model, images, max_digits=targets.size(1))
    for row in said.tolist():
        row.index(11)
    right = (said == wanted).all(dim=1)
    return right.float().mean().item()
