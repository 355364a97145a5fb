"""Reference solutions of the homework `copy_task`: train a tiny Transformer, test what it learned.

The public names without a question of their own are given to students: the three special ids,
`positions`, the `__init__` of each class, `TinyTransformer.embed`, and everything from `train` on
that no question asks for. Names in docstrings: B sequences in a batch, S and T positions of source
and target, D the width of a vector, H heads, V tokens in the vocabulary, n_q and n_k numbers of
queries and keys, d_k and d_v widths of keys and values. Sources: Vaswani et al. 2017
(arXiv:1706.03762) for attention, heads and positions; Ba et al. 2016 (arXiv:1607.06450) for layer
normalisation; Xiong et al. 2020 (arXiv:2002.04745) for normalising before each sublayer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm.auto import tqdm

PAD, BOS, EOS = 0, 1, 2


def make_dataset(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """List every sequence of one to three symbols, and split the list at random.

    The symbols are the ids 4 … 11, so there are 8 + 8² + 8³ = 584 sequences. They are listed by
    length, and within a length in the order of `itertools.product`. `torch.randperm`, drawn from a
    generator of its own that is seeded with `seed`, puts them into a new order; the first 80 %
    (rounded down) are for training, the rest is held out.

    Args:
        seed: decides the order. The global random state stays as it was.

    Returns:
        (train, held_out): 467 and 117 sequences, each a list of int, in the permuted order. No
        sequence is in both.

    Example:
        >>> train, held_out = make_dataset()
        >>> len(train), len(held_out), held_out[0]
        (467, 117, [11, 10, 11])
    """
    lengths = (1, 2, 3)
    sequences = [list(s) for n in lengths for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = len(shuffled) * 8 // 10
    return shuffled[:cut], shuffled[cut:]


def make_batch(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Lay sequences out for teacher forcing: what is read, what the decoder sees, what it must say.

    Args:
        sequences: B lists of one to three symbols. They stay as they were.

    Returns:
        (source, decoder_input, target), int64 of shapes (B, 3), (B, 4) and (B, 4), whatever the
        longest sequence is. The source is the sequence; the decoder input is BOS and then the
        sequence; the target is the sequence and then EOS. PAD fills each row up on the right.
        PAD is 0, BOS is 1, EOS is 2.

    Example:
        >>> source, decoder_input, target = make_batch([[4, 7, 9], [6]])
        >>> source.tolist()
        [[4, 7, 9], [6, 0, 0]]
        >>> decoder_input.tolist()
        [[1, 4, 7, 9], [1, 6, 0, 0]]
        >>> target.tolist()
        [[4, 7, 9, 2], [6, 2, 0, 0]]
    """
    source = _padded(sequences, 3)
    decoder_input = _padded([[BOS, *sequence] for sequence in sequences], 4)
    target = _padded([[*sequence, EOS] for sequence in sequences], 4)
    return source, decoder_input, target


def _padded(rows: Sequence[Sequence[int]], width: int) -> Tensor:
    """Return the rows as one (B, width) int64 tensor, PAD on the right."""
    full = [[*row, *[PAD] * (width - len(row))] for row in rows]
    return torch.tensor(full, dtype=torch.long).reshape(len(rows), width)


def attention_masks(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Say which keys a query may attend to: in the source, and in the target so far.

    Args:
        source: (B, S) int64, PAD (0) where there is no token.
        target_prefix: (B, T) int64, likewise.

    Returns:
        (source_visible, target_visible), bool of shapes (B, 1, 1, S) and (B, 1, T, T): True means
        that the query (second axis from the end) may attend to the key (last axis). The axis of
        size 1 after B stands for the heads. In the source every key that is not PAD is visible, to
        all queries alike. In the target a key is visible if it is not PAD *and* not later than the
        query. Queries that are PAD are treated as any other: only keys are hidden.

    Example:
        >>> source_visible, target_visible = attention_masks(
        ...     torch.tensor([[6, 0, 0]]), torch.tensor([[1, 6, 0]])
        ... )
        >>> source_visible.tolist()
        [[[[True, False, False]]]]
        >>> target_visible.int().tolist()
        [[[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]]
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool, device=target_prefix.device).tril()
    return (source != PAD)[:, None, None, :], (target_prefix != PAD)[:, None, None, :] & causal


def numpy_attention(
    query: NDArray[np.float64],
    key: NDArray[np.float64],
    value: NDArray[np.float64],
    visible: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mix the visible values by how well each query matches their keys, in NumPy.

    weights = softmax over the visible keys of Q Kᵀ / √d_k; output = weights · V.

    Args:
        query: (…, n_q, d_k) float64.
        key: (…, n_k, d_k) float64.
        value: (…, n_k, d_v) float64; d_v may differ from d_k, and n_k from n_q.
        visible: bool, broadcasts to (…, n_q, n_k); True where the query may attend to the key.

    Returns:
        (output, weights), float64 of shapes (…, n_q, d_v) and (…, n_q, n_k). Each row of weights
        sums to 1. The weight of a hidden key is 0 exactly, and no finite number in a hidden key
        changes the result. Scores of ±10,000 give no NaN. The inputs stay as they were.

    Raises:
        ValueError: if some query may attend to no key at all.

    Example:
        >>> query = key = np.array([[1.0, 0.0], [0.0, 1.0]])
        >>> value = np.array([[10.0], [20.0]])
        >>> visible = np.array([[True, False], [True, True]])
        >>> output, weights = numpy_attention(query, key, value, visible)
        >>> weights.round(3).tolist(), output.round(2).tolist()
        ([[1.0, 0.0], [0.33, 0.67]], [[10.0], [16.7]])
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key: its row of `visible` is all False")
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def numpy_layer_norm(
    x: NDArray[np.float64], gain: NDArray[np.float64], bias: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give each vector mean 0 and variance 1, then scale and shift its entries, in NumPy.

    (x − mean) / √(variance + 1e-5) · gain + bias, where mean and variance are those of one vector,
    taken over the last axis; the variance divides by D, not by D − 1.

    Args:
        x: (…, D) float64; it stays as it was.
        gain: (D,) float64.
        bias: (D,) float64.

    Returns:
        (…, D) float64.

    Example:
        >>> x = np.array([[1.0, 2.0, 3.0]])
        >>> numpy_layer_norm(x, np.ones(3), np.zeros(3)).round(4).tolist()
        [[-1.2247, 0.0, 1.2247]]
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    normalised: NDArray[np.float64] = centred / np.sqrt(variance + 1e-5)
    return normalised * gain + bias


def numpy_encoder_block(
    x: NDArray[np.float64],
    weights: Mapping[str, NDArray[np.float64]],
    visible: NDArray[np.bool_],
    heads: int,
) -> NDArray[np.float64]:
    """Run one encoder block forward, in NumPy.

    Normalise before each sublayer, add after it: y = x + Attention(Norm₁(x)), and the block's
    output is y + FeedForward(Norm₂(y)). Attention is self-attention in H heads, FeedForward is
    linear, ReLU, linear. It agrees with `EncoderBlock` to 1e-10.

    Args:
        x: (B, S, D) float64; it stays as it was.
        weights: float64 arrays, named and shaped as in `EncoderBlock(D, H, inner).state_dict()`:
            `attention.query.weight` (D, D) and `attention.query.bias` (D,), likewise for
            `attention.key`, `attention.value` and `attention.output`;
            `attention_norm.weight` (the gain) and `attention_norm.bias`, both (D,);
            `feed_forward_norm.weight` and `.bias`, likewise;
            `feed_forward.0.weight` (inner, D) and `.bias` (inner,), before the ReLU;
            `feed_forward.2.weight` (D, inner) and `.bias` (D,), after it.
            A linear layer computes x Wᵀ + b, as `nn.Linear` does.
        visible: bool, broadcasts to (B, H, S, S); True where the query may attend to the key.
        heads: H, which divides D. Head h works on the columns h·D/H … (h + 1)·D/H − 1 of the
            projected queries, keys and values; the heads' outputs stand side by side in the same
            order when `attention.output` is applied.

    Returns:
        (B, S, D) float64.

    Raises:
        ValueError: if some query may attend to no key at all.

    Example:
        >>> block = EncoderBlock(width=4, heads=2, inner=8).double()
        >>> weights = {name: array.numpy() for name, array in block.state_dict().items()}
        >>> x, visible = np.ones((1, 3, 4)), np.ones((1, 1, 1, 3), dtype=bool)
        >>> numpy_encoder_block(x, weights, visible, heads=2).shape
        (1, 3, 4)
    """

    def linear(name: str, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name: str, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows.reshape(*rows.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{name}", normed)) for name in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    y = x + linear("attention.output", mixed.swapaxes(1, 2).reshape(x.shape))
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def positions(
    length: int,
    width: int,
    device: torch.device | None = None,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Give each position 0 … length − 1 a vector of its own; returns (length, width), width even.

    Entry 2i is sin(angle) and entry 2i + 1 is cos(angle); angle = position / 10000^(2i/width).
    """
    position = torch.arange(length, dtype=torch.float64, device=device).unsqueeze(1)
    exponent = torch.arange(0, width, 2, dtype=torch.float64, device=device) / width
    angle = position / 10000.0**exponent
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).to(dtype)


class MultiHeadAttention(nn.Module):
    """Attention in H heads: project, let each head attend for itself, join, project once more.

    Args:
        width: D, the width of all vectors that go in and come out.
        heads: H, which divides D.

    Example:
        >>> attention = MultiHeadAttention(width=8, heads=2)
        >>> x, memory = torch.ones(5, 4, 8), torch.ones(5, 3, 8)
        >>> visible = torch.tensor([True, True, False]).expand(5, 1, 1, 3)
        >>> output, weights = attention(x, memory, visible)
        >>> output.shape, weights.shape
        (torch.Size([5, 4, 8]), torch.Size([5, 2, 4, 3]))
        >>> weights[0, 0, 0].tolist()
        [0.5, 0.5, 0.0]
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        """Let each vector of `x` look at the vectors of `memory`.

        Head h works on the columns h·D/H … (h + 1)·D/H − 1 of the projected queries, keys and
        values: softmax over the visible keys of Q Kᵀ / √(D/H), times V. The heads' outputs stand
        side by side in the same order when `self.output` is applied.

        Args:
            x: (B, n_q, D), where the queries come from.
            memory: (B, n_k, D), where keys and values come from; `x` itself in self-attention.
            visible: bool, broadcasts to (B, H, n_q, n_k); True where the query may attend to the
                key. Every query may attend to at least one.

        Returns:
            (output, weights) of shapes (B, n_q, D) and (B, H, n_q, n_k), in the dtype of `x` and
            differentiable. The weight of a hidden key is 0 exactly.
        """
        # BEGIN SOLUTION
        query, key, value = (
            projected.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for projected in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        output = self.output((weights @ value).transpose(1, 2).flatten(2))
        return output, weights
        # END SOLUTION


class EncoderBlock(nn.Module):
    """Self-attention and a feed-forward network, each normalised before and added after.

    Args:
        width: D.
        heads: H, which divides D.
        inner: the width between the two layers of the feed-forward network.

    Example:
        >>> block = EncoderBlock(width=8, heads=2, inner=16)
        >>> block(torch.ones(5, 3, 8), torch.ones(5, 1, 1, 3, dtype=torch.bool)).shape
        torch.Size([5, 3, 8])
    """

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(width)
        self.attention = MultiHeadAttention(width, heads)
        self.feed_forward_norm = nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, inner), nn.ReLU(), nn.Linear(inner, width)
        )

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        """Return y + FeedForward(Norm₂(y)), where y = x + Attention(Norm₁(x)).

        Args:
            x: (B, S, D).
            visible: bool, broadcasts to (B, H, S, S); True where the query may attend to the key.

        Returns:
            (B, S, D) in the dtype of `x`, differentiable.
        """
        # BEGIN SOLUTION
        normed = self.attention_norm(x)
        mixed, _ = self.attention(normed, normed, visible)
        y = x + mixed
        output: Tensor = y + self.feed_forward(self.feed_forward_norm(y))
        return output
        # END SOLUTION


class DecoderBlock(nn.Module):
    """Self-attention, cross-attention and a feed-forward network, normalised and added likewise.

    Args:
        width: D.
        heads: H, which divides D.
        inner: the width between the two layers of the feed-forward network.

    Example:
        >>> block = DecoderBlock(width=8, heads=2, inner=16)
        >>> target_visible = torch.ones(5, 1, 4, 4, dtype=torch.bool).tril()
        >>> source_visible = torch.ones(5, 1, 1, 3, dtype=torch.bool)
        >>> block(torch.ones(5, 4, 8), torch.ones(5, 3, 8), target_visible, source_visible).shape
        torch.Size([5, 4, 8])
    """

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.self_attention_norm = nn.LayerNorm(width)
        self.self_attention = MultiHeadAttention(width, heads)
        self.cross_attention_norm = nn.LayerNorm(width)
        self.cross_attention = MultiHeadAttention(width, heads)
        self.feed_forward_norm = nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, inner), nn.ReLU(), nn.Linear(inner, width)
        )

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        """Run the three sublayers in this order: self-attention, cross-attention, feed-forward.

        Each reads the normalised stream and adds its result to the stream. Cross-attention takes
        its queries from the target, its keys and values from `memory`, which is *not* normalised
        again.

        Args:
            x: (B, T, D), the target's vectors.
            memory: (B, S, D), the encoder's result.
            target_visible: bool, broadcasts to (B, H, T, T), for the self-attention; True where the
                query may attend to the key.
            source_visible: bool, broadcasts to (B, H, T, S), for the cross-attention.

        Returns:
            (B, T, D) in the dtype of `x`, differentiable.
        """
        # BEGIN SOLUTION
        normed = self.self_attention_norm(x)
        mixed, _ = self.self_attention(normed, normed, target_visible)
        x = x + mixed
        mixed, _ = self.cross_attention(self.cross_attention_norm(x), memory, source_visible)
        x = x + mixed
        output: Tensor = x + self.feed_forward(self.feed_forward_norm(x))
        return output
        # END SOLUTION


class TinyTransformer(nn.Module):
    """An encoder block, a decoder block, and one embedding table for source and target.

    Args:
        vocabulary: V.
        width: D, an even number.
        heads: H, which divides D.
        inner: the width between the two layers of the feed-forward networks.

    Example:
        >>> model = TinyTransformer()
        >>> sum(parameter.numel() for parameter in model.parameters())
        22284
        >>> source, decoder_input, _ = make_batch([[4, 7, 9], [6]])
        >>> model(source, decoder_input).shape
        torch.Size([2, 4, 12])
    """

    def __init__(
        self, vocabulary: int = 12, width: int = 32, heads: int = 4, inner: int = 64
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width, padding_idx=PAD)
        self.encoder = EncoderBlock(width, heads, inner)
        self.encoder_norm = nn.LayerNorm(width)
        self.decoder = DecoderBlock(width, heads, inner)
        self.decoder_norm = nn.LayerNorm(width)
        self.readout = nn.Linear(width, vocabulary)

    def embed(self, ids: Tensor) -> Tensor:
        """Return (B, T, D) for ids (B, T): what each token is, plus where it stands."""
        embedded: Tensor = self.embedding(ids)
        return embedded + positions(ids.size(1), embedded.size(-1), embedded.device, embedded.dtype)

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        """Return the logits (B, T, V) for source (B, S) and target_prefix (B, T), both int64."""
        # BEGIN SOLUTION
        memory, source_visible = self.encode(source)
        return self.decode(target_prefix, memory, source_visible)
        # END SOLUTION

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Read the source: embed it, run the encoder block, normalise with `encoder_norm`.

        Args:
            source: (B, S) int64 of any width S, PAD (0) on the right of short rows.

        Returns:
            (memory, source_visible): (B, S, D) floats, and (B, 1, 1, S) bool as `attention_masks`
            gives it.
        """
        # BEGIN SOLUTION
        source_visible, _ = attention_masks(source, source)
        memory: Tensor = self.encoder_norm(self.encoder(self.embed(source), source_visible))
        return memory, source_visible
        # END SOLUTION

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        """Score the next token after each position of the target.

        Embed the prefix, run the decoder block, normalise with `decoder_norm`, apply `readout`.

        Args:
            target_prefix: (B, T) int64 of any length T, BOS first.
            memory: (B, S, D), from `encode`.
            source_visible: (B, 1, 1, S) bool, from `encode`.

        Returns:
            (B, T, V) raw logits. Those at position t depend on no target token after t.
        """
        # BEGIN SOLUTION
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        logits: Tensor = self.readout(self.decoder_norm(x))
        return logits
        # END SOLUTION


def training_loss(
    model: Callable[[Tensor, Tensor], Tensor],
    source: Tensor,
    decoder_input: Tensor,
    target: Tensor,
) -> Tensor:
    """Say how badly the model predicts the targets: cross-entropy in nats.

    Args:
        model: called once, as model(source, decoder_input); returns raw logits (B, T, V).
        source: (B, S) int64.
        decoder_input: (B, T) int64.
        target: (B, T) int64, PAD (0) where there is nothing to predict. At least one is not PAD.

    Returns:
        0-d: the mean over all targets of the batch that are not PAD, each counted alike; EOS
        counts. Differentiable, finite for logits of ±10,000.

    Example:
        >>> indifferent = lambda source, decoder_input: torch.zeros(*decoder_input.shape, 12)
        >>> batch = make_batch([[4, 7, 9], [6]])
        >>> round(training_loss(indifferent, *batch).item(), 4)  # ln 12
        2.4849
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD)


@torch.no_grad()
def generate(
    model: TinyTransformer,
    source: Tensor,
    max_new_tokens: int = 4,
    bos: int = 1,
    eos: int = 2,
    pad: int = 0,
) -> Tensor:
    """Write an answer to each source, the likeliest next token each time.

    Every row begins with BOS and grows by one token a step, all rows at once. A row that has said
    EOS is filled up with PAD while others go on.

    Args:
        model: has `encode(source)` -> (memory, source_visible), which is called once, and
            `decode(target_prefix, memory, source_visible)` -> logits (B, T, V), which is called
            once a step, with BOS and all tokens so far. It is in evaluation mode meanwhile;
            afterwards, even after an error, `model.training` is what it was.
        source: (B, S) int64.
        max_new_tokens: the most tokens that a row gets; EOS counts as one.
        bos: the token that opens each row. Any two of the three ids may be the same.
        eos: the token that ends one.
        pad: what fills a row up after its EOS.

    Returns:
        (B, L) int64, without BOS. L is the length of the longest row, its EOS included, so that the
        last step is the one in which the last row ends, or number `max_new_tokens`. 0 new tokens
        give (B, 0). No gradient is recorded.

    Example:
        >>> class Echo(nn.Module):  # repeats the source, then says EOS
        ...     def encode(self, source):
        ...         return F.one_hot(F.pad(source, (0, 1), value=2), 12).float(), source != 0
        ...     def decode(self, target_prefix, memory, source_visible):
        ...         return memory[:, : target_prefix.size(1)]
        >>> generate(Echo(), torch.tensor([[5, 6], [7, 2]])).tolist()
        [[5, 6, 2], [7, 2, 0]]
        >>> generate(Echo(), torch.tensor([[5, 6], [7, 2]]), max_new_tokens=1).tolist()
        [[5], [7]]
    """
    was_training = model.training
    model.eval()
    try:
        memory, source_visible = model.encode(source)
        prefix = torch.full_like(source[:, :1], bos)
        ended = torch.zeros_like(prefix[:, 0], dtype=torch.bool)
        while prefix.size(1) <= max_new_tokens and not ended.all():
            logits = model.decode(prefix, memory, source_visible)[:, -1]
            token = logits.argmax(dim=-1).masked_fill(ended, pad)
            prefix = torch.cat([prefix, token[:, None]], dim=1)
            ended |= token == eos
        return prefix[:, 1:]
    finally:
        model.train(was_training)


_NOISE = 1e-4
"""Float32 gives differences up to 1e-5 between right answers; faults give some hundredths."""


def check_future_tokens(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Test that no logits depend on target tokens that come later.

    The property: whatever stands in the target after position t, in this row or in another, the
    logits at the positions 0 … t are the same. It holds for every source, every t, every length,
    and whatever the model was called with before. How targets of different lengths compare is
    another property: `check_prefixes` tests it.

    Args:
        model: any function (source, target_prefix) -> logits with source (B, S) int64,
            target_prefix (B, T) int64 and logits (B, T, V) float32. It takes all B, S and T from 1
            on. Sources are symbols 4 … 11 with PAD (0) on their right, at least one symbol a row;
            targets begin with BOS (1) and go on with any ids of 0, 2 and 4 … 11. You can call it,
            and nothing else: it has no attributes that you may rely on.

    Returns:
        None where the property holds, even if the model has other faults. Rounding differs from
        call to call: differences up to 2e-5 are no fault.

    Raises:
        AssertionError: where the property does not hold, with a message that says so. A fault may
            sit in a single head, in some positions, or in some rows only, and then changes logits
            by a few thousandths.

    Example:
        >>> blind = lambda source, target_prefix: torch.zeros(*target_prefix.shape, 12)
        >>> check_future_tokens(blind)
        >>> spy = lambda source, target_prefix: F.one_hot(target_prefix.roll(-1, 1), 12).float()
        >>> try:
        ...     check_future_tokens(spy)
        ... except AssertionError:
        ...     print("it reads the next token")
        it reads the next token
    """
    batches = _drawn_batches()
    answers = [_logits(model, *batch) for batch in batches]  # all first: calls must leave no trace
    for (source, target), expected in zip(batches, answers, strict=True):
        for t in range(target.size(1) - 1):
            for changed in _other_futures(target, t + 1):
                found = _logits(model, source, changed)
                complaint = f"target tokens after position {t} change logits at or before it"
                _demand_same(found[:, : t + 1], expected[:, : t + 1], complaint)


def check_source_padding(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Test that padding of the source makes no difference.

    The property: a source gives the same logits, at all target positions, however many PADs stand
    on its right, none or many; so also if it is alone, or in a batch with longer ones. It holds for
    every target, and whatever the model was called with before.

    Args:
        model: any function (source, target_prefix) -> logits, as in `check_future_tokens`.

    Returns:
        None where the property holds, even if the model has other faults. Rounding differs from
        call to call: differences up to 2e-5 are no fault.

    Raises:
        AssertionError: where the property does not hold, with a message that says so. A fault may
            sit in one attention, in a single head, in some positions, or in some rows only, and
            then changes logits by a few thousandths.

    Example:
        >>> first = lambda source, target_prefix: F.one_hot(source[:, :1], 12).float().expand(
        ...     -1, target_prefix.size(1), -1
        ... )
        >>> check_source_padding(first)
        >>> last = lambda source, target_prefix: first(source.flip(1), target_prefix)
        >>> try:
        ...     check_source_padding(last)
        ... except AssertionError:
        ...     print("it reads the padding")
        it reads the padding
    """
    batches = _drawn_batches()
    answers = [_logits(model, *batch) for batch in batches]
    for (source, target), expected in zip(batches, answers, strict=True):
        for count in (1, 2, 5):
            found = _logits(model, F.pad(source, (0, count), value=PAD), target)
            _demand_same(found, expected, f"{count} more PADs after the source change the logits")
        for row, length in enumerate((source != PAD).sum(1).tolist()):
            alone = source[row : row + 1, :length]
            found = _logits(model, alone, target[row : row + 1])
            complaint = "a source alone, without its PADs, has other logits than in a batch"
            _demand_same(found, expected[row : row + 1], complaint)


def check_prefixes(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Test that step-by-step decoding sees what the full pass sees.

    The property: the logits for the first n target tokens alone are those that the positions
    0 … n − 1 have in the full pass. It holds for every n, for a row alone as for the batch, for
    finished rows (EOS, then PADs), in whatever order the prefixes come, and whatever the model was
    called with before.

    Args:
        model: any function (source, target_prefix) -> logits, as in `check_future_tokens`.

    Returns:
        None where the property holds, even if the model has other faults. Rounding differs from
        call to call: differences up to 2e-5 are no fault.

    Raises:
        AssertionError: where the property does not hold, with a message that says so. A fault may
            sit in a single head, in some positions, or in some rows only, and then changes logits
            by a few thousandths.

    Example:
        >>> echo = lambda source, target_prefix: F.one_hot(target_prefix, 12).float()
        >>> check_prefixes(echo)
        >>> backwards = lambda source, target_prefix: echo(source, target_prefix.flip(1))
        >>> try:
        ...     check_prefixes(backwards)
        ... except AssertionError:
        ...     print("it counts from the end")
        it counts from the end
    """
    batches = _drawn_batches()
    cases = [(*batch, _logits(model, *batch)) for batch in batches]
    lengths = range(1, max(target.size(1) for _, target in batches) + 1)
    complaint = "the first {} target tokens on their own have other logits than in the full pass"
    for n, (source, target, full) in itertools.product(lengths, cases):
        found = _logits(model, source, target[:, :n])
        _demand_same(found, full[:, :n], complaint.format(n))
    for n, (source, target, full) in itertools.product(lengths, reversed(cases)):
        row = slice(n % len(source), n % len(source) + 1)
        found = _logits(model, source[row], target[row, :n])
        _demand_same(found, full[row, :n], complaint.format(n) + ", if a row is alone")


def check_masked_weights(attention: Callable[..., tuple[Any, Any]]) -> None:
    """Test that attention gives a hidden key no weight and no influence.

    The property, for each query: the weight of a key that is hidden from it is 0 exactly; its
    weights are not negative and sum to 1; and nothing that stands in a key or value that is hidden
    from it changes its weights or its output. It holds in every row of the batch, every head and
    every position, for every mask, and whatever was computed before.

    Args:
        attention: any function (query, key, value, visible) -> (output, weights) that behaves as
            `numpy_attention` should. It takes NumPy arrays: query (B, H, n_q, d_k), key
            (B, H, n_k, d_k) and value (B, H, n_k, d_v) float64, and visible bool of shape
            (B, 1, 1, n_k) or (B, 1, n_q, n_k), True where the query may attend to the key; every
            query sees at least one. It returns output (B, H, n_q, d_v) and weights
            (B, H, n_q, n_k), both as NumPy arrays or both as torch tensors, of float64 or
            float32: `torch.as_tensor` takes either. You can call it, and nothing else.

    Returns:
        None where the property holds. Rounding is no fault: sums may miss 1, and outputs may
        differ, by 1e-5. A hidden weight may not differ from 0 at all.

    Raises:
        AssertionError: where the property does not hold, with a message that says so. A fault may
            sit in a single head, in some positions, or in some rows only.

    Example:
        >>> def generous(query, key, value, visible):  # each key gets the same, hidden or not
        ...     weights = np.ones((*query.shape[:-1], key.shape[-2])) / key.shape[-2]
        ...     return weights @ value, weights
        >>> try:
        ...     check_masked_weights(generous)
        ... except AssertionError:
        ...     print("it gives hidden keys a weight")
        it gives hidden keys a weight
    """
    cases = list(_attention_cases())
    answers = [_attend(attention, *case) for case in cases]
    for (query, key, value, visible), (output, weights) in zip(cases, answers, strict=True):
        _demand_distribution(weights, visible)
        for j in range(key.size(-2)):
            other_key, other_value = key.clone(), value.clone()
            other_key[..., j, :] = -5 * key[..., j, :] - 3
            other_value[..., j, :] += 10
            found = _attend(attention, query, other_key, other_value, visible)
            unseeing = ~visible.expand_as(weights)[..., j]
            complaint = f"key and value {j} change the {{}} of a query that they are hidden from"
            _demand_same(found[0][unseeing], output[unseeing], complaint.format("output"))
            _demand_same(found[1][unseeing], weights[unseeing], complaint.format("weights"))


def _drawn_batches() -> list[tuple[Tensor, Tensor]]:
    """Return several (source, target_prefix), ragged on the right; two have the same shape."""
    generator = torch.Generator().manual_seed(8)
    return [_drawn_batch(*shape, generator) for shape in ((6, 3, 4), (6, 3, 4), (6, 6, 9))]


def _drawn_batch(
    rows: int, source_width: int, target_width: int, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Draw sources of all lengths; every third target is whole, the others end in EOS and PADs."""
    source = torch.randint(4, 12, (rows, source_width), generator=generator)
    target = torch.randint(4, 12, (rows, target_width), generator=generator)
    row = torch.arange(rows)[:, None]
    source[torch.arange(source_width) > row % source_width] = PAD
    end = torch.where(row % 3 == 0, target_width, 1 + row % (target_width - 1))
    target[torch.arange(target_width) == end] = EOS
    target[torch.arange(target_width) > end] = PAD
    target[:, 0] = BOS
    return source, target


def _other_futures(target: Tensor, start: int) -> Iterator[Tensor]:
    """Yield copies of the target, each changed from `start` on: other symbols, PADs, one symbol."""
    moved = torch.where(target >= 4, (target - 3) % 8 + 4, 7)
    for replacement in (moved, torch.full_like(target, PAD)):
        changed = target.clone()
        changed[:, start:] = replacement[:, start:]
        yield changed
    nearest = target.clone()
    nearest[:, start] = moved[:, start]
    yield nearest


def _logits(
    model: Callable[[Tensor, Tensor], Tensor], source: Tensor, target_prefix: Tensor
) -> Tensor:
    """Ask the model; the copy stays as it is, whatever the model does with its own tensors."""
    with torch.no_grad():
        logits = torch.as_tensor(model(source.clone(), target_prefix.clone())).clone()
    if logits.shape[:-1] != target_prefix.shape:
        shapes = f"{tuple(logits.shape)} for a target of shape {tuple(target_prefix.shape)}"
        raise AssertionError(f"the logits have the shape {shapes}")
    return logits


def _demand_same(found: Tensor, expected: Tensor, complaint: str) -> None:
    """Raise AssertionError with the complaint if numbers differ by more than noise, or are NaN."""
    difference = (found - expected).abs()
    if not (difference <= _NOISE).all():
        raise AssertionError(f"{complaint}, by up to {difference.max().item():.3g}")


def _attention_cases() -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Yield (query, key, value, visible) with masks of several kinds, some of the same shape."""
    generator = torch.Generator().manual_seed(9)
    batch, heads, n = 3, 4, 6
    lengths = torch.tensor([[1], [4], [6]])[:, None, None]
    padding = [torch.arange(n) < each for each in (lengths, lengths.flip(0))]
    causal = torch.ones(n, n, dtype=torch.bool).tril()
    scattered = torch.rand(2, batch, 1, n, n, generator=generator) < 0.5
    scattered |= torch.eye(n, dtype=torch.bool).roll(2, 0)  # every query sees something
    for visible in (*padding, *(causal & each for each in padding), *scattered):
        query, key = torch.randn(2, batch, heads, n, 8, generator=generator, dtype=torch.float64)
        value = torch.randn(batch, heads, n, 5, generator=generator, dtype=torch.float64)
        yield 2 * query, key, value, visible


def _attend(attention: Callable[..., tuple[Any, Any]], *arguments: Tensor) -> tuple[Tensor, Tensor]:
    """Ask the attention with arrays of its own; return copies of its (output, weights)."""
    answer = attention(*(argument.clone().numpy() for argument in arguments))
    output, weights = (torch.as_tensor(part).detach().clone() for part in answer)
    query, key, value, _ = arguments
    expected = ((*query.shape[:-1], value.size(-1)), (*query.shape[:-1], key.size(-2)))
    if (tuple(output.shape), tuple(weights.shape)) != expected:
        found = f"{tuple(output.shape)} and {tuple(weights.shape)}"
        raise AssertionError(f"output and weights have the shapes {found}, not {expected}")
    return output, weights


def _demand_distribution(weights: Tensor, visible: Tensor) -> None:
    """Raise AssertionError unless each row is a distribution over its visible keys alone."""
    stray = weights[~visible.expand_as(weights)].abs()
    if not (stray == 0).all():
        raise AssertionError(f"a hidden key has the weight {stray.max().item():.3g}, not exactly 0")
    if not (weights >= 0).all():
        raise AssertionError("a weight is negative or not a number")
    _demand_same(weights.sum(-1), torch.ones(weights.shape[:-1]), "a row of weights misses sum 1")


def make_reverse_batch(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Lay sequences out as `make_batch` does, for the task of saying them backwards.

    Args:
        sequences: B lists of one to three symbols. They stay as they were.

    Returns:
        (source, decoder_input, target), int64 of shapes (B, 3), (B, 4) and (B, 4). The source is
        the sequence as it is; decoder input and target hold its symbols in reverse order, after
        BOS and before EOS. PAD fills each row up on the right, after the last token.

    Example:
        >>> source, decoder_input, target = make_reverse_batch([[4, 7, 9], [6, 5]])
        >>> source.tolist()
        [[4, 7, 9], [6, 5, 0]]
        >>> decoder_input.tolist()
        [[1, 9, 7, 4], [1, 5, 6, 0]]
        >>> target.tolist()
        [[9, 7, 4, 2], [5, 6, 2, 0]]
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([sequence[::-1] for sequence in sequences])
    return source, decoder_input, target


def train(
    model: TinyTransformer,
    sequences: Sequence[Sequence[int]],
    batch_maker: Callable[[Sequence[Sequence[int]]], tuple[Tensor, Tensor, Tensor]],
    steps: int = 800,
    seed: int = 8,
) -> list[float]:
    """Train the model in place, 32 sequences a step, and return the loss of each step.

    Adam with a rate of 1e-3; gradients are clipped to a total norm of 1. `batch_maker` decides the
    task: `make_batch` or `make_reverse_batch`. `seed` decides which sequences come when.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    model.train()
    for _ in tqdm(range(steps), desc="training", unit="step"):
        chosen = torch.randint(len(sequences), (32,), generator=generator).tolist()
        loss = training_loss(model, *batch_maker([sequences[i] for i in chosen]))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def answers_of(model: TinyTransformer, source: Tensor, width: int = 4) -> Tensor:
    """Return what the model generates, (B, width) int64, PAD on the right up to the full width."""
    generated = generate(model, source, max_new_tokens=width)
    return F.pad(generated, (0, width - generated.size(1)), value=PAD)


def evaluate(
    model: TinyTransformer,
    sequences: Sequence[Sequence[int]],
    batch_maker: Callable[[Sequence[Sequence[int]]], tuple[Tensor, Tensor, Tensor]],
) -> tuple[float, float]:
    """Return the teacher-forced loss, and the share of sequences that are generated without a flaw.

    A sequence counts if every token is right, EOS among them.
    """
    source, decoder_input, target = batch_maker(sequences)
    with torch.no_grad():
        loss = training_loss(model, source, decoder_input, target).item()
    right = (answers_of(model, source, target.size(1)) == target).all(dim=1)
    return loss, right.float().mean().item()


def kind_of_error(target: Sequence[int], answer: Sequence[int]) -> str:
    """Name what is wrong with an answer: its length first, then its first wrong symbol.

    Args:
        target: the ids that were wanted; EOS ends them, PADs may follow.
        answer: the ids that were said, likewise; without EOS they stop too late.

    Returns:
        "none", "stopped too early", "stopped too late", "repeated symbol" (the wrong symbol is the
        one just before it) or "wrong symbol".

    Example:
        >>> kind_of_error([4, 7, 9, 2], [4, 4, 9, 2])
        'repeated symbol'
        >>> kind_of_error([4, 7, 9, 2], [4, 7, 2, 0])
        'stopped too early'
    """
    wanted, said = (
        list(itertools.takewhile(lambda token: token != EOS, row)) for row in (target, answer)
    )
    if len(said) != len(wanted):
        return "stopped too early" if len(said) < len(wanted) else "stopped too late"
    wrong = next((i for i, token in enumerate(said) if token != wanted[i]), None)
    if wrong is None:
        return "none"
    return "repeated symbol" if said[wrong] in said[max(wrong - 1, 0) : wrong] else "wrong symbol"


class PeekingDecoderBlock(DecoderBlock):
    """A decoder block whose self-attention sees the whole target, the future too."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        """Show every query what the last one may see: all keys that are not PAD."""
        all_visible = target_visible[:, :, -1:, :]
        return super().forward(x, memory, all_visible, source_visible)


class PeekingTransformer(TinyTransformer):
    """The same model without the causal mask: for the experiment, not for use."""

    def __init__(
        self, vocabulary: int = 12, width: int = 32, heads: int = 4, inner: int = 64
    ) -> None:
        super().__init__(vocabulary, width, heads, inner)
        self.decoder = PeekingDecoderBlock(width, heads, inner)
