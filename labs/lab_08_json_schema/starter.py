# Your file for lab 08. Replace each `raise NotImplementedError` by code of your own, in any order.
# How far you are:  python3 -m course test 08
# On every save:    python3 -m course watch 08
# Stuck on TODO 1:  python3 -m course hint 08.1
# The README beside this file explains the idea.

r"""Lab 08: from a JSON Schema to a regular expression for its values, and to an automaton.

The JSON texts of a schema without recursion are a regular language, so labs 06 and 07 turn them into an automaton and
masks. The first half gets JSON right: which texts are strings, where commas go, that ``01`` is not a number. The second
half works on automata, where an expression would be too long or unknown: bounds, patterns, ``anyOf``, ``allOf``, nested
schemas. ``given/`` reads all the keywords and calls both halves.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from labkit.automata.dfa import DEAD, Dfa, Nfa
from labkit.automata.syntax import Ranges
from labs.lab_06_regex_to_dfa.solution import (
    compile_dfa,
    merge_ranges,
    minimize_dfa,
    nfa_to_dfa,
    product,
    transitions_of,
)
from labs.lab_08_json_schema.given.escape_trees import BACKSLASH, ESCAPED, QUOTE, EscapeTree, escape_tree
from labs.lab_08_json_schema.given.explore import explore
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.subset import check_subset
from labs.lab_08_json_schema.given.tables import literals, subtract_ranges, tabulate
from labs.lab_08_json_schema.given.values import has_type
from labs.lab_08_json_schema.given.whitespace import Whitespace, policy

NOTHING = r"[^\x00-\U0010ffff]"
"""A regular expression that matches no text at all."""

HEX = "[0-9a-fA-F]"


def character_regex() -> str:
    r"""Return an expression for one character of a JSON string, in each form that JSON allows.

    The forms (RFC 8259, section 7) are: raw, unless it is a quote, a backslash, a control character (below U+0020) or
    half a surrogate pair; a short escape, one of ``\" \\ \/ \b \f \n \r \t``; and a long one, ``\u`` with four
    hexadecimal digits in either case. A character beyond U+FFFF takes two long escapes, a high surrogate (D800 to DBFF)
    and a low one (DC00 to DFFF), and is still one character. Half a pair is not a character.

    Returns:
        A regular expression that is a group, so that a quantifier after it applies to all of it.

    >>> all(re.fullmatch(character_regex(), text) for text in ["a", "é", r"\"", r"\u00E9", r"\ud83d\ude00"])
    True
    >>> any(re.fullmatch(character_regex(), text) for text in ['"', "\n", "\\", r"\x41", r"\ud83d", r"\u00e"])
    False
    """
    raise NotImplementedError("lab 08, TODO 1 (about 5 lines): one character: raw, short or long escape, or a pair")


def count_regex(least: int, most: int | None) -> str:
    """Return the quantifier for ``least`` to ``most`` repetitions; None means no upper bound. Given.

    >>> count_regex(2, None), count_regex(0, 3)
    ('{2,}', '{0,3}')
    """
    return f"{{{least},{'' if most is None else most}}}"


def string_regex(least: int = 0, most: int | None = None) -> str:
    r"""Return an expression for a JSON string of ``least`` to ``most`` characters, quotes included.

    The count is of characters of the value: an escape is one character, and so is a surrogate pair.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``.

    >>> bool(re.fullmatch(string_regex(2, 2), r'"a\n"')), bool(re.fullmatch(string_regex(2, 2), '"a"'))
    (True, False)
    """
    raise NotImplementedError("lab 08, TODO 2 (about 3 lines): quotes, and a counted group between them")


def number_regex(*, integer: bool) -> str:
    """Return an expression for a JSON number, or for an integer in canonical form.

    JSON allows no leading zeros, no leading plus sign, and a point only between digits; it allows ``-0`` as a number.

    Args:
        integer: whether fraction, exponent and ``-0`` are refused.

    Returns:
        A regular expression that is a group.

    >>> [text for text in ["0", "-7", "01", "-0", "1.0", "10"] if re.fullmatch(number_regex(integer=True), text)]
    ['0', '-7', '10']
    >>> [text for text in ["-0.50", "1e+9", "1.", ".5", "1E5"] if re.fullmatch(number_regex(integer=False), text)]
    ['-0.50', '1e+9', '1E5']
    """
    raise NotImplementedError("lab 08, TODO 3 (about 3 lines): integers, and numbers with fraction and exponent")


def spell_character(char: str) -> str:
    r"""Return an expression for one given character of a JSON string, in the forms that JSON writers use.

    A printable ASCII character is written raw; a quote and a backslash have a backslash before them, and a slash may
    have one. A control character, below U+0020, is written as its short escape, if it has one, or as ``\u`` and its
    hexadecimal digits in either case. Any other character, U+007F included, is written raw or as ``\u`` and its digits,
    beyond U+FFFF as a surrogate pair.

    Returns:
        A regular expression, a group where it has alternatives.

    >>> spell_character("a"), spell_character("é"), spell_character("\n")
    ('a', '(?:é|\\\\u00[eE]9)', '(?:\\\\n|\\\\u000[aA])')
    """
    raise NotImplementedError("lab 08, TODO 4 (about 8 lines): one given character, in every form that writers use")


def literal_regex(value: str | int | float | bool | None) -> str:
    r"""Return an expression for one scalar JSON value: a string, a number, ``true``, ``false`` or ``null``.

    Returns:
        A regular expression. A string may be written in all forms of ``spell_character``, everything else only as
        ``json.dumps`` writes it.

    >>> literal_regex("a+"), literal_regex(1.5), literal_regex(None)
    ('"a\\+"', '1\\.5', 'null')
    >>> bool(re.fullmatch(literal_regex('say "é"'), r'"say \"\u00e9\""'))
    True
    """
    raise NotImplementedError("lab 08, TODO 5 (about 3 lines): a string, a number, true, false or null")


def enum_regex(values: Sequence[Any]) -> str:
    """Return an expression for one of several scalar values.

    Returns:
        A regular expression that is a group; ``NOTHING`` if there are no values.

    >>> enum_regex(["red", 3, True])
    '(?:"red"|3|true)'
    """
    raise NotImplementedError("lab 08, TODO 6 (about 1 line): one of several values, in a group")


def array_regex(item: str, least: int, most: int | None, space: Whitespace) -> str:
    """Return an expression for an array of ``least`` to ``most`` items.

    Args:
        item: a regular expression for one item. It may hold a ``|``: put it into a group.
        least: at least 0.
        most: at least 0, or None for no upper bound.
        space: three regular expressions. ``space.edge`` comes after the opening and before the closing bracket,
            ``space.comma``, which contains the comma, between two items.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``. An empty array has one ``edge`` inside.

    >>> ints = array_regex("1|2", 1, 3, policy("compact"))
    >>> [text for text in ["[]", "[1]", "[1,2,1]", "[1,]", "[1,1,1,1]", "[12]"] if re.fullmatch(ints, text)]
    ['[1]', '[1,2,1]']
    """
    raise NotImplementedError("lab 08, TODO 7 (about 7 lines): a first item, and a comma with each further one")


def member_regex(key: str, value: str, space: Whitespace) -> str:
    """Return an expression for a member of an object: its key, a colon, and its value.

    Args:
        key: any text; it is written as a JSON string.
        value: a regular expression; it may hold a ``|``.
        space: ``space.colon``, which contains the colon, comes between the two.

    >>> bool(re.fullmatch(member_regex("a.b", "true|false", policy("flexible")), '"a.b": false'))
    True
    """
    raise NotImplementedError("lab 08, TODO 8 (about 1 line): key, colon, value")


def object_regex(members: Sequence[tuple[str, bool]], space: Whitespace) -> str:
    """Return an expression for an object whose members come in the given order; optional ones may be missing.

    Args:
        members: for each its regular expression, which may hold a ``|``, and whether it is required.
        space: as for arrays; an empty object has one ``edge`` inside.

    Returns:
        A regular expression. There is one comma between two members, whichever are missing. Its length grows at most
        with the square of the number of members, not with the number of their subsets.

    >>> some = object_regex([("a", False), ("b", True), ("c", False)], policy("compact"))
    >>> [text for text in ["{b}", "{a,b}", "{b,c}", "{a,b,c}", "{a}", "{,b}", "{ab}", "{}"] if re.fullmatch(some, text)]
    ['{b}', '{a,b}', '{b,c}', '{a,b,c}']
    """
    raise NotImplementedError("lab 08, TODO 9 (about 10 lines): a choice of the first member, commas after it")


def json_schema_to_regex(
    schema: dict[str, Any],
    *,
    whitespace: str = "flexible",
    pointer: str = "",
    nested: Callable[[Any, str], str] | None = None,
) -> str:
    """Return an expression for the JSON texts of a schema's values.

    Covered: ``type`` (one of the seven), ``enum`` of scalars, ``properties`` and ``required``, ``items`` with
    ``minItems`` and ``maxItems``, ``minLength`` and ``maxLength``. Beside a type an ``enum`` keeps the values of that
    type. Only declared keys are written, in the order of ``properties``.

    Args:
        schema: left unchanged.
        whitespace: ``"compact"`` or ``"flexible"`` (see ``given/whitespace.py``).
        pointer: the JSON pointer to ``schema``, for errors.
        nested: called with each inner schema and the pointer to it, returns its regular expression; None stands for
            this function itself.

    Returns:
        A regular expression, not necessarily a group: the caller adds one.

    Raises:
        InvalidSchema: if the schema is malformed.
        UnsupportedSchema: for every constraining keyword that is not covered, and for a place that allows any value.

    >>> pattern = json_schema_to_regex({"type": "array", "items": {"type": "integer"}, "maxItems": 2})
    >>> bool(re.fullmatch(pattern, "[1, 2]")), bool(re.fullmatch(pattern, "[1, 2, 3]"))
    (True, False)
    """
    # Given: `checked` is the schema without annotations; everything left in it is covered and well-formed.
    checked = check_subset(schema, pointer)
    space = policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    raise NotImplementedError("lab 08, TODO 10 (about 19 lines): a case for each type, and for enum")


# Second sitting: functions on automata, which carry the compiler in given/. ----------------------------------


def shared_text(automata: Sequence[Dfa]) -> str | None:
    """Return a shortest text that all automata match; None if there is none.

    Args:
        automata: over code points. No automata at all match every text.

    >>> shared_text([compile_dfa("a*b"), compile_dfa("(..)+")]), shared_text([compile_dfa("a+"), compile_dfa("b*")])
    ('ab', None)
    """
    raise NotImplementedError("lab 08, TODO 11 (about 16 lines): breadth first, over tuples of states")


def any_of(automata: Sequence[Dfa]) -> Dfa:
    """Return the automaton of the texts that at least one automaton matches.

    Returns:
        A minimal automaton; one alone may be returned as it is. Without automata it matches nothing.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> some = any_of([compile_dfa("yes"), compile_dfa("no"), compile_dfa("[0-9]")])
    >>> [text for text in ["yes", "no", "7", "yesno", ""] if fullmatch(some, text)]
    ['yes', 'no', '7']
    """
    raise NotImplementedError("lab 08, TODO 12 (about 3 lines): a fold of products, and what any of nothing is")


def all_of(automata: Sequence[Dfa]) -> Dfa:
    """Return the automaton of the texts that all automata match.

    Returns:
        A minimal automaton; one alone may be returned as it is. Without automata it matches every text.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> both = all_of([compile_dfa("[a-z]+"), compile_dfa("(?s:.){2,3}")])
    >>> [text for text in ["a", "ab", "abc", "abcd", "a1"] if fullmatch(both, text)]
    ['ab', 'abc']
    """
    raise NotImplementedError("lab 08, TODO 13 (about 3 lines): the same with and, and what all of nothing is")


def add_copy(nfa: Nfa, dfa: Dfa, end: int, without: Collection[int] = ()) -> int:
    """Add the states and transitions of an automaton to an ``Nfa``; from its accepting states one gets to ``end``.

    The new states come last, in their order. Each accepting one gets an epsilon transition to ``end``, and none of
    them is accepting in the ``Nfa``.

    Args:
        nfa: over code points; it is changed. Its initial and its accepting state stay.
        end: a state of ``nfa``.
        without: code points whose transitions are left out.

    Returns:
        The number of the new state that stands for state 0.

    >>> nfa = Nfa()
    >>> add_copy(nfa, compile_dfa("[ab]"), end=0, without=[ord("b")])
    1
    >>> nfa.moves, nfa.epsilon
    ([[], [(((97, 97),), 2)], []], [[], [], [0]])
    """
    # Given: ranges_of[c] is the ranges of class c without the code points that are left out; maybe none are left.
    ranges_of = [subtract_ranges(ranges, without) for ranges in dfa.class_ranges]
    raise NotImplementedError("lab 08, TODO 14 (about 8 lines): states, transitions, and the way out, with new numbers")


def splice(skeleton: Dfa, parts: Mapping[int, Dfa]) -> Dfa:
    """Return an automaton with others in the place of markers: where it read a marker, it reads any text of its part.

    A transition on a marker becomes an epsilon transition into a copy of the part, and each accepting state of the copy
    has one to where the transition led. Transitions on one marker to one state share a copy.

    Args:
        skeleton: over code points.
        parts: for each marker, a code point, its automaton. All other symbols stay, those of the parts too: a marker in
            a part is an ordinary symbol.

    Returns:
        A minimal automaton.

    Raises:
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> lists = splice(compile_dfa("<N(,N)*>"), {ord("N"): compile_dfa("[0-9]+")})
    >>> fullmatch(lists, "<1,23,4>"), fullmatch(lists, "<1,,4>"), fullmatch(lists, "<N>")
    (True, False, False)
    """
    raise NotImplementedError("lab 08, TODO 15 (about 15 lines): a copy of the part for each way on")


def encode_string(values: Dfa) -> Dfa:
    r"""Return the automaton of the JSON strings, quotes included, whose value an automaton matches.

    Each character of a value may be written in each form of ``character_regex``. So each state of ``values`` stays, and
    gets states for the escapes that may follow it.

    Args:
        values: over code points: an automaton of plain texts. A surrogate in a text has no form in JSON.

    Returns:
        An automaton over code points; minimal, if ``values`` is minimal, has no surrogates and matches some text.

    Raises:
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = encode_string(compile_dfa("é|\n"))
    >>> [fullmatch(dfa, text) for text in ['"é"', r'"\u00e9"', r'"\n"', r'"\u000A"', '"\n"', "é"]]
    [True, True, True, True, False, False]
    """
    # Given: `escapes` is what may follow a backslash, as a tree: for each set of characters that may come next (ranges)
    # the tree of what follows, or, where the escape is complete, the class of `values` whose character it means.
    # `raw[c]` is the ranges of the characters of class c that need no escape. `tabulate(rows, start, end)` makes the
    # Dfa; a row is a list of pairs of ranges and target, such as (QUOTE, 3) or (BACKSLASH, DEAD).
    escapes = escape_tree(values)
    raw = [subtract_ranges(ranges, ESCAPED) for ranges in values.class_ranges]
    table = values.transitions.tolist()
    raise NotImplementedError("lab 08, TODO 16 (about 22 lines): raw characters, escapes below each state, and quotes")


def other_keys(keys: Collection[str]) -> Dfa:
    r"""Return the automaton of the JSON strings, quotes included, whose value is none of some keys.

    Returns:
        A minimal automaton over code points.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> others = other_keys(["a", "b"])
    >>> [text for text in ['"a"', '"c"', '""', '"ab"', r'"\u0061"', "c"] if fullmatch(others, text)]
    ['"c"', '""', '"ab"']
    """
    raise NotImplementedError("lab 08, TODO 17 (about 3 lines): every text but the keys, and then JSON")


def compare_digits(bound: str, orders: Collection[int]) -> Dfa:
    """Return the automaton of the numbers, as plain decimals without a sign, whose order to a bound is one of some.

    Args:
        bound: a plain decimal such as ``17``, ``2.5`` or ``0.25``, without sign, leading zeros, or zeros at the end of
            its fraction.
        orders: of -1 for less, 0 for equal, 1 for greater.

    Returns:
        A minimal automaton. It reads digits, and perhaps a point and at least one more digit; no needless zeros come
        first, but any number of zeros may end a fraction.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = compare_digits("2.5", [-1, 0])
    >>> [text for text in ["2", "2.5", "2.50", "2.51", "10", "02", "2.", "0.0"] if fullmatch(dfa, text)]
    ['2', '2.5', '2.50', '0.0']
    """
    # Given: explore(initial, step, accepts, alphabet) makes an automaton of a rule: `step` gives the state after a
    # character, any hashable value, or None for dead.
    whole, _, fraction = bound.partition(".")
    raise NotImplementedError("lab 08, TODO 18 (about 15 lines): a rule that remembers the order of the digits so far")


def integer_between(low: int | None, high: int | None) -> Dfa:
    """Return the automaton of the integers between two bounds, both included, in the form of ``number_regex``.

    Args:
        low, high: any integers; None is no bound.

    Returns:
        A minimal automaton.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = integer_between(-3, 12)
    >>> [n for n in range(-20, 20) if fullmatch(dfa, str(n))] == list(range(-3, 13)), fullmatch(dfa, "-0")
    (True, False)
    """
    raise NotImplementedError("lab 08, TODO 19 (about 12 lines): two bounds on either side of zero, and the sign")
