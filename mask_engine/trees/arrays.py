"""Arrays of a case as trees."""

from collections.abc import Callable
from itertools import product
from typing import Any

from labkit.automata.trees import EMPTY, NOTHING, Whitespace, char, choice, optional, regex_of, row, times
from labkit.errors import LimitExceeded, UnsupportedSchema
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.values import equal
from mask_engine.operations import automaton_of, compiled, intersect
from mask_engine.patterns.lazy import Tree
from mask_engine.reading.arrays import Array, Some
from mask_engine.reading.places import Child, negated, of_any_type
from mask_engine.trees.pieces import Letters

MAX_KINDS_OF_ITEMS = 64
"""The most sets of ``contains`` that an item may satisfy."""

MAX_DIFFERENT = 8
"""The most values of items that all differ: an automaton has a state for each set of them."""


class Arrays:
    """Builds arrays.

    Args:
        space: white space.
        value: gives the tree of an item.
        values_of: gives the values that satisfy a child; None if they are not known to be few.
    """

    def __init__(
        self,
        space: Whitespace,
        value: Callable[[Child], Tree],
        values_of: Callable[[Child], list[Any] | None],
    ) -> None:
        self._space, self._value, self._values_of = space, value, values_of

    def tree(self, case: Array) -> Tree:
        """Return the tree of the arrays of a case.

        Raises:
            UnsupportedSchema: for ``uniqueItems`` where the items may have many values.
        """
        if case.most is not None and case.most < case.least:
            return NOTHING
        longest = case.cuts()[-1][0]
        if case.unique and (case.most is None or case.most > 1):
            return self._all_different(case, longest)
        return self._containing(case, longest) if case.some else self._plain(case, longest)

    def _plain(self, case: Array, length: int) -> Tree:
        """Return the tree of arrays whose items are asked for by their places alone."""
        most, first = case.most, list[Tree]()
        for index in range(length if most is None else min(length, most)):
            item = self._value(case.item(index))
            if item is NOTHING:
                most = index  # nothing can stand here, so the array ends before
                break
            first.append(item)
        rest = NOTHING
        if most is None or most > length:
            rest = self._value(case.item(length))
        if rest is NOTHING:
            most = len(first) if most is None else min(most, len(first))
        return bracketed(first, rest, case.least, most, self._space)

    def _all_different(self, case: Array, length: int) -> Tree:
        """Return the tree of arrays whose items all differ, where each item has few values.

        Each value is a letter; an array has each of them at most once.
        """
        if case.some:
            raise UnsupportedSchema("uniqueItems is not supported beside contains", case.unique[0])
        most = case.most
        problem = "uniqueItems, items that all differ, is not supported where an item has many values"
        values: list[Any] = []
        places: list[list[int]] = []
        for index in range(length + 1 if most is None or most > length else most):
            found = self._values_of(case.item(index))
            if found is None:
                raise UnsupportedSchema(problem, case.unique[0])
            values += [value for value in found if not any(equal(value, also) for also in values)]
            places.append([n for n, also in enumerate(values) if any(equal(value, also) for value in found)])
        if len(values) > MAX_DIFFERENT:
            raise UnsupportedSchema(f"{problem}: here {len(values)} of at most {MAX_DIFFERENT}", case.unique[0])
        top = len(values) if most is None else min(most, len(values))
        if top < case.least:
            return NOTHING
        letters = Letters()
        names = [letters.add(self._value((({"const": value}, case.unique[0]),))) for value in values]
        options = ["|".join(names[n] for n in place) for place in places]
        rest = options.pop() if len(places) > length else None
        shape = self._shape(letters, options, rest, case.least, top)
        for name in names:
            shape = intersect(shape, compiled(f"[^{name}]*(?:{name}[^{name}]*)?"))
        return letters.put_into(shape)

    def _shape(self, letters: Letters, first: list[str], rest: str | None, least: int, most: int | None) -> Any:
        """Return the automaton over letters of arrays with some first items, and then the rest."""
        gaps = Whitespace(char(letters.add(self._space.edge)), char(letters.add(self._space.comma)), EMPTY)
        places = [choice(list(map(char, option.split("|")))) if option else NOTHING for option in first]
        more = choice(list(map(char, rest.split("|")))) if rest else NOTHING
        if NOTHING in places:
            most, more = places.index(NOTHING), NOTHING
        if more is NOTHING:
            most = len(places) if most is None else min(most, len(places))
        return automaton_of(bracketed(places[:most], more, least, most, gaps))

    def _containing(self, case: Array, length: int) -> Tree:
        """Return the tree of arrays some of whose items must satisfy something.

        An item is one of several letters, which say what it satisfies. Where only a least number counts, an item that
        satisfies is read as such or not; where a most number counts, each item is decided.
        """
        if 2 ** len(case.some) > MAX_KINDS_OF_ITEMS:
            raise LimitExceeded("an array in which so many kinds of items are counted", MAX_KINDS_OF_ITEMS)
        letters = Letters()
        satisfied: dict[str, set[int]] = {}
        cuts = case.cuts()
        # Every place has letters of its own, so that ranges stay apart.
        options = ["|".join(self._options(case, start, letters, satisfied)) for start, _ in cuts]
        places = [
            options[next(place for place, (start, stop) in enumerate(cuts) if start <= index < stop)]
            for index in range(length)
        ]
        rest = options[-1] or None
        bounded = case.most if rest or case.most is None else min(case.most, length)
        found = self._shape(letters, places, rest, case.least, bounded)
        for number, some in enumerate(case.some):
            yes = "".join(letter for letter, numbers in satisfied.items() if number in numbers)
            found = intersect(found, compiled(_count(some, yes)))
        return letters.put_into(found)

    def _options(self, case: Array, index: int, letters: Letters, satisfied: dict[str, set[int]]) -> list[str]:
        """Return the letters of an item from this index on, and note what each satisfies."""
        here = [number for number, some in enumerate(case.some) if some.start <= index < some.stop]
        found = []
        for chosen in product((True, False), repeat=len(here)):
            child = case.item(index)
            for number, yes in zip(here, chosen, strict=True):
                some = case.some[number]
                if yes:
                    child = (*child, *of_any_type(some.child))
                elif some.most is not None:
                    child = (*child, *negated(some.child))
            tree = self._value(child)
            if tree is not NOTHING:
                letter = letters.add(tree)
                satisfied[letter] = {number for number, yes in zip(here, chosen, strict=True) if yes}
                found.append(letter)
        return found


def bracketed(first: list[Tree], rest: Tree, least: int, most: int | None, space: Whitespace) -> Tree:
    """Return the tree of arrays with some first items, of which a short array has fewer, and then the rest.

    It is built from the last item back: each has in it all that may follow.
    """
    if most is not None and least > most:
        return NOTHING
    if not first:
        return lab.array_tree(rest, least, most, space)
    tail = EMPTY
    if most is None or most > len(first):
        needed, more = max(least - len(first), 0), None if most is None else most - len(first)
        tail = times(row(space.comma, rest), needed, more)
    for index in range(len(first) - 1, 0, -1):
        tail = row(space.comma, first[index], tail)  # subtle: what follows comes last, as ``rests_first`` wants it
        tail = tail if index < least else optional(tail)
    inside = row(row(first[0], tail), space.edge)
    inside = inside if least > 0 else optional(inside)
    return row(char("["), space.edge, inside, char("]"))


def _count(some: Some, yes: str) -> str:
    """Return an expression of texts over letters in which some letters stand so often."""
    if not yes or (some.most is not None and some.most < some.least):
        return "(?s:.)*" if some.least == 0 else regex_of(NOTHING)
    return f"(?:[^{yes}]*[{yes}]){{{some.least},{'' if some.most is None else some.most}}}[^{yes}]*"
