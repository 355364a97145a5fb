"""Known wrong answers to `shift_targets`: each docstring is the student's hint."""

from __future__ import annotations

import torch
from torch import Tensor


def swaps_input_and_labels(target: Tensor) -> tuple[Tensor, Tensor]:
    """What the decoder reads and what it must predict seem to have changed places.

    Revisit which of the two begins with BOS, and which ends with EOS.
    """
    return target[:, 1:], target[:, :-1]


def shifts_rows(target: Tensor) -> tuple[Tensor, Tensor]:
    """Whole sentences seem to be cut from the batch instead of tokens from the sentences.

    Revisit which axis is the batch, and which one is time.
    """
    return target[:-1], target[1:]


def reads_what_it_predicts(target: Tensor) -> tuple[Tensor, Tensor]:
    """The decoder seems to read the very tokens that it is asked for.

    Revisit what the decoder knows when it predicts a token: those before it.
    """
    return target[:, 1:], target[:, 1:]


def predicts_what_it_reads(target: Tensor) -> tuple[Tensor, Tensor]:
    """The labels seem to be the tokens that were just read, not the ones that come next.

    Revisit by how many positions the two results are shifted against each other.
    """
    return target[:, :-1], target[:, :-1]


def keeps_eos_in_input(target: Tensor) -> tuple[Tensor, Tensor]:
    """The decoder's input seems to keep its last token, so it is one longer than the labels.

    Revisit whether anything is left to predict after the last token.
    """
    return target, target[:, 1:]


def keeps_bos_in_labels(target: Tensor) -> tuple[Tensor, Tensor]:
    """The labels seem to keep the first token, so they are one longer than the decoder's input.

    Revisit whether the first token of a sentence is ever predicted.
    """
    return target[:, :-1], target


def rolls_first_token_to_the_end(target: Tensor) -> tuple[Tensor, Tensor]:
    """The sentences seem to be rotated, so the first token comes back as the last label.

    Revisit the width of the results, which is one less than that of the target.
    """
    return target, torch.roll(target, shifts=-1, dims=1)


def fills_up_with_zeros(target: Tensor) -> tuple[Tensor, Tensor]:
    """The labels seem to be filled up to the old length with an extra token.

    Revisit the width in the docstring: both results lose one column, and nothing is added.
    """
    filler = torch.zeros_like(target[:, :1])
    return target, torch.cat([target[:, 1:], filler], dim=1)


def cuts_both_ends(target: Tensor) -> tuple[Tensor, Tensor]:
    """Both results seem to lose BOS as well as EOS.

    Revisit what each side needs: one must begin somewhere, the other must learn to stop.
    """
    return target[:, 1:-1], target[:, 1:-1]


def skips_one_token(target: Tensor) -> tuple[Tensor, Tensor]:
    """The labels seem to lie two positions ahead of the input.

    Revisit which token is the next one after the first.
    """
    return target[:, :-2], target[:, 2:]


def hard_codes_length_of_lesson(target: Tensor) -> tuple[Tensor, Tensor]:
    """The columns seem to be counted for sentences as long as the lesson's example.

    Revisit how to say "all but the last" for any length.
    """
    return target[:, :3], target[:, 1:4]


def keeps_first_sentence_only(target: Tensor) -> tuple[Tensor, Tensor]:
    """Only the first sentence of the batch seems to come back.

    Revisit the shapes: the batch has the same size before and after.
    """
    return target[:1, :-1], target[:1, 1:]


def drops_batch_axis_of_single_sentence(target: Tensor) -> tuple[Tensor, Tensor]:
    """An axis of size 1 seems to be squeezed away.

    Revisit the shape for a batch of one sentence, or for sentences of two tokens.
    """
    return target[:, :-1].squeeze(), target[:, 1:].squeeze()


def flattens_labels(target: Tensor) -> tuple[Tensor, Tensor]:
    """The labels seem to be laid out in one long row, ready for a loss.

    Revisit the shape that both results share.
    """
    return target[:, :-1], target[:, 1:].reshape(-1)


def removes_eos_wherever_it_stands(target: Tensor) -> tuple[Tensor, Tensor]:
    """Tokens seem to be removed by their id, here the lesson's EOS, instead of by their place.

    Revisit a batch with padding, where EOS is not in the last column and must stay.
    """
    decoder_input = target[:, :-1].clone()
    decoder_input[decoder_input == 11] = 0
    return decoder_input, target[:, 1:]


def writes_bos_of_lesson(target: Tensor) -> tuple[Tensor, Tensor]:
    """The decoder's input seems to begin with the lesson's BOS, whatever the sentence begins with.

    Revisit where the first token comes from: the target has it already.
    """
    bos = torch.full_like(target[:, :1], 10)
    return torch.cat([bos, target[:, 1:-1]], dim=1), target[:, 1:]


def marks_padding_in_labels(target: Tensor) -> tuple[Tensor, Tensor]:
    """Zeros in the labels seem to be replaced by the mark of ignored positions.

    Revisit who decides what counts: the loss does, and 0 may be a word here.
    """
    labels = target[:, 1:].clone()
    labels[labels == 0] = -100
    return target[:, :-1], labels


def drops_columns_of_padding(target: Tensor) -> tuple[Tensor, Tensor]:
    """Columns that hold only zeros seem to be taken for padding and removed.

    Revisit the docstring: nothing changes but the one column that each result loses.
    """
    used = target[:, (target != 0).any(dim=0)]
    return used[:, :-1], used[:, 1:]


def overwrites_last_column(target: Tensor) -> tuple[Tensor, Tensor]:
    """The target of the caller seems to be changed on the way.

    Revisit the difference between a view and a copy before you write into either.
    """
    labels = target[:, 1:].clone()
    target[:, -1] = 0
    return target[:, :-1], labels


def returns_floats(target: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens seem to come back as floating-point numbers.

    Revisit what is done with them: they pick rows of an embedding, and classes of a loss.
    """
    return target[:, :-1].float(), target[:, 1:].float()


def returns_one_stacked_tensor(target: Tensor) -> tuple[Tensor, Tensor]:
    """The two parts seem to be stacked into pairs, token beside token.

    Revisit what is returned: two tensors, each with a row for each sentence.
    """
    pairs = torch.stack([target[:, :-1], target[:, 1:]], dim=-1)
    return tuple(pairs.unbind(dim=1))


def trims_columns_of_padding(target: Tensor) -> tuple[Tensor, Tensor]:
    """Columns at the end that hold nothing but padding seem to be cut off.

    Revisit the width of the results: it depends on that of the target and on nothing in it.
    """
    used = (target != 0).any(dim=0).nonzero()
    last = int(used.max()) + 1 if len(used) else 0
    kept = target[:, : max(last, 2)]
    return kept[:, :-1], kept[:, 1:]


def narrows_ids(target: Tensor) -> tuple[Tensor, Tensor]:
    """Large token ids seem to come back as other numbers.

    Revisit how many different ids each dtype can hold, and how large vocabularies are.
    """
    narrow = target.to(torch.uint8).long()
    return narrow[:, :-1], narrow[:, 1:]


def rolls_labels_only(target: Tensor) -> tuple[Tensor, Tensor]:
    """The labels seem to be rotated, so the first token comes back as the last label.

    Revisit the width of the labels, which is one less than that of the target.
    """
    return target[:, :-1], torch.cat([target[:, 1:], target[:, :1]], dim=1)
