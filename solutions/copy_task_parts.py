"""Stand-ins for classes of `copy_task`, for grading those that are made of them.

They have the weights that the given `__init__` makes, and leave the work to functions of torch.
They run beside a student's code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.checking import (
    call_loaded,
    calls_in_turn,
    driver,
    loaded_gradients,
    standing_in,
)


@driver
def torch_attention() -> Any:
    """Return the class that stands in for `MultiHeadAttention`."""
    import torch
    from torch.nn import Linear, Module
    from torch.nn.functional import scaled_dot_product_attention as attend

    class TorchAttention(Module):
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            for name in ("query", "key", "value", "output"):
                self.add_module(name, Linear(width, width))

        def split(self, name: str, rows: Any) -> Any:
            return torch.stack(self.get_submodule(name)(rows).chunk(self.heads, dim=-1), dim=1)

        def forward(self, x: Any, memory: Any, visible: Any) -> Any:
            q, k, v = self.split("query", x), self.split("key", memory), self.split("value", memory)
            units = torch.eye(k.size(2), dtype=k.dtype).expand(*k.shape[:2], -1, -1)
            mixed = torch.cat(attend(q, k, v, attn_mask=visible).unbind(1), dim=-1)
            return self.get_submodule("output")(mixed), attend(q, k, units, attn_mask=visible)

    return TorchAttention


@driver
def torch_blocks() -> Any:
    """Return the classes that stand in for `EncoderBlock` and `DecoderBlock`."""
    from torch.nn import LayerNorm, Linear, Module, ReLU, Sequential

    attention = torch_attention()

    class Block(Module):
        kinds: tuple[str, ...]

        def __init__(self, width: int, heads: int, inner: int) -> None:
            super().__init__()
            for name in self.kinds:
                self.add_module(name, attention(width, heads))
            for name in (*self.kinds, "feed_forward"):
                self.add_module(f"{name}_norm", LayerNorm(width))
            self.feed_forward = Sequential(Linear(width, inner), ReLU(), Linear(inner, width))

        def attend(self, kind: str, x: Any, memory: Any, visible: Any) -> Any:
            normed = self.get_submodule(f"{kind}_norm")(x)
            known = normed if memory is None else memory
            return self.get_submodule(kind)(normed, known, visible)[0].add(x)

        def feed(self, x: Any) -> Any:
            return self.feed_forward(self.get_submodule("feed_forward_norm")(x)).add(x)

    class TorchEncoderBlock(Block):
        kinds = ("attention",)

        def forward(self, x: Any, visible: Any) -> Any:
            return self.feed(self.attend("attention", x, None, visible))

    class TorchDecoderBlock(Block):
        kinds = ("self_attention", "cross_attention")

        def forward(self, x: Any, memory: Any, target_visible: Any, source_visible: Any) -> Any:
            x = self.attend("self_attention", x, None, target_visible)
            return self.feed(self.attend("cross_attention", x, memory, source_visible))

    return TorchEncoderBlock, TorchDecoderBlock


@driver
def among_right_parts(module: Any, names: Sequence[str], task: str, *arguments: Any) -> Any:
    """Run a driver for modules on a class whose parts are right, whatever the student's are.

    Args:
        module: the class.
        names: what stands in: "MultiHeadAttention", "EncoderBlock", "DecoderBlock".
        task: "calls" for the driver `call_loaded`, "gradients" for `loaded_gradients`, "turns" for
            `calls_in_turn`.
        arguments: the driver's others.
    """
    tasks = {"calls": call_loaded, "gradients": loaded_gradients, "turns": calls_in_turn}
    encoder, decoder = torch_blocks()
    right = {"EncoderBlock": encoder, "DecoderBlock": decoder}
    right["MultiHeadAttention"] = torch_attention()
    parts = {name: right[name] for name in names}
    return standing_in(module, parts, lambda: tasks[task](module, *arguments))
