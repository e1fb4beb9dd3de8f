"""The going-further answers: their examples run, and brute force agrees with them."""

import doctest
import importlib.util
import re
import sys
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.student.core.catalog import ROOT
from labkit.checking.properties import PROPERTY
from labkit.errors import InvalidPattern, UnsupportedPattern
from labs.lab_02_atom_fsm import solution as lab_02

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


ATOMS = st.tuples(
    st.sampled_from([("a", "a"), ("b", "b"), (r"\.", "."), ("[ab]", "ab"), ("[b.]", "b.")]), st.sampled_from("_?*+")
)
TEXTS = ["".join(chars) for length in range(5) for chars in product("ab.", repeat=length)]


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
    same_length = [
        (one, other)
        for one, other in product(runs(atoms, len(atoms) + 1), repeat=2)
        if one < other and len(one) == len(other)
    ]
    return any(
        all(set(atoms[i][0][1]) & set(atoms[j][0][1]) for i, j in zip(one, other, strict=True))
        for one, other in same_length
    )


def accepts(fsm, text):
    state = fsm.initial
    for char in text:
        state = fsm.transitions[state].get(char)
        if state is None:
            return False
    return state in fsm.accepting


@PROPERTY
@given(st.lists(ATOMS, max_size=4))
def test_exactly_the_ambiguous_are_refused_and_the_rest_agrees_with_re(atoms):
    pattern = pattern_of(atoms)
    if is_ambiguous(atoms):
        with pytest.raises(UnsupportedPattern):
            STAR.compile_pattern(pattern)
        return
    fsm = STAR.compile_pattern(pattern)
    for text in TEXTS:
        assert accepts(fsm, text) == (re.fullmatch(pattern, text) is not None), (pattern, text)


def test_every_pattern_of_two_pieces():
    """All of them, so that both answers are certain to occur."""
    verdicts = []
    kinds = [(("a", "a"), suffix) for suffix in "_?*+"] + [(("[ab]", "ab"), suffix) for suffix in "_?*+"]
    for atoms in product(kinds, repeat=2):
        verdicts.append(is_ambiguous(atoms))
        if verdicts[-1]:
            with pytest.raises(UnsupportedPattern):
                STAR.compile_pattern(pattern_of(atoms))
        else:
            fsm = STAR.compile_pattern(pattern_of(atoms))
            assert all(accepts(fsm, text) == bool(re.fullmatch(pattern_of(atoms), text)) for text in TEXTS)
    assert verdicts.count(True) == 48 and verdicts.count(False) == 16


@PROPERTY
@given(st.lists(ATOMS.filter(lambda atom: atom[1] in "_+"), max_size=5))
def test_patterns_of_lab_02_get_the_automaton_of_lab_02(atoms):
    pattern = pattern_of(atoms)
    conflict = any(suffix == "+" and set(one[1]) & set(other[1]) for (one, suffix), (other, _) in pairwise(atoms))
    if not conflict:
        assert STAR.compile_pattern(pattern) == lab_02.compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "kind", "position"),
    [
        ("*a", InvalidPattern, 0),
        ("?", InvalidPattern, 0),
        ("a*?", UnsupportedPattern, 2),
        ("a??", UnsupportedPattern, 2),
        ("a++", UnsupportedPattern, 2),
        ("xa*b?a", UnsupportedPattern, 5),
        ("a?a", UnsupportedPattern, 2),
        ("a|b", UnsupportedPattern, 1),
        ("a{2}", UnsupportedPattern, 1),
        ("a?[b", InvalidPattern, 2),
    ],
)
def test_what_is_refused_and_where(pattern, kind, position):
    with pytest.raises(kind) as caught:
        STAR.compile_pattern(pattern)
    assert type(caught.value) is kind and caught.value.position == position


def test_a_suffix_may_be_a_character():
    fsm = STAR.compile_pattern(r"\*[+?*]*")
    assert [accepts(fsm, text) for text in ("*", "*+?*", "", "+")] == [True, True, False, False]
