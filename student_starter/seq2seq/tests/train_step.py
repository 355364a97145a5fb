"""Public cases of `train_step`."""

import torch
from checking import assert_tensor, driver, test_case

OK_FORMAT = False
name = "train_step"


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


@test_case(points=2)
def toy_model_of_the_lesson(train_step):
    """The lesson's toy model: a loss of 2.8435 at first, and .3011 after 50 steps"""
    losses = losses_of_the_toy_model(train_step, 51)
    found = [losses[0], losses[50]]
    assert_tensor(found, torch.tensor([2.843536, 0.301099]), "the two losses", atol=1e-3)
