"""Objects of a case as trees: declared members in their order, then others under the keys that may be written."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import product
from typing import NamedTuple

from labkit.automata.dfa import Dfa
from labkit.automata.trees import EMPTY, NOTHING, Whitespace, char, choice, regex_of, row, times
from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labkit.reading import Reading
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import fullmatch, minimize_dfa, nfa_to_dfa
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.sharing import shared_text
from mask_engine.operations import ANY, compiled, intersect, is_empty, without
from mask_engine.patterns.any_order import AnyOrder
from mask_engine.patterns.lazy import LazyDfa, Tree, Unordered
from mask_engine.reading.cases import Cases
from mask_engine.reading.key_sets import among_others, holds, keys_automaton
from mask_engine.reading.objects import EVERY_KEY, Keys, Members, Object
from mask_engine.reading.places import Child, contradicts, of_any_type, plain
from mask_engine.reading.texts import keys_but
from mask_engine.trees.pieces import Letters, spelled, spelled_text
from mask_engine.trees.presence import presence_automaton

MAX_PAIRS = 60_000
"""The most pairs of members of which one may follow the other, where they are counted. 345 members that may all be left
out have as many."""

MAX_CLASSES = 64
"""The most classes of keys that are not declared."""

MAX_FREE = 6
"""The most undeclared keys that must be there and may stand in any order; more of them stand in that of the schema."""

MAX_CHOICES = 64
"""The most ways to have the members that must be there."""

KeyClass = tuple[Dfa, Child, tuple[int, ...]]
"""Keys, what is asked of their values, and which of some members they may be."""


class Member(NamedTuple):
    """A member, as lab 08's ``object_tree`` takes it: its tree, and whether it must be there."""

    tree: Tree
    required: bool


class Part(NamedTuple):
    """Some keys: those of an automaton that are in none of some sets; and whether they are within others."""

    own: Dfa
    outside: tuple[Keys, ...]
    known: dict[Keys, bool]


class Objects:
    """Builds objects.

    Args:
        space: white space.
        value: gives the tree of a member's value.
        cases_of: gives the cases of a child.
        reading: whether objects are closed, and the order of their members.
    """

    def __init__(
        self,
        space: Whitespace,
        value: Callable[[Child], Tree],
        cases_of: Callable[[Child], Cases],
        reading: Reading,
    ) -> None:
        self._space, self._value_of, self._cases_of = space, value, cases_of
        self._holds = partial(holds, cases_of=cases_of)
        self._closed, self._any_order = reading.closed, reading.order == "any"
        self._automata: dict[Keys, Dfa] = {}
        self._parted: dict[tuple[tuple[str, ...], tuple[Keys, ...], tuple[Keys, ...]], list[tuple[Dfa, set[Keys]]]] = {}

    def tree(self, case: Object) -> Tree:
        """Return the tree of the objects of a case."""
        if case.most is not None and case.most < case.least:
            return NOTHING
        known = {*case.declared, *(case.required() if case.declared else ())}
        # An automaton reads clauses only where members come in their order.
        read = not self._any_order and all(key in known for clause in case.clauses for key, _ in clause)
        cases = [case] if read else case.expanded()
        return choice([self._with_names(way, others) for each in cases for way, others in self._ways(each)])

    def _ways(self, case: Object) -> list[tuple[Object, list[Members]]]:
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

    def _with_names(self, case: Object, others: list[Members]) -> Tree:
        """Return the tree of objects whose known members are the names of a case.

        Args:
            others: members that must be among those without a known name.
        """
        needed = set(case.required())
        spend(20 * len(case.declared))
        values = {key: self.value(case.asked_of(key, self._holds)) for key in case.declared}
        if any(values[key] is NOTHING for key in needed):
            return NOTHING
        alive = [key for key, value in values.items() if value is not NOTHING]
        members = [Member(self._member(spelled_text(key), values[key]), key in needed) for key in alive]
        classes = self._classes(case, others, enough=len(members) >= case.least)
        kinds = self._other_members(classes, others)
        if self._any_order:
            return self._unordered(case, members, others, kinds)
        if others or case.clauses or case.least > len(needed) or case.most is not None:
            return self._counted(case, dict(zip(alive, members, strict=True)), others, kinds)
        if kinds:
            others_of = choice([tree for trees in kinds.values() for tree in trees])
            members.append(Member(several(others_of, self._space), required=False))
        return lab.object_tree(members, self._space)

    def _unordered(
        self, case: Object, members: list[Member], others: list[Members], kinds: dict[frozenset[int], list[Tree]]
    ) -> Tree:
        """Return the tree of objects whose members come in any order; their first quote is read before them.

        The bits are which members have been written, and which of ``others``.
        """
        trees = [member.tree for member in members]
        parts = [(1 << place, 1 << place) for place in range(len(members))]
        once = sum(1 << len(members) + number for number, one in enumerate(others) if one.keys.name() is not None)
        for numbers, same in kinds.items():
            bits = sum(1 << len(members) + number for number in numbers)
            trees += same
            parts += [(bits, bits & once)] * len(same)
        needed = sum(1 << place for place, member in enumerate(members) if member.required)
        needed += sum(1 << len(members) + number for number in range(len(others)))
        order, quote = AnyOrder(tuple(parts), needed, max(case.least, 1), case.most), char('"')
        options = [EMPTY] if not needed and case.least == 0 else []
        if order.can_end(order.initial):
            spelling = (*trees, row(self._space.comma, quote))
            options.append(row(quote, Unordered(order, spelling), self._space.edge))
        return row(char("{"), self._space.edge, choice(options), char("}")) if options else NOTHING

    def _counted(
        self, case: Object, members: dict[str, Member], others: list[Members], kinds: dict[frozenset[int], list[Tree]]
    ) -> Tree:
        """Return the tree of objects whose members are counted: an automaton over letters is made first."""
        letters = Letters()
        letter_of = [(key, letters.add(member.tree)) for key, member in members.items()]
        held = {letters.add(choice(trees)): numbers for numbers, trees in kinds.items()}
        counted = [letter for _, letter in letter_of] + list(held)
        lettered = [(letter, members[key].required) for key, letter in letter_of]
        stand_in = letters.add(EMPTY)
        space = Whitespace(char(letters.add(self._space.edge)), char(letters.add(self._space.comma)), EMPTY)
        skeleton = object_skeleton(lettered, stand_in if held else None, space)
        if held:
            skeleton = lab.splice(skeleton, {ord(stand_in): compiled(f"[{''.join(held)}]")})
        for number, one in enumerate(others):
            holding = "".join(letter for letter, numbers in held.items() if number in numbers)
            if not holding:
                return NOTHING
            after = f"[^{holding}]*" if one.keys.name() is not None else "(?s:.)*"
            skeleton = intersect(skeleton, compiled(f"[^{holding}]*[{holding}]{after}"))
        if case.clauses:
            skeleton = intersect(skeleton, presence_automaton(letter_of, case.clauses))
        skeleton = intersect(skeleton, compiled(_count(counted, case.least, case.most)))
        return letters.put_into(skeleton)

    def _member(self, key: Sequence[Tree], value: Tree) -> Tree:
        """Return the tree of a member. If members come in any order, its first quote is read before it.

        Args:
            key: what is between the quotes.
        """
        quote, colon = char('"'), self._space.colon
        if not self._any_order:
            return row(row(quote, *key, quote), colon, value)
        first, *rest = *key, quote  # of all members, a text makes the first character; of one, the rest
        return row(first, row(*rest, colon, value))

    def value(self, child: Child) -> Tree:
        """Return the tree of a member's value."""
        return NOTHING if contradicts(child) else self._value_of(child)

    def _classes(self, case: Object, others: list[Members], *, enough: bool) -> list[KeyClass]:
        """Return the classes of keys without a known name.

        Args:
            enough: whether there are enough declared members.
        """
        names = case.declared
        free = not self._closed or not names or not enough or others
        written = (EVERY_KEY,) if free else case.written
        if not written or case.most == 0:
            return []
        sets = tuple(dict.fromkeys(one.keys for one in (*case.every, *others) if one.keys.name() not in names))
        found: list[KeyClass] = []
        for keys, within in self._parts(names, written, sets):
            child = plain(tuple(place for one in case.every if one.keys in within for place in one.child))
            if not contradicts(child):
                found.append((keys, child, tuple(n for n, one in enumerate(others) if one.keys in within)))
        return found

    def _parts(
        self, names: tuple[str, ...], written: tuple[Keys, ...], sets: tuple[Keys, ...]
    ) -> list[tuple[Dfa, set[Keys]]]:
        """Return the keys that are none of some names, in parts: each with the sets of keys that it is within."""
        if (names, written, sets) not in self._parted:
            parts = [Part(ANY, (), {})]
            for keys in dict.fromkeys((*written, *sets)):
                parts = [part for each in parts for part in self._split(each, keys, names)]
                if len(parts) > MAX_CLASSES:
                    raise LimitExceeded("an object whose patterns divide the keys into many classes", MAX_CLASSES)
            found = []
            for part in parts:
                if any(part.known[keys] for keys in written):
                    own = _but(reduce(self._outside, part.outside, part.own), names)
                    if not is_empty(own):
                        found.append((own, {keys for keys in part.known if part.known[keys]}))
            self._parted[names, written, sets] = found
        return self._parted[names, written, sets]

    def _split(self, part: Part, keys: Keys, names: tuple[str, ...]) -> list[Part]:
        """Return a part of the keys as what is inside a set of them and what is outside, as far as there is any."""
        inside = among_others(keys, names, part.known)
        if inside is None and shared_text([part.own, self._keys(keys)]) is None:
            inside = False
        if inside is not None:
            return [part._replace(known={**part.known, keys: inside})]
        both = self._keys(keys) if part.own is ANY else intersect(part.own, self._keys(keys))
        both = reduce(self._outside, part.outside, both)
        rest = part._replace(outside=(*part.outside, keys), known={**part.known, keys: False})
        return [rest] if is_empty(both) else [Part(both, (), {**part.known, keys: True}), rest]

    def _outside(self, own: Dfa, keys: Keys) -> Dfa:
        """Return some keys without those of a set."""
        if own is ANY:
            return self._keys(Keys(outside=(keys,)))
        other = self._keys(keys)
        return own if shared_text([own, other]) is None else without(own, other)

    def _keys(self, keys: Keys) -> Dfa:
        if keys not in self._automata:
            self._automata[keys] = keys_automaton(keys, self._cases_of)
        return self._automata[keys]

    def _other_members(self, classes: list[KeyClass], others: list[Members]) -> dict[frozenset[int], list[Tree]]:
        """Return the members that are not declared, by the set of those of ``others`` that they are."""
        groups: dict[frozenset[int], list[Tree]] = {}
        for keys, child, held in classes:
            free = [number for number in held if others[number].keys.name() is None]
            for chosen in product((False, True), repeat=len(free)):
                taken = [number for number, yes in zip(free, chosen, strict=True) if yes]
                asked = (*child, *(place for number in taken for place in of_any_type(others[number].child)))
                value = self.value(plain(asked))
                if value is not NOTHING:
                    member = self._member([spelled(keys)], value)
                    groups.setdefault(frozenset(taken) | (set(held) - set(free)), []).append(member)
        if len(groups) > MAX_CHOICES:
            raise LimitExceeded("an object in which so many members must be somewhere", MAX_CHOICES)
        return groups


def _but(keys: Dfa, names: Sequence[str]) -> Dfa:
    """Return a set of keys without some names."""
    if keys is ANY:
        return keys_but(names)
    held = [name for name in names if fullmatch(keys, name)]
    return without(keys, literals(held)) if held else keys


def object_skeleton(members: Sequence[tuple[str, bool]], repeated: str | None, space: Whitespace) -> Dfa:
    """Return the automaton over letters of objects.

    Args:
        members: in order, the letter of each and whether it must be there.
        repeated: the letter of members that come after them, any number of times.
        space: letters too.

    Raises:
        LimitExceeded: beyond ``MAX_PAIRS``, before states are made.
    """
    pairs = followers = 0
    for _, is_required in reversed(members):
        followers = 1 if is_required else followers + 1
        pairs += followers
    if pairs > MAX_PAIRS:
        problem = f"an object of {len(members)} members, of which {pairs:,} pairs may be neighbours"
        raise LimitExceeded(problem, MAX_PAIRS)
    parts = [(char(letter), is_required) for letter, is_required in members]
    parts += [(several(char(repeated), space), False)] if repeated else []
    return minimize_dfa(nfa_to_dfa(LazyDfa(lab.object_tree(parts, space))))


def several(member: Tree, space: Whitespace) -> Tree:
    """Return the tree of one or more members."""
    return row(member, times(row(space.comma, member), 0, None))


def _count(letters: list[str], least: int, most: int | None) -> str:
    """Return an expression of texts over letters with so many members."""
    if not letters or (most is not None and most < least):
        return "(?s:.)*" if least == 0 else regex_of(NOTHING)
    inside = "".join(letters)
    return f"(?:[^{inside}]*[{inside}]){{{least},{'' if most is None else most}}}[^{inside}]*"
