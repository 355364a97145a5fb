"""Unusual right answers to `check_masked_weights`, which must get full marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def in_torch(attention: Callable[..., tuple[Any, Any]]) -> None:
    """Everything becomes a tensor; gathers the worst of each complaint."""
    generator = torch.Generator().manual_seed(1)
    for size in (3, 5, 5, 7):
        query, key, value = torch.randn(3, 2, 3, size, 6, generator=generator, dtype=torch.float64)
        visible = torch.rand(2, 1, size, size, generator=generator) < 0.6
        visible[..., 0] = True
        visible[1, 0, 0, 1:] = False
        ask = lambda k, v: [
            torch.as_tensor(x).double().clone()
            for x in attention(query.numpy(), k.numpy(), v.numpy(), visible.numpy())
        ]
        output, weights = ask(key, value)
        hidden = ~visible.expand_as(weights)
        assert weights[hidden].count_nonzero() == 0, "a hidden key has a weight"
        assert weights.min() >= 0, "a weight is negative"
        assert ((weights.sum(-1) - 1).abs() < 1e-4).all(), "weights do not sum to 1"
        for j in range(1, size):
            k, v = key.clone(), value.clone()
            k[:, :, j], v[:, :, j] = -7 * k[:, :, j] + 1, -5.0
            output_now, weights_now = ask(k, v)
            for now, before in ((output_now, output), (weights_now, weights)):
                gap = (now - before).abs().amax(-1)[hidden[..., j]]
                assert not len(gap) or gap.max() < 1e-4, (
                    f"position {j} is hidden and has an influence"
                )


def query_by_query(attention: Callable[..., tuple[Any, Any]]) -> None:
    """Loops over rows, heads and queries."""
    rng = np.random.default_rng(2)
    masks = [
        np.array([[1, 0, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)[:, None, None]
    ]
    masks += [masks[0][::-1].copy(), masks[0] & np.tri(5, dtype=bool)]
    for visible in masks:
        query, key, value = rng.normal(size=(5, 3, 2, 5, 4))[:3] * 1.5
        output, weights = (
            np.asarray(torch.as_tensor(x)).copy() for x in attention(query, key, value, visible)
        )
        seen = np.broadcast_to(visible, weights.shape)
        noise = rng.normal(size=(2, 3, 2, 5, 4)) * 4
        for b, h, i in np.ndindex(*weights.shape[:3]):
            row = weights[b, h, i]
            assert all(w == 0 for w, s in zip(row, seen[b, h, i]) if not s), (
                "a hidden weight is not 0"
            )
            assert all(w >= 0 for w in row), "a weight is negative"
            assert abs(sum(row) - 1) < 1e-4, "a row does not sum to 1"
        for i in range(5):
            hidden = ~np.broadcast_to(visible, (3, 1, 5, 5))[:, :, i, :, None]
            other = attention(
                query, np.where(hidden, noise[0], key), np.where(hidden, noise[1], value), visible
            )
            for now, before in zip(other, (output, weights)):
                gap = np.abs(np.asarray(torch.as_tensor(now))[:, :, i] - before[:, :, i]).max()
                assert gap < 1e-4, f"what is hidden from query {i} changes it by {gap}"


def each_key_in_turn(attention: Callable[..., tuple[Any, Any]]) -> None:
    """Hides each key in turn from all, and lets the others be seen."""
    rng = np.random.default_rng(3)
    query, key, value = rng.normal(size=(3, 3, 4, 6, 5))
    whole = [
        np.array(torch.as_tensor(x))
        for x in attention(query, key, value, np.ones((3, 1, 6, 6), dtype=bool))
    ]
    assert np.abs(whole[1].sum(-1) - 1).max() < 1e-4, "rows do not sum to 1"
    for turn in range(3):
        for j in range(6):
            for wide in (True, False):
                visible = np.ones((3, 1, 6, 6) if wide else (3, 1, 1, 6), dtype=bool)
                visible[turn, ..., j] = False
                if wide:
                    visible[:, :, 3:, (j + 1) % 6] = False
                    visible[turn - 1, :, :3, (j + 2) % 6] = False
                output, weights = (
                    np.array(torch.as_tensor(x)) for x in attention(query, key, value, visible)
                )
                shown = np.broadcast_to(visible, weights.shape)
                assert not weights[~shown].any(), f"key {j} is hidden and has a weight"
                assert (weights >= 0).all() and np.abs(weights.sum(-1) - 1).max() < 1e-4, (
                    "no shares"
                )
                other_key, other_value = key.copy(), value.copy()
                other_key[turn, :, j] = 6.0
                other_value[turn, :, j] = -30.0
                now = [
                    np.array(torch.as_tensor(x))
                    for x in attention(query, other_key, other_value, visible)
                ]
                assert np.abs(now[0] - output)[turn].max() < 1e-4, (
                    f"hidden position {j} is in the output"
                )
                assert np.abs(now[1] - weights)[turn].max() < 1e-4, (
                    f"hidden position {j} is in the weights"
                )


def against_a_smaller_problem(attention: Callable[..., tuple[Any, Any]]) -> None:
    """Leaving hidden keys out altogether must give the same."""
    rng = np.random.default_rng(4)
    lengths = (1, 3, 4, 6)
    for order in (lengths, lengths[::-1], (6, 1, 4, 3)):
        query, key = rng.normal(size=(2, 4, 3, 6, 8))
        value = rng.normal(size=(4, 3, 6, 2))
        visible = np.arange(6) < np.array(order)[:, None, None, None]
        for mask in (visible, visible & np.tri(6, dtype=bool)):
            output, weights = (
                np.array(torch.as_tensor(x)) for x in attention(query, key, value, mask)
            )
            assert (weights[~np.broadcast_to(mask, weights.shape)] == 0).all(), (
                "a hidden weight is not 0"
            )
            assert (weights >= 0).all(), "a weight is below 0"
            assert np.allclose(weights.sum(-1), 1, atol=1e-4), "a row does not sum to 1"
            for b, h, i in np.ndindex(4, 3, 6):
                kept = np.broadcast_to(mask, (4, 1, 6, 6))[b, 0, i]
                parts = query[b, h, i], key[b, h][kept], value[b, h][kept]
                alone = [p[None, None].reshape(1, 1, -1, p.shape[-1]) for p in parts]
                all_seen = np.ones((1, 1, 1, kept.sum()), dtype=bool)
                smaller, shares = (
                    np.array(torch.as_tensor(x)) for x in attention(*alone, all_seen)
                )
                assert np.abs(smaller[0, 0, 0] - output[b, h, i]).max() < 1e-4, (
                    "hidden keys change the output"
                )
                assert np.abs(shares[0, 0, 0] - weights[b, h, i, kept]).max() < 1e-4, (
                    "hidden keys change weights"
                )


def with_unittest(attention: Callable[..., tuple[Any, Any]]) -> None:
    """The standard library asserts."""
    import unittest

    case = unittest.TestCase()
    rng = np.random.default_rng(5)
    for n in (2, 4, 4, 7):
        query, key, value = rng.normal(size=(3, 2, 5, n, 3))
        visible = rng.random((2, 1, n, n)) < 0.5
        visible[:, 0, np.arange(n), rng.integers(0, n, n)] = True
        first = [
            np.array(torch.as_tensor(x), dtype=float) for x in attention(query, key, value, visible)
        ]
        shown = np.broadcast_to(visible, first[1].shape)
        case.assertEqual(float(np.abs(first[1] * ~shown).max()), 0.0, "a hidden weight")
        case.assertGreaterEqual(float(first[1].min()), 0.0, "a negative weight")
        case.assertLess(float(np.abs(first[1].sum(-1) - 1).max()), 1e-4, "a sum")
        for j in range(n):
            keys, values = key.copy(), value.copy()
            keys[..., j, :] *= -3
            values[..., j, :] = 50
            second = [
                np.array(torch.as_tensor(x), dtype=float)
                for x in attention(query, keys, values, visible)
            ]
            for a, b in zip(first, second):
                gap = np.where(shown[..., j], 0, np.abs(a - b).max(-1))
                case.assertLess(float(gap.max()), 1e-4, f"hidden position {j}")


def collects_complaints(attention: Callable[..., tuple[Any, Any]]) -> None:
    """All faults are gathered and told at the end."""
    complaints: set[str] = set()
    rng = np.random.default_rng(6)
    asked = []
    for visible in (
        np.arange(5) < np.array([[2], [5], [1]])[:, None, None],
        np.arange(5) < np.array([[5], [1], [3]])[:, None, None],
    ):
        for mask in (visible, visible & np.tri(5, dtype=bool)):
            inputs = [*rng.normal(size=(3, 3, 2, 5, 4)), mask]
            asked.append(
                (inputs, [torch.as_tensor(x).double().numpy() for x in attention(*inputs)])
            )
    for (query, key, value, mask), (output, weights) in asked:
        shown = np.broadcast_to(mask, weights.shape)
        if weights[~shown].any():
            complaints.add("hidden weights")
        if not (weights >= 0).all() or not np.allclose(weights.sum(-1), 1, atol=1e-4):
            complaints.add("no shares")
        for j in range(5):
            key_now, value_now = key.copy(), value.copy()
            key_now[..., j, :] += 3.0
            value_now[..., j, :] -= 8.0
            now = [
                torch.as_tensor(x).double().numpy()
                for x in attention(query, key_now, value_now, mask)
            ]
            blind = ~shown[..., j]
            if np.abs(now[0] - output)[blind].max(initial=0) > 1e-4:
                complaints.add("hidden values in the output")
            if np.abs(now[1] - weights)[blind].max(initial=0) > 1e-4:
                complaints.add("hidden keys in the weights")
    if complaints:
        raise AssertionError(", ".join(sorted(complaints)))


def with_testing_of_numpy(attention: Callable[..., tuple[Any, Any]]) -> None:
    """numpy.testing asserts."""
    rng = np.random.default_rng(7)
    for lengths in ([3, 6, 1], [6, 2, 4]):
        query, key, value = rng.normal(size=(3, 3, 3, 6, 4))
        for mask in (
            np.arange(6) < np.array(lengths)[:, None, None, None],
            np.tri(6, dtype=bool) & (np.arange(6) < np.array(lengths)[:, None, None, None]),
        ):
            output, weights = map(
                np.array, map(torch.as_tensor, attention(query, key, value, mask))
            )
            shown = np.broadcast_to(mask, weights.shape)
            np.testing.assert_array_equal(weights[~shown], 0.0, "a hidden weight is not 0")
            np.testing.assert_array_less(-1e-12, weights, "a weight is negative")
            np.testing.assert_allclose(
                weights.sum(-1), 1.0, atol=1e-4, err_msg="a row does not sum to 1"
            )
            for j in range(6):
                other_key, other_value = key.copy(), value.copy()
                other_key[..., j, :] = -other_key[..., j, ::-1] * 2
                other_value[..., j, :] = other_value[..., j, ::-1] + 4
                now = map(
                    np.array, map(torch.as_tensor, attention(query, other_key, other_value, mask))
                )
                for a, b in zip(now, (output, weights)):
                    blind = ~shown[..., j]
                    np.testing.assert_allclose(
                        a[blind], b[blind], atol=1e-4, rtol=0, err_msg=f"hidden position {j}"
                    )


def fewer_queries_than_keys(attention: Callable[..., tuple[Any, Any]]) -> None:
    """n_q and n_k differ, values are narrow."""
    rng = np.random.default_rng(8)
    for n_q, n_k in ((3, 6), (6, 3), (6, 6)):
        query, key = rng.normal(size=(3, 4, n_q, 8)), rng.normal(size=(3, 4, n_k, 8))
        value = rng.normal(size=(3, 4, n_k, 1))
        for _ in range(3):
            mask = rng.random((3, 1, n_q, n_k)) < 0.5
            mask[:, 0, :, 0] |= ~mask[:, 0].any(-1)
            answer = attention(query, key, value, mask)
            output, weights = (torch.as_tensor(x).double() for x in answer)
            shown = torch.from_numpy(mask).expand_as(weights)
            worst = weights.masked_fill(shown, 0.0).abs().max().item()
            assert worst == 0, f"a hidden key has the weight {worst}"
            assert weights.min().item() >= 0, "a weight is negative"
            assert (weights.sum(-1) - 1).abs().max().item() < 1e-4, "a row misses the sum 1"
            for j in range(n_k):
                keys, values = key.copy(), value.copy()
                keys[..., j, :] = rng.normal(size=keys[..., j, :].shape) * 5
                values[..., j, :] = 20.0
                now, changed = (
                    torch.as_tensor(x).double() for x in attention(query, keys, values, mask)
                )
                unseen = ~shown[..., j]
                moved = (
                    max(
                        (now - output)[unseen].abs().max().item(),
                        (changed - weights)[unseen].abs().max().item(),
                    )
                    if unseen.any()
                    else 0.0
                )
                assert moved < 1e-4, f"position {j} is hidden and moves the result by {moved}"
