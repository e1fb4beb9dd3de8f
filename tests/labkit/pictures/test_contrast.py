"""Every text in every committed picture against what is drawn behind it, in light and dark: at least 4.5:1."""

import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.labkit.pictures.svg import NS
from tests.labkit.pictures.test_palette import contrast

ROOT = Path(__file__).parents[3]
DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\}")
Rules = list[tuple[list[str], str, str]]


def pictures() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "*.svg"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split() if "<text" in (ROOT / name).read_text("utf-8")]


@cache
def rules(style: str) -> Rules:
    """Return the rules of a style sheet: the parts of a selector, the property, and the value."""
    found = []
    for selectors, body in re.findall(
        r"([^{}]+)\{([^{}]*)\}", re.sub(r"@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\}", "", style)
    ):
        for selector in [each for each in selectors.split(",") if ":" not in each]:
            pairs = [declaration.split(":", 1) for declaration in body.split(";") if ":" in declaration]
            found += [(selector.split(), name.strip(), value.strip()) for name, value in pairs]
    return found


def matches(part: str, element: ET.Element) -> bool:
    name, *classes = part.split(".")
    mine = element.get("class", "").split()
    return name in ("", element.tag.removeprefix(NS)) and all(each in mine for each in classes)


def value_of(what: str, path: list[ET.Element], all_rules: Rules) -> str:
    """Return a property of the last element of a path: its own, by rule or attribute, or what it inherits."""
    for depth in range(len(path), 0, -1):
        element, ancestors = path[depth - 1], path[: depth - 1]
        best = (0, -1, element.get(what, ""))
        for place, (parts, name, value) in enumerate(all_rules):
            if name == what and matches(parts[-1], element) and inside(parts[:-1], ancestors):
                dots, names = sum(part.count(".") for part in parts), sum(not part.startswith(".") for part in parts)
                best = max(best, (10 * dots + names, place, value))
        if best[2]:
            return best[2]
    return ""


def inside(parts: list[str], ancestors: list[ET.Element]) -> bool:
    left = iter(ancestors)
    return all(any(matches(part, element) for element in left) for part in parts)


def walk(path: list[ET.Element], x: float, y: float) -> Iterator[tuple[list[ET.Element], float, float]]:
    """Yield each element with its ancestors and where its origin is, in the order of drawing."""
    moved = re.search(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", path[-1].get("transform", ""))
    x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
    yield path, x, y
    for child in path[-1]:
        yield from walk([*path, child], x, y)


def covers(element: ET.Element, x: float, y: float) -> bool:
    """Whether a filled shape is behind a place."""
    numbers = {name: float(value) for name, value in element.items() if re.fullmatch(r"-?[\d.]+", value)}
    shape = element.tag.removeprefix(NS)
    if shape == "rect":
        left, top = numbers.get("x", 0.0), numbers.get("y", 0.0)
        if numbers["height"] < 4:  # a line through the text
            return False
        return left <= x <= left + numbers["width"] and top <= y <= top + numbers["height"]
    if shape in ("circle", "ellipse"):
        across, down = (numbers.get(name, numbers.get("r", 1.0)) for name in ("rx", "ry"))
        return ((x - numbers.get("cx", 0.0)) / across) ** 2 + ((y - numbers.get("cy", 0.0)) / down) ** 2 <= 1
    return False


def mixed(back: str, front: str, opacity: float) -> str:
    both = ([int(colour[place : place + 2], 16) for place in (1, 3, 5)] for colour in (back, front))
    return "#" + "".join(f"{round(b + (f - b) * opacity):02x}" for b, f in zip(*both, strict=True))


def worst(source: str, dark: bool) -> tuple[float, str]:
    """Return the least contrast of a picture's texts, and that text. Parts that come at different times don't meet."""
    root = ET.fromstring(source)
    style = "".join(element.text or "" for element in root.iter(f"{NS}style"))
    used = rules(DARK.sub(r"\1" if dark else "", style))
    moving = set(re.findall(r"\.([\w-]+)\{animation:", style))
    drawn, found = list[tuple[ET.Element, str, float, float, float, set[str]]](), [(21.0, "")]
    for path, x, y in walk([root], 0.0, 0.0):
        element = path[-1]
        turns = moving & {name for each in path for name in each.get("class", "").split()}
        fill = value_of("fill", path, used)
        if element.tag in (f"{NS}text", f"{NS}tspan") and (element.text or "").strip():
            owner = next(each for each in reversed(path) if each.tag == f"{NS}text")
            place = x + float(owner.get("x", 0)), y + float(owner.get("y", 0)) - 4
            ground = "#ffffff"
            for shape, colour, opacity, left, top, others in drawn:
                if others <= turns and covers(shape, place[0] - left, place[1] - top):
                    ground = mixed(ground, colour, opacity)
            found.append((contrast(fill, ground), element.text or ""))
        elif fill.startswith("#"):
            drawn.append((element, fill, float(value_of("fill-opacity", path, used) or 1), x, y, turns))
    return min(found)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", pictures())
def test_text_stands_out_from_what_is_behind_it(name: str, dark: bool) -> None:
    value, text = worst((ROOT / name).read_text("utf-8"), dark)
    assert value >= 4.5, f"{text!r} has {value:.1f}:1"


def test_the_measure_finds_what_is_too_faint() -> None:
    faint = '<svg xmlns="http://www.w3.org/2000/svg"><style>.a text{fill:#777777}@media (prefers-color-scheme:dark)'
    faint += '{.a text{fill:#eeeeee}.a rect{fill:#222222}}</style><g class="a" transform="translate(10 0)">'
    faint += '<rect fill="#888888" width="9" height="9"/><text x="4" y="8">x</text></g></svg>'
    assert worst(faint, dark=False)[0] < 1.5 and worst(faint, dark=True)[0] > 12
