"""Arrays of a case as automata."""

from collections.abc import Callable
from itertools import product
from typing import Any

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded, UnsupportedSchema
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.operations import NOTHING, intersect, is_empty
from labs.lab_08_json_schema.given.compiling.arrays import tuple_regex
from labs.lab_08_json_schema.given.compiling.whitespace import Whitespace
from labs.lab_08_json_schema.given.reading.flat_schema import Child
from labs.lab_08_json_schema.given.reading.values import equal
from labs.lab_08_json_schema.given.schemas.reading.arrays import Array, Some
from labs.lab_08_json_schema.given.schemas.reading.places import negated, of_any_type
from labs.lab_12_pushdown.given.schemas.building.letters import Letters
from labs.lab_12_pushdown.given.schemas.building.rules import MOST_COPIES_STATES, Rules

Compile = Callable[[Child], Dfa]

MAX_KINDS_OF_ITEMS = 64
"""The most sets of ``contains`` that an item may satisfy."""

MAX_DIFFERENT = 8
"""The most values of items that all differ: an automaton has a state for each set of them."""

MOST_IN_PLACE = 6
"""The most of these values that are written out at each state."""


def array_automaton(
    case: Array, space: Whitespace, compile_child: Compile, values_of: Callable[[Child], list[Any] | None], rules: Rules
) -> Dfa:
    """Return the automaton of the arrays of a case.

    Args:
        values_of: gives the values that satisfy a child; None if they are not known to be few.

    Raises:
        UnsupportedSchema: for ``uniqueItems`` where the items may have many values.
    """
    if case.most is not None and case.most < case.least:
        return NOTHING
    if case.unique and (case.most is None or case.most > 1):
        return _all_different(case, space, compile_child, values_of, rules)
    longest = case.cuts()[-1][0]
    if not case.some:
        return _plain_array(case, longest, space, compile_child, rules)
    return _containing(case, longest, space, compile_child)


def _all_different(
    case: Array, space: Whitespace, compile_child: Compile, values_of: Callable[[Child], list[Any] | None], rules: Rules
) -> Dfa:
    """Return the automaton of arrays whose items all differ, where each item has few values.

    Each value is a marker of its own; an array has each of them at most once.
    """
    if case.some:
        raise UnsupportedSchema("uniqueItems is not supported beside contains", case.unique[0])
    length = case.cuts()[-1][0]
    most = case.most
    problem = "uniqueItems, items that all differ, is not supported where an item has many values"
    values: list[Any] = []
    places: list[list[int]] = []
    for index in range(length + 1 if most is None or most > length else most):
        found = values_of(case.item(index))
        if found is None:
            raise UnsupportedSchema(problem, case.unique[0])
        for value in found:
            if not any(equal(value, also) for also in values):
                values.append(value)
        places.append([n for n, also in enumerate(values) if any(equal(value, also) for value in found)])
    if len(values) > MAX_DIFFERENT:
        raise UnsupportedSchema(f"{problem}: here {len(values)} of at most {MAX_DIFFERENT}", case.unique[0])
    markers = Letters()
    automata = [compile_child((({"const": value}, case.unique[0]),)) for value in values]
    if len(values) > MOST_IN_PLACE:
        automata = [rules.add("a value", automaton) for automaton in automata]
    letters = [markers.add(_own(automaton)) for automaton in automata]
    gaps = markers.add_space(space)
    options = ["|".join(letters[n] for n in place) for place in places]
    rest = options.pop() if len(places) > length else None
    prefix = [f"(?:{option})" if option else lab.NOTHING for option in options]
    top = len(values) if most is None else min(most, len(values))
    if top < case.least:
        return NOTHING
    if prefix:
        shape = compile_dfa(tuple_regex(prefix, rest or None, case.least, top, gaps))
    else:
        shape = compile_dfa(lab.array_regex(rest or lab.NOTHING, case.least, top, gaps))
    for letter in letters:
        shape = intersect(shape, compile_dfa(f"[^{letter}]*(?:{letter}[^{letter}]*)?"))
    return markers.put_into(shape)


def _plain_array(case: Array, length: int, space: Whitespace, compile_child: Compile, rules: Rules) -> Dfa:
    """Return the automaton of arrays whose items are asked for by their places alone."""
    most = case.most
    markers = Letters()
    prefix: list[str] = []
    for index in range(length if most is None else min(length, most)):
        item = compile_child(case.item(index))
        if is_empty(item):
            most = index  # nothing can stand here, so the array ends before
            break
        prefix.append(markers.add(item))
    if most is not None and most < case.least:
        return NOTHING
    rest = None
    if most is None or most > length:
        item = compile_child(case.item(length))
        if not is_empty(item):
            copies = max(case.least, most or 0)
            gap = len(compile_dfa(space.comma))
            if copies * (len(item) + gap) > MOST_COPIES_STATES and len(item) > 2:
                item = rules.add("an item", item)
            if copies * (len(item) + gap) > MOST_COPIES_STATES:
                return _long_array(case, prefix, item, markers, space, rules)
            rest = markers.add(item)
    if rest is not None and not prefix:
        return markers.compile(lab.array_regex(rest, case.least, most, space))
    return markers.compile(tuple_regex(prefix, rest, case.least, most, space))


def _long_array(case: Array, prefix: list[str], item: Dfa, markers: Letters, space: Whitespace, rules: Rules) -> Dfa:
    """Return the automaton of arrays of very many items: the further ones are rules that double."""
    if prefix and case.least < len(prefix):
        raise LimitExceeded("an array of first items and very many further ones", MOST_COPIES_STATES)
    first = prefix or [markers.add(item)]
    unit = Letters()
    following = unit.compile(f"{space.comma}{unit.add(item)}")
    least = max(case.least - len(first), 0)
    most = None if case.most is None else case.most - len(first)
    rest = markers.add(rules.repeat("items", following, least, most))
    items = space.comma.join(f"(?:{part})" for part in first) + rest + space.edge
    return markers.compile(rf"\[{space.edge}{items if case.least else f'(?:{items})?'}\]")


def _containing(case: Array, length: int, space: Whitespace, compile_child: Compile) -> Dfa:
    """Return the automaton of arrays some of whose items must satisfy something.

    An item is read as one of several markers, which say what it satisfies. Where only a least number counts, an item
    that satisfies is read as such or not; where a most number counts, each item is decided.
    """
    if 2 ** len(case.some) > MAX_KINDS_OF_ITEMS:
        raise LimitExceeded("an array in which so many kinds of items are counted", MAX_KINDS_OF_ITEMS)
    markers = Letters()
    satisfied: dict[str, set[int]] = {}
    cuts = case.cuts()
    # Every place has markers of its own, so that ranges stay apart.
    options = [_options(case, start, compile_child, markers, satisfied) for start, _ in cuts]
    places = [f"(?:{'|'.join(options[_cut(cuts, index)]) or lab.NOTHING})" for index in range(length)]
    rest = "|".join(options[-1]) if options[-1] else None
    most = case.most
    bounded = None if most is None else min(most, length) if rest is None else most
    gaps = markers.add_space(space)
    if rest is not None and not places:
        found = compile_dfa(lab.array_regex(rest, case.least, bounded, gaps))
    else:
        found = compile_dfa(tuple_regex(places, rest, case.least, bounded, gaps))
    for number, some in enumerate(case.some):
        yes = "".join(letter for letter, numbers in satisfied.items() if number in numbers)
        found = intersect(found, compile_dfa(_count(some, yes)))
    return markers.put_into(found)


def _cut(cuts: list[tuple[int, int]], index: int) -> int:
    return next(place for place, (start, stop) in enumerate(cuts) if start <= index < stop)


def _options(
    case: Array, index: int, compile_child: Compile, markers: Letters, satisfied: dict[str, set[int]]
) -> list[str]:
    """Return the markers of an item from this index on, and note what each satisfies."""
    asked = case.item(index)
    here = [number for number, some in enumerate(case.some) if some.start <= index < some.stop]
    found = []
    for choice in product((True, False), repeat=len(here)):
        child = asked
        for number, yes in zip(here, choice, strict=True):
            some = case.some[number]
            if yes:
                child = (*child, *of_any_type(some.child))
            elif some.most is not None:
                child = (*child, *negated(some.child))
        automaton = compile_child(child)
        if not is_empty(automaton):
            letter = markers.add(_own(automaton))
            satisfied[letter] = {number for number, yes in zip(here, choice, strict=True) if yes}
            found.append(letter)
    return found


def _own(dfa: Dfa) -> Dfa:
    """Return a copy, which gets a marker of its own."""
    return Dfa(dfa.bounds, dfa.classes, dfa.transitions, dfa.initial, dfa.accepting)


def _count(some: Some, yes: str) -> str:
    """Return an expression of texts over markers in which some markers stand so often."""
    if not yes or (some.most is not None and some.most < some.least):
        return "(?s:.)*" if some.least == 0 else lab.NOTHING
    count = lab.count_regex(some.least, some.most)
    return f"(?:[^{yes}]*[{yes}]){count}[^{yes}]*"
