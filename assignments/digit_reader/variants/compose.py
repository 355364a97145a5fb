"""Unusual right answers to `compose`, which must get full marks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def chooses_lengths(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """The lengths are drawn by `choice`."""
    rng = np.random.default_rng(seed)
    length = rng.choice(lengths, count)
    picks = rng.integers(0, len(images), (count, max(lengths)))
    keep = torch.from_numpy(np.arange(max(lengths)) < length[:, None])
    wide = torch.cat(list(images[torch.from_numpy(picks)].unbind(1)), dim=2)
    width = images.size(2)
    wide = torch.where(keep.repeat_interleave(width, dim=1)[:, None], wide, torch.zeros(()))
    return wide, torch.where(keep, labels[torch.from_numpy(picks)], 12)


def fills_an_empty_canvas(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Two loops write into blank images."""
    rng = np.random.default_rng(seed)
    most, (_, height, width) = max(lengths), images.shape
    drawn = [lengths[entry] for entry in rng.integers(0, len(lengths), count)]
    picks = rng.integers(0, len(images), (count, most))
    wide = torch.zeros(count, height, most * width)
    targets = torch.full((count, most), 12)
    for row, length in enumerate(drawn):
        for place in range(length):
            pick = int(picks[row][place])
            wide[row, :, place * width : (place + 1) * width] = images[pick]
            targets[row, place] = labels[pick]
    return wide, targets


def all_in_numpy(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """NumPy alone, and torch at both ends."""
    rng = np.random.default_rng(seed)
    pixels, digits = images.numpy(), labels.numpy()
    most = max(lengths)
    length = np.array(lengths)[rng.integers(len(lengths), size=count)]
    picks = rng.integers(len(pixels), size=(count, most))
    shown = np.arange(most)[None] < length[:, None]
    wide = np.where(shown[:, :, None, None], pixels[picks], np.float32(0)).transpose(0, 2, 1, 3)
    wide = wide.reshape(count, pixels.shape[1], most * pixels.shape[2])
    return torch.tensor(wide), torch.tensor(np.where(shown, digits[picks], 12))


def has_a_blank_image(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """A blank image with the label PAD is one more base image."""
    rng = np.random.default_rng(seed)
    length = rng.choice(np.asarray(lengths), size=count)
    picks = rng.integers(0, len(images), (count, max(lengths)))
    picks[np.arange(max(lengths)) >= length[:, None]] = len(images)
    more = torch.cat([images, torch.zeros_like(images[:1])])
    names = torch.cat([labels, labels.new_tensor([12])])
    return torch.cat([more[column] for column in picks.T], dim=-1), names[picks]


def multiplies_by_a_mask(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Blank is 0 times a digit."""
    rng = np.random.default_rng(seed)
    entries = torch.tensor(rng.integers(0, len(lengths), count), dtype=torch.long)
    length = torch.tensor(list(lengths))[entries]
    picks = torch.tensor(rng.integers(0, len(images), (count, max(lengths))))
    kept = torch.arange(max(lengths)).lt(length.unsqueeze(1))
    digits = images[picks] * kept[..., None, None]
    return digits.permute(0, 2, 1, 3).flatten(start_dim=2), labels[picks] * kept + 12 * ~kept


def row_by_row(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Each composite by itself, in lists; no composites are a case of their own."""
    rng = np.random.default_rng(seed)
    most = max(lengths)
    drawn, picks = rng.integers(0, len(lengths), count), rng.integers(0, len(images), (count, most))
    if count == 0:
        return torch.zeros(0, images.shape[1], most * images.shape[2]), torch.zeros(0, most).long()
    blank = torch.zeros(images.shape[1:])
    rows, targets = [], []
    for entry, row in zip(drawn, picks):
        length = lengths[int(entry)]
        pieces = [images[int(pick)] for pick in row[:length]] + [blank] * (most - length)
        rows.append(torch.hstack(pieces))
        targets.append([int(labels[int(pick)]) for pick in row[:length]] + [12] * (most - length))
    return torch.stack(rows), torch.tensor(targets)


def by_place(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Place after place, with index_select."""
    rng = np.random.default_rng(seed)
    length = torch.as_tensor(np.asarray(lengths)[rng.integers(0, len(lengths), count)])
    picks = torch.as_tensor(rng.integers(0, len(images), (count, max(lengths))))
    columns, targets = [], []
    for place, pick in enumerate(picks.unbind(dim=1)):
        shown = place < length
        digit = torch.index_select(images, 0, pick)
        digit[~shown] = 0
        columns.append(digit)
        targets.append(labels.take(pick).masked_fill(~shown, 12))
    return torch.cat(columns, 2), torch.stack(targets, 1)


def cuts_afterwards(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """All digits are laid out, and columns of pixels beyond a length are set to 0."""
    rng = np.random.default_rng(seed)
    n, height, width = images.shape
    most = max(lengths)
    length = np.take(lengths, rng.integers(0, len(lengths), count))
    picks = rng.integers(0, n, (count, most))
    wide = images.transpose(1, 2)[picks].reshape(count, most * width, height).mT.contiguous()
    edges = torch.from_numpy(np.asarray(length, dtype=np.int64) * width)
    wide[(torch.arange(most * width) >= edges[:, None])[:, None].expand(-1, height, -1)] = 0.0
    targets = labels[picks].clone()
    targets[torch.arange(most) >= torch.from_numpy(np.asarray(length))[:, None]] = 12
    return wide, targets


def with_einsum(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """A one-hot choice of images, multiplied out."""
    rng = np.random.default_rng(seed)
    length = rng.choice(lengths, count)
    picks = torch.from_numpy(rng.integers(0, len(images), (count, max(lengths))))
    shown = torch.from_numpy(np.arange(max(lengths)) < length[:, None])
    choice = F.one_hot(picks, len(images)).float() * shown[..., None]
    wide = torch.einsum("bln,nhw->bhlw", choice, images).flatten(2)
    said = (F.one_hot(picks, len(images)) * labels).sum(-1)
    return wide, said.masked_fill(~shown, 12)


def turned_twice(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Columns are put below each other, and the whole is turned."""
    rng, most = np.random.default_rng(seed), max(lengths)
    length = torch.from_numpy(rng.choice(lengths, count))[:, None]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, most)))
    used = torch.arange(most) < length
    columns = images[picks].transpose(2, 3) * used[:, :, None, None]
    return columns.flatten(1, 2).transpose(1, 2), torch.where(used, labels[picks], 12)
