"""Pictures of mask rows, batches of logits and timelines: what is drawn is read back from the SVG."""

import numpy as np
import pytest

from labkit.pictures import Lane, Moment, Svg, batch_svg, mask_svg, timeline_svg
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
