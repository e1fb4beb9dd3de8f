r"""Lab 08: from a JSON Schema to a regular expression for its values, and to automata where that isn't enough.

As long as a schema doesn't contain itself, the JSON texts of its values are a regular language, so labs 06 and 07 can
turn them into an automaton and masks. In the first part you get JSON right: what a string may look like, where the
commas go, why ``01`` isn't a number. The second part is for an engine, and works on automata, because for some
languages you wouldn't want to write the expression: numbers between two bounds, or lists in lists in lists.
``mask_engine/`` reads the other keywords and calls the functions of both parts.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from labkit.automata.dfa import DEAD, Dfa, Nfa
from labs.lab_06_regex_to_dfa.solution import (
    compile_dfa,
    complement_ranges,
    merge_ranges,
    minimize_dfa,
    nfa_to_dfa,
    product,
    transitions_of,
)
from labs.lab_08_json_schema.given.explore import explore
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.subset import check_subset
from labs.lab_08_json_schema.given.values import has_type
from labs.lab_08_json_schema.given.whitespace import Whitespace, policy

NOTHING = r"[^\x00-\U0010ffff]"
"""A regular expression that matches no text at all."""

HEX = "[0-9a-fA-F]"


def count_regex(least: int, most: int | None) -> str:
    """Return the quantifier for ``least`` to ``most`` repetitions; None means no upper bound. Given.

    >>> count_regex(2, None), count_regex(0, 3)
    ('{2,}', '{0,3}')
    """
    return f"{{{least},{'' if most is None else most}}}"


def string_regex(least: int = 0, most: int | None = None) -> str:
    r"""Return an expression for a JSON string of ``least`` to ``most`` characters, quotes included.

    A character may come in any form that JSON allows (RFC 8259, section 7): raw; as a short escape, one of ``\" \\ \/
    \b \f \n \r \t``; or as a long one, ``\u`` and four hexadecimal digits. Each form counts as one character, and so
    does a surrogate pair, the two long escapes of a character beyond U+FFFF. Half a pair isn't a character.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``.

    >>> one = string_regex(1, 1)
    >>> [text for text in ['"a"', '""', '"ab"', r'"\u00e9"', '"é"', r'"\ud83d"'] if re.fullmatch(one, text)]
    ['"a"', '"\\u00e9"', '"é"']
    """
    # begin TODO
    # subtle: a most of 0 is a bound, so ask for None and not for truth.
    if most is not None and most < least:
        return NOTHING
    raw = r'[^"\\\x00-\x1f\ud800-\udfff]'
    short = r'\\["\\/bfnrt]'
    # subtle: D800 to DFFF are halves of pairs, so after a first digit d the second one is 0 to 7.
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    # One group is one character, so the count after it counts characters.
    char = f"(?:{raw}|{short}|{basic}|{pair})"
    return f'"{char}{count_regex(least, most)}"'
    # end TODO


def number_regex(*, integer: bool) -> str:
    """Return an expression for a JSON number, or for an integer in canonical form.

    JSON allows no leading zeros, no leading plus sign, and a point only between digits; it does allow ``-0``.

    Args:
        integer: whether to refuse a fraction, an exponent, and ``-0``.

    Returns:
        A regular expression that is a group, so that it keeps its meaning inside a larger one.

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

    Printable ASCII is written raw, but a quote and a backslash have a backslash before them, and a slash may have one.
    A control character, below U+0020, is written as its short escape, if it has one, or as ``\u`` and its four
    hexadecimal digits, in either case. Any other character, U+007F included, is written raw or as ``\u`` and its
    digits; beyond U+FFFF that takes a surrogate pair.

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
    r"""Return an expression for one string, number, ``true``, ``false`` or ``null``. Given.

    A string may be written in all forms of your ``spell_character``, everything else only as ``json.dumps`` writes it.

    >>> literal_regex("a+"), literal_regex(1.5), literal_regex(None)
    ('"a\\+"', '1\\.5', 'null')
    """
    if isinstance(value, str):
        return '"' + "".join(map(spell_character, value)) + '"'
    # subtle: numbers need escaping too, because 1.5 holds a point and 1e+26 a plus.
    return re.escape(json.dumps(value))


def enum_regex(values: Sequence[Any]) -> str:
    """Return an expression for a choice of values, as a group; ``NOTHING`` if there are none. Given.

    >>> enum_regex(["red", 3, True])
    '(?:"red"|3|true)'
    """
    return f"(?:{'|'.join(map(literal_regex, values))})" if values else NOTHING


def array_regex(item: str, least: int, most: int | None, space: Whitespace) -> str:
    """Return an expression for an array of ``least`` to ``most`` items.

    There's one comma fewer than there are items, so you can't simply repeat an item with its comma.

    Args:
        item: a regular expression for one item. It may contain a bar.
        least: at least 0.
        most: at least 0, or None for no upper bound.
        space: three expressions for white space. ``space.edge`` comes after the opening and before the closing
            bracket, ``space.comma``, which contains the comma, between two items. An empty array has one edge inside.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``.

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
    """Return an expression for a member of an object: its key, ``space.colon``, and its value's expression. Given.

    >>> bool(re.fullmatch(member_regex("a.b", "true|false", policy("flexible")), '"a.b": false'))
    True
    """
    return f"{literal_regex(key)}{space.colon}(?:{value})"


def object_regex(members: Sequence[tuple[str, bool]], space: Whitespace) -> str:
    """Return an expression for an object whose members come in the given order; optional ones may be missing.

    The commas make this hard: a comma goes between two members, and you don't know which of them will be there.

    Args:
        members: a pair for each member: its regular expression, which may contain a bar, and whether it's required.
        space: as for arrays; an empty object has one ``edge`` inside.

    Returns:
        A regular expression. There's one comma between two members, whichever others are missing. The expression may
        grow with the square of the number of members, but not with the number of their subsets: for 30 members, that
        would be a billion alternatives.

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


def scalar_regex(schema: Mapping[str, Any]) -> str:
    """Return an expression for a checked schema of strings, numbers, booleans or null: your first two TODOs. Given.

    >>> scalar_regex({"type": "boolean"}), scalar_regex({"type": "null"})
    ('(?:true|false)', 'null')
    """
    match schema["type"]:
        case "string":
            return string_regex(schema.get("minLength", 0), schema.get("maxLength"))
        case "boolean":
            return "(?:true|false)"
        case "null":
            return "null"
    return number_regex(integer=schema["type"] == "integer")


def json_schema_to_regex(
    schema: dict[str, Any],
    *,
    whitespace: str = "flexible",
    pointer: str = "",
    nested: Callable[[Any, str], str] | None = None,
) -> str:
    """Return an expression for the JSON texts of a schema's values.

    Args:
        schema: left unchanged. ``given/subset.py`` says which keywords are covered.
        whitespace: ``"compact"`` or ``"flexible"`` (see ``given/whitespace.py``).
        pointer: the JSON pointer to ``schema``, for errors.
        nested: a function that takes an inner schema and the pointer to it, and returns its regular expression. With
            None, this function calls itself.

    Returns:
        A regular expression, not necessarily a group. Only declared keys are written, in the order of ``properties``.

    Raises:
        InvalidSchema: if the schema is malformed.
        UnsupportedSchema: for a keyword that would constrain values but isn't covered, and for a schema that allows any
            value here.

    >>> pattern = json_schema_to_regex({"type": "array", "items": {"type": "integer"}, "maxItems": 2})
    >>> bool(re.fullmatch(pattern, "[1, 2]")), bool(re.fullmatch(pattern, "[1, 2, 3]"))
    (True, False)
    """
    # Given: `checked` is the schema without annotations, and everything left in it is covered and well-formed. Strings,
    # numbers, booleans and null are done here. That leaves an enum, perhaps with a type, an array, or an object.
    checked = check_subset(schema, pointer)
    space = policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    kind = checked.get("type")
    if "enum" not in checked and kind not in ("array", "object"):
        return scalar_regex(checked)
    # begin TODO
    if "enum" in checked:
        # subtle: both keywords count, and has_type keeps True apart from 1.
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    # The order is that of properties; required says only which members must be there.
    required = checked.get("required", ())
    members = [
        (member_regex(key, inner(child, below(pointer, "properties", key)), space), key in required)
        for key, child in checked["properties"].items()
    ]
    return object_regex(members, space)
    # end TODO


# In an engine (optional): functions on automata, which mask_engine/ calls. ---------------------------------------


def shared_text(automata: Sequence[Dfa]) -> str | None:
    """Return a shortest text that all automata match; None if there is none.

    If there's none, the demands on a value exclude each other. It's better to say so when the request arrives than to
    let a model run into an empty mask.

    Args:
        automata: over code points. If the list is empty, every text will do. Where there's no transition, their tables
            have ``DEAD``, which is -1.

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
    """Return the automaton of the texts that at least one of these matches; if there are none, no text. Given.

    It is minimal. A single automaton may be returned as it is.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> some = any_of([compile_dfa("yes"), compile_dfa("no"), compile_dfa("[0-9]")])
    >>> [text for text in ["yes", "no", "7", "yesno", ""] if fullmatch(some, text)]
    ['yes', 'no', '7']
    """
    if not automata:
        return compile_dfa(NOTHING)
    # Small ones first: a product has at most as many states as the product of both numbers.
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a or b)), sorted(automata, key=len))


def all_of(automata: Sequence[Dfa]) -> Dfa:
    """Return the automaton of the texts that all of these match; if there are none, every text. Given.

    It is minimal. A single automaton may be returned as it is.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> both = all_of([compile_dfa("[a-z]+"), compile_dfa("(?s:.){2,3}")])
    >>> [text for text in ["a", "ab", "abc", "abcd", "a1"] if fullmatch(both, text)]
    ['ab', 'abc']
    """
    if not automata:
        return compile_dfa("(?s:.)*")
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a and b)), sorted(automata, key=len))


def add_copy(nfa: Nfa, dfa: Dfa, end: int, without: Collection[int] = ()) -> int:
    """Add a copy of an automaton to an ``Nfa``, and a way out of it to the state ``end``. Given.

    The states of the copy are the next numbers of the ``Nfa``. Each accepting one gets an epsilon transition to
    ``end``, and none of them is accepting in the ``Nfa``. Transitions on the symbols in ``without`` are left out.

    Returns:
        The number of the new state that is a copy of state 0, which need not be the initial one.

    >>> nfa = Nfa()
    >>> add_copy(nfa, compile_dfa("[ab]"), end=0, without=[ord("b")])
    1
    >>> nfa.moves, nfa.epsilon
    ([[], [(((97, 97),), 2)], []], [[], [], [0]])
    """
    left_out = merge_ranges([(symbol, symbol) for symbol in without])
    ranges_of = [
        complement_ranges(merge_ranges((*complement_ranges(ranges), *left_out))) for ranges in dfa.class_ranges
    ]
    first = len(nfa)
    for _ in range(len(dfa)):
        nfa.add_state()
    for start, number, target in transitions_of(dfa):
        nfa.moves[first + start].append((ranges_of[number], first + target))
    for state in np.flatnonzero(dfa.accepting).tolist():
        nfa.epsilon[first + state].append(end)
    return first


def splice(skeleton: Dfa, parts: Mapping[int, Dfa]) -> Dfa:
    """Replace each marker by its part: where the skeleton reads the marker, the result reads any text of the part.

    That's how you nest lists in lists in lists. In an expression, each level would contain the text of the one below
    twice, whereas here a level of lists adds only a few states.

    Args:
        skeleton: over code points.
        parts: the automaton of each marker, which is a code point. All other symbols keep their meaning, and inside a
            part even a marker is an ordinary symbol.

    Returns:
        A minimal automaton. (Lab 06's ``nfa_to_dfa`` and ``minimize_dfa`` make one out of an ``Nfa``. A new ``Nfa`` has
        one state, which accepts.)

    Raises:
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``. Even large objects stay far below them, because
            transitions on the same marker to the same state share one copy of its part.

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


def compare_digits(bound: str, orders: Collection[int]) -> Dfa:
    """Return the automaton of the numbers that are less than a bound, equal to it or greater, as ``orders`` says.

    An automaton reads digits from the left, so it has to remember how they compare with the bound's digits so far. But
    a number with more digits before the point is greater, whatever its digits are: ``10`` is greater than ``2.5``.

    Args:
        bound: a plain decimal such as ``17``, ``2.5`` or ``0.25``, without a sign, without leading zeros, and without
            zeros at the end of its fraction.
        orders: which numbers are wanted: -1 for those less than the bound, 0 for equal ones, 1 for greater ones.

    Returns:
        A minimal automaton. Its texts are digits, perhaps followed by a point and at least one more digit, with no sign
        and no needless zero at the start. A fraction may end with any number of zeros.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = compare_digits("2.5", [-1, 0])
    >>> [text for text in ["2", "2.5", "2.50", "2.51", "10", "02", "2.", "0.0"] if fullmatch(dfa, text)]
    ['2', '2.5', '2.50', '0.0']
    """
    # Given: explore(initial, step, accepts, alphabet) turns a rule into an automaton. `step` returns the state after a
    # character, which may be any hashable value, or None for dead.
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
    """Return the automaton of the integers from ``low`` to ``high``, written as ``number_regex`` writes them.

    A minus sign turns the order round: -12 is less than -3.

    Args:
        low, high: any integers; None for no bound.

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
