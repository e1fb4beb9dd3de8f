"""The references' automata and how they are walked. A lab is imported when it is needed: a copy may lack later ones."""

from course.student.core.catalog import Lab
from labkit.automata import Dfa, Fsm, decimal_fsm
from labkit.automata.dfa import DEAD

GIVEN = r"([0-9]+)?\.[0-9]+"
"""Lab 03 has the automaton of this pattern by hand; lab 02's language cannot say it."""


def automaton_of(lab: Lab, pattern: str) -> Fsm:
    """The reference's automaton of a pattern.

    >>> from course.student.core.catalog import find_lab
    >>> len(automaton_of(find_lab(3), GIVEN)), len(automaton_of(find_lab(4), "0x"))
    (4, 3)
    """
    if lab.number == 3 and pattern == GIVEN:
        return decimal_fsm()
    from labs.lab_02_atom_fsm.solution import compile_pattern

    return compile_pattern(pattern)


def follow(automaton: Fsm | Dfa, state: int, text: str) -> int | None:
    """The state after a text, or None.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> follow(compile_dfa("ab"), 0, "a"), follow(decimal_fsm(), 0, "1.x")
    (1, None)
    """
    if isinstance(automaton, Fsm):
        from labs.lab_02_atom_fsm.solution import advance

        return advance(automaton, state, text)
    for char in text:
        state = automaton.step(state, ord(char))
        if state == DEAD:
            return None
    return state


def accepts_in(automaton: Fsm | Dfa, state: int) -> bool:
    """Whether a text may end in this state.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> accepts_in(compile_dfa("a*"), 0), accepts_in(decimal_fsm(), 2)
    (True, False)
    """
    return state in automaton.accepting if isinstance(automaton, Fsm) else bool(automaton.accepting[state])
