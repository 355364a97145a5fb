"""Public cases of `make_dataset`."""

from checking import Mismatch, as_tokens, assert_pair, test_case

OK_FORMAT = False
name = "make_dataset"
NAMES = ("train", "held_out")


def as_sequences(part, label):
    """Take a part of a dataset as a list of lists of ints, whatever it is made of."""
    rows = part.tolist() if hasattr(part, "tolist") else part
    if not isinstance(rows, (list, tuple)):
        raise Mismatch(f"{label} is not a list of sequences")
    return [as_tokens(row, f"a sequence of {label}") for row in rows]


def as_dataset(answer):
    """Take an answer as the two parts of a dataset."""
    return [as_sequences(part, label) for part, label in zip(assert_pair(answer, NAMES), NAMES)]


def assert_sizes(parts):
    for part, label, size in zip(parts, NAMES, (467, 117)):
        if len(part) != size:
            raise Mismatch(f"{label} has {len(part)} sequences, not {size}")


@test_case(points=1)
def split_of_the_lesson(make_dataset):
    """The lesson's split: 467 and 117 sequences, and [11, 10, 11] is the first that is held out"""
    parts = as_dataset(make_dataset())
    assert_sizes(parts)
    for part, label, right in zip(parts, NAMES, ([5, 49, 413], [3, 15, 99])):
        lengths = [sum(len(sequence) == n for sequence in part) for n in (1, 2, 3)]
        if lengths != right:
            wrong = f"{label} has not the right number of sequences of one, two and three symbols"
            raise Mismatch(wrong, f"expected {right}, got {lengths}")
    first = parts[1][0]
    if first != [11, 10, 11]:
        raise Mismatch("the first held-out sequence is another one", f"it is {first}")
