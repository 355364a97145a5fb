"""Unusual right answers to `numpy_layer_norm`, which must get full marks."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn


def with_var(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """NumPy's own variance."""
    normalised = (x - np.mean(x, -1)[..., None]) / np.sqrt(np.var(x, -1) + 1e-5)[..., None]
    return np.add(np.multiply(normalised, gain), bias)


def with_std(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The standard deviation, squared again."""
    deviation = x.std(axis=-1, keepdims=True)
    return gain * (x - x.mean(axis=-1, keepdims=True)) * (deviation**2 + 1e-5) ** -0.5 + bias


def mean_of_squares(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The variance is the mean of the squares less the square of the mean."""
    mean = x.mean(axis=-1, keepdims=True)
    variance = (x * x).mean(axis=-1, keepdims=True) - mean * mean
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


def with_einsum(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Einstein sums for the mean and the variance."""
    width = x.shape[-1]
    centred = x - np.einsum("...d->...", x)[..., None] / width
    variance = np.einsum("...d,...d->...", centred, centred)[..., None] / width
    return centred / np.sqrt(1e-5 + variance) * gain + bias


def by_a_matrix(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """A matrix that takes the mean from a vector."""
    width = x.shape[-1]
    centred = x @ (np.eye(width) - 1.0 / width)
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    return centred / np.hypot(length / math.sqrt(width), math.sqrt(1e-5)) * gain + bias


def vector_by_vector(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """A function for one vector, applied along the last axis."""

    def one(vector):
        centred = vector - sum(vector) / len(vector)
        return centred / math.sqrt((centred @ centred) / len(vector) + 1e-5) * gain + bias

    return np.apply_along_axis(one, -1, x)


def entry_by_entry(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Lists and loops over all entries."""
    rows = []
    for vector in x.reshape(-1, x.shape[-1]).tolist():
        mean = math.fsum(vector) / len(vector)
        variance = math.fsum((entry - mean) ** 2 for entry in vector) / len(vector)
        rows.append([(entry - mean) / math.sqrt(variance + 1e-5) for entry in vector])
    return (np.array(rows) * gain + bias).reshape(x.shape)


def by_way_of_torch(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Torch's own module with these weights, brought back to NumPy."""
    norm = nn.LayerNorm(x.shape[-1]).double()
    norm.load_state_dict({"weight": torch.as_tensor(gain), "bias": torch.as_tensor(bias)})
    with torch.no_grad():
        return norm(torch.as_tensor(x)).numpy()


def as_one_slope(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """One slope and one offset for each entry."""
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    slope = gain / np.sqrt(variance + 1e-5)
    return x * slope + (bias - mean * slope)


def in_extended_precision(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Longer floats on the way, float64 at the end."""
    wide = x.astype(np.longdouble)
    wide -= wide.mean(axis=-1, keepdims=True)
    wide /= np.sqrt((wide**2).mean(axis=-1, keepdims=True) + np.longdouble(1e-5))
    return (wide * gain + bias).astype(np.float64)


def in_place_on_a_copy(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """A copy that is changed step by step."""
    result = np.array(x, copy=True)
    result -= result.mean(axis=-1, keepdims=True)
    result /= np.sqrt(np.square(result).mean(axis=-1, keepdims=True) + 1e-5)
    result *= gain
    result += bias
    return result


def by_recursion(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Recursion over the axes in front."""
    if x.ndim > 1:
        return np.stack([by_recursion(part, gain, bias) for part in x])
    centred = x - np.average(x)
    return centred / np.sqrt(np.average(centred**2) + 1e-5) * gain + bias


def along_the_first_axis(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The last axis is moved to the front and back."""
    front = np.moveaxis(x, -1, 0)
    front = (front - front.mean(0)) / np.sqrt(front.var(0) + 1e-5)
    return np.moveaxis(front, 0, -1) * gain + bias
