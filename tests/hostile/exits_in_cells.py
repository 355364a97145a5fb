"""Ends the process in two cells; what the other cells define still counts."""

import os

sys = __import__("sys")
sys.exit(0)
os._exit(0)
quit()
raise SystemExit("done")
os.abort()


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
