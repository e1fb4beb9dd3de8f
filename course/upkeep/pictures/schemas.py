r"""The pictures of lab 08's README: members and the commas between them, an escaped character, parts in a skeleton.

A letter stands for a whole member, and white space is left out, so that an automaton has room on a page.
"""

from collections.abc import Callable

from labkit.automata import Nfa
from labkit.automata.syntax import Ranges
from labkit.pictures import Svg, fsm_svg

_FOLDER = "labs/lab_08_json_schema/pictures"
_MARKER = "\ud800"


def _transition(char: str, target: int) -> tuple[Ranges, int]:
    return ((ord(char), ord(char)),), target


def member_chains() -> Svg:
    """An object of a?, b and c?, drawn by hand: a comma is wrong in one chain, and needed in the other."""
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
    """The same object by the reference, as its minimal automaton."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa
    from labs.lab_08_json_schema.given.compiling.whitespace import policy
    from labs.lab_08_json_schema.solution import object_regex

    members = [("a", False), ("b", True), ("c", False)]
    return fsm_svg(compile_dfa(object_regex(members, policy("compact"))), title="The same as a minimal automaton")


def spelled_string() -> Svg:
    """The string of one character that is not ASCII, in the three ways in which it may be written."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa
    from labs.lab_08_json_schema.solution import literal_regex

    return fsm_svg(compile_dfa(literal_regex("é")), title='The string "é", as itself or escaped')


def array_skeleton() -> Svg:
    """An array of at most two items, where one character stands for an item."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa

    return fsm_svg(compile_dfa(_array(_MARKER)), title="At most two items, the marker U+D800 for each")


def array_automaton() -> Svg:
    """The same with an automaton in the place of that character."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa
    from labs.lab_08_json_schema.given.automata.operations import substitute

    whole = substitute(compile_dfa(_array(_MARKER)), {ord(_MARKER): compile_dfa("true|false")})
    return fsm_svg(whole, title="The same with true|false in the marker's place")


def _array(item: str) -> str:
    from labs.lab_08_json_schema.given.compiling.whitespace import policy
    from labs.lab_08_json_schema.solution import array_regex

    return array_regex(item, 0, 2, policy("compact"))


PICTURES: dict[str, Callable[[], Svg]] = {
    f"{_FOLDER}/{draw.__name__}.svg": draw
    for draw in (member_chains, member_automaton, spelled_string, array_skeleton, array_automaton)
}
"""As in ``course.upkeep.pictures.committed``."""
