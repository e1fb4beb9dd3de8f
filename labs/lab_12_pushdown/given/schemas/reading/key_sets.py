"""Sets of keys as automata over their texts, and whether a key is in one."""

from collections.abc import Callable

from labkit.automata.dfa import Dfa
from labs.lab_06_regex_to_dfa.solution import fullmatch
from labs.lab_08_json_schema.given.automata.operations import ANY, difference, intersect, literals, union
from labs.lab_08_json_schema.given.reading.flat_schema import Child
from labs.lab_12_pushdown.given.schemas.reading.cases import Cases
from labs.lab_12_pushdown.given.schemas.reading.objects import Keys
from labs.lab_12_pushdown.given.schemas.reading.texts import pattern_automaton, text_values

CasesOf = Callable[[Child], Cases]


def keys_automaton(keys: Keys, cases_of: CasesOf) -> Dfa:
    """Return the automaton, over plain texts, of a set of keys."""
    if keys.outside is not None:
        return difference(ANY, union(*[keys_automaton(part, cases_of) for part in keys.outside]))
    parts = [pattern_automaton(pattern, pointer) for pattern, pointer in keys.patterns]
    if keys.names:
        parts.append(literals(keys.names))
    if keys.schema:
        parts += [intersect(text_values(case), ANY) for case in cases_of(keys.child)["string"]]
    return union(*parts)


def holds(keys: Keys, name: str, cases_of: CasesOf) -> bool:
    """Return whether a key is in a set."""
    if keys.outside is not None:
        return not any(holds(part, name, cases_of) for part in keys.outside)
    if name in keys.names or any(fullmatch(pattern_automaton(*pattern), name) for pattern in keys.patterns):
        return True
    return bool(keys.schema) and any(fullmatch(text_values(case), name) for case in cases_of(keys.child)["string"])
