"""Known wrong answers to `numpy_layer_norm`: each docstring is the student's hint."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray


def divides_by_d_minus_one(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The variance seems to be divided by D − 1, as an estimate from a sample is.

    Revisit what the docstring divides it by, and what `ddof` is by default.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, ddof=1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * gain + bias


def sums_squares(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The squares seem to be summed, and not divided by their number.

    Revisit the difference between a sum of squares and a variance.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).sum(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * gain + bias


def adds_outside_the_root(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """1e-5 seems to be added to the standard deviation.

    Revisit what stands under the root.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / (np.sqrt(variance) + 1e-5) * gain + bias


def adds_nothing(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Nothing seems to be added to the variance, so entries that are all alike give 0 by 0.

    Revisit what stands under the root beside the variance.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance) * gain + bias


def replaces_only_zero(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """A variance of 0 seems to be replaced, and all others to stay as they are.

    Revisit the formula: it makes no exception, and always adds the same.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = x.std(axis=-1, keepdims=True)
    return centred / np.where(deviation == 0, 1.0, deviation) * gain + bias


def takes_the_larger(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The variance seems to be kept from falling under 1e-5, where 1e-5 should be added.

    Revisit the difference between `maximum` and a sum.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(np.maximum(variance, 1e-5)) * gain + bias


def adds_one_millionth(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The number that is added to the variance seems to be too small.

    Revisit which number the formula names; libraries differ.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-6) * gain + bias


def adds_a_trillionth(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The number that is added to the variance seems to be far too small.

    Revisit which number the formula names; models differ.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-12) * gain + bias


def adds_one_thousandth(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The number that is added to the variance seems to be too large.

    Revisit which number the formula names; libraries differ.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-3) * gain + bias


def adds_square_of_number(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The number seems to be squared before it is added to the variance.

    Revisit whether 1e-5 stands beside a variance or beside a standard deviation.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5**2) * gain + bias


def divides_by_variance(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The vectors seem to be divided by their variance and not by its root.

    Revisit which of the two makes the variance of the result 1.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / (variance + 1e-5) * gain + bias


def does_not_centre(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The mean seems to stay where it was.

    Revisit what is subtracted before anything is divided.
    """
    variance = x.var(axis=-1, keepdims=True)
    return x / np.sqrt(variance + 1e-5) * gain + bias


def divides_by_root_mean_square(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The vectors seem to be divided by the root of their mean square, mean and all.

    Revisit the two things that the norm makes 0 and 1.
    """
    square = (x**2).mean(axis=-1, keepdims=True)
    return x / np.sqrt(square + 1e-5) * gain + bias


def takes_variance_around_zero(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The variance seems to be the mean of the squares of x, not of x less its mean.

    Revisit what a variance measures the distance from.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (x**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * gain + bias


def takes_mean_distance(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The vectors seem to be divided by the mean distance from the mean.

    Revisit the difference to the standard deviation.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    distance = np.abs(centred).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(distance**2 + 1e-5) * gain + bias


def normalises_over_first_axis(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Each column seems to get mean 0, where each vector should.

    Revisit the axis: which one holds the entries of one vector?
    """
    centred = x - x.mean(axis=0)
    return centred / np.sqrt(x.var(axis=0) + 1e-5) * gain + bias


def normalises_over_second_axis(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The axis seems to be counted from the front, which is right for two axes only.

    Revisit how the last axis is named, whatever comes in front of it.
    """
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5) * gain + bias


def normalises_over_everything(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """One mean and one variance seem to be taken of the whole array.

    Revisit `axis`: each vector is normalised by itself.
    """
    return (x - x.mean()) / np.sqrt(x.var() + 1e-5) * gain + bias


def normalises_over_positions_too(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """All vectors of a sentence seem to share one mean and one variance.

    Revisit which axes belong to one vector.
    """
    axes = tuple(range(1, x.ndim))
    centred = x - x.mean(axis=axes, keepdims=True)
    return centred / np.sqrt(x.var(axis=axes, keepdims=True) + 1e-5) * gain + bias


def drops_the_axis(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The mean seems to lose its axis and to be broadcast along the wrong one.

    Revisit `keepdims`.
    """
    centred = x - x.mean(axis=-1)
    return centred / np.sqrt(x.var(axis=-1) + 1e-5) * gain + bias


def adds_one_axis_by_hand(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The axis of the mean seems to be restored in a way that fits two axes only.

    Revisit `keepdims`, or `[..., None]`.
    """
    centred = x - x.mean(-1)[:, None]
    return centred / np.sqrt(x.var(-1)[:, None] + 1e-5) * gain + bias


def swaps_gain_and_bias(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """Gain and bias seem to have changed places.

    Revisit which of them multiplies.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * bias + gain


def forgets_gain(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The entries seem not to be scaled by the gain.

    Revisit what comes after the division.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) + bias


def forgets_bias(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The bias seems not to be added.

    Revisit what comes after the gain.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * gain


def adds_bias_first(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The bias seems to be added before the gain multiplies, so it is scaled as well.

    Revisit the order of the two.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return (centred / np.sqrt(variance + 1e-5) + bias) * gain


def adds_one_to_gain(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The gain seems to be taken for a difference from 1.

    Revisit what multiplies the normalised vector.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * (1 + gain) + bias


def multiplies_matrices(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The gain seems to be summed over, by `@`, where it should scale each entry.

    Revisit the difference between `*` and `@`.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return (centred / np.sqrt(variance + 1e-5)) @ gain + bias


def centres_in_place(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The caller's x seems to be changed.

    Revisit the difference between `x -= y` and `x = x - y` for arrays.
    """
    x -= x.mean(axis=-1, keepdims=True)
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5) * gain + bias


def writes_result_into_x(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The result seems to be written over the caller's x.

    Revisit `x[...] =` and whose array that is.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    x[...] = centred / np.sqrt(variance + 1e-5) * gain + bias
    return x


def answers_in_single_precision(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The array seems to come back as float32.

    Revisit the dtype that goes in and should come out.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return (centred / np.sqrt(variance + 1e-5) * gain + bias).astype(np.float32)


def computes_in_single_precision(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """The array is float64 again, but about nine digits seem to have been lost on the way.

    Revisit where float32 comes in.
    """
    x = x.astype(np.float32)
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * gain + bias


def answers_with_a_tensor(x: NDArray, gain: NDArray, bias: NDArray) -> NDArray:
    """A torch tensor seems to come back, not a NumPy array.

    Revisit what this question is written in, and how a tensor becomes an array.
    """
    x, gain, bias = map(torch.as_tensor, (x, gain, bias))
    return F.layer_norm(x, gain.shape, gain, bias, eps=1e-5)
