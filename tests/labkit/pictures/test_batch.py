"""The picture of a batch of logits: what is drawn is read back from the SVG."""

from itertools import pairwise

import numpy as np
import pytest

from labkit.pictures import Svg, batch_svg
from tests.labkit.pictures.svg import NS, boxes, groups, root_of, texts_in


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
