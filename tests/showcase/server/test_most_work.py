"""How much work the server's engine does in one call: counted in units, and the units held against calls of functions.

What a unit takes is measured in calls, which are the same on every computer, and not in time.
"""

import json
import sys
from contextlib import suppress

import numpy as np
import pytest

from course.showcase.bench.sources import SOURCES
from course.student.core.catalog import ROOT
from labkit.automata.work import at_most
from labkit.engine.engine import MOST_PUT_OFF
from labkit.errors import LimitExceeded, TooMuchWork
from labkit.small_model.tasks.forms import closed
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import ResponseFormat
from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.given.tools import read_tools
from mask_engine import guide_of, texts_of_format, tool_outputs

SMALL = Vocabulary.small()

UNLIMITED = 10**9

CALLS = 6
"""How many calls of functions, Python's own among them, a unit may stand for."""


@pytest.fixture(scope="module")
def most_work():
    from course.showcase.serving import MOST_WORK

    return MOST_WORK


TOOLS = {
    "get_weather": closed({"city": {"type": "string"}, "unit": {"enum": ["celsius", "fahrenheit"]}}),
    "set_timer": closed({"minutes": {"type": "integer"}, "label": {"type": "string"}}),
}


def guide_in(kind, value):
    return guide_of(SMALL, texts_of_format(ResponseFormat(kind, json.dumps(value))))


def tool_guide(format_name):
    tools = [{"type": "function", "function": {"name": name, "parameters": each}} for name, each in TOOLS.items()]
    return tool_outputs(SMALL, format_name).compile_tools(read_tools(tools), "required", True)


def schema_guide(schema):
    return guide_in("json_schema", schema)


GRAMMARS = sorted((ROOT / "labs" / "lab_12_pushdown" / "given" / "grammars").glob("*.gbnf"))

ORDINARY = {
    **{name: lambda name=name: tool_guide(name) for name, row in FORMATS.items() if row.constrained},
    **{
        name: lambda it=language: guide_in("regex", it) if isinstance(it, str) else schema_guide(it)
        for name, (language, _) in SOURCES.items()
    },
    **{regex: lambda regex=regex: guide_in("regex", regex) for regex in (r"\w+", ".{0,200}", "(a|b)*a(a|b){10}")},
    **{path.name: lambda path=path: guide_in("grammar", path.read_text()) for path in GRAMMARS},
    "any object": lambda: guide_in("json_object", None),
    "any value": lambda: schema_guide({}),
}


def walk(guide, steps, remaining):
    """Ask for masks and take tokens as an engine does; return the units of each call, and stop where one is refused."""
    dice, state, units = np.random.default_rng(0), guide.initial, []

    def counted(call, *arguments):
        with at_most(UNLIMITED) as limit:
            found = call(*arguments)
        units.append(UNLIMITED - limit.left)
        return found

    for _ in range(steps):
        bits = np.unpackbits(counted(guide.mask, state, remaining).view(np.uint8), bitorder="little")
        if not bits.any():
            break
        state = counted(guide.advance, state, int(dice.choice(np.flatnonzero(bits))))
        remaining -= 1
    return units


@pytest.mark.parametrize("name", ORDINARY)
def test_what_people_write_asks_for_half_of_the_limit(name, most_work):
    assert max(walk(ORDINARY[name](), 25, 2000)) <= most_work / 2


@pytest.mark.parametrize("name", ORDINARY)
def test_a_budget_that_hardly_suffices_is_enough(name, most_work):
    """All the states to the end are asked for at once; what one call can't find out, the next ones do."""
    guide = ORDINARY[name]()
    remaining = int(guide.tokens_to_accept(guide.initial)) + 1
    guide, dice = ORDINARY[name](), np.random.default_rng(1)  # which has found out nothing yet
    state = guide.initial
    while not guide.is_accepting(state):
        bits = None
        for _ in range(MOST_PUT_OFF):
            with suppress(TooMuchWork), at_most(most_work):
                bits = np.unpackbits(guide.mask(state, remaining).view(np.uint8), bitorder="little")
                break
        assert bits is not None and bits.any(), "no call found out what may come"
        state, remaining = guide.advance(state, int(dice.choice(np.flatnonzero(bits)))), remaining - 1
    assert remaining >= 1, "there is no room for EOS"


def measured(call, most_work, *arguments):
    """Return how many functions were called, how many units were counted, and what came of it."""
    n_calls, found = 0, None

    def count(frame, event, argument):
        nonlocal n_calls
        n_calls += event in ("call", "c_call")

    with at_most(most_work) as limit:
        sys.setprofile(count)
        try:
            found = call(*arguments)
        except (TooMuchWork, LimitExceeded):
            pass
        finally:
            sys.setprofile(None)
    return n_calls, most_work - limit.left, found
