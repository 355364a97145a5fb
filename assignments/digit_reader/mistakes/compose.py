"""Known wrong answers to `compose`: each docstring is the student's hint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor


def draws_images_first(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The base images seem to be drawn before the lengths.

    Revisit the order of the two draws.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def draws_composite_by_composite(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The draws seem to be made anew for each composite, a length and its images, one composite
    after another.

    Revisit how many numbers each of the two draws returns.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    wide = torch.zeros(count, images.shape[1], most * images.shape[2])
    targets = torch.full((count, most), 12)
    for row in range(count):
        length = lengths[rng.integers(0, len(lengths))]
        for place, pick in enumerate(rng.integers(0, len(images), length)):
            left = place * images.shape[2]
            wide[row, :, left : left + images.shape[2]] = images[pick]
            targets[row, place] = labels[pick]
    return wide, targets


def draws_only_what_is_used(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """No image seems to be drawn for the places that stay blank.

    Revisit the size of the second draw: it has L columns for every composite.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    drawn = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    wide = torch.zeros(count, images.shape[1], most * images.shape[2])
    targets = torch.full((count, most), 12)
    for row, length in enumerate(drawn):
        picks = torch.from_numpy(rng.integers(0, len(images), length))
        wide[row, :, : length * images.shape[2]] = torch.cat(list(images[picks]), dim=1)
        targets[row, :length] = labels[picks]
    return wide, targets


def draws_place_by_place(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The images seem to be drawn for one place after another, not in one draw for all places.

    Revisit the shape of the second draw: a row holds the images of one composite.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(
        np.stack([rng.integers(0, len(images), count) for _ in range(most)], 1)
    )
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def draws_without_replacement(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """No image seems to be drawn twice.

    Revisit the second draw: each image may stand in many places.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(np.resize(rng.permutation(len(images)), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def never_draws_the_last_image(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The last base image seems never to be drawn.

    Revisit whether the upper bound of `rng.integers` belongs to what is drawn.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, max(1, len(images) - 1), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def always_three_digits(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """All numbers seem to have the same length, as in the lesson.

    Revisit the first draw, which gives each composite a length of its own.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    picks = rng.integers(0, len(images), (count, most))
    wide = torch.cat([images[picks[:, i]] for i in range(most)], dim=2)
    return wide, torch.stack([labels[picks[:, i]] for i in range(most)], dim=1)


def takes_entries_for_lengths(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The number of an entry seems to be taken for a length, which fits (1, 2, 3) alone.

    Revisit what the first draw tells: which entry of `lengths` it is.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = 1 + rng.integers(0, len(lengths), count)
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def draws_between_least_and_most(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Any length between the least and the largest seems to be drawn.

    Revisit lengths with a gap, or with an entry that stands there twice.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = rng.integers(min(lengths), most + 1, count)
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def sorts_the_lengths(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The lengths seem to be sorted before they are drawn.

    Revisit `lengths` such as (3, 1): entry 0 is 3.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.sort(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def drops_repeated_lengths(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """A length that stands there twice seems to count once.

    Revisit how often such an entry is drawn.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    entries = list(dict.fromkeys(lengths))
    length = np.asarray(entries)[rng.integers(0, len(entries), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def one_length_for_all(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """One length seems to be drawn for all composites.

    Revisit how many numbers the first draw returns.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.full(count, lengths[rng.integers(0, len(lengths))])
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def as_wide_as_the_longest_drawn(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The composites seem to be as wide as the longest number that happens to be drawn.

    Revisit what L is: it does not hang on the draws.
    """
    rng = np.random.default_rng(seed)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    most = int(length.max(initial=1))
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def takes_the_last_length_for_the_longest(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The last entry of `lengths` seems to be taken for the largest.

    Revisit how L is found if the lengths come in another order.
    """
    rng = np.random.default_rng(seed)
    most = lengths[-1]
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def counts_lengths_for_the_longest(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The number of entries in `lengths` seems to be taken for the largest length.

    Revisit what L is, and lengths such as (2, 4).
    """
    rng = np.random.default_rng(seed)
    most = len(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def has_three_places_always(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """There seem to be three places always.

    Revisit what L is if `lengths` holds other numbers.
    """
    rng = np.random.default_rng(seed)
    most = 3
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def aligns_right(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The digits seem to stand at the right edge, after the blank.

    Revisit on which side the blank is.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) < most - length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def fills_targets_with_zero(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The targets seem to be filled up with 0, which is a digit.

    Revisit which id fills up a row.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 0)
    return wide, targets


def fills_targets_with_end(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The targets seem to be filled up with END.

    Revisit which id fills up a row, and that END is not in the targets.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 11)
    return wide, targets


def puts_end_into_targets(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """There seems to be an END in the targets after the digits.

    Revisit the shape of the targets: START and END are added later.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    ended = torch.cat([targets, torch.full((count, 1), 12)], dim=1)
    ended[torch.arange(count), torch.from_numpy(length)] = 11
    return wide, ended


def leaves_labels_in_blanks(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The targets seem to have labels where the image is blank.

    Revisit what stands in a row of targets after the digits.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks]
    return wide, targets


def leaves_images_in_blanks(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The images seem to show digits where the targets have PAD.

    Revisit what is on the right of a short number.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks]
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def fills_images_with_one(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """What is left on the right seems to be full of ink.

    Revisit which value is blank.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 1.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def fills_images_with_background(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """What is left on the right seems to be filled with the faintest pixel of the base images.

    Revisit which value is blank.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], float(images.min()))
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def stacks_digits_upright(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The digits seem to stand one below another.

    Revisit along which axis they are joined.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.flatten(1, 2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def scrambles_rows(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The rows of the digits seem to be strung together before the image is cut into rows.

    Revisit the order of the axes before a reshape: all that it joins must lie side by side.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.reshape(count, images.shape[1], most * images.shape[2])
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def takes_images_for_square(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Height and width of the base images seem to be taken for the same.

    Revisit which of the two is joined, and images that are not square.
    """
    rng = np.random.default_rng(seed)
    most, side = max(lengths), images.shape[1]
    drawn = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = rng.integers(0, len(images), (count, most))
    wide = torch.zeros(count, side, most * side)
    targets = torch.full((count, most), 12)
    for row, length in enumerate(drawn):
        for place in range(length):
            wide[row, :, place * side : (place + 1) * side] = images[picks[row, place]]
            targets[row, place] = labels[picks[row, place]]
    return wide, targets


def leaves_gaps(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """There seems to be a blank column between two digits.

    Revisit how the next digit follows.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    spaced = torch.cat([digits, torch.zeros_like(digits[..., :1])], dim=3)
    wide = spaced.transpose(1, 2).flatten(2)[..., :-1]
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def reverses_the_digits(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The digits seem to run from right to left.

    Revisit which draw stands at the left edge.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = (
        images[picks].flip(1).masked_fill(blank[:, :, None, None], 0.0).transpose(1, 2).flatten(2)
    )
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def scales_pixels(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The pixels seem to be scaled once more.

    Revisit between which values they lie when they come.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2) / 16
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def draws_from_torch(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The numbers seem to be drawn by torch.

    Revisit which generator decides.
    """
    most = max(lengths)
    generator = torch.Generator().manual_seed(seed)
    length = np.asarray(lengths)[torch.randint(len(lengths), (count,), generator=generator).numpy()]
    picks = torch.randint(len(images), (count, most), generator=generator)
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def draws_from_numpys_old_generator(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The numbers seem to be drawn by the generator that NumPy had before, which draws other ones.

    Revisit which generator decides.
    """
    rng = np.random.RandomState(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.randint(0, len(lengths), count)]
    picks = torch.from_numpy(rng.randint(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def ignores_the_seed(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The same numbers seem to be drawn, whatever the seed is.

    Revisit what the generator is made from.
    """
    rng = np.random.default_rng(0)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def draws_without_a_seed(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Each call seems to draw other numbers.

    Revisit what the generator is made from.
    """
    rng = np.random.default_rng()
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def goes_on_drawing(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """A later call seems to go on drawing where an earlier one ended.

    Revisit where the generator is made.
    """
    kept = globals().setdefault("_generators", [])
    kept or kept.append(np.random.default_rng(seed))
    rng = kept[0]
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def makes_a_second_generator(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Each draw seems to have a generator of its own, made from the same seed.

    Revisit how many generators there are.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(np.random.default_rng(seed).integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def seeds_torch_as_well(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The global random state of torch seems to be set.

    Revisit whose random numbers are drawn, and what others draw after the call.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def seeds_numpy_as_well(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The global random state of NumPy seems to be set.

    Revisit whose random numbers are drawn, and what others draw after the call.
    """
    np.random.seed(seed % 2**32)
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def seeds_python_as_well(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The global random state of Python seems to be set.

    Revisit whose random numbers are drawn, and what others draw after the call.
    """
    import random

    random.seed(seed)
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def answers_in_float64(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The images seem to be of float64.

    Revisit the dtype of the composites.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide.double(), targets


def answers_targets_as_floats(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The targets seem to be floats.

    Revisit the dtype of token ids.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets.float()


def answers_targets_as_int32(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The targets seem to be of int32.

    Revisit the dtype of token ids.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets.int()


def answers_arrays(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """NumPy arrays seem to be returned.

    Revisit the types of the results.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide.numpy(), targets.numpy()


def answers_targets_first(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The targets seem to come before the images.

    Revisit the order of the two results.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return targets, wide


def answers_images_alone(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Only the images seem to be returned.

    Revisit what the call returns.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide


def cannot_make_none(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """No composites seem to be a case of their own, which raises an error.

    Revisit what `torch.stack` does with an empty list.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    rows = [torch.cat(list(row), dim=1) for row in digits]
    wide = torch.stack(rows)
    targets = torch.stack([row for row in labels[picks].masked_fill(blank, 12)])
    return wide, targets


def makes_floats_of_none(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The targets seem to be floats if there are no composites.

    Revisit the dtype that `torch.tensor` gives to an empty list.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide, torch.tensor(targets.tolist()).reshape(count, most)


def loses_the_axis_of_one(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The axis of the composites seems to be lost if there is one only.

    Revisit what `squeeze` does to an axis of size 1.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    targets = labels[picks].masked_fill(blank, 12)
    return wide.squeeze(0), targets.squeeze(0)


def blanks_the_base_images(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The base images themselves seem to be written into.

    Revisit what `images[i]` is: a view, and no copy.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    drawn = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = rng.integers(0, len(images), (count, most))
    wide = torch.zeros(count, images.shape[1], most * images.shape[2])
    targets = torch.full((count, most), 12)
    for row, length in enumerate(drawn):
        for place in range(most):
            digit = images[picks[row, place]]
            if place >= length:
                digit.zero_()
            else:
                targets[row, place] = labels[picks[row, place]]
            left = place * images.shape[2]
            wide[row, :, left : left + images.shape[2]] = digit
    return wide, targets


def turns_images_into_binary(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Pixels seem to be rounded to 0 and 1.

    Revisit what happens to the pixels of a digit: nothing.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2).round()
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets


def marks_the_base_images(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The base images that have been used seem to be written into after they have been copied.

    Revisit what has to stay as it was.
    """
    rng = np.random.default_rng(seed)
    most = max(lengths)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    blank = torch.from_numpy(np.arange(most) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    wide = digits.transpose(1, 2).flatten(2)
    images[picks.flatten()] = 0.0
    targets = labels[picks].masked_fill(blank, 12)
    return wide, targets
