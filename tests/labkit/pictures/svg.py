"""Pictures read back from their SVG."""

import re
import xml.etree.ElementTree as ET

from labkit.pictures import Svg

NS = "{http://www.w3.org/2000/svg}"


def root_of(svg: Svg) -> ET.Element:
    return ET.fromstring(str(svg))


def escapes_in(source: str) -> list[str]:
    """Return what a reader should not see in a picture: a character as its code, or markup that was escaped twice.

    Bytes may be there as Python writes them.
    """
    source = re.sub(r"\bb'[^']*'", "", source)
    return re.findall(r"\\x[0-9a-f]{2}|\\[uU][0-9a-f]{4}|&amp;(?:amp|lt|gt|quot|apos|#\w+);", source)


def groups(svg: Svg, name: str) -> list[ET.Element]:
    """Return the elements ``g`` of a class."""
    return [group for group in root_of(svg).iter(f"{NS}g") if name in group.get("class", "").split()]


def texts_in(element: ET.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{NS}text")]


def numbers(element: ET.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(element.attrib[name]) for name in names)


def boxes(element: ET.Element, name: str = "") -> list[tuple[float, ...]]:
    """Return x, y, width and height of the rectangles, or of those of a class."""
    found = [rect for rect in element.iter(f"{NS}rect") if not name or name in rect.get("class", "").split()]
    return [numbers(rect, "x", "y", "width", "height") for rect in found]


def assert_inside(svg: Svg) -> None:
    """Check that no rectangle reaches beyond the picture."""
    width, height = numbers(root_of(svg), "width", "height")
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes(root_of(svg)))


def assert_apart(found: list[tuple[float, ...]]) -> None:
    """Check that no two boxes overlap."""
    for number, (x, y, w, h) in enumerate(found):
        for x2, y2, w2, h2 in found[:number]:
            assert x >= x2 + w2 or x2 >= x + w or y >= y2 + h2 or y2 >= y + h, f"boxes {number} and another overlap"
