"""Unusual right answers to `generate`, which must get full marks."""

from __future__ import annotations

import contextlib
import itertools

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn


def drops_ended_rows(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Only rows that have not ended are decoded."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            answer = torch.full((len(source), max_new_tokens + 1), pad)
            answer[:, 0] = bos
            going, width = torch.arange(len(source)), 1
            while width <= max_new_tokens and len(going):
                logits = model.decode(answer[going, :width], memory[going], visible[going])
                token = logits[:, -1].argmax(-1)
                answer[going, width] = token
                going, width = going[token != eos], width + 1
            return answer[:, 1:width]
    finally:
        model.train(was_training)


def pads_at_the_end(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The rows say what they like, and PADs are put in when all have ended."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            said = torch.full((len(source), 1), bos, dtype=torch.long)
            while said.size(1) <= max_new_tokens and not (said[:, 1:] == eos).any(1).all():
                said = torch.hstack([said, model.decode(said, memory, visible)[:, -1:].argmax(-1)])
            said = said[:, 1:]
            after = (said == eos).cumsum(1) - (said == eos).int() > 0
            return said.masked_fill(after, pad)
    finally:
        model.train(was_training)


def in_inference_mode(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Inference mode, a buffer that is filled from the left, and a counter."""
    was_training = model.training
    model.train(False)
    try:
        with torch.inference_mode():
            memory, visible = model.encode(source=source)
            buffer = source.new_full((source.shape[0], 1 + max_new_tokens), pad)
            buffer[:, 0] = bos
            alive = source.new_ones(source.shape[0], dtype=torch.bool)
            steps = 0
            while steps < max_new_tokens and alive.any():
                logits = model.decode(
                    target_prefix=buffer[:, : steps + 1], memory=memory, source_visible=visible
                )
                buffer[alive, steps + 1] = logits[alive, -1].argmax(dim=1)
                steps += 1
                alive &= buffer[:, steps].ne(eos)
            return buffer[:, 1 : steps + 1]
    finally:
        model.train(was_training)


def by_recursion(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A function that calls itself with a longer prefix."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)

            def grow(prefix, ended, left):
                if left == 0 or ended.all():
                    return prefix
                token = model.decode(prefix, memory, visible)[:, -1].max(dim=-1).indices
                token = torch.where(ended, torch.tensor(pad), token)
                return grow(torch.column_stack([prefix, token]), ended | token.eq(eos), left - 1)

            nobody = torch.zeros(len(source), dtype=torch.bool)
            return grow(torch.full((len(source), 1), bos), nobody, max_new_tokens)[:, 1:]
    finally:
        model.train(was_training)


def in_lists(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Python lists of tokens, and Python's max."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            rows, ended = [[bos] for _ in source], [False for _ in source]
            for _ in range(max_new_tokens):
                logits = model.decode(torch.tensor(rows), memory, visible)[:, -1].tolist()
                for b, scores in enumerate(logits):
                    token = pad if ended[b] else max(range(len(scores)), key=scores.__getitem__)
                    rows[b].append(token)
                    ended[b] = ended[b] or token == eos
                if all(ended):
                    break
            return torch.tensor([row[1:] for row in rows], dtype=torch.int64)
    finally:
        model.train(was_training)


def modes_of_all_parts(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
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
        memory, visible = model.encode(source)
        columns = [source.new_full((len(source),), bos)]
        ended = torch.zeros(len(source), dtype=torch.bool)
        while len(columns) <= max_new_tokens and not bool(ended.all()):
            logits = model.decode(torch.stack(columns, 1), memory, visible).log_softmax(-1)
            columns.append(torch.topk(logits[:, -1], 1).indices.squeeze(-1).masked_fill(ended, pad))
            ended = torch.logical_or(ended, columns[-1] == eos)
        return torch.stack(columns, 1)[:, 1:]


def with_except_and_else(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """The mode comes back in an except clause, or at the end."""
    training, recording = model.training, torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    model.eval()
    try:
        memory, visible = model.encode(source)
        prefix = torch.tensor([[bos]]).repeat(len(source), 1)
        lengths = torch.full((len(source),), max_new_tokens + 1)
        for step in range(1, max_new_tokens + 1):
            token = model.decode(prefix, memory, visible)[:, -1].sort(dim=-1, descending=True)[1][
                :, 0
            ]
            prefix = torch.cat((prefix, torch.where(lengths < step, pad, token).unsqueeze(1)), 1)
            lengths = torch.where((token == eos) & (lengths > step), step, lengths)
            if lengths.max() <= step:
                break
    except BaseException:
        model.train(training)
        torch.set_grad_enabled(recording)
        raise
    model.train(training)
    torch.set_grad_enabled(recording)
    return prefix[:, 1:].clone()


def with_numpy(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """NumPy's argmax and where."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            memory, visible = model.encode(source)
            prefix, ended = (
                np.full((len(source), 1), bos, dtype=np.int64),
                np.zeros(len(source), dtype=bool),
            )
            while not ended.all() and prefix.shape[1] <= max_new_tokens:
                logits = model.decode(torch.from_numpy(prefix), memory, visible).numpy()
                token = np.where(ended, pad, logits[:, -1].argmax(axis=-1))
                prefix = np.concatenate([prefix, token[:, None]], axis=1)
                ended = ended | (token == eos)
            return torch.from_numpy(prefix[:, 1:].copy())
    finally:
        model.train(was_training)


def with_generator(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A generator of columns, cut by islice."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():

            def columns():
                memory, visible = model.encode(source)
                prefix = torch.full((len(source), 1), bos)
                ended = prefix[:, 0] != bos
                while not ended.all():
                    column = F.softmax(model.decode(prefix, memory, visible), dim=-1)[:, -1].argmax(
                        -1
                    )
                    column = ended * pad + ~ended * column
                    prefix = torch.cat([prefix, column[:, None]], 1)
                    ended = ended | (column == eos)
                    yield column

            said = list(itertools.islice(columns(), max_new_tokens))
            return torch.stack(said, 1) if said else torch.zeros(len(source), 0, dtype=torch.long)
    finally:
        model.train(was_training)


def as_a_class(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A class inside the function that keeps the state."""

    class Writer:
        def __init__(self):
            self.memory = model.encode(source)
            self.rows = torch.empty(len(source), 1, dtype=torch.int64).fill_(bos)

        @property
        def ended(self):
            return (self.rows[:, 1:] == eos).any(dim=1)

        def finished(self):
            return self.rows.size(1) > max_new_tokens or bool(self.ended.all())

        def step(self):
            token = model.decode(self.rows, *self.memory).select(1, -1).argmax(1)
            token = token.where(~self.ended, torch.full_like(token, pad))
            self.rows = torch.cat([self.rows, token.view(-1, 1)], dim=-1)

    mode = model.training
    with torch.no_grad():
        try:
            writer = Writer() if model.eval() else None
            while not writer.finished():
                writer.step()
            return writer.rows.narrow(1, 1, writer.rows.size(1) - 1)
        finally:
            model.train(mode=mode)


def on_a_copy(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """A copy of the model is put into evaluation mode, and the model itself is left alone."""
    import copy

    with torch.no_grad():
        reader = copy.deepcopy(model).eval()
        memory, visible = reader.encode(source)
        prefix = torch.full((len(source), 1), bos)
        ended = torch.zeros_like(prefix, dtype=torch.bool)
        while prefix.size(1) <= max_new_tokens and not ended.all():
            token = reader.decode(prefix, memory, visible)[:, -1:].argmax(dim=-1)
            prefix = torch.cat([prefix, torch.where(ended, pad, token)], dim=1)
            ended |= token == eos
        return prefix[:, 1:]


def leaves_early_if_nothing_to_do(
    model: nn.Module,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Nothing is run if no token is wanted; positions are read from the end."""
    if max_new_tokens < 1:
        return source.new_empty((source.size(0), 0))
    was_training = model.training
    try:
        with torch.no_grad():
            model.eval()
            encoded = model.encode(source)
            tokens = torch.full_like(source[:, :1], bos)
            ended = torch.full_like(source[:, :1], False, dtype=torch.bool)
            for left in reversed(range(max_new_tokens)):
                best = model.decode(tokens, *encoded).argmax(dim=-1)[:, -1:]
                best = best.masked_fill(ended, pad)
                tokens, ended = torch.cat([tokens, best], dim=-1), ended.logical_or(best == eos)
                if left == 0 or ended.sum() == len(ended):
                    return tokens[:, -(tokens.size(1) - 1) :]
    finally:
        model.train() if was_training else model.eval()
