"""Cases of `exact_sequence`.

An image holds the logits that its model gives, a row for each step: so it shows what is read from
it to whoever is asked, the model, or the right `read` that takes the place of the student's own.
"""

import torch
import torch.nn.functional as F

from autograder.checking import (
    Mismatch,
    as_parts,
    assert_number,
    compare_each,
    driver,
    test_case,
)
from solutions import digit_reader as reference

OK_FORMAT = False
name = "exact_sequence"

END = 11


@driver
def recital(exact_sequence, said, targets):
    """Let a model say what its images are, as if they were tokens."""
    from torch import nn

    class Recites(nn.Module):
        def encode(self, images):
            return nn.functional.one_hot(images, 12).float()

        def decode(self, memory, tokens, want_weights=False):  # noqa: ARG002
            return memory[:, : tokens.size(1)], None

        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

    return exact_sequence(Recites(), said, targets)


@driver
def loud_model(peeks):
    """Make a model that gives the logits that its images hold, or others after a wrong token.

    If it peeks, it says at each position the token that it is fed at the next one, if there is one.
    It has as many positions as an image has rows, which are L + 1.
    """
    import torch
    from torch import nn

    class Loud(nn.Module):
        def encode(self, images):
            return images

        def decode(self, memory, tokens, want_weights=False):  # noqa: ARG002
            if tokens.size(1) > memory.size(1):
                raise IndexError("the decoder is given more tokens than it has positions")
            logits = memory[:, : tokens.size(1)]
            before = logits[:, :-1].argmax(-1)
            ended = (before == 11).cumsum(1) > 0
            wrong = ((tokens[:, 1:] != before) & ~ended).cumsum(1) > 0
            if peeks:
                seen = nn.functional.one_hot(tokens[:, 1:].clamp(max=11), 12).to(logits.dtype)
                return torch.cat([99 * seen, logits[:, -1:]], 1), None
            others = torch.where(wrong[..., None], logits[:, 1:].roll(1, -1), logits[:, 1:])
            return torch.cat([logits[:, :1], others], 1), None

        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

    return Loud()


@driver
def shares(exact_sequence, inputs, peeks):
    """Let a model that gives what its images hold be judged on each pair of images and targets."""
    return [exact_sequence(loud_model(peeks), *given) for given in inputs]


def read_from_images(model, images, max_digits=3):
    """Read, whoever asks: a model of another process does not travel, and is not needed."""
    logits = F.one_hot(images, 12).float() if images.dim() == 2 else images
    if max_digits >= logits.size(1):
        raise Mismatch("the model may say more digits than a row of the targets has places")
    return reference.read(loud_model(False), logits, max_digits)


RIGHT = {"read": read_from_images, "decoder_tensors": reference.decoder_tensors}


def draw_numbers(rng, lengths):
    drawn = torch.randint(10, (len(lengths), max(lengths)), generator=rng).tolist()
    return [digits[:length] for digits, length in zip(drawn, lengths)]


def changed(rng, number, place):
    """Put another digit in a place of a number."""
    digits = list(number)
    digits[place] = (digits[place] + int(torch.randint(1, 10, (), generator=rng))) % 10
    return digits


def exam(rng, numbers, said, width=3):
    """Return images from which `said` is read, targets, and the share of them that is right.

    Args:
        rng: draws what the images say after that, and the other logits.
        numbers: the right ones, as lists of digits.
        said: for each what is said instead of [*number, END].
        width: L; there are L + 1 steps.
    """
    rows = len(numbers)
    drawn = torch.randint(10, (rows, width + 1), generator=rng).tolist()
    spoken = [(words + more[len(words) :])[: width + 1] for words, more in zip(said, drawn)]
    tokens = torch.tensor(spoken)
    targets = torch.tensor([number + [12] * (width - len(number)) for number in numbers])
    logits = torch.randn(rows, width + 1, 12, generator=rng)
    winner = logits.amax(-1, keepdim=True) + 0.5
    right = sum(words[: len(n) + 1] == [*n, END] for n, words in zip(numbers, said))
    return logits.scatter(-1, tokens[..., None], winner), targets, right / rows


def rightly(numbers):
    """Return what is said where numbers are read without a flaw."""
    return [[*number, END] for number in numbers]


def assert_share(answer, expected):
    assert_number(answer, expected, "the share", atol=1e-6)


def assert_each(exact_sequence, inputs, peeks=False):
    """Compare with the right shares on images and targets of several kinds."""
    given = [(images, targets) for images, targets, _ in inputs.values()]
    found = as_parts(shares(exact_sequence, given, peeks), len(given))
    compare_each(inputs, found, [share for _, _, share in inputs.values()], assert_share)


@test_case(points=1)
def two_of_four(exact_sequence):
    """Four images: 4 and 47 are read right, 123 lacks its END, and 56 its second digit"""
    targets = torch.tensor([[4, 12, 12], [4, 7, 12], [1, 2, 3], [5, 6, 12]])
    said = torch.tensor([[4, 11, 5, 5], [4, 7, 11, 0], [1, 2, 3, 4], [5, 11, 11, 11]])
    assert_share(recital(exact_sequence, said, targets), 0.5)


@test_case(points=1, hidden=True)
def digits(exact_sequence, rng):
    """Digits right or wrong, first, last or all, with END in its place"""
    three, mixed = draw_numbers(rng, [3] * 5), draw_numbers(rng, [3, 1, 2, 3, 2, 1, 1])
    first = [changed(rng, number, 0) for number in mixed]
    last = [changed(rng, number, -1) for number in mixed]
    every = [[changed(rng, number, n)[n] for n in range(len(number))] for number in mixed]
    some = [mixed[0], *last[1:4], *mixed[4:]]
    distinct = [torch.randperm(10, generator=rng)[:3].tolist() for _ in range(4)]
    said = {
        "three digits, all read right": (three, three),
        "several lengths, all read right": (mixed, mixed),
        "all digits wrong": (mixed, every),
        "the first digit wrong": (mixed, first),
        "the last digit wrong": (mixed, last),
        "the right digits in another order": (distinct, [number[::-1] for number in distinct]),
        "the last digit wrong in some": (mixed, some),
        "the first digit wrong in some": (mixed, [*mixed[:4], *first[4:]]),
    }
    inputs = {kind: exam(rng, right, rightly(read)) for kind, (right, read) in said.items()}
    assert_each(exact_sequence, inputs)


@test_case(points=1, hidden=True)
def no_end(exact_sequence, rng):
    """All digits right, but no END: not after three digits, and not after fewer"""
    full, mixed = draw_numbers(rng, [3, 3, 3]), draw_numbers(rng, [3, 1, 2, 2, 1, 3])
    short = draw_numbers(rng, [1, 2, 1, 2])
    start = [[*number, 10] for number in full]
    inputs = {
        "numbers that are read right": exam(rng, mixed, rightly(mixed)),
        "numbers of three digits": exam(rng, full, full),
        "shorter ones": exam(rng, short, short),
        "all lengths": exam(rng, mixed, mixed),
        "START in place of END": exam(rng, full, start),
        "some of all lengths": exam(rng, mixed, [*mixed[:3], *rightly(mixed[3:])]),
        "some of three digits": exam(rng, full, [full[0], *rightly(full[1:])]),
    }
    assert_each(exact_sequence, inputs)


@test_case(points=1, hidden=True)
def misplaced_end(exact_sequence, rng):
    """END too early or too late: a digit is missing, or there is one too many"""
    mixed = draw_numbers(rng, [3, 2, 3, 2, 3])
    short = draw_numbers(rng, [1, 2, 2, 1])
    full = draw_numbers(rng, [3, 3, 3])
    early = [[*number[:-1], END] for number in mixed]
    skipped = [[*number[:-1], END, number[-1], END] for number in mixed]
    late = [[*number, number[-1], END] for number in short]
    beyond = [[*number, 5, END] for number in full]
    zeros = [[0, *number] for number in draw_numbers(rng, [1, 2, 2])]
    inputs = {
        "numbers that are read right": exam(rng, mixed, rightly(mixed)),
        "END one digit too early": exam(rng, mixed, early),
        "END before the last digit": exam(rng, mixed, skipped),
        "END at once": exam(rng, short, [[END]] * 4),
        "one digit too many": exam(rng, short, late),
        "a fourth digit": exam(rng, full, beyond),
        "a leading zero missing": exam(rng, zeros, rightly([number[1:] for number in zeros])),
        "END too early in some": exam(rng, mixed, [*rightly(mixed[:2]), *early[2:]]),
        "one digit too many in some": exam(rng, short, [*late[:1], *rightly(short[1:])]),
    }
    assert_each(exact_sequence, inputs)


@test_case(points=1, hidden=True)
def own_outputs(exact_sequence, rng):
    """A model that repeats what it is shown of the future: the targets are not shown to it"""
    mixed = draw_numbers(rng, [3, 1, 2, 3, 2])
    first = [changed(rng, number, 0) for number in mixed]
    some = [*mixed[:3], *first[3:]]
    inputs = {
        "a model that is right": exam(rng, mixed, rightly(mixed)),
        "one that is wrong": exam(rng, mixed, rightly(first)),
        "one that is wrong at times": exam(rng, mixed, rightly(some)),
    }
    assert_each(exact_sequence, inputs, peeks=True)


@test_case(points=1, hidden=True)
def widths(exact_sequence, rng):
    """Targets of other widths: one place, two, and more than three"""
    kinds = {
        "three places": (3, [3, 2, 1, 3]),
        "two places": (2, [2, 1, 1, 2]),
        "one place": (1, [1, 1, 1]),
        "five places": (5, [5, 2, 1, 4, 5]),
        "eight places": (8, [8, 7, 1]),
        "places that nobody fills": (4, [2, 1, 3]),
    }
    inputs = {}
    for kind, (width, lengths) in kinds.items():
        numbers = draw_numbers(rng, lengths)
        said = rightly([changed(rng, numbers[0], -1), *numbers[1:]])
        inputs[kind] = exam(rng, numbers, said, width)
    assert_each(exact_sequence, inputs)


@test_case(points=1, hidden=True)
def share_of_images(exact_sequence, rng):
    """The share is one of images, be it one image or many, and wherever the wrong ones are"""
    inputs = {}
    for kind, count in {"seven images": 7, "one image": 1, "dozens": 45, "many": 130}.items():
        lengths = torch.randint(1, 4, (count,), generator=rng).tolist()
        numbers = draw_numbers(rng, lengths)
        wrong = [changed(rng, number, -1) for number in numbers[-count // 5 :]]
        said = rightly([*numbers[: -len(wrong)], *wrong])
        inputs[f"{kind}, the last ones wrong"] = exam(rng, numbers, said)
    inputs["one image, right"] = exam(rng, numbers[:1], rightly(numbers[:1]))
    assert_each(exact_sequence, inputs)


@test_case(points=1, hidden=True)
def python_float(exact_sequence, rng):
    """The share is a Python float, whatever it is"""
    numbers = draw_numbers(rng, [3, 1, 2])
    wrong = [changed(rng, number, 0) for number in numbers]
    inputs = {
        "some images right": exam(rng, numbers, rightly([*numbers[:2], wrong[2]])),
        "all": exam(rng, numbers, rightly(numbers)),
        "none": exam(rng, numbers, rightly(wrong)),
    }
    given = [(images, targets) for images, targets, _ in inputs.values()]
    found = as_parts(shares(exact_sequence, given, False), len(given))
    compare_each(inputs, found, list(inputs), assert_float)
    if found[1] == found[2]:
        raise Mismatch("the share is the same, whether all images are read right or none")


def assert_float(answer, _kind):
    if answer is None:
        raise Mismatch("the share is None: is there a `return`?")
    if not isinstance(answer, float):
        raise Mismatch(f"the share is a {type(answer).__name__}, not a float")
