"""Public cases of `train_reader`."""

import math
import torch
from checking import Mismatch, as_parts, assert_number, driver, test_case

OK_FORMAT = False
name = "train_reader"


@driver
def model_of_known_loss():
    """Make a model that learns nothing and whose loss is known, whatever it is fed.

    To START, which is never right, it gives a logit that makes the loss ln 12 and ln 48 by turns,
    and ln 2 more after each epoch: so the means are ln 24, ln 48, ln 96 ... It notes how it is
    called for a step: its modes, and how many digits there are in each row of tokens.
    """
    import math

    import torch
    from torch import nn

    class KnownLoss(nn.Module):
        def __init__(self):
            super().__init__()
            self.nothing = nn.Parameter(torch.zeros(1))
            self.epochs, self.modes, self.digits = 0, [], []

        def forward(self, images, tokens):
            logits = torch.zeros(*tokens.shape, 12)
            total = 12 * 4 ** (len(self.modes) % 2) * 2**self.epochs
            logits[..., 10] = math.log(total - 11)
            if torch.is_grad_enabled():
                self.modes.append(self.training)
                self.digits += (tokens < 10).sum(1).tolist()
            return logits + 0 * self.nothing + 0 * images.sum()

    return KnownLoss()


@driver
def short_training(train_reader, settings):
    """Train a model of known loss with digits that are made up; return what it noted, too."""
    import torch

    model = model_of_known_loss().eval()

    def after_epoch():
        model.epochs += 1
        model.eval()

    digits = torch.eye(64)[:10].view(10, 8, 8)
    settings = {**settings, "after_epoch": after_epoch}
    losses = train_reader(model, digits, torch.arange(10), **settings)
    return [losses, model.epochs, model.modes, sorted(set(model.digits))]


@test_case(points=1)
def losses(train_reader):
    """A model of known loss: the means of two epochs are ln 24, ln 48; `after_epoch` is called"""
    found, calls, _, _ = as_parts(short_training(train_reader, {"epochs": 2}), 4)
    if not isinstance(found, (list, tuple)):
        raise Mismatch(f"the losses are a {type(found).__name__}, not a list")
    if len(found) != 2:
        raise Mismatch(f"there are {len(found)} losses after 2 epochs")
    for loss, right, which in zip(found, (24, 48), ("first", "second")):
        if not isinstance(loss, float):
            raise Mismatch(f"a loss is a {type(loss).__name__}, not a float")
        assert_number(loss, math.log(right), f"the mean loss of the {which} epoch", atol=0.1)
    if calls != 2:
        raise Mismatch(f"`after_epoch` is called {calls} times in 2 epochs")
