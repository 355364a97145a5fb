"""Public cases of `train_translator`."""

import torch
from checking import Mismatch, driver, test_case
from checking import seeded as generator_of

OK_FORMAT = False
name = "train_translator"
SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
HELD_OUT = 100
ENOUGH = 0.9


@driver
def translations(train_translator, pairs, questions):
    """Train on pairs and translate questions."""
    translate = train_translator(pairs, seed=0)
    return [translate(question) for question in questions]


def english(number):
    """Spell 0 ... 999: 342 is "three hundred forty two"."""
    hundreds, rest = divmod(number, 100)
    words = [SMALL[hundreds], "hundred"] if hundreds else []
    if rest >= 20:
        words.append(TENS[rest // 10 - 2])
        rest %= 10
    if rest or not words:
        words.append(SMALL[rest])
    return " ".join(words)


def assert_learns(train_translator, rng, spell):
    """Train on most numbers of a language and count how many of the others come out right."""
    order = (torch.randperm(900, generator=rng) + 100).tolist()
    asked, learned = order[:HELD_OUT], [*range(100), *order[HELD_OUT:]]
    shuffled = [learned[i] for i in torch.randperm(len(learned), generator=rng).tolist()]
    pairs = [(str(number), spell(number)) for number in shuffled]
    answers = translations(train_translator, pairs, [str(n) for n in asked])
    if not all(isinstance(answer, str) for answer in answers):
        raise Mismatch("a translation is not a string")
    count = sum(answer == spell(number) for answer, number in zip(answers, asked))
    if count < ENOUGH * HELD_OUT:
        raise Mismatch(f"{count} of {HELD_OUT} unseen numbers come out right, not {ENOUGH:.0%}")


@test_case(points=2)
def english_numbers(train_translator):
    """English: 90 of 100 numbers that were not among the pairs (this takes up to a minute)"""
    assert_learns(train_translator, generator_of(1, "english"), english)
