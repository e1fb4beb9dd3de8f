"""The keyword ``pattern``: a regular expression of ECMA-262 that matches somewhere in a text.

The automaton is lab 06's, of ``everything pattern everything``. Anchors first become *markers*, symbols that occur in
no text, and then epsilon transitions that exist only where a text starts or ends. So they are exact anywhere.
"""

from collections.abc import Callable
from typing import Any

from labkit.automata.dfa import Dfa, Nfa
from labkit.automata.syntax import Alternation, Anchor, Chars, Class, Concat, Node, Repeat
from labs.lab_06_regex_to_dfa.given.parsing import parse_items
from labs.lab_06_regex_to_dfa.given.ranges import merge_ranges
from labs.lab_06_regex_to_dfa.given.unfolding import END as ACCEPTING
from labs.lab_06_regex_to_dfa.given.unfolding import Moves, explored
from labs.lab_06_regex_to_dfa.solution import minimize_dfa, nfa_to_dfa, unfold
from mask_engine.ecma.items import characters, read_items

START, END = 0xD800, 0xD801
"""The markers of the anchors: surrogates, which occur in no text."""

_MARKERS = {"^": START, "$": END}
_EVERYTHING = Repeat(Chars(merge_ranges((*characters((), negated=True), (START, START), (END, END)))), 0, None)
_ANYTHING = Repeat(Chars(characters((), negated=True)), 0, None)
_EMPTY = Concat(())


def search_automaton(pattern: str) -> Dfa:
    r"""Return the automaton of all texts in which a pattern matches somewhere.

    Args:
        pattern: in the dialect of ECMA-262 with the flag u (see ``items``): ``\d`` and ``\w`` are ASCII's, and
            ``$`` is the very end.

    Returns:
        A minimal automaton over code points. Its texts are values, not JSON; none holds a lone surrogate.

    Raises:
        InvalidPattern: if the pattern is malformed.
        UnsupportedPattern: for lookaround, backreferences, word boundaries and other constructs that are not covered.
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = search_automaton(r"^\d|end$")
    >>> [text for text in ["7 ends", "the end", "the ends", "a 7"] if fullmatch(dfa, text)]
    ['7 ends', 'the end']
    """
    items = [
        Class(((_MARKERS[item.source],) * 2,), False, item.position) if isinstance(item, Anchor) else item
        for item in read_items(pattern)
    ]
    tree = _shorten(parse_items(items), -1)
    nfa = explored(Concat((_EVERYTHING, _shorten(tree, 0), _EVERYTHING)), unfold)
    return minimize_dfa(nfa_to_dfa(resolve_anchors(nfa)))


def search_tree(pattern: str) -> Node | None:
    """Return the tree of all texts in which a pattern matches somewhere; None if it has anchors but at its ends.

    Raises:
        InvalidPattern, UnsupportedPattern: see ``search_automaton``.

    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> fullmatch(LazyDfa(search_tree("^a|b$")), "xb"), search_tree("a|b$c")  # nothing can come after $
    (True, None)
    """
    tree = parse_items(read_items(pattern))
    options = tuple(map(_search, tree.options if isinstance(tree, Alternation) else (tree,)))
    whole = Alternation(options)
    return None if any(map(_has_anchor, options)) else options[0] if len(options) == 1 else whole


_BEGINNING, _INSIDE, _AT_END, _EMPTY_TEXT = range(4)
_AFTER: dict[int | None, dict[int, int]] = {
    None: {_BEGINNING: _INSIDE, _INSIDE: _INSIDE},
    START: {_BEGINNING: _BEGINNING, _EMPTY_TEXT: _EMPTY_TEXT},
    END: {_BEGINNING: _EMPTY_TEXT, _EMPTY_TEXT: _EMPTY_TEXT, _INSIDE: _AT_END, _AT_END: _AT_END},
}
"""Where a text is after a character (None) or an anchor. A missing entry means that it can't occur there."""


def resolve_anchors(nfa: Nfa) -> Nfa:
    """Return the automaton without anchor markers: its states are pairs of a given state and a phase of the text.

    An anchor may be passed any number of times, and in the empty text in any order: ``$^`` matches it.

    >>> nfa = Nfa()
    >>> nfa.accepting = nfa.add_state()
    >>> nfa.moves[0].append((((START, START),), 1))
    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> [fullmatch(nfa_to_dfa(resolve_anchors(nfa)), text) for text in ("", "^")]  # it reads no character
    [True, False]
    """
    sets = {ranges for moves in nfa.moves for ranges, _ in moves}
    kinds = {
        ranges: (
            characters(ranges, negated=False),
            [marker for marker in (START, END) if any(first <= marker <= last for first, last in ranges)],
        )
        for ranges in sets
    }

    def unfold(state: int, phase: int, number: Callable[[int, int], int]) -> tuple[Moves, list[int]]:
        moves, epsilon = Moves(), [number(target, phase) for target in nfa.epsilon[state]]
        for ranges, target in nfa.moves[state]:
            chars, markers = kinds[ranges]
            if chars and phase in _AFTER[None]:
                moves.append((chars, number(target, _AFTER[None][phase])))
            epsilon += [number(target, _AFTER[each][phase]) for each in markers if phase in _AFTER[each]]
        return moves, epsilon + [ACCEPTING] * (state == nfa.accepting)

    start: Any = nfa.initial  # a state in place of a node
    return explored(start, unfold)


def _search(option: Node) -> Node:
    parts = option.parts if isinstance(option, Concat) else (option,)
    starts = bool(parts) and isinstance(parts[0], Anchor) and parts[0].source == "^"
    parts = parts[1:] if starts else parts
    ends = bool(parts) and isinstance(parts[-1], Anchor) and parts[-1].source == "$"
    inside: Node = Concat(parts[:-1] if ends else parts)
    inside = inside if starts else Concat((_ANYTHING, _shorten(inside, 0)))
    return inside if ends else Concat((_shorten(inside, -1), _ANYTHING))


def _has_anchor(node: Node) -> bool:
    match node:
        case Concat(below) | Alternation(below):
            return any(map(_has_anchor, below))
        case Repeat(body, _, _):
            return _has_anchor(body)
    return isinstance(node, Anchor)


def _shorten(node: Node, end: int) -> Node:
    """Return a tree without optional parts at one end, the first (0) or the last (-1): a search needs none of them.

    So ``x.{0,500}`` needs no 500 states: once an ``x`` is found, the pattern is found.
    """
    match node:
        case Alternation(options):
            return Alternation(tuple(_shorten(option, end) for option in options))
        case Repeat(body, least, _):
            return Repeat(body, least, least) if least else _EMPTY
        case Concat(parts):
            while parts:
                shorter = _shorten(parts[end], end)
                parts = parts[:-1] if end else parts[1:]
                if shorter != _EMPTY:
                    return Concat((*parts, shorter) if end else (shorter, *parts))
            return _EMPTY
    return node
