"""The palette: its contrasts, and that nobody draws with a colour of their own."""

import re
from itertools import product
from pathlib import Path

import pytest

from labkit.pictures import palette

ROOT = Path(__file__).parents[3]
HEX = re.compile(r"#[0-9a-fA-F]{6}\b")
OURS = {
    value
    for colour in (*vars(palette).values(), *palette.SERIES)
    if isinstance(colour, palette.Colour)
    for value in colour
}
DRAW = ("labkit/pictures/*.py", "labkit/pictures/graphs/*.py", "labs/*/pictures.py", "course/student/show/*.*")
DRAW += ("course/play/drawings/**/*.*", "course/teaching/grading/*.html", "book/static/*.*", "book/conf.py")


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_every_background(scheme: str) -> None:
    texts = (palette.INK, palette.MUTED, palette.ACCENT, palette.ALLOWED, palette.STRUCK)
    grounds = (palette.PAGE, palette.BACK, palette.FILL, palette.LIT)
    found = {
        (text, ground): contrast(getattr(text, scheme), getattr(ground, scheme))
        for text, ground in product(texts, grounds)
    }
    assert {pair: value for pair, value in found.items() if value < 4.5} == {}
    assert all(contrast(getattr(colour, scheme), getattr(palette.BACK, scheme)) >= 4.5 for colour in palette.SERIES)


def test_everything_draws_with_the_palette() -> None:
    files = sorted(
        {path for glob in DRAW for path in ROOT.glob(glob) if path.suffix in {".py", ".css", ".js", ".html", ".svg"}}
    )
    found = {path.name: set(HEX.findall(path.read_text("utf-8"))) - OURS for path in files if path.name != "palette.py"}
    assert len(files) > 40 and {name: colours for name, colours in found.items() if colours} == {}
