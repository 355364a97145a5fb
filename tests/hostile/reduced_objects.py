"""Returns objects that would run code if anybody unpickled them, and pickles on the wire."""

import pickle

import numpy as np
from _wire import send_bytes


class Bomb:
    def __reduce__(self):
        return exec, ("open('@CANARY@/new.txt', 'w').write('unpickled')",)


def double(x):
    if x == 2:
        return Bomb()
    send_bytes(pickle.dumps(Bomb()))
    return np.array([Bomb()], dtype=object)


def apply(step, numbers):
    step(Bomb())
    return [Bomb(), pickle.dumps(Bomb())]
