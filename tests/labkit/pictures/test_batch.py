"""The picture of a batch of logits: what is drawn is read back from the SVG."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest

from labkit.pictures import Svg, batch_svg

NS = "{http://www.w3.org/2000/svg}"


def cells(svg: Svg) -> list[list[str]]:
    """What each cell is, row by row, from left to right."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for group in ET.fromstring(str(svg)).iter(f"{NS}g"):
        if group.attrib["class"].startswith("cell "):
            rect = group[0].attrib
            rows.setdefault(float(rect["y"]), []).append((float(rect["x"]), group.attrib["class"].split()[1]))
    return [[kind for _, kind in sorted(rows[y])] for y in sorted(rows)]


def words(svg: Svg) -> list[str]:
    """Every text."""
    return [text.text or "" for text in ET.fromstring(str(svg)).iter(f"{NS}text")]


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
    frames = [rect.attrib["class"] for rect in ET.fromstring(str(svg)).iter(f"{NS}rect")]
    assert frames.count("line strong") == frames.count("line ghost") == 3
    masked = [g for g in ET.fromstring(str(svg)).iter(f"{NS}g") if g.attrib["class"] == "cell masked"]
    gaps = [round(b - a) for a, b in pairwise(sorted(float(group[0].attrib["x"]) for group in masked))]
    assert [place for place, gap in enumerate(gaps) if gap > min(gaps)] == [31, 63]


def test_blocks_say_which_words_they_read() -> None:
    said = words(batch_svg([[False] * 130], 70, block=64))
    assert {"block 0: words 0 to 1", "block 1: word 2", "block 2: no word", "tokens 0 to 69", "padding"} <= set(said)
    assert "padding" not in words(batch_svg([[False] * 64], 64, block=32))


@pytest.mark.parametrize(
    ("rows", "n_tokens", "more", "message"),
    [
        ([], 3, {}, "nothing to draw"),
        ([None], 3, {}, "nothing to draw"),
        ([[True], [True, False]], 1, {}, r"the lengths \[1, 2\]"),
        ([[True]], 2, {}, "2 tokens do not lie in 1 columns"),
        ([[True]], 1, {"names": ["a", "b"]}, "2 names for 1 rows"),
    ],
)
def test_what_cannot_be_drawn(rows, n_tokens, more, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        batch_svg(rows, n_tokens, **more)
