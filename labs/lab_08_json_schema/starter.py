# Your file for lab 08. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 08
# On every save:    python3 -m course watch 08
# Stuck on TODO 1:  python3 -m course hint 08.1
# The README beside this file explains the idea.

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
    raise NotImplementedError("lab 08, TODO 1 (about 8 lines): a string of so many characters, in every form")


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
    raise NotImplementedError("lab 08, TODO 2 (about 3 lines): integers, and numbers with fraction and exponent")


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
    raise NotImplementedError("lab 08, TODO 3 (about 8 lines): one given character, in every form that writers use")


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
    raise NotImplementedError("lab 08, TODO 4 (about 7 lines): a first item, and a comma with each further one")


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
    raise NotImplementedError("lab 08, TODO 5 (about 10 lines): one comma between two members, whichever are missing")


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
    raise NotImplementedError("lab 08, TODO 6 (about 11 lines): enums, arrays and objects, from the parts up")


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
    raise NotImplementedError("lab 08, TODO 7 (about 16 lines): breadth first, over tuples of states")


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
    raise NotImplementedError("lab 08, TODO 8 (about 15 lines): put a copy of a part where its marker was")


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
    raise NotImplementedError("lab 08, TODO 9 (about 15 lines): a rule that remembers the order of the digits so far")


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
    raise NotImplementedError("lab 08, TODO 10 (about 12 lines): two bounds on either side of zero, and the sign")
