"""Says that all cells have run, in its own words: 100,000 failures in cells without end."""

from _wire import send

failure = {"kinds": ["ValueError"], "message": "x" * 50, "cell": 0, "line": 1}
names = ["double", "apply", "rng", "__init__"]
send(
    {
        "op": "loaded",
        "failures": [failure] * 100_000,
        "functions": names,
        "kinds": {},
        "notes": ["note " * 1000] * 1000,
    }
)


def double(x):
    return None
