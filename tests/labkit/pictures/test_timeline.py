"""Timelines, and notes on the states of an automaton: what is drawn is read back from the SVG."""

import pytest

from labkit.automata import Fsm
from labkit.pictures import Lane, Moment, fsm_svg, timeline_svg
from tests.labkit.pictures.svg import NS, assert_apart, assert_inside, boxes, groups, numbers, texts_in

LANES = [
    Lane("long", [Moment("1", "2 left", ["a", "<&>"]), Moment("EOS", "1 left", strong=True)], "1 (stop)"),
    Lane("short", [Moment("a long token")]),
]


def test_every_token_and_every_refusal_is_there_in_order():
    assert list(map(texts_in, groups(timeline_svg(LANES), "lane"))) == [
        ["long", "2 left", "1", "a", "<&>", "1 left", "EOS", "1 (stop)"],
        ["short", "a long token"],
    ]


def test_only_the_strong_moment_is_emphasised():
    svg = timeline_svg(LANES)
    assert len(groups(svg, "moment")) == 3
    (strong,) = groups(svg, "current")
    assert "EOS" in texts_in(strong)


def test_nothing_overlaps_and_everything_is_inside():
    svg = timeline_svg(LANES, title="Two")
    found = [box for moment in groups(svg, "moment") for box in boxes(moment)]
    assert len(found) == 5 and len(groups(svg, "refused")) == 2
    assert_apart(found)
    assert_inside(svg)


A_PLUS = Fsm(({"a": 1}, {"a": 1}), initial=0, accepting=frozenset({1}))


def test_notes_stand_on_their_states():
    svg = fsm_svg(A_PLUS, notes={1: "∞"})
    (note,) = groups(svg, "note")
    state = next(node for node in groups(svg, "node") if node.attrib["data-state"] == note.attrib["data-note"] == "1")
    circle = next(state.iter(f"{NS}circle"))
    ((x, y, width, height),) = boxes(note)
    cx, cy, r = numbers(circle, "cx", "cy", "r")
    assert texts_in(note) == ["∞"] and x + width / 2 == pytest.approx(cx, abs=0.2) and y < cy + r < y + height
    assert not groups(fsm_svg(A_PLUS), "note")
