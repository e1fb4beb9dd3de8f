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
    # begin TODO
    raw = r'[^"\\\x00-\x1f\ud800-\udfff]'
    short = r'\\["\\/bfnrt]'
    # subtle: D800 to DFFF are halves of pairs, so after a first digit d the second one is 0 to 7.
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    return f"(?:{raw}|{short}|{basic}|{pair})"
    # end TODO


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
    # begin TODO
    # subtle: a most of 0 is a bound, so ask for None and not for truth.
    if most is not None and most < least:
        return NOTHING
    return f'"{character_regex()}{count_regex(least, most)}"'
    # end TODO


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
    # begin TODO
    if integer:
        # subtle: the sign belongs to the second alternative alone, so -0 is refused.
        return "(?:0|-?[1-9][0-9]*)"
    # A sign, the digits before the point, a fraction, an exponent; only the digits are mandatory.
    return r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    # end TODO


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
    # begin TODO
    if char == "/":
        return r"\\?/"
    # subtle: first JSON's own escape, then the regular expression's.
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    if char.isascii() and char.isprintable():
        return plain
    # One \u escape for each UTF-16 unit, each letter in either case.
    digits = char.encode("utf-16-be").hex()
    either_case = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits]
    escape = "".join(r"\\u" + "".join(either_case[start : start + 4]) for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"
    # end TODO


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
    # begin TODO
    if isinstance(value, str):
        return '"' + "".join(map(spell_character, value)) + '"'
    # subtle: numbers need escaping too, because 1.5 holds a point and 1e+26 a plus.
    return re.escape(json.dumps(value))
    # end TODO


def enum_regex(values: Sequence[Any]) -> str:
    """Return an expression for one of several scalar values.

    Returns:
        A regular expression that is a group; ``NOTHING`` if there are no values.

    >>> enum_regex(["red", 3, True])
    '(?:"red"|3|true)'
    """
    # begin TODO
    return f"(?:{'|'.join(map(literal_regex, values))})" if values else NOTHING
    # end TODO


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
    # begin TODO
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    # subtle: the first item is counted already, and a count below zero would be plain text.
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"
    # end TODO


def member_regex(key: str, value: str, space: Whitespace) -> str:
    """Return an expression for a member of an object: its key, a colon, and its value.

    Args:
        key: any text; it is written as a JSON string.
        value: a regular expression; it may hold a ``|``.
        space: ``space.colon``, which contains the colon, comes between the two.

    >>> bool(re.fullmatch(member_regex("a.b", "true|false", policy("flexible")), '"a.b": false'))
    True
    """
    # begin TODO
    return f"{literal_regex(key)}{space.colon}(?:{value})"
    # end TODO


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
    # begin TODO
    rows = []
    for index, (first, required) in enumerate(members):
        # With this member first, every later one brings its own comma.
        others = [f"(?:{space.comma}(?:{other})){'' if needed else '?'}" for other, needed in members[index + 1 :]]
        rows.append(f"(?:{first}){''.join(others)}{space.edge}")
        if required:
            break  # subtle: no member after a required one can be the first
    else:
        rows.append("")  # nothing is required, so the object may be empty
    return rf"\{{{space.edge}(?:{'|'.join(rows)})\}}"
    # end TODO


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
    # begin TODO
    if "enum" in checked:
        # subtle: both keywords count, and has_type keeps True apart from 1.
        kind = checked.get("type")
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    match checked["type"]:
        case "string":
            return string_regex(checked.get("minLength", 0), checked.get("maxLength"))
        case "array":
            item = inner(checked["items"], below(pointer, "items"))
            return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
        case "object":
            # The order is that of properties; required says only which members must be there.
            required = checked.get("required", ())
            members = [
                (member_regex(key, inner(child, below(pointer, "properties", key)), space), key in required)
                for key, child in checked["properties"].items()
            ]
            return object_regex(members, space)
        case "boolean":
            return enum_regex([True, False])
        case "null":
            return literal_regex(None)
    return number_regex(integer=checked["type"] == "integer")
    # end TODO


# Second sitting: functions on automata, which carry the compiler in given/. ----------------------------------


def shared_text(automata: Sequence[Dfa]) -> str | None:
    """Return a shortest text that all automata match; None if there is none.

    Args:
        automata: over code points. No automata at all match every text.

    >>> shared_text([compile_dfa("a*b"), compile_dfa("(..)+")]), shared_text([compile_dfa("a+"), compile_dfa("b*")])
    ('ab', None)
    """
    # begin TODO
    # Characters of the same classes lead to the same states, so one of them is enough.
    symbols: dict[tuple[int, ...], int] = {}
    for symbol in sorted({int(bound) for dfa in automata for bound in dfa.bounds}):
        symbols.setdefault(tuple(dfa.class_of(symbol) for dfa in automata), symbol)
    tables = [dfa.transitions.tolist() for dfa in automata]
    texts = {tuple(dfa.initial for dfa in automata): ""}
    waiting = list(texts)
    for states in waiting:  # the list grows meanwhile: short texts come first
        if all(dfa.accepting[state] for dfa, state in zip(automata, states, strict=True)):
            return texts[states]
        for classes, symbol in symbols.items():
            # subtle: class -1 is dead everywhere; as an index it would find the last class.
            if DEAD not in classes:
                target = tuple(table[state][c] for table, state, c in zip(tables, states, classes, strict=True))
                if DEAD not in target and target not in texts:
                    texts[target] = texts[states] + chr(symbol)
                    waiting.append(target)
    return None
    # end TODO


def any_of(automata: Sequence[Dfa]) -> Dfa:
    """Return the automaton of the texts that at least one automaton matches.

    Returns:
        A minimal automaton; one alone may be returned as it is. Without automata it matches nothing.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> some = any_of([compile_dfa("yes"), compile_dfa("no"), compile_dfa("[0-9]")])
    >>> [text for text in ["yes", "no", "7", "yesno", ""] if fullmatch(some, text)]
    ['yes', 'no', '7']
    """
    # begin TODO
    if not automata:
        return compile_dfa(NOTHING)
    # Small ones first: a product has at most as many states as the product of both numbers.
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a or b)), sorted(automata, key=len))
    # end TODO


def all_of(automata: Sequence[Dfa]) -> Dfa:
    """Return the automaton of the texts that all automata match.

    Returns:
        A minimal automaton; one alone may be returned as it is. Without automata it matches every text.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> both = all_of([compile_dfa("[a-z]+"), compile_dfa("(?s:.){2,3}")])
    >>> [text for text in ["a", "ab", "abc", "abcd", "a1"] if fullmatch(both, text)]
    ['ab', 'abc']
    """
    # begin TODO
    if not automata:
        return compile_dfa("(?s:.)*")
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a and b)), sorted(automata, key=len))
    # end TODO


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
    # begin TODO
    first = len(nfa)
    for _ in range(len(dfa)):
        nfa.add_state()
    # subtle: state numbers are those of the automaton, moved by as many states as there were before.
    for state, symbol_class, target in transitions_of(dfa):
        nfa.moves[first + state].append((ranges_of[symbol_class], first + target))
    for state in np.flatnonzero(dfa.accepting).tolist():
        nfa.epsilon[first + state].append(end)
    return first
    # end TODO


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
    # begin TODO
    nfa = Nfa()  # its one state so far, 0, accepts
    first = add_copy(nfa, skeleton, nfa.accepting, without=parts)
    nfa.initial = first + skeleton.initial
    for marker, part in parts.items():
        symbol_class = skeleton.class_of(marker)
        if symbol_class == DEAD:
            continue
        # subtle: one copy for each target. Two targets cannot share one: you could enter it before one, and leave it
        # to the other.
        copies: dict[int, int] = {}
        for state, target in enumerate(skeleton.transitions[:, symbol_class].tolist()):
            if target == DEAD:
                continue
            if target not in copies:
                copies[target] = add_copy(nfa, part, first + target) + part.initial
            nfa.epsilon[first + state].append(copies[target])
    return minimize_dfa(nfa_to_dfa(nfa))
    # end TODO


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
    # begin TODO
    start, end = len(values), len(values) + 1
    rows: list[list[tuple[Ranges, int]]] = [[] for _ in range(len(values) + 2)]
    numbers: dict[frozenset[tuple[int, Ranges]], int] = {}

    def inside(tree: EscapeTree, state: int) -> int:
        """Return the state that reads the rest of an escape which began in a state of the values; DEAD if none can."""
        row: dict[int, Ranges] = {}
        for chars, rest in tree.items():
            target = inside(rest, state) if isinstance(rest, dict) else table[state][rest]
            if target != DEAD:
                row[target] = merge_ranges((*row.get(target, ()), *chars))
        # subtle: equal rows are one state; otherwise the escapes of a string with a length would fill the memory.
        key = frozenset(row.items())
        if row and key not in numbers:
            numbers[key] = len(rows)
            rows.append([(chars, target) for target, chars in row.items()])
        return numbers.get(key, DEAD)

    for state, targets in enumerate(table):
        rows[state] += [(raw[c], target) for c, target in enumerate(targets) if target != DEAD]
        rows[state].append((BACKSLASH, inside(escapes, state)))
        if values.accepting[state]:
            rows[state].append((QUOTE, end))
    rows[start].append((QUOTE, values.initial))
    return tabulate(rows, start, end)
    # end TODO


def other_keys(keys: Collection[str]) -> Dfa:
    r"""Return the automaton of the JSON strings, quotes included, whose value is none of some keys.

    Returns:
        A minimal automaton over code points.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> others = other_keys(["a", "b"])
    >>> [text for text in ['"a"', '"c"', '""', '"ab"', r'"\u0061"', "c"] if fullmatch(others, text)]
    ['"c"', '""', '"ab"']
    """
    # begin TODO
    # subtle: first without the keys, then in JSON. A key has more spellings than any expression of it would list.
    everything = compile_dfa("(?s:.)*")
    return encode_string(minimize_dfa(product(everything, literals(keys), lambda any_text, key: any_text and not key)))
    # end TODO


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
    # begin TODO
    # A state: the part of the number, the digits read in it, and the order of the first ones that differ.

    def step(state: tuple[str, int, int], char: str) -> tuple[str, int, int]:
        part, count, order = state
        if char == ".":
            # subtle: of two integers the longer one is greater, whatever its digits: 9 is less than 17.
            return "fraction", 0, (count > len(whole)) - (count < len(whole)) or order
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "0"  # after its last digit the bound reads as zeros
        # One digit more than the bound has is counted, and no further ones: the states must be finitely many.
        return part, min(count + 1, len(digits) + 1), order or (char > expected) - (char < expected)

    def accepts(state: tuple[str, int, int]) -> bool:
        # A number without a point is compared as if one followed. With a digit left, the bound is greater.
        _, count, order = state if state[0] == "fraction" else step(state, ".")
        return (order or -(count < len(fraction))) in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    return all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]+)?")])
    # end TODO


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
    # begin TODO

    def unsigned(bound: int | None, orders: Collection[int]) -> Dfa:
        """Return the digits whose order to a bound is one of ``orders``."""
        if bound is None or bound < 0:  # digits alone are greater than anything below zero
            return compile_dfa("[0-9]+" if bound is None or 1 in orders else NOTHING)
        return compare_digits(str(bound), orders)

    # subtle: after a minus sign the order turns round, and so does the sign of the bound.
    negated = [None if bound is None else -bound for bound in (low, high)]
    positive = all_of([unsigned(low, (0, 1)), unsigned(high, (-1, 0))])
    negative = all_of([unsigned(negated[0], (-1, 0)), unsigned(negated[1], (0, 1))])
    either_sign = splice(compile_dfa("p|-n"), {ord("p"): positive, ord("n"): negative})
    return all_of([either_sign, compile_dfa(number_regex(integer=True))])
    # end TODO
