"""Messages arrive whole and equal, or are refused; nothing of them is executed."""

import json
import math
import socket
import threading
import time

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.worker import wire
from autograder.worker.channel import HEAD, Channel, Closed, Expired, WireError
from autograder.worker.wire import Decoder, Encoder, Opaque

plain = st.none() | st.booleans() | st.integers(-(1 << 62), 1 << 62) | st.floats() | st.text()
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


def round_trip(value):
    encoder = Encoder()
    data = json.loads(json.dumps(encoder.encode(value)))
    return Decoder(b"".join(encoder.blobs)).decode(data)


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


@given(values)
def test_plain_values_come_back_equal(value):
    assert same(round_trip(value), value)


@given(
    st.sampled_from(sorted(wire.DTYPES)),
    st.lists(st.integers(0, 4), max_size=4),
)
def test_tensors_of_every_dtype_and_shape_come_back_equal(name, shape):
    tensor = (torch.rand(shape) * 9).to(wire.DTYPES[name])
    back = round_trip([tensor, 1])[0]
    assert back.dtype == tensor.dtype
    assert torch.equal(back, tensor)


def test_views_subclasses_and_negative_strides_arrive_as_what_they_show():
    assert torch.equal(round_trip(torch.arange(6).reshape(2, 3).T), torch.arange(6).reshape(2, 3).T)
    assert torch.equal(round_trip(torch.nn.Parameter(torch.ones(2))), torch.ones(2))
    assert np.array_equal(round_trip(np.arange(4)[::-1]), np.arange(4)[::-1])
    assert round_trip(np.float32(1.5)) == 1.5


def test_what_cannot_be_sent_leaves_the_name_of_its_type():
    for value, name in ((object(), "object"), (1j, "complex"), (len, "builtin_function_or_method")):
        assert round_trip(value) == Opaque(name)
    assert "complex64" in round_trip(torch.ones(1, dtype=torch.complex64)).type_name
    assert "1,099,511,627,776" in round_trip(torch.zeros(1).expand(1 << 40)).type_name


def test_functions_go_only_where_they_are_asked_for():
    assert round_trip(len) == Opaque("builtin_function_or_method")
    encoder = Encoder(send_functions=True)
    assert encoder.encode([len]) == [{"function": 0}]
    with pytest.raises(WireError):
        Decoder(b"").decode({"function": 0})


@pytest.mark.parametrize(
    "data",
    [
        {"tensor": "float32", "shape": [1 << 39], "size": 4},
        {"tensor": "float32", "shape": [-1], "size": 4},
        {"tensor": "float32", "shape": [1.0], "size": 4},
        {"tensor": "float32", "shape": [2], "size": 8},
        {"tensor": "object", "shape": [1], "size": 4},
        {"tensor": ["float32"], "shape": [1], "size": 4},
        {"tensor": "float32", "shape": [1] * 40, "size": 4},
        {"tensor": "float32"},
        {"dict": [[[1], 2]]},
        {"dict": [1]},
        {"tuple": 3},
        {"float": "1e5"},
        {"pickle": "gASV"},
        {},
    ],
)
def test_malformed_values_are_refused(data):
    with pytest.raises(WireError):
        Decoder(b"1234").decode(data)


def test_depth_and_count_are_capped_on_both_sides():
    deep = []
    for _ in range(100):
        deep = [deep]
    for side in (Encoder().encode, Decoder(b"").decode):
        with pytest.raises(WireError):
            side(deep)
        with pytest.raises(WireError):
            side([0] * (wire.MAX_VALUES + 1))


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    yield Channel(ours), theirs
    ours.close()
    theirs.close()


def test_a_header_that_claims_a_petabyte_is_refused_at_once(ends):
    channel, other = ends
    other.sendall(HEAD.pack(10, 1 << 50))
    with pytest.raises(WireError):
        channel.receive()


@pytest.mark.parametrize("head", [b"nonsense", b"[1]", b"[" * 100_000, b"\xff\xfe"])
def test_a_head_that_is_no_object_is_refused(ends, head):
    channel, other = ends
    other.sendall(HEAD.pack(len(head), 0) + head)
    with pytest.raises(WireError):
        channel.receive()


def test_bytes_dripped_slowly_do_not_outlast_the_deadline(ends):
    channel, other = ends
    drops, fallen = HEAD.pack(100, 0) + b" " * 100, []

    def drip():
        for byte in drops:
            try:
                other.sendall(bytes([byte]))
            except OSError:
                return
            fallen.append(byte)
            time.sleep(0.02)

    threading.Thread(target=drip, daemon=True).start()
    with pytest.raises(Expired):
        channel.receive(time.monotonic() + 0.2)
    assert len(fallen) < len(drops)


def test_the_end_of_the_other_side_is_noticed(ends):
    channel, other = ends
    other.close()
    with pytest.raises(Closed):
        channel.receive()
