"""Tests of lab 07. The oracles are Python's own UTF-8 codec, ``regex``, ``re``, and brute force over bytes."""

import re
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.automata.byte_dfa import ByteDfa, CountedSteps
from labkit.automata.byte_tries import NO_NODE, ByteTrie
from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import LAST_CODE_POINT
from labkit.automata.transitions import Lifted, Transitions
from labkit.checking import check_array, check_equal, check_type
from labkit.checking.calls import check_raises, reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.errors import TokenNotAllowed
from labkit.oracles.automata import living, walk
from labkit.vocabulary import Vocabulary

FEWER = settings(PROPERTY, max_examples=40)
LAST = LAST_CODE_POINT
SURROGATES = range(0xD800, 0xE000)


# Bytes and automata, shown --------------------------------------------------------------------------


def shown(token: bytes | None) -> str:
    """Return bytes in readable form: printable ASCII as it is, anything else in hexadecimal."""
    if token is None:
        return "no text"
    return repr(token.decode()) if all(0x20 <= byte < 0x7F for byte in token) else token.hex(" ").upper()


def walk_text(automaton: ByteDfa, state: int, token: bytes | None) -> str:
    """Return a walk over bytes as one line; a state in the middle of a character names its character state too."""
    states, size = walk(automaton, state, token or b""), len(automaton.dfa)
    names = [
        "dead" if s == DEAD else str(s) if s < size else f"{s} (state {s % size}, half a character)" for s in states
    ]
    steps = [f" --{shown(bytes([byte]))}--> {name}" for byte, name in zip(token or b"", names[1:], strict=False)]
    return f"state {names[0]}{''.join(steps)}"


def transitions_text(pairs) -> str:
    """Return the transitions of a function, as the README writes them."""
    return ", ".join(f"{source}→{target}" for source, target in pairs) or "no transition"


def intp(*numbers):
    """Return an array of numbers of places."""
    return np.array(numbers, np.intp)


def int32(*numbers):
    """Return words of a mask."""
    return np.array(numbers, np.int32)


def dfa_of(rows, accepting, initial: int = 0) -> Dfa:
    """Return an automaton over characters: for each state, ranges of code points with their targets."""
    places = {place for row in rows for (first, last), _ in row for place in (first, last + 1)}
    bounds = sorted(place for place in places | {0} if place <= LAST)
    columns, classes = {}, []
    for place in bounds:
        leads = tuple(next((t for (first, last), t in row if first <= place <= last), DEAD) for row in rows)
        classes.append(-1 if set(leads) == {DEAD} else columns.setdefault(leads, len(columns)))
    table = np.array(list(columns), dtype=int).reshape(len(columns), len(rows)).T
    return Dfa(bounds, classes, table, initial, [state in accepting for state in range(len(rows))])


def span(chars: str) -> tuple[int, int]:
    """Return the range of one character, or from the first of two to the second."""
    return (ord(chars[0]), ord(chars[-1]))


NUMBER = dfa_of([[(span("09"), 0), (span("."), 1)], *[[(span("09"), 2)]] * 2], {2})
"""The automaton of ``([0-9]+)?\\.[0-9]+``, with the README's states: 1 is after the dot, 2 is digits after it."""

BEYOND = [((0xD7F0, 0xE010), 0), (span("😀😃"), 0)]
ACCENTS = dfa_of([[(span("az"), 0), (span("é"), 1), (span("€"), 2)], [(span("€"), 2)], BEYOND], {0, 1})
"""Characters of one, two, three and four bytes; after € one of a range that has all surrogates in it, or a smiley."""

ANY = dfa_of([[((0, LAST), 0)]], {0})
"""Any text."""


# UTF-8, by Python's own codec -----------------------------------------------------------------------


@cache
def encodings(dfa: Dfa) -> dict[bytes, int]:
    """Return each encoding that the automaton knows, with the class of its character."""
    return {
        chr(point).encode(): symbol_class
        for symbol_class, ranges in enumerate(dfa.class_ranges)
        for first, last in ranges
        for point in range(first, last + 1)
        if point not in SURROGATES
    }


@cache
def automaton_of(dfa: Dfa) -> ByteDfa:
    """Return the test's own byte automaton: a node for each proper prefix of an encoding, none of them shared."""
    prefixes = sorted({known[:n] for known in encodings(dfa) for n in range(len(known))} | {b""})
    number = {prefix: node for node, prefix in enumerate(prefixes)}
    steps = np.zeros((len(prefixes), 256), np.int32)
    for known, symbol_class in encodings(dfa).items():
        steps[number[known[:-1]], known[-1]] = -1 - symbol_class
        for n in range(1, len(known)):
            steps[number[known[: n - 1]], known[n - 1]] = number[known[:n]]
    return ByteDfa(dfa, steps)


# next_state ---------------------------------------------------------------------------------------


def check_next(lab, automaton, tokens, state: int, token_id) -> None:
    """Assert where a token leads from a state, or that it's refused."""
    there = 0 <= token_id < len(tokens)
    token = tokens[token_id] if there else None
    expected = walk(automaton, state, token)[-1] if token and state != DEAD else DEAD
    what = f"next_state from state {state} by token {token_id}" + f", {shown(token)}" * there
    way = f"\n    {walk_text(automaton, state, token)}" if token else ""
    try:
        with reporting(what, TokenNotAllowed if expected == DEAD else expected):
            got = lab.next_state(automaton, tokens, state, token_id)
    except TokenNotAllowed as error:
        assert expected == DEAD, f"{what}: expected state {expected}, yours raised: {error}{way}"
        named = f"token {int(token_id)} is not allowed in state {state}"
        check_equal(str(error), named, f"{what}: the error names the token, and the state that you were given")
        return
    ids = "" if there else f", because ids go from 0 to {len(tokens) - 1}"
    assert expected != DEAD, f"{what} must raise TokenNotAllowed{ids}; yours gave {got!r}{way}"
    check_equal(got, expected, f"{what}{way}")


@pytest.mark.todo("next_state")
@pytest.mark.parametrize("state", [0, 1, 2, DEAD])
def test_where_a_token_leads_byte_by_byte(lab, state):
    """Return where the token's bytes lead, or raise TokenNotAllowed if it dies, isn't text, or doesn't exist."""
    tokens = (b"a", b".", b".2", b"1", None, b"1.5", b"2,", b"", b"12")
    for token_id in (*range(9), -1, -3, -9, -10, 9, 11, 10**6):
        check_next(lab, automaton_of(NUMBER), tokens, state, token_id)


@pytest.mark.todo("next_state")
def test_a_step_knows_nothing_of_others(lab):
    """Remember nothing of earlier calls, not even their vocabulary. States and ids may be NumPy's integers."""
    calls = {
        "of 77 in state 0": (((b"7", None, b"77"), 0, 2), 1),
        "of 77, a list": (([b"7", None, b"77"], 1, 2), 1),
        "of the same id in another vocabulary": (((b"x", None, b"x"), 0, 2), TokenNotAllowed),
        "of a token that is not text": (((b"7", None, b"77"), 0, 1), TokenNotAllowed),
        "of NumPy's numbers": (((b"7", None, b"77"), np.int64(0), np.int64(0)), 1),
    }
    check_promises(lab, "next_state", calls, lambda step: lambda *args: step(automaton_of(DIGITS_ONLY), *args))


NUMBER_VOCABULARY = Vocabulary([b"a", b".", b".2", b"1", b"</s>", b"1.5", b"2,", b".2", b"12"], eos_id=4)


def stepped(lab, state: int, token_id: int, dfa: Dfa = NUMBER, tokens=NUMBER_VOCABULARY.token_bytes) -> int:
    """Return where a token leads; by default in the automaton of decimal numbers."""
    return lab.next_state(automaton_of(dfa), tokens, state, token_id)


@pytest.mark.todo("next_state")
def test_next_state_single_char_token(lab):
    """A token of one character, a digit or the dot, takes you one step."""
    got = [stepped(lab, state, token_id) for state, token_id in ((0, 3), (0, 1), (1, 3))]
    check_equal(got, [0, 1, 2], "the states after 1 and ., and after .1")


@pytest.mark.todo("next_state")
def test_next_state_multi_char_token(lab):
    """A token of several characters takes you several steps, and so does one character of several bytes."""
    got = [stepped(lab, state, token_id) for state, token_id in ((0, 2), (1, 8), (0, 8))]
    check_equal(got, [2, 2, 0], "the states after .2, after 12 that follows a dot, and after 12")
    euro, tokens = dfa_of([[(span("€"), 1)], [(span("é"), 0)]], {0}), tuple(t.encode() for t in ("€é", "€", "é"))
    got = [stepped(lab, state, token_id, euro, tokens) for state, token_id in ((0, 0), (0, 1), (1, 2))]
    check_equal(got, [0, 1, 0], "the states after €é, €, é")


@pytest.mark.todo("next_state")
def test_multi_char_token_spanning_boundary(lab):
    """``1.5`` begins in one part of the pattern and ends in the next. ``2,`` takes you out of it."""
    check_equal(stepped(lab, 0, 5), 2, "the state after 1.5")
    for state in range(3):
        check_raises(lambda state=state: stepped(lab, state, 6), TokenNotAllowed, f"next_state({state}, 6), by 2,")


# mask_row -----------------------------------------------------------------------------------------


def words_of(ids, size: int) -> list[int]:
    """Return the words of a mask, by arithmetic on Python's whole numbers."""
    words = [sum(1 << i % 32 for i in set(ids) if i // 32 == word) for word in range((size + 31) // 32)]
    return [word - (1 << 32) if word >= 1 << 31 else word for word in words]


def unpacked(row, size: int, what: str = "the mask") -> set[int]:
    """Return the ids of a packed mask, which must have no bit after its last token."""
    check_array(row, np.int32, ((size + 31) // 32,), what)
    bits = np.unpackbits(row.astype("<i4").view(np.uint8), bitorder="little")
    assert not bits[size:].any(), (
        f"{what}: there's a token {size + int(bits[size:].argmax())}, but the last one is {size - 1}"
    )
    return set(np.flatnonzero(bits).tolist())


def check_row(row, size: int, expected, what: str) -> None:
    """Assert which ids a packed row allows."""
    check_equal(sorted(unpacked(row, size, what)), sorted(expected), f"{what}, the ids allowed")


def check_eos(lab, size: int, others: set[int], eos_id: int, said: bool, accepting: bool) -> None:
    """Assert a mask: EOS as the state says, and all other tokens as in the row."""
    row = int32(*words_of(others | ({eos_id} if said else set()), size))
    state = "a state that accepts" if accepting else "a state that doesn't accept"
    eos = f"EOS {eos_id} (bit {eos_id % 32} of word {eos_id // 32}) {'set' if said else 'clear'} in the row"
    what = f"mask_row for {size} tokens, {eos}, in {state}"
    with reporting(what):
        got = lab.mask_row(eos_id, row, accepting)
    if wrong := unpacked(got, size, what) ^ (others | ({eos_id} if accepting else set())):
        right, yours = ("set", "clear") if accepting else ("clear", "set")
        lines = [f"the bit of EOS must be {right}, and yours is {yours}"] if eos_id in wrong else []
        if changed := sorted(wrong - {eos_id}):
            lines.append(f"you changed the bit of token {changed[0]}, which isn't EOS and stays as in the row")
        raise AssertionError("\n    ".join([what, *lines]))


@pytest.mark.todo("mask_row")
@pytest.mark.parametrize("accepting", [False, True])
@pytest.mark.parametrize("said", [False, True], ids=["row without EOS", "row with EOS"])
def test_the_mask_of_a_state(lab, accepting, said):
    """EOS is allowed if and only if the state accepts, whatever the row says. All other tokens stay as they are."""
    check_eos(lab, 5, {1, 3}, 4, said, accepting)
    for eos_id in (0, 4, 30, 31, 32, 63, 69):
        others = {0, 1, 7, 29, 31, 32, 33, 62, 63, 64, 69} - {eos_id}
        check_eos(lab, 70, others, eos_id, said, accepting)


@pytest.mark.todo("mask_row")
def test_a_mask_is_no_view_of_its_row(lab):
    """Return a copy, so that nobody changes the row by writing into it. The row itself may even be read-only."""
    fixed = int32(5, 6, 7)
    fixed.flags.writeable = False
    calls = {
        "in a state that accepts": ((4, int32(0b01110), True), int32(0b11110)),
        "in a state that doesn't accept": ((4, int32(0b01110), False), int32(0b01110)),
        "in a state that doesn't accept, where nothing is alive": ((4, int32(0), False), int32(0)),
        "where the row has EOS": ((1, int32(0b01110), False), int32(0b01100)),
        "where EOS is the sign bit": ((31, int32(1, 0), True), int32(1 - 2**31, 0)),
        "of a row that nobody may write to": ((1, fixed, False), int32(5, 6, 7)),
        "of NumPy's types": ((np.int64(4), int32(0b01110), np.bool_(True)), int32(0b11110)),
    }
    check_promises(lab, "mask_row", calls)


# end_of_run ---------------------------------------------------------------------------------------

RUNS = """
41 5A 5A, 20 7F 7F, 3F 41 41, 0 50 50, 40 7F 7F, 0 7F 7F, 80 80 80, E9 F0 F0, E9 17F FF, C0 17F 17F, 100 150 13F, 80
7FF 7FF, 800 D7FF FFF, 1000 D7FF CFFF, 1000 1FFF 1FFF, 1000 1FFE 1FBF, E000 FFFF FFFF, FFC0 FFFE FFFE, 10000 10FFFF
3FFFF, 40000 10FFFF FFFFF, 40000 10FFFE FFFFF, 100000 10FFFF 10FFFF, 1F600 1F64F 1F63F, 1FC0 20FF 1FFF, 10FFC0 10FFFF
10FFFF
"""
RUNS = [tuple(int(point, 16) for point in row.split()) for row in RUNS.split(",")]
"""A range, and where its first run ends."""


@pytest.mark.todo("end_of_run")
def test_where_a_run_ends(lab):
    """A run has as many code points as its box has members. Find the longest. In ASCII any range is a box."""
    for start, end, expected in RUNS:
        with reporting(f"end_of_run(0x{start:X}, 0x{end:X})"):
            got = lab.end_of_run(start, end)
        check_type(got, int, "end_of_run")
        assert got == expected, run_text(start, end, expected, got)


def run_text(start: int, end: int, expected: int, got: int) -> str:
    """Return a failure with what is in the box of your run, or with the box of the longest run."""
    told = f"end_of_run(0x{start:X}, 0x{end:X}): expected 0x{expected:X}, yours 0x{got:X}"
    if not start <= got <= end:
        return f"{told}, which isn't in the range"
    last = max(got, expected)
    box = list(zip(chr(start).encode(), chr(last).encode(), strict=True))
    if down := [(n + 1, a, b) for n, (a, b) in enumerate(box) if a > b]:
        place = "byte {} would go from {:02X} down to {:02X}".format(*down[0])
        return f"{told}\n    in bytes that's {in_hex(start)} to {in_hex(last)}: {place}, which is no range"
    ranges = ", then ".join(f"{a:02X} to {b:02X}" if a < b else f"{a:02X}" for a, b in box)
    if got < expected:
        size = last - start + 1
        return f"{told}\n    up to 0x{last:X} it's still a box: {ranges} has {size} members, for {size} code points"
    inside = {bytes(member) for member in product(*(range(a, b + 1) for a, b in box))}
    left_out = next(point for point in range(start, got + 1) if chr(point).encode() not in inside)
    return f"{told}\n    your box is {ranges}, and {in_hex(left_out)} isn't in it, although it's before {in_hex(got)}"


def in_hex(data: int | bytes) -> str:
    """Return bytes, or those of a code point, in hexadecimal."""
    return (chr(data).encode() if isinstance(data, int) else data).hex(" ").upper()


def is_box(first: int, last: int) -> bool:
    """Return whether the encodings of a range are all combinations of one range of bytes at each place."""
    known = [chr(point).encode() for point in range(first, last + 1)]
    places = [sorted(set(column)) for column in zip(*known, strict=True)]
    gaps = any(b != a + 1 for column in places for a, b in pairwise(column))
    return not gaps and len(known) == np.prod([len(column) for column in places])


@FEWER
@given(
    st.sampled_from([0, 0x80, 0x7C0, 0x800, 0x1000 - 130, 0xD700, 0xE000, 0x10000, 0x1F600, 0x40000 - 70]), st.data()
)
@pytest.mark.todo("end_of_run")
def test_a_run_is_a_box_of_bytes_and_cannot_be_longer(lab, base, data):
    """A run is a box, with every combination of its bytes. Find the longest one that fits into the range."""
    start = base + data.draw(st.integers(0, 64))
    end = start + data.draw(st.integers(0, 200))
    end = next((point - 1 for point in range(start + 1, end + 1) if not alike(start, point)), end)
    got = lab.end_of_run(start, end)
    check_type(got, int, "end_of_run")
    longest = max(last for last in range(start, end + 1) if is_box(start, last))
    assert got == longest, run_text(start, end, longest, got)


def alike(one: int, other: int) -> bool:
    """Return whether two code points have encodings of the same length, and neither is a surrogate."""
    if one in SURROGATES or other in SURROGATES:
        return False
    return len(chr(one).encode()) == len(chr(other).encode())


# byte_dfa -----------------------------------------------------------------------------------------


def check_byte_automaton(got, dfa: Dfa, what: str) -> None:
    """Assert that every byte in every state leads where the characters lead, also in the middle of one."""
    check_type(got, ByteDfa, what)
    check_array(got.steps, np.int32, (len(got.steps), 256), f"{what}, the steps")
    inside = 0x80 + np.flatnonzero(got.steps[0, 0x80:0xC0])
    root = "row 0 must be the root, and no character begins with"
    assert not len(inside), f"{what}: {root} {inside[0]:02X}, but your steps[0, 0x{inside[0]:02X}] isn't 0"
    known, live = encodings(dfa), living(dfa)
    for state in sorted(live):
        targets = {text: int(dfa.transitions[state, c]) for text, c in known.items()}
        targets = {text: target for text, target in targets.items() if target in live}
        waiting = [(b"", state)]
        halves = {text[:n] for text in targets for n in range(1, len(text))}
        while waiting:
            read, here = waiting.pop()
            successors = got.successors(np.full(256, here), got.byte_classes).tolist()
            for byte, after in enumerate(successors):
                text = read + bytes([byte])
                wanted = "half a character" if text in halves else targets.get(text, DEAD)
                mine = "half a character" if after >= len(dfa) else after
                if mine != wanted:
                    names = [each if type(each) is str else state_name(each) for each in (wanted, mine)]
                    raise AssertionError(
                        f"{what}: from state {state}, {in_hex(text)} must lead to {names[0]}; yours leads to {names[1]}"
                        f"\n    {walk_text(got, state, text)}{step_text(got, here // len(dfa), text, known)}"
                    )
                if text in halves:
                    waiting.append((text, after))


def state_name(state: int, before: str = "") -> str:
    """Return a state in words."""
    return "dead" if state == DEAD else f"{before}state {state}"


def step_text(got: ByteDfa, node: int, text: bytes, known: dict[bytes, int]) -> str:
    """Return a line with the first entry of the table that is wrong, at the node after all but the last byte or below.

    Only characters that begin with the text are looked at; if their entries are right, the line is empty.
    """
    begun = sorted(encoding for encoding in known if encoding.startswith(text)) or [text]
    for encoding in begun:
        at = node
        for n in range(len(text), len(encoding) + 1):
            byte, mine = encoding[n - 1], int(got.steps[at, encoding[n - 1]])
            where = f"\n    steps[{at}, 0x{byte:02X}], after {in_hex(encoding[: n - 1]) or 'no byte'}, is {mine}"
            if n < len(encoding):
                if mine <= 0:
                    return f"{where}, but {in_hex(encoding)} is a character, so it must be a node, 1 or more"
            elif encoding not in known:
                return f"{where}, but no character begins with {in_hex(text)}, so it must be 0" if mine else ""
            elif mine != -1 - known[encoding]:
                step = f"-1 - {known[encoding]}, which is {-1 - known[encoding]}"
                return (
                    f"{where}, but {in_hex(encoding)} is a character of class {known[encoding]}, so it must be {step}"
                )
            at = mine
    return ""


def nodes_text(got: ByteDfa, fewest: int) -> str:
    """Return which nodes should be one, for a message about their number."""
    rows = got.steps.tolist()
    twin = next((node for node, row in enumerate(rows) if row in rows[:node]), None)
    if len(rows) <= fewest or twin is None:
        return ""
    return f"\n    rows {rows.index(rows[twin])} and {twin} of your steps are equal, so they must be one node"


def fewest_nodes(dfa: Dfa) -> int:
    """Return the fewest nodes: the root, and one for each different set of continuations inside a character."""
    continuations: dict[bytes, set[tuple[bytes, int]]] = {b"": set()}
    for text, symbol_class in encodings(dfa).items():
        for n in range(1, len(text)):
            continuations.setdefault(text[:n], set()).add((text[n:], symbol_class))
    return 1 + len({frozenset(each) for prefix, each in continuations.items() if prefix})


BYTE_AUTOMATA = {
    "([0-9]+)?\\.[0-9]+": NUMBER,
    "é": dfa_of([[(span("é"), 1)], []], {1}),
    "éa|ĩb": dfa_of([[(span("é"), 1), (span("ĩ"), 2)], [(span("a"), 3)], [(span("b"), 3)], []], {3}),
    "€|₭a": dfa_of([[(span("€"), 1), (span("₭"), 2)], [], [(span("a"), 1)]], {1}),
    "[Ā-ſ一-丽]": dfa_of([[(span("Āſ"), 1), (span("一丽"), 1)], []], {1}),
    "[一-七]x|[丈-丽]": dfa_of([[(span("一七"), 1), (span("丈丽"), 2)], [(span("x"), 2)], []], {2}),
    "[\\ud700-\\ue0ff]": dfa_of([[((0xD700, 0xE0FF), 1)], []], {1}),
    "[😀-🙏]+": dfa_of([[(span("😀🙏"), 0)]], {0}),
    "no character": dfa_of([[]], {0}),
}


@pytest.mark.todo("byte_dfa")
@pytest.mark.parametrize("name", BYTE_AUTOMATA)
def test_bytes_lead_where_characters_lead(lab, name):
    """A character's bytes lead where the character does. What isn't UTF-8 is dead, and equal subtrees share a node."""
    dfa = BYTE_AUTOMATA[name]
    with reporting(f"byte_dfa of the automaton of {name}"):
        got = lab.byte_dfa(dfa)
    check_byte_automaton(got, dfa, f"byte_dfa of {name}")
    few = fewest_nodes(dfa)
    check_equal(len(got.steps), few, f"byte_dfa of {name}: the number of nodes{nodes_text(got, few)}")


BROKEN = """
80 a continuation byte without a first byte, C0AF an overlong slash, C080 an overlong NUL, EDBFBF the last surrogate,
E08181 an overlong letter of three bytes, F08282AC an overlong euro sign, EDA080 the first surrogate,
F4908080 beyond the last code point, F5808080 a byte that starts nothing, E28261 a character broken off by a letter
"""


@pytest.mark.todo("byte_dfa")
def test_what_is_no_utf8_is_dead(lab):
    """Bytes that aren't UTF-8 are dead, even if the pattern takes any character. Eight nodes are enough."""
    automaton = lab.byte_dfa(ANY)
    for digits, name in (row.strip().split(" ", 1) for row in BROKEN.split(",")):
        broken = bytes.fromhex(digits)
        check_equal(walk(automaton, 0, broken)[-1], DEAD, f"{name}: {walk_text(automaton, 0, broken)}")
    what = f"the number of nodes for any character: what may follow E1 may follow E2, too{nodes_text(automaton, 8)}"
    check_equal(len(automaton.steps), 8, what)


DIGITS_ONLY = dfa_of([[(span("09"), 1)], [(span("09"), 1)]], {1})
TWO_E = dfa_of([[(span("é"), 1)], [(span("é"), 1)]], {1})


@pytest.mark.todo("byte_dfa")
def test_each_automaton_has_its_own_tree(lab):
    """Give each automaton nodes of its own, whatever you've built before. Without characters, it's only the root."""
    nodes_and_ends = "the nodes, and where 7, é, éé and x lead"
    calls = {
        f"of digits, {nodes_and_ends}": ((DIGITS_ONLY,), [1, 1, DEAD, DEAD, DEAD]),
        f"of é, {nodes_and_ends}": ((TWO_E,), [2, DEAD, 1, 1, DEAD]),
        f"of no character, {nodes_and_ends}": ((Dfa([0], [-1], [[]], 0, [True]),), [1, DEAD, DEAD, DEAD, DEAD]),
    }

    def leads(made):
        return [len(made.steps), *(walk(made, 0, text.encode())[-1] for text in ("7", "é", "éé", "x"))]

    check_promises(lab, "byte_dfa", calls, lambda make: lambda dfa: leads(make(dfa)))


def trie_of(tokens) -> ByteTrie:
    """Return the test's own trie: a node for each prefix of a token, in the order of length and bytes."""
    prefixes = sorted({t[:n] for t in tokens if t for n in range(len(t) + 1)} | {b""}, key=lambda b: (len(b), b))
    number = {prefix: node for node, prefix in enumerate(prefixes)}
    parents = [NO_NODE, *(number[b[:-1]] for b in prefixes[1:])]
    ends = [number[token] if token else NO_NODE for token in tokens]
    return ByteTrie(parents, [0, *(b[-1] for b in prefixes[1:])], ends)


# walk ---------------------------------------------------------------------------------------------


def check_walk(lab, automaton, tokens, start, name: str, few: int = 0) -> None:
    """Assert the levels of a walk, each a list of living nodes with their states."""
    trie, level, asked = trie_of(tokens), list(start), []
    expected = [level]
    while len(level) > few:
        children = [(child, state) for node, state in level for child in np.flatnonzero(trie.parent == node).tolist()]
        after = [(child, automaton.step(state, int(trie.byte[child]))) for child, state in children]
        level = [(child, state) for child, state in after if state != DEAD]
        expected.append(level)
    nodes, states = (intp(*(pair[i] for pair in start)) for i in (0, 1))
    names = ", ".join(map(shown, tokens[:14])) or "no tokens"
    begin = ", ".join(nodes_in_states(trie, start)) or "no node"
    what = f"walk through {names}{' …' * (len(tokens) > 14)} on {name} from {begin}" + f", few={few}" * (few > 0)

    def successors(states, byte_classes):
        asked.append(len(states))
        assert len(asked) <= 2 * len(trie) + 2, "you ask for steps below an empty level, again and again: stop there"
        return automaton.successors(np.array(states), np.array(byte_classes))

    steps = CountedSteps(automaton.byte_classes, successors)
    with reporting(what):
        got = lab.walk(trie, steps, nodes, states, few) if few else lab.walk(trie, steps, nodes, states)
    check_type(got, list, what)
    mine = []
    for depth, pair in enumerate(got):
        check_type(pair, tuple, f"{what}, level {depth}")
        assert len(pair) == 2, f"{what}, level {depth}: expected nodes and states, yours are {len(pair)} values"
        for array, kind in zip(pair, ("nodes", "states"), strict=True):
            whole = type(array) is np.ndarray and array.ndim == 1 and array.dtype.kind == "i"
            assert whole, f"{what}, level {depth}: the {kind} must be a NumPy array of ints; yours are {array!r}"
        mine.append(list(zip(*(array.tolist() for array in pair), strict=True)))
    for depth, (one, other) in enumerate(zip(mine, expected, strict=False)):
        right, yours = (", ".join(nodes_in_states(trie, each)) or "no node" for each in (other, one))
        assert one == other, f"{what}, level {depth}\n    expected {right}\n    yours    {yours}"
    last, size = len(mine) - 1, len(mine[-1]) if mine else 0
    final = f"level {len(expected) - 1} has no more than few={few} nodes, so it's the last one"
    assert last < len(expected), f"{what}\n    {final}; yours goes on"
    more = f"level {last} has {size} nodes, more than few={few}, so another level follows it in the list"
    assert last == len(expected) - 1, f"{what}\n    {more}" + ", an empty one" * (not expected[last + 1])


def nodes_in_states(trie: ByteTrie, level) -> list[str]:
    """Return nodes by the bytes that lead there, each with its state."""
    texts = [b""]
    for parent, byte in zip(trie.parent[1:].tolist(), trie.byte[1:].tolist(), strict=True):
        texts.append(texts[parent] + bytes([byte]))
    names = ["the root", *map(shown, texts[1:])]
    return [f"{names[n] if 0 <= n < len(names) else f'node {n}'} {state_name(s, 'in ')}" for n, s in level]


NUMBER_TOKENS = [b"a", b".", b".2", b"1", None, b"12", b"1.", b"1.5", b"..", b".2.", b"1", b"", b"007", b"x1"]


HALVES = "C3,A9,A961,61C3,E2,E282,82,AC,82AC,ACF09F,9880,80,E282AC,C3A9E2,ED,EDA0,C0,FF,C3A9E282AC"
HALVES = [bytes.fromhex(token) for token in HALVES.split(",")]


@pytest.mark.todo("walk")
@pytest.mark.parametrize(("state", "few"), [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (0, 3), (0, 100)])
def test_what_is_alive_below_the_root(lab, state, few):
    """Find the living nodes, level by level. A level of no more than ``few`` nodes is the last one in the list."""
    check_walk(lab, automaton_of(NUMBER), [b"1", b"12", b"1.", b".5", b"a"], [(0, state)], "([0-9]+)?\\.[0-9]+", few)
    check_walk(lab, automaton_of(NUMBER), NUMBER_TOKENS, [(0, state)], "([0-9]+)?\\.[0-9]+", few)
    check_walk(lab, automaton_of(NUMBER), [b"123", b"124", b"5"], [(0, state)], "([0-9]+)?\\.[0-9]+", few)


@pytest.mark.todo("walk")
def test_a_walk_may_begin_anywhere(lab):
    """A walk may begin at several nodes, each with a state of its own, at none, or in the middle of a character."""
    tokens = [b"1.5", b"2", b"2.", b".5", b"..", b"a1"]
    for start in ([(1, 1), (2, 0), (3, 0), (4, 2)], [(2, 2), (4, 0)], []):
        check_walk(lab, automaton_of(NUMBER), tokens, start, "([0-9]+)?\\.[0-9]+")
    automaton = automaton_of(ACCENTS)
    for text in (b"", b"\xc3", b"\xe2\x82", "€".encode() + b"\xf0"):
        start = [(0, walk(automaton, 0, text)[-1])]
        check_walk(lab, automaton, HALVES, start, "an automaton with characters of one to four bytes")


@pytest.mark.todo("walk")
def test_levels_are_new(lab):
    """Leave the nodes and states that you're given as they are, and remember nothing from earlier calls."""
    calls = {
        "of 7 and 77 in state 0": (([b"7", b"77", b"x"], [0], [0]), [[(0, 0)], [(1, 1)], [(3, 1)], []]),
        "of the same in state 1": (([b"7", b"77", b"x"], [0], [1]), [[(0, 1)], [(1, 1)], [(3, 1)], []]),
        "of the same, few=1": (([b"7", b"77", b"x"], [0], [0], 1), [[(0, 0)]]),
        "of others": (([b"x", b"8"], [0], [0]), [[(0, 0)], [(1, 1)], []]),
    }

    def with_lists(walk):
        def levels(tokens, nodes, states, *few):
            found = walk(trie_of(tokens), automaton_of(DIGITS_ONLY), intp(*nodes), intp(*states), *few)
            return [list(zip(nodes.tolist(), states.tolist(), strict=True)) for nodes, states in found]

        return levels

    check_promises(lab, "walk", calls, with_lists)


@st.composite
def random_automata(draw):
    """Draw an automaton over five characters of one to four bytes, some of whose states are dead ends."""
    n = draw(st.integers(1, 4))
    transition = st.tuples(st.sampled_from([span(char) for char in "abé€😀"]), st.integers(0, n - 1))
    rows = draw(st.lists(st.lists(transition, max_size=4, unique_by=lambda pair: pair[0]), min_size=n, max_size=n))
    return dfa_of(rows, draw(st.sets(st.integers(0, n - 1), min_size=1)))


def pieces_of_text():
    """Return a strategy for tokens cut out of texts, at any byte, and None."""
    texts = st.text("abé€😀", max_size=4).map(str.encode)
    cut = st.tuples(texts, st.integers(0, 3), st.integers(1, 8)).map(lambda made: made[0][made[1] :][: made[2]])
    return st.lists(cut | st.none(), max_size=14)


@pytest.mark.todo("walk")
def test_nothing_is_walked_below_a_dead_node(lab):
    """Call ``successors`` once a level, and never walk below a dead node. There are 900 nodes down there."""
    tokens = [b"1", b"12", b"123", *(f"a{n}".encode() for n in range(900))]
    automaton, calls = automaton_of(NUMBER), []

    def successors(states, byte_classes):
        calls.append(len(states))
        return automaton.successors(np.array(states), np.array(byte_classes))

    with reporting("walk through 1, 12, 123, a0 to a899"):
        lab.walk(trie_of(tokens), CountedSteps(automaton.byte_classes, successors), intp(0), intp(0))
    what = "the states that each call of successors is asked for: all the children of the living nodes of a level"
    check_equal(calls[:4], [2, 1, 1, 0][: len(calls)], what)
    assert len(calls) <= 4, f"there are 4 levels, so call successors 4 times; yours calls it {len(calls)} times"


@FEWER
@given(st.data())
@pytest.mark.todo("walk")
def test_any_walk(lab, data):
    """From any state of any automaton, find exactly the nodes that are alive, each with its state."""
    dfa, tokens = data.draw(random_automata()), data.draw(pieces_of_text())
    automaton = automaton_of(dfa)
    state = data.draw(st.integers(0, len(dfa) - 1))
    check_walk(lab, automaton, tokens, [(0, state)], "a random automaton", data.draw(st.sampled_from([0, 0, 2])))


# pure_tokens --------------------------------------------------------------------------------------


def table_of(tokens) -> tuple:
    """Return which tokens are whole characters, and a row for each byte of ASCII, and one for those beyond."""
    size = len(tokens)
    rows = [{i for i, token in enumerate(tokens) if byte in token} for byte in range(128)]
    rows.append({i for i, token in enumerate(tokens) if max(token, default=0) > 127})
    return int32(*words_of(range(size), size)), np.array([words_of(row, size) for row in rows], np.int32)


def check_pure(lab, tokens, excluded, valid=None) -> None:
    """Assert which tokens have none of some bytes."""
    all_valid, has = table_of(tokens)
    valid = all_valid if valid is None else valid
    kept = unpacked(valid, len(tokens))
    names = ", ".join(shown(bytes([b])) if b < 128 else "any beyond ASCII" for b in excluded[:6]) or "nothing"
    what = f"pure_tokens of {texts_of(tokens, range(len(tokens)))} with {names}{' …' * (len(excluded) > 6)} excluded"
    if len(kept) < len(tokens):
        what += f", where only {texts_of(tokens, kept)} are valid"
    with reporting(what):
        row = lab.pure_tokens(valid, has, excluded)
    got = unpacked(row, len(tokens), what)
    pure = {i for i in kept if not {min(byte, 128) for byte in tokens[i]} & {*excluded}}
    if wrong := sorted(got ^ pure, key=lambda i: (len(tokens[i]), i)):
        there = [b for b in excluded if b in {min(byte, 128) for byte in tokens[wrong[0]]}]
        token = f"{shown(tokens[wrong[0]])}, which"
        reason = f"you drop {token} is valid and has none of these bytes"
        if there and wrong[0] in kept:
            byte = shown(bytes(there[:1])) if there[0] < 128 else "a byte beyond ASCII"
            reason = f"you keep {token} has {byte}: one excluded byte is enough"
        elif wrong[0] not in kept:
            reason = f"you keep {token} isn't valid"
        more = f" ({len(wrong)} tokens are wrong in all)" if len(wrong) > 1 else ""
        raise AssertionError(f"{what}\n    {reason}{more}")


def texts_of(tokens, ids) -> str:
    """Return some tokens as text, at most eight of them."""
    some = sorted(ids)
    return (", ".join(shown(tokens[i]) for i in some[:8]) or "no token") + " …" * (len(some) > 8)


QUOTED = [b"a", b'"', b'a"', b"\\", b"ab", "é".encode(), b'"a', b" b", b"\n", 'é"'.encode(), b"c" * 40]


@pytest.mark.todo("pure_tokens")
@pytest.mark.parametrize(
    "excluded", [b'"', b'"\\', (34, 92, 10), [128], [128, 34], tuple(range(32)), b"", [34, 34]], ids=str
)
def test_tokens_without_some_bytes(lab, excluded):
    """Keep the valid tokens with none of the excluded bytes. If nothing is excluded, keep all valid ones."""
    check_pure(lab, [b"a", b'a"', b'"', b"b"], excluded)
    check_pure(lab, QUOTED, excluded)
    check_pure(lab, QUOTED, excluded, int32(0b111))


@pytest.mark.todo("pure_tokens")
def test_pure_tokens_are_a_new_row(lab):
    """Leave the rows as they are, and accept the excluded bytes as a list, as a tuple, or as bytes."""
    quotes = table_of([b"a", b'a"', b'"'])[1]
    calls = {
        "without the quote": ((int32(0b111), quotes, b'"'), int32(0b001)),
        "without the a, a list": ((int32(0b111), quotes, [97]), int32(0b100)),
        "where nothing is excluded": ((int32(0b101), quotes, ()), int32(0b101)),
        "without a and the quote, a tuple": ((int32(0b111), quotes, (97, 34)), int32(0)),
    }
    check_promises(lab, "pure_tokens", calls)


@FEWER
@given(
    st.lists(st.text('ab"\\é', max_size=4).map(str.encode), min_size=1, max_size=70),
    st.sets(st.sampled_from([34, 97, 92, 128])),
)
@pytest.mark.todo("pure_tokens")
def test_any_tokens_without_any_bytes(lab, tokens, excluded):
    """Whatever the tokens and the bytes, a single excluded byte is enough to rule a token out."""
    check_pure(lab, tokens, sorted(excluded))


# The whole: from a pattern to masks ---------------------------------------------------------------


def number_fsm(lab):
    """Return the automaton of decimal numbers over nine tokens."""
    return lab.TokenFSM(NUMBER, lab.TokenVocabularyIndex(NUMBER_VOCABULARY))


@pytest.mark.todo("pure_tokens")
def test_allowed_tokens_initial_state(lab):
    """At the start, allow a dot, a number, or both in one token."""
    fsm = number_fsm(lab)
    check_equal(fsm.initial_state, 0, "the initial state")
    check_equal(fsm.allowed_tokens(0), {1, 2, 3, 5, 7, 8}, "the tokens allowed at the start")


@pytest.mark.todo("pure_tokens")
def test_allowed_tokens_mid_state(lab):
    """After the dot, allow nothing but digits."""
    check_equal(number_fsm(lab).allowed_tokens(1), {3, 8}, "the tokens allowed after the dot")


@pytest.mark.todo("pure_tokens")
def test_no_allowed_tokens_dead_state(lab):
    """In the dead state, allow nothing. In a state with no way on, allow EOS if it accepts, and nothing else."""
    fsm = number_fsm(lab)
    check_equal(fsm.allowed_tokens(DEAD), set(), "the tokens allowed in the dead state")
    check_equal(fsm.is_terminal(DEAD), False, "whether the dead state is terminal")
    ends = lab.TokenFSM(dfa_of([[(span("1"), 1)], []], {1}), lab.TokenVocabularyIndex(NUMBER_VOCABULARY))
    check_equal(ends.allowed_tokens(1), set(), "the tokens allowed after the 1 of the automaton of '1'")
    check_row(ends.mask(1), 9, [4], "the mask there: EOS alone")


def split(data: bytes) -> tuple[str, bytes] | None:
    """Return the whole characters and the prefix of the next; None if no UTF-8 starts with these bytes."""
    try:
        return data.decode(), b""
    except UnicodeDecodeError as error:
        if error.end < len(data) or error.reason != "unexpected end of data":
            return None
        return data[: error.start].decode(), data[error.start :]


def begun(tail: bytes) -> tuple[int, int]:
    """Return the first and the last character whose encoding starts with these bytes."""
    missing = 2 + (tail[0] >= 0xE0) + (tail[0] >= 0xF0) - len(tail)
    lows = (tail + bytes(rest) for rest in product((0x80, 0x90, 0xA0), *[(0x80,)] * (missing - 1)))
    highs = (tail + bytes(rest) for rest in product((0xBF, 0x9F, 0x8F), *[(0xBF,)] * (missing - 1)))
    first, last = (next(text for text in texts if split(text) and not split(text)[1]) for texts in (lows, highs))
    return ord(first.decode()), ord(last.decode())


def viable(pattern: str, marks: str, data: bytes) -> bool:
    """Return whether these bytes are a viable prefix, by partial matches of ``regex``.

    If they end in the middle of a character, it is completed in turn to the first and the last possible one and to
    those between them at which a class of the pattern starts or ends (``marks``).
    """
    if (parts := split(data)) is None:
        return False
    text, tail = parts
    if not tail:
        return bool(regex.compile(pattern).fullmatch(text, partial=True))
    first, last = begun(tail)
    tried = {chr(first), chr(last), *(mark for mark in marks if first <= ord(mark) <= last)}
    return any(regex.fullmatch(pattern, text + char, partial=True) for char in tried)


def compiled(lab, pattern: str, index):
    """Return the automaton over tokens of a pattern."""
    with reporting(f"compile_token_fsm({pattern!r}, index)"):
        return lab.compile_token_fsm(pattern, index)


PIECES = ["0", "1", "12", ".", ".5", "1.", "a", "ab", "b", " a", "é", "éé", "è", "café", "€", "€😀", "😀", "!", "x"]
PIECES += ["\n"]
ODD = "636166C3,A921,A8,E282,ACF09F,9880,F09F98,8078,A9,62"
ODD = [bytes.fromhex(token) for token in ODD.split(",")]
SPECIAL = [b"<s>", b"</s>", b"1", b"", "é".encode(), b"[INST]"]
MIXED = Vocabulary(
    [*SPECIAL, *(bytes([n]) for n in range(256)), b"", *(piece.encode() for piece in PIECES), *ODD],
    eos_id=1,
    special_ids=range(6),
)
"""Special tokens that look legal, a token for each byte, a token without bytes, pieces, and parts of characters. Many
bytes have two ids: the byte and the piece."""

PATTERNS = {
    r"[0-9]+\.[0-9]{2}": "",
    "caf[éè]{1,2}!": "éè",
    "(€|😀|ß)+x?": "€😀ß",
    r"[^a]b|a+": "\x00`b\U0010ffff",
    ".{2}": "\x00\t\x0b\U0010ffff",
    "(a|ab)(b1)?": "",
    "[à-öø-ÿ]{2}|é": "àöøÿé",
}
"""Patterns, with the characters at which their classes start and end."""


@pytest.mark.todo("pure_tokens")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_masks_equal_partial_matches(lab, pattern):
    """Allow exactly the tokens that can still lead to a match, half characters too, and never a special one."""
    index = lab.TokenVocabularyIndex(MIXED)
    fsm = compiled(lab, pattern, index)
    seen = {b"": fsm.initial_state}
    level = [b""]
    for _ in range(3):
        level = [after for text in level[:9] for after in check_position(fsm, pattern, text, seen)]


def check_position(fsm, pattern: str, text: bytes, seen: dict[bytes, int]) -> list[bytes]:
    """Assert the mask after a text; return some texts of one token more, and note their states in ``seen``."""
    state, marks = seen[text], PATTERNS[pattern]
    expected = {
        token_id
        for token_id, token in enumerate(MIXED.token_bytes)
        if token and token_id not in MIXED.special_ids and viable(pattern, marks, text + token)
    }
    whole = split(text) is not None and not split(text)[1] and bool(re.fullmatch(pattern, text.decode()))
    check_equal(fsm.is_terminal(state), whole, f"whether {pattern!r} may end after {shown(text)}")
    got = unpacked(fsm.mask(state), len(MIXED))
    wanted = expected | ({MIXED.eos_id} if whole else set())
    if wrong := sorted(got ^ wanted, key=lambda i: (len(MIXED.token_bytes[i]), i)):
        token_id = wrong[0]
        kind = "EOS, " if token_id == MIXED.eos_id else "special, " if token_id in MIXED.special_ids else ""
        raise AssertionError(
            f"{pattern!r} after {shown(text)}: token {token_id} is {kind}{shown(MIXED.token_bytes[token_id])}: "
            f"expected bit {int(token_id in wanted)}, your mask says {int(token_id in got)}"
        )
    check_equal(fsm.allowed_tokens(state), expected, f"the tokens that {pattern!r} allows after {shown(text)}")
    after = sorted({text + MIXED.token_bytes[i]: i for i in expected}.items())
    fresh = [(longer, i) for longer, i in after[:: max(1, len(after) // 12)] if longer not in seen]
    seen.update((longer, fsm.next_state(state, token_id)) for longer, token_id in fresh)
    return [longer for longer, _ in fresh]


@pytest.mark.todo("pure_tokens")
def test_is_terminal(lab):
    """A state is terminal if the text so far is a match. In the middle of a character, it never is."""
    fsm = compiled(lab, "1?|é+", lab.TokenVocabularyIndex(MIXED))
    euro = 6 + 0xC3
    half = fsm.next_state(fsm.initial_state, euro)
    check_equal(fsm.is_terminal(fsm.initial_state), True, "whether 1?|é+ may end at the start")
    check_equal(fsm.is_terminal(half), False, "whether 1?|é+ may end after the first byte of é")
    check_equal(fsm.is_terminal(fsm.next_state(half, 6 + 0xA9)), True, "whether 1?|é+ may end after both")
    fsm = compiled(lab, "11", lab.TokenVocabularyIndex(MIXED))
    check_equal(fsm.is_terminal(fsm.initial_state), False, "whether 11 may end at the start")


@pytest.mark.todo("pure_tokens")
@pytest.mark.parametrize("pattern", ["(yes|no)?", "0x[0-9a-f]+", r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", "[é€😀]{3}"])
def test_full_generation_simulation(lab, pattern):
    """Whichever allowed tokens are chosen, EOS comes in the end, and what's written by then is a match."""
    fsm, draw = compiled(lab, pattern, lab.TokenVocabularyIndex(MIXED)), np.random.default_rng(5)
    for _ in range(5):
        state, ids = fsm.initial_state, []
        while len(ids) < 60:
            allowed = sorted(unpacked(fsm.mask(state), len(MIXED)))
            assert allowed, f"{pattern!r}: nothing is allowed after {shown(MIXED.decode(ids).encode())}"
            token_id = MIXED.eos_id if MIXED.eos_id in allowed and len(ids) > 5 else int(draw.choice(allowed))
            if token_id == MIXED.eos_id:
                break
            ids.append(token_id)
            state = fsm.next_state(state, token_id)
        text = b"".join(MIXED.token_bytes[i] for i in ids)
        assert len(ids) < 60, f"{pattern!r} allowed {shown(text)}, and never EOS, which is drawn where it may come"
        assert re.fullmatch(pattern, text.decode()), f"{pattern!r} allowed {shown(text)} and then EOS"


# Real vocabularies ----------------------------------------------------------------------------------


@cache
def tekken() -> Vocabulary:
    """131,072 tokens of byte-level BPE."""
    return Vocabulary.tekken()


def check_real(fsm, state: int, vocabulary: Vocabulary, expected: set[int], what: str) -> None:
    """Assert a mask of a real vocabulary; a failure names the shortest wrong token."""
    got = unpacked(fsm.mask(state), len(vocabulary)) - {vocabulary.eos_id}
    if wrong := sorted(got ^ expected, key=lambda i: (len(vocabulary.token_bytes[i]), i)):
        token_id = wrong[0]
        bits = f"expected bit {int(token_id in expected)}, your mask says {int(token_id in got)}"
        problem = f"{what}, token {token_id} is {shown(vocabulary.token_bytes[token_id])}: {bits}"
        raise AssertionError(f"{problem}\n(In all, {len(wrong)} of {len(vocabulary)} bits are wrong.)")


def text_ids(vocabulary: Vocabulary, holds) -> set[int]:
    """Return the ids of the tokens that are text and for which ``holds`` is true."""
    return {i for i, t in enumerate(vocabulary.token_bytes) if t and i not in vocabulary.special_ids and holds(t)}


@pytest.mark.todo("pure_tokens")
@pytest.mark.seconds(10)
def test_all_tokens_of_a_real_vocabulary(lab):
    """The mask is right about every one of 131,072 tokens, even after two of the three bytes of a euro sign."""
    real = tekken()
    index = lab.TokenVocabularyIndex(real)
    fsm = compiled(lab, "0x[0-9a-f]+", index)
    digits = text_ids(real, re.compile(rb"[0-9a-f]+").fullmatch)
    state = fsm.next_state(fsm.next_state(fsm.initial_state, 1000 + ord("0")), 1000 + ord("x"))
    check_real(fsm, state, real, digits, "0x[0-9a-f]+ after 0x, with Tekken")
    fsm = compiled(lab, "(?s:.*)", index)
    check_real(fsm, fsm.initial_state, real, text_ids(real, split), "any text, with Tekken")
    state = fsm.next_state(fsm.next_state(fsm.initial_state, 1000 + 0xE2), 1000 + 0x82)
    after = text_ids(real, lambda token: token[0] & 0xC0 == 0x80 and split(b"\xe2\x82" + token))
    check_real(fsm, state, real, after, "any text after E2 82, with Tekken")


@pytest.mark.todo("pure_tokens")
@pytest.mark.seconds(10)
def test_a_string_with_a_real_vocabulary(lab):
    """Inside a JSON string, allow nearly all of 131,072 tokens. Of those with a quote, only a few fit."""
    real = tekken()
    fsm = compiled(lab, '"[^"\\\\\n]{0,30}(\\\\n)?",', lab.TokenVocabularyIndex(real))
    state = fsm.next_state(fsm.initial_state, 1000 + ord('"'))

    def lives(token):
        inside, _, after = token.partition(b'"')
        if b"\n" in token or (b'"' in token and after not in (b"", b",")):
            return False
        inside, mark, escaped = inside.partition(b"\\")
        if mark and (escaped not in (b"", b"n") or (b'"' in token and not escaped)):
            return False
        if (parts := split(inside)) is None or (parts[1] and (mark or b'"' in token)):
            return False
        return len(parts[0]) + bool(parts[1]) <= 30

    check_real(fsm, state, real, text_ids(real, lives), "a string of at most 30 characters, with Tekken")


# lift ---------------------------------------------------------------------------------------------


def function_of(automaton: ByteDfa, token: bytes | None, states) -> tuple[int, ...]:
    """Return where a token leads from each state."""
    return tuple(walk(automaton, state, token)[-1] if token else DEAD for state in states)


def transitions_of(states, ends) -> list[tuple[int, int]]:
    """Return a function as pairs of a source and a target."""
    return [(state, end) for state, end in zip(states, ends, strict=True) if end != DEAD]


def functions_text(automaton: ByteDfa, token: bytes | None, states) -> str:
    """Return a line for each node on the way to a token: its last byte's class, and the function that it amounts to."""
    if not token:
        return "\n    it has no node, so its group must be 0"
    lines = []
    for n in range(1, len(token) + 1):
        does = transitions_text(transitions_of(states, function_of(automaton, token[:n], states)))
        does += ", which is IDENTITY" * all(function_of(automaton, token[:n], [state]) == (state,) for state in states)
        lines.append(f"\n    node {shown(token[:n])}, class {automaton.byte_classes[token[n - 1]]}: {does}")
    return "".join(lines)


def check_lifted(got, automaton: ByteDfa, tokens, states, what: str) -> None:
    """Assert where each token leads from each state, and that tokens share a function if it is the same."""
    check_type(got, Lifted, what)
    check_array(got.groups, np.intp, (len(tokens),), f"{what}, the groups")
    functions = [function_of(automaton, token, states) for token in tokens]
    for token_id in sorted(range(len(tokens)), key=lambda token_id: len(tokens[token_id] or b"")):
        for state, end in zip(states, functions[token_id], strict=True):
            if (mine := got.target(state, token_id)) != end:
                names = [state_name(each) for each in (end, mine)]
                raise AssertionError(
                    f"{what}: from state {state}, token {token_id} is {shown(tokens[token_id])}: "
                    f"expected {names[0]}, yours {names[1]}{functions_text(automaton, tokens[token_id], states)}"
                )
    alike = {}
    for token_id, (function, group) in enumerate(zip(functions, got.groups.tolist(), strict=True)):
        token, dead = tokens[token_id], set(function) == {DEAD}
        rule = "dead in every state, so its group must be 0" if dead else "alive somewhere, so its group must not be 0"
        assert (group == 0) == dead, f"{what}: token {token_id} is {shown(token)}: it is {rule}; yours is {group}"
        other, same = alike.setdefault(function, (token_id, group))
        does = transitions_text(transitions_of(states, function))
        equal = f"{other}, {shown(tokens[other])}, and {token_id}, {shown(token)}, do the same, {does}"
        assert same == group, f"{what}: tokens {equal}: they must be one group; yours are {same} and {group}"


def check_lift(lab, automaton: ByteDfa, tokens, states, name: str) -> Lifted:
    """Lift some tokens, and assert where they lead."""
    what = f"lift {', '.join(map(shown, tokens[:6]))}{' …' * (len(tokens) > 6)} on {name} from {list(states)}"
    with reporting(what):
        got = lab.lift(trie_of(tokens), automaton, np.array(states))
    check_lifted(got, automaton, tokens, states, what)
    return got


DEAD_ENDS = dfa_of([[(span("a"), 1), (span("b"), 2), (span("é"), 2)], [(span("c"), 1)], [(span("b"), 2)]], {1})
"""ac*, with b and é leading where no match can be reached."""

DECIMALS = "([0-9]+)?\\.[0-9]+"
LIFTS = {f"{DECIMALS}, from {states}": (NUMBER, NUMBER_TOKENS, states) for states in ([0], [2], [0, 1, 2])}
LIFTS |= {
    f"{DECIMALS}, a digit": (NUMBER, [b"7"], [0, 1, 2]),
    f"{DECIMALS}, five tokens": (NUMBER, [b"7", b"42", b".", b".5", b"a."], [0, 1, 2]),
    "ac*, with transitions by b and é to a dead end": (
        DEAD_ENDS,
        [b"a", b"b", b"ac", b"bb", b"\xc3", b"\xc3\xa9"],
        [0, 1, 2],
    ),
    f"{DECIMALS}, tokens without text": (NUMBER, [None, b""], [0]),
    "an automaton without characters": (dfa_of([[]], {0}), [b"a", None], [0]),
    f"{DECIMALS}, long numbers": (NUMBER, [b"123456", b"12.5", b"7"], range(3)),
    "an automaton that knows a to z, é and €": (ACCENTS, [b"abcabc", "éaéa".encode()], [0]),
}


@pytest.mark.todo("lift")
@pytest.mark.parametrize("name", LIFTS)
def test_tokens_as_functions(lab, name):
    """Find out where each token leads from each state. A state from which no match can be reached is dead."""
    dfa, tokens, states = LIFTS[name]
    check_lift(lab, automaton_of(dfa), tokens, states, name.partition(", ")[0])


@pytest.mark.todo("lift")
def test_a_level_is_looked_up_at_once(lab):
    """Look up the keys of a whole level in one call. A call for each node is right too, but far slower."""
    automaton, calls = automaton_of(NUMBER), []

    def successors(states, byte_classes):
        calls.append(len(states))
        return automaton.successors(np.array(states), np.array(byte_classes))

    tokens = [b"7", b"42", b".", b".5", b"a."]
    with reporting("lift 7, 42, ., .5, a."):
        lab.lift(trie_of(tokens), CountedSteps(automaton.byte_classes, successors), intp(0, 1, 2))
    said = f"lift 7, 42, ., .5, a.: two levels bring new keys, and you look such keys up in {len(calls)} calls"
    assert len(calls) <= 2, f"{said}. Pass all keys of a level to look_up at once"


def pieces_of(transitions) -> list:
    """Return each function as pairs of a source and a target."""
    check_type(transitions, Transitions, "the functions")
    pairs = list(zip(transitions.sources.tolist(), transitions.targets.tolist(), strict=True))
    return [pairs[start:end] for start, end in pairwise(transitions.first.tolist())]


@pytest.mark.todo("lift")
def test_most_tokens_are_the_same_function(lab):
    """All whole numbers do the same to the automaton of decimal numbers, so keep one function for them all."""
    numbers = [str(n).encode() for n in range(200)]
    decimals = [number[:n] + b"." + number[n:] for number in numbers for n in range(len(number))]
    functions = pieces_of(check_lift(lab, automaton_of(NUMBER), numbers + decimals, range(3), DECIMALS).transitions)
    for number, function in enumerate(functions):
        first, what = functions.index(function), "lift of 0 to 199, and of the same with a dot"
        assert first == number, f"{what}: functions {first} and {number} are the same, {transitions_text(function)}"


@pytest.mark.todo("lift")
def test_functions_as_pairs(lab):
    """The states come in a list, a tuple or an array. Make new functions in each call, from these states alone."""
    ones, tokens = [(0, 1), (1, 1)], [b"7", "é".encode(), b"77"]
    calls = {
        "of 7, é, 77 over [0-9]+": ((tokens, DIGITS_ONLY, [0, 1]), [ones, [], ones]),
        "of 7, é, 77 over é+": ((tokens, TWO_E, [0, 1]), [[], ones, []]),
        "of 7 from state 1 alone, an array": (([b"7"], DIGITS_ONLY, intp(1)), [[(1, 1)]]),
        "of tokens without text": (([None, b"", b"7"], DIGITS_ONLY, (0,)), [[], [], [(0, 1)]]),
        "of halves of é, from 0 and 2": (([b"\xc3", b"\xa9"], TWO_E, [0, 2]), [[(0, 2)], [(2, 1)]]),
    }

    def as_pairs(lifted):
        check_type(lifted, Lifted, "the result")
        return [list(pieces_of(lifted.transitions)[group]) for group in lifted.groups.tolist()]

    with_tokens = lambda lift: lambda tokens, dfa, on: as_pairs(lift(trie_of(tokens), automaton_of(dfa), on))  # noqa: E731
    check_promises(lab, "lift", calls, with_tokens)


@FEWER
@given(random_automata(), pieces_of_text(), st.data())
@pytest.mark.todo("lift")
def test_any_automaton_and_any_tokens(lab, dfa, tokens, data):
    """For any automaton, find where each token leads from any of its states, even in the middle of a character."""
    automaton = automaton_of(dfa)
    halves = [text[:n] for text in encodings(dfa) for n in (1, 2)]
    known = sorted({walk(automaton, state, half)[-1] for state in range(len(dfa)) for half in (b"", *halves)} - {DEAD})
    states = sorted(data.draw(st.sets(st.sampled_from(known), min_size=1)))
    check_lift(lab, automaton, tokens, states, "a random automaton")
