"""The map of ideas: what `status` prints and draws of it, for any set of labs that pass."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from course.student.commands.ideas import FILE, drawn_map, ideas, print_map
from course.student.commands.own_files import show_status
from course.student.core.catalog import all_labs, find_lab
from course.student.core.hints import lab_data
from labkit.pictures import Idea, ideas_svg
from tests.labkit.pictures.svg import groups, root_of, texts_in
from tests.made import HINTS, make_lab

ALL = {lab.number for lab in all_labs()}


def printed(yours):
    console = Console(file=io.StringIO(), width=80)
    print_map(console, {find_lab(number) for number in yours})
    return console.file.getvalue()


def test_each_idea_is_short_and_rests_on_earlier_ones():
    assert [n for n, idea in ideas().items() if not idea.after] == [1]
    for number, idea in ideas().items():
        assert 10 < len(idea.says) <= 50 and all(before < number for before in idea.after), number


def test_before_anything_passes_the_first_lab_is_all_there_is():
    heading, only, more = printed([]).splitlines()
    assert heading.endswith(":") and only.endswith("[ ] 01 Naive matching")
    assert more == f"{len(ALL) - 1} more ideas will show up here as you go on."


@given(st.sets(st.sampled_from(sorted(ALL))))
def test_what_passes_is_yours_what_can_be_next_is_named_and_the_rest_waits(yours):
    text, found = printed(yours), ideas()
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    next_ones = {n for n in ALL - yours if not found[n].after or found[n].after[0] in yours}
    for n in ALL:
        mine = [line for line in lines if line.endswith(f"[x] {n:02} {found[n].says}")]
        waits = [line for line in lines if line.endswith(f"[ ] {found[n].name}")]
        assert (len(mine), n in yours or not mine) == (int(n in yours), True)
        assert len(waits) <= 1 and (bool(waits) or n not in next_ones)
    shown = sum("[x]" in line or "[ ]" in line for line in lines)
    assert (f"{len(ALL) - shown} more idea" in text) == (shown < len(ALL))


def test_an_idea_is_below_the_one_that_it_rests_on():
    lines = printed(ALL).splitlines()
    indent = {n: next(line.index("[x]") for line in lines if f"[x] {n:02} " in line) for n in ALL}
    order = [int(line.partition("[x] ")[2][:2]) for line in lines if "[x]" in line]
    for number, idea in ideas().items():
        for before in idea.after[:1]:
            assert indent[number] == indent[before] + 4 and order.index(before) < order.index(number)


def test_the_picture_keeps_the_words_of_what_is_not_yours_yet():
    texts = " ".join(texts_in(root_of(drawn_map([1, 2]))))
    assert "one state stands for all that you've read" in texts and "03 Token lifting" in texts
    assert ideas()[3].says not in texts and len(groups(drawn_map([1, 2]), "allowed")) == 2
    assert len(groups(drawn_map(ALL), "allowed")) == len(ALL) and not groups(drawn_map(ALL), "skipped")
    assert " ".join(texts_in(root_of(drawn_map(ALL)))) == " ".join(
        texts_in(root_of(type(drawn_map([]))(FILE.read_text(encoding="utf-8"), "")))
    )


def test_without_graphviz_the_picture_is_a_list(monkeypatch):
    monkeypatch.setattr("labkit.pictures.graphs.ideas.lay_out", lambda *_, **__: None)
    assert "02 b: remember" in str(ideas_svg({1: Idea("01 a", "ask"), 2: Idea("02 b", "remember", (1,))}, [1]))


def test_status_ends_with_the_map_and_draws_it(tmp_path, monkeypatch):
    monkeypatch.setattr("course.student.commands.own_files.is_edited", lambda lab: False)
    console = Console(file=io.StringIO(), width=200)
    assert show_status(console, tmp_path / "map.svg") == 0
    assert "[ ] 01 Naive matching\n" in console.file.getvalue()
    assert "01 Naive matching" in (tmp_path / "map.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("after", ["[7]", "[true]", '["lab_01"]', "2"])
def test_a_lab_rests_on_earlier_labs_alone(tmp_path, after):
    lab = make_lab(tmp_path, HINTS.replace("[lab]\n", f"[lab]\nafter = {after}\n", 1))
    with pytest.raises(ValueError, match=r"hints\.toml: \[lab\]: 'after' lists the numbers of earlier labs, not "):
        lab_data(lab)
