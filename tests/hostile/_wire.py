"""What several attacks share: the test puts this text in the place of `from _wire import …`."""

import gc
import json
import os
import stat
import struct
import sys


def _server():
    frame = sys._getframe()
    while frame is not None:
        if hasattr(frame.f_locals.get("self"), "_channel"):
            return frame.f_locals["self"]
        frame = frame.f_back
    return next((o for o in gc.get_objects() if type(o).__name__ == "Server"), None)


def _is_socket(number):
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False


def connection():
    """Return the descriptor that leads to the grader."""
    try:
        return _server()._channel._socket.fileno()
    except AttributeError:
        return min(filter(_is_socket, range(3, 256)))


def request():
    """Return the id of the request that is being answered."""
    return getattr(_server(), "_request", 1)


def send_bytes(data):
    """Write raw bytes to the grader."""
    view, number = memoryview(data), connection()
    while view:
        view = view[os.write(number, view) :]


def frame_of(head, body=b""):
    """Pack a frame of the protocol; `head` may be JSON text, valid or not."""
    text = head if isinstance(head, str) else json.dumps({"printed": 0, **head})
    text = text.encode()
    return struct.pack("!IQ", len(text), len(body)) + text + body


def send(head, body=b""):
    """Send a frame that the worker itself has not made."""
    send_bytes(frame_of(head, body))
