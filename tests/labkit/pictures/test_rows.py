"""Pictures of mask rows, batches of logits and timelines: what is drawn is read back from the SVG."""

from itertools import pairwise

import numpy as np
import pytest

from labkit.automata import Fsm
from labkit.pictures import Lane, Moment, Svg, batch_svg, fsm_svg, mask_svg, timeline_svg
from tests.labkit.pictures.svg import NS, assert_apart, assert_inside, boxes, groups, numbers, root_of, texts_in


def words(svg: Svg) -> list[tuple[float, float, str]]:
    """Return y, x and content of every text, sorted."""
    return sorted((*numbers(text, "y", "x"), text.text or "") for text in root_of(svg).iter(f"{NS}text"))


def grid(svg: Svg, columns: int) -> list[str]:
    """Return the bits of each row, read from left to right."""
    bits = [text for _, _, text in words(svg) if text in ("0", "1")]
    return ["".join(bits[start : start + columns]) for start in range(0, len(bits), columns)]


@pytest.mark.parametrize("seed", range(5))
def test_the_grid_holds_every_bit(seed: int) -> None:
    rows = np.random.default_rng(seed).random((1 + seed, 6)) < 0.5
    svg = mask_svg(rows.tolist(), ["a", ".", "EOS", "a longer one", "<&\x00", "é"], names=["no"] * len(rows))
    assert grid(svg, 6) == ["".join("01"[int(bit)] for bit in row) for row in rows]
    assert str(svg).count('class="ring"') == rows.sum()


def test_each_bit_stands_below_its_token_and_beside_its_name() -> None:
    placed = words(mask_svg([[False, True, True], [True, False, False]], ["a", "a long token", "c"], title="Two"))
    x_of = {text: x for _, x, text in placed}
    ones = [(y, x) for y, x, text in placed if text == "1"]
    assert [x for _, x in ones] == [x_of["a long token"], x_of["c"], x_of["a"]]
    y_of = {text: y for y, _, text in placed}
    assert [y for y, _ in ones] == [y_of["state 0"], y_of["state 0"], y_of["state 1"]]


def test_the_strong_column_is_framed_and_its_ones_stand_out() -> None:
    svg = mask_svg([[True, True], [True, False]], ["1", "EOS"], strong=1)
    assert str(svg).count("allowed current") == 1 and str(svg).count('class="line strong"') == 1
    ((left, _, width, _),) = boxes(root_of(svg), "strong")
    inside = {text for _, x, text in words(svg) if left < x < left + width}
    assert inside == {"EOS", "1", "0"}
    assert not boxes(root_of(mask_svg([[True]], ["1"])), "strong")


def cells(svg: Svg) -> list[list[str]]:
    """Return the kind of each cell, row by row, from left to right."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for group in groups(svg, "cell"):
        ((x, y, _, _),) = boxes(group)
        rows.setdefault(y, []).append((x, group.attrib["class"].split()[1]))
    return [[kind for _, kind in sorted(rows[y])] for y in sorted(rows)]


@pytest.mark.parametrize("seed", range(4))
def test_a_cell_for_each_logit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    masked = rng.random((3, 30 + 20 * seed)) < 0.5
    rows = [masked[0].tolist(), None, masked[2].tolist()]
    drawn = cells(batch_svg(rows, 30, names=["a", "<free>", "c"], title="Three"))
    names = [[["kept", "masked"][int(bit)] for bit in row] for row in masked]
    assert drawn == [names[0], ["free"] * masked.shape[1], names[2]]


def test_a_frame_for_each_program() -> None:
    svg = batch_svg([[True] * 70, None], 70, block=32)
    frames = [rect.attrib["class"] for rect in root_of(svg).iter(f"{NS}rect")]
    assert frames.count("line strong") == frames.count("line ghost") == 3
    places = sorted(boxes(group)[0][0] for group in groups(svg, "cell") if "masked" in group.attrib["class"])
    gaps = [round(b - a) for a, b in pairwise(places)]
    assert [place for place, gap in enumerate(gaps) if gap > min(gaps)] == [31, 63]


def test_blocks_say_which_words_they_read() -> None:
    said = texts_in(root_of(batch_svg([[False] * 130], 70, block=64)))
    assert {"block 0: words 0 to 1", "block 1: word 2", "block 2: no word", "tokens 0 to 69", "padding"} <= set(said)
    assert "padding" not in texts_in(root_of(batch_svg([[False] * 64], 64, block=32)))


LANES = [
    Lane("long", [Moment("1", "2 left", ["a", "<&>"]), Moment("EOS", "1 left", strong=True)], "1 (stop)"),
    Lane("short", [Moment("a long token")]),
]


def test_every_token_and_every_refusal_is_there_in_order():
    assert list(map(texts_in, groups(timeline_svg(LANES), "lane"))) == [
        ["long", "2 left", "1", "a", "<&>", "1 left", "EOS", "1 (stop)"],
        ["short", "a long token"],
    ]


def test_only_the_strong_moment_is_emphasised():
    svg = timeline_svg(LANES)
    assert len(groups(svg, "moment")) == 3
    (strong,) = groups(svg, "current")
    assert "EOS" in texts_in(strong)


def test_nothing_overlaps_and_everything_is_inside():
    svg = timeline_svg(LANES, title="Two")
    found = [box for moment in groups(svg, "moment") for box in boxes(moment)]
    assert len(found) == 5 and len(groups(svg, "refused")) == 2
    assert_apart(found)
    assert_inside(svg)


A_PLUS = Fsm(({"a": 1}, {"a": 1}), initial=0, accepting=frozenset({1}))


def test_notes_stand_on_their_states():
    svg = fsm_svg(A_PLUS, notes={1: "∞"})
    (note,) = groups(svg, "note")
    state = next(node for node in groups(svg, "node") if node.attrib["data-state"] == note.attrib["data-note"] == "1")
    circle = next(state.iter(f"{NS}circle"))
    ((x, y, width, height),) = boxes(note)
    cx, cy, r = numbers(circle, "cx", "cy", "r")
    assert texts_in(note) == ["∞"] and x + width / 2 == pytest.approx(cx, abs=0.2) and y < cy + r < y + height
    assert not groups(fsm_svg(A_PLUS), "note")
