"""Required calls come first. The oracle is ``str.find`` over short texts; ``test_whole_answer.py`` has tokens."""

from itertools import product

import pytest

from labkit.oracles.automata import living, reached
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from labs.lab_11_tool_calls.given.joining import bounded
from labs.lab_11_tool_calls.solution import join

OPENINGS = [
    {"<": "a>|bb>"},
    {"ab": "1", "b1": "a"},
    {"aab": "b"},
    {"xab<": "1", "ab": "1|<1"},
    {"xa": "1", "1": "a"},
    {"<a": "1", "<b": None},
    {"aa": "1", "ab": None, "b": "1"},
]


def begins_with_a_call(text, openings):
    """The opening that is complete first begins at the start."""
    ends = [(text.find(each) + len(each), -len(each)) for each in openings if each in text]
    return bool(ends) and sum(min(ends)) == 0


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("openings", OPENINGS)
def test_of_all_answers_those_that_begin_with_a_call(openings, parallel):
    bodies = {text: (compile_dfa(body), 0) if body else None for text, body in openings.items()}
    bodies = {text: body and (body[0], body[0].initial) for text, body in bodies.items()}
    joined = join(bodies, required=True, parallel=parallel)
    first = bounded(joined.dfa, len(joined.held) // 2, bodies, None)
    chars, found = "ab<>1x", 0
    for length in range(6):
        for text in map("".join, product(chars, repeat=length)):
            expected = fullmatch(joined.dfa, text) and begins_with_a_call(text, openings)
            found += expected
            assert fullmatch(first, text) == expected, text
    assert found
    assert reached(first) <= living(first), "a token that is allowed can be followed by others"
