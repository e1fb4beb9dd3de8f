"""The pictures of lab 11's README: each public function draws the one of its name."""

import numpy as np

from labkit.automata.dfa import Dfa
from labkit.pictures import Svg, fsm_svg
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_11_tool_calls.given.joining import shared_alphabet
from labs.lab_11_tool_calls.solution import free_rows, join, make_triggers, think_first


def one_automaton() -> Svg:
    """Draw free text with the trigger ``<a>``, and the call that it opens."""
    # Node 3 has found the trigger, and the body's last state would accept: the joined automaton enters neither.
    drawn = _reached(join({"<a>": (compile_dfa("[0-9]+;"), 0)}).dfa)
    notes = {0: "free", 1: "free", 2: "free", 3: "call", 4: "call"}
    return fsm_svg(drawn, notes=notes, title="Free text, and a call after <a>")


def whole_answer() -> Svg:
    """Draw a block of thinking that ends with ``/t``, and the answer after it, with calls between ``<`` and ``>``."""
    drawn = _reached(think_first(join({"<": (compile_dfa("[0-9]>"), 0)}), "/t").dfa)
    notes = {0: "thinks", 1: "thinks", 2: "free", 3: "call", 4: "call"}
    return fsm_svg(drawn, notes=notes, title="Thinking up to /t, then free text and calls")


def _reached(dfa: Dfa) -> Dfa:
    """Return the states that a text can come to, in the order in which it comes to them."""
    reached = [dfa.initial]
    for state in reached:  # the list grows meanwhile
        targets = sorted(set(dfa.transitions[state].tolist()) - {-1, *reached})
        reached += targets
    numbers = {state: number for number, state in enumerate(reached)} | {-1: -1}
    rows = [[numbers[target] for target in dfa.transitions[state].tolist()] for state in reached]
    return Dfa(dfa.bounds, dfa.classes, rows, 0, dfa.accepting[reached])


def overlap() -> Svg:
    """Draw the automaton that finds ``aab``."""
    triggers = make_triggers(["aab"])
    alphabet = shared_alphabet([], "ab")
    rows = np.array(free_rows(triggers, alphabet.symbols))
    dfa = Dfa(alphabet.bounds, alphabet.classes, rows, 0, [trigger is not None for trigger in triggers.found])
    return fsm_svg(dfa, highlight=2, title="aab, found in any text")
