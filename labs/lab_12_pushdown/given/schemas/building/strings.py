"""Strings and numbers of a case as automata; long strings by rules that double."""

from dataclasses import replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.automata.grammar import CALL
from labkit.automata.syntax import Ranges
from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa, live_states
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.escape_trees import ESCAPED
from labs.lab_08_json_schema.given.automata.operations import ANY, NOTHING, difference, encode, intersect
from labs.lab_08_json_schema.given.automata.tables import subtract_ranges
from labs.lab_08_json_schema.given.compiling.enum_values import values_regex
from labs.lab_08_json_schema.given.compiling.scalars import numeric_automaton, simple
from labs.lab_08_json_schema.given.compiling.whitespace import policy
from labs.lab_08_json_schema.given.numbers.multiples import multiple_automaton
from labs.lab_12_pushdown.given.schemas.building.letters import Letters
from labs.lab_12_pushdown.given.schemas.building.rules import Rules
from labs.lab_12_pushdown.given.schemas.building.splicing import is_nothing
from labs.lab_12_pushdown.given.schemas.reading.scalars import Few, Numeric, Text
from labs.lab_12_pushdown.given.schemas.reading.texts import enum_values, needed_lengths, text_values, unbounded_values

MOST_EXPRESSED = 500
"""The longest string that is compiled from lab 08's expression."""

MOST_WRITTEN_OUT = 1_000
"""The longest string whose characters are states of one automaton."""

MOST_ENCODED = 60_000
"""The most states of a string whose escapes are states too, estimated from its values; beyond, escapes are rules."""

MAX_PAIRS = 400_000
"""The most states of an automaton times the characters that are counted beside it."""

FEW = 4
"""The most states of an automaton for which all pairs are made."""

MAX_PRODUCT = 70_000
"""The most of these pairs that a text reaches."""

MOST_NARROWED = 45_000
"""The most pairs of a format that is written shorter than its length allows."""

_FRACTION = (
    r"-?(0|[1-9][0-9]*)\.[0-9]*[1-9][0-9]*"
    r"|-?[1-9](\.[0-9]+)?[eE]-0*([1-9]|[1-9][0-9]|[12][0-9]{2})"
)
"""Numbers that are not whole: a digit after the point that counts, or one digit before it and a negative exponent."""

_PLAIN = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"


@cache
def _character() -> Dfa:
    return compile_dfa(lab.character_regex())


def few_automaton(case: Few) -> Dfa:
    """Return the automaton of null, true and false."""
    return compile_dfa(lab.enum_regex(sorted(case.values, key=str, reverse=True))) if case.values else NOTHING


def numeric(case: Numeric) -> Dfa:
    """Return the automaton of the numbers of a case."""
    if case.never():
        return NOTHING
    if case.enum is not None:
        values = [value for value in case.enum if case.allows(value)]
        return compile_dfa(values_regex(values, policy("compact"))) if values else NOTHING
    whole = case.whole is True
    found = numeric_automaton(case.flat(), integer=whole)
    if case.whole is False:
        found = intersect(found, compile_dfa(_FRACTION))
    if case.others:
        found = intersect(found, compile_dfa(_PLAIN))
        for divisor in case.others:
            found = difference(found, multiple_automaton(divisor))
    return found


def string(case: Text, rules: Rules) -> Dfa:
    """Return the automaton of the strings of a case, in JSON.

    Raises:
        LimitExceeded: if a length must be counted beside an automaton that is too large for it.
    """
    if case.enum is not None:
        values = enum_values(case)
        return compile_dfa(values_regex(values, policy("compact"))) if values else NOTHING
    if case.most is not None and case.most < case.least:
        return NOTHING
    free = unbounded_values(case)
    least, most = needed_lengths(free, case.least, case.most)
    found = _written_out(replace(case, least=least, most=most))
    if found is not None:
        return found
    if free is ANY:
        markers = Letters()
        body = rules.repeat("a text", _character(), least, most)
        return markers.compile(f'"{markers.add(body)}"')
    return _with_escapes_as_rules(_fewer_or_counted(case, free, least, most), rules)


def _fewer_or_counted(case: Text, free: Dfa, least: int, most: int | None) -> Dfa:
    """Return texts of some lengths; of a format alone, rather shorter ones than none at all.

    An automaton of a format leaves out some of its texts in any case.
    """
    try:
        return _counted(free, least, most)
    except LimitExceeded:
        fewer = MOST_NARROWED // len(free)
        if case.patterns or not case.formats or most is None or fewer < least:
            raise
        found = _counted(free, least, fewer)
        if is_nothing(found):
            raise
        return found


@lru_cache(maxsize=256)
def _written_out(case: Text) -> Dfa | None:
    """Return the automaton of a case without rules; None if it would be large."""
    free = unbounded_values(case)
    counted = max(case.least, case.most or 0)
    if free is ANY and counted <= MOST_EXPRESSED:
        bounds = {"minLength": case.least} | ({} if case.most is None else {"maxLength": case.most})
        return simple("string", **bounds)
    if counted > MOST_WRITTEN_OUT if free is ANY else counted * len(free) > MOST_ENCODED // 4:
        return None
    values = text_values(case)
    # Each interval of the alphabet that is treated alike needs states for its escapes.
    return encode(values) if len(values) * (14 + len(values.bounds) // 4) <= MOST_ENCODED else None


def _counted(dfa: Dfa, least: int, most: int | None) -> Dfa:
    """Return an automaton's texts of some lengths: a state is a state and a count. It is not minimal.

    Raises:
        LimitExceeded: if there are too many such states.
    """
    size, last = len(dfa), least if most is None else most
    problem = f"a text of up to {last:,} characters beside a pattern or format of {size:,} states"
    if size * (last + 1) > MAX_PAIRS:
        raise LimitExceeded(problem, MAX_PAIRS)
    spend(5 * last + size * (last + 1) // 4)
    after = np.append(dfa.transitions, np.full((1, dfa.n_classes), DEAD, np.int32), axis=0)
    # alive[count, state]: whether an accepting state can still be reached. The last column is for dead transitions.
    alive = np.zeros((last + 2, size + 1), bool)
    if most is None:
        alive[last + 1, list(live_states(dfa))] = True
    for count in range(last, -1, -1):
        alive[count] = alive[count + 1][after].any(axis=1)
        alive[count, :size] |= dfa.accepting & (count >= least)
    if most is not None and size <= FEW and alive[0, dfa.initial]:
        # So few states that all pairs are made at once, instead of those that are reached, layer by layer.
        counts = np.arange(last + 1)[:, None]
        kept = alive[1:][:, dfa.transitions] & (dfa.transitions != DEAD)
        pairs = np.where(kept, dfa.transitions + ((counts + 1) * size)[:, :, None], DEAD).reshape(-1, dfa.n_classes)
        entered = np.unique(np.append(pairs[pairs != DEAD], dfa.initial))
        if len(entered) > MAX_PRODUCT:
            raise LimitExceeded(problem, MAX_PRODUCT)
        names = np.full(len(pairs) + 1, DEAD)
        names[entered] = np.arange(len(entered))
        ends = (dfa.accepting & (counts >= least)).reshape(-1)[entered]
        return Dfa(dfa.bounds, dfa.classes, names[pairs[entered]], int(names[dfa.initial]), ends)
    number = np.full(((last + 2), size + 1), DEAD, np.int64)
    layers = [np.array([dfa.initial])] if alive[0, dfa.initial] else []
    rows: list[NDArray[np.int64]] = []
    total = len(layers)
    number[0, dfa.initial] = 0
    accepting: list[NDArray[np.bool_]] = []
    count = 0
    while layers and len(layers[-1]):
        here = layers[-1]
        following = min(count + 1, last) if most is None else count + 1
        targets = after[here]
        kept = alive[following][targets] & (targets != DEAD)
        new = np.unique(targets[kept])
        new = new[number[following, new] == DEAD]
        number[following, new] = total + np.arange(len(new))
        total += len(new)
        if total > MAX_PRODUCT:
            raise LimitExceeded(problem, MAX_PRODUCT)
        rows.append(np.where(kept, number[following][targets], DEAD))
        accepting.append(dfa.accepting[here] & (count >= least))
        layers.append(new)
        count = following
    if not rows:
        return NOTHING
    return Dfa(dfa.bounds, dfa.classes, np.concatenate(rows), 0, np.concatenate(accepting))


def _with_escapes_as_rules(values: Dfa, rules: Rules) -> Dfa:
    """Return the automaton of the JSON strings of some values; each class of characters has a rule for its escapes.

    So a state of the values stays one state, and does not become one for each prefix of an escape.
    """
    if not values.n_classes:
        return NOTHING
    pieces: list[tuple[int, int, int]] = [(0x22, 0x22, 2 * values.n_classes)]
    for symbol_class, ranges in enumerate(values.class_ranges):
        pieces += [(first, last, symbol_class) for first, last in subtract_ranges(ranges, ESCAPED)]
        if not is_nothing(found := _escapes(ranges)):
            code = CALL - rules.once(ranges, "an escape", found)
            pieces.append((code, code, values.n_classes + symbol_class))
    bounds, classes = [0], [DEAD]
    for first, last, symbol_class in sorted(pieces):
        if bounds[-1] == first:
            classes[-1] = symbol_class
        else:
            bounds.append(first)
            classes.append(symbol_class)
        if last + 1 < CODE_POINTS:
            bounds.append(last + 1)
            classes.append(DEAD)
    start, end = len(values), len(values) + 1
    table = np.full((len(values) + 2, 2 * values.n_classes + 1), DEAD, np.int32)
    table[:start, : values.n_classes] = values.transitions
    table[:start, values.n_classes : -1] = values.transitions
    table[:start, -1] = np.where(values.accepting, end, DEAD)
    table[start, -1] = values.initial
    return Dfa(bounds, classes, table, start, np.arange(len(table)) == end)


@lru_cache(maxsize=256)
def _escapes(ranges: Ranges) -> Dfa:
    """Return the automaton of the escapes of some characters."""
    bounds = [0, *sorted({bound for first, last in ranges for bound in (first, last + 1)} - {0, CODE_POINTS})]
    inside = [any(first <= bound <= last for first, last in ranges) for bound in bounds]
    one = Dfa(bounds, [0 if yes else DEAD for yes in inside], [[1], [DEAD]], 0, [False, True])
    whole = encode(one)
    # Without the quotes: from the state after the first one, by a backslash only, to one before the last one.
    first = whole.step(whole.initial, ord('"'))
    if first == DEAD or whole.step(first, ord("\\")) == DEAD:
        return NOTHING
    ends = [whole.step(state, ord('"')) != DEAD for state in range(len(whole))]
    return intersect(Dfa(whole.bounds, whole.classes, whole.transitions, first, ends), compile_dfa(r"\\(?s:.)+"))
