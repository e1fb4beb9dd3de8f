r"""The pictures of lab 06's README: each public function draws the one of its name.

``\d`` is ASCII only here, so that a picture does not depend on the Unicode version of Python.
"""

from labkit.automata import Nfa
from labkit.automata.syntax import Alternation, Chars, Concat, Node, Repeat
from labkit.pictures import Svg, fsm_svg, line_chart, tree_svg
from labs.lab_06_regex_to_dfa.given.subsets import Closures, SubsetLimits
from labs.lab_06_regex_to_dfa.solution import (
    add_fragment,
    epsilon_closure,
    minimize_dfa,
    nfa_to_dfa,
    number_classes,
    parse_regex,
    parse_tree,
    step_subset,
)

_NUMBER = r"\d+(\.\d+)?"
_A, _B = Chars(((97, 97),)), Chars(((98, 98),))


def pattern_tree() -> Svg:
    """Draw the example as a tree."""
    return tree_svg(parse_tree(_NUMBER, ascii_only=True), title=rf"{_NUMBER} as a tree")


def thompson_nfa() -> Svg:
    """Draw it as an automaton with epsilon transitions."""
    nfa = parse_regex(_NUMBER, ascii_only=True)
    return fsm_svg(nfa, highlight={1, 4, 8}, title=rf"{_NUMBER} as an Nfa, after a digit")


def subset_dfa() -> Svg:
    """Draw it with sets of states as states."""
    nfa = parse_regex(_NUMBER, ascii_only=True)
    notes = {state: "{" + ",".join(map(str, subset)) + "}" for state, subset in enumerate(_subsets(nfa))}
    return fsm_svg(nfa_to_dfa(nfa), highlight=1, notes=notes, title=rf"{_NUMBER} as a Dfa, after a digit")


def _subsets(nfa: Nfa) -> list[tuple[int, ...]]:
    """Return the sets of states in the order in which the subset construction numbers them."""
    _, classes, transitions = number_classes(nfa)
    closures = Closures(nfa, epsilon_closure, SubsetLimits(len(nfa), max(classes) + 1))
    found = [closures[nfa.initial]]
    for subset in found:  # the list grows meanwhile
        found += [reached for reached in step_subset(subset, transitions, closures).values() if reached not in found]
    return found


def choice_fragment() -> Svg:
    """Draw what ``add_fragment`` adds for ``a|b`` after state 0."""
    return _fragment(Alternation((Concat((_A,)), Concat((_B,)))), "The fragment of a|b, from state 0 to state 1")


def loop_fragment() -> Svg:
    """Draw what it adds for ``a+``: one copy, and one more on a circle."""
    return _fragment(Repeat(_A, 1, None), "The fragment of a+, from state 0 to state 2")


def counted_fragment() -> Svg:
    """Draw what it adds for ``a{1,3}``: one mandatory copy and two optional ones."""
    return _fragment(Repeat(_A, 1, 3), "The fragment of a{1,3}, from state 0 to state 2")


def _fragment(node: Node, title: str) -> Svg:
    nfa = Nfa()
    nfa.accepting = add_fragment(nfa, node, nfa.initial)
    return fsm_svg(nfa, title=title)


def shared_loops() -> Svg:
    """Draw two loops that share a state, built by hand, since the reference does not make that mistake."""
    nfa = Nfa([[(_A.ranges, 1), (_B.ranges, 2)], [], []], [[], [0], [0]])
    return fsm_svg(nfa, title="a*b* with both loops in one state: takes ba too")


def own_loops() -> Svg:
    """Draw the same pattern with a state for each loop."""
    return _fragment(Concat((Repeat(_A, 0, None), Repeat(_B, 0, None))), "a*b* as it should be")


def equal_pair() -> Svg:
    """Draw the automaton whose partition the README refines by hand."""
    pattern = r"\d+\.\d*|\.\d+"
    dfa = nfa_to_dfa(parse_regex(pattern, ascii_only=True))
    return fsm_svg(dfa, highlight={3, 4}, title=f"{pattern} before it is minimal")


def explosion() -> Svg:
    """Plot the states of the NFA and of the minimal DFA, as the place that must be remembered moves away."""
    nfas = [parse_regex(f"(a|b)*a(a|b){{{n}}}") for n in range(11)]
    series = {
        "DFA": [(float(n), float(len(minimize_dfa(nfa_to_dfa(nfa))))) for n, nfa in enumerate(nfas)],
        "NFA": [(float(n), float(len(nfa))) for n, nfa in enumerate(nfas)],
    }
    return line_chart(series, title="States of (a|b)*a(a|b){n}", x_label="n", y_label="states", log_y=True)
