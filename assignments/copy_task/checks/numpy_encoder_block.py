"""Cases of `numpy_encoder_block`."""

import functools

import numpy as np
import torch
from torch.func import functional_call

from autograder.checking import (
    Mismatch,
    answers,
    answers_on_views,
    as_parts,
    assert_tensor,
    compare_each,
    driver,
    test_case,
)
from solutions import copy_task as reference

OK_FORMAT = False
name = "numpy_encoder_block"

ATTENTION_END = ("attention.output.weight", "attention.output.bias")
FEED_FORWARD_END = ("feed_forward.2.weight", "feed_forward.2.bias")


class Right:
    """A right version of another question's function."""

    def __init__(self, function):
        self.function = function
        self.__name__ = function.__name__

    def __call__(self, *arguments, **keywords):
        return self.function(*arguments, **keywords)

    def afresh(self):
        return self


RIGHT = {
    "numpy_attention": Right(reference.numpy_attention),
    "numpy_layer_norm": Right(reference.numpy_layer_norm),
}


def attention_or_none(query, key, value, visible):
    """Return None where the right function raises: an exception does not travel."""
    try:
        return RIGHT["numpy_attention"](query, key, value, visible)
    except ValueError:
        return None


@driver
def answer_or_refusal(function, arguments):
    """Return what a function returns, or the text "ValueError" if it raises one."""
    try:
        return function(*arguments)
    except ValueError:
        return "ValueError"


@driver
def answers_or_refusals(numpy_encoder_block, attention_or_none, inputs):
    """Do so for several tuples, while an attention that can raise stands in for the student's."""
    import inspect

    def numpy_attention(query, key, value, visible):
        answer = attention_or_none(query, key, value, visible)
        if answer is None:
            raise ValueError("a query may attend to no key")
        return answer

    scope = getattr(inspect.unwrap(numpy_encoder_block), "__globals__", {})
    students = scope.get("numpy_attention")
    if students is not None:
        scope["numpy_attention"] = numpy_attention
    try:
        return [answer_or_refusal(numpy_encoder_block, arguments) for arguments in inputs]
    finally:
        if students is not None:
            scope["numpy_attention"] = students


@driver
def answer_and_what_is_left(numpy_encoder_block, x, weights, visible, heads):
    """Return the answer, and what the call leaves of x, visible, and the weights by name."""
    answer = numpy_encoder_block(x, weights, visible, heads)
    return [answer, x, visible, list(weights), list(weights.values())]


def wave(step, *shape):
    """Return numbers between -1 and 1 that look random."""
    return np.sin(step * np.arange(1, np.prod(shape) + 1) ** 2).reshape(shape)


def random(rng, *shape):
    return torch.randn(*shape, generator=rng, dtype=torch.float64).numpy()


@functools.cache
def module(width, heads, inner):
    return reference.EncoderBlock(width, heads, inner).double().requires_grad_(False)


def draw_weights(rng, width, heads, inner, without=()):
    """Draw the weights of a block, gains and biases too; those whose names are given are 0."""
    shapes = {name: x.shape for name, x in module(width, heads, inner).state_dict().items()}
    weights = {name: 0.6 * random(rng, *shape) for name, shape in shapes.items()}
    weights["feed_forward.0.weight"] *= 3
    return weights | {name: np.zeros(shapes[name]) for name in without}


def in_torch(x, weights, visible, heads):
    made = module(x.shape[-1], heads, len(weights["feed_forward.0.bias"]))
    state = {name: torch.as_tensor(array) for name, array in weights.items()}
    return functional_call(made, state, (torch.as_tensor(x), torch.as_tensor(visible)))


def assert_each(function, inputs, compare=assert_tensor, ask=answers):
    """Compare with torch on inputs of several kinds."""
    expected = [in_torch(*given) for given in inputs.values()]
    compare_each(inputs, ask(function, inputs.values()), expected, compare)


def everything(x, heads):
    """See everything."""
    return np.ones((len(x), heads, x.shape[1], x.shape[1]), dtype=bool)


def assert_array(answer):
    if isinstance(answer, (torch.Tensor, list, tuple)):
        kind = "torch tensor" if isinstance(answer, torch.Tensor) else type(answer).__name__
        raise Mismatch(f"the result is a {kind}, not a NumPy array")


def small_weights(without=()):
    """Return the weights of a block of width 4; those whose names are given are 0."""
    weights = {
        "attention_norm.weight": np.array([1.0, 2.0, 0.5, 1.5]),
        "attention_norm.bias": np.array([0.5, 0.0, -0.5, 1.0]),
        "attention.query.weight": wave(1, 4, 4),
        "attention.query.bias": wave(2, 4),
        "attention.key.weight": wave(3, 4, 4),
        "attention.key.bias": wave(4, 4),
        "attention.value.weight": wave(5, 4, 4),
        "attention.value.bias": wave(6, 4),
        "attention.output.weight": wave(7, 4, 4),
        "attention.output.bias": wave(8, 4),
        "feed_forward_norm.weight": np.array([1.5, 0.5, 2.0, 1.0]),
        "feed_forward_norm.bias": np.array([1.0, -0.5, 0.0, 0.5]),
        "feed_forward.0.weight": wave(9, 6, 4),
        "feed_forward.0.bias": wave(10, 6),
        "feed_forward.2.weight": wave(11, 4, 6),
        "feed_forward.2.bias": wave(12, 4),
    }
    return weights | {name: np.zeros_like(weights[name]) for name in without}


@test_case(points=1)
def a_small_block(numpy_encoder_block):
    """Three vectors of four numbers, two heads; the last vector is hidden"""
    x, visible = 3 * wave(13, 1, 3, 4), np.array([[[[True, True, False]]]])
    inputs = {
        "the attention alone": (x, small_weights(FEED_FORWARD_END), visible, 2),
        "the feed-forward network alone": (x, small_weights(ATTENTION_END), visible, 2),
        "both sublayers": (x, small_weights(), visible, 2),
    }
    expected = [
        [
            [0.854221, 3.311445, -2.737506, -0.030874],
            [-3.357699, 0.706561, 1.504347, -0.234143],
            [-1.238076, -0.582609, 3.302773, -1.075751],
        ],
        [
            [-0.254333, 2.764776, 1.177287, 3.452574],
            [-6.379205, -1.936843, 4.661270, 6.073525],
            [-5.472741, -2.962064, 8.459986, 7.659937],
        ],
        [
            [-0.696626, 2.811934, -0.052421, 1.251280],
            [-6.757834, -1.237502, 4.891841, 5.256554],
            [-5.179970, -1.780862, 9.582465, 8.113761],
        ],
    ]
    found = answers(numpy_encoder_block, inputs.values())
    compare_each(inputs, found, [torch.tensor([rows]) for rows in expected], assert_small)


def assert_small(answer, expected):
    assert_array(answer)
    assert_tensor(answer, expected, atol=1e-4)


@test_case(points=1, hidden=True)
def as_torch_does(numpy_encoder_block, rng):
    """float64 arrays that agree with `EncoderBlock` to 1e-10: other widths and numbers of heads"""
    sizes = {
        "no sublayer": (8, 2, 12, (*ATTENTION_END, *FEED_FORWARD_END)),
        "the attention alone": (8, 2, 12, FEED_FORWARD_END),
        "the feed-forward network alone": (8, 2, 12, ATTENTION_END),
        "both sublayers": (8, 2, 12),
        "one head": (6, 1, 5),
        "other sizes": (12, 3, 20),
        "as many heads as columns": (4, 4, 4),
    }
    inputs = {}
    # Next to variances as large as these, 1e-5 makes no difference: that is another case.
    for (kind, size), length in zip(sizes.items(), (3, 4, 5, 6, 3, 5, 4)):
        x, heads = 1e4 * (random(rng, 3, length, size[0]) + 0.5), size[1]
        inputs[kind] = (x, draw_weights(rng, *size), everything(x, heads), heads)
    assert_each(numpy_encoder_block, inputs, assert_precise)
    views = {"arrays that are not contiguous": inputs["other sizes"]}
    assert_each(numpy_encoder_block, views, assert_precise, answers_on_views)


def assert_precise(answer, expected):
    assert_array(answer)
    assert_tensor(answer, expected, atol=1e-10, dtype=torch.float64)


@test_case(points=1, hidden=True)
def masks(numpy_encoder_block, rng):
    """Masks of all shapes that broadcast, also one that differs from head to head"""
    shapes = {
        "one mask for all": (4, 4),
        "one for each sentence": (3, 1, 1, 4),
        "one for each sentence and query": (3, 1, 4, 4),
        "one for each head": (2, 4, 4),
        "one for each sentence and head": (3, 2, 4, 4),
        "one row for all queries": (4,),
    }
    weights, x = draw_weights(rng, 6, 2, 9), 10 * random(rng, 3, 4, 6)
    inputs = {kind: (x, weights, random_mask(rng, *shape), 2) for kind, shape in shapes.items()}
    assert_each(numpy_encoder_block, inputs)


def random_mask(rng, *shape):
    """Hide about half of the keys; each query sees one at least, and one is hidden from it."""
    order = torch.rand(shape, generator=rng).argsort(-1)
    return ((torch.rand(shape, generator=rng) < 0.5) & (order > 0) | (order == 1)).numpy()


@test_case(points=1, hidden=True)
def small_variances(numpy_encoder_block, rng):
    """Vectors whose variance is as small as 1e-5: both norms add 1e-5 to it"""
    first = draw_weights(rng, 8, 2, 12, FEED_FORWARD_END)
    second = draw_weights(rng, 8, 2, 12, ATTENTION_END)
    x = 0.003 * random(rng, 2, 4, 8)
    inputs = {
        "the norm before the attention": (x, first, everything(x, 2), 2),
        "the norm before the feed-forward network": (x, second, everything(x, 2), 2),
    }
    assert_each(numpy_encoder_block, inputs)


@test_case(points=1, hidden=True)
def no_key_at_all(numpy_encoder_block, rng):
    """ValueError if a query may attend to no key, be it one in one head, and only then"""
    weights, x = draw_weights(rng, 6, 3, 8), random(rng, 2, 4, 6)
    one, sentence, column, most = (np.ones((2, 3, 4, 4), dtype=bool) for _ in range(4))
    one[1, 2, 1] = False
    sentence[1] = False
    column[0, ..., 2] = column[1, ..., 0] = False
    most[0, ..., 1:] = most[1, ..., :3] = False
    masks = {
        "masks that hide nothing": np.ones_like(one),
        "a whole sentence": sentence,
        "one query of one head": one,
        "a key that no query sees": column,
        "queries that see one key alone": most,
    }
    inputs = [(x, weights, visible, 3) for visible in masks.values()]
    refused = [False, True, True, False, False]
    found = answers_or_refusals(numpy_encoder_block, Right(attention_or_none), inputs)
    compare_each(masks, as_parts(found, len(refused)), refused, assert_refused)


def assert_refused(found, expected):
    refused = isinstance(found, str) and found == "ValueError"
    if refused is not expected:
        without = "no ValueError is raised although a query may attend to no key"
        needless = "a ValueError is raised although every query may attend to a key"
        raise Mismatch(without if expected else needless)


@test_case(points=1, hidden=True)
def inputs_stay(numpy_encoder_block, rng):
    """The inputs are the same after the call as before, the weights too"""
    weights, x = draw_weights(rng, 6, 2, 8), 10 * random(rng, 2, 3, 6)
    visible = everything(x, 2)
    found = answer_and_what_is_left(numpy_encoder_block, x, weights, visible, 2)
    answer, *left, names, arrays = as_parts(found, 5)
    assert_tensor(answer, in_torch(x, weights, visible, 2))
    for label, before, after in zip(("x", "visible"), (x, visible), left):
        assert_tensor(after, torch.as_tensor(before), f"{label} after the call", atol=0.0)
    if names != list(weights):
        raise Mismatch("the weights after the call have other names than before")
    for (label, before), after in zip(weights.items(), as_parts(arrays, len(weights))):
        assert_tensor(after, torch.as_tensor(before), f"{label} after the call", atol=0.0)
