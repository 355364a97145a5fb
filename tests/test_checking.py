"""Assertions report presence, type, shape, dtype and values, in this order."""

import math

import numpy as np
import pytest
import torch

from autograder import checking
from autograder.checking import Mismatch
from autograder.worker.wire import Opaque

ONES = torch.ones(2, 3)


def complaint(function, *arguments, **keywords):
    with pytest.raises(Mismatch) as caught:
        function(*arguments, **keywords)
    return caught.value


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "the result is None: is there a `return`?"),
        (Opaque("MyTensor"), "the result is a MyTensor, not a tensor"),
        ("ones", "the result is a str, not a tensor"),
        ([[1.0], [1.0, 2.0]], "the result is a list, not a tensor"),
        (torch.ones(2, 3, dtype=torch.complex64), "the result has complex numbers"),
        (torch.ones(3), "the result has the shape (3,), not (2, 3)"),
        (torch.ones(2, 3, dtype=torch.float64), "the result has the dtype float64, not float32"),
        (ONES * math.nan, "NaN in the result"),
        (ONES * 2, "the result: 6 of 6 values are wrong"),
    ],
)
def test_an_answer_is_told_the_first_thing_that_is_wrong(answer, words):
    error = complaint(checking.assert_tensor, answer, ONES, dtype=torch.float32)
    assert error.brief == words


@pytest.mark.parametrize("answer", [ONES, ONES.tolist(), ONES.numpy(), ONES.double(), ONES.int()])
def test_right_answers_pass_whatever_they_are_made_of(answer):
    checking.assert_tensor(answer, ONES)


def test_infinite_values_must_be_equal_and_nan_never_passes():
    expected = torch.tensor([0.0, -math.inf])
    checking.assert_tensor(expected.clone(), expected, atol=0.0)
    complaint(checking.assert_tensor, torch.tensor([0.0, -1e9]), expected)
    complaint(checking.assert_tensor, torch.tensor([-math.inf, -math.inf]), expected)
    complaint(checking.assert_tensor, torch.tensor([math.nan, -math.inf]), expected)


def test_expected_values_stand_in_the_detail_only():
    error = complaint(checking.assert_tensor, ONES * 2, ONES * 7.25)
    assert "7.25" in error.detail
    assert "7.25" not in error.brief


def test_tokens_may_be_any_integers_but_nothing_else():
    for answer in ([1, 2], (1, 2), np.array([1, 2]), torch.tensor([1, 2]), [torch.tensor(1), 2]):
        checking.assert_tokens(answer, [1, 2])
    for answer in ([1.0, 2.0], [True, 2], "12", 12, None, [[1], 2], Opaque("generator")):
        complaint(checking.assert_tokens, answer, [1, 2])
    assert complaint(checking.assert_tokens, [1], [1, 2]).brief == "the result is too short"
    wrong = complaint(checking.assert_tokens, [1, 3], [1, 2])
    assert wrong.brief == "the result has a wrong token at position 1"


@checking.driver
def successor(x):
    return x + 1


@checking.driver
def doubled_successor(x):
    return successor(x) * 2


def test_a_driver_brings_the_drivers_that_it_calls():
    scope = {}
    exec(doubled_successor.source, scope)
    assert scope["doubled_successor"](1) == doubled_successor(1) == 4


def test_gradients_are_none_where_nothing_flows():
    x, y = torch.ones(2), torch.ones(2)
    assert checking.gradients(lambda a, b: a.detach() * b.detach(), [x, y], []) is None
    found = checking.gradients(lambda a, b: a * b.detach(), [x, y], [])
    assert torch.equal(found[0], torch.tensor([-1.0, 1.0]))
    assert found[1] is None
    error = complaint(checking.assert_gradients, found, [found[0], y], ["a", "b"])
    assert error.brief == "no gradient flows back to b"


def test_seeds_depend_on_every_label():
    draws = {
        torch.rand((), generator=checking.seeded(*labels)).item()
        for labels in ((0, "a"), (1, "a"), (0, "b"), (0, "a", "b"))
    }
    assert len(draws) == 4


class Given(torch.nn.Module):
    """A module as a student gets it; `_factor` is looked up when it runs."""

    def __init__(self, width):
        super().__init__()
        self.layer = torch.nn.Linear(width, 2)

    def forward(self, x):
        return _factor() * self.layer(x)


def _factor():
    return 3.0


WEIGHTS = {"layer.weight": torch.ones(2, 3), "layer.bias": torch.zeros(2)}


def test_a_module_is_loaded_and_called():
    inputs = [(torch.ones(1, 3),), (torch.zeros(1, 3),)]
    found = checking.call_loaded(Given, [3], WEIGHTS, "forward", inputs)
    answers = checking.loaded_answers(found, WEIGHTS, 2)
    assert [answer.tolist() for answer in answers] == [[[9.0, 9.0]], [[0.0, 0.0]]]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({**WEIGHTS, "other.bias": torch.zeros(2)}, "no weight `other.bias`"),
        ({**WEIGHTS, "layer.bias": torch.zeros(3)}, "`layer.bias` has another shape"),
        ({"layer.weight": torch.ones(2, 3)}, "weights that it should not have"),
    ],
)
def test_a_module_with_other_weights_is_told_which(weights, words):
    found = checking.call_loaded(Given, [3], weights, "forward", [])
    assert words in complaint(checking.loaded_answers, found, weights, 0).brief


def test_something_stands_in_for_a_name_that_a_class_uses_and_goes_again():
    def work():
        return Given(3).forward(torch.ones(1, 3))

    with torch.no_grad():
        assert checking.standing_in(Given, {"_factor": lambda: 0.0}, work).tolist() == [[0.0, 0.0]]
    assert _factor() == 3.0
    with pytest.raises(ZeroDivisionError):
        checking.standing_in(Given, {"_factor": lambda: 1 / 0}, work)
    assert _factor() == 3.0


RIGHT = {"is 1": 1, "is 2": 2}
BROKEN = {"is 3": 3, "is 4": 4}


def refuses(*subjects, message="too large", error=AssertionError):
    def test(subject):
        if subject in subjects:
            raise error(message)

    return test


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (refuses(), "your test passes each number, right or broken: it never raises"),
        (refuses(1, 2, 3, 4), "your test refuses each number, right or broken"),
        (refuses(2, 3, 4), "your test refuses a right number: one that is 2"),
        (refuses(4), "your test passes 1 of 2 broken numbers; one of them is 3"),
        (refuses(3, 4, message=""), "the AssertionError has no message, on a number that is 3"),
        (
            refuses(3, 4, error=KeyError),
            "your test raises KeyError, not AssertionError, on a number that is 3",
        ),
        (
            lambda subject: subject < 3,
            "your test returns a value: it should return None, or raise AssertionError",
        ),
    ],
)
def test_a_students_test_is_told_what_it_does_not_tell_apart(test, words):
    assert complaint(checking.assert_tells_apart, test, RIGHT, BROKEN, "number").brief == words


def test_a_students_test_that_tells_right_from_broken_passes():
    checking.assert_tells_apart(refuses(3, 4), RIGHT, BROKEN, "number")


class Scaling(torch.nn.Module):
    """Multiplies by a weight; those that derive from it do something besides."""

    def __init__(self, width):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(width))
        self.unused_bias = torch.nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return x * self.gain


class Extended(Scaling):
    def __init__(self, width):
        super().__init__(width)
        self.extra = torch.nn.Parameter(torch.ones(1))


class KeepsFirst(Scaling):
    def forward(self, x):
        self.kept = self.__dict__.get("kept", x)
        return self.kept * self.gain


class Counting(Scaling):
    def forward(self, x):
        self.seen = [*self.__dict__.get("seen", []), x.tolist()]
        return x * self.gain * self.seen.count(x.tolist())


class KeepsWeight(Scaling):
    def forward(self, x):
        self.kept = self.__dict__.get("kept", self.gain.detach().clone())
        return x * self.kept


class WritesIntoInput(Scaling):
    def forward(self, x):
        return x.mul_(self.gain)


class WrongWhenEvaluated(Scaling):
    def forward(self, x):
        return x * self.gain * (1 if self.training else 2)


class KeepsFirstWhenEvaluated(Scaling):
    def forward(self, x):
        if not self.training:
            x = self.kept = self.__dict__.get("kept", x)
        return x * self.gain


class Detached(Scaling):
    def forward(self, x):
        return x * self.gain.detach()


DRAWN = {"gain": torch.tensor([2.0, 3.0]), "unused_bias": torch.tensor([0.1, 0.2])}
OTHERS = {"gain": torch.tensor([5.0, 7.0]), "unused_bias": torch.zeros(2)}


def test_weights_in_float64_keep_all_their_digits():
    exact = {name: torch.full((2,), 1 / 3, dtype=torch.float64) for name in DRAWN}
    found = checking.call_loaded(Scaling, (2,), exact, "forward", [(torch.ones(2).double(),)])
    assert torch.equal(checking.loaded_answers(found, exact, 1)[0], exact["gain"])


def in_turn(module):
    inputs = [(torch.tensor([1.0, 2.0]),), (torch.tensor([3.0, 4.0]),)]
    found, expected = (
        checking.calls_in_turn(kind, (2,), [DRAWN, OTHERS], inputs) for kind in (module, Scaling)
    )
    assert torch.equal(expected[1][0], torch.tensor([2.0, 6.0]))
    given = {"x": inputs[0][0]}
    checking.assert_no_trace(found, expected, DRAWN, given, checking.assert_tensor)


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (KeepsFirst, "a result after the first one is wrong"),
        (Counting, "the same input has another result the second time"),
        (KeepsWeight, "weights that are loaded after a call do not count"),
        (WrongWhenEvaluated, "evaluation mode has another result than training mode"),
        (KeepsFirstWhenEvaluated, "evaluation mode has another result than training mode"),
        (WritesIntoInput, "x after the call: 2 of 2 values are wrong"),
        (Detached, None),
        (
            Extended,
            "the module has weights that it should not have: keep the `__init__` that was given",
        ),
    ],
)
def test_what_a_call_leaves_behind_is_told(module, words):
    if words is None:
        in_turn(module)
    else:
        assert complaint(in_turn, module).brief == words


def gradients_of(module):
    return checking.loaded_gradients(module, (2,), DRAWN, [torch.ones(2)], [])


def test_gradients_arrive_at_each_weight_that_has_a_say():
    right = gradients_of(Scaling)
    checking.assert_loaded_gradients(right, right, DRAWN, ("x",))
    error = complaint(
        checking.assert_loaded_gradients, gradients_of(Detached), right, DRAWN, ("x",)
    )
    assert error.brief == "no gradient flows back to `gain`"


def test_drawn_weights_fit_their_module():
    module = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.LayerNorm(2))
    drawn = checking.random_weights(module, checking.seeded(0, "a"))
    assert {name: x.shape for name, x in drawn.items()} == {
        name: x.shape for name, x in module.state_dict().items()
    }
    assert checking.put_weights(module, drawn).state_dict()["1.weight"].equal(drawn["1.weight"])


@pytest.mark.parametrize(("name", "mean"), [("weight", 1.0), ("gain", 1.0), ("in_proj_bias", 0.0)])
def test_gains_are_drawn_about_1_whatever_they_are_called_and_biases_about_0(name, mean):
    module = torch.nn.Module()
    module.register_parameter(name, torch.nn.Parameter(torch.zeros(1000)))
    drawn = checking.random_weights(module, checking.seeded(0, "a"))[name]
    assert abs(drawn.mean().item() - mean) < 0.1


def scope_of_a_notebook():
    scope = {"__name__": "__main__", "halve": None}
    exec("class Uses:\n    def go(self):\n        return halve(8), more(8)", scope)
    return scope


def test_a_class_finds_other_things_under_a_name_for_a_while_and_no_longer():
    scope = scope_of_a_notebook()
    parts = {"halve": lambda x: x // 2, "more": lambda x: x + 1}
    assert checking.standing_in(scope["Uses"], parts, lambda: scope["Uses"]().go()) == (4, 9)
    assert scope["halve"] is None
    assert "more" not in scope


def test_right_versions_are_there_although_a_notebook_has_none():
    scope = {"kept": 1, "changed": 2}
    with checking.replaced(scope, {"changed": 3, "missing": 4}):
        assert scope == {"kept": 1, "changed": 3, "missing": 4}
    assert scope == {"kept": 1, "changed": 2}
