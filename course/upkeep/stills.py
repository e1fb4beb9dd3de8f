"""Stills of the explorers for the labs' READMEs: ``python -m course.upkeep.stills [03]`` draws them again, as SVG.

A browser lays out each explorer as it opens, once with light colours and once with dark ones, and says what is where.
"""

import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course.play.__main__ import MADE, make_one, write_scripts
from course.play.opening import around
from course.student.core.catalog import ROOT, find_lab

WIDTH, HEIGHT, TALL = 736, 640, {3: 780, 8: 720}
"""Of the window, and the most of the picture, but for some labs."""

FONTS = {
    "mono": "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace",
    "sans": "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif",
}
USUAL = {
    ("stroke", "none"),
    ("stroke-dasharray", "none"),
    ("font-weight", "400"),
    ("opacity", "1"),
    ("fill-opacity", "1"),
}
HIDDEN = """section > p:first-of-type, section > p.muted, [data-kind=fair] p.muted, [data-kind=calls] p.muted,
[data-kind=stacks] p.muted, [aria-label=examples] { display: none !important; }"""
"""A README has words of its own."""

WHOLE = """document.querySelectorAll(".automaton svg").forEach((svg) => {
  svg.style.minWidth = `${svg.getAttribute("width")}px`;
})"""
"""An automaton that the page would shrink is cut off instead."""

Shapes = dict[str, Any]


def path_of(number: int) -> Path:
    """Return where a lab's still is."""
    return ROOT / find_lab(number).path / "pictures" / "explorer.svg"


def stills(numbers: Iterable[int], browser: Any) -> Iterator[tuple[int, str]]:
    """Yield each lab's number and its still, as one of Playwright's browsers shows it."""
    with TemporaryDirectory() as folder:
        write_scripts(Path(folder))
        for number in numbers:
            file = Path(folder) / f"lab_{number:02}.html"
            file.write_text(around(make_one(number), "", ""), encoding="utf-8")
            light, dark = (seen(browser, file, scheme, TALL.get(number, HEIGHT)) for scheme in ("light", "dark"))
            yield number, picture(light, dark, MADE[number][0].title)


def seen(browser: Any, file: Path, scheme: str, most: int) -> Shapes:
    """Return what a browser shows of an explorer: ``stills.js`` says in which form."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme=scheme, reduced_motion="reduce")
    page.goto(file.as_uri())
    page.locator("section").first.locator("svg, .tokens button, .bits").first.wait_for()
    page.add_style_tag(content=HIDDEN)
    page.evaluate(WHOLE)
    code = Path(__file__).with_name("stills.js").read_text(encoding="utf-8")
    shapes: Shapes = page.locator("section").first.evaluate(f"section => ({code})(section, {most})")
    page.close()
    return shapes


def picture(light: Shapes, dark: Shapes, title: str) -> str:
    """Return one SVG of both: every pair of looks has a class."""
    classes: dict[tuple[str, str], str] = {}
    drawn = []
    for one, other in zip(light["shapes"], dark["shapes"], strict=True):
        looks = declarations(one["style"]), declarations(other["style"])
        name = classes.setdefault(looks, f"s{len(classes)}") if looks[0] else ""
        drawn.append(element(one, name))
    rules = [f".{name}{{{look}}}" for (look, _), name in classes.items()]
    changed = [f".{name}{{{look}}}" for (first, look), name in classes.items() if first != look]
    width, height = light["width"], light["height"]
    style = ".panel{fill:#ffffff}.panel{stroke:#d0d7de}" + "".join(rules)
    style += "@media (prefers-color-scheme:dark){.panel{fill:#161b22}.panel{stroke:#3d444d}" + "".join(changed) + "}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title)}"><style>{style}</style>'
        f'<rect class="panel" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>'
        f"{''.join(drawn)}</svg>\n"
    )


def element(shape: dict[str, Any], name: str) -> str:
    """Return a shape as an element, or the end of one.

    >>> element({"tag": "text", "attributes": {"x": 3}, "text": "<"}, "s0")
    '<text x="3" class="s0">&lt;'
    >>> element({"tag": "/", "attributes": {"of": "text"}}, "")
    '</text>'
    """
    if shape["tag"] == "/":
        return f"</{shape['attributes']['of']}>"
    attributes = "".join(f' {key}="{escape(str(value))}"' for key, value in shape["attributes"].items())
    words = escape(shape["text"], quote=False)
    space = ' xml:space="preserve"' if "  " in words else ""
    return f"<{shape['tag']}{attributes}{space}" + (f' class="{name}"' if name else "") + f">{words}"


def declarations(look: dict[str, Any]) -> str:
    """Return a look as CSS, without what is so anyway.

    >>> declarations({"fill": "rgb(255, 0, 16)", "stroke": "none", "font-family": "mono"})
    "fill:#ff0010;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
    """
    parts = []
    for name, value in look.items():
        value = FONTS.get(str(value), hexadecimal(str(value)))
        if (name, value) not in (
            ("stroke", "none"),
            ("stroke-dasharray", "none"),
            ("font-weight", "400"),
            ("opacity", "1"),
        ):
            parts.append(f"{name}:{value}")
    return ";".join(parts)


def hexadecimal(colour: str) -> str:
    """Return a colour of CSS as ``#rrggbb``; anything else as it is.

    >>> hexadecimal("rgb(255, 0, 16)"), hexadecimal("1.5px")
    ('#ff0010', '1.5px')
    """
    found = re.fullmatch(r"rgba?\((\d+), (\d+), (\d+)(?:, [\d.]+)?\)", colour)
    return "#" + "".join(f"{int(part):02x}" for part in found.groups()) if found else colour


def draw(numbers: Iterable[int]) -> None:
    """Write the stills of some labs."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for lab, still in stills(numbers, browser):
            path_of(lab).write_text(still, encoding="utf-8", newline="\n")
            print(f"{path_of(lab).relative_to(ROOT)}: {len(still):,} bytes")
        browser.close()


if __name__ == "__main__":
    draw([int(name) for name in sys.argv[1:]] or MADE)
