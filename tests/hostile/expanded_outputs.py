"""Returns tensors of a trillion values that take no memory at all."""

import numpy as np
import torch


def double(x):
    return torch.zeros(1).expand(1 << 40) if x == 2 else torch.empty(1 << 45, device="meta")


def apply(step, numbers):
    return np.broadcast_to(np.int64(2), (1 << 20, 1 << 20))
