"""Known wrong answers to `patchify`: each docstring is the student's hint."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def goes_column_by_column(images: Tensor, patch: int) -> Tensor:
    """The patches seem to come column by column.

    Revisit which patch is the second one: the one on the right of the first.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).permute(0, 3, 1, 2, 4)
    return tiles.reshape(-1, rows * columns, patch**2)


def turns_each_patch(images: Tensor, patch: int) -> Tensor:
    """The pixels of each patch seem to come column by column.

    Revisit the order of the pixels within a patch.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).permute(0, 1, 3, 4, 2)
    return tiles.reshape(-1, rows * columns, patch**2)


def turns_the_whole_image(images: Tensor, patch: int) -> Tensor:
    """Patches and pixels seem to come column by column, as if the image had been turned.

    Revisit the order in which both come.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).permute(0, 3, 1, 4, 2)
    return tiles.reshape(-1, rows * columns, patch**2)


def reshapes_alone(images: Tensor, patch: int) -> Tensor:
    """The pixels seem to be cut off in the order in which they lie in memory, so a patch is a piece
    of a row.

    Revisit which pixels lie side by side in an image, and which in a patch.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    return images.reshape(-1, rows * columns, patch**2)


def takes_scattered_pixels(images: Tensor, patch: int) -> Tensor:
    """A patch seems to be made of pixels that lie far from each other.

    Revisit which of the two axes into which a side is split is the one within the patch.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, patch, rows, patch, columns).permute(0, 2, 4, 1, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def mixes_up_height_and_width(images: Tensor, patch: int) -> Tensor:
    """Height and width seem to be mixed up.

    Revisit the order of the axes of a batch of images.
    """
    _, width, height = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def takes_images_for_square(images: Tensor, patch: int) -> Tensor:
    """There seem to be as many columns of patches as rows.

    Revisit images whose width differs from their height.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, height // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def takes_the_root_for_a_side(images: Tensor, patch: int) -> Tensor:
    """The number of rows seems to be the root of the number of patches.

    Revisit images whose width differs from their height.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows = columns = int((height * width) ** 0.5) // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def never_refuses(images: Tensor, patch: int) -> Tensor:
    """A size that does not fit seems to end in an error of torch, or in none.

    Revisit what is to be raised, and when.
    """
    _, height, width = images.shape
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def cuts_off_the_rest(images: Tensor, patch: int) -> Tensor:
    """What does not fill a patch seems to be cut off.

    Revisit what is to happen when the patches do not tile the image.
    """
    tiles = images.unfold(1, patch, patch).unfold(2, patch, patch)
    return tiles.reshape(len(images), -1, patch**2)


def pads_the_images(images: Tensor, patch: int) -> Tensor:
    """Images that do not fit seem to be filled up with zeros.

    Revisit what is to happen when the patches do not tile the image.
    """
    _, height, width = images.shape
    images = F.pad(images, (0, -width % patch, 0, -height % patch))
    _, height, width = images.shape
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def looks_at_the_height_alone(images: Tensor, patch: int) -> Tensor:
    """The width seems to be let through whatever it is.

    Revisit which sides the patch has to divide.
    """
    _, height, width = images.shape
    if height % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def looks_at_the_width_alone(images: Tensor, patch: int) -> Tensor:
    """The height seems to be let through whatever it is.

    Revisit which sides the patch has to divide.
    """
    _, height, width = images.shape
    if width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def refuses_if_neither_fits(images: Tensor, patch: int) -> Tensor:
    """Images seem to be refused only if neither side is divisible.

    Revisit the difference between `and` and `or`.
    """
    _, height, width = images.shape
    if height % patch and width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def looks_at_the_area(images: Tensor, patch: int) -> Tensor:
    """The area seems to be divided by that of a patch, and not the sides.

    Revisit which sides the patch has to divide.
    """
    _, height, width = images.shape
    if height * width % patch**2:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def looks_at_the_sum(images: Tensor, patch: int) -> Tensor:
    """The sum of height and width seems to be tested.

    Revisit which sides the patch has to divide.
    """
    _, height, width = images.shape
    if (height + width) % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def lets_small_images_through(images: Tensor, patch: int) -> Tensor:
    """Images that are smaller than a patch seem to be let through.

    Revisit what the remainder is when the patch is larger than the image.
    """
    _, height, width = images.shape
    if (height > patch and height % patch) or (width > patch and width % patch):
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def asserts(images: Tensor, patch: int) -> Tensor:
    """An AssertionError seems to be raised.

    Revisit which exception is asked for.
    """
    _, height, width = images.shape
    assert height % patch == 0, "the height does not fit"
    assert width % patch == 0, "the width does not fit"
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def raises_an_exception_of_no_kind(images: Tensor, patch: int) -> Tensor:
    """A bare Exception seems to be raised.

    Revisit which exception is asked for.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise Exception(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def returns_none_if_it_does_not_fit(images: Tensor, patch: int) -> Tensor:
    """None seems to be returned for images that do not fit.

    Revisit what is to be raised.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        return None
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def refuses_images_that_are_not_square(images: Tensor, patch: int) -> Tensor:
    """A ValueError seems to be raised for images that are not square.

    Revisit which images are to be refused.
    """
    _, height, width = images.shape
    if height != width or height % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def refuses_a_single_patch(images: Tensor, patch: int) -> Tensor:
    """A patch as large as the image seems to be refused.

    Revisit whether a number divides itself.
    """
    _, height, width = images.shape
    if height % patch or width % patch or patch >= min(height, width):
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def keeps_the_grid(images: Tensor, patch: int) -> Tensor:
    """The result seems to have an axis for the rows of patches and one for the columns.

    Revisit the shape of the result.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows, columns, patch**2)


def keeps_patches_square(images: Tensor, patch: int) -> Tensor:
    """Each patch seems to be a small image still.

    Revisit the shape of the result.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch, patch)


def strings_patches_together(images: Tensor, patch: int) -> Tensor:
    """All patches of an image seem to be one long vector.

    Revisit the shape of the result.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns * patch**2)


def swaps_patches_and_pixels(images: Tensor, patch: int) -> Tensor:
    """The axis of the pixels seems to come before that of the patches.

    Revisit the order of the axes, and what `F.unfold` returns.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2).mT


def joins_the_batch(images: Tensor, patch: int) -> Tensor:
    """The patches of all images seem to be in one row.

    Revisit the shape of the result.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(1, -1, patch**2)


def loses_a_batch_of_one(images: Tensor, patch: int) -> Tensor:
    """The axis of the batch seems to be lost if there is one image only.

    Revisit what `squeeze` does to an axis of size 1.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2).squeeze(0)


def loses_axes_of_one(images: Tensor, patch: int) -> Tensor:
    """Every axis of size 1 seems to be lost.

    Revisit what `squeeze` without an argument does.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2).squeeze()


def overlaps(images: Tensor, patch: int) -> Tensor:
    """Patches seem to overlap, as if they were cut at every pixel.

    Revisit how far it is from one patch to the next.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.unfold(1, patch, 1).unfold(2, patch, 1)
    return tiles.reshape(len(images), -1, patch**2)


def makes_floats(images: Tensor, patch: int) -> Tensor:
    """The patches seem to be float32, whatever the images are.

    Revisit the dtype of the result.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2).float()


def makes_floats_of_integers(images: Tensor, patch: int) -> Tensor:
    """Integers seem to be turned into floats.

    Revisit the dtype of the result.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    if not images.is_floating_point():
        images = images.float()
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def cuts_off_gradients(images: Tensor, patch: int) -> Tensor:
    """No gradient seems to flow back to the images.

    Revisit what `detach`, `data` and NumPy do to gradients.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.detach().reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def takes_images_for_contiguous(images: Tensor, patch: int) -> Tensor:
    """Images that are not contiguous seem to raise an error.

    Revisit the difference between `view` and `reshape`.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    order = torch.arange(height * width).view(rows, patch, columns, patch).transpose(1, 2)
    return images.view(len(images), -1)[:, order.flatten()].view(-1, rows * columns, patch**2)


def goes_by_strides_of_its_own(images: Tensor, patch: int) -> Tensor:
    """Pixels seem to be looked up in memory as if the images were contiguous.

    Revisit where the pixels of a slice lie.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    strides = (height * width, patch * width, patch, width, 1)
    tiles = images.as_strided((len(images), rows, columns, patch, patch), strides)
    return tiles.reshape(-1, rows * columns, patch**2)


def answers_an_array(images: Tensor, patch: int) -> Tensor:
    """A NumPy array seems to be returned.

    Revisit the type of the result.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2).detach().numpy()


def adds_an_axis_in_place(images: Tensor, patch: int) -> Tensor:
    """The images seem to get a new axis for good.

    Revisit what an underscore at the end of a name such as `unsqueeze_` means.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    images.unsqueeze_(1)
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2)


def clears_the_images(images: Tensor, patch: int) -> Tensor:
    """The images seem to be written into.

    Revisit what has to stay as it was.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    patches = tiles.reshape(-1, rows * columns, patch**2).clone()
    images.data.zero_()
    return patches


def takes_the_patch_for_the_count(images: Tensor, patch: int) -> Tensor:
    """`patch` seems to be taken for the number of patches in a row and in a column.

    Revisit what `patch` is: a side in pixels.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows = columns = patch
    high, wide = height // patch, width // patch
    tiles = images.reshape(-1, rows, high, columns, wide).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, high * wide)


def scales_pixels(images: Tensor, patch: int) -> Tensor:
    """The pixels seem to be changed on their way.

    Revisit what happens to their values: nothing.
    """
    _, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"patches of {patch} do not fit")
    rows, columns = height // patch, width // patch
    tiles = images.reshape(-1, rows, patch, columns, patch).transpose(2, 3)
    return tiles.reshape(-1, rows * columns, patch**2) / images.max()
