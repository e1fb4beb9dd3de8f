"""Strings as automata over their values, and their lengths by arithmetic where an automaton would be too large."""

from collections.abc import Callable, Collection
from functools import cache, lru_cache
from typing import TypeVar

import numpy as np

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.automata.syntax import Node
from labkit.automata.work import spend
from labkit.errors import InvalidPattern, InvalidSchema, UnsupportedPattern, UnsupportedSchema
from labs.lab_06_regex_to_dfa.given.words import literals, trie_of
from labs.lab_06_regex_to_dfa.solution import fullmatch, nfa_to_dfa
from labs.lab_08_json_schema.given.sharing import shared_text
from mask_engine.ecma.patterns import search_automaton, search_tree
from mask_engine.formats.registry import COVERED, format_automaton
from mask_engine.operations import ANY, NOTHING, compiled, difference, intersect
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.reading.places import Named
from mask_engine.reading.scalars import Text

Found = TypeVar("Found")


@cache
def pattern_automaton(pattern: Named) -> Dfa:
    """Return the automaton of the texts in which a pattern of a schema matches.

    Raises:
        InvalidSchema, UnsupportedSchema: with the place, if it is malformed or not covered.
    """
    tree = pattern_tree(pattern)
    if tree is None:
        return _searched(search_automaton, pattern)
    values = LazyDfa(tree)
    return NOTHING if values.is_empty else nfa_to_dfa(values)


@cache
def pattern_tree(pattern: Named) -> Node | None:
    """Return the tree of the texts in which a pattern of a schema matches; None if it has anchors but at its ends.

    Raises:
        InvalidSchema, UnsupportedSchema: as ``pattern_automaton``.
    """
    return _searched(search_tree, pattern)


def _searched(search: Callable[[str], Found], pattern: Named) -> Found:
    """Return what a search for a pattern is; its errors name the place in the schema."""
    try:
        return search(pattern.name)
    except InvalidPattern as error:
        problem = f"the pattern is malformed: {error.problem} ({pattern.name!a:.80})"
        raise InvalidSchema(problem, pattern.place) from error
    except UnsupportedPattern as error:
        problem = f"the pattern is not supported: {error.problem} ({pattern.name!a:.80})"
        raise UnsupportedSchema(problem, pattern.place) from error


def _format_automaton(wanted: Named) -> Dfa:
    found = format_automaton(wanted.name)
    if found is None:
        raise UnsupportedSchema(f"the format {wanted.name!r} is not supported", wanted.place)
    return found


@lru_cache(maxsize=256)
def unbounded_values(case: Text) -> Dfa:
    """Return the automaton of a case's values without regard to lengths.

    >>> fullmatch(unbounded_values(Text(least=5)), "two")
    True
    """
    asked = _asked(case)
    return asked[0] if len(asked) == 1 else intersect(*asked) if asked else ANY


def _asked(case: Text) -> list[Dfa]:
    """Return the automata of all that is asked of a case's values but their lengths."""
    found = [(pattern_automaton if each.must else _others)(each) for each in case.patterns]
    found += [_format_automaton(each) for each in case.formats]
    return [*found, keys_but(sorted(case.excluded))] if case.excluded else found


@cache
def _others(pattern: Named) -> Dfa:
    return difference(ANY, pattern_automaton(pattern._replace(must=True)))


def keys_but(names: Collection[str]) -> Dfa:
    """Return the automaton of all texts but some: the trie of these, and one more state for what leaves it.

    >>> dfa = keys_but(["id", "in"])
    >>> [text for text in ["", "i", "id", "in", "ids", "x"] if fullmatch(dfa, text)]
    ['', 'i', 'ids', 'x']
    """
    children, ends = trie_of(names)
    if not names:
        return ANY
    symbols = sorted({ord(char) for below in children for char in below})
    columns = {chr(symbol): column for column, symbol in enumerate(symbols)}
    elsewhere = len(children)
    table = np.full((elsewhere + 1, len(symbols) + 1), elsewhere, np.int32)
    for node, below in enumerate(children):
        for char, child in below.items():
            table[node, columns[char]] = child
    points = {0: len(symbols), 0xD800: DEAD, 0xE000: len(symbols)}
    for column, symbol in enumerate(symbols):
        points.setdefault(symbol + 1, len(symbols))
        points[symbol] = column
    bounds = sorted(points.keys() - {CODE_POINTS})
    return Dfa(bounds, [points[bound] for bound in bounds], table, 0, [*(not end for end in ends), True])


def enum_values(case: Text) -> list[str]:
    """Return the values of ``enum`` that satisfy a case."""
    free = unbounded_values(case)
    spend(sum(map(len, case.enum or ())) if free is not ANY else 0)
    short = [text for text in case.enum or () if len(text) >= case.least]
    fitting = [text for text in short if case.most is None or len(text) <= case.most]
    return [text for text in fitting if free is ANY or fullmatch(free, text)]  # a schema has no lone surrogates


def text_values(case: Text) -> Dfa:
    """Return the automaton of a case's values."""
    if case.enum is not None:
        return literals(enum_values(case)) if enum_values(case) else NOTHING
    least, most = needed_lengths(unbounded_values(case), case.least, case.most)
    if least > (least if most is None else most):
        return NOTHING
    if (least, most) == (0, None):
        return unbounded_values(case)
    count = f"{{{least},{'' if most is None else most}}}"
    return intersect(unbounded_values(case), compiled(f"(?s:.){count}"))


def no_text(case: Text) -> bool:
    """Return whether no string satisfies a case; False where that is not decided."""
    if case.refused:
        case = Text(case.least, case.most, case.patterns, case.formats, case.enum, case.excluded)
    if case.enum is not None:
        return not enum_values(case)
    if case.most is not None and case.most < case.least:
        return True
    if case.least > MAX_LENGTH or (case.formats and case.alone() and case.formats[0].name in COVERED):
        return False  # each format has texts
    asked = _asked(case)
    if case.least:
        asked.append(compiled(f"(?s:.){{{case.least},}}"))
    text = shared_text([ANY, *asked])
    return text is None or (case.most is not None and len(text) > case.most)


MAX_LENGTH = 500
"""From a greater ``minLength`` on it isn't decided whether some text satisfies a case."""


def needed_lengths(dfa: Dfa, least: int, most: int | None) -> tuple[int, int | None]:
    """Return the bounds of a length without those that hold for all texts of a live automaton anyway.

    >>> needed_lengths(compiled("[a-z]{2,30}"), 1, 255), needed_lengths(compiled("a+"), 1, 9)  # only the 9 says more
    ((0, None), (0, 9))
    """
    shortest, longest = _shortest(dfa), _longest(dfa)
    if longest is not None and most is not None and longest <= most:
        most = None
    return (0 if least <= shortest else least), most


def _shortest(dfa: Dfa) -> int:
    """Return the length of a shortest text; 0 if there is none."""
    level, seen, length = {dfa.initial}, {dfa.initial}, 0
    table = dfa.transitions.tolist()
    while level:
        if any(dfa.accepting[state] for state in level):
            return length
        level = {target for state in level for target in table[state] if target != DEAD} - seen
        seen |= level
        length += 1
    return 0


def _longest(dfa: Dfa) -> int | None:
    """Return the length of a longest text of a live automaton; None if there is no end."""
    table = [sorted(set(row) - {DEAD}) for row in dfa.transitions.tolist()]
    incoming = [0] * len(table)
    for row in table:
        for target in row:
            incoming[target] += 1
    ready, length, done = [state for state, count in enumerate(incoming) if not count], [0] * len(table), 0
    while ready:
        state = ready.pop()
        done += 1
        for target in table[state]:
            length[target] = max(length[target], length[state] + 1)
            incoming[target] -= 1
            if not incoming[target]:
                ready.append(target)
    return max(length) if done == len(table) else None
