"""The pictures of lab 12's README: each public function draws the one of its name."""

from labkit.automata.dfa import DEAD
from labkit.pictures import Svg, fsm_svg
from labkit.pictures._svg import picture, tag, text_at
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.stacks import END, items_of, stacks_of
from labs.lab_12_pushdown.solution import Rules, call_closure, step

_EITHER = 'root ::= x | y  x ::= "a" root "x" | "c"  y ::= "a" root "y" | "d"'
_TEXT = "aaac"
_MARKED = "xyy"
_BOX, _ROW, _TOP = 26.0, 54.0, 78.0


def rule() -> Svg:
    """Draw a rule of brackets: an automaton in which one transition is a call, drawn as S."""
    return fsm_svg(compile_dfa(r"\[S?\]"), title='S ::= "[" S? "]": the transition S reads any text of the rule itself')


def stacks() -> Svg:
    """Draw the stacks after a text twice: written out one by one, and as frames that they share."""
    rules = Rules(read_gbnf(_EITHER))
    kernel = items_of([(rules.initial[0], END)])
    for byte in _TEXT.encode():
        kernel = step(rules, call_closure(rules, kernel), byte)

    def letter(state: int) -> str:
        """Name a state by the letter that it waits for."""
        return next(char for char in "xy" if rules.step(state, ord(char)) != DEAD)

    apart = sorted("".join(map(letter, stack[:-1])) for stack in stacks_of(kernel))
    rows: list[list[str]] = []
    level = kernel
    while {state for state, _ in level} != {END}:
        rows.append(sorted(letter(state) for state, _ in level))
        # All items of a level have one frame: this is what the picture is about.
        (frame,) = {frame for _, frame in level}
        level = frame.returns
    right = 36.0 * len(apart) + 120
    left = [_stack(24 + 36.0 * place, stack) for place, stack in enumerate(apart)]
    shared = [_frame(right, depth, row, last=depth == len(rows) - 1) for depth, row in enumerate(rows)]
    bottom = _TOP + _ROW * len(rows)
    body = [
        text_at(16, 24, f"After {_TEXT}: the same {len(apart)} stacks, drawn twice", "title", "start"),
        text_at(24, 50, "written out", "bold", "start"),
        text_at(right, 50, "as shared frames", "bold", "start"),
        *left,
        *shared,
        text_at(right + 39, bottom + 4, "end", "mono"),
        text_at(24, bottom + 34, f"{len(apart) * len(rows)} entries; one more a doubles the stacks", "muted", "start"),
        text_at(right, bottom + 34, f"{sum(map(len, rows))} entries; one more a adds a frame", "muted", "start"),
    ]
    name = f"{len(apart)} stacks of {len(rows)} letters; beside them the {len(rows)} pairs of x and y that they share"
    return picture(right + 250, bottom + 54, "".join(body), name)


def _stack(x: float, stack: str) -> str:
    lines = [_line(x + 13, depth, x + 13, strong=stack == _MARKED) for depth in range(len(stack) - 1)]
    boxes = [_box(x, depth, letter) for depth, letter in enumerate(stack)]
    return tag("g", *lines, *boxes, class_="visited" if stack == _MARKED else "")


def _frame(x: float, depth: int, row: list[str], *, last: bool) -> str:
    """Draw the items of a level or the callers of a frame, with a line from each to the frame below."""
    here, below = _MARKED[depth], _MARKED[depth + 1 : depth + 2]
    parts = []
    for place, letter in enumerate(row):
        strong = letter == here
        # The marked stack goes on to one caller; each other item, to the frame itself.
        target = x + 13 + 52.0 * row.index(below) if strong and not last else x + 39
        parts.append(_line(x + 13 + 52.0 * place, depth, target, strong=strong, gap=13 if strong or last else 21))
    if depth:
        outline = {"x": x - 8, "y": _TOP + _ROW * depth - 21, "width": 94.0, "height": 42.0, "rx": 6.0}
        parts.append(tag("rect", class_="line ghost", **outline))
    boxes = [
        tag("g", _box(x + 52.0 * place, depth, letter), class_="visited" if letter == here else "")
        for place, letter in enumerate(row)
    ]
    label = "a frame: two callers" if depth else "two items, read next"
    return tag("g", *parts, *boxes, text_at(x + 100, _TOP + _ROW * depth, label, "muted", "start"))


def _box(x: float, depth: int, letter: str) -> str:
    y = _TOP + _ROW * depth
    return tag("rect", class_="ring", x=x, y=y - 13, width=_BOX, height=_BOX, rx=4) + text_at(x + 13, y, letter, "mono")


def _line(x: float, depth: int, target: float, *, strong: bool, gap: float = 13) -> str:
    start, end = _TOP + _ROW * depth + 13, _TOP + _ROW * (depth + 1) - gap
    return tag("path", class_="line strong" if strong else "line", d=f"M{x} {start}L{target} {end}")
