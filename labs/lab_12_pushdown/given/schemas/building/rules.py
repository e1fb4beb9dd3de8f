"""The rules of a grammar while it grows, and repetition by doubling: n copies in about log n rules."""

from collections.abc import Hashable
from functools import lru_cache

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.grammar import CALL, MAX_RULES, Grammar, call, called_rules
from labs.lab_06_regex_to_dfa.solution import compile_dfa, equivalent, minimize_dfa
from labs.lab_08_json_schema.given.automata.operations import NOTHING, is_empty
from labs.lab_12_pushdown.given.schemas.building.letters import Letters
from labs.lab_12_pushdown.given.schemas.building.splicing import is_nothing

MOST_COPIES_STATES = 20_000
"""The most states of repetitions that are written out."""

_CHUNK_STATES = 1_000

ANY_VALUE = 0
"""The number of the rule of any JSON value."""


class Rules:
    """Rules under numbers; a number may be called before its rule is there."""

    def __init__(self) -> None:
        self._bodies: list[Dfa | None] = [None]
        self._names: list[str] = ["any value"]
        self._exact: dict[tuple[int, int], Dfa] = {}
        self._short: dict[tuple[int, int], Dfa] = {}
        self._units: list[Dfa] = []
        self._once: dict[Hashable, int] = {}

    def reserve(self, name: str) -> int:
        """Return the number of a new rule without a body."""
        call(len(self._bodies))
        self._bodies.append(None)
        self._names.append(name)
        return len(self._bodies) - 1

    def define(self, number: int, body: Dfa) -> None:
        """Give a rule its body."""
        self._bodies[number] = body

    def add(self, name: str, body: Dfa) -> Dfa:
        """Return the call of a new rule."""
        number = self.reserve(name)
        self.define(number, body)
        return called(number)

    def include(self, grammar: Grammar) -> Dfa:
        """Return the automaton of a grammar's texts: its root, whose calls are of rules here."""
        places = {number: self.reserve(name) for number, name in enumerate(grammar.names)}
        for number, body in enumerate(grammar.rules):
            self.define(places[number], renumbered(body, places))
        return renumbered(grammar.rules[0], places)

    def once(self, key: Hashable, name: str, body: Dfa) -> int:
        """Return the number of a rule that is made for the first of equal keys."""
        if key not in self._once:
            self._once[key] = self.reserve(name)
            self.define(self._once[key], body)
        return self._once[key]

    def repeat(self, name: str, unit: Dfa, least: int, most: int | None) -> Dfa:
        """Return the automaton of ``least`` to ``most`` copies of a unit.

        Few copies are written out. Of many, rules stand for exactly, and for fewer than, as many as a chunk has, twice
        that, four times that, and so on.
        """
        copies = least if most is None else most
        if copies * len(unit) <= MOST_COPIES_STATES // 4:
            markers = Letters()
            bound = "" if most is None else most
            return markers.compile(f"{markers.add(unit)}{{{least},{bound}}}")
        self._units.append(unit)  # kept, so that no other automaton gets its id
        chunk = max(_CHUNK_STATES // max(len(unit), 1), 1)
        markers = Letters()
        parts = [markers.add(part) for part in self._exactly(name, unit, chunk, least)]
        if most is None:
            parts.append(f"{markers.add(unit)}*")
        elif most > least:
            parts.append(markers.add(self._up_to(name, unit, chunk, most - least)))
        return markers.compile("".join(parts))

    def _exactly(self, name: str, unit: Dfa, chunk: int, count: int) -> list[Dfa]:
        """Return calls whose texts, one after another, are exactly so many copies."""
        chunks, rest = divmod(count, chunk)
        found = [self._power(name, unit, chunk, bit) for bit in range(chunks.bit_length()) if chunks >> bit & 1]
        return [*found, _copies(unit, rest, rest)]

    def _power(self, name: str, unit: Dfa, chunk: int, bit: int) -> Dfa:
        """Return the call of the rule of 2 ** bit chunks."""
        key = id(unit), bit
        if key not in self._exact:
            body = _copies(unit, chunk, chunk)
            if bit:
                markers = Letters()
                body = markers.compile(markers.add(self._power(name, unit, chunk, bit - 1)) * 2)
            self._exact[key] = self.add(f"{name}: {chunk << bit} times", body)
        return self._exact[key]

    def _fewer(self, name: str, unit: Dfa, chunk: int, bit: int) -> Dfa:
        """Return the call of the rule of fewer copies than 2 ** bit chunks have."""
        key = id(unit), bit
        if key not in self._short:
            body = _copies(unit, 0, chunk - 1)
            if bit:
                body = _either_half(self._power(name, unit, chunk, bit - 1), self._fewer(name, unit, chunk, bit - 1))
            self._short[key] = self.add(f"{name}: fewer than {chunk << bit} times", body)
        return self._short[key]

    def _up_to(self, name: str, unit: Dfa, chunk: int, most: int) -> Dfa:
        """Return the automaton of at most so many copies; each text has one reading."""
        if most < chunk:
            return _copies(unit, 0, most)
        bit = (most // chunk).bit_length() - 1
        rest = self._up_to(name, unit, chunk, most - (chunk << bit))
        if len(rest) > 4:
            rest = self.add(f"{name}: the last {most - (chunk << bit)} times", rest)
        return _either(self._fewer(name, unit, chunk, bit), self._power(name, unit, chunk, bit), rest)

    def grammar(self, whole: Dfa) -> Grammar:
        """Return the grammar of an automaton: only rules that it needs and that have a text; one alone is minimal."""
        calls = called_rules(whole)
        if len(calls) == 1 and len(whole) == 2 and equivalent(whole, called(calls[0])):
            root = calls[0]
        else:
            root = self.reserve("the root")
            self.define(root, whole)
        bodies = [body if body is not None else NOTHING for body in self._bodies]
        calls_of = [set(called_rules(body)) for body in bodies]
        alive: set[int] = set()
        waiting = True
        while waiting:
            waiting = False
            for number, body in enumerate(bodies):
                gone = calls_of[number] - alive
                if number not in alive and not (is_empty(_without(body, gone)) if gone else is_nothing(body)):
                    alive.add(number)
                    waiting = True
        bodies = [
            minimize_dfa(_without(body, gone)) if (gone := calls - alive) else body
            for body, calls in zip(bodies, calls_of, strict=True)
        ]
        if not calls_of[root]:
            bodies[root] = minimize_dfa(bodies[root])
        order = [root]
        for number in order:  # the list grows meanwhile
            order += [also for also in called_rules(bodies[number]) if also not in order]
        places = {number: place for place, number in enumerate(order)}
        return Grammar(
            tuple(renumbered(bodies[number], places) for number in order),
            tuple(self._names[number] for number in order),
        )


def called(number: int) -> Dfa:
    """Return the automaton that calls a rule."""
    return compile_dfa(call(number))


@lru_cache(maxsize=64)
def _copies(unit: Dfa, least: int, most: int) -> Dfa:
    markers = Letters()
    return markers.compile(f"{markers.add(unit)}{{{least},{most}}}")


def _either(short: Dfa, full: Dfa, rest: Dfa) -> Dfa:
    markers = Letters()
    return markers.compile(f"{markers.add(short)}|{markers.add(full)}{markers.add(rest)}")


def _either_half(full: Dfa, short: Dfa) -> Dfa:
    return _either(short, full, short)


def _without(dfa: Dfa, rules: set[int]) -> Dfa:
    """Return an automaton without the transitions on some calls."""
    return renumbered(dfa, {rule: rule for rule in called_rules(dfa) if rule not in rules})


def renumbered(dfa: Dfa, places: dict[int, int]) -> Dfa:
    """Return an automaton whose calls have other numbers; calls without one are left out."""
    calls = called_rules(dfa)
    if all(places.get(rule) == rule for rule in calls):
        return dfa
    classes = {CALL - places[rule]: dfa.class_of(CALL - rule) for rule in calls if rule in places}
    first = CALL - MAX_RULES + 1
    kept = [(int(b), int(c)) for b, c in zip(dfa.bounds, dfa.classes, strict=True) if b < first]
    after = dfa.class_of(CALL + 1)
    points = [(first, DEAD)]
    for code, symbol_class in sorted(classes.items()):
        points += [(code, symbol_class), (code + 1, DEAD)]
    points.append((CALL + 1, after))
    merged: dict[int, int] = dict(kept)
    for bound, symbol_class in points:
        merged[bound] = symbol_class
    merged |= {int(b): int(c) for b, c in zip(dfa.bounds, dfa.classes, strict=True) if b > CALL + 1}
    bounds = sorted(merged)
    return Dfa(bounds, [merged[bound] for bound in bounds], dfa.transitions, dfa.initial, dfa.accepting)
