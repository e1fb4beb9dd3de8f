"""The pictures of lab 07: what is drawn is read back from the SVG, and a written out automaton walks as before."""

from itertools import pairwise

import numpy as np
import pytest

from labkit.automata.dfa import DEAD
from labkit.pictures import TokenFunction, byte_boxes_svg, functions_svg, words_svg, written_out
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
from tests.labkit.pictures.svg import NS, assert_apart, assert_inside, boxes, groups, root_of, texts_in


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


def test_the_lowest_bit_stands_on_the_right() -> None:
    places = {texts_in(bit)[0]: boxes(bit, "ring") or boxes(bit, "grid") for bit in groups(words_svg([1], 32), "bit")}
    xs = [places[str(token)][0][0] for token in range(32)]
    assert xs == sorted(xs, reverse=True)


DIGITS_FUNCTION = TokenFunction("digits", {0: 0, 1: 2, 2: 2}, ["7", "42", "<&>"])
TWO = [DIGITS_FUNCTION, TokenFunction("dead", {}, ["a long token", "é"])]


def test_functions_show_arrows_and_tokens() -> None:
    svg = functions_svg(TWO, n_states=3, title="Two")
    panels = groups(svg, "function")
    assert [texts_in(panel)[0] for panel in panels] == ["digits", "dead"]
    tokens = [[texts_in(g)[0] for g in panel.iter(f"{NS}g") if g.get("class") == "token"] for panel in panels]
    assert tokens == [["7", "42", "<&>"], ["a long token", "é"]]
    assert len(groups(svg, "arrow")) == 3 and len(groups(svg, "source")) == len(groups(svg, "target")) == 6
    idle = [texts_in(state)[0] for state in groups(svg, "unreachable")]
    assert idle == ["1", "0", "0", "1", "1", "2", "2"]
    assert_inside(svg)


def test_no_two_tokens_overlap() -> None:
    svg = functions_svg([TokenFunction("f", {0: 0}, ["0" * n for n in range(1, 30)])] * 2, n_states=1)
    assert_apart([boxes(token, "ring")[0] for token in groups(svg, "token")])
    assert_inside(svg)


def test_boxes_cover_the_characters_of_their_range() -> None:
    sequences = [((0xC3, 0xC3), (0xA9, 0xBF)), ((0xC4, 0xC7), (0x80, 0xBF)), ((0xC8, 0xC8), (0x80, 0x92))]
    svg = byte_boxes_svg(sequences, title="Three")
    drawn = groups(svg, "box")
    assert [texts_in(box) for box in drawn] == [["C3 A9-BF"], ["C4-C7 80-BF"], ["C8 80-92"]]
    areas = [boxes(box, "line")[0] for box in drawn]
    assert [width for _, _, width, _ in areas] == [8 * 23, 8 * 64, 8 * 19]
    assert areas[0][0] + areas[0][2] == areas[1][0] + areas[1][2] and areas[2][0] == areas[1][0]
    assert all(one[1] + one[3] <= other[1] for one, other in pairwise(areas))
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
