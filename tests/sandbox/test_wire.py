"""Messages between judge and worker: what crosses unchanged, and what a forger may send."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, scalar_dtypes

from autograde.engine.calling import Failure, Unsupported, fresh
from autograde.engine.exercise import Rng
from autograde.sandbox.host.replies import failure, lengths, parse, plain_value, results
from autograde.sandbox.wire import LENGTHS, MOST_BODY, MOST_HEADER, Body, ProtocolError, decode, encode, frame

PLAIN_ARRAYS = arrays(
    st.one_of(scalar_dtypes()).filter(lambda dtype: dtype.kind in "biuf" and dtype.itemsize <= 8),
    array_shapes(min_dims=0, min_side=0, max_dims=4, max_side=4),
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    PLAIN_ARRAYS,
    st.builds(Rng, st.integers(0, 2**31)),
)
ARGUMENTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers()), inner, max_size=3),
    ),
    max_leaves=8,
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20))
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["array", "shape", "tuple", "unsupported", "value", "failure", "changed", "id"]), inner),
    ),
)


def result(node, body):
    """The one outcome of a message that tells one."""
    [outcome] = results({"outcomes": [node]}, body, [(1, 2)])
    return outcome


def same(one, other):
    if isinstance(one, np.ndarray):
        return (
            one.dtype.newbyteorder("=") == other.dtype
            and one.shape == other.shape
            and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        )
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


@given(ARGUMENTS)
@settings(max_examples=300, deadline=None)
def test_arguments_cross_unchanged(value):
    blobs = []
    node = json.loads(json.dumps(encode(value, blobs)))
    assert same(value, decode(node, Body(b"".join(blobs))))


@given(
    st.one_of(
        PLAIN_ARRAYS,
        st.lists(PLAIN_ARRAYS, min_size=1, max_size=3).map(tuple),
        st.none(),
        st.builds(Unsupported, st.just("a dict")),
    )
)
@settings(max_examples=100, deadline=None)
def test_results_cross_unchanged(value):
    blobs = []
    message = json.loads(json.dumps({"value": encode(value, blobs), "failure": None, "changed": [1]}))
    outcome = result(message, b"".join(blobs))
    assert same(value, outcome.value) and outcome.failure is None and outcome.changed == (1,)


TABLE = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(TABLE),
        TABLE[::-1, ::-1],
        TABLE[:, ::2],
        TABLE[1, ::-3],
        np.broadcast_to(TABLE[:, :1], (3, 4)),
        TABLE.T[::2].astype(np.float32)[::-1],
    ],
)
def test_layouts_cross_unchanged(array):
    array = array[...]
    for writeable in (False, array.flags.writeable):
        array.flags.writeable = writeable
        blobs = []
        there = decode(json.loads(json.dumps(encode(array, blobs))), Body(b"".join(blobs)))
        for copy in (there, fresh(array)):
            assert same(array, copy) and not np.shares_memory(array, copy)
            assert (copy.strides, copy.flags.writeable) == (array.strides, writeable)


def test_failures_cross_with_the_names_of_their_bases():
    assert failure(["raised", "E", "m", "l", ["B"]]) == Failure("raised", "E", "m", "l", ("B",))


@pytest.mark.parametrize("node", [["raised", "E", "m", "l"], ["raised", "E", "m", "l", "B"], ["raised", "E", "m", "l", [1]]])
def test_failures_without_a_list_of_base_classes_are_refused(node):
    with pytest.raises(ProtocolError):
        failure(node)


@given(JSON, JSON, JSON, st.binary(max_size=64))
@settings(max_examples=200, deadline=None)
def test_forged_messages_are_refused_or_harmless(value, failed, changed, body):
    try:
        outcome = result({"value": value, "failure": failed, "changed": changed}, body)
    except ProtocolError:
        return
    assert outcome.value is None or isinstance(outcome.value, (np.ndarray, tuple, Unsupported))


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_bytes_that_are_no_header_are_refused(data):
    try:
        assert isinstance(parse(data), dict)
    except ProtocolError:
        pass


@pytest.mark.parametrize(
    "data",
    [
        b"[" * MOST_HEADER,  # deeper than the parser goes
        b'{"id": ' + b"9" * 60_000 + b"}",  # more digits than Python reads
        b"\xff\xfe{}",  # no UTF-8
        b'"text"',  # JSON, but no object
    ],
)
def test_headers_that_could_harm(data):
    with pytest.raises(ProtocolError):
        parse(data)


@pytest.mark.parametrize("sizes", [(MOST_HEADER + 1, 0), (0, MOST_BODY + 1), (2**64 - 1, 2**64 - 1)])
def test_sizes_are_refused_before_memory_is_taken(sizes):
    with pytest.raises(ProtocolError):
        lengths(struct.pack(">QQ", *sizes))


@pytest.mark.parametrize(
    "node",
    [
        {"array": "|O", "shape": [1]},  # pointers
        {"array": "<M8[s]", "shape": [1]},
        {"array": ">f8", "shape": [1]},  # only the plain ones, in this machine's order
        {"array": "<f8,<f8", "shape": [1]},
        {"array": "<f8", "shape": [-1]},
        {"array": "<f8", "shape": [True]},
        {"array": "<f8", "shape": [2**40, 2**40]},  # overflows 64 bits
        {"array": "<f8", "shape": [1] * 17},  # more axes than any exercise has
        {"array": "<f8", "shape": [0, *[1 << 20] * 4]},  # empty, with axes that no memory holds
        {"array": "<f8", "shape": [1 << 22, 0]},  # four million empty rows
        {"array": "<f8", "shape": [10**4000, 0]},
        {"array": "<f8", "shape": [1.0]},
        {"tuple": [{"tuple": [{"array": "<f8", "shape": [0]}]}]},  # the plain form holds no tuple in a tuple
        {"tuple": []},
        {"tuple": [None] * 65},
        {"array": "<f8", "shape": "1"},
        {"array": "<f8", "shape": [2]},  # longer than its bytes
        {"array": ["<f8"], "shape": [1]},
        {"tuple": [{"tuple": [{"array": "<f8"}]}]},
        {"unsupported": 3},
        {"rng": 3},
        [1, 2],
        3,
    ],
)
def test_values_of_no_known_kind_are_refused(node):
    with pytest.raises(ProtocolError):
        result({"value": node, "failure": None, "changed": []}, bytes(8))


@pytest.mark.parametrize(
    "changed",
    [[2], [-1], [True], [10**1000], [1, 0], [0, 0], [0.0], None, "0"],  # of a call with two arguments
)
def test_positions_of_no_arguments_are_refused(changed):
    with pytest.raises(ProtocolError):
        result({"value": None, "failure": None, "changed": changed}, b"")


@pytest.mark.parametrize(
    "failure", [["raised", "E", "m"], ["crashed", "E", "m", ""], ["raised", "E", "m", 3], [[], "E", "m", ""], {"raised": 1}]
)
def test_failures_of_no_known_kind_are_refused(failure):
    with pytest.raises(ProtocolError):
        result({"value": None, "failure": failure, "changed": []}, b"")


def test_a_call_that_failed_has_no_result():
    with pytest.raises(ProtocolError):
        result({"value": {"unsupported": "a dict"}, "failure": ["raised", "E", "m", ""], "changed": []}, b"")


def test_results_of_several_calls_share_the_bytes():
    blobs = []
    nodes = [{"value": encode(np.full(2, i), blobs), "failure": None, "changed": []} for i in range(3)]
    assert [outcome.value.tolist() for outcome in results({"outcomes": nodes}, b"".join(blobs), [()] * 3)] == [
        [0, 0],
        [1, 1],
        [2, 2],
    ]


@pytest.mark.parametrize(
    "outcomes",
    [
        None,
        [],  # the judge would ask for ever
        {},
        ["a text"],
        3 * [{"value": None, "failure": None, "changed": []}],  # more than the calls
    ],
)
def test_outcomes_of_other_calls_are_refused(outcomes):
    with pytest.raises(ProtocolError):
        results({"outcomes": outcomes}, b"", [(), ()])


def test_bytes_of_no_array_are_refused():
    with pytest.raises(ProtocolError):
        result({"value": None, "failure": None, "changed": []}, bytes(8))


def test_texts_of_a_worker_are_short_and_printable():
    outcome = result({"value": {"unsupported": "\x1b[31m\n" + "x" * 1000}, "failure": None, "changed": []}, b"")
    assert outcome.value.what.isprintable() and len(outcome.value.what) == 300


@pytest.mark.parametrize(("node", "value"), [("b", "b"), (None, None), (3, 3), ("a\nb", "a b")])
def test_a_quiz_value(node, value):
    assert plain_value(node) == value


def test_a_frame_is_lengths_header_and_bodies():
    data = frame({"a": 1}, [b"xy", b"z"])
    header, body = LENGTHS.unpack_from(data)
    assert (json.loads(data[16 : 16 + header]), data[16 + header :], body) == ({"a": 1}, b"xyz", 3)
