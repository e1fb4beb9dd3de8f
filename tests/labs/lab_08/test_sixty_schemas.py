"""What carries lab 08's compiler: break one of the student's functions, and many of sixty schemas change."""

import time
from functools import cache

import pytest

from course.student.core.catalog import find_lab
from course.student.core.hints import lab_data
from labkit.automata.dfa import Dfa, Nfa
from labs.lab_06_regex_to_dfa.solution import equivalent
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.compiling.compiler import compile_schema
from tests.labs.lab_08.schemas import SCHEMAS

FUNCTIONS = [todo.function for todo in lab_data(find_lab(8)).todos.values()]
A_QUARTER = len(SCHEMAS) // 4


class BrokenError(Exception):
    """What a broken function raises."""


def _raise(*args, **keywords):
    raise BrokenError


def _nothing(*args, **keywords):
    return Dfa([0], [-1], [[]], initial=0, accepting=[False])


def _add_nothing(nfa: Nfa, *args) -> int:
    return nfa.add_state()


TRIVIAL = {name: lambda *args, **keywords: lab.NOTHING for name in FUNCTIONS if name.endswith("regex")}
TRIVIAL |= {"spell_character": lambda char: "x", "shared_text": lambda automata: None, "add_copy": _add_nothing}


@cache
def measured() -> tuple[dict[str, Dfa], dict[str, list[str]]]:
    """Return the automaton of each schema, and for each function the schemas that call it, the fastest first."""
    automata, seconds, callers = {}, {}, {name: set() for name in FUNCTIONS}
    compiling: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in FUNCTIONS:
            patch.setattr(lab, name, _noting(getattr(lab, name), callers[name], compiling))
        for schema_name, schema in SCHEMAS.items():
            compiling.append(schema_name)
            start = time.process_time()
            automata[schema_name] = compile_schema(schema)
            seconds[schema_name] = time.process_time() - start
    return automata, {name: sorted(called, key=seconds.__getitem__) for name, called in callers.items()}


def _noting(function, called, compiling):
    def call(*args, **keywords):
        called.add(compiling[-1])
        return function(*args, **keywords)

    return call


def changes(schema_name: str) -> bool:
    """Return whether a schema no longer compiles to its automaton."""
    try:
        return not equivalent(compile_schema(SCHEMAS[schema_name]), measured()[0][schema_name])
    except Exception:
        return True


def test_there_are_sixty():
    assert len(SCHEMAS) == 60


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_quarter_needs_each_function(name, monkeypatch):
    """A function that raises stops every schema that calls it; one that returns something trivial changes as many."""
    callers = measured()[1][name]
    assert len(callers) >= A_QUARTER, f"{name} is called by {len(callers)} of {len(SCHEMAS)} schemas"
    monkeypatch.setattr(lab, name, TRIVIAL.get(name, _nothing))
    same = [schema_name for schema_name in callers[:A_QUARTER] if not changes(schema_name)]
    assert not same, f"with a trivial {name} these compile as before: {same}"


def test_nothing_compiles_without_them(monkeypatch):
    """With all functions broken, no schema compiles."""
    for name in FUNCTIONS:
        monkeypatch.setattr(lab, name, _raise)
    for schema in SCHEMAS.values():
        with pytest.raises(BrokenError):
            compile_schema(schema)
