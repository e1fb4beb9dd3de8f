"""The pictures of lab 07: what is drawn is read back from the SVG, and a written out automaton walks as before."""

import numpy as np
import pytest

from labkit.automata.dfa import DEAD
from labkit.pictures import words_svg, written_out
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
from tests.labkit.pictures.svg import assert_inside, groups, root_of, texts_in


@pytest.mark.parametrize("size", [1, 31, 32, 33, 64, 70])
def test_words_show_every_bit_below_its_token(size: int) -> None:
    mask = np.random.default_rng(size).random(size) < 0.5
    words = [sum(1 << i % 32 for i in np.flatnonzero(mask).tolist() if i // 32 == n) for n in range(-(-size // 32))]
    signed = [word - (1 << 32) if word >= 1 << 31 else word for word in words]
    svg = words_svg(signed, size)
    shown = {int(token): bit for token, bit in map(texts_in, groups(svg, "bit"))}
    assert shown == {token: "01"[int(allowed)] for token, allowed in enumerate(mask)}
    assert [texts_in(group) for group in groups(svg, "tail")] == [["0"]] * (32 * len(words) - size)
    assert [text for text in texts_in(root_of(svg)) if text in map(str, signed)][-1] == str(signed[-1])
    assert_inside(svg)


@pytest.mark.parametrize("pattern", ["caf[éè]", "(€|é|a)*", r"[\u0800-\ud7ff]x?", "", "(?s:.)b|😀"])
def test_a_written_out_automaton_walks_as_before(pattern: str) -> None:
    automaton = byte_dfa(compile_dfa(pattern))
    flat, states = written_out(automaton)
    assert list(states) == sorted(set(states)) and states[flat.initial] == automaton.initial
    number = {state: place for place, state in enumerate(states)} | {DEAD: DEAD}
    for place, state in enumerate(states):
        assert flat.accepting[place] == automaton.is_accepting(state)
        assert [flat.step(place, byte) for byte in range(256)] == [number[automaton.step(state, b)] for b in range(256)]
    reached = {int(flat.initial), *np.unique(flat.transitions).tolist()} - {DEAD}
    assert reached == set(range(len(flat)))
