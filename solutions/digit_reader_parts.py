"""Stand-ins for the blocks of `Reader`, for grading it whatever a student's own do.

They have the weights that the given `__init__` makes. They run beside a student's code.
"""

from __future__ import annotations

from typing import Any

from autograder.checking import (
    call_loaded,
    calls_in_turn,
    driver,
    loaded_gradients,
    standing_in,
)


@driver
def torch_blocks() -> dict[str, Any]:
    """Return what stands in for `EncoderBlock` and `DecoderBlock`, by name."""
    from torch.nn import GELU, LayerNorm, Linear, Module, MultiheadAttention, Sequential

    class Block(Module):
        kinds: tuple[str, ...]

        def __init__(self, width: int, heads: int, inner: int) -> None:
            super().__init__()
            for kind in self.kinds:
                self.add_module(kind, MultiheadAttention(width, heads, batch_first=True))
            for kind in (*self.kinds, "feed_forward"):
                self.add_module(f"{kind}_norm", LayerNorm(width))
            self.feed_forward = Sequential(Linear(width, inner), GELU(), Linear(inner, width))

        def settle(self, kind: str, x: Any, said: Any) -> Any:
            return self.get_submodule(f"{kind}_norm")(said.add(x))

        def feed(self, x: Any) -> Any:
            return self.settle("feed_forward", x, self.feed_forward(x))

    class TorchEncoderBlock(Block):
        kinds = ("attention",)

        def forward(self, x: Any) -> Any:
            said, _ = self.get_submodule("attention")(query=x, key=x, value=x)
            return self.feed(self.settle("attention", x, said))

    class TorchDecoderBlock(Block):
        kinds = ("self_attention", "cross_attention")

        def forward(self, x: Any, memory: Any, mask: Any, want_weights: bool = False) -> Any:
            said, _ = self.get_submodule("self_attention")(query=x, key=x, value=x, attn_mask=mask)
            x = self.settle("self_attention", x, said)
            said, weights = self.get_submodule("cross_attention")(query=x, key=memory, value=memory)
            x = self.settle("cross_attention", x, said)
            return self.feed(x), weights if want_weights else None

    return {"EncoderBlock": TorchEncoderBlock, "DecoderBlock": TorchDecoderBlock}


@driver
def among_right_blocks(module: Any, task: str, *arguments: Any) -> Any:
    """Run a driver for modules on a class whose blocks are right, whatever the student's are.

    Args:
        module: the class.
        task: "calls" for the driver `call_loaded`, "gradients" for `loaded_gradients`, "turns" for
            `calls_in_turn`.
        arguments: the driver's others.
    """
    tasks = {"calls": call_loaded, "gradients": loaded_gradients, "turns": calls_in_turn}
    return standing_in(module, torch_blocks(), lambda: tasks[task](module, *arguments))
