"""Tells the hidden inputs by exception texts, names of classes and markup.

Where the inputs of a hidden case would be told, there would be `leak` and the number.
"""

import warnings


def double(x):
    kind = type(f"leak{x}", (ValueError,), {"__module__": f"leak{x}"})
    warnings.warn(f"leak{x}", stacklevel=1)
    error = kind(f"<script>alert('leak{x}')</script>")
    error.add_note(f"leak{x}")
    raise error from KeyError(f"leak{x}")


def apply(step, numbers):
    if len(numbers) == 3:
        return type(f"leak{numbers[0]}", (), {})()
    exec(compile(f"\n\nraise ValueError('leak{numbers[0]}')", f"<cell leak{numbers[0]}>", "exec"))
