"""The book's face: its fonts, and its name mark."""

import re
from pathlib import Path

from labkit.pictures.palette import ALLOWED, INK, STRUCK

BOOK = Path(__file__).parents[2] / "book"
STATIC = BOOK / "static"


def test_the_fonts_are_here_with_their_licence_and_small():
    asked = re.findall(r"url\((.+?)\)", (STATIC / "book.css").read_text("utf-8"))
    there = [f"fonts/{path.name}" for path in sorted((STATIC / "fonts").glob("*.woff2"))]
    assert sorted(asked) == there and sum((STATIC / name).stat().st_size for name in there) < 150_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (STATIC / "fonts/OFL.txt").read_text("utf-8")


def test_the_mark_is_the_same_everywhere_in_the_palettes_colours():
    files = [
        BOOK.parent / "course/play/icon.svg",
        STATIC / "mark.svg",
        STATIC / "mark.dark.svg",
        BOOK / "templates/sidebar/brand.html",
    ]
    icon, light, dark, menu = (file.read_text("utf-8") for file in files)
    assert len({tuple(re.findall(r' d="([^"]+)"', text)[:2]) for text in (icon, light, dark, menu)}) == 1
    used = [re.findall(r"#\w{6}", text) for text in (icon, light, dark, menu)]
    assert used[0] == [ALLOWED.light, STRUCK.light, ALLOWED.dark, STRUCK.dark] and used[3] == []
    assert used[1:3] == [[getattr(colour, mode) for colour in (ALLOWED, STRUCK, INK)] for mode in ("light", "dark")]
