"""Known wrong answers to `check_future_tokens`: each docstring is the student's hint."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor


def never_raises(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to pass whatever the model does: it may look at shapes, at a loss, or at one answer alone.

    Revisit which two answers of the model have to be compared, and what happens where they differ.
    """
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 2, 0]])
    changed = target.clone()
    changed[:, -1] = 5
    same = torch.allclose(model(source, target)[:, :-1], model(source, changed)[:, :-1], atol=1e-4)
    print("the future is hidden" if same else "the future is seen")


def always_raises(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to refuse right models as well.

    Revisit which logits may change when a later token changes.
    """
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 2, 0]])
    changed = target.clone()
    changed[:, 1:] = 5
    assert torch.allclose(model(source, target), model(source, changed), atol=1e-4), "logits change"


def tests_the_shape_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to look at the shape of the logits and not at their values.

    Revisit what a fault in the mask changes.
    """
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 2, 0]])
    assert model(source, target).shape == (2, 4, 12), "the logits have another shape"


def tests_that_logits_are_finite(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to ask for finite logits, which a model that reads the future has, too.

    Revisit what the property compares.
    """
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 2, 0]])
    assert model(source, target).isfinite().all(), "some logits are not finite"


def tests_the_loss_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to judge the model by its loss.

    Revisit what a low loss says about a model that may have seen the answer.
    """
    source = torch.tensor([[4, 7, 9], [6, 5, 8]])
    decoder_input = torch.tensor([[1, 4, 7, 9], [1, 6, 5, 8]])
    target = torch.tensor([[4, 7, 9, 2], [6, 5, 8, 2]])
    logits = model(source, decoder_input)[..., :12]
    loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
    assert loss < 10, "the loss is too high"


def demands_a_trained_model(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to ask whether the model copies well, so that it refuses a right model without training.

    Revisit the property: it says nothing of what the model has learned.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")

    for source, target, before in batches:
        right = before[:, :3, :12].argmax(-1) == source[:, :3]
        assert right[0].any(), "the model does not copy"


def changes_the_last_token_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to change the last target token alone.

    Revisit a mask that lets each position see just one token ahead: which change does position 0 notice?
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 3):
            changed = target.clone()
            changed[:, -1] = (changed[:, -1] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def compares_position_0_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare the logits of the first position alone.

    Revisit which positions have a future, and where in the sequence a mask may fail.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, :1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def compares_the_last_position_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare only the position right before the change.

    Revisit all earlier positions: they may see further ahead.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in [target.size(1) - 2]:
            changed = target.clone()
            changed[:, -1] = (changed[:, -1] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, t].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def compares_the_changed_position(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare a position whose own token it has changed.

    Revisit which positions come before the change.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 2].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def demands_equal_bits(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to demand more equal digits than rounding leaves.

    Revisit what rounding does between two calls, and which difference is no fault.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 0:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def tolerates_less_than_rounding(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The tolerance seems to be smaller than what rounding makes of a right answer.

    Revisit how large differences may be that are no fault.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-6:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def tolerates_large_differences(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The tolerance seems to be so large that small faults pass.

    Revisit how little a fault in a single head, or in a summary, changes.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1.0:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def compares_predictions_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare the likeliest tokens and not the logits.

    Revisit what a fault may change without changing the likeliest token.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after.argmax(-1) != before.argmax(-1))[:, : t + 1].sum()
            if difference > 0:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def compares_means(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare a mean over many logits, in which single differences are lost.

    Revisit which number is largest where one row, head or position is at fault.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].mean().abs()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def asks_about_one_row(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to look at a single row: of a batch, or in a batch of one.

    Revisit faults that show only beside other rows.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (1, width), generator=generator)
        target = torch.randint(4, 12, (1, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def compares_the_first_row_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare the first row of the batch alone.

    Revisit faults that sit in another row.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[0, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def asks_at_one_length(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to try targets of one length only.

    Revisit what a model may do in longer ones.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4),):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def raises_value_error(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to find the fault, and to raise another exception than AssertionError.

    Revisit what the docstring promises to those who call it.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise ValueError(f"tokens after position {t} change logits at or before it")


def raises_without_a_message(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to raise AssertionError without saying why.

    Revisit what whoever reads the failure should learn.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            assert difference <= 1e-4


def returns_the_answer(model: Callable[[Tensor, Tensor], Tensor]) -> bool:
    """The test seems to return whether the property holds, and to raise nothing.

    Revisit what the caller of a test looks at.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                return False
    return True


def changes_the_source(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to change the source, on which all logits may depend.

    Revisit which tokens come later, and later than what.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = source.clone()
            changed[:, 0] = (changed[:, 0] - 3) % 8 + 4
            after = model(changed, target)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def compares_the_model_with_itself(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to call the model twice with the same target.

    Revisit whether the token is really changed before the second call.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def turns_the_comparison_round(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to raise where the logits stay the same, and to be content where they change.

    Revisit which of the two is the fault.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference <= 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def asks_about_one_source(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to ask about the same source each time.

    Revisit a model that keeps something of an earlier call: when does it show?
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 8)):
        source = torch.tensor([[4, 7, 9, 5, 6], [6, 0, 0, 0, 0], [8, 9, 0, 0, 0]] * 2)[:5]
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1 :] = (changed[:, t + 1 :] - 3) % 8 + 4
            after = model(source, changed)
            difference = (after - before)[:, : t + 1].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"tokens after position {t} change logits at or before it")


def demands_that_the_source_matters(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to refuse a right model that does not look at its source.

    Revisit the property: it does not say that a model is of any use.
    """
    generator = torch.Generator().manual_seed(3)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target))
    answers = [model(source, target) for source, target in batches]
    for (source, target), full in zip(batches, answers):
        for t in range(1, target.size(1)):
            changed = target.clone()
            changed[:, t:] = (target[:, t:] - 3) % 8 + 4
            difference = (model(source, changed) - full)[:, :t].abs().max()
            assert difference < 1e-4, f"tokens from {t} on change logits before them"
    source, target = batches[0]
    others = torch.where(source == 0, 0, (source - 3) % 8 + 4)
    same = torch.allclose(model(others, target), answers[0], atol=1e-4)
    assert not same, "the source makes no difference"


def tolerates_hundredths(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to tolerate differences of a hundredth.

    Revisit the docstring: how large rounding is, and how small a fault may be.
    """
    generator = torch.Generator().manual_seed(3)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target))
    answers = [model(source, target) for source, target in batches]
    for (source, target), full in zip(batches, answers):
        for t in range(1, target.size(1)):
            changed = target.clone()
            changed[:, t:] = (target[:, t:] - 3) % 8 + 4
            difference = (model(source, changed) - full)[:, :t].abs().max()
            assert difference < 1e-2, f"tokens from {t} on change logits before them"


def cuts_the_target_off(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to cut targets off, and to refuse a model that only hangs on their length.

    Revisit what may differ between the two targets: later tokens, and not how many there are.
    """
    generator = torch.Generator().manual_seed(3)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target))
    answers = [model(source, target) for source, target in batches]
    for (source, target), full in zip(batches, answers):
        for t in range(1, target.size(1)):
            difference = (model(source, target[:, :t]) - full[:, :t]).abs().max()
            assert difference < 1e-4, f"tokens from {t} on change logits before them"
