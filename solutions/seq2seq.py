"""Reference solutions of the homework `seq2seq`: attention, masks, loss, decoding, training.

Each public function is one question. Its signature and docstring are what the student reads in
the starter notebook; its body is what the starter leaves out. Names in docstrings: B sentences
in a batch, T positions of a sequence, V tokens in the vocabulary, d_k and d_v widths of keys and
values, n_q and n_k numbers of queries and keys. Sources: Vaswani et al. 2017 (arXiv:1706.03762)
for attention, masks and positions; Szegedy et al. 2016 (arXiv:1512.00567) for label smoothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Mix the values by how well each query matches each key: softmax(Q Kᵀ / √d_k + mask) V.

    Args:
        query: (…, n_q, d_k), any float dtype.
        key: (…, n_k, d_k).
        value: (…, n_k, d_v). d_v may differ from d_k, and n_k from n_q.
        mask: None, or numbers that are *added* to the scores and broadcast to (…, n_q, n_k): 0 lets
            a key be seen, −inf hides it, any other number makes it less or more likely. Every
            query sees at least one key.

    Returns:
        (output, weights) of shapes (…, n_q, d_v) and (…, n_q, n_k), in the dtype of the inputs.
        Each row of weights sums to 1, and a hidden key has the weight 0 exactly. Both are
        differentiable, the inputs stay as they were, and scores of ±10,000 give no NaN.

    Example:
        >>> query = torch.tensor([[2.0, 0.0]])
        >>> key = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> value = torch.tensor([[10.0], [20.0]])
        >>> output, weights = scaled_dot_product_attention(query, key, value)
        >>> [round(w, 3) for w in weights[0].tolist()], round(output.item(), 2)
        ([0.804, 0.196], 11.96)
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1).to(value.dtype)
    return weights @ value, weights


def causal_mask(size: int) -> Tensor:
    """Hide the future: position i may look at the positions 0 … i and at no later one.

    Args:
        size: the number of positions, at least 1.

    Returns:
        (size, size) float32, to be added to attention scores: 0 on and below the diagonal, −inf
        above it. A new tensor at each call, without a gradient.

    Example:
        >>> causal_mask(3)
        tensor([[0., -inf, -inf],
                [0., 0., -inf],
                [0., 0., 0.]])
    """
    return torch.full((size, size), -math.inf, dtype=torch.float32).triu(diagonal=1)


def positional_encoding(max_len: int, d_model: int) -> Tensor:
    """Give each position a vector of its own, made of sines and cosines of falling frequency.

    PE[pos, 2i] = sin(angle) and PE[pos, 2i + 1] = cos(angle); angle = pos / 10000^(2i/d_model).

    Args:
        max_len: the number of positions, counted from 0.
        d_model: the width, an even number.

    Returns:
        (max_len, d_model) float32.

    Example:
        >>> [round(x, 4) for x in positional_encoding(10, 16)[5, :4].tolist()]
        [-0.9589, 0.2837, 0.9999, -0.0103]
    """
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    angle = position / 10000.0**exponent
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).float()


def shift_targets(target: Tensor) -> tuple[Tensor, Tensor]:
    """Split target sentences into what the decoder reads and what it must predict.

    At each position the decoder reads the true token and is asked for the next one.

    Args:
        target: (B, T) int64, T at least 2. It stays as it was.

    Returns:
        (decoder_input, labels), each (B, T − 1) int64: the sentences without their last column,
        and without their first. Nothing else changes: padding and special tokens inside a row
        stay where they are. Views of `target` are fine.

    Example:
        >>> decoder_input, labels = shift_targets(torch.tensor([[10, 3, 3, 11]]))
        >>> decoder_input.tolist(), labels.tolist()
        ([[10, 3, 3]], [[3, 3, 11]])
    """
    return target[:, :-1], target[:, 1:]


def smoothed_targets(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Soften one-hot targets: take ε from the label and share it among *all* classes alike.

    Args:
        labels: (…) int64, each in 0 … V − 1.
        num_classes: V, at least 1.
        epsilon: ε, in [0, 1].

    Returns:
        (…, V) float32: 1 − ε + ε/V on the label, ε/V on each other class.

    Example:
        >>> [round(p, 4) for p in smoothed_targets(torch.tensor(1), 5).tolist()]
        [0.02, 0.92, 0.02, 0.02, 0.02]
    """
    one_hot = nn.functional.one_hot(labels, num_classes).float()
    return one_hot * (1 - epsilon) + epsilon / num_classes


def smoothed_cross_entropy(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Cross-entropy between the smoothed targets and softmax(logits), in nats.

    Args:
        logits: (…, V) raw scores, not probabilities.
        labels: (…) int64.
        epsilon: the smoothing ε of `smoothed_targets`; 0 gives plain cross-entropy.
        ignore_index: positions with this label do not count. None: every position counts. Any id
            may be ignored, 0 too, and one outside 0 … V − 1 such as −100. At least one position
            is left.

    Returns:
        0-d: the mean over the positions that count. Differentiable, finite for logits of ±10,000.

    Example:
        >>> logits, label = torch.tensor([[3.0, 1.0, 0.5, 0.2, 0.1]]), torch.tensor([0])
        >>> round(smoothed_cross_entropy(logits, label, epsilon=0.0).item(), 4)
        0.2876
        >>> round(smoothed_cross_entropy(logits, label).item(), 4)
        0.4916
    """
    if ignore_index is not None:
        kept = labels != ignore_index
        logits, labels = logits[kept], labels[kept]
    log_probabilities = torch.log_softmax(logits, dim=-1)
    targets = smoothed_targets(labels, logits.size(-1), epsilon)
    return -(targets * log_probabilities).sum(dim=-1).mean()


def greedy_decode(
    step: Callable[[list[int]], Tensor], bos: int, eos: int, max_new_tokens: int
) -> list[int]:
    """Grow one sentence by its most likely next token until EOS.

    Args:
        step: takes the whole prefix, BOS first, and returns the logits (V,) of the next token.
        bos: the token that opens the sentence.
        eos: the token that closes it.
        max_new_tokens: the most tokens that are added to BOS; EOS counts as one.

    Returns:
        The tokens: BOS first, EOS last if it came. 0 new tokens give [bos]. On a tie the lowest
        token wins. `step` is called once for each new token, and never after EOS.

    Example:
        >>> table = {10: 3, 3: 4, 4: 11}
        >>> step = lambda prefix: nn.functional.one_hot(torch.tensor(table[prefix[-1]]), 12)
        >>> greedy_decode(step, bos=10, eos=11, max_new_tokens=5)
        [10, 3, 4, 11]
    """
    tokens = [bos]
    for _ in range(max_new_tokens):
        logits = torch.as_tensor(step(list(tokens)))
        best = int((logits == logits.max()).nonzero()[0])
        tokens.append(best)
        if best == eos:
            break
    return tokens


def beam_search(
    step: Callable[[list[int]], Tensor],
    bos: int,
    eos: int,
    k: int = 2,
    max_new_tokens: int = 20,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Keep the k best hypotheses at each length, where greedy decoding keeps one.

    Each round extends every unfinished hypothesis by every token. Finished hypotheses, those that
    end in EOS, stay as they are. All of them compete on the raw sum of their log-probabilities, and
    the best k stay. It ends when all that stay are finished, or after `max_new_tokens` rounds.

    Args:
        step: takes the whole prefix, BOS first, and returns log-probabilities (V,).
        bos: the token that opens each hypothesis.
        eos: the token that finishes one.
        k: how many hypotheses stay; it may be larger than V.
        max_new_tokens: the most tokens that a hypothesis adds to BOS, EOS included.
        alpha: α of the length normalisation, used once, to rank what is left at the end.

    Returns:
        At most k pairs (tokens, score), best score first. Tokens begin with BOS and end with EOS if
        it came. score = (sum of log-probabilities) / length^α, where the length counts the
        generated tokens: EOS, but not BOS. 0 new tokens give [([bos], 0.0)]. Hypotheses of
        probability 0 (−inf) are dropped.

    Example:
        >>> first = torch.tensor([0.05, 0.10, 0.15, 0.45, 0.25]).log()
        >>> after = {3: torch.tensor([0.02, 0.03, 0.10, 0.15, 0.70]).log(),
        ...          4: torch.tensor([0.05, 0.05, 0.20, 0.40, 0.30]).log()}
        >>> step = lambda prefix: first if len(prefix) == 1 else after[prefix[-1]]
        >>> for tokens, score in beam_search(step, bos=9, eos=8, k=2, max_new_tokens=2):
        ...     print(tokens, round(score, 3))
        [9, 3, 4] -1.155
        [9, 4, 3] -2.303
    """
    beam = [([bos], 0.0)]
    for _ in range(max_new_tokens):
        unfinished = [(tokens, total) for tokens, total in beam if tokens[-1] != eos]
        if not unfinished:
            break
        finished = [(tokens, total) for tokens, total in beam if tokens[-1] == eos]
        extended = [
            ([*tokens, token], total + log_probability)
            for tokens, total in unfinished
            for token, log_probability in enumerate(torch.as_tensor(step(list(tokens))).tolist())
            if log_probability > -math.inf
        ]
        beam = sorted(finished + extended, key=lambda hypothesis: -hypothesis[1])[:k]
    ranked = [(tokens, total / max(len(tokens) - 1, 1) ** alpha) for tokens, total in beam]
    return sorted(ranked, key=lambda hypothesis: -hypothesis[1])


class ToySeq2Seq(nn.Module):
    """The lesson's toy model of 6,220 parameters: a digit goes in, and comes out twice, then EOS.

    It has no positional encoding, so it cannot tell a sentence from its words in another order.
    """

    def __init__(self, vocabulary: int = 12, d_model: int = 16, dropout: float = 0.1) -> None:
        super().__init__()
        self.source_embedding = nn.Embedding(vocabulary, d_model)
        self.target_embedding = nn.Embedding(vocabulary, d_model)
        self.transformer = nn.Transformer(
            d_model, 2, 1, 1, dim_feedforward=32, dropout=dropout, batch_first=True
        )
        self.projection = nn.Linear(d_model, vocabulary)

    def forward(self, source: Tensor, decoder_input: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return logits (B, T, V) for source (B, S), decoder_input (B, T) and mask (T, T)."""
        hidden = self.transformer(
            self.source_embedding(source), self.target_embedding(decoder_input), tgt_mask=mask
        )
        logits: Tensor = self.projection(hidden)
        return logits


def train_step(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Make one teacher-forced update and return the loss that the model had before it.

    Args:
        model: called as model(source, decoder_input, mask), returns logits (B, T, V). It is put
            into training mode.
        optimizer: holds the parameters of the model; gradients left from before must not count.
        source: (B, S) int64.
        target: (B, T + 1) int64, whole sentences with BOS; `shift_targets` makes the decoder's
            input and the labels of it, each (B, T).
        pad: labels of this id do not count. None: all count. 0 is an id like any other.

    Returns:
        The mean cross-entropy (no smoothing) over the labels that count, as a Python float.

    Example:
        >>> _ = torch.manual_seed(99)
        >>> model = ToySeq2Seq(dropout=0.0)
        >>> optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
        >>> digits = torch.arange(10)
        >>> target = torch.stack([torch.tensor([10, d, d, 11]) for d in digits])
        >>> round(train_step(model, optimizer, digits.unsqueeze(1), target), 4)
        2.8435
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    loss = smoothed_cross_entropy(logits, labels, epsilon=0.0, ignore_index=pad)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


_PAD, _BOS, _EOS = 0, 1, 2


class _Translator(nn.Module):
    """One encoder and one decoder layer over tokens that know where they stand."""

    def __init__(self, vocabulary: int, d_model: int = 32) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, d_model)
        self.transformer = nn.Transformer(
            d_model, 4, 1, 1, dim_feedforward=64, dropout=0.0, batch_first=True
        )
        self.projection = nn.Linear(d_model, vocabulary)

    def forward(
        self, source: Tensor, decoder_input: Tensor, padding: Tensor | None = None
    ) -> Tensor:
        """Return logits (B, T, V); padding (B, S) is True where the source (B, S) has no token."""
        hidden = self.transformer(
            self._embed(source),
            self._embed(decoder_input),
            tgt_mask=causal_mask(decoder_input.size(1)),
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        logits: Tensor = self.projection(hidden)
        return logits

    def _embed(self, tokens: Tensor) -> Tensor:
        """Return (B, T, d_model) for tokens (B, T): what each one is, plus where it stands."""
        embedded: Tensor = self.embedding(tokens)
        return embedded + positional_encoding(tokens.size(1), embedded.size(-1))


def _pad(sentences: Sequence[list[int]]) -> Tensor:
    """Stack sentences of several lengths into (B, T) int64, the short ones filled up with PAD."""
    rows = [torch.tensor(sentence) for sentence in sentences]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=_PAD)


def _fit(model: nn.Module, source: Tensor, target: Tensor, epochs: int = 25) -> None:
    """Train on source (B, S) and target (B, T) with teacher forcing, 32 pairs at a time."""
    optimizer = torch.optim.Adam(model.parameters())
    batches = [batch for _ in range(epochs) for batch in torch.randperm(len(source)).split(32)]
    # The rate warms up and falls to 0: a constant one ends on a random step, a few answers short.
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=len(batches))
    for batch in batches:
        decoder_input, labels = shift_targets(target[batch])
        logits = model(source[batch], decoder_input, source[batch] == _PAD)
        loss = nn.functional.cross_entropy(logits.mT, labels, ignore_index=_PAD)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


@torch.no_grad()
def _decode(model: nn.Module, source: Tensor, max_new_tokens: int) -> list[int]:
    """Return the tokens that the model says to source (1, S), its likeliest next one each time."""
    tokens = [_BOS]
    for _ in range(max_new_tokens):
        best = int(model(source, torch.tensor([tokens]))[0, -1].argmax())
        if best == _EOS:
            break
        tokens.append(best)
    return tokens[1:]


def train_translator(pairs: Sequence[tuple[str, str]], seed: int = 0) -> Callable[[str], str]:
    """Learn from examples to say numbers in words: "42" is "forty two".

    The language is known from the pairs alone: it may be English or an invented one.

    Args:
        pairs: (digits, words), some hundreds of them in any order. The digit strings have several
            lengths, and so have the sentences, whose words stand one space apart.
        seed: decides the initial weights and the order of the batches.

    Returns:
        translate(digits) -> words, which decodes greedily from its own output. It is right for at
        least 90 % of the numbers that `pairs` leaves out, as long as each word occurs in `pairs`.
        Training takes less than 60 seconds on one core. The same pairs and seed give the same
        answers, and the global random state stays as it was.
    """
    # Digits are read from the right, so that a position is a place: units, tens, hundreds.
    sentences = [(list(digits[::-1]), words.split()) for digits, words in pairs]
    known = sorted({token for pair in sentences for side in pair for token in side})
    vocabulary = ["<pad>", "<bos>", "<eos>", *known]
    index = {token: i for i, token in enumerate(vocabulary)}
    source = _pad([[index[digit] for digit in digits] for digits, _ in sentences])
    target = _pad([[_BOS, *(index[word] for word in words), _EOS] for _, words in sentences])

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _Translator(len(vocabulary))
        _fit(model, source, target)
    model.eval()

    def translate(digits: str) -> str:
        tokens = torch.tensor([[index[digit] for digit in digits[::-1]]])
        return " ".join(vocabulary[token] for token in _decode(model, tokens, target.size(1)))

    return translate
