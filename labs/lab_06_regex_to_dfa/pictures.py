r"""The pictures of lab 06's README: each public function draws the one of its name.

``\d`` is ASCII only here, so that a picture does not depend on the Unicode version of Python.
"""

from labkit.automata.syntax import Alternation, Chars, Concat, Node, Repeat
from labkit.pictures import Svg, fsm_svg, tree_svg
from labs.lab_06_regex_to_dfa.given.subsets import subsets_of
from labs.lab_06_regex_to_dfa.given.unfolding import explored
from labs.lab_06_regex_to_dfa.solution import (
    TWO_WAYS,
    epsilon_closure,
    nfa_to_dfa,
    parse_regex,
    parse_tree,
    step_subset,
    unfold,
)

_NUMBER = r"\d+(\.\d+)?"
_A, _B = Chars(((97, 97),)), Chars(((98, 98),))


def pattern_tree() -> Svg:
    """Draw the example as a tree."""
    return tree_svg(parse_tree(_NUMBER, ascii_only=True), title=rf"{_NUMBER} as a tree")


def unfolded_nfa() -> Svg:
    """Draw it as an automaton with epsilon transitions."""
    nfa = parse_regex(_NUMBER, ascii_only=True)
    after = epsilon_closure(nfa, 6)
    return fsm_svg(nfa, highlight=after, title=rf"{_NUMBER} as an Nfa, after a digit")


def subset_dfa() -> Svg:
    """Draw it with sets of states as states."""
    nfa = parse_regex(_NUMBER, ascii_only=True)
    states = subsets_of(nfa, epsilon_closure, step_subset)
    dfa = nfa_to_dfa(states)
    notes = {state: "{" + ",".join(map(str, sorted(subset))) + "}" for state, subset in enumerate(states.subsets)}
    return fsm_svg(dfa, highlight=1, notes=notes, title=rf"{_NUMBER} as a Dfa, after a digit")


def two_ways() -> Svg:
    """Draw the automaton that was made by hand."""
    return fsm_svg(TWO_WAYS, title="[0-9]+[0-4], made by hand")


def choice() -> Svg:
    """Draw what ``a|b`` is unfolded to."""
    return _unfolded(Alternation((Concat((_A,)), Concat((_B,)))), "a|b")


def loop() -> Svg:
    """Draw what ``a+`` is unfolded to: after one round it is ``a*``, which leads back to itself."""
    return _unfolded(Repeat(_A, 1, None), "a+")


def _unfolded(node: Node, pattern: str) -> Svg:
    nfa = explored(node, unfold)
    return fsm_svg(nfa, title=f"{pattern}, from state {nfa.initial} to state {nfa.accepting}")


def equal_pair() -> Svg:
    """Draw the automaton whose partition the README refines by hand."""
    pattern = r"(\d+\.\d?|\.\d)\d*"
    dfa = nfa_to_dfa(parse_regex(pattern, ascii_only=True))
    return fsm_svg(dfa, highlight={3, 4}, title=f"{pattern} before it is minimal")
