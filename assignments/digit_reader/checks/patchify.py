"""Cases of `patchify`."""

import torch

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    as_parts,
    as_tensor,
    assert_gradients,
    assert_tensor,
    compare_each,
    driver,
    gradients,
    test_case,
)
from solutions import digit_reader as reference

OK_FORMAT = False
name = "patchify"


@driver
def refusal(function, arguments):
    """Return the name of what a function raises, or a list that holds what it returns."""
    try:
        return [function(*arguments)]
    except NotImplementedError:
        raise
    except ValueError:
        return "ValueError"
    except Exception as error:
        return type(error).__name__


@driver
def refusals(patchify, inputs):
    """Do so for several tuples of arguments."""
    return [refusal(patchify, arguments) for arguments in inputs]


def assert_refused(found, expected):
    """Compare what is raised for images of which `expected` says whether they are to be refused."""
    raised = found if isinstance(found, str) else ""
    if expected and not raised:
        raise Mismatch("no ValueError is raised")
    if expected and raised != "ValueError":
        raise Mismatch(f"{raised} is raised, not ValueError")
    if raised and not expected:
        raise Mismatch(f"{raised} is raised although the patches fit")


def assert_patches(answer, expected):
    assert_tensor(answer, expected, "the result", atol=0.0)


def draw(rng, *shape):
    return torch.randn(shape, generator=rng)


def assert_each(patchify, inputs):
    """Compare with the reference on inputs of several kinds."""
    expected = [reference.patchify(*given) for given in inputs.values()]
    compare_each(inputs, answers(patchify, inputs.values()), expected, assert_patches)


@test_case(points=1)
def two_patches(patchify):
    """An image of two rows, 1 2 3 4 and 5 6 7 8, in patches of 2 x 2"""
    answer = patchify(torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]]), 2)
    assert_patches(answer, torch.tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]))


@test_case(points=1)
def patches_that_do_not_tile(patchify):
    """ValueError for patches of 5 x 5 on images of 8 x 24"""
    (found,) = as_parts(refusals(patchify, [(torch.zeros(2, 8, 24), 5)]), 1)
    assert_refused(found, True)


@test_case(points=2, hidden=True)
def sizes(patchify, rng):
    """Batches of images of other sizes: square, wide and high"""
    inputs = {
        "four patches": (draw(rng, 3, 4, 4), 2),
        "more patches": (draw(rng, 2, 9, 9), 3),
        "wide images": (draw(rng, 5, 8, 24), 4),
        "high images": (draw(rng, 2, 12, 6), 3),
        "the lesson's images": (draw(rng, 2, 28, 84), 7),
        "a single image": (draw(rng, 1, 6, 10), 2),
    }
    assert_each(patchify, inputs)


@test_case(points=1, hidden=True)
def extremes(patchify, rng):
    """Patches of one pixel, patches as high or as wide as the image, and a single one"""
    inputs = {
        "patches of one pixel": (draw(rng, 2, 3, 4), 1),
        "patches as high as the image": (draw(rng, 2, 3, 9), 3),
        "patches as wide as the image": (draw(rng, 3, 8, 4), 4),
        "the whole image as one patch": (draw(rng, 4, 5, 5), 5),
        "images of one pixel": (draw(rng, 3, 1, 1), 1),
    }
    assert_each(patchify, inputs)


@test_case(points=1, hidden=True)
def refused(patchify, rng):
    """ValueError if one side alone is not divisible, or the patch too large, and only then"""
    inputs = {
        "patches that fit": ((2, 6, 9), 3),
        "patches that fit once": ((2, 4, 4), 4),
        "neither side": ((1, 10, 7), 4),
        "the height alone": ((3, 6, 8), 4),
        "the width alone": ((3, 8, 6), 4),
        "an area that would do": ((2, 2, 8), 4),
        "a sum that would do": ((2, 3, 5), 4),
        "a patch larger than the image": ((2, 3, 3), 6),
        "a patch higher than the image": ((1, 2, 4), 4),
        "a patch wider than the image": ((1, 6, 3), 6),
    }
    given = [(draw(rng, *shape), patch) for shape, patch in inputs.values()]
    expected = [not kind.startswith("patches that fit") for kind in inputs]
    found = as_parts(refusals(patchify, given), len(given))
    compare_each(inputs, found, expected, assert_refused)


@test_case(points=1, hidden=True)
def dtypes(patchify, rng):
    """The patches have the dtype of the images, whatever it is"""
    whole = torch.randint(0, 2, (2, 4, 6), generator=rng)
    kinds = ("float64", "float32", "float16", "int64", "int32", "uint8", "bool")
    images = [whole.to(getattr(torch, kind)) for kind in kinds]
    compare_each(kinds, answers(patchify, [(each, 2) for each in images]), images, assert_dtype)


def assert_dtype(answer, images):
    assert_same_pixels(answer, images)
    assert_tensor(answer, as_tensor(answer), dtype=images.dtype)
    if not isinstance(answer, torch.Tensor):
        raise Mismatch(f"the result is a {type(answer).__name__}, not a tensor")


def assert_same_pixels(answer, images):
    """Compare whatever the order of the pixels is, which other cases look at."""
    pixels = as_tensor(answer).double().flatten().sort().values
    if not torch.equal(pixels, images.double().flatten().sort().values):
        raise Mismatch("the result does not hold the pixels of the images")


@test_case(points=1, hidden=True)
def gradients_flow(patchify, rng):
    """Gradients flow to the images: that of each pixel is that of its place in a patch"""
    given = ([draw(rng, 2, 4, 6)], [2])
    found, expected = (gradients(function, *given) for function in (patchify, reference.patchify))
    if isinstance(found, list):
        found, expected = map(sorted_each, (found, expected))
    assert_gradients(found, expected, ["the images"])


def sorted_each(parts):
    """Sort the numbers of each tensor: their order is not the point here."""
    tensors = [part for part in parts if isinstance(part, torch.Tensor)]
    return [tensor.flatten().sort().values for tensor in tensors] or parts


@driver
def patches_of_views(patchify, inputs):
    """Cut images that are contiguous in memory, slices of larger ones, and turned ones."""
    import torch

    found = []
    for images, patch in inputs:
        sliced = torch.nn.functional.pad(images, (2, 1, 1, 3))[:, 1:-3, 2:-1]
        turned = images.permute(2, 1, 0).contiguous().permute(2, 1, 0)
        found.append([patchify(each, patch) for each in (images, sliced, turned)])
    return found


@test_case(points=1, hidden=True)
def views(patchify, rng):
    """Images that are not contiguous in memory, as slices of larger ones are not"""
    kinds = {"wide images": (3, 8, 12), "a single image": (1, 4, 8), "square images": (2, 8, 8)}
    given = [(draw(rng, *shape), 4) for shape in kinds.values()]
    found = as_parts(patches_of_views(patchify, given), len(given))
    compare_each(kinds, found, [images for images, _ in given], assert_alike)


def assert_alike(found, images):
    """Compare with the patches of the same images where they are contiguous."""
    right, *others = as_parts(found, 3)
    assert_same_pixels(right, images)
    for other in others:
        assert_tensor(other, as_tensor(right), "the result for images in views", atol=0.0)


@test_case(points=1, hidden=True)
def input_stays(patchify, rng):
    """The images stay as they were"""
    images = draw(rng, 2, 6, 9)
    answer, (left, _) = answer_and_inputs(patchify, images, 3)
    assert_same_pixels(answer, images)
    assert_tensor(left, images, "the images after the call", atol=0.0)
