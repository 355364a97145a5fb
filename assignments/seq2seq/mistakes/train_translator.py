"""Known wrong answers to `train_translator`: each docstring is the student's hint."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn


def no_positions(pairs: list[tuple[str, str]], seed: int = 0) -> Callable[[str], str]:
    """The model seems to see which digits there are but not where they stand, so 42 is 24 to it.

    Revisit how a sentence of the same tokens in another order can look different to a Transformer.
    """
    torch.manual_seed(seed)
    vocabulary = ["", *sorted({word for _, words in pairs for word in words.split()})]
    longest = max(len(words.split()) for _, words in pairs)
    numbers = [words.split() + [""] * longest for _, words in pairs]
    labels = torch.tensor([[vocabulary.index(w) for w in row[:longest]] for row in numbers])
    bags = torch.tensor([[float(text.count(d)) for d in "0123456789"] for text, _ in pairs])
    size = len(vocabulary)
    model = nn.Sequential(nn.Linear(10, 128), nn.ReLU(), nn.Linear(128, longest * size))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(300):
        optimizer.zero_grad()
        F.cross_entropy(model(bags).view(-1, size), labels.view(-1)).backward()
        optimizer.step()

    def translate(text: str) -> str:
        bag = torch.tensor([float(text.count(digit)) for digit in "0123456789"])
        best = model(bag).view(longest, size).argmax(dim=-1).tolist()
        return " ".join(vocabulary[word] for word in best if word)

    return translate


def memorises_the_pairs(pairs: list[tuple[str, str]], seed: int = 0) -> Callable[[str], str]:
    """The pairs seem to be looked up in a table, which knows nothing about other numbers.

    Revisit what is graded: numbers that are not in the pairs.
    """
    table = dict(pairs)
    return lambda text: table.get(text, "")


def spells_english_by_rule(pairs: list[tuple[str, str]], seed: int = 0) -> Callable[[str], str]:
    """English number words seem to be written into the program, so no other language is learned.

    Revisit where the words come from: the pairs are all that the translator knows.
    """
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split()
    ones += "fourteen fifteen sixteen seventeen eighteen nineteen".split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()

    def translate(text: str) -> str:
        number = int(text)
        if number >= 100:
            rest = number % 100
            words = f"{ones[number // 100]} hundred"
            return f"{words} {translate(str(rest))}" if rest else words
        if number < 20:
            return ones[number]
        return f"{tens[number // 10 - 2]} {ones[number % 10] if number % 10 else ''}".strip()

    return translate


def returns_input_unchanged(pairs: list[tuple[str, str]], seed: int = 0) -> Callable[[str], str]:
    """The digits seem to come back as they went in.

    Revisit what `translate` returns: words of the target language.
    """
    return lambda text: text


def answers_with_nearest_known_number(
    pairs: list[tuple[str, str]], seed: int = 0
) -> Callable[[str], str]:
    """The answer seems to be that of the nearest number among the pairs.

    Revisit what it means to generalise: a new number needs words in a new combination.
    """
    known = {int(text): words for text, words in pairs}
    return lambda text: known[min(known, key=lambda number: abs(number - int(text)))]


def joins_words_of_single_digits(
    pairs: list[tuple[str, str]], seed: int = 0
) -> Callable[[str], str]:
    """Each digit seems to be translated by itself and the words joined.

    Revisit how the place of a digit changes its word, as in 4 and 42.
    """
    table = {text: words for text, words in pairs if len(text) == 1}
    return lambda text: " ".join(table.get(digit, digit) for digit in text)


def answers_with_most_frequent_words(
    pairs: list[tuple[str, str]], seed: int = 0
) -> Callable[[str], str]:
    """Every number seems to get the same answer, as if nothing had been learned yet.

    Revisit how long to train: watch the loss fall, and use the minute that you have.
    """
    words = [words for _, words in pairs]
    frequent = max(sorted(set(words)), key=words.count)
    return lambda text: frequent
