"""Cases of `train_step`.

The model that is trained is the grader's own.
"""

import torch

from autograder.checking import Differentiable, Mismatch, assert_tensor, driver, test_case
from solutions import seq2seq as reference

OK_FORMAT = False
name = "train_step"

RIGHT = {
    "causal_mask": reference.causal_mask,
    "shift_targets": reference.shift_targets,
    "smoothed_targets": reference.smoothed_targets,
    "smoothed_cross_entropy": Differentiable(reference.smoothed_cross_entropy),
}


@driver
def losses_of_the_toy_model(train_step, steps):
    """Train the lesson's toy model, without dropout, on its ten digits."""
    import torch
    from torch import nn

    class ToySeq2Seq(nn.Module):
        def __init__(self):
            super().__init__()
            self.source_embedding = nn.Embedding(12, 16)
            self.target_embedding = nn.Embedding(12, 16)
            self.transformer = nn.Transformer(16, 2, 1, 1, 32, dropout=0.0, batch_first=True)
            self.projection = nn.Linear(16, 12)

        def forward(self, source, decoder_input, mask=None):
            source, target = self.source_embedding(source), self.target_embedding(decoder_input)
            return self.projection(self.transformer(source, target, tgt_mask=mask))

    torch.manual_seed(99)
    model = ToySeq2Seq()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    source = torch.arange(10).unsqueeze(1)
    target = torch.tensor([[10, digit, digit, 11] for digit in range(10)])
    return [train_step(model, optimizer, source, target) for _ in range(steps)]


@driver
def training_run(train_step, source, target, pad, steps, stale_gradient, modal):
    """Train a small causal model by plain gradient descent; return losses, modes and logits.

    A modal model answers otherwise in evaluation mode.
    """
    import torch
    from torch import nn

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.source_embedding = nn.Embedding(9, 6)
            self.target_embedding = nn.Embedding(9, 6)
            self.projection = nn.Linear(6, 9)
            self.modes = []

        def forward(self, source, decoder_input, mask):
            self.modes.append(self.training)
            if mask.dtype == torch.bool:
                mask = torch.zeros(mask.shape).masked_fill(mask, float("-inf"))
            hidden = self.target_embedding(decoder_input)
            weights = torch.softmax(hidden @ hidden.transpose(-2, -1) / 3 + mask, dim=-1)
            hidden = weights @ hidden + self.source_embedding(source).mean(1, keepdim=True)
            return self.projection(0.5 * hidden if modal and not self.training else hidden)

    torch.default_generator.manual_seed(7)  # torch.manual_seed takes as long as a step
    model = Model().eval()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    if stale_gradient:
        for parameter in model.parameters():
            parameter.grad = torch.ones_like(parameter)
    others = [] if pad is None else [pad]
    losses = [train_step(model, optimizer, source, target, *others) for _ in range(steps)]
    modes = list(model.modes)
    with torch.no_grad():
        mask = torch.full((3, 3), float("-inf")).triu(1)
        logits = model.train()(source, target[:, :3], mask)
    return losses, modes, [type(loss).__name__ for loss in losses], logits


def runs(train_step, rng, pad, steps=4, stale_gradient=False, modal=False):
    """Run the student's step and the reference's on the same sentences."""
    source = torch.randint(0, 9, (4, 3), generator=rng)
    target = torch.randint(1, 9, (4, 6), generator=rng)
    if pad is not None:
        target[0, 4:], target[1, 2:], target[2, 5:] = pad, pad, pad
    return compared(train_step, source, target, pad, steps, stale_gradient, modal)


def compared(train_step, *arguments):
    found = training_run(train_step, *arguments)
    if not isinstance(found, tuple) or len(found) != 4:
        raise Mismatch("the run did not come to its end")
    return found, training_run(reference.train_step, *arguments)


def assert_losses(found, expected):
    assert_tensor(found[0], torch.tensor(expected[0]), "the losses", atol=2e-5)


@test_case(points=2)
def toy_model_of_the_lesson(train_step):
    """The lesson's toy model: a loss of 2.8435 at first, and .3011 after 50 steps"""
    losses = losses_of_the_toy_model(train_step, 51)
    found = [losses[0], losses[50]]
    assert_tensor(found, torch.tensor([2.843536, 0.301099]), "the two losses", atol=1e-3)


@test_case(points=2, hidden=True)
def several_steps(train_step, rng):
    """Losses over several steps, and the logits of the model after them"""
    source = torch.randint(0, 9, (4, 3), generator=rng)
    target = torch.randint(0, 9, (4, 6), generator=rng)
    target[0, 3] = target[2, 1] = 0
    found, expected = compared(train_step, source, target, None, 4, False, False)
    assert_losses(found, expected)
    assert_tensor(found[3], expected[3], "the logits after training", atol=1e-3)


@test_case(points=2, hidden=True)
def padding(train_step, rng):
    """Labels that are padding do not count, whichever id that is, 0 too"""
    for pad in (8, 0):
        assert_losses(*runs(train_step, rng, pad))


@test_case(points=1, hidden=True)
def fresh_gradients(train_step, rng):
    """Gradients left over from before the step do not count"""
    assert_losses(*runs(train_step, rng, None, stale_gradient=True))


@test_case(points=1, hidden=True)
def training_mode(train_step, rng):
    """The model is in training mode when it is called"""
    found, expected = runs(train_step, rng, None, steps=2, modal=True)
    assert_losses(found, expected)
    if not all(found[1]):
        raise Mismatch("the model is called in evaluation mode")


@test_case(points=1, hidden=True)
def one_label(train_step, rng):
    """Sentences of another length, and a batch of one"""
    source, target = torch.tensor([[1, 2]]), torch.tensor([[3, 4, 5, 1, 2, 6, 7, 1]])
    arguments = (source, target, None, 2, False, False)
    assert_losses(
        training_run(train_step, *arguments), training_run(reference.train_step, *arguments)
    )


@test_case(points=1, hidden=True)
def python_float(train_step, rng):
    """The loss is a Python float"""
    found, expected = runs(train_step, rng, None, steps=1)
    assert_losses(found, expected)
    if found[2][0] not in ("float", "float64"):
        raise Mismatch("the loss is not a Python float")
