"""Values and frames of the pipe, without any process: what goes in comes out, and nonsense is refused."""

import os
import struct
import sys
import traceback
from collections import Counter, OrderedDict, defaultdict, namedtuple
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course.isolation.pipe.data import DEEPEST, data_type, fields_of, path_of
from course.isolation.pipe.decode import Decoder
from course.isolation.pipe.encode import Encoder
from course.isolation.pipe.faults import Ledger
from course.isolation.pipe.objects import Handle, ObjectTable
from course.isolation.pipe.peer import Peer
from course.isolation.pipe.wire import FRAME_CAP, TEST_CAP, Channel, Overdue, PipeError, WireError, pack, parse_header
from labkit.automata import Atom, Dfa, Fsm, Nfa, decimal_fsm
from labkit.automata.tries import Trie
from labkit.errors import InvalidPattern
from labkit.vocabulary import Vocabulary

LENGTHS = struct.Struct(">IQ")


class TwoFields(NamedTuple):
    x: int
    y: object = None


class Stub:
    def __init__(self, label: str) -> None:
        self.label = label


def handle(label: str) -> Handle:
    return Handle(lambda *_: None, label)


class Ends:
    """Two ends in one process."""

    def __init__(self) -> None:
        self.tables = [ObjectTable(0), ObjectTable(1)]
        self.n_bytes = 0

    def cross(self, value: Any, *, back: bool = False) -> Any:
        here, there = self.tables[::-1] if back else self.tables
        encoder = Encoder(here, repr)
        item = encoder.encode(value)
        frame = pack({"nodes": encoder.nodes, "value": item}, encoder.blobs)
        encoder.commit()
        self.n_bytes = len(frame)
        n_text, _ = LENGTHS.unpack(frame[: LENGTHS.size])
        header = parse_header(frame[LENGTHS.size :][:n_text])
        decoder = Decoder(there, Stub, header["nodes"], frame[LENGTHS.size + n_text :])
        return decoder.item(header["value"])


def cross(value: Any) -> Any:
    return Ends().cross(value)


def same(a: Any, b: Any) -> bool:
    """Equal to the last bit, and of the same types all the way down; shares no code with the pipe."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return struct.pack("d", a) == struct.pack("d", b)
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, set | frozenset):
        return len(a) == len(b) and all(any(same(x, y) for y in b) for x in a)
    return bool(a == b)


NUMBERS = st.integers() | st.integers(min_value=-(1 << 200), max_value=1 << 200) | st.floats()
SURROGATES = st.text(st.sampled_from("a\ud800\udc00\U0001f600"))
SCALARS = st.none() | st.booleans() | NUMBERS | st.text() | SURROGATES | st.binary(max_size=20)
HASHABLE = st.recursive(SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=6)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=4)
    ),
    max_leaves=20,
)


FLOATS = [0.0, -0.0, *map(float, ("inf", "-inf", "nan")), struct.unpack("<d", bytes.fromhex("010000000000f8ff"))[0]]
INTS = [1 << 63, -(1 << 63), -(1 << 63) - 1]
TEXTS = ["\ud800", "\ud83d\ude00", "\U0001f600", "\0"]
MIXED: list[Any] = [[True, 1, 1.0], {1: "one", "1": "text", (1,): None}, {"b": 1, "a": 2}, [b"ab", b"", b"c"]]
MIXED += [(b"x", b"y"), ["a", "\udc00"], [1, 1 << 70], (), [[]]]


@settings(derandomize=True, max_examples=200, deadline=None, database=None)
@given(VALUES)
@example([*FLOATS, *INTS, *TEXTS, *MIXED])
def test_nested_values_come_out_as_they_went_in(value: Any) -> None:
    assert same(cross(value), value)


@pytest.mark.parametrize("kind", [OrderedDict, defaultdict, Counter, MappingProxyType])
def test_other_mappings_cross_as_dicts_inside_of_data_types_alone(kind: Any) -> None:
    row = kind(int) if kind is defaultdict else kind({"a": 0})
    rows = [row.copy() if kind is defaultdict else row]
    fsm = cross(Fsm(transitions=tuple(rows), initial=0, accepting=frozenset({0})))
    assert type(fsm.transitions[0]) is dict and fsm.transitions[0] == dict(row)
    assert isinstance(cross(row), Stub)


DTYPES = ("?", "b", "q", "l", ">i4", "<u2", "e", "f", ">f8", "g", "F", "U3", "S2", "M8[s]")
GRID = np.arange(24, dtype=np.int32).reshape(4, 6)
LAYOUTS = [GRID, GRID.T, np.asfortranarray(GRID), GRID[::2, 1::2], GRID[::-1, ::-2]]
LAYOUTS += [np.broadcast_to(np.float32(3), (2, 3)), np.array(7.5), np.zeros((0, 3)), np.float32([np.nan, -0.0, np.inf])]


@pytest.mark.parametrize("array", [*(np.array([0, 1, 1]).astype(dtype) for dtype in DTYPES), *LAYOUTS])
def test_arrays_keep_their_dtype_and_layout(array: Any) -> None:
    back = cross(array)
    assert (back.shape, back.dtype, back.dtype.char) == (array.shape, array.dtype, array.dtype.char)
    assert back.dtype.byteorder == array.dtype.byteorder and back.tobytes() == array.tobytes()
    assert back.strides == array.strides or not array.size
    assert back.flags.writeable == array.flags.writeable and cross(array.dtype) == array.dtype
    for number in array.flat[:2]:
        assert type(cross(number)) is type(number) and cross(number).tobytes() == number.tobytes()


def test_an_array_with_gaps_too_wide_is_closed_up() -> None:
    wide = np.lib.stride_tricks.as_strided(np.zeros(1), (2, 1), (1 << 40, 8))[:1]
    assert cross(wide).shape == (1, 1)
    far = np.ndarray((2,), np.uint8, bytearray(1 << 27), 0, ((1 << 27) - 1,))
    assert cross(far).strides == (1,)


@pytest.mark.parametrize("array", [np.array([None]), np.zeros(1, dtype="i4,f4")])
def test_arrays_of_objects_or_records_are_refused(array: Any) -> None:
    with pytest.raises(PipeError, match="dtype"):
        cross(array)


def test_numbers_of_numpy_are_not_confused_with_pythons_which_may_be_too_long_to_print() -> None:
    values = [np.float64(1), 1.0, np.bool_(True), True, np.int64(1), 1, np.str_("a"), "a"]
    assert same(cross(values), values)
    assert cross(-(1 << 20_000)) == -(1 << 20_000)


def test_subclasses_of_builtins_and_other_kinds_stay_where_they_are() -> None:
    class MyArray(np.ndarray):
        pass

    walker = type("Walker", (TwoFields,), {"step": lambda self: self.x + 1})(3)
    others = (bytearray(b"a"), range(3), iter([1]), ValueError, Fsm)
    own = (type("MyInt", (int,), {})(3), type("D", (dict,), {})(a=1), np.zeros(2).view(MyArray), walker)
    for value in (*own, *others):
        assert isinstance(cross(value), Stub)


def test_a_namedtuple_becomes_one_of_the_same_name_and_fields() -> None:
    ends = Ends()
    there = ends.cross([TwoFields(1, "a"), TwoFields(2)])
    assert type(there[0]).__name__ == "TwoFields" and there[0]._fields == ("x", "y") and there == [(1, "a"), (2, None)]
    assert type(there[0]) is type(there[1]) is type(ends.cross(TwoFields(3)))
    assert type(ends.cross(there[0], back=True)) is TwoFields
    pair = namedtuple("pair", "x y")
    assert type(ends.cross(pair(1, 2))) is not type(there[0])


def test_data_types_of_labkit_are_rebuilt_and_invalid_ones_not_believed() -> None:
    atom = Atom(frozenset("ab"), True, "[ab]+", 2)
    assert cross(atom) == atom
    assert cross(decimal_fsm()) == decimal_fsm()
    vocabulary = cross(Vocabulary([b"a", b"\xff", b"s", b"</s>"], eos_id=3, special_ids=[2]))
    assert type(vocabulary) is Vocabulary and vocabulary.texts() == ("a", None, None, None) and vocabulary.eos_id == 3
    nfa = Nfa([[(((98, 98),), 1)], []], [[1], []], accepting=1)
    assert cross(nfa) == nfa and cross(Trie([{"a": 1}, {}], [[], [3]])) == Trie([{"a": 1}, {}], [[], [3]])
    fsm = decimal_fsm()
    object.__setattr__(fsm, "initial", 99)
    with pytest.raises(WireError, match="state 99"):
        cross(fsm)


@pytest.mark.parametrize("kind", [Fsm, Nfa, Dfa, Atom, Trie, Vocabulary])
def test_a_data_type_is_found_by_its_name_and_its_fields_by_its_constructor(kind: type) -> None:
    fields = fields_of(kind)
    assert data_type(path_of(kind)) is kind and fields
    claims = type(kind.__name__, (), {"__module__": kind.__module__, "__qualname__": kind.__qualname__})
    assert not fields_of(claims)


def test_a_constant_is_sent_once_and_the_same_object_stays_the_same_object() -> None:
    ends = Ends()
    vocabulary = Vocabulary([bytes([i % 256]) * 10 for i in range(2000)], eos_id=0)
    copy = ends.cross(vocabulary)
    assert ends.n_bytes > 20_000
    assert ends.cross([vocabulary]) == [copy] and ends.n_bytes < 200
    assert ends.cross(copy, back=True) is vocabulary

    row, grid = [1], np.zeros(2)
    value = {"a": row, "b": (row, grid), "c": grid}
    there = ends.cross(value)
    assert there["a"] is there["b"][0] and there["c"] is there["b"][1]
    back = ends.cross([there["a"], there["c"], there], back=True)
    assert back[0] is row and back[1] is grid and back[2] is value


@pytest.mark.parametrize("loop", [[], {}], ids=["list", "dict"])
def test_a_value_that_contains_itself_is_refused(loop: Any) -> None:
    inside = (1, {"a": loop})
    loop.append(inside) if isinstance(loop, list) else loop.update(self=inside)
    ends = Ends()
    with pytest.raises(PipeError, match="contains itself"):
        ends.cross(loop)
    assert not ends.tables[0].entries
    assert ends.cross([1]) == [1]


def _nested(depth: int) -> Any:
    value: Any = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


def test_nesting_ends_somewhere() -> None:
    assert repr(cross(_nested(DEEPEST - 1))) == repr(_nested(DEEPEST - 1))
    with pytest.raises(PipeError, match=f"more than {DEEPEST} deep"):
        cross(_nested(100_000))


def test_size_ends_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb: Any = ()
    for _ in range(60):
        bomb = (bomb, bomb)
    monkeypatch.setattr("course.isolation.pipe.data.LARGEST", 10_000)
    with pytest.raises(PipeError, match="more than 10,000 items"):
        cross(bomb)
    monkeypatch.setattr("course.isolation.pipe.encode.FRAME_CAP", 10_000)
    for value in ("a" * 10_001, b"a" * 10_001, ["a" * 1000] * 11, np.zeros(10_001, bool)):
        with pytest.raises(PipeError, match=r"more than 10,000 (bytes|items)"):
            cross([value, None])
    monkeypatch.setattr("course.isolation.pipe.wire.FRAME_CAP", 100)
    with pytest.raises(PipeError, match="the limit is 100"):
        pack({"text": "a" * 200})


BROKEN: list[Any] = [
    None,
    {},
    ["tuple"],
    ["nonsense", 1],
    ["__init__", 1],
    ["tuple", None, [[5]]],
    ["tuple", None, [[-1]]],
    ["tuple", None, [[True]]],
    ["tuple", None, [[0, 0]]],
    ["tuple", None, 3],
    ["list", 2, []],
    ["list", "1", []],
    ["list", -1, []],
    ["dict", None, [1]],
    ["dict", None, [[0], 1]],
    ["set", None, [[0]]],
    ["ref", 99],
    ["bytes", 0, 99],
    ["bytes", -1, 1],
    ["bytes", 0, -1],
    ["list", None, {"at": 0, "lengths": [1, 99]}],
    ["int", "0xZ"],
    ["float", "00"],
    ["str", "zz"],
    ["class", "builtins.eval"],
    ["const", None, "builtins.eval", ["1"]],
    ["const", None, "builtins.type", ["a"]],
    ["const", None, "builtins.ValueError", ["a"]],
    ["const", None, "numpy.ndarray", [1]],
    ["const", None, "os.system", ["true"]],
    ["const", None, "labkit.automata.fsm.decimal_fsm", []],
    ["const", None, "labkit.automata.no_module.Fsm", []],
    ["const", None, "labkit.errors.InvalidPattern", ["a", "b", 0]],
    ["const", None, "labkit.small_model.generation.Request", []],
    ["const", None, "labkit.automata.fsm.Fsm", []],
    ["record", None, "a", []],
    ["record", "bad name", ["x"], [1]],
    ["record", "Good", ["_private"], [1]],
    ["record", "Good", [f"x{i}" for i in range(100)], []],
    ["record", "Good", ["x) + print("], [1]],
    ["record", "Good", ["x"], [1, 2]],
    ["opaque", 2, "not its number to give"],
    ["array", None, "|O", [1], [8], True, 0, 8],
    ["array", None, "<f4", [3], [4], True, 0, 8],
    ["array", None, "<f4", [1], [4], True, 0, 8],
    ["array", None, "<f4", [-1], [4], True, 0, 4],
    ["array", None, "<f4", [2], [], True, 0, 8],
    ["scalar", "<f8", 0, 4],
    ["scalar", "|V8", 0, 8],
    ["dtype", "|O"],
]


@pytest.mark.parametrize("node", BROKEN, ids=lambda node: f"{node!s:.40}")
def test_a_broken_node_is_refused(node: Any) -> None:
    with pytest.raises(WireError, match="message"):
        Decoder(ObjectTable(0), Stub, [["list", None, []], node], b"12345678")


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([["list", 1, []], ["list", 1, []]], "number 1 is in use"),
        ([["tuple", None, []], *(["tuple", None, [[i]]] for i in range(DEEPEST + 10))], "deep"),
        ([["tuple", None, []], *(["tuple", None, [[i], [i]]] for i in range(60))], "items"),
        ([["array", None, "<U0", [10**12], [0], True, 0, 0]], "items"),
    ],
    ids=["numbers", "depth", "size", "items without a size"],
)
def test_a_number_is_given_once_and_claimed_depth_and_size_are_bounded(nodes: Any, message: str) -> None:
    with pytest.raises(WireError, match=message):
        Decoder(ObjectTable(0), Stub, nodes, b"")


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}", b"null"])
def test_a_broken_header_is_refused(text: bytes) -> None:
    with pytest.raises(WireError, match="header"):
        parse_header(text)


@pytest.fixture
def channel() -> Iterator[Channel]:
    made = Channel(*os.pipe())
    yield made
    made.close()


def received(channel: Channel, content: bytes) -> Any:
    os.write(channel.write_fd, content)
    os.close(channel.write_fd)
    return channel.receive()


@pytest.mark.parametrize("cut", [0, 5, 12, 15, -1])
def test_a_truncated_frame_is_an_end(channel: Channel, cut: int) -> None:
    with pytest.raises(EOFError):
        received(channel, pack({"a": 1}, [b"bc"])[:cut])


@pytest.mark.parametrize("lengths", [(1, FRAME_CAP), (0, 1 << 63), ((1 << 32) - 1, 0)])
def test_a_frame_that_claims_too_much_is_refused_unread(channel: Channel, lengths: tuple[int, int]) -> None:
    with pytest.raises(WireError, match="claims"):
        received(channel, LENGTHS.pack(*lengths))


def test_the_bytes_of_a_test_are_counted(channel: Channel) -> None:
    channel.send(pack({"a": 1}))
    channel.received = TEST_CAP
    with pytest.raises(WireError, match="within one test"):
        channel.receive()
    channel.bound(lambda: 0.0)
    with pytest.raises(Overdue):
        channel.receive()


def test_the_limit_is_asked_again_and_also_where_single_bytes_arrive(channel: Channel) -> None:
    left = [0.01, 0.01, 0.0]
    channel.bound(lambda: left.pop(0))
    with pytest.raises(Overdue):
        channel.receive()
    assert not left
    channel.send(pack({"a": 1})[:-1])
    channel.bound(lambda: 0.0)
    with pytest.raises(Overdue):
        channel.receive()


@pytest.mark.parametrize(
    "error",
    [
        ValueError("wrong", 3),
        KeyError("k"),
        FileNotFoundError(2, "No such file", "a.txt"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        SystemExit(3),
        KeyboardInterrupt(),
        StopIteration(5),
        InvalidPattern("this class is never closed", "0x[0-9", 2),
        SyntaxError("invalid syntax", ("a.py", 3, 1, "x =", 3, 4)),
        ImportError("no", name="thing", path="there"),
        NameError("no", name="thing"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_rebuilt(error: BaseException) -> None:
    built = Ledger(notes_traces=True).rebuild(cross(Ledger(notes_traces=True).describe(error)))
    assert type(built) is type(error) and built.args == error.args and str(built) == str(error)
    for name in ("problem", "pattern", "position", "filename", "errno", "code", "value", "lineno", "name", "path"):
        assert getattr(built, name, None) == getattr(error, name, None)


class Odd(InvalidPattern):
    def __init__(self, where: int) -> None:
        Exception.__init__(self, where)
        self.position = where

    def __str__(self) -> str:
        return f"odd at {self.position}"


def test_an_unknown_class_of_error_becomes_the_nearest_known_one() -> None:
    built = Ledger(notes_traces=True).rebuild(cross(Ledger(notes_traces=True).describe(Odd(4))))
    assert isinstance(built, InvalidPattern) and type(built).__name__ == "Odd"
    assert str(built) == "odd at 4" and built.position == 4 and built.args == (4,)


@pytest.mark.parametrize(
    "data",
    [
        None,
        ("mine", 0),
        ("yours", 3, ((), False), None),
        ("mine", 0, ((), False), ("builtins.int", None, (), {}, "")),
        ("mine", 0, ((), False), ("os.system", None, ("true",), {}, "")),
        ("mine", 0, ((), False), ("builtins.ValueError", None, [], {}, "")),
        *(
            ("mine", 0, ((frame,), False), ("builtins.ValueError", None, (), {}, ""))
            for frame in ((1, 2, 3, 4, 5), (10**5000, "a", 1, "f", "g"), (1, "a", -1, "f", "g"))
        ),
    ],
)
def test_a_broken_error_is_refused(data: Any) -> None:
    with pytest.raises(WireError, match="no exception"):
        Ledger(notes_traces=True).rebuild(data)


def rebuilt(path: str, args: Any, attributes: dict[str, Any]) -> BaseException:
    return Ledger(notes_traces=True).rebuild(("mine", 0, ((), False), (path, None, args, attributes, "t")))


@pytest.mark.parametrize(
    "place",
    [("a.py", 1, 2, "x", 1, 10**10), ("a.py", 1, "2", "x"), ("a.py", 10**5000, 2, "x"), ("a.py", 1, 2, [1]), "place"],
    ids=["wide", "text", "long", "list", "no tuple"],
)
def test_a_syntax_error_in_no_place_is_shown_without_one(place: Any) -> None:
    error = rebuilt("builtins.SyntaxError", ("bad", place), {})
    assert isinstance(error, SyntaxError) and error.args == ("bad",) and str(error) == "t"
    assert len("".join(traceback.TracebackException(type(error), error, None).format_exception_only())) < 100


def test_nothing_is_imported_to_suggest_a_name() -> None:
    """From 3.12 on Python looks for a like name in the module that an ImportError names, and imports it for that."""
    error = rebuilt("builtins.ImportError", ("bad",), {"name": "this", "name_from": "thing", "path": 3})
    assert isinstance(error, ImportError) and error.name == "this" and error.path is None
    list(traceback.TracebackException(type(error), error, None).format_exception_only())
    assert "this" not in sys.modules
    error = rebuilt("builtins.AttributeError", ("bad",), {"obj": [1], "name": "x", "mine": 4})
    assert isinstance(error, AttributeError) and error.obj is None and vars(error)["mine"] == 4


@pytest.mark.parametrize("field", [[0], [1], [2]], ids=["itself", "in a tuple", "in a list"])
def test_what_holds_a_students_object_is_no_automaton(field: list[int]) -> None:
    """Its rows would be asked where they are, and could answer whatever suits the text so far."""
    nodes: list[Any] = [["opaque", 1, "Row"], ["tuple", None, [[0]]], ["list", 3, [[0]]]]
    for path, n in (
        ("labkit.automata.fsm.Fsm", 3),
        ("labkit.automata.dfa.Nfa", 4),
        ("labkit.automata.transitions.Lifted", 2),
    ):
        made = [*nodes, ["const", None, path, [field, *[0] * (n - 1)]]]
        with pytest.raises(WireError, match=r"holds the student's Row, which is no data"):
            Decoder(ObjectTable(0), handle, made, b"")


ROWS: list[Any] = [["list", 1, []], ["list", 3, [[0]]], ["list", 5, [[0]]]]


def test_no_students_object_gets_into_an_automaton_afterwards(channel: Channel) -> None:
    """The lists of an ``Nfa`` are kept in step, so that they must stay data; a frozen type holds none of these."""
    peer = Peer(channel, repr, handle, is_worker=False)

    def sent(*bodies: dict[str, Any]) -> None:
        for body in bodies:
            channel.send(pack({"is": "returned", "value": None, "updates": []} | body))
            peer.receive()

    late = {"nodes": [["opaque", 7, "Row"], ["list", None, [[0]]]], "updates": [[1, [1]]]}
    with pytest.raises(WireError, match="holds the student's Row"):
        sent({"nodes": [*ROWS, ["const", None, "labkit.automata.dfa.Nfa", [[1], [2], 0, 0]]]}, late)
    with pytest.raises(WireError, match="holds a dict which may still change"):
        nodes = [["dict", 9, []], ["tuple", None, [[0]]], ["frozenset", None, []]]
        sent({"nodes": [*nodes, ["const", 11, "labkit.automata.fsm.Fsm", [[1], 0, [2]]]]})


@pytest.mark.parametrize(
    "value",
    [np.zeros(5_000_001, bool), [np.zeros(2_000_000)] * 3, [b""] * 5_000_001, ["x" * (1 << 20)] * 400],
    ids=["array", "arrays", "bytes", "texts"],
)
def test_what_would_be_listed_and_shown_is_counted(value: Any) -> None:
    """Numbers of an array, bytes in a row, the characters of texts: a list of them takes far more room."""
    with pytest.raises(PipeError, match=r"more than|items"):
        cross(value)


@pytest.mark.parametrize(
    ("node", "blobs"),
    [
        (["array", None, "|?", [5_000_001], [1], True, 0, 5_000_001], bytes(5_000_001)),
        (["list", None, {"at": 0, "lengths": [0] * 5_000_001}], b""),
        (["list", None, [[0]] * 100], bytes(20 << 20)),
        (["list", None, ["x" * (1 << 20)] * 400], b""),
    ],
    ids=["array", "packed", "bytes", "texts"],
)
def test_the_same_is_counted_of_a_liar(node: Any, blobs: bytes) -> None:
    with pytest.raises(WireError, match="items"):
        Decoder(ObjectTable(0), Stub, [["bytes", 0, len(blobs)], node], blobs)
