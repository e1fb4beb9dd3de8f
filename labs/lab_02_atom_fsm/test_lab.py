"""Tests of lab 02. The oracles are ``re``, partial matches of ``regex``, brute force, and automata given as data."""

import re
import string
from itertools import pairwise, product

import numpy as np
import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

from labkit.automata import MAX_CLASS, Atom, Fsm
from labkit.checking import Recorder, bits, check_equal, check_mask, check_type, check_written, describe_walk
from labkit.checking.calls import check_call, check_raises, reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.checking.showing import shown
from labkit.errors import InvalidPattern, LimitExceeded, UnsupportedPattern
from labkit.models import adversary, seeded_random, uniform
from labkit.vocabulary import Vocabulary

HEX = "0x[0-9a-f]+"
HEX_DIGITS = "0123456789abcdef"
HEX_FSM = Fsm(
    transitions=({"0": 1}, {"x": 2}, dict.fromkeys(HEX_DIGITS, 3), dict.fromkeys(HEX_DIGITS, 3)),
    initial=0,
    accepting=frozenset({3}),
)
WITNESSES = {0: "", 1: "0", 2: "0x", 3: "0x1"}
"""The witness of each state: the shortest text that leads HEX_FSM to it."""


PROBLEMS = {"*": "repetition by '*'", "?": "the optional '?'", "{": "counted repetition '{'", "(": "a group '('"}
PROBLEMS |= {")": "a group's end ')'", "|": "the choice '|'", ".": "the dot (for a full stop write '\\.')"}
PROBLEMS |= {"^": "the anchor '^'", "$": "the anchor '$'"}
"""The characters that a pattern may not hold outside a class, and what their errors say."""

TEXTS = ("0", "x", "0x", "1", "af", "x1", "0x1f", "1x", "g", "0xg", "", None, "00", "q", "@", "zz", "é")


def said(value: object) -> str | None:
    """Return how a test's name says an argument: a pattern in quotes, a position as such."""
    if isinstance(value, str):
        return f"pattern '{value}'"
    return f"at {value}" if type(value) is int else None


def viable(pattern: str, text: str) -> bool:
    """Return whether the text is a prefix of a full match, according to the ``regex`` package."""
    return bool(regex.compile(pattern).fullmatch(text, partial=True))


def run(fsm: Fsm, text: str) -> bool:
    """Return whether the automaton accepts the whole text, by a walk that the tests do themselves."""
    state = fsm.initial
    for char in text:
        if char not in fsm.transitions[state]:
            return False
        state = fsm.transitions[state][char]
    return state in fsm.accepting


def refusal(call, kind, pattern: str, position: int, what: str) -> str:
    """Assert that the call, described by ``what``, raises this error at this position; return the error's problem."""
    try:
        with reporting(what):
            got = call()
    except (InvalidPattern, UnsupportedPattern) as error:
        said = f"{what} raises {type(error).__name__}({error.problem!r}, …)"
        raised = kind if isinstance(error, kind) else type(error)  # a subclass is such an error too
        check_equal(raised.__name__, kind.__name__, f"{said}: the kind of the error")
        check_equal(error.position, position, f"{said}: the position in {pattern!r}")
        check_equal(error.pattern, pattern, f"{said}: the pattern that the error carries")
        return error.problem
    raise AssertionError(f"{what} must raise {kind.__name__} at position {position}; yours gave {shown(got)}")


SOURCES = [("a", "a"), ("b", "b"), ("1", "1"), (r"\+", "+"), ("[ab]", "ab"), ("[a-b1]", "ab1")]


@st.composite
def pattern_of_atoms(draw):
    """Draw a pattern over a, b, 1 and the escaped plus, with the characters and the repetition of each of its atoms."""
    atoms = draw(st.lists(st.tuples(st.sampled_from(SOURCES), st.booleans()), max_size=4))
    return "".join(source + "+" * plus for (source, _), plus in atoms), [(chars, plus) for (_, chars), plus in atoms]


def as_atoms(pattern: str, pairs) -> list[Atom]:
    """Return the atoms of such a pattern, cut by a regular expression: class, escape or character, and a plus."""
    found = zip(re.finditer(r"(?:\[[^]]*\]|\\.|.)\+?", pattern), pairs, strict=True)
    return [Atom(frozenset(chars), plus, match.group(), match.start()) for match, (chars, plus) in found]


# advance ------------------------------------------------------------------------------------------


def walk_call(state: int, text: str) -> str:
    """Return a description of a call of advance, with its walk."""
    return f"advance(the automaton of {HEX}, {state}, {text!r}): its walk is {describe_walk(HEX_FSM, state, text)}"


def check_walk(lab, state: int, text: str, expected: int | None) -> None:
    """Assert that advance returns ``expected`` for this walk."""
    with reporting(walk_call(state, text)):
        got = lab.advance(HEX_FSM, state, text)
    check_equal(got, expected, walk_call(state, text))


@pytest.mark.todo("advance")
@pytest.mark.parametrize(
    ("state", "text", "expected"),
    [(0, "0", 1), (0, "0x", 2), (0, "0x1f", 3), (1, "x", 2), (2, "a", 3), (3, "a1", 3), (0, "", 0), (3, "", 3)],
)
def test_advance_walks_the_whole_text(lab, state, text, expected):
    """You take one transition for each character of the text, however many there are. Without a text, you stay where
    you are.
    """
    check_walk(lab, state, text, expected)


@pytest.mark.todo("advance")
@pytest.mark.parametrize(("state", "text"), [(3, "1x"), (0, "x"), (0, "00x"), (2, "1x1"), (1, "q"), (3, "g1")])
def test_a_text_that_dies_gives_none(lab, state, text):
    """If a text dies halfway, you return None, not the last state in which it was alive."""
    check_walk(lab, state, text, None)


@pytest.mark.todo("advance")
@pytest.mark.parametrize("state", range(4))
def test_a_text_is_alive_while_a_match_is_possible(lab, state):
    """From any state, a text is alive if a match is still possible after it. It needn't be one yet."""
    for text in ("".join(chars) for n in range(1, 4) for chars in product("0x1g", repeat=n)):
        what = walk_call(state, text)
        with reporting(what):
            got = lab.advance(HEX_FSM, state, text)
        whole = WITNESSES[state] + text
        expected = f"a state: {whole!r} can" if viable(HEX, whole) else f"None: {whole!r} cannot"
        if (got is not None) != viable(HEX, whole):
            raise AssertionError(f"{what}\n    expected {expected} become a match\n    yours    {got!r}")


# token_mask ---------------------------------------------------------------------------------------


@pytest.mark.todo("token_mask")
@pytest.mark.parametrize("state", range(4))
def test_the_mask_equals_brute_force_in_every_state(lab, state):
    """In every state, you allow the tokens after which a match is still possible, and no others."""
    expected = np.array([bool(text) and viable(HEX, WITNESSES[state] + text) for text in TEXTS])
    got = lab.token_mask(HEX_FSM, state, TEXTS)
    what = f"in state {state} of the automaton of {HEX}"
    check_mask(got, expected, TEXTS, what, lambda i: describe_walk(HEX_FSM, state, TEXTS[i] or ""))


# generate -----------------------------------------------------------------------------------------


@pytest.mark.todo("generate")
@pytest.mark.parametrize("seed", range(3))
def test_the_adversary_writes_hex(lab, seed):
    """This model would love to write q, @ and zz. Under your mask, it writes a hexadecimal number."""
    vocabulary = Vocabulary([(text or "\xff").encode("latin-1") for text in TEXTS], eos_id=11)
    model = adversary(vocabulary, wants=["q", "@", "zz"])
    ids = lab.generate(model, HEX_FSM, TEXTS, np.random.default_rng(seed).random(12).tolist())
    check_type(ids, list, "generate")
    text = "".join(TEXTS[i] or "" for i in ids)
    walk = describe_walk(HEX_FSM, HEX_FSM.initial, text)
    check_equal(len(ids), 12, f"the number of tokens for 12 numbers u; the text is {text!r}, and its walk {walk}")
    assert re.fullmatch(HEX, text), f"12 tokens make {text!r}, which does not match {HEX!r}"


@pytest.mark.todo("generate")
@pytest.mark.parametrize("seed", range(4))
def test_the_same_ids_as_the_naive_mask(lab, seed):
    """The automaton changes what a mask costs, not what it says: with the same u, you write the ids of lab 01."""
    texts = ("0", "x", "0x", "a", "1f", "q", "x1")
    model = seeded_random(len(texts), seed)
    us = np.random.default_rng(seed).random(10).tolist()
    expected, text = [], ""
    for u in us:
        odds = np.exp(model(expected).astype(float)) * [viable(HEX, text + each) for each in texts]
        expected.append(int(np.flatnonzero(np.cumsum(odds) > u * odds.sum())[0]))
        text += texts[expected[-1]]
    got = lab.generate(model, HEX_FSM, texts, us)
    check_written(got, expected, texts, f"the ids for the automaton of {HEX}, seed {seed}")


@pytest.mark.todo("generate")
def test_asks_the_model_once_for_each_token(lab):
    """Ask the model once for each token you write, with the ids so far, and not at all once nothing may follow."""
    model = Recorder(uniform(2))
    three = Fsm(({"a": 1}, {"a": 2, "b": 2}, {"b": 3}, {}), initial=0, accepting=frozenset({3}))
    got = lab.generate(model, three, ("a", "b"), [0.6] * 5)
    check_written(got, [0, 1, 1], ("a", "b"), "the ids for the automaton of 'a[ab]b'")
    check_equal(model.calls, [[], [0], [0, 1]], "what the model was called with, call by call")


@pytest.mark.todo("generate")
def test_the_state_moves_by_the_whole_token(lab):
    """A token of two characters takes two transitions, so your next state is where the second one leads."""
    row = Fsm(({"a": 1}, {"b": 2}, {"c": 3}, {}), initial=0, accepting=frozenset({3}))
    got = lab.generate(uniform(3), row, ("ab", "b", "c"), [0.5] * 5)
    check_written(got, [0, 2], ("ab", "b", "c"), "the ids for the automaton of 'abc'")


# parse_escape -------------------------------------------------------------------------------------


@pytest.mark.todo("parse_escape")
@pytest.mark.parametrize(
    ("pattern", "position", "char"),
    [(r"a\.b", 1, "."), (r"\+", 0, "+"), (r"x\\", 1, "\\"), (r"\n", 0, "\n"), (r"\t", 0, "\t"), (r"\r", 0, "\r")],
    ids=["dot", "plus", "backslash", "line", "tab", "return"],
)
def test_an_escape_takes_away_the_meaning(lab, pattern, position, char):
    """After a backslash, a special character is only itself. With n, t or r, you get a control character instead."""
    check_call(lab, "parse_escape", (pattern, position), (char, position + 2))


@pytest.mark.todo("parse_escape")
@pytest.mark.parametrize(
    "chars",
    [string.punctuation + " \n", string.ascii_letters, string.digits, "éßΩ٣"],
    ids=["punctuation", "letters", "digits", "other alphabets"],
)
def test_an_escape_is_never_guessed(lab, chars):
    """What you accept means the same as in re. You refuse any other ASCII letter or digit, because you'd only be
    guessing.
    """
    for char in chars:
        pattern = f"\\.\\{char}0041\\."
        what = f"parse_escape({pattern!r}, 2)"
        if char.isascii() and char.isalnum() and char not in "nrt":
            refusal(lambda p=pattern: lab.parse_escape(p, 2), UnsupportedPattern, pattern, 2, what)
            continue
        with reporting(what):
            meant, after = lab.parse_escape(pattern, 2)
        check_type(meant, str, f"the character of {what}")
        assert re.fullmatch(pattern, f".{meant}0041."), f"{what}: to re this escape does not mean your {meant!r}"
        check_equal(after, 4, f"the position after the escape, from {what}")


@pytest.mark.todo("parse_escape")
@pytest.mark.parametrize("length", [2, 300])
def test_a_backslash_at_the_end(lab, length):
    """When nothing follows the backslash, there's nothing to escape, so raise an error that points at the backslash."""
    pattern = "ab" * (length // 2) + "\\"
    what = f"parse_escape({pattern!r}, {length})"
    refusal(lambda: lab.parse_escape(pattern, length), InvalidPattern, pattern, length, what)


# parse_item ---------------------------------------------------------------------------------------


ITEMS = [
    *[("[abc]", 2, "b", 3), ("[a-f]", 1, "abcdef", 4), ("[x0-3]", 2, "0123", 5), (r"[\+-\.]", 1, "+,-.", 6)],
    *[("[a-]", 1, "a", 2), ("[-a]", 1, "-", 2), ("[a-", 1, "a", 2), ("[xa-]bc]", 2, "a", 3), ("[+--]", 1, "+,-", 4)],
    *[("[9-A]", 1, "9:;<=>?@A", 4), ("[Z-[]", 1, "Z[", 4), (r"[Z-\]]", 1, r"Z[\]", 5), (r"[a\-z]", 1, "a", 2)],
    *[("[Z-a]", 1, r"Z[\]^_`a", 4), ("[--0]", 1, "-./0", 4), ("[à-â]", 1, "àáâ", 4)],
]
"""Pattern and position, then the item there: its characters, and the position after it."""


@pytest.mark.todo("parse_item")
@pytest.mark.parametrize(("pattern", "position", "chars", "after"), ITEMS, ids=said)
def test_items_of_a_class(lab, pattern, position, chars, after):
    """An item is one character, or a range with both its ends. A hyphen that makes no range is only a hyphen."""
    check_call(lab, "parse_item", (pattern, position), (set(chars), after))


@pytest.mark.todo("parse_item")
@pytest.mark.parametrize(
    ("pattern", "position", "at"),
    [("[f-a]", 1, 1), ("[xb-a]", 2, 2), ("[a--]", 1, 1), (r"[\]-\[]", 1, 1), ("[a-\\", 1, 3)],
    ids=said,
)
def test_a_range_that_runs_backwards(lab, pattern, position, at):
    """You refuse a range that runs backwards, and point at its start. If an end of it is faulty, point at that end."""
    what = f"parse_item({pattern!r}, {position})"
    refusal(lambda: lab.parse_item(pattern, position), InvalidPattern, pattern, at, what)


# parse_class --------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Possible set difference:FutureWarning")
@pytest.mark.todo("parse_class")
@pytest.mark.parametrize(
    "pattern",
    [
        *["[abc]", "[0-9a-f]", "[a-]", "[-a]", "[a-c-e]", r"[\]\[]", r"[\\^]", "[+*?.()|{}$]", r"[\n\t -~]", "[a^]"],
        *["[--/]", "[+--]", "[---]", "[a[:]", r"[\^a]"],
    ],
    ids=said,
)
def test_classes_mean_what_re_means(lab, pattern):
    """Your class matches the same ASCII characters as re's. A hyphen may be the first of them, or the last."""
    expected = frozenset(char for char in map(chr, range(128)) if re.fullmatch(pattern, char))
    check_call(lab, "parse_class", (pattern, 0), (expected, len(pattern)))


ALPHABET = "ab-9]\\n\n0c["


def closes(part: str) -> bool:
    """Return whether the text is one whole class, whose closing bracket is its only unescaped one."""
    return re.fullmatch(r"\[(?:[^\]\\]|\\.)+\]", part, re.S) is not None


@pytest.mark.filterwarnings("ignore:Possible set difference:FutureWarning")
@PROPERTY
@given(st.text("ab-9]\\n", min_size=1, max_size=6))
@pytest.mark.todo("parse_class")
def test_no_class_is_misread(lab, inside):
    """Whatever's in the brackets, you never misread it: if you accept a class, you agree with re about it."""
    pattern = "[" + inside + "]"
    what = f"parse_class({pattern!r}, 0)"
    try:
        with reporting(what):
            got = lab.parse_class(pattern, 0)
    except (InvalidPattern, UnsupportedPattern):
        return
    assert type(got) is tuple and len(got) == 2, f"{what} must give the characters and a position; yours gave {got!r}"
    chars, after = got
    assert not pattern.startswith("[]"), f"{what}: this class is empty and must be refused; yours gave {shown(got)}"
    part = pattern[:after]
    assert closes(part), f"{what} stopped at {after!r}, after {part!r}, not after the bracket that closes the class"
    with reporting(f"{what}, which gave {shown(got)}, though re refuses this class, and so must you"):
        expected = frozenset(char for char in ALPHABET if re.fullmatch(part, char))
    check_equal(frozenset(chars) & frozenset(ALPHABET), expected, f"{what}: of {ALPHABET!r}, what the class takes")


@pytest.mark.todo("parse_class")
@pytest.mark.parametrize(
    ("pattern", "position", "at", "kind"),
    [
        *[("[", 0, 0, InvalidPattern), ("x[ab", 1, 1, InvalidPattern), ("x[a-", 1, 1, InvalidPattern)],
        *[(r"[a\]", 0, 0, InvalidPattern), ("a[]", 1, 1, InvalidPattern), ("a[]b]", 1, 1, InvalidPattern)],
        *[("a[^b]", 1, 1, UnsupportedPattern), ("[^", 0, 0, UnsupportedPattern)],
        pytest.param("x" * 300 + "[ab", 300, 300, InvalidPattern, id="x 300 times, then an open class"),
        # what parse_item raises passes through unchanged, even if the class is never closed
        *[("[9-0]", 0, 1, InvalidPattern), (r"x[a\d]", 1, 3, UnsupportedPattern)],
        *[("x[a\\", 1, 3, InvalidPattern), ("[9-0", 0, 1, InvalidPattern)],
    ],
    ids=said,
)
def test_classes_that_are_refused(lab, pattern, position, at, kind):
    """You refuse a class that's empty, negated or never closed, and point at its start. If an item is bad, point at
    that.
    """
    refusal(lambda: lab.parse_class(pattern, position), kind, pattern, at, f"parse_class({pattern!r}, {position})")


# parse_atoms --------------------------------------------------------------------------------------


@pytest.mark.todo("parse_atoms")
def test_parse_atoms(lab):
    """Each atom tells you its characters, whether it repeats, its source, and its place in the pattern."""
    expected = [
        *[Atom(frozenset("0"), False, "0", 0), Atom(frozenset("x"), False, "x", 1)],
        *[Atom(frozenset(HEX_DIGITS), True, "[0-9a-f]+", 2), Atom(frozenset("."), True, r"\.+", 11)],
        Atom(frozenset("]"), False, "]", 14),
    ]
    check_call(lab, "parse_atoms", (HEX + r"\.+]",), expected)


@pytest.mark.todo("parse_atoms")
def test_characters_that_stand_for_themselves(lab):
    """Twelve ASCII characters mean something special: the README lists them. All others stand for themselves."""
    for char in sorted(set(map(chr, range(128))) - set("\\[+*?{()|.^$")):
        expected = [Atom(frozenset("a"), False, "a", 0), Atom(frozenset(char), False, char, 1)]
        check_call(lab, "parse_atoms", ("a" + char,), expected)


@PROPERTY
@given(pattern_of_atoms())
@pytest.mark.todo("parse_atoms")
def test_atoms_are_what_the_pattern_was_made_of(lab, made):
    """This pattern was put together from atoms, and you get these atoms back. Their sources join to the pattern."""
    pattern, atoms = made
    with reporting(f"parse_atoms({pattern!r})"):
        got = lab.parse_atoms(pattern)
    check_equal("".join(atom.source for atom in got), pattern, f"the sources of the atoms of {pattern!r}, joined")
    check_equal(got, as_atoms(pattern, atoms), f"parse_atoms({pattern!r})")


@pytest.mark.todo("parse_atoms")
@pytest.mark.parametrize(
    ("kind", "pattern", "position"),
    [
        *[(UnsupportedPattern, "a++", 2), (UnsupportedPattern, "[ab]++", 5), (UnsupportedPattern, "ab*", 2)],
        *[(UnsupportedPattern, "(a)", 0), (UnsupportedPattern, "^a", 0), (UnsupportedPattern, "*a", 0)],
        *[(UnsupportedPattern, r"a\d", 1), (InvalidPattern, "+a", 0), (InvalidPattern, "a\\", 1)],
        *[(InvalidPattern, "ab[0", 2), (InvalidPattern, "a[9-0]", 2), (InvalidPattern, "[a\\", 2)],
        # the leftmost of two faults counts
        *[(UnsupportedPattern, "a*[b", 1), (UnsupportedPattern, "a*b++", 1), (UnsupportedPattern, "a++b*", 2)],
        *[(UnsupportedPattern, "a++[b", 2), (UnsupportedPattern, "a*[ -\uffff]", 1), (InvalidPattern, "a[9-0", 2)],
        *[(InvalidPattern, "a[b*", 1), (InvalidPattern, "[9-0][ -\uffff]", 1)],
    ],
    ids=said,
)
def test_patterns_that_are_refused(lab, kind, pattern, position):
    """If a pattern is malformed, or uses what we don't support, you refuse it, and point at the place."""
    refusal(lambda: lab.parse_atoms(pattern), kind, pattern, position, f"parse_atoms({pattern!r})")


@pytest.mark.todo("parse_atoms")
def test_patterns_that_explode(lab):
    """A class of 65,000 characters or a pattern of 1,001 atoms is too much, and you say so before you meet any other
    fault.
    """
    check_equal(len(lab.parse_atoms("a" * 1000)), 1000, "the number of atoms of 1,000 letters")
    check_equal(len(lab.parse_atoms("[\u1000-\u1fff]")[0].chars), MAX_CLASS, "a class as large as the limit")
    large = [("[ -\uffff]" + rest, MAX_CLASS) for rest in ("", "*", "++", "[a", "\\d")]
    for pattern, limit in [*large, ("a" * 1001, 1000)]:
        what = f"parse_atoms of {pattern[:12]!a}, with {len(pattern):,} characters,"
        error = check_raises(lambda pattern=pattern: lab.parse_atoms(pattern), LimitExceeded, what)
        check_equal(error.limit, limit, f"the limit of the error, {what}")


@pytest.mark.todo("parse_atoms")
def test_the_error_says_what_is_not_supported(lab):
    """Your error says what isn't supported. The starter has a text for each such character, in UNSUPPORTED."""
    for char, problem in PROBLEMS.items():
        pattern = "a+" + char
        got = refusal(lambda p=pattern: lab.parse_atoms(p), UnsupportedPattern, pattern, 2, f"parse_atoms({pattern!r})")
        assert problem in got, f"the error for {pattern!r} must say {problem!r}; yours says {got!r}"


# refuse_ambiguity ---------------------------------------------------------------------------------


@pytest.mark.todo("refuse_ambiguity")
@pytest.mark.parametrize("second", ["[89a]", "5"])
def test_the_refusal_names_both_atoms(lab, second):
    """You name both atoms, and point at the second, because that's where the pattern gets ambiguous."""
    chars, pattern = frozenset(second) - frozenset("[]"), f"[0-9]+{second}"
    atoms = [Atom(frozenset("0123456789"), True, "[0-9]+", 0), Atom(chars, False, second, 6)]
    what = f"refuse_ambiguity for {pattern!r}"
    problem = refusal(lambda: lab.refuse_ambiguity(atoms, pattern), UnsupportedPattern, pattern, 6, what)
    lacking = [repr(atom.source) for atom in atoms if atom.source not in problem]
    assert not lacking, f"{what}: the message must name both atoms, but {problem!r} lacks {' and '.join(lacking)}"


@PROPERTY
@given(pattern_of_atoms())
@pytest.mark.todo("refuse_ambiguity")
def test_exactly_the_ambiguous_patterns_are_refused(lab, made):
    """You refuse a pattern if some state would have two transitions for one character, and for no other reason."""
    pattern, pairs = made
    atoms = as_atoms(pattern, pairs)
    clash = next(((a, b) for a, b in pairwise(atoms) if a.plus and a.chars & b.chars), None)
    what = f"refuse_ambiguity for {pattern!r}"
    if clash:
        what += f" ({clash[0].source} and {clash[1].source} share a character)"
        refusal(lambda: lab.refuse_ambiguity(atoms, pattern), UnsupportedPattern, pattern, clash[1].position, what)
        return
    with reporting(what):
        got = lab.refuse_ambiguity(atoms, pattern)
    check_equal(got, None, f"{what}, which is not ambiguous")


# compile_pattern ----------------------------------------------------------------------------------


@pytest.mark.todo("compile_pattern")
def test_the_automaton_of_hex(lab):
    """For 0x[0-9a-f]+ you get four states. The last one has a loop, because more digits may follow."""
    check_call(lab, "compile_pattern", (HEX,), HEX_FSM)


@PROPERTY
@given(pattern_of_atoms())
@pytest.mark.todo("compile_pattern")
def test_the_automaton_matches_what_re_matches(lab, made):
    """Your automaton accepts a text exactly if re matches it. We try every text of up to four characters."""
    pattern, atoms = made
    assume(not any(plus and {*left} & {*right} for (left, plus), (right, _) in pairwise(atoms)))
    with reporting(f"compile_pattern({pattern!r})"):
        fsm = lab.compile_pattern(pattern)
    check_type(fsm, Fsm, f"compile_pattern({pattern!r})")
    check_equal(len(fsm), len(atoms) + 1, f"the number of states for {pattern!r}")
    matches = re.compile(pattern).fullmatch
    for text in ("".join(chars) for n in range(5) for chars in product("ab1+", repeat=n)):
        expected = matches(text) is not None
        if run(fsm, text) != expected:
            walk = describe_walk(fsm, fsm.initial, text)
            rule = "does not match" if run(fsm, text) else "matches"
            end = "and that state accepts" if run(fsm, text) else "which is not accepted"
            raise AssertionError(f"{text!r} {rule} {pattern!r}; in your automaton, the walk is\n    {walk}, {end}")


# Promises of every function ---------------------------------------------------------------------------

TURN = Fsm(({"a": 1}, {"b": 0, " ": 1}, {"a": 0}), initial=1, accepting=frozenset({0}))
"""It starts in 1, leads back to 0 and goes on a space; no transition leads to 2."""

TWIN = Fsm(({}, {"b": 1, "é": 0}, {}), initial=1, accepting=frozenset({1}))
"""As many states as ``TURN``, with other transitions. Two states are dead ends."""

SPACES = (" ", None, "b", "", "b", "a", "ba", "  ")
"""White space alone, two ids with one text, and ids without text in the middle."""


def promises():
    """Return calls of each function with different answers."""
    level, likes_a = np.zeros(8, np.float32), np.array([0, 0, 0, 0, 0, 999, 0, 0], np.float32)
    no_space = np.array([float("-inf"), 0, 0, 0, 0, 0, 0, float("-inf")])
    in_turn = lambda ids: np.eye(8)[2 + 2 * len(ids)] * 99  # noqa: E731
    a, b = Atom(frozenset("a"), False, "a", 0), Atom(frozenset("b"), True, "b+", 1)
    first, last = Atom(frozenset("ab"), True, "[ab]+", 0), Atom(frozenset("bc"), False, "[bc]", 5)
    clear, some = [first, Atom(frozenset("c"), True, "c+", 5), Atom(frozenset("ab"), False, "[ab]", 7)], (first, last)
    bc, space = Atom(frozenset("bc"), False, "[b-c]", 0), Atom(frozenset(" "), False, " ", 5)
    return {
        "advance": {
            "from 1, 'b'": ((TURN, 1, "b"), 0),
            "from 1, 'bb'": ((TURN, 1, "bb"), None),
            "from 1, 'bbé' in another automaton": ((TWIN, 1, "bbé"), 0),
            "from 1, 'béb' in another automaton": ((TWIN, 1, "béb"), None),
            "from 1, 'ba'": ((TURN, 1, "ba"), 1),
            "from 2, which is never reached, 'aa'": ((TURN, 2, "aa"), 1),
            "from 1, 2,000 spaces": ((TURN, 1, " " * 2000), 1),
            "from 1, in capitals": ((TURN, 1, "B"), None),
            "from 0, a space": ((TURN, 0, " "), None),
            "from 2, no text": ((TURN, 2, ""), 2),
            "from NumPy's 2, 'a'": ((TURN, np.int64(2), "a"), 0),
        },
        "token_mask": {
            "in state 1": ((TURN, 1, SPACES), bits("10101011")),
            "in state 0": ((TURN, 0, SPACES), bits("00000100")),
            "in state 1 of another automaton": ((TWIN, 1, SPACES), bits("00101000")),
            "in state 1 of a list with other ids": ((TURN, 1, list(SPACES[::-1])), bits("11010101")),
            "in NumPy's state 2, which is never reached": ((TURN, np.int64(2), SPACES), bits("00000100")),
            "in a dead end": ((TWIN, 0, SPACES), bits("00000000")),
            "of no tokens": ((TURN, 1, ()), bits("")),
            "of one token": ((TURN, 1, ["b"]), bits("1")),
        },
        "generate": {
            "from 1": ((lambda ids: level, TURN, SPACES, [0.3, 0.5, 0.9, 0.0]), [2, 5, 7, 0]),
            "of another automaton": ((lambda ids: level, TWIN, SPACES, [0.3, 0.9]), [2, 4]),
            "of a model that likes one token": ((lambda ids: likes_a, TURN, list(SPACES), [0.3, 0.5]), [2, 5]),
            "with a tuple of numbers u": ((lambda ids: level, TURN, SPACES, (0.9, 0.0)), [7, 0]),
            "with an array of numbers u": ((lambda ids: level, TURN, SPACES, np.array([0.0, 0.9])), [0, 7]),
            "of a model with its own minus infinity": ((lambda ids: no_space, TURN, SPACES, [0.0, 0.9]), [2, 5]),
            "of a model that reads what was written": ((in_turn, TWIN, ("b",) * 8, [0.5] * 3), [2, 4, 6]),
            "into a dead end": ((lambda ids: level[:1], Fsm(({"a": 1}, {}), 0, frozenset()), ("a",), [0.5, 0.5]), [0]),
            "without numbers u": ((lambda ids: level, TURN, SPACES, []), []),
        },
        "parse_escape": {
            r"of '\n'": (("\\n", 0), ("\n", 2)),
            r"of 'ab\n' at 2": (("ab\\n", 2), ("\n", 4)),
            r"of '\N'": (("\\N", 0), UnsupportedPattern),
            "of a backslash before a space": (("x\\ ", 1), (" ", 3)),
            "of a backslash before an accented letter": (("\\é", 0), ("é", 2)),
            "of a backslash alone": (("\\", 0), InvalidPattern),
            "of a backslash before a line's end": (("\\\n", 0), ("\n", 2)),
        },
        "parse_item": {
            "of '[a-c]'": (("[a-c]", 1), ({"a", "b", "c"}, 4)),
            "of '[xyz]' at 2": (("[xyz]", 2), ({"y"}, 3)),
            "of '[x-x]'": (("[x-x]", 1), ({"x"}, 4)),
            "of a range of control characters": (("[\\t-\\n]", 1), ({"\t", "\n"}, 6)),
            "of '[ -\"]'": (('[ -"]', 1), ({" ", "!", '"'}, 4)),
            "of '[a-\\d]'": (("[a-\\d]", 1), UnsupportedPattern),
        },
        "parse_class": {
            "of '[ab]'": (("[ab]", 0), (frozenset("ab"), 4)),
            "of 'x[cd]y' at 1": (("x[cd]y", 1), (frozenset("cd"), 5)),
            "of '[ ]'": (("[ ]", 0), (frozenset(" "), 3)),
            "of 'a' 998 times, in brackets": (("[" + "a" * 998 + "]", 0), (frozenset("a"), 1000)),
            "of '['": (("[", 0), InvalidPattern),
        },
        "parse_atoms": {
            "of 'ab+'": (("ab+",), [a, b]),
            "of 'a'": (("a",), [a]),
            "of no atoms": (("",), []),
            "of a space": ((" +",), [Atom(frozenset(" "), True, " +", 0)]),
            "of a class and a space": (("[b-c] ",), [bc, space]),
            "of a plus alone": (("+",), InvalidPattern),
        },
        "refuse_ambiguity": {
            "for '[ab]+c+[ab]'": ((clear, "[ab]+c+[ab]"), None),
            "for '[ab]+[bc]'": ((list(some), "[ab]+[bc]"), UnsupportedPattern),
            "for a tuple of '[ab]+c+[ab]'": ((tuple(clear), "[ab]+c+[ab]"), None),
            "for a tuple of '[ab]+[bc]'": ((some, "[ab]+[bc]"), UnsupportedPattern),
            "for one atom": ((clear[:1], "[ab]+"), None),
            "for no atoms": (((), ""), None),
        },
        "compile_pattern": {
            "of 'a+b'": (("a+b",), Fsm(({"a": 1}, {"a": 1, "b": 2}, {}), 0, frozenset({2}))),
            "of 'b+a'": (("b+a",), Fsm(({"b": 1}, {"b": 1, "a": 2}, {}), 0, frozenset({2}))),
            "of 'ab+'": (("ab+",), Fsm(({"a": 1}, {"b": 2}, {"b": 2}), 0, frozenset({2}))),
            "of 'a+b+'": (("a+b+",), Fsm(({"a": 1}, {"a": 1, "b": 2}, {"b": 2}), 0, frozenset({2}))),
            "of the empty pattern": (("",), Fsm(({},), 0, frozenset({0}))),
            "of a space": ((" ",), Fsm(({" ": 1}, {}), 0, frozenset({1}))),
            "of 'a+a'": (("a+a",), UnsupportedPattern),
            "of '['": (("[",), InvalidPattern),
        },
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name), id=name) for name in promises()])
def test_calls_leave_everything_else_alone(lab, name):
    """You leave your arguments alone, give a new result each time, and remember nothing of earlier calls."""
    check_promises(lab, name, promises()[name])
