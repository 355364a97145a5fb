# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A Transformer of your own, and tests of its mechanism
#
# In this homework the whole machine is yours: the data, the masks, attention in NumPy and in torch,
# the encoder, the decoder, the loss, and the loop that writes. You train it until it can do one
# thing, which is to say back what it was told:
#
# | | source | what it must write | as ids |
# |---|---|---|---|
# | three symbols | 4 7 9 | 4 7 9 EOS | `[4, 7, 9]` → `[4, 7, 9, 2]` |
# | one symbol | 6 | 6 EOS | `[6]` → `[6, 2]` |
#
# There are twelve ids. PAD (0) fills short rows up, BOS (1) opens what the decoder reads, EOS (2)
# closes what it writes, 3 is never used, and the eight **symbols** are 4 to 11. A copy is a poor
# product and a fine exercise: nobody can argue about the right answer, a run takes seconds, and
# there is no part of an encoder–decoder that it does without.
#
# Then comes the second half of the title. A trained model has a loss and a score, and both can look
# splendid while the machine inside is broken. So you also write **tests of the mechanism**: small
# programs that decide, from behaviour alone, whether information flows only where it should. They
# are graded like any other answer, by running them on models that are right and on models that are
# broken. The last section shows what they are good for.

# %% [markdown]
# ## What you will build
#
# | # | question | it answers | points | difficulty | time |
# |---|---|---|---|---|---|
# | 1 | `make_dataset` | what is there to learn, and what is kept back? | 6 | ●○○○ | 10 min |
# | 2 | `make_batch` | what is read, and what must be said? | 8 | ●○○○ | 15 min |
# | 3 | `attention_masks` | who may look at whom? | 8 | ●●○○ | 15 min |
# | 4a | `numpy_attention` | how do values get mixed? | 6 | ●●○○ | 20 min |
# | 4b | `numpy_layer_norm` | how does a vector keep its size? | 4 | ●○○○ | 5 min |
# | 4c | `numpy_encoder_block` | what is one layer, number by number? | 6 | ●●●○ | 25 min |
# | 5a | `MultiHeadAttention` | … and so that it can learn? | 6 | ●●●○ | 20 min |
# | 5b | `EncoderBlock` | how is the source read? | 4 | ●○○○ | 10 min |
# | 5c | `DecoderBlock` | how is the target written? | 4 | ●●○○ | 10 min |
# | 5d | `TinyTransformer` | how do the parts make a model? | 6 | ●●○○ | 15 min |
# | 6 | `training_loss` | how wrong is it? | 8 | ●○○○ | 10 min |
# | 7 | `generate` | what does it write, left to itself? | 12 | ●●●○ | 30 min |
# | 8a | `check_future_tokens` | does it peek at what comes later? | 4 | ●●●○ | 25 min |
# | 8b | `check_source_padding` | does padding change anything? | 4 | ●●●○ | 15 min |
# | 8c | `check_prefixes` | is writing the same as reading along? | 4 | ●●●○ | 15 min |
# | 8d | `check_masked_weights` | is hidden really hidden? | 4 | ●●●● | 25 min |
# | 9 | `make_reverse_batch` | … and backwards? | 6 | ●○○○ | 10 min |
#
# 100 points, and four to five hours. The times are rough. No check of a later question needs your
# answer to an earlier one, unless your own code calls it, so the order is free. The pictures are
# another matter: those of the trained model need questions 1 to 7.
#
# ## How to work
#
# 1. Run the cells from the top. Where a question is not answered yet, its cell is fine but whatever
#    uses it stops with `NotImplementedError`. Go on below.
# 2. In a question cell, put your code in place of the `raise` line. The docstring is the contract:
#    shapes, types, edge rules, errors. Names and arguments stay. Helpers of your own may stand in
#    the same cell.
# 3. In 5a to 5d the cell holds a **class**. Its `__init__` is finished and stays as it is, since
#    the grader loads weights into your modules by the names that stand there. Every method with a
#    `raise` is yours; in 5d there are three.
# 4. Run the cell, then the check below it. **Public checks are a first look** at small inputs.
#    **Hidden checks decide the grade**: other sizes, other numbers of heads, other ids, and each
#    promise of the docstring.
# 5. Stuck? Under each question are three hints, each saying more than the one before it.
# 6. At the end restart the kernel, run everything, save, and hand in this notebook.
#
# Any right answer gets full marks, whatever it looks like. The slowest cells train a model; each
# takes a few seconds on one core.

# %%
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import otter
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm.auto import tqdm

grader = otter.Notebook()

# %% given="PAD"

# %% tags=["otter_ignore"]
# Helpers for the figures. There is nothing to do here: run the cell and read on.
import functools
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap

torch.set_num_threads(1)  # the model is so small that sharing it out costs more than it saves
BLUE, ORANGE, GREEN, RED, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#767676"
PALE_BLUE, PALE_ORANGE, PALE_GREEN, PALE_GREY = "#DCEBF5", "#FBEBCB", "#D5EDE4", "#E6E6E6"
plt.rcParams.update(
    {
        "figure.dpi": 110,
        "figure.constrained_layout.use": True,
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "lines.linewidth": 2,
        "legend.frameon": False,
    }
)


def name_of(token: int) -> str:
    """Return what a reader calls an id: PAD, BOS, EOS, or the number."""
    return {PAD: "PAD", BOS: "BOS", EOS: "EOS"}.get(token, str(token))


def spoken(ids: Sequence[int]) -> str:
    """Return ids as a reader says them, without PADs."""
    return " ".join(name_of(token) for token in ids if token != PAD)


def bare(axes: plt.Axes, rows: Sequence[Any], columns: Sequence[Any], title: str) -> None:
    """Label the rows and columns of a matrix, and take the frame away."""
    axes.set(title=title, xticks=range(len(columns)), yticks=range(len(rows)))
    axes.set_xticklabels(columns)
    axes.set_yticklabels(rows)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def draw_tokens(axes: plt.Axes, ids: Tensor, title: str) -> None:
    """Draw a batch of ids as coloured boxes: PAD grey, BOS green, EOS orange, symbols blue."""
    colours = {PAD: PALE_GREY, BOS: "#8FD0B9", EOS: "#F2C56B"}
    for row, line in enumerate(ids.tolist()):
        for column, token in enumerate(line):
            box = (column - 0.46, row - 0.42)
            colour = colours.get(token, PALE_BLUE)
            axes.add_patch(plt.Rectangle(box, 0.92, 0.84, facecolor=colour, edgecolor="#555555"))
            tint = GREY if token == PAD else "black"
            axes.text(column, row, name_of(token), ha="center", va="center", color=tint, fontsize=9)
    bare(axes, [f"row {row}" for row in range(len(ids))], range(ids.size(1)), title)
    axes.set(xlim=(-0.55, ids.size(1) - 0.45), ylim=(len(ids) - 0.5, -0.5))


def draw_mask(
    axes: plt.Axes, visible: Tensor, rows: Sequence[str], columns: Sequence[str], title: str
) -> None:
    """Draw who may look at whom: a blue box with a tick is visible, an empty grey one is hidden."""
    for row, line in enumerate(visible.tolist()):
        for column, seen in enumerate(line):
            box, colour = (column - 0.46, row - 0.46), BLUE if seen else PALE_GREY
            axes.add_patch(plt.Rectangle(box, 0.92, 0.92, facecolor=colour))
            if seen:
                axes.text(column, row, "✓", ha="center", va="center", color="white", fontsize=10)
    bare(axes, rows, columns, title)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5), aspect="equal")


def heat_map(
    axes: plt.Axes, values: Any, rows: Sequence[str], columns: Sequence[str], title: str
) -> None:
    """Colour a matrix of weights from 0 to 1, with the numbers; an exact 0 stays empty grey."""
    numbers = np.asarray(values, dtype=float)
    axes.set_facecolor(PALE_GREY)
    shown = np.where(numbers == 0, np.nan, numbers)
    axes.imshow(shown, cmap="Blues", vmin=0, vmax=1, aspect="equal")
    for (row, column), number in np.ndenumerate(numbers):
        if number:
            text = f"{number:.2f}".replace("0.", ".").replace("1.00", "1")
            colour = "white" if number > 0.6 else "black"
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    bare(axes, rows, columns, title)


# %% [markdown]
# ## How the pieces connect
#
# From left to right: sequences become batches and masks; the **encoder** reads the source and
# leaves one vector per source token, the *memory*; the **decoder** reads what has been written so
# far, looks the source up in the memory, and scores the next token. What you do with the scores is
# on the right. The labels in brackets are the questions. Blue boxes are attention, and the blue
# arrow carries the memory. The masks go to all three attentions; only one arrow is drawn.

# %% tags=["otter_ignore"]
boxes = {  # name: x, y, text, colour
    "sequences": (0, 0, "584 sequences,\nsplit in two  [1]", "#F3F3F3"),
    "batch": (0, 1.35, "batch  [2]:\nsource, decoder\ninput, target", PALE_ORANGE),
    "masks": (0, 3, "masks  [3]", PALE_ORANGE),
    "read": (3.1, 0, "source", "white"),
    "embedded": (3.1, 1, "embedding + positions", "#F3F3F3"),
    "encoder": (3.1, 2, "self-attention  [4a 5a]", PALE_BLUE),
    "inner": (3.1, 3, "feed-forward", "#F3F3F3"),
    "memory": (3.1, 4, "normalise  [4b]: memory", "#F3F3F3"),
    "prefix": (6.5, 0, "decoder input", "white"),
    "placed": (6.5, 1, "embedding + positions", "#F3F3F3"),
    "self": (6.5, 2, "causal self-attention  [5a]", PALE_BLUE),
    "cross": (6.5, 3, "cross-attention  [5a]", PALE_BLUE),
    "outer": (6.5, 4, "feed-forward", "#F3F3F3"),
    "logits": (6.5, 5, "normalise, read out: logits", "#F3F3F3"),
    "loss": (9.9, 5, "loss against\nthe target  [6]", PALE_ORANGE),
    "write": (9.9, 3.6, "take the likeliest token,\nappend, ask again  [7]", PALE_GREEN),
    "tests": (9.9, 2.0, "tests of the\nmechanism  [8]", PALE_GREEN),
    "reverse": (9.9, 0.5, "the same, backwards  [9]", PALE_ORANGE),
}
figure, axes = plt.subplots(figsize=(10.6, 5.2))
frames = {  # x, y, width, height
    "encoder block\n[4c 5b]": (1.5, 1.62, 3.2, 1.78),
    "decoder block\n[5c]": (4.85, 1.62, 3.3, 2.76),
}
for text, (x, y, width, height) in frames.items():
    style = {"facecolor": "none", "edgecolor": GREY, "linestyle": "--"}
    axes.add_patch(plt.Rectangle((x, y), width, height, **style))
    axes.text(x + 0.08, y + height - 0.06, text, fontsize=8, color="#555555", va="top")
drawn = {}
for name, (x, y, text, colour) in boxes.items():
    style = {"boxstyle": "round,pad=0.4", "fc": colour, "ec": "#555555"}
    drawn[name] = axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=style, zorder=3)
chains = [
    ("#555555", ["sequences", "batch", "masks"]),
    ("#555555", ["read", "embedded", "encoder", "inner", "memory"]),
    ("#555555", ["prefix", "placed", "self", "cross", "outer", "logits"]),
    (ORANGE, ["batch", "read"]),
    (ORANGE, ["masks", "encoder"]),
    (BLUE, ["memory", "cross"]),
    (ORANGE, ["logits", "loss"]),
    (GREEN, ["logits", "write"]),
    (GREEN, ["logits", "tests"]),
]
for colour, chain in chains:
    for start, end in pairwise(chain):
        style = {"arrowstyle": "-|>", "color": colour, "lw": 1.5, "shrinkA": 2, "shrinkB": 2}
        style |= {"patchA": drawn[start].get_bbox_patch(), "patchB": drawn[end].get_bbox_patch()}
        axes.annotate("", xy=boxes[end][:2], xytext=boxes[start][:2], arrowprops=style)
axes.set(
    xlim=(-1.2, 11.6),
    ylim=(-0.5, 5.5),
    title="The machine, and where you come in  [5d is all of it]",
)
axes.set_axis_off()
plt.show()

# %% [markdown]
# Letters used throughout: **B** sequences in a batch, **S** and **T** positions of source and
# target, **D** the width of a vector, **H** heads, **V** the number of ids.

# %% [markdown]
# ---
# ## 1 · The sequences (6 points)
#
# *about 10 min · ●○○○*
#
# Every list of one, two or three symbols is a possible source. They are so few that you can write
# all of them down, and so no question remains about what the model has seen: four fifths are for
# training, and the others it never meets until it is judged.
#
# | length | how many | the first ones | the last |
# |---|---|---|---|
# | 1 | 8 | `[4]`, `[5]`, … | `[11]` |
# | 2 | 8² = 64 | `[4, 4]`, `[4, 5]`, … | `[11, 11]` |
# | 3 | 8³ = 512 | `[4, 4, 4]`, `[4, 4, 5]`, … | `[11, 11, 11]` |
# | all | **584** | 80 % are 467.2, so **467** train | **117** are held out |
#
# **By hand**, with five sequences A B C D E. Say `randperm` gives the order `[3, 0, 4, 1, 2]`. The
# first in the new list is number 3, which is D; then come number 0, number 4, …:
#
# | place | 0 | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|---|
# | order | 3 | 0 | 4 | 1 | 2 |
# | new list | D | A | E | B | C |
# | | train | train | train | train | held out |
#
# **Where people trip**
# - The order says *which one comes next*, not *where each one goes*. Read the other way round, the
#   list would begin with B.
# - The seed belongs to a generator of your own. `torch.manual_seed` would reset the dice of
#   everybody else in the program.
# - The items are lists of ints. `itertools.product` makes tuples, and a tensor is neither.
# - Another way to shuffle (`random.shuffle`, NumPy) is as fair, but gives another split.
#
# <details><summary>Hint 1: two halves</summary>
#
# Make the list first, in the order of the table, and look at its length. Shuffling and cutting are
# a second step that knows nothing of symbols. Which function of `itertools` counts like a
# milometer, the last place fastest?
#
# </details>
#
# <details><summary>Hint 2: the tools</summary>
#
# `itertools.product(symbols, repeat=n)` gives all tuples of length n; the symbols are
# `range(4, 12)`. A `torch.Generator` is an object with a `manual_seed` of its own, and `randperm`
# takes it as the keyword `generator`. `tolist` makes plain ints of a permutation.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - sequences: for n in 1, 2, 3, each product with repeat n, as a list
# - order: a permutation of as many numbers as there are sequences, from a fresh generator that was
#   seeded with `seed`
# - shuffled: the sequence at each number of the order, in turn
# - cut at four fifths of the length, as an int; return what lies before it and what lies after
#
# </details>

# %% question="make_dataset"

# %% [markdown]
# Below is the split of the 512 sequences of three symbols: one small square for each, orange where
# it is held out. The orange ones are scattered, and every symbol is met at every place during
# training; what is new to the model in a held-out sequence is the combination. The bars show the
# same by length. Of the shortest there are only eight, so the model trains on five.

# %% tags=["otter_ignore"]
train_sequences, held_out = make_dataset()
print(f"{len(train_sequences)} for training, {len(held_out)} held out; the first: {held_out[0]}")
kept = {tuple(sequence) for sequence in held_out}
grid = np.zeros((8, 64))
for first, second, third in itertools.product(range(8), repeat=3):
    grid[first, 8 * second + third] = (first + 4, second + 4, third + 4) in kept

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 2.4), width_ratios=[5, 1.5])
left.imshow(grid, cmap=ListedColormap([PALE_BLUE, ORANGE]), aspect="auto")
left.set_xticks(np.arange(-0.5, 64), minor=True)
left.set_yticks(np.arange(-0.5, 8), minor=True)
left.grid(which="minor", color="white", lw=0.8)
left.tick_params(which="both", length=0)
left.set(xlabel="second symbol (the third runs from 4 to 11 within each)", ylabel="first symbol")
left.set(xticks=np.arange(3.5, 64, 8), xticklabels=range(4, 12))
left.set(yticks=range(8), yticklabels=range(4, 12), title="All sequences of three symbols")
for x in np.arange(7.5, 63, 8):
    left.axvline(x, color=GREY, lw=0.8)
lengths = (1, 2, 3)
counts = [[sum(len(s) == n for s in part) for n in lengths] for part in (train_sequences, held_out)]
for offset, bars, colour, name in zip((-0.2, 0.2), counts, (BLUE, ORANGE), ("train", "held out")):
    drawn = right.bar([n + offset for n in lengths], bars, width=0.38, color=colour, label=name)
    right.bar_label(drawn, fontsize=8, padding=1)
right.set(xlabel="length", xticks=lengths, ylim=(0, 490), title="By length")
right.legend(loc="upper left", fontsize=8)
plt.show()

# %% [markdown]
# ---
# ## 2 · Batches (8 points)
#
# *about 15 min · ●○○○*
#
# A decoder writes one token at a time, each from those before it. To *train* it nobody waits for
# that: the right answer is known, so the decoder gets all of it as input, moved one place to the
# right, and is asked at every position at once for the token that comes next. This is **teacher
# forcing**. It takes three tensors.
#
# **By hand**, for the sequence `[8, 5]`:
#
# | | place 0 | place 1 | place 2 | place 3 |
# |---|---|---|---|---|
# | source | 8 | 5 | PAD | |
# | decoder input | BOS | 8 | 5 | PAD |
# | target | 8 | 5 | EOS | PAD |
#
# Read the last two rows downwards. At place 0 the decoder has only BOS and must say 8; at place 1
# it has BOS and 8 and must say 5; at place 2 it has read everything and must say that it is done.
# At place 3 there is nothing to say.
#
# **Where people trip**
# - EOS stands right after the last symbol, before the PADs. It is a token to be learned: without
#   it the model would never know when to stop.
# - The widths are 3, 4 and 4, always. A batch of single symbols is as wide as any other.
# - Ids are int64: `nn.Embedding` wants integers, and cross-entropy wants int64.
# - The lists belong to the caller. `sequence.append(EOS)` would lengthen theirs.
#
# > **Lesson note.** The homework `seq2seq` had other ids for BOS and EOS, and no PAD. Ids are a
# > convention of each model; what counts is that everybody in it keeps to the same one.
#
# <details><summary>Hint 1: one row at a time</summary>
#
# Think of one sequence of length n. Its source has n symbols and 3 − n PADs. How many PADs do the
# other two rows have, given that each holds one token more?
#
# </details>
#
# <details><summary>Hint 2: rows of PADs first</summary>
#
# PAD is 0, so `torch.zeros` with the right shape and dtype is a batch of nothing but padding. Then
# write each sequence into the beginning of its row: `[i, :n]` takes n entries. Or build the padded
# rows as lists and make one tensor of them.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - three int64 tensors full of zeros, with B rows and 3, 4, 4 columns
# - for each row number i and sequence of length n:
#   - the first n entries of the source row are the sequence
#   - the first n + 1 of the decoder-input row are a new list: BOS, then the sequence
#   - the first n + 1 of the target row are a new list: the sequence, then EOS
#
# </details>

# %% question="make_batch"

# %% [markdown]
# A batch of four, PAD in grey, BOS in green, EOS in orange. Decoder input and target show the same
# symbols, one place apart.

# %% tags=["otter_ignore"]
parts = make_batch([[4, 7, 9], [8, 5], [6], [11, 10, 11]])
figure, panels = plt.subplots(1, 3, figsize=(9.4, 2.5), width_ratios=[3, 4, 4], sharey=True)
for axes, ids, title in zip(panels, parts, ("source", "decoder input", "target")):
    draw_tokens(axes, ids, title)
    axes.set_xlabel("place")
plt.show()

# %% [markdown]
# ---
# ## 3 · Masks (8 points)
#
# *about 15 min · ●●○○*
#
# Attention lets every query look at every key. Two kinds of key must stay out of sight. Padding is
# no token, so nobody may look at it. And in the decoder, what comes *later* is what a position is
# being asked for: at place 1 of the table above the decoder must say 5, and the 5 stands at place 2
# of its own input. A model that may look there gets used to it, and when it writes by itself there
# is nothing to look at.
#
# A mask is a table of true and false: **True = this query may attend to this key.**
#
# **By hand.** Source `[8, 5, PAD]`, target so far `[BOS, 8, 5, PAD]`. In the source, one row does
# for all queries: `[1, 1, 0]`. In the target each query has its own:
#
# | query ↓ key → | BOS | 8 | 5 | PAD | |
# |---|---|---|---|---|---|
# | BOS | 1 | 0 | 0 | 0 | only itself |
# | 8 | 1 | 1 | 0 | 0 | |
# | 5 | 1 | 1 | 1 | 0 | |
# | PAD | 1 | 1 | 1 | **0** | not later than itself, but PAD |
#
# **Why the shapes have a 1 in them.** Scores will be (B, H, queries, keys). A mask of shape
# (B, 1, 1, S) serves all heads and all queries, one of (B, 1, T, T) serves all heads: torch
# stretches axes of size 1.
#
# **Where people trip**
# - Only *keys* are hidden. The query PAD in the last row keeps its view: what it says is never used
#   (the target there is PAD), and a query that may look at nothing has no softmax, only NaN.
# - `tril` keeps the diagonal. A position does see itself.
# - Both conditions in the target, joined by *and*. With the causal mask alone the last PAD would
#   see itself; with the padding alone everybody sees the future.
# - S and T need not be equal, and B may be T. A missing axis then broadcasts without complaint, in
#   the wrong direction.
#
# <details><summary>Hint 1: which question depends on what?</summary>
#
# "Is this key a PAD?" depends on the sequence and the key, not on the query. "Is this key later
# than the query?" depends on key and query, not on the sequence. Give each its own small table.
#
# </details>
#
# <details><summary>Hint 2: axes</summary>
#
# Comparing ids with PAD gives (B, length). Indexing with `None` puts an axis of size 1 at that
# place: `[:, None, None, :]` makes (B, 1, 1, length) of it. A (T, T) table of true and false, lower
# triangle true, is `torch.ones` with `dtype=torch.bool` and `tril`.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - source_visible: where the source differs from PAD, with two axes put in after the first
# - target_visible: where the prefix differs from PAD, with the same two axes, *and* (`&`) the lower
#   triangle of size T; broadcasting makes (B, 1, T, T) of it
#
# </details>

# %% question="attention_masks"

# %% [markdown]
# The masks of three sequences, side by side; a tick means visible. Above is `source_visible`: a
# single row, which all queries share. Below is `target_visible`: a staircase, with the columns of
# the PADs switched off.

# %% tags=["otter_ignore"]
source, decoder_input, _ = make_batch([[4, 7, 9], [8, 5], [6]])
source_visible, target_visible = attention_masks(source, decoder_input)

figure, panels = plt.subplots(2, 3, figsize=(9.6, 4.6), height_ratios=[1, 3.2])
for row, (above, below) in enumerate(panels.T):
    read = [name_of(token) for token in source[row].tolist()]
    written = [name_of(token) for token in decoder_input[row].tolist()]
    draw_mask(above, source_visible[row, 0], ["all"], read, f"row {row}: source")
    draw_mask(below, target_visible[row, 0], written, written, f"row {row}: target")
    below.set_xlabel("key")
    for axes in (above, below):
        axes.set_ylabel("query")
plt.show()

# %% [markdown]
# ---
# ## 4 · One encoder block in NumPy (16 points in three parts)
#
# Before torch does the work, do it once with bare arrays: no modules, no gradients, float64. An
# array language hides nothing, and in question 5 you will have two programs that must agree to ten
# digits. That is worth more than any amount of staring at one of them.
#
# ### 4a · Attention (6 points)
#
# *about 20 min · ●●○○*
#
# $$\text{weights} = \operatorname{softmax}_{\text{visible keys}}\!\left(\frac{Q K^\top}
# {\sqrt{d_k}}\right), \qquad \text{output} = \text{weights} \cdot V$$
#
# **By hand.** $d_k = 4$, so scores are halved. The query is (2, 0, 0, 0); the third key is hidden:
#
# | | key 1 | key 2 | key 3, hidden | output |
# |---|---|---|---|---|
# | key | (1, 0, 0, 0) | (0, 1, 0, 0) | (3, 0, 0, 0) | |
# | value | 10 | 20 | 1000 | |
# | score | 2 / 2 = 1 | 0 | 6 / 2 = 3 | |
# | exponential | 2.718 | 1 | does not count | |
# | **weight** | 2.718 / 3.718 = **.731** | **.269** | **0** | **12.69** |
# | *mask forgotten* | .114 | .042 | .844 | 845.8 |
# | *weight set to 0 too late* | .114 | .042 | 0 | 1.98 |
#
# In the last row the softmax had already given .844 away when the mask came, and the rest no longer
# sums to 1. The mask belongs *before* the softmax: a score of −∞ has the exponential 0.
#
# **Where people trip**
# - **Large scores.** `np.exp(10000)` is infinite, and infinity divided by infinity is NaN. Adding a
#   constant to all scores of a query changes no weight, so subtract the largest one first.
# - **A query that may look at nothing.** Its row is 0 / 0 = NaN, and the NaN spreads through all
#   that follows. Here it is an error: raise `ValueError` before you compute.
# - `visible` may be (B, 1, 1, n_k) where the scores are (B, H, n_q, n_k): let it broadcast.
# - Swap two axes, not all of them: `.T` on an array of four axes turns the batch round as well.
# - `scores` is yours, `query` is not: `query /= …` would change the caller's array.
#
# <details><summary>Hint 1: the order of the steps</summary>
#
# Refuse, compare, scale, hide, softmax, mix. Each is one line. Along which axis does the softmax
# run, if every *query* shares out a total of 1?
#
# </details>
#
# <details><summary>Hint 2: the functions</summary>
#
# `key.swapaxes(-2, -1)` for the product; `np.where(condition, a, b)` picks from two arrays, or from
# an array and a number, and broadcasts. Reductions (`max`, `sum`) take `axis` and `keepdims`, and
# with `keepdims=True` what they return still lines up with what went in. A row of `visible`
# without a single True is found with `any` along the last axis.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - if not every row of `visible` has some True along its last axis: raise `ValueError`
# - scores: query times transposed keys, divided by the root of the query's last size
# - put −infinity wherever `visible` is false
# - subtract each row's maximum, take exponentials, divide by each row's sum
# - return the product of weights and value, and the weights
#
# </details>

# %% question="numpy_attention"

# %% [markdown]
# The example above with your function, and then one set of scores under four masks. Empty boxes are
# exact zeros. Every row sums to 1 whatever is hidden, so those that may look at little look at it
# hard.

# %% tags=["otter_ignore"]
query = np.array([[2.0, 0.0, 0.0, 0.0]])
key = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0]])
value = np.array([[10.0], [20.0], [1000.0]])
output, weights = numpy_attention(query, key, value, np.array([[True, True, False]]))
print("by hand .731, .269, 0 and 12.69; yours", weights.round(3).tolist(), output.round(2).tolist())

dice = np.random.default_rng(3)
query, key = dice.normal(size=(2, 4, 8))
no_padding, causal = np.arange(4) < 3, np.tri(4, dtype=bool)
masks = {
    "everything visible": np.ones((4, 4), dtype=bool),
    "last key is padding": np.broadcast_to(no_padding, (4, 4)),
    "causal": causal,
    "causal and padding": causal & no_padding,
}
seen = {name: numpy_attention(query, key, key, mask)[1] for name, mask in masks.items()}
figure, panels = plt.subplots(1, 4, figsize=(10.4, 3.0), sharey=True)
for axes, (name, weights) in zip(panels, seen.items()):
    heat_map(axes, weights, range(4), range(4), name)
    axes.set_xlabel("key")
panels[0].set_ylabel("query")
plt.show()

# %% [markdown]
# ### 4b · Layer normalisation (4 points)
#
# *about 5 min · ●○○○*
#
# Vectors that are added to, layer after layer, drift in size. Layer normalisation brings each of
# them back to mean 0 and variance 1, by itself, without a look at its neighbours or at the batch.
# Then it stretches and shifts every entry by numbers that are learned, the **gain** and the
# **bias**.
#
# **By hand**, for (2, 4, 4, 6), gain (1, 1, 1, 2), bias (0, 0, 0, 1):
#
# | | | | | | |
# |---|---|---|---|---|---|
# | mean 4, so centred | −2 | 0 | 0 | 2 | |
# | variance | | | | | (4 + 0 + 0 + 4) / 4 = 2 |
# | divided by √(2 + .00001) | −1.4142 | 0 | 0 | 1.4142 | |
# | times gain, plus bias | −1.4142 | 0 | 0 | **3.8284** | |
#
# **Where people trip**
# - The variance divides by D, here 4. Dividing by D − 1 gives 2.667 and −1.2247.
# - The tiny number goes under the root, not after it. It keeps a constant vector from becoming
#   0 / 0.
# - The mean is that of one vector. Over a whole batch it would let one sequence change another.
#
# <details><summary>Hint 1: one axis</summary>
#
# Whatever the shape of x, only the last axis is ever averaged over. What must the averages look
# like, so that they can be subtracted from x?
#
# </details>
#
# <details><summary>Hint 2: keep the axis</summary>
#
# `x.mean(axis=-1, keepdims=True)` has a last axis of size 1, and broadcasts. NumPy's `var` divides
# by D unless it is told otherwise. (torch's does not; here it does not matter.)
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# Subtract the mean; divide by the root of (variance plus 1e-5); multiply by gain; add bias. Do not
# write into x.
#
# </details>

# %% question="numpy_layer_norm"

# %% [markdown]
# Three vectors of very different size and offset, before and after (gain 1, bias 0). On the left
# the flat one can hardly be told from a constant; on the right all three have the same spread. The
# *shape* of each has survived, its size has not.

# %% tags=["otter_ignore"]
by_hand = numpy_layer_norm(
    np.array([2.0, 4.0, 4.0, 6.0]), np.array([1.0, 1.0, 1.0, 2.0]), np.array([0.0, 0.0, 0.0, 1.0])
)
print("by hand -1.4142 0 0 3.8284; yours", by_hand.round(4).tolist())

drawn_vectors = np.random.default_rng(1).normal(size=(3, 12))
before = drawn_vectors * np.array([[8.0], [2.0], [0.1]]) + np.array([[6.0], [-3.0], [-8.0]])
after = numpy_layer_norm(before, np.ones(12), np.zeros(12))
figure, panels = plt.subplots(1, 2, figsize=(8.6, 2.8))
for axes, vectors, title in zip(panels, (before, after), ("before", "after")):
    looks = zip(vectors, (BLUE, ORANGE, GREEN), ("o-", "s--", "^:"), "ABC")
    for vector, colour, line, name in looks:
        axes.plot(vector, line, color=colour, lw=1.4, ms=4, label=f"vector {name}")
    axes.set(title=title, xlabel="entry", ylabel="value")
panels[0].legend(fontsize=8)
plt.show()

# %% [markdown]
# ### 4c · The block (6 points)
#
# *about 25 min · ●●●○*
#
# A block has two sublayers. First every vector gathers from the others (attention), then every
# vector is worked on by itself (feed-forward). Neither replaces what it gets. Both read a
# *normalised* copy, and add what they find to the original:
#
# $$y = x + \text{Attention}(\text{Norm}_1(x)), \qquad
# \text{result} = y + \text{FeedForward}(\text{Norm}_2(y))$$
#
# So there is one stream of vectors that runs straight through, and sublayers that add notes to it.
#
# **By hand, the shapes**, for B = 2, S = 3, D = 8, H = 2, inner = 16:
#
# | step | shape |
# |---|---|
# | x, and the normalised x | (2, 3, 8) |
# | query, key, value: each a linear layer of the *normalised* x | (2, 3, 8) |
# | the columns shared out among the heads, heads moved forward | (2, **2**, 3, **4**) |
# | weights of attention | (2, 2, 3, 3) |
# | mixed values | (2, 2, 3, 4) |
# | heads side by side again; the layer `attention.output`; plus x | (2, 3, 8) |
# | first layer of the feed-forward network, ReLU | (2, 3, **16**) |
# | second layer; plus y | (2, 3, 8) |
#
# **By hand, the heads.** Two positions a and b, D = 4, H = 2. After the projection they are
# (1, 2, 3, 4) and (5, 6, 7, 8):
#
# | | head 0 | head 1 |
# |---|---|---|
# | right: each head gets its *columns* of all positions | a: (1, 2), b: (5, 6) | a: (3, 4), b: (7, 8) |
# | wrong: reshaped straight to (H, S, D/H) | a: (1, 2), a: (3, 4) | b: (5, 6), b: (7, 8) |
#
# The wrong one has the right shape, raises nothing, and trains after a fashion.
#
# **Where people trip**
# - `nn.Linear` stores its weight as (out, in): the layer computes x Wᵀ + b. With square matrices
#   the missing transpose goes unnoticed.
# - What is added at the end of a sublayer is the stream, not its normalised copy.
# - The second sublayer reads y, which has the attention in it.
# - On the way back the heads' axis moves behind the positions *before* the last two axes are
#   joined.
# - `visible` is that of question 3; hand it on as it is.
#
# <details><summary>Hint 1: three little helpers</summary>
#
# Three things are done again and again: a linear layer by name, a norm by name, and splitting into
# heads. With these as inner functions the block itself is five lines.
#
# </details>
#
# <details><summary>Hint 2: into heads and back</summary>
#
# Into heads: (B, S, D) → (B, S, H, D/H), which only cuts the last axis, → swap axes 1 and 2. Back:
# swap axes 1 and 2 again, then reshape to (B, S, D). The keys of `weights` follow a pattern, a name
# and then `.weight` or `.bias`, so one helper with an f-string reads all of them.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - normed: layer norm of x, with gain and bias of `attention_norm`
# - query, key, value: the three linear layers of normed, each split into heads
# - mixed: the first part of what question 4a returns for these three and `visible`
# - y: x plus the layer `attention.output`, applied to the joined heads
# - normed again, this time y, with `feed_forward_norm`
# - inner: the layer `feed_forward.0`, negative numbers replaced by 0 (`np.maximum`)
# - return y plus the layer `feed_forward.2` of inner
#
# </details>

# %% question="numpy_encoder_block"

# %% [markdown]
# Whether it is right will show after 5b, where torch computes the same thing its own way.

# %% [markdown]
# ---
# ## 5 · The model in torch (20 points in four parts)
#
# The same arithmetic again, now with parameters that can learn, and with the decoder. Each
# `__init__` is given. Your methods must use the layers that it makes, under the names that it
# gives them.
#
# One part comes for free. Attention does not know in which order its keys stand, so a vector that
# depends on the place is added to each embedding: sines and cosines of the place, fast ones in the
# first columns, slow ones in the last.

# %% given="positions"

# %% [markdown]
# Eight places of the 32 columns, dark blue +1, dark red −1. No two rows are alike, which is all
# that a model needs to tell the places apart.

# %% tags=["otter_ignore"]
figure, axes = plt.subplots(figsize=(8, 2.4))
picture = axes.imshow(positions(8, 32), cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
figure.colorbar(picture, ax=axes, ticks=[-1, 0, 1], label="value")
axes.set(xlabel="column", ylabel="place", title="A vector for each place", yticks=range(8))
axes.spines[:].set_visible(False)
plt.show()

# %% [markdown]
# ### 5a · Attention in several heads (6 points)
#
# *about 20 min · ●●●○*
#
# `forward(x, memory, visible)` serves all three attentions of the model. Queries come from `x`,
# keys and values from `memory`:
#
# | where | x | memory | visible |
# |---|---|---|---|
# | encoder | source vectors | the same | source mask (B, 1, 1, S) |
# | decoder, self-attention | target vectors | the same | target mask (B, 1, T, T) |
# | decoder, cross-attention | target vectors | the encoder's result | source mask (B, 1, 1, S) |
#
# **By hand, the shapes**, for the last row with B = 2, T = 4, S = 3, D = 8, H = 2. Queries
# (2, 4, 8) become (2, 2, 4, 4), keys and values (2, 3, 8) become (2, 2, 3, 4). Scores and weights
# are (2, 2, **4**, **3**): each of the four target positions has one weight per source token and
# head. Joined again, the output is (2, 4, 8).
#
# **Where people trip**
# - The root is that of D/H, the width in which a head compares. It is not that of D.
# - n_q and n_k differ in cross-attention. Reshaping keys with the sizes of `x` fails there, or
#   worse, works.
# - Heads are cut as in 4c: by columns, then moved forward.
# - Return the weights of *every* head, (B, H, n_q, n_k), not their mean.
# - Gradients must flow: no `.data`, no `detach`, no NumPy.
#
# <details><summary>Hint 1: you have done this</summary>
#
# It is 4a and the head-cutting of 4c, in torch. Project first, cut then; the projections are
# `self.query`, `self.key`, `self.value`, and at the very end `self.output`.
#
# </details>
#
# <details><summary>Hint 2: the torch words</summary>
#
# `unflatten(-1, (heads, -1))` cuts the last axis, `transpose(1, 2)` moves the heads forward,
# `flatten(2)` joins the last two axes again. `masked_fill(condition, number)` writes where the
# condition is true, so it wants the *hidden* keys: `~visible`. torch's own `softmax` already
# subtracts the maximum.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - query from x, key and value from memory: project, cut into heads, heads forward
# - scores: query times keys with their last two axes swapped, divided by the root of the query's
#   last size
# - hidden scores become −infinity; softmax over the last axis gives the weights
# - output: weights times values, heads moved back behind the positions, joined, `self.output`
# - return output and weights
#
# </details>

# %% question="MultiHeadAttention"

# %% [markdown]
# Four heads of an attention that has learned nothing yet, over a source of three tokens and one
# PAD. There is no rhyme or reason in the weights yet, but each row sums to 1, and the column of the
# PAD is empty, exactly, from the first moment. What a mask does is not learned.

# %% tags=["otter_ignore"]
torch.manual_seed(0)
attention = MultiHeadAttention(width=32, heads=4)
x, tokens = torch.randn(1, 4, 32), ["a", "b", "c", "PAD"]
_, weights = attention(x, x, torch.tensor([True, True, True, False])[None, None, None])

figure, panels = plt.subplots(1, 4, figsize=(10.4, 3.0), sharey=True)
for head, axes in enumerate(panels):
    heat_map(axes, weights[0, head].detach(), tokens, tokens, f"head {head}, untrained")
    axes.set_xlabel("key")
panels[0].set_ylabel("query")
plt.show()

# %% [markdown]
# ### 5b · The encoder block (4 points)
#
# *about 10 min · ●○○○*
#
# Question 4c once more, with modules: normalise, attend, add; normalise, feed forward, add. In
# self-attention `x` and `memory` are the same normalised vectors.
#
# | | reads | adds to |
# |---|---|---|
# | attention | `attention_norm` of x | x, which gives y |
# | feed-forward | `feed_forward_norm` of y | y |
#
# **Where people trip**
# - The attention returns a pair; only its first part is added.
# - Normalise once and pass the result twice. Giving the raw x as memory looks almost the same and
#   is another model.
# - `x += …` changes the caller's tensor. `x = x + …` makes a new one.
#
# <details><summary>Hint 1: count the layers</summary>
#
# `__init__` makes four: two norms, an attention, a feed-forward network. Each is used once.
#
# </details>
#
# <details><summary>Hint 2: the first line</summary>
#
# Keep the normalised x under a name of its own, because attention needs it as query source and as
# memory. Unpack the pair that comes back and forget the weights.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - normed: `attention_norm` of x; mixed: the first part of the attention of normed on normed, with
#   `visible`
# - y: x plus mixed
# - return y plus the feed-forward network of the `feed_forward_norm` of y
#
# </details>

# %% question="EncoderBlock"

# %% [markdown]
# **Two programs, one answer.** A torch block in float64 and your NumPy block with its weights. The
# largest difference should be about 1e-15, the last bit of float64. In float32 it would be some
# 1e-7. A difference of .01 is not rounding but a mistake in one of the two.

# %% tags=["otter_ignore"]
torch.manual_seed(0)
block = EncoderBlock(width=32, heads=4, inner=64).double()
arrays = {name: tensor.numpy() for name, tensor in block.state_dict().items()}
x = torch.randn(2, 3, 32, dtype=torch.float64)
visible, _ = attention_masks(torch.tensor([[4, 7, 9], [6, 0, 0]]), torch.tensor([[BOS]]))
with torch.no_grad():
    in_torch = block(x, visible).numpy()
in_numpy = numpy_encoder_block(x.numpy(), arrays, visible.numpy(), heads=4)
print(f"largest difference between torch and NumPy: {np.abs(in_torch - in_numpy).max():.0e}")

# %% [markdown]
# ### 5c · The decoder block (4 points)
#
# *about 10 min · ●●○○*
#
# Three sublayers, in this order. Each reads a normalised copy of the stream and adds to the stream:
#
# | | queries from | keys and values from | mask |
# |---|---|---|---|
# | self-attention: what have I written? | target | target | `target_visible` |
# | cross-attention: what was I told? | target | **memory** | `source_visible` |
# | feed-forward: what follows from that? | target | | |
#
# **Where people trip**
# - The memory is not normalised again. The encoder's side has done that (5d).
# - Two masks, and they are easily swapped. T is 4 and S is 3, so a swap fails here; in a model
#   whose source and target have the same length it would not.
# - The second sublayer reads what the first has added to. Three sublayers side by side, all
#   reading the x that came in, are another model.
#
# <details><summary>Hint 1: copy and extend</summary>
#
# The encoder block has two "normalise, work, add". This one has three, and the middle one has its
# memory from elsewhere.
#
# </details>
#
# <details><summary>Hint 2: which norm is whose?</summary>
#
# The names say it: `self_attention_norm`, `cross_attention_norm`, `feed_forward_norm`. In
# cross-attention only the query side goes through its norm.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - x ← x plus the self-attention of the normed x on itself, with `target_visible`
# - x ← x plus the cross-attention of the newly normed x on `memory`, with `source_visible`
# - return x plus the feed-forward network of the normed x
#
# Both attentions return pairs.
#
# </details>

# %% question="DecoderBlock"

# %% [markdown]
# ### 5d · The whole model (6 points)
#
# *about 15 min · ●●○○*
#
# The model is split in two so that `generate` can read the source once and then ask for one token
# after the other.
#
# | method | gets | does | returns |
# |---|---|---|---|
# | `encode` | source | mask, embed, encoder block, norm | memory, source_visible |
# | `decode` | prefix, memory, source_visible | mask, embed, decoder block, norm, `readout` | logits (B, T, V) |
# | `forward` | source, prefix | the first, then the second | logits |
#
# **By hand**: source `[[4, 7, 9], [6, 0, 0]]` gives a memory of shape (2, 3, 32) and a mask of
# shape (2, 1, 1, 3). With the prefix `[[1, 4], [1, 6]]` the logits are (2, 2, 12). Entry [0, 1]
# scores what comes after BOS 4, so once it is trained its largest number stands at 7.
#
# **Where people trip**
# - Since every block normalises *before* its sublayers, nobody has normalised what comes out of the
#   last one. This is what the two final norms are for.
# - `attention_masks` returns two masks, of two arguments. Encoding needs the first, decoding the
#   second.
# - The mask in `decode` is made from the *prefix*, so it has the prefix's length. Prefixes of any
#   length must work: writing starts with one token.
# - Raw logits go out. No softmax.
#
# <details><summary>Hint 1: who needs what</summary>
#
# Write `encode` first. It has everything in the table above in one row, and the next method gets
# its two results as arguments. `forward` is then two calls.
#
# </details>
#
# <details><summary>Hint 2: half a pair</summary>
#
# `attention_masks(source, source)` is a fair call if you use only the first part; the same trick
# with the prefix gives the second. `self.embed` is given, and adds the positions.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - `encode`: the source's mask; `encoder_norm` of the encoder block, which gets the embedded source
#   and the mask; return both
# - `decode`: the prefix's mask; the decoder block gets the embedded prefix, the memory, that mask,
#   and the source's mask, in this order; `decoder_norm`, then `readout`
# - `forward`: encode the source; return what decode gives for the prefix and these two
#
# </details>

# %% question="TinyTransformer"

# %% [markdown]
# What the parameters are spent on. The embedding table serves source and target, because both speak
# of the same twelve ids; two languages would get two tables.

# %% tags=["otter_ignore"]
torch.manual_seed(0)
untrained = TinyTransformer()
logits = untrained(torch.tensor([[4, 7, 9], [6, 0, 0]]), torch.tensor([[1, 4], [1, 6]]))
for name, part in untrained.named_children():
    print(f"{name:14}{sum(parameter.numel() for parameter in part.parameters()):7,}")
total = sum(parameter.numel() for parameter in untrained.parameters())
print(f"{'in total':14}{total:7,} (22,284 expected)    logits: {tuple(logits.shape)}")

# %% [markdown]
# ---
# ## 6 · The loss (8 points)
#
# *about 10 min · ●○○○*
#
# For each target token the model has a distribution over the twelve ids; what it pays is minus the
# logarithm of the probability that it gave to the right one. The loss of a batch is the mean over
# all tokens that are to be said. EOS is one of them, PAD is not.
#
# **By hand.** Two rows, targets `[4, 7, 9, 2]` and `[6, 2, 0, 0]`. Say the tokens cost:
#
# | | place 0 | place 1 | place 2 | place 3 |
# |---|---|---|---|---|
# | row 0 | .10 | .30 | .40 | .20 |
# | row 1 | 1.20 | .20 | *PAD* | *PAD* |
#
# Six tokens count, and they cost 2.40 together: the loss is 2.40 / 6 = **.40**.
#
# | mistake | gives |
# |---|---|
# | divide by all eight places | .30 |
# | mean of each row, then mean of the rows | (.25 + .70) / 2 = .475 |
# | EOS ignored as well | 2.00 / 4 = .50 |
#
# A model that knows nothing and says so gives each id 1/12, and pays ln 12 = 2.4849.
#
# **Where people trip**
# - `F.cross_entropy` takes raw logits and does the softmax itself. Apply your own first, and the
#   best that a model can get is ln(e + 11) − 1 = 1.62, however sure it is.
# - It wants the classes on the *second* axis or two axes in all: flatten B and T into one.
# - Do not rebuild it with `log(softmax(…))`: with logits of ±10,000 a probability rounds to 0, and
#   the logarithm of that is −∞.
# - Call the model once, with the source and the decoder *input*.
#
# <details><summary>Hint 1: what is thrown out</summary>
#
# Targets that are PAD must count neither above nor below the fraction line. `F.cross_entropy` has
# an argument for it. What is its default, and what do you need?
#
# </details>
#
# <details><summary>Hint 2: shapes</summary>
#
# Logits (B, T, V) and targets (B, T) go in as (B·T, V) and (B·T,). `flatten(0, 1)` joins the first
# two axes, `flatten()` joins all.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# Ask the model. Give the flattened logits and the flattened targets to the cross-entropy of torch,
# with `ignore_index` set to PAD. Its default reduction is the mean over what is left: return it.
#
# </details>

# %% question="training_loss"

# %% [markdown]
# What an untrained model pays for each token of four sequences. The number in a box comes from your
# own function: for it, all other targets are set to PAD. Crossed-out places cost nothing, and the
# loss of the batch is the mean of the boxes that are left.

# %% tags=["otter_ignore"]
torch.manual_seed(0)
untrained = TinyTransformer()
source, decoder_input, target = make_batch([[4, 7, 9], [8, 5], [6], [11, 10, 11]])
costs = torch.zeros(target.shape)
for row, place in target.nonzero().tolist():
    alone = torch.zeros_like(target)
    alone[row, place] = target[row, place]
    costs[row, place] = training_loss(untrained, source, decoder_input, alone).item()
loss = training_loss(untrained, source, decoder_input, target).item()
mean = costs.sum().item() / target.count_nonzero().item()
print(f"mean of the boxes {mean:.4f}, loss of the batch {loss:.4f}, ln 12 = {math.log(12):.4f}")

figure, axes = plt.subplots(figsize=(4.8, 3.4))
axes.imshow(costs.where(target != PAD, torch.nan), cmap="Oranges", vmin=0, vmax=6)
for row, place in itertools.product(range(4), range(4)):
    token = target[row, place].item()
    text = f"{name_of(token)}\n{costs[row, place]:.2f}" if token != PAD else "✕"
    axes.text(place, row, text, ha="center", va="center", fontsize=9)
bare(axes, [f"row {row}" for row in range(4)], range(4), "What each target costs (nats)")
axes.set_xlabel("place")
plt.show()

# %% [markdown]
# ---
# ## 7 · Writing (12 points)
#
# *about 30 min · ●●●○*
#
# Now there is no right answer to lean on. Each row starts from BOS and reads what it has written
# itself; the likeliest next token is appended, and the model is asked again. All rows of a batch go
# forward together, although they end at different times.
#
# **By hand**, sources `[5, 6, 7]` and `[8]`, with a model that copies without a flaw:
#
# | step | prefixes before | the model's best | appended | ended |
# |---|---|---|---|---|
# | 1 | BOS · BOS | 5 and 8 | 5 and 8 | |
# | 2 | BOS 5 · BOS 8 | 6 and EOS | 6 and EOS | row 1 |
# | 3 | BOS 5 6 · BOS 8 EOS | 7 and *anything* | 7 and **PAD** | row 1 |
# | 4 | BOS 5 6 7 · BOS 8 EOS PAD | EOS and *anything* | EOS and **PAD** | both: stop |
#
# The result drops BOS: `[[5, 6, 7, 2], [8, 2, 0, 0]]`. Had both rows ended after step 2, it would
# have had two columns.
#
# **Where people trip**
# - The source is encoded **once**, before the loop. It does not change.
# - `decode` gets the whole prefix and scores every position. The next token comes from the last
#   one.
# - A row that has ended gets PAD, whatever the model would like to say. A second EOS, or symbols
#   after EOS, make a right answer wrong.
# - One row's EOS must not stop the others; and when the last one has ended, the model is not asked
#   again.
# - `bos`, `eos` and `pad` are arguments. They need not be 1, 2 and 0.
# - The caller's model may be in training mode. Switch it for the time being and back at the end,
#   also if something raises in between: this is what `try … finally` is for.
# - No gradients, and `max_new_tokens=0` gives (B, 0).
#
# > **Lesson note.** `max_new_tokens` counts EOS. For three symbols it must be 4, and a model that
# > never says EOS simply runs into the limit.
#
# <details><summary>Hint 1: what to carry along</summary>
#
# Two tensors grow or change from step to step: the prefixes (B, n), and who has ended (B,). What
# does each look like before the first step? When does the loop end: name both reasons.
#
# </details>
#
# <details><summary>Hint 2: one step</summary>
#
# `decode`, last position, `argmax` over the ids: that is one token per row. `torch.where(ended,
# pad, token)` replaces the tokens of the rows that are done; `torch.cat` along axis 1 appends, once
# the tokens are a column. Afterwards update who has ended.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - remember `model.training`, switch to evaluation; in a `try`, without gradients:
#   - memory and mask: encode the source
#   - prefix: a column of `bos`, int64, one per row; ended: false for each row
#   - up to `max_new_tokens` times, and while some row has not ended:
#     - logits of the last position; token: their argmax, `pad` where the row has ended
#     - prefix: prefix and token side by side; ended: also where the token is `eos`
#   - return the prefix without its first column
# - in the `finally`: switch the model back to what it was
#
# </details>

# %% question="generate"

# %% [markdown]
# The table above as a picture, with one more row. The model is a parrot, which copies without
# having learned anything; the boxes are the prefixes that your loop hands to it, and the result.
# The row of the 8 ends first and is filled up with PAD (grey) while the others go on.


# %% tags=["otter_ignore"]
class Parrot(nn.Module):
    """Says the source and then EOS, without having learned anything; writes down who asked what."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Tensor] = []

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of what it will say as its memory."""
        print("encode was called")
        ended = F.pad(source, (0, 1), value=PAD)
        ended[ended.cumprod(dim=1) == 0] = EOS  # everything after the symbols
        return F.one_hot(ended, 12).float(), source != PAD

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        """Return the scores up to here."""
        self.asked.append(target_prefix.clone())
        return memory[:, : target_prefix.size(1)]


parrot = Parrot()
said = generate(parrot, make_batch([[5, 6, 7], [8], [9, 4]])[0])
print("the result:", said.tolist())

figure, panels = plt.subplots(
    1, 5, figsize=(10.4, 2.5), width_ratios=[1.1, 2, 3, 4, 4], sharey=True
)
drawings = [*parrot.asked, said]
for step, (axes, ids) in enumerate(zip(panels, drawings), 1):
    draw_tokens(axes, ids, f"step {step}" if step < len(drawings) else "result")
    axes.set_xlabel("place")
figure.suptitle("What decode gets at each step, and what comes out", fontsize=10)
plt.show()

# %% [markdown]
# ---
# # Train it
#
# Everything is there. `train` runs the loop: 32 sequences at random, your loss, Adam with a rate of
# 1e-3, gradients clipped to a total norm of 1, and again, 800 times. `answers_of` lets the model
# write. `evaluate` returns two numbers, which answer two questions:
#
# - the **loss**: how much probability do the right tokens get, if the right ones came before?
# - the **exact match**: which share of sequences does the model write without any flaw, from
#   nothing but the source? One wrong symbol, or one too many, and the sequence does not count.
#
# `kind_of_error` looks at a single answer and says what is wrong with it.

# %% given="train"

# %% given="answers_of"

# %% given="evaluate"

# %% given="kind_of_error"


# %% tags=["otter_ignore"]
@dataclass(frozen=True)
class Run:
    """A training run: the model, the loss of each step, and what was seen of it on the way.

    Attributes:
        model: the model at the end.
        losses: the training loss of each of the 800 steps.
        steps: the steps before which it was looked at, and 800.
        held_out_losses: the loss on the held-out sequences at these steps.
        errors: how many of their 117 answers had which kind of error then.
    """

    model: TinyTransformer
    losses: list[float]
    steps: list[int]
    held_out_losses: list[float]
    errors: list[Counter]


@functools.cache  # trains once; after a change in questions 3 to 7 run all cells again
def run(kind: type[TinyTransformer], batch_maker: Callable) -> Run:
    """Train a model from seed 7, and look at it every 20 steps."""
    train_sequences, held_out = make_dataset()
    torch.manual_seed(7)
    model = kind()
    steps, held_out_losses, errors = [], [], []
    source, decoder_input, target = batch_maker(held_out)

    def look(step: int) -> None:
        """Note how the model does now."""
        with torch.no_grad():
            held_out_losses.append(training_loss(model, source, decoder_input, target).item())
        pairs = zip(target.tolist(), answers_of(model, source).tolist())
        errors.append(Counter(kind_of_error(wanted, said) for wanted, said in pairs))
        steps.append(step)

    calls = itertools.count()

    def watched(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
        """Make a batch, as `train` asks; before every 20th look at the model."""
        step = next(calls)
        if step % 20 == 0:
            look(step)
        return batch_maker(sequences)

    losses = train(model, train_sequences, watched)
    look(len(losses))
    return Run(model, losses, steps, held_out_losses, errors)


# %% [markdown]
# Expect a few seconds, a held-out loss between .003 and .025, and 114 to 117 of 117 sequences
# exactly right; which of these depends on the seed, and a little on your version of torch. Listed
# are the first four and all that went wrong. Often these are among the shortest: remember that
# training had five sources of a single symbol.

# %% tags=["otter_ignore"]
copying = run(TinyTransformer, make_batch)
loss, exact = evaluate(copying.model, make_dataset()[1], make_batch)
print(f"held out: loss {loss:.4f}, exact match {exact:.4f} = {round(117 * exact)} of 117")

source, _, target = make_batch(make_dataset()[1])
said = answers_of(copying.model, source)
print("\nsource      written")
flawed = (said != target).any(dim=1).nonzero().flatten().tolist()
for number in [0, 1, 2, 3, *flawed]:
    fault = kind_of_error(target[number].tolist(), said[number].tolist())
    shown = "right" if fault == "none" else f"wrong: {fault}"
    print(f"{spoken(source[number].tolist()):12}{spoken(said[number].tolist()):14}{shown}")

# %% [markdown]
# **Two scales.** The left panel has the loss on a logarithmic axis, the right one the exact match,
# over the same steps. After 50 steps the loss has come down from 2.8 to about 1.5, which looks like
# half of the work; yet not one sequence in ten is right, for every single token must be. Between
# steps 60 and 150 nearly everything falls into place. From then on the exact match hardly moves,
# while the loss goes on falling to a tenth of what it was: the model only becomes surer of what it
# already says.

# %% tags=["otter_ignore"]
copying = run(TinyTransformer, make_batch)
exact = [100 * errors["none"] / errors.total() for errors in copying.errors]

figure, (left, right) = plt.subplots(1, 2, figsize=(9.4, 3.2))
left.plot(copying.losses, color="#A8A8A8", lw=0.8, label="training, each step")
left.plot(copying.steps, copying.held_out_losses, color=BLUE, label="held out")
left.axhline(math.log(12), color=GREY, ls=":", lw=1.2)
left.text(800, 1.15 * math.log(12), "ln 12: knows nothing", color=GREY, fontsize=8, ha="right")
left.set(yscale="log", xlabel="step", ylabel="loss (nats)", ylim=(0.001, 6), title="Loss")
left.legend(fontsize=8, loc="lower left")
right.plot(copying.steps, exact, color=BLUE)
right.set(xlabel="step", ylabel="held-out sequences (%)", ylim=(0, 103), title="Exact match")
for axes in (left, right):
    axes.axvspan(60, 150, color=PALE_ORANGE, zorder=0)
plt.show()

# %% [markdown]
# > **Lesson note.** It is often said that loss under teacher forcing flatters a model, because at
# > inference it stumbles over its own mistakes. For *whole sequences* there is nothing to flatter:
# > as long as every token is right, the model reads its own words and the true ones, and they are
# > the same. So the share of sequences right under teacher forcing equals the exact match when it
# > writes alone. What differs is the share of *tokens*, since a mistake drags others with it. All
# > of this holds **as long as the model cannot see the future**. Keep that in mind.

# %% [markdown]
# ## Where it looks
#
# The weights of all attentions for one held-out sequence, by head. Rows are queries, columns are
# keys, empty boxes are exact zeros.
#
# - **Encoder** (top): every source token may look at every other.
# - **Decoder, self-attention** (middle): the staircase of the causal mask. The row of BOS has no
#   choice.
# - **Cross-attention** (bottom): how the source is read. At BOS the model must say the first
#   symbol, at the first symbol the second, and so on, so copying shows as a diagonal. The last row
#   has no symbol left to fetch.
#
# Do not expect tidy diagonals in every head. In this run the second row of the cross-attention is
# split between the symbol that was just said and the one to be said, and yet the answer is right:
# what was just said is known to the decoder, and the layers that follow can tell the two apart.
# Weights show where information comes from, not what is made of it.


# %% tags=["otter_ignore"]
ATTENTIONS = {
    "encoder.attention": "encoder",
    "decoder.self_attention": "decoder, self",
    "decoder.cross_attention": "decoder, cross",
}


def weights_of(model: TinyTransformer, source: Tensor, target_prefix: Tensor) -> dict[str, Tensor]:
    """Return what each attention of the model attends to: name to weights (B, H, n_q, n_k)."""
    found: dict[str, Tensor] = {}
    hooks = [
        model.get_submodule(name).register_forward_hook(
            lambda _, __, result, name=name: found.update({name: result[1].detach()})
        )
        for name in ATTENTIONS
    ]
    try:
        model(source, target_prefix)
    finally:
        for hook in hooks:
            hook.remove()
    return found


# %% tags=["otter_ignore"]
source, decoder_input, _ = make_batch([[9, 11, 7]])
found = weights_of(run(TinyTransformer, make_batch).model, source, decoder_input)
read, written = ([name_of(token) for token in ids[0].tolist()] for ids in (source, decoder_input))
labels = [(read, read), (written, written), (written, read)]

figure, panels = plt.subplots(3, 4, figsize=(9.4, 7.6), height_ratios=[3, 4, 4])
for line, (name, title), (rows, columns) in zip(panels, ATTENTIONS.items(), labels):
    for head, axes in enumerate(line):
        heat_map(axes, found[name][0, head], rows, columns, f"{title}, head {head}")
        axes.title.set_fontsize(9)
plt.show()

# %% [markdown]
# ---
# ## 8 · Tests of the mechanism (16 points in four parts)
#
# You have a score of about 115 in 117. Does that show that the causal mask works? That padding is
# invisible? It shows neither. A score says how often the outcome was right, not whether it came
# about in the way that you meant.
#
# **What a property test is.** The tests that one usually writes know an input and its output:
# `make_batch([[6]])` must give this and that. For the logits of a Transformer nobody knows the
# right numbers. But one knows how *two* outputs must be related:
#
# > If I change the target from place 3 on, the logits at the places 0, 1 and 2 stay what they were.
#
# That is a **property**: a sentence about every input, true of every right model, whatever its
# weights are. A test of it draws inputs, changes what must not matter, and compares. It needs no
# right answer, and works for a model that has learned nothing yet. There are four:
#
# | | changes | and this must stay |
# |---|---|---|
# | 8a | target tokens that come later | the logits at earlier places |
# | 8b | how many PADs follow the source | all logits |
# | 8c | how much of the target is handed over | the logits of what is handed over |
# | 8d | keys and values that are hidden | weights and output |
#
# **How they are graded.** Each of your tests is run on many models. For a **right** one it must
# return None; right models have other widths and numbers of heads, other seeds, are untrained,
# half-trained or fully trained, or are built quite differently from yours. For a **broken** one it
# must raise `AssertionError`. Each of these has one fault that breaks the property, such as:
#
# - no mask at all, or a mask that is one place too wide;
# - the same, but in a single head, or only in the second half of the target, or in some rows only;
# - padding that stays visible in one place of the model;
# - positions that are shifted, or counted from the wrong end;
# - rows of a batch that mix;
# - something that is remembered from one call and spoils the next.
#
# There are points only for telling them apart. A test that raises on everything catches all broken
# models and is worth nothing; so is one that always passes. A model may also have a fault that your
# property does not speak of. Then it must pass: 8a is no judge of padding.
#
# **Behaviour is all you get.** `model` is a function from (source, target_prefix) to logits. It
# runs elsewhere, and you see what it returns. It has no `decoder` and no weights that you could
# look at, and this is as it should be: a test that looks inside asks "is it built like mine?", one
# that looks at behaviour asks "is it right?".
#
# **Noise is no fault.** float32 has seven digits, and a sum in another order differs in the last
# ones. Right models may differ by up to **2e-5** from call to call; the faults are subtle ones, but
# the logits move by some thousandths. So your tolerance must lie between. `torch.equal` refuses
# right models, a tolerance of .01 lets broken ones through.
#
# **What makes a test sharp.** One input seldom suffices: a fault in the second half is invisible
# in the first half, one in row 3 needs four rows. For everything in the property that says "every",
# there is a loop or a draw in the test. Take several batches of several rows, short and long, with
# EOS and PADs in them.
#
# The message matters too. Whoever reads `assert False` knows nothing; "tokens after place 2 change
# the logits at place 1" is half of the repair.

# %% [markdown]
# ### Something to try them on
#
# To see whether a test tells right from broken you need some of both. Two classes are given: the
# same model without its causal mask.

# %% given="PeekingDecoderBlock"

# %% given="PeekingTransformer"

# %% [markdown]
# A model is any function, so faults can also be put *around* a right model, in a line each. Below
# are five models that deserve to pass all three tests, and three that do not: `+` means that the
# test should pass, `-` that it should raise. They are a beginning. Add some of your own from the
# list above; the more of them your tests tell apart, the more of the hidden ones they will.


# %% tags=["otter_ignore"]
def trial_models() -> dict[str, tuple[Callable, str]]:
    """Return models by name, each with what tests 8a, 8b and 8c should say: + pass, - raise."""
    torch.manual_seed(0)
    right, wide, peeking = TinyTransformer(), TinyTransformer(12, 64, 8, 32), PeekingTransformer()

    def noisy(source: Tensor, target_prefix: Tensor) -> Tensor:
        scores = right(source, target_prefix)
        return scores + 1e-5 * (2 * torch.rand(scores.shape) - 1)

    return {
        "your model": (right, "+++"),
        "wider, with eight heads": (wide, "+++"),
        "with a little noise": (noisy, "+++"),
        "all logits doubled": (lambda s, t: 2 * right(s, t), "+++"),
        "says the same, always": (lambda _, t: torch.ones(*t.shape, 12), "+++"),
        "no causal mask": (peeking, "-+-"),
        "reads PAD as the symbol 3": (lambda s, t: right(s.masked_fill(s == PAD, 3), t), "+-+"),
        "multiplied by the length": (lambda s, t: t.size(1) * right(s, t), "++-"),
    }


def verdict(check: Callable, *models: Callable) -> str:
    """Run a test on a model; say whether it passed, or with what message it raised."""
    try:
        check(*models)
    except AssertionError as error:
        return f"raises: {error}"
    return "passes"


def try_out(check: Callable, number: int) -> None:
    """Print what a test says of each model, and whether it should; number 0 is 8a, 1 is 8b …"""
    for name, (model, expected) in trial_models().items():
        said = verdict(check, model)
        fine = said.startswith("passes") == (expected[number] == "+")
        print(f"{'ok   ' if fine else 'WRONG'} {name:27} {said}")


# %% [markdown]
# ### 8a · Nobody sees the future (4 points)
#
# *about 25 min · ●●●○*
#
# **By hand.** The target so far is `[BOS, 4, 7, 9]`; t = 1. Whatever comes after place 1 may be
# exchanged:
#
# | | place 0 | place 1 | place 2 | place 3 |
# |---|---|---|---|---|
# | first call | BOS | 4 | 7 | 9 |
# | second call | BOS | 4 | **11** | **5** |
# | logits | must agree | must agree | may differ | may differ |
#
# The same for t = 0 and t = 2. For t = 3 there is nothing to exchange.
#
# **Where people trip**
# - A mask that is one place too wide shows only in the token *right after* t. If that one stays as
#   it is, so do the logits.
# - Another row is not a safe place either: what comes later there must not matter here.
# - Change the later tokens to *different* ones, or nothing is tested. To PAD is a change as well.
# - A model might write into the tensor that you hand over. `clone` is cheap.
# - NaN compares as false with everything: `difference > limit` never fires on it. Ask whether all
#   differences are *within* the limit.
#
# <details><summary>Hint 1: one property, three loops</summary>
#
# The property speaks of every batch, every t, every change. Write the innermost line first: two
# tensors of logits, and which part of them you compare. Then put the loops around it.
#
# </details>
#
# <details><summary>Hint 2: which inputs</summary>
#
# Draw targets with `torch.randint` from a generator with a fixed seed: a test that fails only
# sometimes is a nuisance. Let T go well beyond 4, give some rows an early EOS and PADs, and let
# sources differ in length. For each t try at least two changes: all later tokens at once, and the
# next one alone.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - two or three batches, at least two of them of the same shape; ask the model about *all* of them
#   first, and keep copies of the answers (a model with a memory gives itself away)
# - for each batch, for each t but the last, for each way to change what comes after t:
#   - a copy of the target, changed there only
#   - ask again; compare the logits of places 0 … t, all rows, with those that you kept
#   - if any difference is not at most 1e-4: raise `AssertionError` with t in the message
#
# </details>

# %% question="check_future_tokens"

# %% tags=["otter_ignore"]
try_out(check_future_tokens, 0)

# %% [markdown]
# ### 8b · Padding makes no difference (4 points)
#
# *about 15 min · ●●●○*
#
# A source of one symbol is the same source in a tensor one, three or eight places wide, alone or
# beside others.
#
# **By hand.** All of these must give row 0 the same logits, whatever the target is:
#
# | source | why it is the same |
# |---|---|
# | `[[6]]` | alone, no PAD |
# | `[[6, 0, 0]]` | as `make_batch` lays it out |
# | `[[6, 0, 0, 0, 0, 0]]` | more PADs than anybody needs |
# | `[[6, 0, 0], [4, 7, 9]]` | in company |
#
# **Where people trip**
# - Padding must be ignored in *two* attentions, the encoder's and the cross-attention. A fault in
#   only one of them is small. Compare logits, not the tokens that win.
# - If you only ever *add* PADs to a batch that has some already, a model that treats the first PAD
#   wrongly is wrong in both calls, and they agree. Take some away as well.
# - Here *all* target places must agree, and in every row.
#
# <details><summary>Hint 1: more and less</summary>
#
# There are two directions: the whole batch with PADs added on the right, and each row by itself
# with all its PADs cut off. What is each compared with?
#
# </details>
#
# <details><summary>Hint 2: the tools</summary>
#
# `F.pad(source, (0, n), value=PAD)` adds n columns on the right. The length of each row is the
# number of entries that are not PAD. `source[i : i + 1, :length]` is a batch of one; do not forget
# to give it its own row of the target.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - batches as in 8a, with sources of all lengths; ask about all of them first and keep the answers
# - for each batch:
#   - for some numbers of columns, one and several: the padded source, the same target; compare with
#     what you kept
#   - for each row: that row without its PADs, and its target; compare with that row of what you
#     kept
# - tolerance and message as in 8a
#
# </details>

# %% question="check_source_padding"

# %% tags=["otter_ignore"]
try_out(check_source_padding, 1)

# %% [markdown]
# ### 8c · Writing is reading along (4 points)
#
# *about 15 min · ●●●○*
#
# In training the decoder sees the whole target at once, in writing it sees prefixes that grow. Both
# must come to the same, or the model is trained for a situation that it will never be in.
#
# **By hand.** The full pass over `[BOS, 4, 7, 9]` has logits at four places. Then:
#
# | handed over | must equal, of the full pass |
# |---|---|
# | `[BOS]` | place 0 |
# | `[BOS, 4]` | places 0 and 1 |
# | `[BOS, 4, 7]` | places 0, 1 and 2 |
#
# Is that not 8a again? Nearly. In 8a the *length* stays. A model that counts places from the end,
# or divides something by T, has the same length in both calls and passes. Here it does not.
#
# **Where people trip**
# - Compare all n places, not only the last. In a model with one decoder layer the last place of a
#   prefix may look at everything anyway, so a missing mask does not show there.
# - Models may remember. If you always ask for prefixes in growing order, one that was built for
#   just that order looks fine.
# - Rows that have ended (EOS, PAD, PAD) are rows as well.
#
# <details><summary>Hint 1: the comparison</summary>
#
# One full pass, then one call for each n. The first n columns of the target go in; what part of the
# full pass is to come out?
#
# </details>
#
# <details><summary>Hint 2: more than growing prefixes</summary>
#
# Vary who is asked and when: the whole batch, a single row (`[i : i + 1]`), long prefixes before
# short ones, another batch in between. The full passes come first, as copies.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - batches as before; full passes of all of them, kept
# - for each n from 1 to the greatest length, for each batch: the first n columns of the target;
#   compare with the first n places of the full pass
# - again in another order, now with one row of each batch alone
# - tolerance and message as in 8a
#
# </details>

# %% question="check_prefixes"

# %% [markdown]
# All three tests on all eight models. A box says what your test did; a thick frame and an
# exclamation mark mean that it should have done the other thing. Look at the last three rows: each
# broken model is caught by one or two tests and passes the rest. There is no single test that makes
# the others superfluous.

# %% tags=["otter_ignore"]
checks = {
    "8a future": check_future_tokens,
    "8b padding": check_source_padding,
    "8c prefixes": check_prefixes,
}
models = trial_models()
table = [[verdict(check, model)[:6] for check in checks.values()] for model, _ in models.values()]

figure, axes = plt.subplots(figsize=(6.4, 4.4))
for row, (said, (_, expected)) in enumerate(zip(table, models.values())):
    for column, (word, sign) in enumerate(zip(said, expected)):
        wrong = (word == "passes") != (sign == "+")
        style = {"edgecolor": "black", "lw": 3, "zorder": 3} if wrong else {"edgecolor": "white"}
        colour = PALE_BLUE if word == "passes" else "#F2C56B"
        box = (column - 0.46, row - 0.42)
        axes.add_patch(plt.Rectangle(box, 0.92, 0.84, facecolor=colour, **style))
        text = f"{word} !" if wrong else word
        axes.text(column, row, text, ha="center", va="center", fontsize=9, zorder=4)
bare(axes, models, checks, "What your tests say of eight models")
axes.set(xlim=(-0.55, 2.55), ylim=(len(models) - 0.5, -0.5))
axes.xaxis.tick_top()
plt.show()

# %% [markdown]
# **A fault that no score can see.** Take the trained model and remove the causal mask *after*
# training. The logits of the full pass change by whole units. What the model writes does not change
# at all: when it writes, only the last place counts, and that one may look at everything before it
# with or without a mask. With one decoder layer the exact match cannot tell the two apart. Your
# tests compare all places, so they can.

# %% tags=["otter_ignore"]
right = run(TinyTransformer, make_batch).model
unmasked = PeekingTransformer()
unmasked.load_state_dict(right.state_dict())
source, decoder_input, _ = make_batch(make_dataset()[1])
same = (answers_of(right, source) == answers_of(unmasked, source)).all(dim=1).sum().item()
with torch.no_grad():
    moved = (right(source, decoder_input) - unmasked(source, decoder_input)).abs().max().item()
print(f"{same} of 117 answers are the same; logits differ by up to {moved:.1f}")
print("check_future_tokens:", verdict(check_future_tokens, unmasked))

# %% [markdown]
# ### 8d · Hidden is hidden (4 points)
#
# *about 25 min · ●●●●*
#
# The last test goes one level down, to a single attention. It gets a function
# (query, key, value, visible) → (output, weights), and tests three things for each query: hidden
# keys weigh exactly 0; the weights are a distribution; and what stands in a hidden key or value is
# of no consequence.
#
# **By hand**, with the example of 4a, where key 3 is hidden:
#
# | what comes back | verdict |
# |---|---|
# | weights (.731, .269, 0), output 12.69 | fine |
# | weights (.7305, .2685, .001), output 13.68 | a hidden weight is not 0 |
# | weights (.114, .042, 0), output 1.98 | they do not sum to 1 |
# | weights (.731, .269, 0), output 1012.69 | fine weights, and yet the hidden value got through |
#
# For the last one no look at the weights will do: change the hidden value and see whether the
# output moves.
#
# **Where people trip**
# - `visible` comes as (B, 1, 1, n_k) or (B, 1, n_q, n_k); the weights are (B, H, n_q, n_k). Bring
#   it to their shape before you use it as an index.
# - In a causal mask the same key is hidden from one query and visible to another. If you change it,
#   the output of the second *may* move. Compare only the queries from which it is hidden.
# - The answer may be NumPy or torch, float64 or float32. `torch.as_tensor` takes all of these.
# - "Exactly 0" has no tolerance; sums and outputs have 1e-5.
# - You hand arrays over, and somebody may write into them. Pass copies.
#
# <details><summary>Hint 1: three small tests</summary>
#
# Two of the three things can be seen in one answer. Only the third needs a second call. Write the
# first two as a helper that gets weights and mask.
#
# </details>
#
# <details><summary>Hint 2: masks and changes</summary>
#
# Try padding masks, causal masks, both at once, and some at random with at least one True in every
# row. For the third part: for each key j, copies of key and value in which number j is very
# different; the queries to compare are those where `visible`, stretched to the shape of the
# weights, is false at j.
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# - several cases of (query, key, value, visible), float64, d_v other than d_k; the answers to all
#   of them first, as tensors, kept
# - for each case:
#   - weights where hidden: all equal to 0; all weights: none below 0; sums over the last axis
#     within 1e-5 of 1
#   - for each key j: ask with number j of key and value changed; over the queries from which j is
#     hidden, neither output nor weights may move by more than 1e-5
# - else raise `AssertionError`, and say which of the three it was
#
# </details>

# %% question="check_masked_weights"


# %% tags=["otter_ignore"]
def in_float32(*arrays: np.ndarray) -> tuple[Tensor, Tensor]:
    """Return the right answer, rounded to float32 and as torch tensors: as good as any other."""
    return tuple(torch.tensor(part, dtype=torch.float32) for part in numpy_attention(*arrays))


def a_thousandth_leaks(query, key, value, visible):
    """Give hidden keys a thousandth of what they would get without a mask."""
    right, wrong = (
        numpy_attention(query, key, value, mask)[1] for mask in (visible, np.ones_like(visible))
    )
    weights = 0.999 * right + 0.001 * wrong
    return weights @ value, weights


def masks_too_late(query, key, value, visible):
    """Set hidden weights to 0 after the softmax has shared everything out."""
    weights = numpy_attention(query, key, value, np.ones_like(visible))[1] * visible
    return weights @ value, weights


def past_the_weights(query, key, value, visible):
    """Return the right weights, and an output in which there is a little of every value."""
    output, weights = numpy_attention(query, key, value, visible)
    return output + 0.01 * value.mean(axis=-2, keepdims=True), weights


for attention, expected in (
    (numpy_attention, "passes"),
    (in_float32, "passes"),
    (a_thousandth_leaks, "raises"),
    (masks_too_late, "raises"),
    (past_the_weights, "raises"),
):
    said = verdict(check_masked_weights, attention)
    print("ok   " if said.startswith(expected) else "WRONG", f"{attention.__name__:19}", said)

# %% [markdown]
# ---
# ## 9 · Backwards (6 points)
#
# *about 10 min · ●○○○*
#
# The machine does not know that it is a copying machine. Only the targets said so. Give it others,
# and the same model, the same loss and the same loop learn to say a sequence from back to front.
#
# **By hand**, for `[8, 5]`; beside it what the copy would be:
#
# | | backwards | copy |
# |---|---|---|
# | source | 8 5 PAD | 8 5 PAD |
# | decoder input | BOS **5 8** PAD | BOS 8 5 PAD |
# | target | **5 8** EOS PAD | 8 5 EOS PAD |
#
# **Where people trip**
# - Turn the *symbols* round, not the row. A row that is turned round has its PADs in front, or
#   begins with EOS.
# - The source stays as it is. With source and target both reversed it would be a copy again.
# - The decoder input is what the decoder will have said, so it is reversed too.
#
# <details><summary>Hint 1: what is new?</summary>
#
# One of the three tensors is the same as in question 2. The other two are what question 2 makes of
# something else.
#
# </details>
#
# <details><summary>Hint 2: reversing a list</summary>
#
# `sequence[::-1]` is a new list, and the caller's stays as it was. (`sequence.reverse()` turns the
# caller's list round.)
#
# </details>
#
# <details><summary>Hint 3: nearly the recipe</summary>
#
# Call `make_batch` twice, once with the sequences and once with all of them reversed. Return the
# source of the first and the other two of the second.
#
# </details>

# %% question="make_reverse_batch"

# %% [markdown]
# **The split stays.** What is held out are *sources*. That `[9, 7, 4]` may have been a source in
# training does not spoil `[4, 7, 9]`: the pair of this question and its answer is new. A new split
# would be a mistake, if a model that has been trained on the old one were judged by it.
#
# Train it anew, then let it write. Expect a held-out loss below .1, and again nearly all sequences,
# about 113 to 117. The last line lets the *copying* model of before answer the reversed questions.
# It scores some points, for the sequences that read the same from both ends, and the very first
# held-out sequence, 11 10 11, is one of these. A single well-chosen example proves nothing.

# %% tags=["otter_ignore"]
reversing = run(TinyTransformer, make_reverse_batch)
held_out = make_dataset()[1]
loss, exact = evaluate(reversing.model, held_out, make_reverse_batch)
print(f"held out: loss {loss:.4f}, exact match {exact:.4f} = {round(117 * exact)} of 117")

source, _, target = make_reverse_batch(held_out)
for number in (0, 1, 2, 3):
    said = answers_of(reversing.model, source)[number].tolist()
    print(f"{spoken(source[number].tolist()):10} → {spoken(said)}")
_, lucky = evaluate(run(TinyTransformer, make_batch).model, held_out, make_reverse_batch)
mirrored = sum(sequence == sequence[::-1] for sequence in held_out)
print(f"the copying model, asked to reverse: {round(117 * lucky)} of 117", end="; ")
print(f"{mirrored} read the same from both ends")

# %% [markdown]
# **Who looks where, now.** The cross-attention of both models, averaged over the heads and over all
# held-out sequences of three symbols. A row is what the decoder has read so far, a column a place
# of the source, and the frame is around the symbol that must be said next. The copying model goes
# through the source from left to right, the other one from right to left, each with some
# hesitation: after one symbol they look at it as much as at its successor. Nobody told them in
# which direction to read, and no line of the model differs.

# %% tags=["otter_ignore"]
three = [sequence for sequence in make_dataset()[1] if len(sequence) == 3]
averages = {}
for title, batch_maker in (("copy", make_batch), ("reverse", make_reverse_batch)):
    source, decoder_input, _ = batch_maker(three)
    found = weights_of(run(TinyTransformer, batch_maker).model, source, decoder_input)
    averages[title] = found["decoder.cross_attention"].mean(dim=(0, 1))

figure, panels = plt.subplots(1, 2, figsize=(7.4, 3.9), sharey=True)
places, read = ["first", "second", "third"], ["BOS", "1 symbol", "2 symbols", "3 symbols"]
for axes, (title, weights), order in zip(panels, averages.items(), ((0, 1, 2), (2, 1, 0))):
    heat_map(axes, weights, read, places, title)
    for row, column in enumerate(order):
        box = (column - 0.47, row - 0.47)
        axes.add_patch(plt.Rectangle(box, 0.94, 0.94, fill=False, edgecolor=ORANGE, lw=3))
    axes.set_xlabel("symbol of the source")
panels[0].set_ylabel("the decoder has read")
plt.show()

# %% [markdown]
# ---
# # The experiment: take the mask away
#
# One thing is left to try. `PeekingTransformer` is your model, and only the causal mask is missing
# in its decoder. Same seed, same data, same loss, same 800 steps. Is the mask worth its trouble?

# %% tags=["otter_ignore"]
held_out = make_dataset()[1]
runs = {
    "with the mask": run(TinyTransformer, make_batch),
    "without": run(PeekingTransformer, make_batch),
}
print(f"{'':16}held-out loss   exactly right")
for name, each in runs.items():
    loss, exact = evaluate(each.model, held_out, make_batch)
    print(f"{name:16}{loss:13.4f}{round(117 * exact):8} of 117")

source, _, target = make_batch(held_out)
said = answers_of(runs["without"].model, source)
for number in (0, 1, 2):
    print(f"{spoken(source[number].tolist()):10} → {said[number].tolist()}")

figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.4))
for (name, each), colour, line in zip(runs.items(), (BLUE, RED), ("-", "--")):
    exact = [100 * errors["none"] / errors.total() for errors in each.errors]
    smooth = [np.mean(each.losses[max(0, step - 20) : step + 1]) for step in range(800)]
    left.plot(smooth, color=colour, ls=line, lw=1, alpha=0.5, label=f"{name}, training")
    left.plot(each.steps, each.held_out_losses, color=colour, ls=line, label=f"{name}, held out")
    right.plot(each.steps, exact, color=colour, ls=line, label=name)
left.set(yscale="log", xlabel="step", ylabel="loss (nats)", title="The loss: better without")
left.legend(fontsize=8)
right.set(xlabel="step", ylabel="held-out sequences (%)", ylim=(-3, 103))
right.set(title="Exactly right: next to nothing without")
right.legend(fontsize=8, loc="center right")
plt.show()

# %% [markdown]
# Look at the left panel alone, as one does with the log of a training run. Without the mask the
# loss falls just as fast and ends *lower*, at about .003, on held-out sequences too. By every curve
# that one usually watches, removing the mask was an improvement.
#
# Then let it write. **Of 117 sequences it gets none right.** (Of six seeds that were tried, five
# gave 0 and one gave 1.) What it says is the same for every source: `[2, 0, 0, 0]`, an EOS and
# nothing else.
#
# **What went wrong?** Ask both models for one and the same sentence, at every length of prefix, and
# see which token they would say at each place. Below are the shares that are right, over all
# held-out sequences of three symbols. Read down a column: it is always the same place with the same
# tokens before it, and only what comes *later* grows. With the mask a column does not change; this
# is what 8c demands. Without it everything hangs on the last box of each row, where nothing comes
# later. With BOS alone it is never right; as soon as a symbol stands behind BOS it is right about
# the very same place, and the lines above the figure show that it need not even be the right
# symbol.

# %% tags=["otter_ignore"]
three = [sequence for sequence in make_dataset()[1] if len(sequence) == 3]
source, decoder_input, target = make_batch(three)
shares = {}
for title, kind in (("with the mask", TinyTransformer), ("without", PeekingTransformer)):
    model, share = run(kind, make_batch).model, np.full((4, 4), np.nan)
    for length in range(1, 5):
        with torch.no_grad():
            said = model(source, decoder_input[:, :length]).argmax(dim=-1)
        share[length - 1, :length] = (said == target[:, :length]).float().mean(dim=0)
    shares[title] = share
    with torch.no_grad():
        alone, followed = (
            model(source, torch.tensor([ids] * len(three)))[:, 0].argmax(dim=-1)
            for ids in ([BOS], [BOS, 7])
        )
    ended, right = (alone == EOS).float().mean(), (followed == target[:, 0]).float().mean()
    print(
        f"{title:13}  BOS alone: {ended:4.0%} say EOS;  BOS 7: {right:4.0%} right at the same place"
    )

read = ["BOS", "BOS + 1 symbol", "BOS + 2 symbols", "BOS + 3 symbols"]
figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.9), sharey=True)
for axes, (title, share) in zip(panels, shares.items()):
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1.2)
    for row, column in zip(*np.tril_indices(4)):
        colour = "white" if share[row, column] > 0.7 else "black"
        text = f"{share[row, column]:.0%}"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
        box = (column - 0.49, row - 0.49)
        axes.add_patch(plt.Rectangle(box, 0.98, 0.98, fill=False, edgecolor=GREY))
    bare(axes, read, ["1st", "2nd", "3rd", "EOS"], f"{title}: right")
    axes.set_xlabel("what must be said at this place")
panels[0].set_ylabel("the decoder gets")
plt.show()

# %% [markdown]
# In training there was always a simple sign for the end: *nothing follows*. A place with symbols
# behind it had to say a symbol, a place with none had to say EOS, without a single exception. A
# model that can see the future has no need to find out from the source how long the answer is. (One
# might have expected it to copy its neighbour to the right. It does not: after BOS it says what the
# source says, even with a wrong neighbour. A leak need not be a copy.) Then it writes for the first
# time, and *every* place is the last one. It sees BOS and nothing behind it, and concludes that the
# sequence is over.

# %% [markdown]
# **Fed the truth, and left alone.** The same two models, judged in two ways: which sequences are
# right at every place if the true tokens are read, and which are right if the model reads its own?
# With the mask both agree, as said above. Without it they fall apart as far as two numbers can.

# %% tags=["otter_ignore"]
source, decoder_input, target = make_batch(make_dataset()[1])
shares = {}
for title, kind in (("with the mask", TinyTransformer), ("without", PeekingTransformer)):
    model = run(kind, make_batch).model
    with torch.no_grad():
        forced = model(source, decoder_input).argmax(dim=-1).masked_fill(target == PAD, PAD)
    alone = answers_of(model, source)
    shares[title] = [(ids == target).all(dim=1).sum().item() for ids in (forced, alone)]

figure, axes = plt.subplots(figsize=(5.6, 3.0))
for number, (name, colour, hatch) in enumerate(
    (("reads the truth", ORANGE, "//"), ("reads its own words", BLUE, ""))
):
    places = [place + 0.4 * number - 0.2 for place in range(2)]
    heights = [share[number] for share in shares.values()]
    bars = axes.bar(places, heights, 0.38, color=colour, hatch=hatch, edgecolor="white", label=name)
    axes.bar_label(bars, fontsize=9, padding=2)
axes.set(xticks=range(2), xticklabels=shares, ylim=(0, 158), yticks=(0, 39, 78, 117))
axes.set(ylabel="of 117 sequences", title="Right at every place")
axes.legend(fontsize=8, loc="upper center", ncols=2)
plt.show()

# %% [markdown]
# **And now your tests.** They know neither the loss nor the score, and need no held-out data. Two
# of them object at once. The third passes, rightly: padding is hidden from this model as from any
# other, and a test should only speak of what it knows.

# %% tags=["otter_ignore"]
peeking = run(PeekingTransformer, make_batch).model
for check in (check_future_tokens, check_prefixes, check_source_padding):
    print(f"{check.__name__:21}", verdict(check, peeking))

# %% [markdown]
# They would have objected before the first step of training, too; try it with a fresh
# `PeekingTransformer()`. That is the time to run them.

# %% [markdown]
# ## Errors by kind
#
# How a model is wrong says more than how often. Here is what both models write after so many steps,
# for the 117 held-out sequences, sorted by `kind_of_error`.
#
# - **With the mask** (left) the untrained model babbles up to the limit, and after 20 steps it says
#   EOS too soon. Then it learns to go on, and most of what is wrong are wrong symbols; that it says
#   the one before it again is rare. After 200 steps the bars are nearly all blue.
# - **Without it** (right) the model starts alike, and some sequences even come out right for a
#   while. Then, *as its loss falls*, "stopped too early" swallows everything else. It does not make
#   many mistakes. It makes one, always.
#
# Had you only this picture, you would know where to look: not for a lack of training, but at who
# may see the end of the sequence.

# %% tags=["otter_ignore"]
runs = {"with the mask": TinyTransformer, "without": PeekingTransformer}
runs = {title: run(kind, make_batch) for title, kind in runs.items()}
kinds = {  # colour and pattern
    "none": (BLUE, ""),
    "wrong symbol": (ORANGE, "///"),
    "repeated symbol": ("#F0E442", "..."),
    "stopped too late": ("#CC79A7", "xxx"),
    "stopped too early": (PALE_GREY, "\\\\"),
}
moments = [0, 20, 40, 60, 80, 100, 120, 160, 200, 300, 800]

figure, panels = plt.subplots(1, 2, figsize=(10, 3.8), sharey=True)
for axes, (title, each) in zip(panels, runs.items()):
    counts = dict(zip(each.steps, each.errors))
    floor = np.zeros(len(moments))
    for kind, (colour, hatch) in kinds.items():
        heights = np.array([counts[step][kind] for step in moments])
        style = {"color": colour, "hatch": hatch, "edgecolor": "#555555", "lw": 0.4}
        label = "right" if kind == "none" else kind
        axes.bar(range(len(moments)), heights, 0.86, bottom=floor, label=label, **style)
        floor += heights
    axes.set(title=title, xlabel="after so many steps", xticks=range(len(moments)))
    axes.set_xticklabels(moments, fontsize=8)
panels[0].set(ylabel="of 117 sequences", yticks=(0, 39, 78, 117))
figure.legend(
    *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=9
)
plt.show()

# %% [markdown]
# ---
# ## Before you submit
#
# 1. Restart the kernel and run all cells. What was typed in a lucky order may not work from the
#    top. (At a question that is not answered the run stops; go on below it by hand.)
# 2. Read the docstrings once more. The hidden checks also try other sizes and numbers of heads,
#    other special ids, batches of one, rows that end at different times, inputs that must stay as
#    they were, and, for question 8, models that you have not thought of.
# 3. Save, and hand in this notebook. Pictures and training runs are not repeated in grading; only
#    the questions count.
#
# **What to take along**
#
# | idea | in one line |
# |---|---|
# | teacher forcing | the right answer as input, one place late: all places learn at once |
# | mask | a table of who may look at whom, applied before the softmax; hidden is exactly 0 |
# | pre-norm | sublayers read a normalised copy and add to a stream that nobody normalises |
# | heads | columns of one projection, each with a softmax of its own |
# | exact match | every token right, EOS among them, from the source alone |
# | loss | how sure; not whether it came about rightly |
# | property test | change what must not matter, and compare; it needs no right answer |
# | the experiment | a leak makes the loss better; only behaviour or mechanism tells |
