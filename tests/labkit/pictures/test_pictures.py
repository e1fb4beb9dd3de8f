"""The pictures against the automata and the figures that they show: what is drawn is read back from the SVG."""

import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from base64 import b64encode
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labkit.automata import Fsm, decimal_fsm
from labkit.automata.syntax import Chars, Concat
from labkit.errors import LimitExceeded
from labkit.pictures import Svg, bar_chart, char_label, fsm_dot, fsm_svg, fsm_text, tree_svg, walked
from tests.labkit.pictures.svg import NS, assert_apart, escapes_in, groups, numbers, root_of, texts_in

ROOT = Path(__file__).parents[3]
DIGITS = "0123456789"


def chain(*classes: str, loops: dict[int, str] | None = None) -> Fsm:
    rows: list[dict[str, int]] = [*(dict.fromkeys(chars, state + 1) for state, chars in enumerate(classes)), {}]
    for state, chars in (loops or {}).items():
        rows[state].update(dict.fromkeys(chars, state))
    return Fsm(tuple(rows), 0, frozenset({len(classes)}))


HEX = chain("0", "x", DIGITS + "abcdef", loops={3: DIGITS + "abcdef"})
ODD = ({"<": 1, "&": 1, "\x00": 0, "\ud800": 2}, {'"': 0, " ": 1}, {"\u202e": 2, "\uffff": 0})
HOSTILE = Fsm(ODD, 0, frozenset({1}))


@st.composite
def automata(draw: st.DrawFn) -> Fsm:
    """Draw chains with loops and a few other transitions; some of their states are unreachable."""
    count = draw(st.integers(1, 30))
    rows: list[dict[str, int]] = [{} for _ in range(count)]
    for state in range(count - 1):
        if draw(st.integers(0, 9)):
            rows[state].update(dict.fromkeys(draw(st.sampled_from(["x", DIGITS, "acegikmoq"])), state + 1))
    for _ in range(draw(st.integers(0, count))):
        source, target = draw(st.integers(0, count - 1)), draw(st.integers(0, count - 1))
        rows[source].update(dict.fromkeys(draw(st.sampled_from(["y", "yz", DIGITS, "[]^-\\ \n"])), target))
    accepting = draw(st.frozensets(st.integers(0, count - 1)))
    return Fsm(tuple(rows), draw(st.integers(0, count - 1)), accepting)


def part(group: ET.Element, name: str) -> ET.Element:
    return next(group.iter(f"{NS}{name}"))


def circles(svg: Svg) -> dict[int, tuple[float, ...]]:
    """Return the outer circle of each state: x, y and radius."""
    return {int(n.attrib["data-state"]): numbers(part(n, "circle"), "cx", "cy", "r") for n in groups(svg, "node")}


def ends(group: ET.Element) -> tuple[int, int]:
    return int(group.attrib["data-from"]), int(group.attrib["data-to"])


def check_structure(fsm: Fsm, svg: Svg) -> None:
    arrows = {(state, target) for state, row in enumerate(fsm.transitions) for target in row.values()}
    assert sorted(map(ends, groups(svg, "edge"))) == sorted(arrows)
    assert sorted(map(ends, groups(svg, "label"))) == sorted(arrows)
    rings = {int(node.attrib["data-state"]): len(node.findall(f"{NS}circle")) for node in groups(svg, "node")}
    assert rings == {state: 2 if state in fsm.accepting else 1 for state in range(len(fsm))}
    assert len(groups(svg, "start")) == 1


def text_box(label: ET.Element) -> tuple[float, ...]:
    """Return the box of a label's text of 12 px."""
    x, y = numbers(part(label, "text"), "x", "y")
    width = 7 * len(part(label, "text").text or "")
    return x - width / 2, y - 9, width, 10


def check_geometry(svg: Svg) -> None:
    nodes = circles(svg)
    for (x1, y1, r1), (x2, y2, r2) in combinations(nodes.values(), 2):
        assert math.dist((x1, y1), (x2, y2)) > r1 + r2
    labels = [text_box(label) for label in groups(svg, "label")]
    assert_apart(labels)
    for (x, y, w, h), (cx, cy, r) in product(labels, nodes.values()):
        assert math.dist((cx, cy), (min(max(cx, x), x + w), min(max(cy, y), y + h))) > r - 1
    for edge in groups(svg, "edge"):
        check_line(nodes, edge)


def check_line(nodes: dict[int, tuple[float, ...]], edge: ET.Element) -> None:
    """Check that a line leads from the rim of its source to the rim of its target."""
    source, target = ends(edge)
    first = re.findall(r"-?[\d.]+", part(edge, "path").attrib["d"])[:2]
    tip = part(edge, "polygon").attrib["points"].split()[0].split(",")
    for state, point in ((source, first), (target, tip)):
        assert abs(math.dist([*map(float, point)], nodes[state][:2]) - nodes[state][2]) < 1.5


@settings(derandomize=True, deadline=None, max_examples=40)
@given(automata())
@example(HOSTILE)
@example(chain(*["ab"] * 40))
def test_any_automaton_has_room_and_is_there_as_a_whole(fsm: Fsm) -> None:
    svg = fsm_svg(fsm)
    check_structure(fsm, svg)
    check_geometry(svg)


def test_picture_stands_alone_and_saves(tmp_path: Path) -> None:
    svg = fsm_svg(HOSTILE, title='<&"\x00\udfff')
    svg.save(tmp_path / "automaton.svg")
    assert ET.parse(tmp_path / "automaton.svg").getroot().tag == f"{NS}svg"
    assert str(svg) == (tmp_path / "automaton.svg").read_text(encoding="utf-8")
    shown = svg._repr_mimebundle_()
    image = ET.fromstring(shown["text/html"])
    assert image.attrib["src"] == "data:image/svg+xml;base64," + b64encode(str(svg).encode()).decode()
    assert image.attrib["alt"] == ET.fromstring(str(svg)).attrib["aria-label"]
    assert shown["text/plain"].startswith("[picture: ")
    assert not re.search(r"<script|href|url\(|@import|\bid=", str(svg))
    assert "prefers-color-scheme:dark" in str(svg) and not re.search(r"\d\.\d\d", str(svg).split("</style>")[1])


def test_large_automata_are_drawn_or_refused() -> None:
    fsm = Fsm(tuple({"a": (state + 1) % 60, "b": state * 7 % 60} for state in range(60)), 0, frozenset({3}))
    check_structure(fsm, fsm_svg(fsm))
    full = Fsm(tuple({chr(97 + target): target for target in range(15)} for _ in range(15)), 0, frozenset())
    with pytest.raises(LimitExceeded, match=r"225 arrows .* fsm_text"):
        fsm_svg(full)


def test_same_text_under_any_hash_seed() -> None:
    program = (
        "from labkit.automata import Fsm; from labkit.pictures import *\n"
        "f = Fsm(({c: ord(c) % 5 for c in set('abcdefgh')}, {'a': 3}, {}, {'b': 0}, {'z': 1}), 0, frozenset({1, 3}))\n"
        "print(ascii((str(fsm_svg(f)), fsm_dot(f).source, fsm_text(f), str(bar_chart({'a': 1}, struck={'a'})))))"
    )
    command, runs = [sys.executable, "-c", program], set()
    for seed in ("0", "1", "2"):
        runs.add(subprocess.check_output(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}))
    assert len(runs) == 1


def test_dot_has_the_same_arrows() -> None:
    source = fsm_dot(decimal_fsm()).source
    found = re.findall(r'(\d) -> (\d) \[label="?([^" ]+)"? ', source)
    expected = "0 1 [0-9], 0 2 ., 1 1 [0-9], 1 2 ., 2 3 [0-9], 3 3 [0-9]"
    assert sorted(found) == [tuple(arrow.split()) for arrow in expected.split(", ")]
    assert re.findall(r"(\d) \[shape=doublecircle\]", source) == ["3"]


@pytest.mark.skipif(not find_spec("pygraphviz"), reason="asks the Graphviz inside pygraphviz")
@pytest.mark.parametrize("char", ["\n", ".", '"', "\\", "é", "<", ";"])
def test_graphviz_reads_a_label_as_it_was_meant(char: str) -> None:
    agraph = import_module("pygraphviz").AGraph(string=fsm_dot(chain(char)).source)
    drawn = agraph.draw(format="svg", prog="dot").decode()
    assert char_label(char) in texts_in(ET.fromstring(drawn)), drawn


def test_a_computer_without_pygraphviz_uses_dot_and_one_without_either_prints_text(monkeypatch, tmp_path) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    drawn = walked(fsm_svg(HEX, title="hex"), [0, 1])
    assert texts_in(root_of(drawn)) == ["hex", *fsm_text(HEX).splitlines()]
    assert "    Chars a" in texts_in(root_of(tree_svg(Concat((Chars(((97, 97),)),)))))
    bounds = '"bb":"0,0,90,36","objects":[{"_gvid":0,"name":"-1","pos":"1,18"},{"_gvid":1,"name":"0","pos":"70,18"}]'
    edges = '"edges":[{"tail":0,"head":1,"pos":"e,52,18 2,18 9,18 20,18 43,18"}]'
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\necho '{{{bounds},{edges}}}'\n")
    program.chmod(0o755)
    assert circles(fsm_svg(chain())) == {0: (70.0, 18.0, 18.0)}


def test_automaton_as_text() -> None:
    lines = [">   0    --0--> 1", "    1    --x--> 2", "    2    --[0-9a-f]--> 3", "  ((3))  --[0-9a-f]--> 3"]
    assert fsm_text(HEX, unicode=False).splitlines() == lines
    assert fsm_text(HEX).splitlines()[0] == "→   0    ──0──▶ 1"
    assert fsm_text(HOSTILE, unicode=False).isascii()


def test_bars_are_as_long_as_their_values() -> None:
    svg = bar_chart({"0": 0.5, "cat": 0.25, "\n": 0.0}, struck=["cat"])
    rects = [rect for rect in root_of(svg).iter(f"{NS}rect") if "bar" in rect.get("class", "").split()]
    (first,), (second,), (third,) = (numbers(rect, "width") for rect in rects)
    assert first == 2 * second and third <= 1
    assert ["gone" in rect.attrib["class"] for rect in rects] == [False, True, False]
    assert [path.get("class") for path in root_of(svg).iter(f"{NS}path")] == ["hatch"]
    struck = [e.text for e in root_of(svg).iter(f"{NS}text") if "struck" in e.get("class", "")]
    assert struck == ["cat"]


WITH_CODES = {"array_skeleton"}
"""Its labels are a marker that no text holds."""


@pytest.mark.parametrize("file", sorted(ROOT.glob("labs/*/pictures/*.svg")), ids=lambda file: file.stem)
def test_pictures_show_no_codes(file):
    assert bool(escapes_in(file.read_text(encoding="utf-8"))) == (file.stem in WITH_CODES)
