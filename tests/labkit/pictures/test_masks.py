"""The grid of mask rows against the rows: what is drawn is read back from the SVG."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from labkit.pictures import Svg, mask_svg

NS = "{http://www.w3.org/2000/svg}"


def words(svg: Svg) -> list[tuple[float, float, str]]:
    """Every text with where it stands: y, x, text."""
    found = ET.fromstring(str(svg)).iter(f"{NS}text")
    return sorted((float(text.attrib["y"]), float(text.attrib["x"]), text.text or "") for text in found)


def grid(svg: Svg, columns: int) -> list[str]:
    """The bits of each row, read from left to right."""
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
    frame = next(r for r in ET.fromstring(str(svg)).iter(f"{NS}rect") if r.attrib["class"] == "line strong")
    left = float(frame.attrib["x"])
    inside = {text for _, x, text in words(svg) if left < x < left + float(frame.attrib["width"])}
    assert inside == {"EOS", "1", "0"}
    assert "strong" not in grid_only(mask_svg([[True]], ["1"]))


def grid_only(svg: Svg) -> str:
    """The picture without its style sheet."""
    return str(svg).partition("</style>")[2]


@pytest.mark.parametrize(
    ("rows", "tokens", "more", "message"),
    [
        ([], ["a"], {}, "nothing to draw"),
        ([[True]], [], {}, "nothing to draw"),
        ([[True, False], [True]], ["a", "b"], {}, "row 1 has 1 bits for 2 tokens"),
        ([[True]], ["a"], {"names": ["x", "y"]}, "2 names for 1 rows"),
        ([[True]], ["a"], {"strong": 1}, "no column 1 to frame; the columns are 0 to 0"),
    ],
)
def test_refusals_say_what_is_wrong(rows, tokens, more, message) -> None:
    with pytest.raises(ValueError, match=message):
        mask_svg(rows, tokens, **more)
