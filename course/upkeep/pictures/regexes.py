r"""The pictures of lab 06's README: one pattern on its way to an automaton, fragments, and what can go wrong.

``\d`` is ASCII's here, so that no Python's Unicode changes a picture.
"""

from collections.abc import Callable

from labkit.automata import Nfa
from labkit.automata.syntax import Alternation, Chars, Concat, Node, Repeat
from labkit.pictures import Svg, fsm_svg, line_chart, tree_svg

_FOLDER = "labs/lab_06_regex_to_dfa/pictures"
_NUMBER = r"\d+(\.\d+)?"
_A, _B = Chars(((97, 97),)), Chars(((98, 98),))


def pattern_tree() -> Svg:
    """The example as a tree."""
    from labs.lab_06_regex_to_dfa.solution import parse_tree

    return tree_svg(parse_tree(_NUMBER, ascii_only=True), title=rf"{_NUMBER} as a tree")


def thompson_nfa() -> Svg:
    """The same as an automaton with epsilon transitions."""
    from labs.lab_06_regex_to_dfa.solution import parse_regex

    nfa = parse_regex(_NUMBER, ascii_only=True)
    return fsm_svg(nfa, highlight={1, 4, 8}, title=rf"{_NUMBER} as an Nfa, after a digit")


def subset_dfa() -> Svg:
    """The same with sets of states as states."""
    from labs.lab_06_regex_to_dfa.solution import nfa_to_dfa, parse_regex

    nfa = parse_regex(_NUMBER, ascii_only=True)
    notes = {state: "{" + ",".join(map(str, subset)) + "}" for state, subset in enumerate(_subsets(nfa))}
    return fsm_svg(nfa_to_dfa(nfa), highlight=1, notes=notes, title=rf"{_NUMBER} as a Dfa, after a digit")


def _subsets(nfa: Nfa) -> list[tuple[int, ...]]:
    """The sets of states in the order in which the subset construction numbers them."""
    from labs.lab_06_regex_to_dfa.given.subsets import Closures, SubsetLimits
    from labs.lab_06_regex_to_dfa.solution import epsilon_closure, number_classes, step_subset

    _, classes, transitions = number_classes(nfa)
    closures = Closures(nfa, epsilon_closure, SubsetLimits(len(nfa), max(classes) + 1))
    found = [closures[nfa.initial]]
    for subset in found:  # the list grows meanwhile
        found += [reached for reached in step_subset(subset, transitions, closures).values() if reached not in found]
    return found


def choice_fragment() -> Svg:
    """What ``add_fragment`` adds for ``a|b`` after state 0."""
    return _fragment(Alternation((Concat((_A,)), Concat((_B,)))), "The fragment of a|b, from state 0 to state 1")


def loop_fragment() -> Svg:
    """What it adds for ``a+``: one copy, and one more on a circle."""
    return _fragment(Repeat(_A, 1, None), "The fragment of a+, from state 0 to state 2")


def counted_fragment() -> Svg:
    """What it adds for ``a{1,3}``: one copy that must be, two that may be."""
    return _fragment(Repeat(_A, 1, 3), "The fragment of a{1,3}, from state 0 to state 2")


def _fragment(node: Node, title: str) -> Svg:
    from labs.lab_06_regex_to_dfa.solution import add_fragment

    nfa = Nfa()
    nfa.accepting = add_fragment(nfa, node, nfa.initial)
    return fsm_svg(nfa, title=title)


def shared_loops() -> Svg:
    """Two loops that go back to the state in which they begin; drawn by hand, for the reference does not build it."""
    nfa = Nfa([[(_A.ranges, 1), (_B.ranges, 2)], [], []], [[], [0], [0]])
    return fsm_svg(nfa, title="a*b* with both loops in one state: takes ba too")


def own_loops() -> Svg:
    """The same pattern with a state for each loop."""
    return _fragment(Concat((Repeat(_A, 0, None), Repeat(_B, 0, None))), "a*b* as it should be")


def equal_pair() -> Svg:
    """The automaton whose partition the README refines by hand."""
    from labs.lab_06_regex_to_dfa.solution import nfa_to_dfa, parse_regex

    pattern = r"\d+\.\d*|\.\d+"
    dfa = nfa_to_dfa(parse_regex(pattern, ascii_only=True))
    return fsm_svg(dfa, highlight={3, 4}, title=f"{pattern} before it is minimal")


def explosion() -> Svg:
    """States of the NFA and of the minimal DFA, as the place that must be remembered moves away."""
    from labs.lab_06_regex_to_dfa.solution import minimize_dfa, nfa_to_dfa, parse_regex

    nfas = [parse_regex(f"(a|b)*a(a|b){{{n}}}") for n in range(11)]
    series = {
        "DFA": [(float(n), float(len(minimize_dfa(nfa_to_dfa(nfa))))) for n, nfa in enumerate(nfas)],
        "NFA": [(float(n), float(len(nfa))) for n, nfa in enumerate(nfas)],
    }
    return line_chart(series, title="States of (a|b)*a(a|b){n}", x_label="n", y_label="states", log_y=True)


PICTURES: dict[str, Callable[[], Svg]] = {
    f"{_FOLDER}/{draw.__name__}.svg": draw
    for draw in (
        pattern_tree,
        thompson_nfa,
        subset_dfa,
        choice_fragment,
        loop_fragment,
        counted_fragment,
        shared_loops,
        own_loops,
        equal_pair,
        explosion,
    )
}
"""As in ``course.upkeep.pictures.committed``."""
