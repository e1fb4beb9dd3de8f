"""Timelines, and notes on the states of an automaton: what is drawn is read back from the SVG."""

import xml.etree.ElementTree as ET

import pytest

from labkit.automata import Fsm
from labkit.pictures import Lane, Moment, fsm_svg, timeline_svg

NS = "{http://www.w3.org/2000/svg}"
LANES = [
    Lane("long", [Moment("1", "2 left", ["a", "<&>"]), Moment("EOS", "1 left", strong=True)], "1 (stop)"),
    Lane("short", [Moment("a long token")]),
]


def groups(svg, name):
    root = ET.fromstring(str(svg))
    return [group for group in root.iter(f"{NS}g") if name in group.get("class", "").split()]


def boxes(group):
    return [tuple(float(rect.attrib[key]) for key in ("x", "y", "width", "height")) for rect in group.iter(f"{NS}rect")]


def test_every_token_and_every_refusal_is_there_in_order():
    lanes = [
        ["".join(text.itertext()) for text in lane.iter(f"{NS}text")] for lane in groups(timeline_svg(LANES), "lane")
    ]
    assert lanes == [
        ["long", "2 left", "1", "a", "<&>", "1 left", "EOS", "1 (stop)"],
        ["short", "a long token"],
    ]


def test_only_the_strong_moment_is_emphasised():
    svg = timeline_svg(LANES)
    assert len(groups(svg, "moment")) == 3
    (strong,) = groups(svg, "current")
    assert "EOS" in [text.text for text in strong.iter(f"{NS}text")]


def test_nothing_overlaps_and_everything_is_inside():
    svg = timeline_svg(LANES, title="Two")
    root = ET.fromstring(str(svg))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    found = [box for moment in groups(svg, "moment") for box in boxes(moment)]
    assert len(found) == 5 and len(groups(svg, "refused")) == 2
    for number, (x, y, w, h) in enumerate(found):
        assert x >= 0 and y >= 0 and x + w <= width and y + h <= height
        for other_x, other_y, other_w, other_h in found[:number]:
            apart = x >= other_x + other_w or other_x >= x + w or y >= other_y + other_h or other_y >= y + h
            assert apart, f"boxes {number} and another overlap"


@pytest.mark.parametrize("lanes", [[], [Lane("empty", [])]])
def test_nothing_to_draw_is_refused(lanes):
    with pytest.raises(ValueError, match="nothing to draw"):
        timeline_svg(lanes)


MACHINE = Fsm(({"a": 1}, {"a": 1}), initial=0, accepting=frozenset({1}))


def test_notes_stand_on_their_states():
    svg = fsm_svg(MACHINE, notes={1: "∞"})
    (note,) = groups(svg, "note")
    state = next(node for node in groups(svg, "node") if node.attrib["data-state"] == note.attrib["data-note"] == "1")
    circle = next(state.iter(f"{NS}circle"))
    ((x, y, width, height),) = boxes(note)
    assert "".join(note.itertext()) == "∞"
    assert x + width / 2 == pytest.approx(float(circle.attrib["cx"]), abs=0.2)
    assert y < float(circle.attrib["cy"]) + float(circle.attrib["r"]) < y + height
    assert not groups(fsm_svg(MACHINE), "note")


def test_a_note_on_no_state_is_refused():
    with pytest.raises(ValueError, match="there is no state 7"):
        fsm_svg(MACHINE, notes={7: "?"})
