"""Unusual right answers to `read`, which must get full marks."""

from __future__ import annotations

import contextlib
import copy
import itertools

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.digit_reader import Reader


@torch.no_grad()
def drops_ended_rows(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Only rows that have not ended are decoded."""
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        rows = torch.full((len(images), max_digits + 2), 12)
        rows[:, 0] = 10
        going = torch.arange(len(images))
        for step in range(1, max_digits + 2):
            if len(going) == 0:
                break
            logits = model.decode(memory[going], rows[going, :step])[0]
            rows[going, step] = logits[:, -1].argmax(-1)
            going = going[rows[going, step] != 11]
        rows[going, -1] = 12
        return rows[:, 1:]
    finally:
        model.train(was_training)


@torch.no_grad()
def pads_at_the_end(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The rows say what they like, and PADs are put in when all have ended."""
    was_training = model.training
    model.eval()
    try:
        memory, said = model.encode(images), torch.full((len(images), 1), 10, dtype=torch.long)
        while said.size(1) < max_digits + 2 and not (said == 11).any(1).all():
            said = torch.hstack([said, model.decode(memory, said)[0][:, -1:].argmax(-1)])
        said = said[:, 1:]
        after = (said == 11).cumsum(1) - (said == 11).int() > 0
        said = torch.where(after, 12, said)
        if said.size(1) > max_digits:
            said[~(said == 11).any(1), -1] = 12
        rest = said.new_full((len(said), max_digits + 1 - said.size(1)), 12)
        return torch.hstack([said, rest])
    finally:
        model.train(was_training)


@torch.inference_mode()
def in_inference_mode(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Inference mode, and a buffer that is filled from the left."""
    was_training = model.training
    model.train(False)
    try:
        memory = model.encode(images=images)
        buffer = torch.full((images.shape[0], max_digits + 2), 12, dtype=torch.int64)
        buffer[:, 0] = 10
        alive = torch.ones(images.shape[0], dtype=torch.bool)
        steps = 0
        while steps <= max_digits and alive.any():
            logits, _ = model.decode(memory=memory, tokens=buffer[:, : steps + 1])
            steps += 1
            buffer[alive, steps] = logits[alive, -1].argmax(dim=1)
            alive &= buffer[:, steps].ne(11)
        buffer[alive, -1] = 12
        return buffer[:, 1:]
    finally:
        model.train(was_training)


@torch.no_grad()
def by_recursion(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A function that calls itself with longer rows."""
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)

        def grow(tokens, ended, left):
            if left == 0 or ended.all():
                return tokens, ended
            token = model.decode(memory, tokens)[0][:, -1].max(dim=-1).indices
            token = torch.where(ended, torch.tensor(12), token)
            return grow(torch.column_stack([tokens, token]), ended | token.eq(11), left - 1)

        nobody = torch.zeros(len(images), dtype=torch.bool)
        tokens, ended = grow(torch.full((len(images), 1), 10), nobody, max_digits + 1)
        missing = max_digits + 2 - tokens.size(1)
        tokens = F.pad(tokens, (0, missing), value=12)
        tokens[:, -1][~ended] = 12
        return tokens[:, 1:]
    finally:
        model.train(was_training)


@torch.no_grad()
def in_lists(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Python lists of tokens, and Python's max."""
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        rows, ended = [[10] for _ in images], [False for _ in images]
        for _ in range(max_digits + 1):
            logits = model.decode(memory, torch.tensor(rows))[0][:, -1].tolist()
            for b, scores in enumerate(logits):
                token = 12 if ended[b] else max(range(len(scores)), key=scores.__getitem__)
                rows[b].append(token)
                ended[b] = ended[b] or token == 11
            if all(ended):
                break
        result = []
        for row in rows:
            digits = row[1 : row.index(11) + 1] if 11 in row else row[1 : max_digits + 1]
            result.append(digits + [12] * (max_digits + 1 - len(digits)))
        return torch.tensor(result, dtype=torch.int64)
    finally:
        model.train(was_training)


def modes_of_all_parts(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Every part gets its own mode back, in a context manager."""

    @contextlib.contextmanager
    def evaluating():
        modes = {module: module.training for module in model.modules()}
        model.eval()
        try:
            yield
        finally:
            for module, mode in modes.items():
                module.training = mode

    with evaluating(), torch.no_grad():
        memory = model.encode(images)
        columns = [torch.full((len(images),), 10)]
        ended = torch.zeros(len(images), dtype=torch.bool)
        while len(columns) < max_digits + 2:
            if ended.all():
                columns.append(torch.full_like(columns[0], 12))
                continue
            scores = model.decode(memory, torch.stack(columns, 1))[0].log_softmax(-1)
            columns.append(torch.topk(scores[:, -1], 1).indices.squeeze(-1).masked_fill(ended, 12))
            ended = torch.logical_or(ended, columns[-1] == 11)
        columns[-1] = columns[-1].where(ended, torch.tensor(12))
        return torch.stack(columns[1:], 1)


def with_except_and_else(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """The mode comes back in an except clause, or at the end."""
    training, recording = model.training, torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    model.eval()
    try:
        memory, prefix = model.encode(images), torch.tensor([[10]]).repeat(len(images), 1)
        lengths = torch.full((len(images),), max_digits + 1)
        for step in range(max_digits + 1):
            best = model.decode(memory, prefix)[0][:, -1].sort(dim=-1, descending=True)[1][:, 0]
            prefix = torch.cat((prefix, best[:, None]), 1)
            lengths = torch.where((best == 11) & (lengths > step), step, lengths)
            if lengths.max() <= step:
                break
    except BaseException:
        model.train(training)
        torch.set_grad_enabled(recording)
        raise
    model.train(training)
    torch.set_grad_enabled(recording)
    said = torch.full((len(images), max_digits + 1), 12)
    for row, (tokens, length) in enumerate(zip(prefix[:, 1:], lengths.tolist())):
        kept = min(length + 1, max_digits) if length > max_digits else length + 1
        said[row, :kept] = tokens[:kept]
    return said


@torch.no_grad()
def with_numpy(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """NumPy's argmax and where."""
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        rows = np.full((len(images), max_digits + 2), 12, dtype=np.int64)
        rows[:, 0] = 10
        ended = np.zeros(len(images), dtype=bool)
        for step in range(max_digits + 1):
            logits = model.decode(memory, torch.from_numpy(rows[:, : step + 1].copy()))[0].numpy()
            rows[:, step + 1] = np.where(ended, 12, logits[:, -1].argmax(axis=-1))
            ended = ended | (rows[:, step + 1] == 11)
            if ended.all():
                break
        rows[~ended, -1] = 12
        return torch.from_numpy(rows[:, 1:].copy())
    finally:
        model.train(was_training)


@torch.no_grad()
def with_generator(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A generator of columns, cut by islice."""
    was_training = model.training
    model.eval()
    try:

        def columns():
            memory, tokens = model.encode(images), torch.full((len(images), 1), 10)
            ended = tokens[:, 0] != 10
            while not ended.all():
                scores = F.softmax(model.decode(memory, tokens)[0], dim=-1)
                column = torch.where(ended, 12, scores[:, -1].argmax(-1))
                tokens = torch.cat([tokens, column[:, None]], 1)
                ended = ended | (column == 11)
                yield column

        said = list(itertools.islice(columns(), max_digits + 1))
        said += [torch.full_like(said[0], 12)] * (max_digits + 1 - len(said))
        said = torch.stack(said, 1)
        said[:, -1] = torch.where((said == 11).any(1), said[:, -1], 12)
        return said
    finally:
        model.train(was_training)


@torch.no_grad()
def on_a_copy(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A copy of the model is put into evaluation mode, and the model itself is left alone."""
    reader = copy.deepcopy(model).eval()
    memory, tokens = reader.encode(images), torch.full((len(images), 1), 10)
    for _ in range(max_digits + 1):
        ended = (tokens == 11).any(1, keepdim=True)
        if ended.all():
            break
        token = reader.decode(memory, tokens)[0][:, -1:].argmax(dim=-1)
        tokens = torch.cat([tokens, torch.where(ended, 12, token)], dim=1)
    ended = (tokens == 11).any(1)
    whole = torch.full((len(images), max_digits + 1), 12)
    whole[:, : tokens.size(1) - 1] = tokens[:, 1:]
    whole[:, max_digits] = torch.where(ended, whole[:, max_digits], 12)
    return whole


def as_a_class(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A class inside the function that keeps the state."""

    class Scribe:
        def __init__(self):
            self.memory = model.encode(images)
            self.rows = torch.empty(len(images), 1, dtype=torch.int64).fill_(10)

        @property
        def ended(self):
            return (self.rows[:, 1:] == 11).any(dim=1)

        def step(self):
            token = model.decode(self.memory, self.rows)[0].select(1, -1).argmax(1)
            token = token.where(~self.ended, torch.full_like(token, 12))
            self.rows = torch.cat([self.rows, token.view(-1, 1)], dim=-1)

    mode = model.training
    with torch.no_grad():
        try:
            scribe = Scribe() if model.eval() else None
            while scribe.rows.size(1) < max_digits + 2 and not bool(scribe.ended.all()):
                scribe.step()
            said = F.pad(scribe.rows, (0, max_digits + 2 - scribe.rows.size(1)), value=12)[:, 1:]
            return torch.cat(
                [said[:, :-1], said[:, -1:].where(scribe.ended[:, None], 12 + 0 * said[:, -1:])], 1
            )
        finally:
            model.train(mode=mode)


def looks_for_end_in_all_tokens(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """A canvas of PAD is filled in; a row has ended if there is an END or a PAD in it."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory = model.encode(images)
            tokens = torch.full((len(images), 1), 10)
            for _ in range(max_digits + 1):
                ended = (tokens >= 11).any(dim=1)
                if ended.all():
                    break
                likeliest = model.decode(memory, tokens)[0][:, -1].topk(1).indices[:, 0]
                tokens = torch.cat([tokens, torch.where(ended, 12, likeliest)[:, None]], dim=1)
            said = torch.full((len(images), max_digits + 1), 12)
            said[:, : tokens.size(1) - 1] = tokens[:, 1:]
            said[~(tokens >= 11).any(dim=1), -1] = 12
            return said
    finally:
        model.train(was_training)
