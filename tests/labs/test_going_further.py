"""The going-further answers: their examples run, and brute force agrees with them."""

import doctest
import importlib.util
import re
import sys
from contextlib import nullcontext
from itertools import chain, product

import pytest

from course.student.core.catalog import ROOT
from labkit.errors import InvalidPattern, UnsupportedPattern
from labs.lab_02_atom_fsm import solution as lab_02
from tests.labs import marked
from tests.walks import words

FOLDER = ROOT / "solutions" / "going_further"


def load(name):
    """A module of the folder, which is no package."""
    spec = importlib.util.spec_from_file_location(f"going_further_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


STAR = load("lab_02_star_and_optional")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_the_examples_run(path):
    found = doctest.testmod(load(path.stem))
    assert found.attempted > 0 and found.failed == 0


TEXTS = words("ab.", 4)


def pattern_of(atoms):
    return "".join(source + suffix.strip("_") for (source, _), suffix in atoms)


def runs(atoms, longest):
    """Every row of atom numbers, up to a length, in which the atoms can take characters one after another.

    By how often each atom is used, so it shares no idea with the automaton.
    """
    often = {"_": [1], "?": [0, 1], "+": range(1, longest + 1), "*": range(longest + 1)}
    found = set()
    for counts in product(*(often[suffix] for _, suffix in atoms)):
        row = [number for number, count in enumerate(counts) for _ in range(count)]
        found |= {tuple(row[:length]) for length in range(1, min(len(row), longest) + 1)}
    return found


def is_ambiguous(atoms):
    """Whether two different runs can take the same text."""
    return any(
        one < other
        and len(one) == len(other)
        and all(set(atoms[i][0][1]) & set(atoms[j][0][1]) for i, j in zip(one, other, strict=True))
        for one, other in product(runs(atoms, len(atoms) + 1), repeat=2)
    )


def accepts(fsm, text):
    state = fsm.initial
    for char in text:
        state = fsm.transitions[state].get(char)
        if state is None:
            return False
    return state in fsm.accepting


def check(atoms):
    """Check one pattern, and return whether it is ambiguous."""
    pattern, ambiguous = pattern_of(atoms), is_ambiguous(atoms)
    with pytest.raises(UnsupportedPattern) if ambiguous else nullcontext():
        fsm = STAR.compile_pattern(pattern)
        assert [accepts(fsm, text) for text in TEXTS] == [bool(re.fullmatch(pattern, text)) for text in TEXTS], pattern
    return ambiguous


@pytest.mark.parametrize("classes", [["a"], ["a", "b"], ["ab", "."], ["a", "b.", "ab"]], ids="".join)
def test_exactly_the_ambiguous_are_refused_and_the_rest_agrees_with_re(classes):
    """All patterns of up to three pieces. Those of lab 02 get lab 02's automaton, where it has one."""
    kinds = [((f"[{chars}]", chars), suffix) for chars in classes for suffix in "_?*+"]
    verdicts = set()
    for atoms in chain.from_iterable(product(kinds, repeat=count) for count in range(4)):
        ambiguous = check(atoms)
        verdicts.add(ambiguous)
        if not ambiguous and all(suffix in "_+" for _, suffix in atoms):
            assert STAR.compile_pattern(pattern_of(atoms)) == lab_02.compile_pattern(pattern_of(atoms))
    assert verdicts == {True, False}


REFUSED = [(*each, InvalidPattern) for each in marked("¦*a ¦? a?¦[b")]
REFUSED += [(*each, UnsupportedPattern) for each in marked("a*¦? a?¦? a+¦+ xa*b?¦a a?¦a a¦|b a¦{2}")]


@pytest.mark.parametrize(("pattern", "position", "kind"), REFUSED)
def test_what_is_refused_and_where(pattern, position, kind):
    with pytest.raises(kind) as caught:
        STAR.compile_pattern(pattern)
    assert type(caught.value) is kind and caught.value.position == position


def test_a_suffix_may_be_a_character():
    fsm = STAR.compile_pattern(r"\*[+?*]*")
    assert [accepts(fsm, text) for text in ("*", "*+?*", "", "+")] == [True, True, False, False]
