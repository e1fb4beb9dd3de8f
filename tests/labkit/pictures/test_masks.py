"""The grid of mask rows against the rows: what is drawn is read back from the SVG."""

import numpy as np
import pytest

from labkit.pictures import Svg, mask_svg
from tests.labkit.pictures.svg import NS, boxes, numbers, root_of


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
