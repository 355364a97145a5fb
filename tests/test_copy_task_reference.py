"""The copy task against the lesson's figures, and its four checks on right and broken models.

A broken model is a right one with a fault put in: `altered` changes what one attention may see,
`Wrapped` changes what goes into a model or comes out of it.
"""

import copy
import functools
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from autograder.building.definitions import Definitions
from solutions import copy_task
from solutions.copy_task import TinyTransformer, make_batch, make_dataset, make_reverse_batch

torch.set_num_threads(1)

MODEL_CHECKS = (
    copy_task.check_future_tokens,
    copy_task.check_source_padding,
    copy_task.check_prefixes,
)


# What students get

CLASSES = {"MultiHeadAttention": 1, "EncoderBlock": 1, "DecoderBlock": 1, "TinyTransformer": 3}
GIVEN = ("PAD", "positions", "train", "answers_of", "evaluate", "kind_of_error")
GIVEN += ("PeekingDecoderBlock", "PeekingTransformer")


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_is_handed_out_with_its_init_and_without_its_answers(name):
    definitions = Definitions.read(Path(copy_task.__file__))
    stub, answer = definitions.stub(name), definitions.answer(name)
    assert stub.count("NotImplementedError") == CLASSES[name]
    assert "super().__init__()" in stub
    assert "normed" not in stub
    assert "softmax(" not in stub
    assert "SOLUTION" not in stub + answer
    for text in (stub, answer):
        compile(text, name, "exec")


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_given_needs_no_private_name(name):
    definitions = Definitions.read(Path(copy_task.__file__))
    assert definitions.helpers(name) == []


# Questions 1 to 3: data and masks


def test_the_dataset_is_that_of_the_lesson():
    train, held_out = make_dataset()
    assert held_out[0] == [11, 10, 11]
    assert [sum(len(s) == n for s in train) for n in (1, 2, 3)] == [5, 49, 413]
    assert [sum(len(s) == n for s in held_out) for n in (1, 2, 3)] == [3, 15, 99]


@given(st.integers(0, 2**31))
@settings(max_examples=20)
def test_every_split_is_a_partition_of_all_sequences(seed):
    state = torch.get_rng_state()
    train, held_out = make_dataset(seed)
    assert (len(train), len(held_out)) == (467, 117)
    every = {s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)}
    assert len(every) == 584
    assert set(map(tuple, train + held_out)) == every
    assert (train, held_out) == make_dataset(seed)
    assert torch.equal(state, torch.get_rng_state())


def test_another_seed_gives_another_split():
    assert make_dataset(7)[1] != make_dataset(8)[1]


@pytest.mark.parametrize("maker", [make_batch, make_reverse_batch])
@given(st.lists(st.lists(st.integers(4, 11), min_size=1, max_size=3), min_size=1, max_size=5))
@settings(max_examples=30)
def test_a_batch_holds_each_sequence_between_bos_and_eos(maker, sequences):
    before = copy.deepcopy(sequences)
    source, decoder_input, target = maker(sequences)
    assert sequences == before
    assert source.shape == (len(sequences), 3)
    assert decoder_input.shape == target.shape == (len(sequences), 4)
    assert {source.dtype, decoder_input.dtype, target.dtype} == {torch.int64}
    for i, sequence in enumerate(sequences):
        said = sequence if maker is make_batch else sequence[::-1]
        rest = [0] * (3 - len(sequence))
        assert source[i].tolist() == [*sequence, *rest]
        assert decoder_input[i].tolist() == [1, *said, *rest]
        assert target[i].tolist() == [*said, 2, *rest]


def test_masks_follow_the_rule_entry_by_entry():
    for source, target in copy_task._drawn_batches():
        source_visible, target_visible = copy_task.attention_masks(source, target)
        (rows, s), t = source.shape, target.size(1)
        assert source_visible.shape == (rows, 1, 1, s)
        assert target_visible.shape == (rows, 1, t, t)
        assert source_visible.dtype == target_visible.dtype == torch.bool
        for b, j in itertools.product(range(rows), range(s)):
            assert source_visible[b, 0, 0, j] == (source[b, j] != 0)
        for b, i, j in itertools.product(range(rows), range(t), range(t)):
            assert target_visible[b, 0, i, j] == (j <= i and target[b, j] != 0)


# Questions 4 and 5: NumPy against torch

SIZES = [(8, 1, 16), (12, 3, 20), (32, 4, 64), (40, 8, 24)]


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def arrays(module):
    return {name: tensor.numpy() for name, tensor in module.state_dict().items()}


@pytest.mark.parametrize(("width", "heads", "inner"), SIZES)
def test_the_encoder_block_in_numpy_agrees_with_torch(width, heads, inner):
    torch.manual_seed(width)
    block = copy_task.EncoderBlock(width, heads, inner).double()
    for parameter in block.parameters():  # gains and biases too, which start at 1 and 0
        nn.init.normal_(parameter, std=0.5)
    x, ids = drawn(3, 5, width), torch.tensor([[4, 5, 6, 0, 0], [4, 0, 0, 0, 0], [4, 5, 6, 7, 8]])
    for visible in copy_task.attention_masks(ids, ids):
        with torch.no_grad():
            expected = block(x, visible)
        found = copy_task.numpy_encoder_block(x.numpy(), arrays(block), visible.numpy(), heads)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, expected.numpy(), atol=1e-10, rtol=0)


def test_layer_norm_in_numpy_agrees_with_torch():
    x, gain, bias = 3 * drawn(2, 4, 6) + 1, drawn(6, seed=1), drawn(6, seed=2)
    found = copy_task.numpy_layer_norm(x.numpy(), gain.numpy(), bias.numpy())
    expected = F.layer_norm(x, (6,), gain, bias, eps=1e-5).numpy()
    np.testing.assert_allclose(found, expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("width", [8, 32])
def test_attention_in_numpy_agrees_with_torch_and_hides_completely(width):
    query, key, value = drawn(2, 3, 4, width), drawn(2, 3, 5, width), drawn(2, 3, 5, 7)
    visible = drawn(2, 1, 4, 5, seed=3) > 0
    visible[..., 0] = True
    output, weights = copy_task.numpy_attention(
        query.numpy(), key.numpy(), value.numpy(), visible.numpy()
    )
    expected = F.scaled_dot_product_attention(query, key, value, visible)
    np.testing.assert_allclose(output, expected.numpy(), atol=1e-12, rtol=0)
    np.testing.assert_allclose(weights.sum(-1), 1.0, atol=1e-12)
    assert (weights[~np.broadcast_to(visible.numpy(), weights.shape)] == 0.0).all()
    assert output.dtype == weights.dtype == np.float64


def test_large_scores_give_no_nan():
    query = np.full((1, 2, 1), 100.0)
    key = np.array([[[100.0], [-100.0], [90.0]]])
    output, weights = copy_task.numpy_attention(query, key, key, np.array([False, True, True]))
    assert weights.tolist() == [[[0.0, 0.0, 1.0]] * 2]
    assert output.tolist() == [[[90.0]] * 2]


def test_a_row_that_sees_nothing_is_refused():
    x, visible = np.ones((2, 3, 4)), np.ones((2, 1, 3, 3), dtype=bool)
    visible[1, 0, 2] = False
    with pytest.raises(ValueError, match="no key"):
        copy_task.numpy_attention(x[:, None], x[:, None], x[:, None], visible)
    weights = arrays(copy_task.EncoderBlock(4, 2, 8).double())
    with pytest.raises(ValueError, match="no key"):
        copy_task.numpy_encoder_block(x, weights, visible, 2)


@pytest.mark.parametrize(("width", "heads"), [(8, 1), (12, 3), (40, 8)])
def test_multi_head_attention_is_that_of_torch_itself(width, heads):
    """`nn.MultiheadAttention` with the same projections gives the same output and weights."""
    torch.manual_seed(0)
    ours = copy_task.MultiHeadAttention(width, heads).double()
    theirs = nn.MultiheadAttention(width, heads, batch_first=True).double()
    projections = (ours.query, ours.key, ours.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([each.weight for each in projections]))
        theirs.in_proj_bias.copy_(torch.cat([each.bias for each in projections]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    x, memory = drawn(2, 4, width), drawn(2, 3, width, seed=1)
    hidden = torch.tensor([[False, False, True], [False, True, True]])
    expected = theirs(x, memory, memory, key_padding_mask=hidden, average_attn_weights=False)
    torch.testing.assert_close(ours(x, memory, ~hidden[:, None, None]), expected)


def test_the_model_has_as_many_parameters_as_the_lesson_says():
    assert sum(parameter.numel() for parameter in TinyTransformer().parameters()) == 22_284


def numpy_logits(model, source, target, heads):
    """Run a whole model by the three NumPy functions and what an encoder block is made of."""
    weights = arrays(model)

    def part(prefix):
        return {
            name.removeprefix(prefix): array
            for name, array in weights.items()
            if name.startswith(prefix)
        }

    def norm(name, x):
        return copy_task.numpy_layer_norm(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def linear(name, x):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def split(x):
        return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    def attend(name, x, memory, visible):
        query, key, value = (
            split(linear(f"{name}.{each}", rows))
            for each, rows in (("query", x), ("key", memory), ("value", memory))
        )
        mixed, _ = copy_task.numpy_attention(query, key, value, visible)
        return linear(f"{name}.output", mixed.swapaxes(1, 2).reshape(x.shape))

    def embed(ids):
        places = copy_task.positions(ids.size(1), model.embedding.embedding_dim).double().numpy()
        return weights["embedding.weight"][ids.numpy()] + places

    seen, causal = (visible.numpy() for visible in copy_task.attention_masks(source, target))
    memory = copy_task.numpy_encoder_block(embed(source), part("encoder."), seen, heads)
    memory = norm("encoder_norm", memory)
    x = embed(target)
    normed = norm("decoder.self_attention_norm", x)
    x = x + attend("decoder.self_attention", normed, normed, causal)
    normed = norm("decoder.cross_attention_norm", x)
    x = x + attend("decoder.cross_attention", normed, memory, seen)
    inner = linear("decoder.feed_forward.0", norm("decoder.feed_forward_norm", x))
    x = x + linear("decoder.feed_forward.2", np.maximum(inner, 0.0))
    return linear("readout", norm("decoder_norm", x))


def test_a_whole_model_in_numpy_agrees_with_torch(trained):
    source, target = copy_task._drawn_batches()[2]
    for heads, model in [(3, TinyTransformer(12, 24, 3, 40)), (4, trained)]:
        with torch.no_grad():
            single, expected = model(source, target), copy.deepcopy(model).double()(source, target)
        found = numpy_logits(copy.deepcopy(model).double(), source, target, heads)
        # Positions are made in float32 by the test and in float64 by the model.
        np.testing.assert_allclose(found, expected.numpy(), atol=1e-5, rtol=0)
        np.testing.assert_allclose(found, single.numpy(), atol=1e-4, rtol=0)


# Question 6: the loss


def test_the_loss_is_the_mean_of_all_targets_that_are_not_padding():
    logits = 3 * drawn(3, 4, 12)
    target = torch.tensor([[4, 7, 9, 2], [6, 2, 0, 0], [2, 0, 0, 0]])
    log_probabilities = logits.log_softmax(-1)
    each = [-log_probabilities[b, t, target[b, t]] for b, t in (target != 0).nonzero().tolist()]
    assert len(each) == 7
    loss = copy_task.training_loss(lambda *_: logits, target, target, target)
    assert math.isclose(loss.item(), sum(each).item() / 7, rel_tol=1e-12)


def test_the_loss_is_differentiable():
    model = TinyTransformer()
    copy_task.training_loss(model, *make_batch([[4, 5], [6]])).backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())
    assert model.readout.weight.grad.abs().max() > 0


# Question 7: generation


class Script(nn.Module):
    """Says in each row what the source says, whatever it means; remembers how it is called."""

    def __init__(self, fails=False):
        super().__init__()
        self.fails, self.calls = fails, []

    def encode(self, source):
        self.calls.append(("encode", self.training))
        return F.one_hot(source, 12).float(), source != 0

    def decode(self, target_prefix, memory, _):
        self.calls.append((target_prefix.tolist(), self.training))
        if self.fails:
            raise OverflowError
        return memory[:, : target_prefix.size(1)]


def test_generation_pads_ended_rows_and_stops_with_the_last():
    model = Script()
    source = torch.tensor([[4, 2, 9, 9, 9], [5, 6, 2, 9, 9], [2, 7, 7, 7, 7]])
    generated = copy_task.generate(model, source, max_new_tokens=5)
    assert generated.tolist() == [[4, 2, 0], [5, 6, 2], [2, 0, 0]]
    assert generated.dtype == torch.int64
    prefixes = [
        [[1], [1], [1]],
        [[1, 4], [1, 5], [1, 2]],
        [[1, 4, 2], [1, 5, 6], [1, 2, 0]],
    ]
    assert model.calls == [("encode", False), *((prefix, False) for prefix in prefixes)]


@pytest.mark.parametrize(("limit", "expected"), [(0, [[]]), (1, [[4]]), (3, [[4, 5, 6]])])
def test_generation_stops_at_its_limit(limit, expected):
    source = torch.tensor([[4, 5, 6, 7, 8]])
    assert copy_task.generate(Script(), source, max_new_tokens=limit).tolist() == expected


def test_generation_takes_other_special_ids():
    model = Script()
    source = torch.tensor([[5, 8, 4], [2, 0, 8]])
    generated = copy_task.generate(model, source, 4, bos=11, eos=8, pad=9)
    assert generated.tolist() == [[5, 8, 9], [2, 0, 8]]
    assert model.calls[1] == ([[11], [11]], False)


@pytest.mark.parametrize("training", [True, False])
def test_generation_leaves_the_mode_as_it_was_even_after_an_error(training):
    source = torch.tensor([[4, 2]])
    for model in (Script().train(training), Script(fails=True).train(training)):
        try:
            copy_task.generate(model, source)
        except OverflowError:
            assert model.fails
        assert model.training == training


def test_generation_is_the_same_in_a_batch_and_alone(trained):
    source, _, _ = make_batch(make_dataset()[1][:20])
    together = copy_task.answers_of(trained, source)
    alone = [copy_task.answers_of(trained, row[row != 0][None]) for row in source]
    assert torch.equal(together, torch.cat(alone))


# Question 9 and the training runs


@functools.cache
def trained_model(kind, maker, steps, *sizes):
    torch.manual_seed(7)
    model = kind(*sizes)
    losses = copy_task.train(model, make_dataset()[0], maker, steps)
    assert len(losses) == steps
    assert losses[0] > 2
    return model


@pytest.fixture(scope="module")
def trained():
    return trained_model(TinyTransformer, make_batch, 800)


def test_the_model_learns_to_copy(trained):
    """Measured: a loss of .003 to .025 and 114 to 117 of 117, over twelve seeds."""
    loss, exact = copy_task.evaluate(trained, make_dataset()[1], make_batch)
    assert loss < 0.06
    assert exact >= 0.93


def test_the_model_learns_to_reverse():
    model = trained_model(TinyTransformer, make_reverse_batch, 800)
    loss, exact = copy_task.evaluate(model, make_dataset()[1], make_reverse_batch)
    assert loss < 0.1
    assert exact >= 0.90
    assert copy_task.evaluate(model, make_dataset()[1], make_batch)[1] < 0.5


def test_without_the_causal_mask_the_loss_is_low_and_no_answer_is_right():
    model = trained_model(copy_task.PeekingTransformer, make_batch, 300)
    loss, exact = copy_task.evaluate(model, make_dataset()[1], make_batch)
    assert loss < 0.05
    assert exact < 0.05
    for check in (copy_task.check_future_tokens, copy_task.check_prefixes):
        with pytest.raises(AssertionError, match="target tokens"):
            check(model)
    copy_task.check_source_padding(model)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ([4, 7, 9, 2], "none"),
        ([4, 4, 9, 2], "repeated symbol"),
        ([7, 7, 9, 2], "wrong symbol"),
        ([4, 8, 8, 2], "wrong symbol"),
        ([2, 0, 0, 0], "stopped too early"),
        ([4, 7, 2, 0], "stopped too early"),
        ([4, 7, 9, 9], "stopped too late"),
    ],
)
def test_errors_have_kinds(answer, kind):
    assert copy_task.kind_of_error([4, 7, 9, 2], answer) == kind


# Question 8: right models


class Wrapped:
    """A model whose input or output is changed: `change` gets the model, source and target."""

    def __init__(self, model, change):
        self.model, self.change = model, change

    def __call__(self, source, target):
        return self.change(self.model, source, target)


def altered(model, where, change):
    """Copy a model; `change` gets what one of its attentions may see, (B, H, n_q, n_k)."""
    model = copy.deepcopy(model)
    attention = model.get_submodule(where)

    def see_otherwise(_, arguments):
        x, memory, visible = arguments
        shape = (len(x), attention.heads, x.size(1), memory.size(1))
        return x, memory, change(visible.expand(shape).clone())

    attention.register_forward_pre_hook(see_otherwise)
    return model


class PostNorm(nn.Module):
    """A right model of another build: the layers of torch, normalised after each sublayer."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 32)
        self.transformer = nn.Transformer(32, 2, 2, 2, 64, dropout=0.0, batch_first=True)
        self.readout = nn.Linear(32, 12)

    def forward(self, source, target):
        x, y = (
            self.embedding(ids) + copy_task.positions(ids.size(1), 32) for ids in (source, target)
        )
        causal = torch.ones(target.size(1), target.size(1), dtype=torch.bool).triu(1)
        hidden = source == 0
        mixed = self.transformer(
            x,
            y,
            tgt_mask=causal,
            src_key_padding_mask=hidden,
            memory_key_padding_mask=hidden,
        )
        return self.readout(mixed)


def seeded(seed, kind=TinyTransformer, *sizes):
    torch.manual_seed(seed)
    return kind(*sizes)


def noisy(model, source, target):
    logits = model(source, target)
    return logits + 1e-5 * (2 * torch.rand(logits.shape) - 1)


def magnified(model, factor):
    """Copy a model with larger weights: attention is sharper, logits are larger."""
    model = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(factor)
    return model


def unmask_padding(visible):
    return torch.ones_like(visible).tril()


def small_trained():
    return trained_model(TinyTransformer, make_batch, 200, 12, 16, 2, 32)


RIGHT = {
    "untrained": lambda: seeded(0),
    "untrained, narrow, one head": lambda: seeded(1, TinyTransformer, 12, 8, 1, 16),
    "untrained, two wide heads": lambda: seeded(2, TinyTransformer, 12, 64, 2, 32),
    "untrained, many heads, larger vocabulary": lambda: seeded(3, TinyTransformer, 20, 48, 12, 96),
    "untrained, wide": lambda: seeded(4, TinyTransformer, 12, 256, 8, 512),
    "trained": lambda: trained_model(TinyTransformer, make_batch, 800),
    "trained to reverse": lambda: trained_model(TinyTransformer, make_reverse_batch, 800),
    "trained a little, small": small_trained,
    "evaluation mode": lambda: copy.deepcopy(RIGHT["trained"]()).eval(),
    "float64": lambda: seeded(5).double(),
    "magnified": lambda: magnified(RIGHT["trained"](), 1.5),
    "noisy": lambda: Wrapped(RIGHT["trained"](), noisy),
    "another build": lambda: seeded(6, PostNorm),
    "target padding in view": lambda: altered(
        RIGHT["trained"](), "decoder.self_attention", unmask_padding
    ),
    "constant": lambda: Wrapped(None, lambda _, __, target: torch.ones(*target.shape, 12)),
}


@pytest.mark.parametrize("check", MODEL_CHECKS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_model_passes_each_check(check, name):
    check(RIGHT[name]())


# Question 8: models that show the future


def one_wider(visible):
    """Let each query see one key more than it should: the one after the last that it sees."""
    wider = visible.clone()
    wider[..., 1:] |= visible[..., :-1]
    return wider


def everywhere(visible):
    return torch.ones_like(visible)


def in_head(number, fault):
    def change(visible):
        visible[:, number] = fault(visible)[:, number]
        return visible

    return change


def in_second_half(fault):
    def change(visible):
        half = visible.size(2) // 2
        visible[:, :, half:] = fault(visible)[:, :, half:]
        return visible

    return change


def in_first_half(fault):
    def change(visible):
        half = (visible.size(2) + 1) // 2
        visible[:, :, :half] = fault(visible)[:, :, :half]
        return visible

    return change


def in_row(number, fault):
    def change(visible):
        if len(visible) > 1:
            visible[number] = fault(visible)[number]
        return visible

    return change


def if_longer(length, fault):
    return lambda visible: fault(visible) if visible.size(-1) > length else visible


def last_row_for_all(visible):
    return visible[:, :, -1:].expand_as(visible)


class Remembering(Wrapped):
    """Keeps state between calls: `change` also gets what the last call left, and returns both."""

    def __init__(self, model, change):
        super().__init__(model, change)
        self.state = None

    def __call__(self, source, target):
        logits, self.state = self.change(self.model, source, target, self.state)
        return logits


def trace_of_the_last_call(model, source, target, state):
    logits = model(source, target)
    trace = logits.detach().mean((0, 1))
    return (logits if state is None else logits + 0.05 * state), trace


def memory_of_the_last_call(model, source, target, state):
    memory, visible = model.encode(source)
    stale = state is not None and state.shape == memory.shape
    return model.decode(target, state if stale else memory, visible), memory


def grown_cache(model, source, target, state):
    """Keep the logits of the call before for a prefix that is one token longer."""
    logits = model(source, target).detach()
    grown = state is not None and state.shape == logits[:, :-1].shape
    return (torch.cat([state, logits[:, -1:]], 1) if grown else logits), logits


def next_token_read(model, source, target):
    return model(source, target.roll(-1, 1))


def summary_of_the_target(model, source, target):
    return model(source, target) + 0.02 * F.one_hot(target, 12).float().mean(1, keepdim=True)


def normalised_over_positions(model, source, target):
    logits = model(source, target)
    return logits - 0.1 * logits.mean(1, keepdim=True)


def last_token_of_the_row_above(model, source, target):
    """Mix batch rows: each row gets a little of the last target token of another one."""
    last = F.one_hot(target[:, -1:], 12).float()
    return model(source, target) + 0.02 * last.roll(1, 0)


def future_faults(model):
    heads = model.decoder.self_attention.heads
    see = functools.partial(altered, model, "decoder.self_attention")
    return {
        "mask off": see(last_row_for_all),
        "mask off, padding too": see(everywhere),
        "mask turned round": see(lambda visible: visible.transpose(-2, -1) | visible[..., :1, :]),
        "one too wide": see(one_wider),
        "off in the first head": see(in_head(0, last_row_for_all)),
        "off in the last head": see(in_head(heads - 1, last_row_for_all)),
        "one too wide in one head": see(in_head(heads // 2, one_wider)),
        "off in the second half": see(in_second_half(last_row_for_all)),
        "off in the first half": see(in_first_half(last_row_for_all)),
        "one too wide in the second half": see(in_second_half(one_wider)),
        "off in the first row": see(in_row(0, last_row_for_all)),
        "off in the last row": see(in_row(-1, last_row_for_all)),
        "off beyond the lesson's length": see(if_longer(4, last_row_for_all)),
        "the next token read": Wrapped(model, next_token_read),
        "summary of the target": Wrapped(model, summary_of_the_target),
        "normalised over positions": Wrapped(model, normalised_over_positions),
        "rows mixed": Wrapped(model, last_token_of_the_row_above),
        "trace of the last call": Remembering(model, trace_of_the_last_call),
        "memory of the last call": Remembering(model, memory_of_the_last_call),
    }


# Question 8: models that read the padding


def seeing_all(model, *places):
    for place in places:
        model = altered(model, place, everywhere)
    return model


def counted_from_the_right(model, source, target):
    """Shift the positions of the source: the last column is number 0."""
    model = copy.deepcopy(model)
    embedded = model.embedding(source)
    places = copy_task.positions(*embedded.shape[1:]).flip(0).to(embedded.dtype)
    visible = (source != 0)[:, None, None]
    memory = model.encoder_norm(model.encoder(embedded + places, visible))
    return model.decode(target, memory, visible)


def mean_of_the_source(model, source, target):
    return model(source, target) + 0.05 * F.one_hot(source, 12).float().mean(1, keepdim=True)


def last_column(model, source, target):
    return model(source, target) + 0.02 * F.one_hot(source[:, -1:], 12)


def scaled_by_width(model, source, target):
    return model(source, target) * (1 + 0.01 * source.size(1))


def memories_mixed(model, source, target):
    memory, visible = model.encode(source)
    return model.decode(target, memory + 0.1 * (memory.roll(1, 0) - memory), visible)


def mask_of_the_first_row(visible):
    return visible[:1].expand_as(visible)


def logits_mixed(model, source, target):
    logits = model(source, target)
    return logits + 0.05 * logits.mean(0, keepdim=True)


def memory_by_shape(model, source, target, state):
    """Keep the memory of the first source of each shape, for all that follow."""
    state = state or {}
    memory = state.setdefault(source.shape, model.encode(source))
    return model.decode(target, *memory), state


def padding_faults(model):
    encoder, cross = "encoder.attention", "decoder.cross_attention"
    heads = model.encoder.attention.heads
    return {
        "ignored everywhere": seeing_all(model, encoder, cross),
        "ignored in the encoder": seeing_all(model, encoder),
        "ignored in cross-attention": seeing_all(model, cross),
        "one too wide in the encoder": altered(model, encoder, one_wider),
        "one too wide in cross-attention": altered(model, cross, one_wider),
        "ignored in one head of the encoder": altered(model, encoder, in_head(0, everywhere)),
        "ignored in the last head across": altered(model, cross, in_head(heads - 1, everywhere)),
        "ignored in the second half across": altered(model, cross, in_second_half(everywhere)),
        "ignored in the second row": altered(model, encoder, in_row(1, everywhere)),
        "ignored in the last row across": altered(model, cross, in_row(-1, everywhere)),
        "ignored in long sources": altered(model, cross, if_longer(3, everywhere)),
        "mask of the first row": altered(model, cross, mask_of_the_first_row),
        "counted from the right": Wrapped(model, counted_from_the_right),
        "mean of the source": Wrapped(model, mean_of_the_source),
        "last column": Wrapped(model, last_column),
        "scaled by the width": Wrapped(model, scaled_by_width),
        "memories mixed": Wrapped(model, memories_mixed),
        "logits mixed": Wrapped(model, logits_mixed),
        "trace of the last call": Remembering(model, trace_of_the_last_call),
        "memory of the last call": Remembering(model, memory_of_the_last_call),
        "memory kept by shape": Remembering(model, memory_by_shape),
    }


# Question 8: models whose prefixes differ from the full pass


def target_counted_from_the_end(model, source, target):
    model = copy.deepcopy(model)
    table = copy_task.positions(64, model.embedding.embedding_dim)
    shift = 20 - target.size(1)

    def embed(ids):
        return model.embedding(ids) + table[shift : shift + ids.size(1)]

    memory, visible = model.encode(source)
    model.embed = embed
    return model.decode(target, memory, visible)


def scaled_by_length(model, source, target):
    return model(source, target) * (1 + 0.01 * target.size(1))


def last_position_differs(model, source, target):
    logits = model(source, target).clone()
    logits[:, -1] *= 1.02
    return logits


def lone_rows_differ(model, source, target):
    return model(source, target) * (1.02 if len(source) == 1 else 1)


def prefix_faults(model):
    ahead = future_faults(model)
    shared = ("mask off", "one too wide", "off in the last head", "off in the second half")
    shared += ("off in the first half", "normalised over positions", "trace of the last call")
    shared += ("memory of the last call", "off in the last row", "summary of the target")
    return {name: ahead[name] for name in shared} | {
        "counted from the end": Wrapped(model, target_counted_from_the_end),
        "scaled by the length": Wrapped(model, scaled_by_length),
        "last position differs": Wrapped(model, last_position_differs),
        "lone rows differ": Wrapped(model, lone_rows_differ),
        "memories mixed": Wrapped(model, memories_mixed),
        "logits mixed": Wrapped(model, logits_mixed),
        "cache of another call": Remembering(model, grown_cache),
        "memory kept by shape": Remembering(model, memory_by_shape),
    }


BASES = {
    "untrained": lambda: seeded(10),
    "small trained": small_trained,
    "trained": lambda: trained_model(TinyTransformer, make_batch, 800),
    "reversing": lambda: trained_model(TinyTransformer, make_reverse_batch, 800),
}
FAULTS = dict(zip(MODEL_CHECKS, (future_faults, padding_faults, prefix_faults), strict=True))
WORDS = dict(zip(MODEL_CHECKS, ("target tokens after", "source", "first"), strict=True))


def complaint_of(check, model):
    try:
        check(model)
    except AssertionError as error:
        return str(error)
    return "none"


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("check", MODEL_CHECKS)
def test_every_broken_model_is_found_and_named(check, base):
    broken = FAULTS[check](BASES[base]())
    assert len(broken) >= 8
    complaints = {name: complaint_of(check, model) for name, model in broken.items()}
    assert [name for name, complaint in complaints.items() if WORDS[check] not in complaint] == []


def test_a_check_passes_models_whose_faults_are_of_another_kind(trained):
    ahead, padded, apart = (faults(trained) for faults in FAULTS.values())
    for name in ("mask off", "one too wide", "off in the second half", "normalised over positions"):
        copy_task.check_source_padding(ahead[name])
    for name in ("ignored everywhere", "one too wide in the encoder", "last column"):
        copy_task.check_future_tokens(padded[name])
        copy_task.check_prefixes(padded[name])
    for name in ("counted from the end", "last position differs", "lone rows differ"):
        copy_task.check_future_tokens(apart[name])


def test_a_model_that_answers_nan_or_another_shape_is_refused():
    nan = Wrapped(None, lambda _, __, target: torch.full((*target.shape, 12), math.nan))
    short = Wrapped(None, lambda _, __, target: torch.ones(len(target), 12))
    for check, model in itertools.product(MODEL_CHECKS, (nan, short)):
        with pytest.raises(AssertionError, match="logits"):
            check(model)


def test_the_checks_leave_the_random_state_and_the_model_as_they_were():
    model, state = seeded(0), torch.get_rng_state()
    before = copy.deepcopy(model.state_dict())
    for check in MODEL_CHECKS:
        check(model)
    copy_task.check_masked_weights(copy_task.numpy_attention)
    assert torch.equal(state, torch.get_rng_state())
    assert model.training
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())


# Question 8: attention


def softmax(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def scores_of(query, key):
    return query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])


def torch_attention(query, key, value, visible):
    query, key, value, visible = map(torch.as_tensor, (query, key, value, visible))
    query.requires_grad_()
    scores = scores_of(query, key).masked_fill(~visible, -math.inf)
    weights = scores.softmax(-1)
    return weights @ value, weights


def single_precision(query, key, value, visible):
    query, key, value = (torch.as_tensor(x).float() for x in (query, key, value))
    return torch_attention(query, key, value, visible)


def with_scores(change):
    """Make an attention that hides keys by changing scores, given (scores, visible)."""

    def attention(query, key, value, visible):
        weights = softmax(change(scores_of(query, key), visible))
        return weights @ value, weights

    return attention


def seeing(change):
    """Make an attention that is right, but for a mask that is changed first."""

    def attention(query, key, value, visible):
        shape = np.broadcast_shapes(visible.shape, (*query.shape[:-1], key.shape[-2]))
        changed = change(torch.as_tensor(visible).expand(shape).clone()).numpy()
        return copy_task.numpy_attention(query, key, value, changed)

    return attention


def hidden_only_in_the_weights(query, key, value, visible):
    output, _ = copy_task.numpy_attention(query, key, value, np.ones_like(visible))
    return output, copy_task.numpy_attention(query, key, value, visible)[1]


def not_renormalised(query, key, value, visible):
    weights = softmax(scores_of(query, key)) * visible
    return weights @ value, weights


def normalised_over_queries(query, key, value, visible):
    weights = softmax(np.where(visible, scores_of(query, key), -1e9), axis=-2) * visible
    return weights @ value, weights


def rows_mixed(query, key, value, visible):
    output, weights = copy_task.numpy_attention(query, key, value, visible)
    return 0.9 * output + 0.1 * np.roll(output, 1, axis=0), weights


def values_summed(query, key, value, visible):
    output, weights = copy_task.numpy_attention(query, key, value, visible)
    return output + 0.01 * value.mean(-2, keepdims=True), weights


def keys_scaled_together(query, key, value, visible):
    """Scale the keys by the largest entry of them all, of hidden ones too."""
    key = key / np.abs(key).max(axis=-2, keepdims=True)
    return copy_task.numpy_attention(query, key, value, visible)


def mask_kept():
    masks = {}

    def attention(query, key, value, visible):
        kept = masks.setdefault(visible.shape, visible)
        return copy_task.numpy_attention(query, key, value, kept)

    return attention


def output_kept():
    last = [0.0]

    def attention(query, key, value, visible):
        output, weights = copy_task.numpy_attention(query, key, value, visible)
        before, last[0] = last[0], output
        return output + 0.05 * before, weights

    return attention


def negated(query, key, value, visible):
    output, weights = copy_task.numpy_attention(query, key, value, visible)
    return output, 2 * weights - visible / visible.sum(-1, keepdims=True)


RIGHT_ATTENTION = {
    "numpy": copy_task.numpy_attention,
    "torch": torch_attention,
    "single precision": single_precision,
    "a large negative number": with_scores(lambda scores, seen: np.where(seen, scores, -1e9)),
    "a large number subtracted": with_scores(lambda scores, seen: scores - 1e9 * ~seen),
    "another scale": lambda query, *rest: copy_task.numpy_attention(query / 3, *rest),
}
BROKEN_ATTENTION = {
    "mask off": seeing(everywhere),
    "mask inverted": with_scores(lambda scores, seen: np.where(seen, -1e9, scores)),
    "one too wide": seeing(one_wider),
    "off in the first head": seeing(in_head(0, everywhere)),
    "off in the last head": seeing(in_head(-1, everywhere)),
    "one too wide in one head": seeing(in_head(2, one_wider)),
    "off in the second half": seeing(in_second_half(everywhere)),
    "off in the first half": seeing(in_first_half(everywhere)),
    "off in the first row": seeing(in_row(0, everywhere)),
    "off in the last row": seeing(in_row(-1, everywhere)),
    "mask of the first row": seeing(mask_of_the_first_row),
    "mask of the last query": seeing(last_row_for_all),
    "hidden a little": with_scores(lambda scores, seen: scores - 10.0 * ~seen),
    "hidden almost": with_scores(lambda scores, seen: scores - 200.0 * ~seen),
    "scores made 0": with_scores(lambda scores, seen: scores * seen),
    "hidden only in the weights": hidden_only_in_the_weights,
    "not normalised again": not_renormalised,
    "normalised over queries": normalised_over_queries,
    "rows mixed": rows_mixed,
    "values summed": values_summed,
    "keys scaled together": keys_scaled_together,
    "mask kept": mask_kept(),
    "output kept": output_kept(),
    "a negative weight": negated,
    "one axis lost": lambda *inputs: [x[:, 0] for x in copy_task.numpy_attention(*inputs)],
    "no number": lambda *inputs: [math.nan * x for x in copy_task.numpy_attention(*inputs)],
}


@pytest.mark.parametrize("name", RIGHT_ATTENTION)
def test_right_attention_passes(name):
    copy_task.check_masked_weights(RIGHT_ATTENTION[name])


@pytest.mark.parametrize("name", BROKEN_ATTENTION)
def test_broken_attention_is_found_and_named(name):
    with pytest.raises(AssertionError, match=r"weight|hidden from|shape"):
        copy_task.check_masked_weights(BROKEN_ATTENTION[name])
