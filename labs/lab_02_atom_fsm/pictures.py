"""The pictures of lab 02's README: each public function draws the one of its name."""

from labkit.automata import Fsm
from labkit.pictures import Svg, fsm_svg, walked
from labs.lab_02_atom_fsm.solution import compile_pattern

_DIGITS = "0123456789"


def hex_automaton() -> Svg:
    """Draw the lab's first automaton, and a walk through it."""
    path = [0, 1, 2]
    fsm = compile_pattern("0x[0-9a-f]+")
    return walked(fsm_svg(fsm, path=path, highlight=2, title="0x[0-9a-f]+ after the token 0x"), path)


def two_transitions() -> Svg:
    """Draw the automaton that ``[0-9]+[0-9]`` would need; it is built by hand, since the lab refuses it."""
    automaton = Fsm((dict.fromkeys(_DIGITS, 1), dict.fromkeys(_DIGITS, 2), {}), initial=0, accepting=frozenset({2}))
    return fsm_svg(automaton, clash={(1, 1): _DIGITS}, title="[0-9]+[0-9]: in state 1, a digit leads to two states")
