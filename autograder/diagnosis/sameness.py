"""How alike two answers are."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.diagnosis.calls import Answer, Call

CLOSE = 1e-4
DIGITS = {torch.float64: 1e-11, torch.float16: 2e-3, torch.bfloat16: 2e-2}
"""Relative differences that the order of operations makes; `SINGLE` for float32."""
SINGLE = 3e-6


class Likeness(IntEnum):
    """How alike two answers to a call are; a smaller value is more alike."""

    SAME = 0
    """To the type, the dtype and the last digits, with the same questions asked meanwhile."""
    SAME_VALUES = 1
    """The values are close, and the same questions were asked."""
    SAME_RESULT = 2
    """The values are close."""
    OTHER = 3


def likeness(call: Call, answer: Answer) -> Likeness:
    """Compare what came of a call with what came of it when it was replayed."""
    found = call.answer
    if found.raised or answer.raised:
        return _likeness_of_errors(found, answer)
    if not alike(found.value, answer.value, strict=False, scale=call.scale):
        return Likeness.OTHER
    if list(found.asked) != list(answer.asked):
        return Likeness.SAME_RESULT
    strict = alike(found.value, answer.value, strict=True, scale=call.scale)
    return Likeness.SAME if strict else Likeness.SAME_VALUES


def _likeness_of_errors(found: Answer, answer: Answer) -> Likeness:
    if not (found.raised and answer.raised):
        return Likeness.OTHER
    if found.raised[:1] != answer.raised[:1] or list(found.asked) != list(answer.asked):
        return Likeness.SAME_RESULT
    return Likeness.SAME if found.raised == answer.raised else Likeness.SAME_VALUES


def alike(found: Any, other: Any, *, strict: bool, scale: float = 1.0) -> bool:
    """Compare two values.

    Args:
        found: a value as it can be sent.
        other: another.
        strict: compare types, dtypes and digits, too.
        scale: how large the numbers were that it was made from.
    """
    if _is_numeric(found) and _is_numeric(other):
        return _alike_numbers(found, other, strict, scale)
    if isinstance(found, (list, tuple)) and isinstance(other, (list, tuple)):
        if (strict and type(found) is not type(other)) or len(found) != len(other):
            return False
        return all(
            alike(a, b, strict=strict, scale=scale) for a, b in zip(found, other, strict=True)
        )
    if isinstance(found, (list, tuple)) != isinstance(other, (list, tuple)) and not strict:
        return _alike_numbers(found, other, strict, scale)
    if isinstance(found, str) or found is None:
        return type(found) is type(other) and bool(found == other)
    return _type_name(found) == _type_name(other)


def _is_numeric(value: Any) -> bool:
    return isinstance(value, (Tensor, np.ndarray, np.generic, bool, int, float))


def _alike_numbers(found: Any, other: Any, strict: bool, scale: float) -> bool:
    """Compare tensors, arrays, numbers, and lists of numbers."""
    if strict and isinstance(found, Tensor) != isinstance(other, Tensor):
        return False
    try:
        a, b = torch.as_tensor(found).detach(), torch.as_tensor(other).detach()
    except (TypeError, ValueError, RuntimeError):  # a ragged list, or one of text
        return False
    if a.shape != b.shape or (strict and a.dtype != b.dtype):
        return False
    limit = DIGITS.get(b.dtype, SINGLE) if strict else CLOSE
    return _close(a, b, limit, scale)


def _close(a: Tensor, b: Tensor, limit: float, scale: float) -> bool:
    """Compare relative to the largest number; NaN and infinities must be at the same places."""
    if a.is_complex() or b.is_complex():
        return torch.allclose(a.to(torch.complex128), b.to(torch.complex128), rtol=limit)
    x, y = a.double(), b.double()
    if torch.equal(x, y):
        return True
    finite = y[y.isfinite()].abs()
    largest = max(scale, float(finite.max())) if finite.numel() else scale
    return torch.allclose(x, y, rtol=0, atol=limit * largest, equal_nan=True)


def _type_name(value: Any) -> str:
    return str(getattr(value, "type_name", type(value).__name__))
