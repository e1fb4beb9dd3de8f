"""Sets of keys as automata over their texts, and whether a key is in one."""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from labkit.automata.dfa import Dfa
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import fullmatch
from mask_engine.operations import ANY, union, without
from mask_engine.reading.cases import Cases
from mask_engine.reading.objects import Keys
from mask_engine.reading.places import Child
from mask_engine.reading.texts import pattern_automaton, text_values

CasesOf = Callable[[Child], Cases]


def keys_automaton(keys: Keys, cases_of: CasesOf) -> Dfa:
    """Return the automaton, over plain texts, of a set of keys."""
    if keys.outside is not None:
        return without(ANY, union(*[keys_automaton(part, cases_of) for part in keys.outside]))
    parts = list(map(pattern_automaton, keys.patterns))
    if keys.names:
        parts.append(literals(keys.names))
    if keys.schema:
        parts += [text_values(case) for case in cases_of(keys.child)["string"]]
    return union(*parts)


def among_others(keys: Keys, names: Collection[str], known: Mapping[Keys, bool] = MappingProxyType({})) -> bool | None:
    """Return whether a set has all keys but some names (True), none of them (False), or perhaps some (None).

    Args:
        known: the answers for other sets, where the keys in question are only some of those that are none of the names.

    >>> but_id = Keys(outside=(Keys(("id",)),))  # all keys but "id"
    >>> among_others(but_id, ["id", "name"]), among_others(Keys(("id",)), ["id"]), among_others(Keys(("age",)), ["id"])
    (True, False, None)
    """
    if keys in known:
        return known[keys]
    if keys.outside is not None:
        found = [among_others(part, names, known) for part in keys.outside]
        return False if True in found else None if None in found else True
    return None if keys.patterns or keys.schema or not set(keys.names) <= set(names) else False


def holds(keys: Keys, name: str, cases_of: CasesOf) -> bool:
    """Return whether a key is in a set."""
    if keys.outside is not None:
        return not any(holds(part, name, cases_of) for part in keys.outside)
    if name in keys.names or any(fullmatch(pattern_automaton(each), name) for each in keys.patterns):
        return True
    return bool(keys.schema) and any(fullmatch(text_values(case), name) for case in cases_of(keys.child)["string"])
