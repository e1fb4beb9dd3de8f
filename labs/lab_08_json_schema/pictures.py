r"""The pictures of lab 08's README: each public function draws the one of its name.

A letter stands for a whole member, and white space is left out, so that an automaton has room on a page.
"""

from labkit.automata import Nfa
from labkit.automata.dfa import Dfa
from labkit.automata.syntax import Node, Ranges
from labkit.automata.trees import char, regex_of
from labkit.pictures import Svg, fsm_svg
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema.given.whitespace import policy
from labs.lab_08_json_schema.solution import array_tree, object_tree, splice

_MARKER = "\ud800"


def _transition(char: str, target: int) -> tuple[Ranges, int]:
    return ((ord(char), ord(char)),), target


def member_chains() -> Svg:
    """Draw an object of a?, b and c?, built by hand: a comma is wrong in one chain, and needed in the other."""
    opened, skipped, a, b, c, end = 1, 2, 3, 5, 7, 8
    moves = [
        [_transition("{", opened)],
        [_transition("a", a)],
        [_transition("b", b)],
        [_transition(",", 4)],
        [_transition("b", b)],
        [_transition(",", 6)],
        [_transition("c", c)],
        [_transition("}", end)],
        [],
    ]
    nfa = Nfa(moves, [[], [skipped], [], [], [], [c], [], [], []], initial=0, accepting=end)
    notes = {opened: "F0", skipped: "F1", a: "R1", b: "R2", c: "R3"}
    return fsm_svg(nfa, notes=notes, title="Members a?, b, c?: F while none is written, R for the rest")


def member_automaton() -> Svg:
    """Draw the reference's minimal automaton of the same object."""
    members = [(char("a"), False), (char("b"), True), (char("c"), False)]
    return fsm_svg(_automaton(object_tree(members, policy("compact"))), title="The same as a minimal automaton")


def array_skeleton() -> Svg:
    """Draw an array of at most two items, where one character stands for an item."""
    return fsm_svg(_array(_MARKER), title="At most two items, the marker U+D800 for each")


def array_automaton() -> Svg:
    """Draw the same with an automaton in the place of that character."""
    whole = splice(_array(_MARKER), {ord(_MARKER): compile_dfa("true|false")})
    return fsm_svg(whole, chains=True, title="The same with true|false in the marker's place")


def _array(item: str) -> Dfa:
    return _automaton(array_tree(char(item), 0, 2, policy("compact")))


def _automaton(tree: Node) -> Dfa:
    return compile_dfa(regex_of(tree))
