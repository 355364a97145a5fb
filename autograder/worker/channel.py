"""Whole messages over a connection: a JSON object each, and raw bytes.

A frame is two lengths (4 and 8 bytes, big-endian), a JSON object, and the bytes of its tensors one
after another. This module imports no torch, so that a process can be started before that.
"""

from __future__ import annotations

import json
import struct
import time
from typing import Any, Protocol

HEAD = struct.Struct("!IQ")
MAX_JSON_BYTES = 16 << 20
MAX_BLOB_BYTES = 256 << 20
SLACK_SECONDS = 0.1
SMALL_PIECE, LARGE_PIECE = 1 << 14, 1 << 20


class WireError(Exception):
    """A message is malformed, too large, or of a kind that is not sent."""


class Closed(Exception):
    """The other side is gone."""


class Expired(Exception):
    """The deadline passed before a whole message arrived."""


class Connection(Protocol):
    """What a channel needs: a socket, or something like it."""

    def settimeout(self, seconds: float | None, /) -> None:
        """Let `recv` raise `TimeoutError` after so many seconds."""

    def recv(self, size: int, /) -> bytes:
        """Return what has arrived, up to a size; nothing if the other side is gone."""

    def sendall(self, data: bytes, /) -> None:
        """Send all of it."""

    def close(self) -> None:
        """Hang up."""


class Channel:
    """One end of the connection: sends and receives whole messages."""

    def __init__(self, connection: Connection) -> None:
        self._socket = connection
        self._received = bytearray()
        self._timeout: float | None = None
        connection.settimeout(None)

    def send(
        self,
        message: dict[str, Any],
        blobs: list[bytes] | None = None,
        deadline: float | None = None,
    ) -> None:
        """Send a message and the bytes of its tensors.

        Args:
            message: plain values.
            blobs: what `Encoder` gathered.
            deadline: a `time.monotonic()` value; None waits for ever.

        Raises:
            WireError: if it is too large.
            Closed: if the other side is gone.
            Expired: if it does not take the message in time.
        """
        head = json.dumps(message).encode()
        body = b"".join(blobs or [])
        if len(head) > MAX_JSON_BYTES or len(body) > MAX_BLOB_BYTES:
            raise WireError("the message is too large")
        self._wait_until(deadline)
        try:
            self._socket.sendall(HEAD.pack(len(head), len(body)) + head + body)
        except TimeoutError as error:
            raise Expired from error
        except OSError as error:
            raise Closed from error

    def receive(self, deadline: float | None = None) -> tuple[dict[str, Any], bytes]:
        """Return the next message and its bytes.

        Args:
            deadline: a `time.monotonic()` value; None waits for ever.

        Raises:
            WireError, Closed, Expired: as their names say.
        """
        self._wait_for(HEAD.size, deadline)
        head_size, body_size = HEAD.unpack_from(self._received)
        if head_size > MAX_JSON_BYTES or body_size > MAX_BLOB_BYTES:
            raise WireError("the message is too large")
        middle, end = HEAD.size + head_size, HEAD.size + head_size + body_size
        self._wait_for(end, deadline)
        head, body = self._received[HEAD.size : middle], bytes(self._received[middle:end])
        del self._received[:end]
        try:
            message = json.loads(head)
        except (ValueError, RecursionError) as error:
            raise WireError("the message is not JSON") from error
        if not isinstance(message, dict):
            raise WireError("the message is not an object")
        return message, body

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _wait_for(self, size: int, deadline: float | None) -> None:
        """Wait until so many bytes have arrived."""
        while len(self._received) < size:
            self._more(size - len(self._received), deadline)

    def _more(self, size: int, deadline: float | None) -> None:
        self._wait_until(deadline)
        try:
            piece = self._socket.recv(min(max(size, SMALL_PIECE), LARGE_PIECE))
        except TimeoutError as error:
            raise Expired from error
        except OSError as error:
            raise Closed from error
        if not piece:
            raise Closed
        self._received += piece

    def _wait_until(self, deadline: float | None) -> None:
        """Set the socket's timeout, which costs system calls, only where it changes by much."""
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise Expired
        if left is None or self._timeout is None:
            changed = left is not self._timeout
        else:
            changed = not 0 <= self._timeout - left < SLACK_SECONDS
        if changed:
            self._timeout = left
            self._socket.settimeout(left)
