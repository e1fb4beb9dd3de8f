"""The pictures of lab 12's README: each public function draws the one of its name."""

from labkit.automata.dfa import DEAD
from labkit.pictures import Svg, fsm_svg, in_turn
from labkit.pictures._svg import picture, tag, text_at
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.network import Network
from labs.lab_12_pushdown.given.stacks import END, items_of, stacks_of
from labs.lab_12_pushdown.solution import Rules, call_closure, next_stack, step

_EITHER = 'root ::= x | y  x ::= "a" root "x" | "c"  y ::= "a" root "y" | "d"'
_TEXT = "aaac"
_MARKED = "xyy"
_BOX, _ROW, _TOP = 26.0, 54.0, 78.0


def rule() -> Svg:
    """Draw a rule of brackets: an automaton in which one transition is a call, drawn as S."""
    return fsm_svg(compile_dfa(r"\[S?\]"), title='S ::= "[" S? "]": the transition S reads any text of the rule itself')


def one_stack() -> Svg:
    """Draw the stack of that rule after each byte of a text: pushed, read, popped."""
    network = Network(read_gbnf('root ::= "[" root? "]"'))
    stack: tuple[int, ...] | None = (network.initial[0],)
    floor, width, parts = 140.0, 88.0, []
    for place, byte in enumerate(["", *"[[[]]]"]):
        before = stack or ()
        stack = next_stack(network, before, ord(byte)) if byte else before
        assert stack is not None
        x = 40 + width * place
        kept = next((n for n, (old, new) in enumerate(zip(before, stack, strict=False)) if old != new), len(stack) - 1)
        for level, state in enumerate(stack):
            box = _box(x, floor - _BOX * (level + 1), str(state))
            parts.append(tag("g", box, class_="current" if byte and level >= kept else ""))
        parts.append(tag("path", class_="line", d=f"M{x - 10} {floor}L{x + _BOX + 10} {floor}"))
        done = ["read", "push", "pop"][(len(stack) > len(before)) + 2 * (len(stack) < len(before))] if byte else ""
        parts.append(text_at(x + _BOX / 2, floor + 18, done or "start", "muted"))
        if byte:
            middle = x + _BOX / 2 - width / 2
            parts.append(text_at(middle, floor - 38, byte, "mono"))
            parts.append(tag("path", class_="line", d=f"M{middle - 14} {floor - 22}h20"))
            parts.append(tag("path", class_="head", d=f"M{middle + 14} {floor - 22}l-9 -4v8z"))
    body = [text_at(16, 24, "One stack, after each byte of [[[]]]", "title", "start"), *parts]
    note = "the top is the state of the rule that is being read; below it, where its callers continue"
    body.append(text_at(16, floor + 44, note, "muted", "start"))
    return picture(width * 7 + 20, floor + 66, "".join(body), "one stack: pushed twice, read once, popped twice")


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
    right = 40.0 * len(apart) + 110
    bottom = _TOP + _ROW * len(rows)
    floor = bottom - 18
    left = []
    for n, stack in enumerate(apart):  # a pile of boxes, its top up; the first letter is the top
        boxes = [_box(28 + 40.0 * n, floor - _BOX * (len(stack) - depth), char) for depth, char in enumerate(stack)]
        left.append(tag("g", *boxes, class_=f"pile{n} visited" if stack == _MARKED else f"pile{n}"))
    left.append(tag("path", class_="line", d=f"M18 {floor}L{28 + 40.0 * len(apart)} {floor}"))
    levels = [_frame(right, depth, row, last=depth == len(rows) - 1) for depth, row in enumerate(rows)]
    shared = [tag("g", level, class_=f"level{len(rows) - 1 - depth}") for depth, level in enumerate(levels)]
    body = [
        text_at(16, 24, f"After {_TEXT}: the same {len(apart)} stacks, drawn twice", "title", "start"),
        text_at(24, 50, "written out, tops up", "bold", "start"),
        text_at(right, 50, "every box once, shared", "bold", "start"),
        *left,
        *shared,
        text_at(right + 39, bottom + 4, "end", "mono"),
        text_at(24, bottom + 34, f"{len(apart) * len(rows)} boxes; one more a doubles the stacks", "muted", "start"),
        text_at(right, bottom + 34, f"{sum(map(len, rows))} boxes; one more a adds a frame", "muted", "start"),
    ]
    name = f"{len(apart)} piles of {len(rows)} boxes; beside them the {len(rows)} pairs of x and y that they share"
    drawn = picture(right + 260, bottom + 54, "".join(body), name)
    # one at a time on both sides: the shared ones are all there when the others have hardly begun
    return in_turn(
        drawn,
        [(f".pile{n}", 0.4 + 0.5 * n) for n in range(len(apart))]
        + [(f".level{n}", 0.4 + 0.5 * n) for n in range(len(rows))],
    )


def _frame(x: float, depth: int, row: list[str], *, last: bool) -> str:
    """Draw the items of a level or the callers of a frame, with a line from each to the frame below."""
    here, below, y = _MARKED[depth], _MARKED[depth + 1 : depth + 2], _TOP + _ROW * depth
    parts = []
    for place, letter in enumerate(row):
        strong = letter == here
        # The marked stack continues with one caller; each other item, with the frame itself.
        target = x + 13 + 52.0 * row.index(below) if strong and not last else x + 39
        end = y + _ROW - (13 if strong or last else 21)
        line = f"M{x + 13 + 52.0 * place} {y + 13}L{target} {end}"
        parts.append(tag("path", class_="line strong" if strong else "line", d=line))
    if depth:
        outline = {"x": x - 8, "y": y - 21, "width": 94.0, "height": 42.0, "rx": 6.0}
        parts.append(tag("rect", class_="line ghost", **outline))
    boxes = [
        tag("g", _box(x + 52.0 * place, y - 13, letter), class_="visited" if letter == here else "")
        for place, letter in enumerate(row)
    ]
    label = "a frame: two callers" if depth else "the two tops, read next"
    return tag("g", *parts, *boxes, text_at(x + 100, y, label, "muted", "start"))


def _box(x: float, y: float, letter: str) -> str:
    box = tag("rect", class_="ring", x=x, y=y, width=_BOX, height=_BOX, rx=4)
    return box + text_at(x + 13, y + 13, letter, "mono")
