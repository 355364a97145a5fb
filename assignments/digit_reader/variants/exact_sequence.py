"""Unusual right answers to `exact_sequence`, which must get full marks."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.digit_reader import Reader, decoder_tensors, read


def in_a_line(model: Reader, images: Tensor, targets: Tensor) -> float:
    """One expression."""
    return float(
        (read(model, images, targets.shape[1]) == decoder_tensors(targets)[1]).all(1).float().mean()
    )


def with_a_loop_of_its_own(model: Reader, images: Tensor, targets: Tensor) -> float:
    """A greedy loop that stands here, without `read`."""
    most = targets.size(1)
    was_training = model.training
    model.eval()
    with torch.no_grad():
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), 10)
        for _ in range(most + 1):
            logits, _ = model.decode(memory, tokens)
            tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
    model.train(was_training)
    count = 0
    for said, target in zip(tokens[:, 1:].tolist(), targets.tolist()):
        number = [token for token in target if token != 12]
        count += said[: len(number) + 1] == [*number, 11]
    return count / len(targets)


def in_lists(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Rows as lists, counted by Python."""
    said = read(model, images, max_digits=targets.size(1)).tolist()
    wanted = []
    for row in targets.tolist():
        digits = [token for token in row if token < 10]
        wanted.append(digits + [11] + [12] * (len(row) - len(digits)))
    return sum(a == b for a, b in zip(said, wanted)) / len(wanted)


def image_by_image(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Each image is read by itself."""
    count = 0
    for image, target in zip(images, targets):
        said = read(model, image[None], max_digits=len(target))[0]
        length = int((target != 12).sum())
        right = torch.equal(said[:length], target[:length]) and said[length] == 11
        count += int(right)
    return count / len(images)


def in_batches(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Fifty images at a time, and one sum."""
    right = 0
    for some, numbers in zip(images.split(50), targets.split(50)):
        said = read(model, some, max_digits=numbers.size(1))
        right += torch.count_nonzero((said == decoder_tensors(numbers)[1]).all(dim=-1)).item()
    return right / float(len(images))


def digits_and_lengths(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Digits and the place of END are compared one after the other."""
    said = read(model, images, max_digits=targets.size(1))
    length = (targets != 12).sum(dim=1)
    digits = ((said[:, :-1] == targets) | (targets == 12)).all(dim=1)
    ends = said.gather(1, length[:, None]).squeeze(1) == 11
    return (digits & ends).double().mean().item()


def in_numpy(model: Reader, images: Tensor, targets: Tensor) -> float:
    """NumPy compares, and its float is turned into Python's."""
    said = np.asarray(read(model, images, max_digits=int(targets.shape[-1])))
    wanted = np.asarray(decoder_tensors(targets)[1])
    return float(np.mean(np.all(said == wanted, axis=1)))


def counts_flaws(model: Reader, images: Tensor, targets: Tensor) -> float:
    """One less the share of rows that have a flaw."""
    said = read(model, images, max_digits=targets.size(1))
    flaws = (said - decoder_tensors(targets)[1]).abs().sum(dim=1)
    return 1.0 - flaws.bool().sum().item() / flaws.numel()


def as_texts(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Rows as texts, with a letter for END."""

    def text(row):
        return "".join({10: "S", 11: "E", 12: ""}.get(token, str(token)) for token in row)

    said = read(model, images, max_digits=targets.size(1)).tolist()
    matches = [text(a) == text(b) + "E" for a, b in zip(said, targets.tolist())]
    return matches.count(True) / len(matches)
