"""Pictures of mask rows, words, batches and timelines, read back from the SVG, and automata that are written out."""

import numpy as np
import pytest

from labkit.automata.dfa import DEAD
from labkit.pictures import Lane, Moment, batch_svg, mask_svg, timeline_svg, words_svg, written_out
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
from tests.labkit.pictures.svg import NS, assert_apart, assert_inside, boxes, groups, numbers, root_of, texts_in


@pytest.mark.parametrize("seed", range(5))
def test_the_grid_holds_every_bit(seed: int) -> None:
    rows = np.random.default_rng(seed).random((1 + seed, 6)) < 0.5
    svg = mask_svg(rows.tolist(), ["a", ".", "EOS", "a longer one", "<&\x00", "é"], names=["no"] * len(rows))
    placed = sorted((*numbers(text, "y", "x"), text.text or "") for text in root_of(svg).iter(f"{NS}text"))
    bits = [text for _, _, text in placed if text in ("0", "1")]
    assert bits == ["01"[int(bit)] for bit in rows.ravel()]
    assert str(svg).count('class="ring"') == rows.sum()


@pytest.mark.parametrize("seed", range(4))
def test_a_cell_for_each_logit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    masked = rng.random((3, 30 + 20 * seed)) < 0.5
    rows = [masked[0].tolist(), None, masked[2].tolist()]
    drawn = groups(batch_svg(rows, 30, names=["a", "<free>", "c"], title="Three"), "cell")
    placed = sorted((boxes(group)[0][1::-1], group.attrib["class"].split()[1]) for group in drawn)
    names = [["kept", "masked"][int(bit)] for bit in masked.ravel()]
    names[masked.shape[1] : 2 * masked.shape[1]] = ["free"] * masked.shape[1]
    assert [kind for _, kind in placed] == names


LANES = [
    Lane("long", [Moment("1", "2 left", ["a", "<&>"]), Moment("EOS", "1 left", strong=True)], "1 (stop)"),
    Lane("short", [Moment("a long token")]),
]


def test_every_token_and_every_refusal_is_there_in_order():
    assert list(map(texts_in, groups(timeline_svg(LANES), "lane"))) == [
        ["long", "2 left", "1", "a", "<&>", "1 left", "EOS", "1 (stop)"],
        ["short", "a long token"],
    ]


def test_nothing_overlaps_and_everything_is_inside():
    svg = timeline_svg(LANES, title="Two")
    found = [box for moment in groups(svg, "moment") for box in boxes(moment)]
    assert len(found) == 5 and len(groups(svg, "refused")) == 2
    assert_apart(found)
    assert_inside(svg)


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
