"""Says in its own words that a call has raised: infinite lines, texts that cannot be encoded."""

from _wire import request, send


def double(x):
    line = "Infinity" if x == 2 else "-1"
    send(
        f'{{"op": "raised", "printed": 0, "id": {request()}, "failure": {{"kinds": ["ValueError", 3, null],'
        f' "message": "\\ud800", "cell": 0, "line": {line}}}}}'
    )


def apply(step, numbers):
    send({"op": "raised", "id": request(), "failure": {"kinds": {}, "message": [], "cell": "x"}})
