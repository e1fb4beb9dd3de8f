"""The splicing of large automata against lab 08's own, on random expressions."""

from random import Random

import pytest

from labkit.automata.dfa import Dfa
from labkit.automata.work import at_most
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa, equivalent, live_states
from labs.lab_08_json_schema.given.automata.operations import NOTHING
from labs.lab_08_json_schema.solution import splice
from labs.lab_12_pushdown.given.schemas.building.splicing import spliced


def expression(random: Random, depth: int, letters: str) -> str:
    choice = random.random()
    if not depth or choice < 0.3:
        return random.choice(letters)
    inner = [expression(random, depth - 1, letters) for _ in range(2)]
    if choice < 0.55:
        return "".join(inner)
    return f"({'|'.join(inner)})" if choice < 0.75 else f"({inner[0]}){random.choice('*+?')}"


@pytest.mark.parametrize("seed", range(20))
def test_it_equals_lab_08(seed: int) -> None:
    random = Random(seed)
    for _ in range(20):
        skeleton = compile_dfa(expression(random, 4, "abMN"))
        parts = {ord(m): compile_dfa(expression(random, 3, letters)) for m, letters in (("M", "abcN"), ("N", "abM"))}
        found = spliced(skeleton, parts)
        if found is not None:
            assert equivalent(found, splice(skeleton, parts))
            assert live_states(found) == set(range(len(found)))


def test_it_gives_up_where_copies_overlap() -> None:
    """Each a may begin the part, so there are 2 ** 12 subsets of 14 states; lab 08's way finds what is minimal."""
    assert spliced(compile_dfa("[ab]*aM"), {ord("M"): compile_dfa("[ab]{12}")}) is None
    assert spliced(compile_dfa("aM"), {ord("M"): NOTHING}) is None


def test_its_work_is_counted_before_it_is_done() -> None:
    large: Dfa = compile_dfa("a{1000}")
    with at_most(3_000) as work, pytest.raises(LimitExceeded):
        spliced(compile_dfa("M{20}"), {ord("M"): large})
    assert work is not None and 3_000 - work.left > 20_000, "the whole table is charged at once, before it is made"
