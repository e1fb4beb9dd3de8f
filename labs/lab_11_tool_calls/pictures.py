"""The pictures of lab 11's README: each public function draws the one of its name."""

import numpy as np

from labkit.automata.dfa import Dfa
from labkit.pictures import Svg, fsm_svg
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_11_tool_calls.given.joining import shared_alphabet
from labs.lab_11_tool_calls.solution import free_rows, join, make_triggers


def one_automaton() -> Svg:
    """Draw free text with the trigger ``<a>``, and the call that it opens."""
    dfa = join({"<a>": (compile_dfa("[0-9]+;"), 0)}).dfa
    # Node 3 has found the trigger, and the body's last state would accept: the joined automaton enters neither.
    reached = [dfa.initial]
    for state in reached:  # the list grows meanwhile
        targets = sorted(set(dfa.transitions[state].tolist()) - {-1, *reached})
        reached += targets
    numbers = {state: number for number, state in enumerate(sorted(reached))} | {-1: -1}
    rows = [[numbers[target] for target in dfa.transitions[state].tolist()] for state in sorted(reached)]
    drawn = Dfa(dfa.bounds, dfa.classes, rows, 0, dfa.accepting[sorted(reached)])
    notes = {0: "free", 1: "free", 2: "free", 3: "call", 4: "call"}
    return fsm_svg(drawn, notes=notes, title="Free text, and a call after <a>")


def overlap() -> Svg:
    """Draw the automaton that finds ``aab``."""
    triggers = make_triggers(["aab"])
    alphabet = shared_alphabet([], "ab")
    rows = np.array(free_rows(triggers, alphabet.symbols))
    dfa = Dfa(alphabet.bounds, alphabet.classes, rows, 0, [trigger is not None for trigger in triggers.found])
    return fsm_svg(dfa, highlight=2, title="aab, found in any text")
