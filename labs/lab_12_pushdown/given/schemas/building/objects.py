"""Objects of a case as automata: declared members in their order, then others under the keys that may be written."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.operations import (
    NOTHING,
    difference,
    encode,
    intersect,
    is_empty,
    literals,
    substitute,
    union,
)
from labs.lab_08_json_schema.given.compiling.large_objects import Member, object_skeleton
from labs.lab_08_json_schema.given.compiling.whitespace import Whitespace
from labs.lab_08_json_schema.given.reading.flat_schema import Child
from labs.lab_08_json_schema.given.schemas.reading.cases import Cases
from labs.lab_08_json_schema.given.schemas.reading.key_sets import holds, keys_automaton
from labs.lab_08_json_schema.given.schemas.reading.objects import EVERY_KEY, Keys, Members, Object
from labs.lab_08_json_schema.given.schemas.reading.places import contradicts, of_any_type, plain
from labs.lab_12_pushdown.given.schemas.building.letters import Letters, joined
from labs.lab_12_pushdown.given.schemas.building.rules import MOST_COPIES_STATES, Rules

MANY = 20
"""Objects with more members than this are built directly as automata (lab 08's ``large_objects.py``)."""

MAX_CLASSES = 64
"""The most classes of keys that are not declared."""

MOST_INSIDE = 50
"""The most states of a value inside an object that is too large for all of them."""

MAX_FREE = 6
"""The most undeclared keys that must be there and may stand in any order; more of them stand in that of the schema."""

MAX_CHOICES = 64
"""The most ways to have the members that must be there."""


@dataclass
class Objects:
    """Builds objects.

    Args:
        space: the policy of white space.
        compile_child: gives the automaton of a member's value.
        cases_of: gives the cases of a child.
        rules: where the values of large objects become rules.
    """

    space: Whitespace
    compile_child: Callable[[Child], Dfa]
    cases_of: Callable[[Child], Cases]
    rules: Rules
    _known: dict[tuple[object, ...], Dfa] = field(default_factory=dict)

    def automaton(self, case: Object) -> Dfa:
        """Return the automaton of the objects of a case."""
        if case.most is not None and case.most < case.least:
            return NOTHING
        found = [self._with_names(choice, others) for choice, others in self._choices(case)]
        return joined(found)

    def _choices(self, case: Object) -> list[tuple[Object, list[Members]]]:
        """Return the ways to satisfy ``some``: by declared members, in their order, or by others, in any order."""
        declared = list(case.declared)
        named = case.required()
        # A key occurs once, so what some member under it satisfies, every member under it does.
        every = (*case.every, *(one for one in case.some if one.keys.name() is not None))
        if declared or len(named) > MAX_FREE:
            declared = list(dict.fromkeys(declared + named))
        others = [Members(Keys((name,)), ()) for name in named if name not in declared]
        some = tuple(Members(Keys((name,)), ()) for name in named if name in declared)
        ways = [(replace(case, declared=tuple(declared), every=every, some=some), others)]
        for one in case.some:
            if one.keys.name() is None:
                keys = [key for key in declared if self._holds(one.keys, key)]
                ways = [
                    *((way, [*others, one]) for way, others in ways),
                    *(
                        (replace(way, some=(*way.some, Members(Keys((key,)), of_any_type(one.child)))), others)
                        for way, others in ways
                        for key in keys
                    ),
                ]
            if len(ways) > MAX_CHOICES:
                raise LimitExceeded("an object in which so many members must be somewhere", MAX_CHOICES)
        return ways

    def _holds(self, keys: Keys, name: str) -> bool:
        return holds(keys, name, self.cases_of)

    def _asked(self, case: Object, name: str) -> Child:
        """Return what is asked of the value under a key."""
        found = [place for one in case.every if self._holds(one.keys, name) for place in one.child]
        found += [place for one in case.some if one.keys.name() == name for place in one.child]
        return plain(tuple(found))

    def _with_names(self, case: Object, others: list[Members]) -> Dfa:
        """Return the automaton of objects whose known members are the names of a case.

        Args:
            others: members that must be among those without a known name.
        """
        if case.most != 0 and not case.declared and all(one.keys.name() is not None for one in case.every):
            self.compile_child(())  # first of all, since a schema with any members is not regular
        needed = set(case.required())
        values = {key: self._value(self._asked(case, key)) for key in case.declared}
        if any(is_empty(values[key]) for key in needed):
            return NOTHING
        values = self._shared(values)
        markers = Letters()
        members = [
            Member(
                markers.add(compile_dfa(lab.member_regex(key, markers.add(value), self.space))),
                required=key in needed,
            )
            for key, value in values.items()
            if not is_empty(value)
        ]
        classes = self._classes(case, others, enough=len(members) >= case.least)
        letters = self._other_members(classes, others, markers)
        counted = [f"{member.marker}" for member in members] + list(letters)
        if letters:
            members.append(Member(next(iter(letters)), required=False, repeated=True))
        skeleton = self._skeleton(members, markers)
        if len(letters) > 1:
            skeleton = substitute(skeleton, {ord(members[-1].marker): compile_dfa(f"[{''.join(letters)}]")})
        for number, one in enumerate(others):
            holding = "".join(letter for letter, held in letters.items() if number in held)
            if not holding:
                return NOTHING
            after = f"[^{holding}]*" if one.keys.name() is not None else "(?s:.)*"
            skeleton = intersect(skeleton, compile_dfa(f"[^{holding}]*[{holding}]{after}"))
        if case.least or case.most is not None:
            skeleton = intersect(skeleton, compile_dfa(_count(counted, case.least, case.most)))
        # First put in the members, small automata whose values are still markers; then the values, which may be large.
        return markers.put_into(markers.put_into(skeleton))

    def _shared(self, values: dict[str, Dfa]) -> dict[str, Dfa]:
        """Return the values, the larger ones as calls of rules if all together would be too large an automaton."""
        if sum(map(len, values.values())) <= MOST_COPIES_STATES:
            return values
        large = {id(value): (key, value) for key, value in values.items() if len(value) > MOST_INSIDE}
        shared = {name: self.rules.add(f"the value of {key!r:.40}", value) for name, (key, value) in large.items()}
        return {key: shared.get(id(value), value) for key, value in values.items()}

    def _value(self, child: Child) -> Dfa:
        return NOTHING if contradicts(child) else self.compile_child(child)

    def _skeleton(self, members: list[Member], markers: Letters) -> Dfa:
        """Return the automaton over markers, by lab 08's own function, or directly for many members."""
        space = markers.add_space(self.space)
        if len(members) > MANY:
            return object_skeleton(members, space)
        regexes = [
            (f"{member.marker}(?:{space.comma}{member.marker})*" if member.repeated else member.marker, member.required)
            for member in members
        ]
        return compile_dfa(lab.object_regex(regexes, space))

    def _classes(
        self, case: Object, others: list[Members], *, enough: bool
    ) -> list[tuple[Dfa, Child, tuple[int, ...]]]:
        """Return the classes of keys without a known name: keys, what is asked of values, and which ``others`` hold.

        Args:
            enough: whether there are enough declared members.
        """
        names = case.declared
        written = [EVERY_KEY] if not case.declared or not enough or others else list(case.written)
        if not written or case.most == 0:
            return []
        rest = difference(union(*[self._keys(keys) for keys in written]), literals(names) if names else NOTHING)
        found: list[tuple[Dfa, Child, tuple[int, ...]]] = [(rest, (), ())]
        for one in case.every:
            if one.keys.name() is None or one.keys.name() not in names:
                found = self._split(found, one.keys, lambda child, held, one=one: ((*child, *one.child), held))  # type: ignore[misc]
        for number, one in enumerate(others):
            found = self._split(found, one.keys, lambda child, held, number=number: (child, (*held, number)))  # type: ignore[misc]
        return [(keys, child, held) for keys, child, held in found if not contradicts(child)]

    def _encoded(self, keys: Dfa) -> Dfa:
        """Return the automaton of some keys in JSON; equal automata are encoded once."""
        name = (
            keys.initial,
            *(part.tobytes() for part in (keys.bounds, keys.classes, keys.transitions, keys.accepting)),
        )
        if name not in self._known:
            self._known[name] = encode(keys)
        return self._known[name]

    def _keys(self, keys: Keys) -> Dfa:
        return keys_automaton(keys, self.cases_of)

    def _split(
        self,
        classes: list[tuple[Dfa, Child, tuple[int, ...]]],
        keys: Keys,
        join: Callable[[Child, tuple[int, ...]], tuple[Child, tuple[int, ...]]],
    ) -> list[tuple[Dfa, Child, tuple[int, ...]]]:
        """Return each class in two parts: inside a set of keys, and outside."""
        inside = self._keys(keys)
        found = []
        for own, child, held in classes:
            both = intersect(own, inside)
            if is_empty(both):
                found.append((own, child, held))
                continue
            found.append((both, *join(child, held)))
            without = difference(own, inside)
            if not is_empty(without):
                found.append((without, child, held))
        if len(found) > MAX_CLASSES:
            raise LimitExceeded("an object whose patterns divide the keys into many classes", MAX_CLASSES)
        return found

    def _other_members(
        self, classes: list[tuple[Dfa, Child, tuple[int, ...]]], others: list[Members], markers: Letters
    ) -> dict[str, frozenset[int]]:
        """Return the markers of members that are not declared, each with those of ``others`` that its members are."""
        groups: dict[frozenset[int], list[Dfa]] = {}
        for keys, child, held in classes:
            free = [number for number in held if others[number].keys.name() is None]
            for choice in product((False, True), repeat=len(free)):
                chosen = [number for number, yes in zip(free, choice, strict=True) if yes]
                value = self._value(
                    plain((*child, *(place for number in chosen for place in of_any_type(others[number].child))))
                )
                if not is_empty(value):
                    member = compile_dfa(f"{markers.add(self._encoded(keys))}{self.space.colon}{markers.add(value)}")
                    groups.setdefault(frozenset(chosen) | (set(held) - set(free)), []).append(member)
        if len(groups) > MAX_CHOICES:
            raise LimitExceeded("an object in which so many members must be somewhere", MAX_CHOICES)
        return {markers.add(_own(joined(members))): held for held, members in groups.items()}


def _own(dfa: Dfa) -> Dfa:
    """Return a copy, which gets a marker of its own."""
    return Dfa(dfa.bounds, dfa.classes, dfa.transitions, dfa.initial, dfa.accepting)


def _count(letters: list[str], least: int, most: int | None) -> str:
    """Return an expression of texts over markers with so many members."""
    if not letters or (most is not None and most < least):
        return "(?s:.)*" if least == 0 else lab.NOTHING
    inside = "".join(letters)
    return f"(?:[^{inside}]*[{inside}]){lab.count_regex(least, most)}[^{inside}]*"
