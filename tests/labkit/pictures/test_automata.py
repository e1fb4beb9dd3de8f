"""Pictures of automata over classes and with epsilon arrows, and of trees: read back from the SVG."""

import re
import warnings
from collections.abc import Callable

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.automata import Dfa, Fsm, Nfa
from labkit.automata.syntax import Alternation, Anchor, Chars, Concat, Node, Ranges, Repeat
from labkit.errors import LimitExceeded
from labkit.pictures import fsm_dot, fsm_svg, fsm_text, range_label, tree_svg
from tests.labkit.pictures.svg import NS, assert_apart, boxes, groups, root_of, texts_in
from tests.labkit.pictures.test_pictures import check_geometry, circles, ends

DIGIT, DOT, A, B = ((48, 57),), ((46, 46),), ((97, 97),), ((98, 98),)
LAST = 0x10FFFF
NUMBER = Dfa([0, 46, 47, 48, 58], [-1, 0, -1, 1, -1], [[-1, 1], [2, 1], [-1, 3], [-1, 3]], 0, [0, 1, 0, 1])


def nfa_of(states: int, moves: dict[tuple[int, int], Ranges], silent: set[tuple[int, int]], accepting: int = 1) -> Nfa:
    nfa = Nfa([[] for _ in range(states)], [[] for _ in range(states)], 0, accepting)
    for (source, target), ranges in moves.items():
        nfa.moves[source].append((ranges, target))
    for source, target in sorted(silent):
        nfa.epsilon[source].append(target)
    return nfa


STAR = nfa_of(4, {(2, 3): A}, {(0, 2), (2, 1), (3, 2)})


# Labels -----------------------------------------------------------------------------------------------


@st.composite
def canonical(draw: st.DrawFn, last: int = LAST) -> Ranges:
    """Draw ranges that neither overlap nor touch; often they reach an end of the alphabet."""
    code = st.integers(0, last) | st.sampled_from([0, 32, 45, 91, 92, 93, 94, 127, last])
    edges = sorted(draw(st.sets(code, min_size=1, max_size=8)))
    ranges: list[tuple[int, int]] = []
    for first, end in zip(edges[::2], [*edges[1::2], edges[-1]], strict=False):
        if not ranges or first > ranges[-1][1] + 1:
            ranges.append((first, end))
    return tuple(ranges)


def reader(label: str) -> Callable[[int], bool]:
    """Return a function that says whether a label, read as a regular expression, matches a character."""
    if re.fullmatch(r"[0-9A-F]{2}([ -][0-9A-F]{2})*", label):  # bytes
        label = f"[{re.sub('[0-9A-F]{2}', lambda byte: f'{chr(92)}x{byte[0]}', label.replace(' ', ''))}]"
    if len(label) == 1:
        label = re.escape(label.replace("␣", " "))
    pattern = r"[\s\S]" if label == "any" else label.replace("␣", r"\x20")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        compiled = regex.compile(pattern)
    return lambda code: compiled.fullmatch(chr(code)) is not None


@pytest.mark.parametrize("alphabet", [LAST + 1, 256])
def test_a_label_means_its_ranges(alphabet: int) -> None:
    @settings(derandomize=True, deadline=None, max_examples=200)
    @given(canonical(alphabet - 1))
    def check(ranges: Ranges) -> None:
        label = range_label(ranges, alphabet=alphabet)
        takes = reader(label)
        near = {edge + step for pair in ranges for edge in pair for step in (-1, 0, 1)}
        for code in (code for code in near if 0 <= code < alphabet):
            assert takes(code) == any(first <= code <= last for first, last in ranges), label
        assert range_label(ranges, alphabet=alphabet, unicode=False).isascii()

    check()


def test_a_label_says_what_is_lacking_where_that_is_shorter() -> None:
    assert range_label(((0, 33), (35, 91), (93, LAST))) == r'[^"\\]'
    assert range_label(((0, LAST),)) == "any" and range_label(((98, LAST),)) == r"[^\x00-a]"
    assert range_label(((LAST, LAST),)) == r"\U0010ffff" and range_label(((128, 255),), alphabet=256) == "80-FF"
    assert range_label(((32, 33), (35, 91), (93, LAST)), limit=16) == r'[^\x00-\x1f"\\]'


def test_of_a_long_label_the_ascii_part_stays() -> None:
    digits = ((48, 57), *((first, first + 9) for first in range(1632, 4000, 100)))
    assert range_label(digits, limit=16) == "[0-9…]" and len(range_label(digits)) > 60
    assert range_label(tuple((code, code) for code in range(4000, 4100, 2)), limit=12).endswith("…]")
    with pytest.raises(ValueError, match="at least one character"):
        range_label(())


# Automata over classes --------------------------------------------------------------------------------


def test_an_automaton_over_classes_is_drawn_as_one_over_characters() -> None:
    one, three = (dict.fromkeys("0123456789", target) for target in (1, 3))
    twin = Fsm((one, {**one, ".": 2}, three, three), 0, frozenset({1, 3}))
    for draw in (lambda m: str(fsm_svg(m, path=[0, 1, 2], highlight=2)), fsm_text, lambda m: fsm_dot(m).source):
        assert draw(NUMBER) == draw(twin)


BACK = Fsm(({"<": 1, "b": 0}, {"a": 2, "<": 1, "b": 0}, {">": 3, "<": 1, "b": 0}, {";": 0}), 0, frozenset({3}))
ROW = Fsm((*({"x": state + 1} for state in range(30)), {}), 0, frozenset({30}))
LOOP = {(0, 5): "1", (5, 5): "1", (5, 2): "2", (2, 6): "s"}
SPLIT = {(0, 1): "n", (0, 4): "of", (1, 2): "o", (1, 4): "x", (4, 2): "f"}
ONE = Fsm(({"a": 1}, {"b": 2}, {}), 0, frozenset({1}))
WORDS = Fsm(
    ({"n": 1, "o": 3, "1": 5}, {"o": 2}, {"s": 6}, {"f": 4}, {"f": 2}, {"1": 5, "2": 2}, {}), 0, frozenset({2, 6})
)


def test_states_in_a_row_stay_in_line_and_a_long_row_goes_down_the_page() -> None:
    places = circles(fsm_svg(BACK))
    assert len({places[state][1] for state in places}) == 1
    assert places[0] < places[1] < places[2] < places[3]
    down = circles(fsm_svg(ROW))
    assert len({down[state][0] for state in down}) == 1 and down[0][1] < down[30][1]


def test_a_picture_marks_what_it_was_asked_to_mark() -> None:
    fsm = Fsm(({"a": 1}, dict.fromkeys("acegikmoqsuwyACEG", 2), {}, {}), 0, frozenset({1, 2}))
    svg = fsm_svg(fsm, path=[0, 1], highlight=[1], clash={(2, 0): "x"}, notes={2: "end"})
    kinds = {
        int(node.attrib["data-state"]): set(node.attrib["class"].split()) - {"node"} for node in groups(svg, "node")
    }
    assert kinds == {0: {"visited"}, 1: {"visited", "current", "accepting"}, 2: {"accepting"}, 3: {"unreachable"}}
    assert len({circle.attrib["r"] for circle in root_of(svg).iter(f"{NS}circle")}) == 2
    lines = {ends(edge): edge[0].attrib["class"] for edge in groups(svg, "edge")}
    assert lines == {(0, 1): "line strong", (1, 2): "line", (2, 0): "line clash"}
    silent = {ends(edge) for edge in groups(fsm_svg(STAR), "edge") if edge[0].attrib["class"] == "line ghost"}
    assert silent == {(0, 2), (2, 1), (3, 2)}
    assert [(note.attrib["data-note"], texts_in(note)) for note in groups(svg, "note")] == [("2", ["end"])]
    assert {ends(label): label[0].text for label in groups(svg, "label")}[1, 2] == "[ACEGacegikmoqsuwy]"


def test_chains_are_words() -> None:
    """What's left out is only ever inside a word; a state with a loop, and one that is marked, stay."""
    for svg, expected in (
        (fsm_svg(WORDS, chains=True), {(0, 2): "no|off", **LOOP}),
        (fsm_svg(WORDS, chains=True, highlight=3), {(0, 2): "no", (0, 3): "o", (3, 2): "ff", **LOOP}),
        (fsm_svg(WORDS, chains=True, clash={(1, 4): "x"}, path=[4, 2]), {**SPLIT, **LOOP}),
        (fsm_svg(ONE, chains=True), {(0, 1): "a", (1, 2): "b"}),
        (fsm_svg(STAR, chains=True), {(0, 2): "ε", (2, 1): "ε", (2, 3): "a", (3, 2): "ε"}),
    ):
        assert {ends(label): texts_in(label)[0] for label in groups(svg, "label")} == expected
        assert {*sum(expected, ())} == {*circles(svg)}


# Automata with epsilon --------------------------------------------------------------------------------


def test_an_automaton_with_epsilon_has_room() -> None:
    """It's laid out as one over characters is. Two states may have a transition and an epsilon between them."""
    silent = {(0, 2), (2, 5), (3, 2), (5, 1), (4, 1), (0, 0)}
    nfa = nfa_of(6, {(2, 3): A, (3, 4): DIGIT, (4, 4): A + B, (4, 1): DOT}, silent)
    for svg in map(fsm_svg, (STAR, nfa)):
        check_geometry(svg)
    arrows = [(0, 0), (0, 2), (2, 3), (2, 5), (3, 2), (3, 4), (4, 1), (4, 4), (5, 1)]
    assert sorted(map(ends, groups(svg, "edge"))) == sorted(map(ends, groups(svg, "label"))) == arrows


def test_epsilon_in_a_terminal() -> None:
    lines = [">   0    --eps--> 2", "  ((1))", "    2    --eps--> 1   --a--> 3", "    3    --eps--> 2"]
    assert fsm_text(STAR, unicode=False).splitlines() == lines
    assert "──ε──▶ 2" in fsm_text(STAR) and 'label="ε"' in fsm_dot(STAR).source


def test_what_is_no_automaton_is_refused() -> None:
    with pytest.raises(TypeError, match="no automaton to draw: 'ab'"):
        fsm_svg("ab")  # type: ignore[arg-type]


# Trees ------------------------------------------------------------------------------------------------

TREE = Alternation(
    (
        Concat((Anchor("^", 0), Repeat(Chars(DIGIT), 1, None), Repeat(Chars(A), 2, 2))),
        Concat((Repeat(Alternation((Concat(()), Concat((Chars(B), Chars(()))))), 0, 1),)),
    )
)


def on_the_rim(x: float, y: float, box: tuple[float, ...]) -> bool:
    left, top, width, height = box
    outside = max(left - x, x - left - width, top - y, y - top - height)
    return abs(outside) < 1.5


def check_tree(tree: Node) -> None:
    """Check that no boxes overlap, children are right of their parent, and each box but the first has a line to it."""
    svg = tree_svg(tree)
    root, nodes = root_of(svg), [*groups(svg, "branch"), *groups(svg, "leaf")]
    drawn = [boxes(node)[0] for node in nodes]
    assert_apart(drawn)
    lines = [list(map(float, re.findall(r"-?[\d.]+", line.attrib["d"]))) for line in root.iter(f"{NS}path")]
    assert len(lines) == len(nodes) - 1
    for x, y, *_, end_x, end_y in lines:
        starts = [number for number, box in enumerate(drawn) if on_the_rim(x, y, box)]
        ends = [number for number, box in enumerate(drawn) if on_the_rim(end_x, end_y, box)]
        assert len(starts) == len(ends) == 1 and drawn[starts[0]][0] < drawn[ends[0]][0]


def test_a_tree_says_what_it_holds_from_top_to_bottom() -> None:
    check_tree(TREE)
    lines = groups(tree_svg(TREE), "edge")
    below = [boxes(node)[0][1] for node in groups(tree_svg(TREE), "leaf")]
    assert below == sorted(below), "leaves from top to bottom"
    assert sorted(map(ends, lines))[:4] == [(0, 1), (0, 7), (1, 2), (1, 3)]
    assert texts_in(root_of(tree_svg(TREE, title="a tree"))) == [
        *("a tree", "Alternation", "Concat", "Anchor ^", "Repeat {1,}", "Chars [0-9]", "Repeat {2}", "Chars a"),
        *("Concat", "Repeat {0,1}", "Alternation", "Concat, empty", "Concat", "Chars b", "Chars none"),
    ]


def test_a_tree_that_is_too_large_is_refused() -> None:
    deep: Node = Chars(A)
    for _ in range(5000):
        deep = Repeat(deep, 1, 1)
    with pytest.raises(LimitExceeded, match="the limit is 150"):
        tree_svg(deep)
