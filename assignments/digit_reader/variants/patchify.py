"""Unusual right answers to `patchify`, which must get full marks."""

from __future__ import annotations

import torch
from torch import Tensor


def unfolds(images: Tensor, patch: int) -> Tensor:
    """`Tensor.unfold` along both sides."""
    if any(side % patch for side in images.shape[1:]):
        raise ValueError("the patches do not tile the images")
    tiles = images.unfold(1, patch, patch).unfold(2, patch, patch)
    return tiles.contiguous().view(images.shape[0], -1, patch * patch)


def in_loops(images: Tensor, patch: int) -> Tensor:
    """Slices in two loops, stacked."""
    _, height, width = images.shape
    if height % patch != 0 or width % patch != 0:
        raise ValueError(f"{height} x {width} does not suit {patch}")
    pieces = []
    for top in range(0, height, patch):
        for left in range(0, width, patch):
            pieces.append(images[:, top : top + patch, left : left + patch].flatten(1))
    return torch.stack(pieces, dim=1)


def by_index(images: Tensor, patch: int) -> Tensor:
    """Rows and columns of each pixel are worked out, and the images indexed."""
    batch, height, width = images.size()
    if (height // patch) * patch != height or (width // patch) * patch != width:
        raise ValueError
    place = torch.arange(height * width).view(height // patch, patch, width // patch, patch)
    order = place.permute(0, 2, 1, 3).flatten()
    return images.flatten(1)[:, order].unflatten(1, (-1, patch * patch))


def splits_and_concatenates(images: Tensor, patch: int) -> Tensor:
    """Strips, then squares."""
    for side in (images.shape[-2], images.shape[-1]):
        if side % patch:
            raise ValueError(f"{side} is no multiple of {patch}")
    strips = torch.split(images, patch, dim=1)
    squares = [square for strip in strips for square in strip.split(patch, dim=2)]
    return torch.cat([square.reshape(len(images), 1, -1) for square in squares], dim=1)


def chunks(images: Tensor, patch: int) -> Tensor:
    """`chunk` twice, with a check by divmod."""
    rows, high = divmod(images.size(1), patch)
    columns, wide = divmod(images.size(2), patch)
    if high > 0 or wide > 0:
        raise ValueError("the sides of the images are no multiples of the patch")
    squares = [part for strip in images.chunk(rows, 1) for part in strip.chunk(columns, 2)]
    return torch.stack(squares, 1).flatten(2)


def image_by_image(images: Tensor, patch: int) -> Tensor:
    """Each image by itself, pixel row by pixel row."""
    batch, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError("no")
    rows = []
    for image in images:
        patches = []
        for i in range(height // patch):
            for j in range(width // patch):
                lines = [image[i * patch + k, j * patch : (j + 1) * patch] for k in range(patch)]
                patches.append(torch.cat(lines))
        rows.append(torch.stack(patches))
    return torch.stack(rows)


def with_einsum(images: Tensor, patch: int) -> Tensor:
    """`einsum` moves the axes."""
    height, width = images.shape[1:]
    if max(height % patch, width % patch):
        raise ValueError("patches must tile the images")
    tiles = images.unflatten(2, (-1, patch)).unflatten(1, (-1, patch))
    return torch.einsum("bhpwq->bhwpq", tiles).flatten(3).flatten(1, 2)


def swaps_axes_with_movedim(images: Tensor, patch: int) -> Tensor:
    """`movedim`, and an exception of its own that is a ValueError."""

    class DoesNotFit(ValueError):
        pass

    _, height, width = images.shape
    if (height % patch, width % patch) != (0, 0):
        raise DoesNotFit(f"{height} and {width} must be multiples of {patch}")
    parts = images.reshape(len(images), height // patch, patch, width // patch, patch)
    return parts.movedim(2, 3).reshape(len(images), height * width // patch**2, patch**2)


def turns_runtime_errors_into_value_errors(images: Tensor, patch: int) -> Tensor:
    """The error of a reshape is caught."""
    _, height, width = images.shape
    try:
        tiles = images.reshape(len(images), height // patch, patch, width // patch, patch)
    except RuntimeError as error:
        raise ValueError("the patches do not tile the images") from error
    return tiles.permute(0, 1, 3, 2, 4).flatten(3).flatten(1, 2)
