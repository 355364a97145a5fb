"""Reference solutions of the homework `digit_reader`: read numbers of one to three digits.

The public names without a question of their own are given to students: the three special ids,
`raw_digits`, `load_digits`, `split`, the `__init__` of each class, and everything after
`train_reader`. Names in docstrings: N base images of H × W pixels, B composites in a batch, L the
most digits that a number can have, T positions of the decoder (L + 1 at most), D the width of a
vector, S patches of an image. The ids 0 … 9 are the digits themselves. Sources: Vaswani et al. 2017
(arXiv:1706.03762) for the blocks, which normalise after each sum; Hendrycks and Gimpel 2016
(arXiv:1606.08415) for GELU; Dosovitskiy et al. 2021 (arXiv:2010.11929) for patches.
"""

from __future__ import annotations

import itertools
import math
import statistics
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.lr_scheduler import LinearLR
from tqdm.auto import tqdm

START, END, PAD = 10, 11, 12


def raw_digits(path: Path) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Return what stands in a file: images (N, H, W), labels (N,), and what the value of ink is."""
    if path.suffix == ".npz":
        with np.load(path) as stored:
            images, labels = (
                np.concatenate([stored[f"{name}_train"], stored[f"{name}_test"]]) for name in "xy"
            )
        return images, labels, 255
    rows = np.loadtxt(path, delimiter=",", dtype=np.int64, ndmin=2)
    return rows[:, :64].reshape(-1, 8, 8), rows[:, 64:].reshape(-1), 16


def load_digits(path: str | Path = "data/digits.csv") -> tuple[Tensor, Tensor]:
    """Load handwritten digits from a file.

    Args:
        path: `digits.csv`, which lies in the folder `data` beside the notebook: a digit a line, its
            64 pixels of 0 … 16 row by row, then its label, with commas between. Or the lesson's
            `mnist-small.npz`, with `x_train`, `x_test` of 0 … 255 and `y_train`, `y_test`.

    Returns:
        (images, labels): (N, H, W) float32 in [0, 1], where 1 is ink, and (N,) int64. `digits.csv`
        holds 1,797 images of 8 × 8. From the other come its training images, then its test images.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if it has another form.

    Example:
        >>> images, labels = load_digits()
        >>> images.shape, labels[:5].tolist()
        (torch.Size([1797, 8, 8]), [0, 1, 2, 3, 4])
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}: put it there, or pass another path")
    try:
        pixels, labels, ink = raw_digits(path)
        if pixels.ndim != 3 or labels.shape != pixels.shape[:1] or labels.size == 0:
            raise ValueError("it has not one label for each image")
        if min(pixels.min(), labels.min()) < 0 or pixels.max() > ink or labels.max() > 9:
            raise ValueError(f"pixels must be 0 to {ink}, labels 0 to 9")
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{path} holds no digits ({reason}): get a fresh copy of it") from None
    images = torch.from_numpy(pixels.astype(np.float32) / np.float32(ink))
    return images, torch.from_numpy(labels.astype(np.int64))


def split(
    images: Tensor, labels: Tensor, seed: int = 0
) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """Split base images at random, before composing: no digit is in training and in test images.

    Returns:
        ((images, labels), (images, labels)): 80 % (rounded down) to learn from, the rest for tests.

    Example:
        >>> base, held_out = split(torch.rand(10, 8, 8), torch.arange(10))
        >>> [len(images) for images, _ in (base, held_out)]
        [8, 2]
    """
    order = torch.from_numpy(np.random.default_rng(seed).permutation(len(images)))
    learned, kept = order.tensor_split([len(order) * 8 // 10])
    return (images[learned], labels[learned]), (images[kept], labels[kept])


def compose(
    images: Tensor, labels: Tensor, count: int, seed: int, lengths: Sequence[int] = (1, 2, 3)
) -> tuple[Tensor, Tensor]:
    """Draw numbers, and lay the images of their digits side by side.

    Two draws from rng = `np.random.default_rng(seed)` decide everything, in this order:

    1. `rng.integers(0, len(lengths), count)`: for each composite, which entry of `lengths` is its
       number of digits (`rng.choice(lengths, count)` draws the same);
    2. `rng.integers(0, N, (count, L))`, where L = max(lengths): for each composite and place, which
       base image stands there. What is drawn for places beyond a composite's length is not used.

    With lengths=(3,) the composites are those of the lesson.

    Args:
        images: (N, H, W) float32 in [0, 1], the base images; 0 is blank.
        labels: (N,) int64, the digit on each, 0 … 9.
        count: how many composites to make, 0 or more.
        seed: decides the draws. The global random states of NumPy and torch stay as they were.
        lengths: how many digits a number may have, each at least 1. An entry that stands there
            twice is drawn twice as often.

    Returns:
        (wide, targets): (count, H, L·W) float32, and (count, L) int64. The first digit is at the
        left edge, the next one follows without a gap, and what is left on the right is blank: 0.0.
        A row of targets holds the labels from left to right, then PAD (12). There is no START or
        END in it. The inputs stay as they were.

    Example:
        >>> images = torch.tensor([[[0.25], [1.0]], [[0.5], [0.0]], [[0.75], [1.0]]])  # 2 × 1
        >>> wide, targets = compose(images, torch.tensor([7, 8, 9]), count=4, seed=0)
        >>> targets.tolist()
        [[7, 7, 7], [7, 7, 12], [8, 9, 12], [8, 12, 12]]
        >>> wide[2].tolist()
        [[0.5, 0.75, 0.0], [0.0, 1.0, 0.0]]
    """
    rng = np.random.default_rng(seed)
    length = np.asarray(lengths)[rng.integers(0, len(lengths), count)]
    picks = torch.from_numpy(rng.integers(0, len(images), (count, max(lengths))))
    blank = torch.from_numpy(np.arange(max(lengths)) >= length[:, None])
    digits = images[picks].masked_fill(blank[:, :, None, None], 0.0)
    return digits.transpose(1, 2).flatten(2), labels[picks].masked_fill(blank, PAD)


def patchify(images: Tensor, patch: int) -> Tensor:
    """Cut images into square patches, each of which becomes a vector.

    Args:
        images: (B, H, W) of any dtype; height and width need not be equal.
        patch: the side of a patch in pixels, at least 1. It divides H and W.

    Returns:
        (B, (H/patch)·(W/patch), patch²) in the dtype of the images. Patches come row by row: first
        those of the top row from left to right. So do the pixels within each. Gradients flow to
        the images, which stay as they were.

    Raises:
        ValueError: if `patch` does not divide H and W.

    Example:
        >>> image = torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]])
        >>> patchify(image, 2).tolist()
        [[[1, 2, 5, 6], [3, 4, 7, 8]]]
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} × {patch} do not tile images of {height} × {width}")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def decoder_tensors(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Make what the decoder is fed and what it must say at each position, for teacher forcing.

    Args:
        targets: (B, L) int64, in each row digits and then PAD (12), as `compose` gives them; a row
            may be full, and L may be any number from 1 on. They stay as they were.

    Returns:
        (decoder_input, decoder_target), both (B, L + 1) int64. A row of the input is START (10),
        the digits, PADs; END is never fed. A row of the target is the digits, END (11), PADs. So a
        row with fewer than L digits has as many PADs in both.

    Example:
        >>> decoder_input, decoder_target = decoder_tensors(torch.tensor([[4, 7, 9], [6, 12, 12]]))
        >>> decoder_input.tolist()
        [[10, 4, 7, 9], [10, 6, 12, 12]]
        >>> decoder_target.tolist()
        [[4, 7, 9, 11], [6, 11, 12, 12]]
    """
    length = (targets != PAD).sum(dim=1, keepdim=True)
    decoder_target = F.pad(targets, (0, 1), value=PAD).scatter(1, length, END)
    return F.pad(targets, (1, 0), value=START), decoder_target


class EncoderBlock(nn.Module):
    """Self-attention and a feed-forward network; after each, add and normalise.

    Args:
        width: D.
        heads: the number of heads, which divides D.
        inner: the width between the two layers of the feed-forward network.

    Example:
        >>> block = EncoderBlock(width=8, heads=2, inner=32)
        >>> block(torch.ones(5, 12, 8)).shape
        torch.Size([5, 12, 8])
    """

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.attention_norm = nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width)
        )
        self.feed_forward_norm = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        """Return Norm₂(y + FeedForward(y)), where y = Norm₁(x + Attention(x, x, x)).

        Norm₁ is `attention_norm`, Norm₂ is `feed_forward_norm`. Every vector sees every other.

        Args:
            x: (B, S, D).

        Returns:
            (B, S, D) in the dtype of `x`, differentiable. `x` stays as it was.
        """
        # BEGIN SOLUTION
        mixed, _ = self.attention(x, x, x, need_weights=False)
        y = self.attention_norm(x + mixed)
        output: Tensor = self.feed_forward_norm(y + self.feed_forward(y))
        # END SOLUTION
        return output


class DecoderBlock(nn.Module):
    """Self-attention, cross-attention and a feed-forward network; after each, add and normalise.

    Args:
        width: D.
        heads: the number of heads, which divides D.
        inner: the width between the two layers of the feed-forward network.

    Example:
        >>> block = DecoderBlock(width=8, heads=2, inner=32)
        >>> x, memory = torch.ones(5, 4, 8), torch.ones(5, 12, 8)
        >>> mask = torch.full((4, 4), -torch.inf).triu(diagonal=1)
        >>> output, weights = block(x, memory, mask)
        >>> output.shape, weights
        (torch.Size([5, 4, 8]), None)
        >>> block(x, memory, mask, want_weights=True)[1].shape
        torch.Size([5, 4, 12])
    """

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.self_attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.self_attention_norm = nn.LayerNorm(width)
        self.cross_attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.cross_attention_norm = nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width)
        )
        self.feed_forward_norm = nn.LayerNorm(width)

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Run the three sublayers in this order: self-attention, cross-attention, feed-forward.

        Each reads what the one before it left, and its own norm is applied to the sum of what it
        read and what it says: x becomes Norm(x + Sublayer(x)). Cross-attention takes its queries
        from `x`, its keys and values from `memory`, all of which every query sees.

        Args:
            x: (B, T, D), the target's vectors.
            memory: (B, S, D), the encoder's result.
            mask: (T, T) in the dtype of `x`, *added* to the scores of the self-attention, queries
                by keys: 0 lets a key be seen, −inf hides it. Every query sees at least one.
            want_weights: whether the weights of the cross-attention are asked for.

        Returns:
            (output, weights): (B, T, D) in the dtype of `x`, differentiable, the same whether the
            weights are wanted or not; and (B, T, S), how much each position looks at each vector of
            `memory`, as a mean over the heads, or None where they are not wanted.
        """
        # BEGIN SOLUTION
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        output: Tensor = self.feed_forward_norm(x + self.feed_forward(x))
        # END SOLUTION
        return output, weights


class Reader(nn.Module):
    """An encoder that looks at an image, and a decoder that says what it reads, digit by digit.

    There are ids for the ten digits, START, END and PAD. PAD is fed, to fill up rows that have
    ended, but it is never said: there are twelve logits a position. The row of the embedding table
    for PAD is there to be looked up; nothing that counts depends on it.

    Args:
        image: (height, width) of the composites, in pixels.
        patch: the side of a patch in pixels, which divides both.
        width: D.
        heads: the number of heads, which divides D.
        layers: the number of blocks in the encoder, and as many in the decoder. Their feed-forward
            networks are 4·D wide inside.
        max_digits: L. The decoder has L + 1 positions.
        vocabulary: the number of ids that can be fed. 12 leave out PAD, as the lesson does, whose
            numbers all have the same length.

    Attributes:
        patch: as above.
        grid: (rows, columns) of patches.

    Example:
        >>> def parameters(model):
        ...     return sum(parameter.numel() for parameter in model.parameters())
        >>> model = Reader()
        >>> model.grid, parameters(model), parameters(Reader(vocabulary=12))
        ((2, 6), 61260, 61228)
        >>> lesson = Reader((28, 84), patch=7, width=96, heads=4, vocabulary=12)
        >>> lesson.grid, parameters(lesson)
        ((4, 12), 534348)
        >>> model(torch.zeros(5, 8, 24), torch.tensor([[START, 4, 7]] * 5)).shape
        torch.Size([5, 3, 12])
    """

    def __init__(
        self,
        image: tuple[int, int] = (8, 24),
        patch: int = 4,
        width: int = 32,
        heads: int = 2,
        layers: int = 2,
        max_digits: int = 3,
        vocabulary: int = PAD + 1,
    ) -> None:
        super().__init__()
        self.patch = patch
        self.grid = image[0] // patch, image[1] // patch
        self.project = nn.Linear(patch**2, width)
        self.image_positions = nn.Parameter(0.02 * torch.randn(1, math.prod(self.grid), width))
        self.encoder = nn.ModuleList([EncoderBlock(width, heads, 4 * width) for _ in range(layers)])
        self.embedding = nn.Embedding(vocabulary, width)
        self.token_positions = nn.Parameter(0.02 * torch.randn(1, max_digits + 1, width))
        self.decoder = nn.ModuleList([DecoderBlock(width, heads, 4 * width) for _ in range(layers)])
        self.readout = nn.Linear(width, END + 1)

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        """Return the logits (B, T, 12) for images (B, height, width) and tokens (B, T) int64."""
        # BEGIN SOLUTION
        logits, _ = self.decode(self.encode(images), tokens)
        return logits
        # END SOLUTION

    def encode(self, images: Tensor) -> Tensor:
        """Look at images: cut them into patches, project, add positions, run the encoder blocks.

        Args:
            images: (B, height, width) in the dtype of the weights: float32, or float64 after
                `double()`.

        Returns:
            (B, S, D): `project` of each patch, in the order of `patchify`, plus `image_positions`,
            through all blocks of `encoder` in order. Blank patches are patches like others.
        """
        # BEGIN SOLUTION
        memory: Tensor = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        # END SOLUTION
        return memory

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Score the next token after each position.

        `embedding` of the tokens plus the first T of `token_positions`, through all blocks of
        `decoder` in order, then `readout`. The blocks get a causal mask (T, T) in the dtype of the
        weights: position t sees the positions 0 … t and no later one. That is all the mask there
        is. It need not hide PAD, which stands only after a number's end: no position that counts
        could see it.

        Args:
            memory: (B, S, D), from `encode`.
            tokens: (B, T) int64, START first, 1 ≤ T ≤ L + 1.
            want_weights: whether the weights of the cross-attention are asked for.

        Returns:
            (logits, weights): (B, T, 12) raw logits, of which those at position t depend on no
            token after t; and (B, T, S), the weights of the *last* block, or None where they are
            not wanted.
        """
        # BEGIN SOLUTION
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype, device=x.device).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        logits: Tensor = self.readout(x)
        # END SOLUTION
        return logits, weights


@torch.no_grad()
def read(model: Reader, images: Tensor, max_digits: int = 3) -> Tensor:
    """Read the number on each image from the model's own outputs, the likeliest token each time.

    Every row begins with START and grows by one token a step, all rows at once. A row ends when it
    says END; PAD fills it up while others go on. After `max_digits` digits there is one step more,
    in which a row can only end.

    Args:
        model: has `encode(images)` -> memory, which is called once, and `decode(memory, tokens)` ->
            (logits (B, T, 12), weights), which is called once a step, with START and all tokens so
            far. No likeliest token is forbidden: START would be taken for a digit. The model is in
            evaluation mode meanwhile; afterwards, even after an error, `model.training` is what it
            was.
        images: (B, height, width).
        max_digits: the most digits that a row gets, at least 1.

    Returns:
        (B, max_digits + 1) int64, whatever the longest row is: digits, END, PADs. A row without an
        END has `max_digits` digits and a PAD in the last column, whatever was said there. The last
        step is the one in which the last row ends, or number max_digits + 1. No gradient is
        recorded.

    Example:
        >>> class Recites(nn.Module):  # "images" are rows of tokens, to be said one after another
        ...     def encode(self, images):
        ...         return F.one_hot(images, 12).float()
        ...     def decode(self, memory, tokens):
        ...         return memory[:, : tokens.size(1)], None
        >>> read(Recites(), torch.tensor([[4, 11, 5, 5], [4, 7, 9, 11], [1, 2, 3, 4]])).tolist()
        [[4, 11, 12, 12], [4, 7, 9, 11], [1, 2, 3, 12]]
    """
    was_training = model.training
    model.eval()
    try:
        memory = model.encode(images)
        tokens = torch.full((len(images), 1), START, device=images.device)
        ended = torch.zeros(len(images), dtype=torch.bool, device=images.device)
        while tokens.size(1) <= max_digits + 1 and not ended.all():
            logits, _ = model.decode(memory, tokens)
            token = logits[:, -1].argmax(dim=-1).masked_fill(ended, PAD)
            ended |= token == END
            tokens = torch.cat([tokens, token[:, None]], dim=1)
        said = F.pad(tokens[:, 1:], (0, max_digits + 2 - tokens.size(1)), value=PAD)
        said[:, -1] = said[:, -1].masked_fill(~ended, PAD)
        return said
    finally:
        model.train(was_training)


def exact_sequence(model: Reader, images: Tensor, targets: Tensor) -> float:
    """Return the share of images whose number is read without a flaw: all digits right, then END.

    Args:
        model: as `read` takes it. It reads from its own outputs, and may say up to L digits, for
            its decoder need not have more than L + 1 positions; the targets are not shown to it.
        images: (B, height, width), at least one.
        targets: (B, L) int64, in each row digits and then PAD, as `compose` gives them.

    Returns:
        A Python float between 0 and 1. An image counts if it is read as the target's digits, all of
        them and no more, and END is said right after the last. A model that never says END gets 0.

    Example:
        >>> class Recites(nn.Module):  # "images" are rows of tokens, to be said one after another
        ...     def encode(self, images):
        ...         return F.one_hot(images, 12).float()
        ...     def decode(self, memory, tokens):
        ...         return memory[:, : tokens.size(1)], None
        >>> targets = torch.tensor([[4, 12, 12], [4, 7, 12], [1, 2, 3], [5, 6, 12]])
        >>> said = torch.tensor([[4, 11, 5, 5], [4, 7, 11, 0], [1, 2, 3, 4], [5, 11, 11, 11]])
        >>> exact_sequence(Recites(), said, targets)
        0.5
    """
    _, wanted = decoder_tensors(targets)
    right = (read(model, images, max_digits=targets.size(1)) == wanted).all(dim=1)
    return right.float().mean().item()


def attention_thirds(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Say how much of each position's attention falls on the left, middle and right of the image.

    Args:
        weights: (B, T, S) floats, from `Reader.decode`; each row (last axis) sums to 1. All
            positions count alike, those after a number's END too: for a table of the digits, pass
            only numbers that have as many.
        grid: (rows, columns) of patches, rows · columns = S. Patches are counted row by row, and 3
            divides the number of columns.

    Returns:
        (T, 3) in the dtype of the weights: row t has the shares of position t in the left, middle
        and right third of the columns, as a mean over the batch. Each row sums to 1.

    Raises:
        ValueError: if 3 does not divide the number of columns.

    Example:
        >>> weights = torch.tensor([[[0.5, 0.25, 0, 0, 0.25, 0]], [[0, 0, 1, 0, 0, 0]]])
        >>> attention_thirds(weights, grid=(2, 3)).tolist()  # two rows, three columns
        [[0.25, 0.25, 0.5]]
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError(f"{columns} columns of patches do not make three equal thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def train_reader(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Teach a model to read numbers of several lengths that are composed of given digits.

    A recipe that does it in some twenty seconds: 6,000 composites, drawn once by `compose`; in each
    epoch all of them in a new order, 64 at a time; Adam, whose rate falls from 2e-3 to 0 in equal
    steps (a constant one does as well on most days, and ends on a bad step on others);
    cross-entropy with teacher forcing over all targets that are not PAD, END among them, each
    counted alike. Another recipe is as good if the result is.

    Args:
        model: called as model(images, decoder_input), returns logits (B, T, 12). It is in training
            mode for each step and trained in place; the mode that it is left in does not matter.
        images: (N, H, W) float32 in [0, 1], base images of single digits, as `compose` takes them.
        labels: (N,) int64.
        seed: decides the composites and the order of the batches. The same model, digits and seed
            give the same result, and the global random states stay as they were.
        lengths: how many digits the numbers may have.
        epochs: how often the model goes through all composites, at least 1.
        after_epoch: called without arguments after each epoch, where it is given; it may put the
            model into another mode.

    Returns:
        The mean loss of each epoch's steps, in nats, as Python floats. Afterwards, with the default
        of 8 epochs, the model reads at least 88 % of new composites exactly, END included, of
        digits that it has not seen. That takes less than 60 seconds on one core.

    Example:
        >>> dots = F.one_hot(torch.arange(10), 64).float().reshape(10, 8, 8)  # ten made-up digits
        >>> model = Reader(width=8, heads=1, layers=1)
        >>> losses = train_reader(
        ...     model, dots, torch.arange(10), epochs=1, after_epoch=lambda: print("an epoch ends")
        ... )
        an epoch ends
        >>> len(losses), 0 < losses[0] < 2.5
        (1, True)
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    orders = [torch.randperm(len(wide), generator=generator).split(64) for _ in range(epochs)]
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    schedule = LinearLR(optimizer, 1.0, 0.0, total_iters=sum(map(len, orders)))
    losses = []
    for batches in tqdm(orders, desc="training", unit="epoch"):
        model.train()
        steps = []
        for chosen in batches:
            steps.append(_train_step(model, optimizer, wide[chosen], targets[chosen]))
            schedule.step()
        losses.append(statistics.fmean(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def _train_step(
    model: nn.Module, optimizer: torch.optim.Optimizer, wide: Tensor, targets: Tensor
) -> float:
    """Make one teacher-forced update; return the loss before it."""
    decoder_input, decoder_target = decoder_tensors(targets)
    logits = model(wide, decoder_input)
    loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=PAD)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def token_accuracy(model: nn.Module, images: Tensor, targets: Tensor) -> float:
    """Return the share of tokens that are right with teacher forcing, END counted, PAD not.

    Args:
        model: called as model(images, decoder_input), in evaluation mode; its mode is kept.
        images: (B, height, width).
        targets: (B, L) int64, as `compose` gives them.
    """
    was_training = model.training
    model.eval()
    decoder_input, decoder_target = decoder_tensors(targets)
    right = model(images, decoder_input).argmax(dim=-1) == decoder_target
    model.train(was_training)
    return float(right[decoder_target != PAD].float().mean())


def watch_training(
    model: Reader,
    base: tuple[Tensor, Tensor],
    held_out: tuple[Tensor, Tensor],
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
) -> dict[str, list[float]]:
    """Train with `train_reader` and keep, after each epoch, how well the model reads.

    Args:
        model: trained in place.
        base: (images, labels) of single digits, to learn from.
        held_out: (wide, targets), composites of other digits.
        seed: as in `train_reader`.
        lengths: likewise.

    Returns:
        "loss", "token accuracy" and "exact": a value for each epoch. The loss is that of training,
        the other two are those of the held-out composites.
    """
    found: dict[str, list[float]] = {"token accuracy": [], "exact": []}

    def look() -> None:
        found["token accuracy"].append(token_accuracy(model, *held_out))
        found["exact"].append(exact_sequence(model, *held_out))

    losses = train_reader(model, *base, seed=seed, lengths=lengths, after_epoch=look)
    return {"loss": losses, **found}


def as_numbers(tokens: Tensor) -> list[str]:
    """Write rows of tokens (B, T) as numbers: the digits before the first END or PAD.

    Example:
        >>> as_numbers(torch.tensor([[4, 7, 11, 12], [0, 7, 9, 11], [11, 12, 12, 12]]))
        ['47', '079', '']
    """
    rows = (itertools.takewhile(lambda token: token < END, row) for row in tokens.tolist())
    return ["".join("?" if token == START else str(token) for token in row) for row in rows]


class PeekingDecoderBlock(DecoderBlock):
    """A decoder block whose self-attention sees the whole target, the future too."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Replace the mask by one that hides nothing."""
        return super().forward(x, memory, torch.zeros_like(mask), want_weights)


class PeekingReader(Reader):
    """The same reader without its causal mask: for the experiment, not for use."""

    def __init__(self, width: int = 32, heads: int = 2, layers: int = 2, **others: Any) -> None:
        super().__init__(width=width, heads=heads, layers=layers, **others)
        self.decoder = nn.ModuleList(
            [PeekingDecoderBlock(width, heads, 4 * width) for _ in range(layers)]
        )
