"""Known wrong answers to `check_source_padding`: each docstring is the student's hint."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor


def never_raises(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to pass whatever the model does: it may look at shapes, at a loss, or at one answer alone.

    Revisit which two answers of the model have to be compared, and what happens where they differ.
    """
    source = torch.tensor([[4, 7, 9], [6, 5, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 5, 2]])

    same = torch.allclose(model(source, target), model(F.pad(source, (0, 2)), target), atol=1e-4)
    print("padding is ignored" if same else "padding is read")


def always_raises(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to refuse right models as well.

    Revisit which logits must stay the same when only PADs are added, and which may change.
    """
    source = torch.tensor([[4, 7, 9], [6, 5, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 5, 2]])

    other = torch.tensor([[4, 7, 0], [6, 0, 0]])
    assert torch.allclose(model(source, target), model(other, target), atol=1e-4), "padding is read"


def tests_the_shape_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to look at the shape of the logits and not at their values.

    Revisit what padding that is read changes.
    """
    source = torch.tensor([[4, 7, 9], [6, 5, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 5, 2]])

    assert model(F.pad(source, (0, 3)), target).shape[:2] == (2, 4), "padding changes the shape"


def tests_the_loss_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to judge the model by its loss.

    Revisit what a low loss says about padding.
    """
    source = torch.tensor([[4, 7, 9], [6, 5, 0]])
    target = torch.tensor([[1, 4, 7, 9], [1, 6, 5, 2]])

    logits = model(source, target)[..., :12]
    loss = F.cross_entropy(logits.flatten(0, 1), target.roll(-1, 1).flatten())
    assert loss < 12, "the loss is too high"


def demands_a_trained_model(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to ask whether the model copies well, so that it refuses a right model without training.

    Revisit the property: it says nothing of what the model has learned.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")

    for source, target, before in batches:
        right = before[:, :3, :12].argmax(-1) == source[:, :3]
        assert right[0].any(), "the model does not copy"


def never_asks_about_a_row_alone(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare whole batches only, so that a fault which depends on the other rows stays unseen.

    Revisit a row beside longer ones, and the same row by itself.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")


def adds_one_pad_to_full_rows(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to add padding only where there was none before.

    Revisit rows of a batch that are shorter than others.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")


def pads_on_the_left(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to add PADs on the left, where they move the symbols to other positions.

    Revisit on which side padding stands.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (count, 0)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")


def replaces_symbols_by_pad(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to replace symbols by PAD, which is another source.

    Revisit which two sources mean the same.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(torch.cat([source[:, :1], source[:, 1:] * 0], 1), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")


def pads_the_target_as_well(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to add PADs to the target too, and to compare logits that were not there before.

    Revisit what is to stay the same in the two calls.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), F.pad(target, (0, count)))
            difference = (after[:, -before.size(1) :] - before).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")


def demands_equal_bits(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to demand more equal digits than rounding leaves.

    Revisit what rounding does between two calls, and which difference is no fault.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 0:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 0:
                raise AssertionError(f"row {row} alone has other logits")


def tolerates_less_than_rounding(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The tolerance seems to be smaller than what rounding makes of a right answer.

    Revisit how large differences may be that are no fault.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-6:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-6:
                raise AssertionError(f"row {row} alone has other logits")


def tolerates_large_differences(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The tolerance seems to be so large that small faults pass.

    Revisit how little a fault in a single head changes.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1.0:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1.0:
                raise AssertionError(f"row {row} alone has other logits")


def compares_predictions_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare the likeliest tokens and not the logits.

    Revisit what a fault may change without changing the likeliest token.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after.argmax(-1) != before.argmax(-1)).sum()
            if difference > 0:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (
                model(kept, target[row : row + 1]).argmax(-1) != before[row].argmax(-1)
            ).sum()
            if difference > 0:
                raise AssertionError(f"row {row} alone has other logits")


def compares_position_0_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare the logits of the first target position alone.

    Revisit where else the source is read.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before)[:, 0].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row])[:, 0].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")


def compares_the_first_row_only(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to compare the first row of the batch alone.

    Revisit faults that sit in another row.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before)[0].abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(1):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")


def asks_about_one_row(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to look at a single row: of a batch, or in a batch of one.

    Revisit what a shorter row sees beside a longer one.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (1, width), generator=generator)
        target = torch.randint(4, 12, (1, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(1):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")


def raises_value_error(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to find the fault, and to raise another exception than AssertionError.

    Revisit what the docstring promises to those who call it.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise ValueError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise ValueError(f"row {row} alone has other logits")


def raises_without_a_message(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to raise AssertionError without saying why.

    Revisit what whoever reads the failure should learn.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                raise AssertionError
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError


def returns_the_answer(model: Callable[[Tensor, Tensor], Tensor]) -> bool:
    """The test seems to return whether the property holds, and to raise nothing.

    Revisit what the caller of a test looks at.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference > 1e-4:
                return False
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                return False
    return True


def turns_the_comparison_round(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The test seems to raise where the logits stay the same, and to be content where they change.

    Revisit which of the two is the fault.
    """
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for count in (1, 4):
            after = model(F.pad(source, (0, count)), target)
            difference = (after - before).abs().max()
            if difference <= 1e-4:
                raise AssertionError(f"{count} more PADs change the logits")
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference <= 1e-4:
                raise AssertionError(f"row {row} alone has other logits")


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
        for count in (1, 2, 4):
            difference = (model(F.pad(source, (0, count)), target) - full).abs().max()
            assert difference < 1e-4, f"{count} more PADs change the logits"
        for row, width in enumerate((source != 0).sum(1).tolist()):
            alone = model(source[row : row + 1, :width], target[row : row + 1])
            difference = (alone[0] - full[row]).abs().max()
            assert difference < 1e-4, "a source alone has other logits than in a batch"
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
        for count in (1, 2, 4):
            difference = (model(F.pad(source, (0, count)), target) - full).abs().max()
            assert difference < 1e-2, f"{count} more PADs change the logits"
        for row, width in enumerate((source != 0).sum(1).tolist()):
            alone = model(source[row : row + 1, :width], target[row : row + 1])
            difference = (alone[0] - full[row]).abs().max()
            assert difference < 1e-2, "a source alone has other logits than in a batch"
