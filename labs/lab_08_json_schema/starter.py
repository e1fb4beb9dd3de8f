# Your file for lab 08. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 08
# On every save:    python3 -m course watch 08
# Stuck on TODO 1:  python3 -m course hint 08.1
# The README beside this file explains the idea.

r"""Lab 08: from a JSON Schema to a tree of a regular expression for its values, and to automata where that falls short.

As long as a schema doesn't contain itself, the JSON texts of its values are a regular language, so labs 06 and 07 can
turn them into an automaton and masks. In the first part you get JSON right: why ``01`` isn't a number, what a string
may look like, where the commas go. The second part is for an engine: texts that satisfy two things, and numbers within
bounds. ``mask_engine/`` reads the other keywords, and builds every string, number, array and object with the functions
of both parts.
"""

import json
import re  # noqa: F401  (the examples in docstrings use it)
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any

from labkit.automata.dfa import DEAD, Dfa, Nfa
from labkit.automata.syntax import Node
from labkit.automata.trees import (
    EMPTY,
    NOTHING,
    Whitespace,
    char,
    choice,
    one_of,
    optional,
    regex_of,
    row,
    text,
    times,
)
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, nfa_to_dfa, parse_tree
from labs.lab_08_json_schema.given.copies import add_copy
from labs.lab_08_json_schema.given.explore import explore
from labs.lab_08_json_schema.given.pairs import check_table, is_accepting, number_pairs, shared_intervals, target_lists
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.subset import check_subset
from labs.lab_08_json_schema.given.values import has_type
from labs.lab_08_json_schema.given.whitespace import policy

HEX = "[0-9a-fA-F]"

read = lru_cache(maxsize=256)(parse_tree)
"""Read a pattern into its tree, with lab 06's parser; the same pattern only once."""


def number_tree(*, integer: bool) -> Node:
    """Return the tree of a JSON number, or of an integer in canonical form.

    JSON allows no leading zeros, no leading plus sign, and a point only between digits; it does allow ``-0``.

    Args:
        integer: whether to refuse a fraction, an exponent, and ``-0``.

    >>> integer, number = regex_of(number_tree(integer=True)), regex_of(number_tree(integer=False))
    >>> [text for text in ["0", "-7", "01", "-0", "1.0", "10"] if re.fullmatch(integer, text)]
    ['0', '-7', '10']
    >>> [text for text in ["-0.50", "1e+9", "1.", ".5", "1E5"] if re.fullmatch(number, text)]
    ['-0.50', '1e+9', '1E5']
    """
    raise NotImplementedError("lab 08, TODO 1 (about 3 lines): integers, and numbers with fraction and exponent")


def string_tree(least: int = 0, most: int | None = None) -> Node:
    r"""Return the tree of a JSON string of ``least`` to ``most`` characters, quotes included.

    A character may come in any form that JSON allows (RFC 8259, section 7): raw; as a short escape, one of ``\" \\ \/
    \b \f \n \r \t``; or as a long one, ``\u`` and four hexadecimal digits. Each form counts as one character, and so
    does a surrogate pair, the two long escapes of a character beyond U+FFFF. Half a pair isn't a character.

    Returns:
        A tree; ``NOTHING`` if ``most`` is less than ``least``.

    >>> one = regex_of(string_tree(1, 1))
    >>> [text for text in ['"a"', '""', '"ab"', r'"\u00e9"', '"é"', r'"\ud83d"'] if re.fullmatch(one, text)]
    ['"a"', '"\\u00e9"', '"é"']
    """
    raise NotImplementedError("lab 08, TODO 2 (about 8 lines): a string of so many characters, in every form")


def spell_character(character: str) -> Node:
    r"""Return the tree of one character of a JSON string, in all the forms that JSON writers use. Given.

    Printable ASCII is written raw, but a quote and a backslash have a backslash before them, and a slash may have one.
    A control character, below U+0020, is written as its short escape, if it has one, or as ``\u`` and its four
    hexadecimal digits, in either case. Any other character, U+007F included, is written raw or as ``\u`` and its
    digits; beyond U+FFFF that takes a surrogate pair.

    >>> for character in "aé\n":
    ...     print(regex_of(spell_character(character)))
    a
    (?:é|\\u00[Ee]9)
    (?:\\n|\\u000[Aa])
    """
    if character == "/":
        return row(optional(char("\\")), char("/"))
    plain = text(json.dumps(character, ensure_ascii=False)[1:-1])
    if character.isascii() and character.isprintable():
        return plain
    # One \u escape for each UTF-16 unit, each letter in either case.
    digits = character.encode("utf-16-be").hex()
    either_case = [one_of(digit + digit.upper()) for digit in digits]
    units = [row(text("\\u"), *either_case[start : start + 4]) for start in range(0, len(digits), 4)]
    return choice([plain, row(*units)])


def literal_tree(value: str | int | float | bool | None) -> Node:
    r"""Return the tree of one string, number, ``true``, ``false`` or ``null``. Given.

    A string may be written in all forms of ``spell_character``, everything else only as ``json.dumps`` writes it.

    >>> print(regex_of(literal_tree("a+")), regex_of(literal_tree(1.5)), regex_of(literal_tree(None)))
    "a\+" 1\.5 null
    """
    if isinstance(value, str):
        return row(char('"'), *map(spell_character, value), char('"'))
    return text(json.dumps(value))


def enum_tree(values: Sequence[Any]) -> Node:
    """Return the tree of a choice of values; ``NOTHING`` if there are none. Given.

    >>> print(regex_of(enum_tree(["red", 3, True])))
    (?:"red"|3|true)
    """
    return choice(list(map(literal_tree, values)))


def array_tree(item: Node, least: int, most: int | None, space: Whitespace) -> Node:
    """Return the tree of an array of ``least`` to ``most`` items. Given.

    There's one comma fewer than there are items, so you can't simply repeat an item with its comma.

    Args:
        item: the tree of one item.
        least: at least 0.
        most: at least 0, or None for no upper bound.
        space: three trees for white space. ``space.edge`` comes after the opening and before the closing bracket,
            ``space.comma``, which contains the comma, between two items. An empty array has one edge inside.

    Returns:
        A tree; ``NOTHING`` if ``most`` is less than ``least``.

    >>> ints = regex_of(array_tree(read("1|2"), 1, 3, policy("compact")))
    >>> [text for text in ["[]", "[1]", "[1,2,1]", "[1,]", "[1,1,1,1]", "[12]"] if re.fullmatch(ints, text)]
    ['[1]', '[1,2,1]']
    """
    if most is not None and least > most:
        return NOTHING
    if most == 0:
        return row(char("["), space.edge, char("]"))
    # subtle: the first item is counted already, and no count may be below zero.
    more = times(row(space.comma, item), max(least, 1) - 1, None if most is None else most - 1)
    items = row(item, more, space.edge)
    return row(char("["), space.edge, items if least else optional(items), char("]"))


def member_tree(key: str, value: Node, space: Whitespace) -> Node:
    """Return the tree of a member of an object: its key, ``space.colon``, and its value's tree. Given.

    >>> pattern = regex_of(member_tree("a.b", read("true|false"), policy("flexible")))
    >>> bool(re.fullmatch(pattern, '"a.b": false'))
    True
    """
    return row(literal_tree(key), space.colon, value)


def object_tree(members: Sequence[tuple[Node, bool]], space: Whitespace) -> Node:
    """Return the tree of an object whose members come in the given order; optional ones may be missing.

    The commas make this hard: a comma goes between two members, and you don't know which of them will be there.

    Args:
        members: a pair for each member: its tree, and whether it's required.
        space: as for arrays; an empty object has one ``edge`` inside.

    Returns:
        A tree. There's one comma between two members, whichever others are missing. Members share what follows them:
        if you build a new tree for each way to continue, 30 members have a billion of them.

    >>> members = [(char("a"), False), (char("b"), True), (char("c"), False)]
    >>> some = regex_of(object_tree(members, policy("compact")))
    >>> [text for text in ["{b}", "{a,b}", "{b,c}", "{a,b,c}", "{a}", "{,b}", "{ab}", "{}"] if re.fullmatch(some, text)]
    ['{b}', '{a,b}', '{b,c}', '{a,b,c}']
    """
    raise NotImplementedError("lab 08, TODO 3 (about 10 lines): one comma between two members, whichever are missing")


def scalar_tree(schema: Mapping[str, Any]) -> Node:
    """Return the tree of a checked schema of strings, numbers, booleans or null: your first two TODOs. Given.

    >>> print(regex_of(scalar_tree({"type": "boolean"})), regex_of(scalar_tree({"type": "null"})))
    (?:true|false) null
    """
    match schema["type"]:
        case "string":
            return string_tree(schema.get("minLength", 0), schema.get("maxLength"))
        case "boolean":
            return enum_tree([True, False])
        case "null":
            return text("null")
    return number_tree(integer=schema["type"] == "integer")


def schema_tree(
    schema: dict[str, Any],
    *,
    space: Whitespace,
    pointer: str = "",
    nested: Callable[[Any, str], Node] | None = None,
) -> Node:
    """Return the tree of the JSON texts of a schema's values.

    Args:
        schema: left unchanged. ``given/subset.py`` says which keywords are covered.
        space: three trees for white space, as for arrays.
        pointer: the JSON pointer to ``schema``, for errors.
        nested: a function that takes an inner schema and the pointer to it, and returns its tree. With None, this
            function calls itself.

    Returns:
        A tree. Only declared keys are written, in the order of ``properties``.

    Raises:
        InvalidSchema: if the schema is malformed.
        UnsupportedSchema: for a keyword that would constrain values but isn't covered, and for a schema that allows any
            value here.

    >>> tree = schema_tree({"type": "array", "items": {"type": "null"}, "maxItems": 2}, space=policy("compact"))
    >>> print(regex_of(tree))
    \\[(?:null(?:,null)?)?\\]
    """
    # Given: `checked` is the schema without annotations, and everything left in it is covered and well-formed. Strings,
    # numbers, booleans and null are done here. That leaves an enum, perhaps with a type, an array, or an object.
    checked = check_subset(schema, pointer)
    inner = nested or (lambda child, where: schema_tree(child, space=space, pointer=where))
    kind = checked.get("type")
    if "enum" not in checked and kind not in ("array", "object"):
        return scalar_tree(checked)
    raise NotImplementedError("lab 08, TODO 4 (about 11 lines): enums, arrays and objects, from the parts up")


def json_schema_to_regex(schema: dict[str, Any], *, whitespace: str = "flexible") -> str:
    """Return a regular expression for the JSON texts of a schema's values: your tree, written as a pattern. Given.

    Args:
        whitespace: ``"compact"`` or ``"flexible"`` (see ``given/whitespace.py``).

    Raises:
        InvalidSchema, UnsupportedSchema: as ``schema_tree``.

    >>> pattern = json_schema_to_regex({"type": "array", "items": {"type": "integer"}, "maxItems": 2})
    >>> bool(re.fullmatch(pattern, "[1, 2]")), bool(re.fullmatch(pattern, "[1, 2, 3]"))
    (True, False)
    """
    return regex_of(schema_tree(schema, space=policy(whitespace)))


# In an engine (optional): functions on automata. -------------------------------------------------------------------


def product(left: Dfa, right: Dfa, accepts: Callable[[bool, bool], bool]) -> Dfa:
    """Run two automata side by side: each state of the result is a pair of states (Rabin and Scott, 1959).

    Both read the same text, and ``accepts`` decides only at its end. If one of them is dead, the pair doesn't have to
    be dead: in "either of the two", for instance, the other one may still match.

    Args:
        accepts: takes two bools, which say whether the left automaton matches a text and whether the right one does.
            It returns whether the result should match that text.

    Returns:
        A ``Dfa`` over the same symbols. All its states can be reached, and state 0 is the initial one. It doesn't have
        to be minimal.

    Raises:
        ValueError: if ``accepts(False, False)`` is true.
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> both = product(compile_dfa("[a-m]+"), compile_dfa("[h-z]{2}"), lambda l, r: l and r)
    >>> fullmatch(both, "hi"), fullmatch(both, "ha"), fullmatch(both, "hhh")
    (True, False, False)
    """
    # Given: lefts[state] and rights[state] list where a state leads, one entry for each class of the result. They also
    # work for the dead state, -1, and so does is_accepting(dfa, state). check_table(n, len(columns)) raises an error if
    # n pairs are too many.
    if accepts(False, False):
        raise ValueError("accepts(False, False) must be False: a text on which both automata die has no state")
    bounds, pair_of_interval = shared_intervals(left, right)
    classes, columns = number_pairs(pair_of_interval)
    lefts, rights = target_lists(left, right, columns)
    raise NotImplementedError("lab 08, TODO 5 (about 15 lines): number each new pair of states, and write its row")


def complement(dfa: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that this one doesn't match, also those on which it dies. Given.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> not_yes = complement(compile_dfa("yes"))
    >>> fullmatch(not_yes, "yes"), fullmatch(not_yes, "ye"), fullmatch(not_yes, "")
    (False, True, True)
    """
    everything = Dfa([0], [0], [[0]], initial=0, accepting=[True], symbols=dfa.symbols)
    return minimize_dfa(product(everything, dfa, lambda one, other: one and not other))


def equivalent(left: Dfa, right: Dfa) -> bool:
    """Return whether two automata match the same texts. Given.

    >>> equivalent(compile_dfa("(a|b)*"), compile_dfa("[ab]*")), equivalent(compile_dfa("a*"), compile_dfa("a+"))
    (True, False)
    """
    return not product(left, right, lambda one, other: one != other).accepting.any()


def any_of(automata: Sequence[Dfa]) -> Dfa:
    """Return the automaton of the texts that at least one of these matches; if there are none, no text. Given.

    It is minimal. A single automaton may be returned as it is.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> some = any_of([compile_dfa("yes"), compile_dfa("no"), compile_dfa("[0-9]")])
    >>> [text for text in ["yes", "no", "7", "yesno", ""] if fullmatch(some, text)]
    ['yes', 'no', '7']
    """
    if not automata:
        return compile_dfa(regex_of(NOTHING))
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
    raise NotImplementedError("lab 08, TODO 6 (about 15 lines): a rule that remembers the order of the digits so far")


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
    raise NotImplementedError("lab 08, TODO 7 (about 15 lines): put a copy of a part where its marker was")
