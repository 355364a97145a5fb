"""Values between grader and worker: JSON and raw bytes, nothing that executes on arrival.

Every value is rebuilt from plain data under caps on size, depth and count, so that whatever arrives
is either a value of a known kind or a `WireError`.
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from autograder.worker.channel import MAX_BLOB_BYTES, WireError

MAX_DEPTH = 32
MAX_VALUES = 500_000
MAX_DIMENSIONS = 16
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.bool),
        *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    )
}
KNOWN_TYPES = {
    *(name for name, value in vars(builtins).items() if isinstance(value, type)),
    *("NoneType", "function", "builtin_function_or_method", "method", "generator", "module", "map"),
    *("complex64 tensor", "complex128 tensor", "complex64 array", "complex128 array", "Generator"),
    *("torch.complex64 tensor", "torch.complex128 tensor", "object array", "Size", "deque"),
}
"""Names of types that are passed on; a student's own class may be named after hidden inputs."""
_BIG = re.compile(r"(tensor|array) of [\d,]{1,30} values")
NAMES = {dtype: name for name, dtype in DTYPES.items()}


@dataclass(frozen=True)
class Opaque:
    """What is left of a value that cannot be sent: the name of its type."""

    type_name: str


@dataclass(frozen=True)
class StudentName:
    """Stands, in a message to the worker, for what the student defined under this name."""

    name: str


@dataclass
class Encoder:
    """Turns values into JSON; their tensors' bytes gather in `blobs`, callables in `functions`."""

    blobs: list[bytes] = field(default_factory=list)
    functions: list[Callable[..., Any]] = field(default_factory=list)
    send_functions: bool = False
    _count: int = 0

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Return the JSON form of a value; what has none becomes an `Opaque`.

        Raises:
            WireError: if the value is too deep or has too many parts.
        """
        self._count += 1
        if depth > MAX_DEPTH or self._count > MAX_VALUES:
            raise WireError("the value has too many parts")
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return int(value) if abs(value) < 1 << 63 else self._opaque(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"float": str(float(value))}
        if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
            return self._tensor(value)
        return self._compound(value, depth)

    def _compound(self, value: Any, depth: int) -> Any:
        if isinstance(value, list):
            return [self.encode(item, depth + 1) for item in value]
        if isinstance(value, tuple):
            return {"tuple": [self.encode(item, depth + 1) for item in value]}
        if isinstance(value, dict):
            pairs = [
                [self.encode(key, depth + 1), self.encode(item, depth + 1)]
                for key, item in value.items()
            ]
            return {"dict": pairs}
        if isinstance(value, StudentName):
            return {"student": value.name}
        if callable(value) and self.send_functions:
            return self._function(value)
        return self._opaque(value)

    def _function(self, value: Any) -> dict[str, int]:
        with_slopes = getattr(value, "with_slopes", None)
        self.functions.append(with_slopes or value)
        kind = "differentiable" if with_slopes else "function"
        return {kind: len(self.functions) - 1}

    def _opaque(self, value: Any) -> dict[str, str]:
        return {
            "opaque": value.type_name if isinstance(value, Opaque) else type(value).__name__[:100]
        }

    def _tensor(self, value: Any) -> Any:
        kind = "tensor" if isinstance(value, torch.Tensor) else "array"
        try:
            if kind == "array":
                value = torch.as_tensor(np.ascontiguousarray(value))  # no negative strides
            dtype = NAMES[value.dtype]
            if value.numel() * value.element_size() > MAX_BLOB_BYTES:
                return {"opaque": f"{kind} of {value.numel():,} values"}
            self.blobs.append(_bytes(value.detach()))
        except (KeyError, TypeError, ValueError, RuntimeError):
            return {"opaque": f"{getattr(value, 'dtype', '')} {kind}".strip()}
        return {kind: dtype, "shape": list(value.shape), "size": len(self.blobs[-1])}


def _bytes(tensor: torch.Tensor) -> bytes:
    """Return the values in C order; NumPy is quickest but lacks bfloat16."""
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.contiguous().reshape(-1).view(torch.uint8)
    return tensor.numpy(force=True).tobytes()


@dataclass
class Decoder:
    """Rebuilds values; tensors are taken from `body` in the order in which they were encoded."""

    body: bytes
    function: Callable[[int], Any] | None = None
    differentiable: Callable[[int], Any] | None = None
    student: Callable[[str], Any] | None = None
    _offset: int = 0
    _count: int = 0

    def decode(self, data: Any, depth: int = 0) -> Any:
        """Return the value of a JSON form.

        Raises:
            WireError: if it is none.
        """
        self._count += 1
        if depth > MAX_DEPTH or self._count > MAX_VALUES:
            raise WireError("the value has too many parts")
        if data is None or isinstance(data, (bool, str, float)):
            return data
        if isinstance(data, int):
            return _int64(data)
        if isinstance(data, list):
            return [self.decode(item, depth + 1) for item in data]
        return self._special(data, depth)

    def _special(self, data: dict[str, Any], depth: int) -> Any:
        kind = next(iter(data), "")
        content = data.get(kind)
        if kind in ("tensor", "array"):
            return self._tensor(data, kind)
        if kind == "tuple" and isinstance(content, list):
            return tuple(self.decode(item, depth + 1) for item in content)
        if kind == "dict" and isinstance(content, list):
            return self._dict(content, depth)
        if kind == "float" and content in ("nan", "inf", "-inf"):
            return float(content)
        return self._name(kind, content)

    def _name(self, kind: str, content: Any) -> Any:
        """Return what a number or a name stands for."""
        if kind == "opaque" and isinstance(content, str):
            return Opaque(
                content if content in KNOWN_TYPES or _BIG.fullmatch(content) else "object"
            )
        if kind == "function" and self.function is not None and isinstance(content, int):
            return self.function(content)
        if kind == "differentiable" and self.differentiable is not None:
            return self.differentiable(content)
        if kind == "student" and self.student is not None and isinstance(content, str):
            return self.student(content)
        raise WireError("the value is of no known kind")

    def _dict(self, pairs: list[Any], depth: int) -> dict[Any, Any]:
        found = {}
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], (str, int)):
                raise WireError("the dictionary is malformed")
            found[self.decode(pair[0], depth + 1)] = self.decode(pair[1], depth + 1)
        return found

    def _tensor(self, data: dict[str, Any], kind: str) -> Any:
        dtype, shape, size = DTYPES.get(str(data[kind])), data.get("shape"), data.get("size")
        if dtype is None or shape is None or not _is_shape(shape) or not isinstance(size, int):
            raise WireError("the tensor's head is malformed")
        count = math.prod(shape)
        if count * dtype.itemsize != size or self._offset + size > len(self.body):
            raise WireError("the tensor's size does not fit its bytes")
        piece = bytearray(self.body[self._offset : self._offset + size])  # writable, and its own
        self._offset += size
        flat = torch.frombuffer(piece, dtype=dtype) if size else torch.empty(0, dtype=dtype)
        try:
            tensor = flat.reshape(shape)
        except RuntimeError as error:  # of an empty tensor with huge axes
            raise WireError("the tensor's shape is malformed") from error
        return tensor if kind == "tensor" or dtype == torch.bfloat16 else tensor.numpy()


def _int64(value: int) -> int:
    """Larger ones have no place in a tensor, and can be chosen to have one hash all."""
    if not -(1 << 63) <= value < 1 << 63:
        raise WireError("a number is too large")
    return value


def _is_shape(shape: Any) -> bool:
    return (
        isinstance(shape, list)
        and len(shape) <= MAX_DIMENSIONS
        and all(type(n) is int and 0 <= n < 1 << 40 for n in shape)
    )
