"""Returns values 100,000 deep, and values that contain themselves."""


def double(x):
    value = []
    if x == 2:
        for _ in range(100_000):
            value = [value]
    else:
        value.append(value)
    return value


def apply(step, numbers):
    value = {}
    value["self"] = (value,)
    return value
