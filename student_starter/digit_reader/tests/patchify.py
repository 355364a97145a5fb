"""Public cases of `patchify`."""

import torch
from checking import Mismatch, as_parts, assert_tensor, driver, test_case

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
