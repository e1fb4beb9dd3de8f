"""The pictures of lab 12's README: each public function draws the one of its name."""

import numpy as np

from labkit.automata.dfa import BYTES, DEAD, Dfa
from labkit.pictures import Svg, fsm_svg
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.stacks import END, Frame, items_of
from labs.lab_12_pushdown.solution import Rules, call_closure, step

_EITHER = 'root ::= x | y  x ::= "a" root "x" | "c"  y ::= "a" root "y" | "d"'
_LEVELS = 4


def rule() -> Svg:
    """Draw a rule of brackets: an automaton in which one transition is a call, drawn as S."""
    return fsm_svg(compile_dfa(r"\[S?\]"), title='S ::= "[" S? "]": the transition S reads any text of the rule itself')


def frames() -> Svg:
    """Draw the frames after a few levels: at each level two callers share one frame."""
    rules = Rules(read_gbnf(_EITHER))
    kernel = items_of([(rules.initial[0], END)])
    for _ in range(_LEVELS):
        kernel = step(rules, call_closure(rules, kernel), ord("a"))
    # A frame is a state of the picture; what it returns to is named by the letter that closes the level.
    found: list[Frame] = [frame for _, frame in sorted(kernel, key=lambda item: item[0])][:1]
    table: list[list[int]] = []
    for frame in found:
        row = [DEAD] * BYTES
        for state, below in frame.returns:
            if state == END:
                continue
            letter = next(c for c in "xy" if rules.step(state, ord(c)) != DEAD)
            if below not in found:
                found.append(below)
            row[ord(letter)] = found.index(below)
        table.append(row)
    ends = [any(state == END for state, _ in frame.returns) for frame in found]
    graph = Dfa(np.arange(BYTES), np.arange(BYTES), table, 0, ends, symbols=BYTES)
    title = f"{_LEVELS} levels, {2 ** (_LEVELS - 1)} stacks: one frame for each level, and two ways down from each"
    return fsm_svg(graph, title=title)
