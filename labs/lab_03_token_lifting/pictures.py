"""The pictures of lab 03's README: each public function draws the one of its name."""

from labkit.automata import Fsm, decimal_fsm
from labkit.pictures import Svg, fsm_svg, walked
from labs.lab_03_token_lifting.solution import build_trie


def decimal_walk() -> Svg:
    """Draw the given automaton, and what the token ``.21`` traverses."""
    path = [0, 2, 3, 3]
    return walked(fsm_svg(decimal_fsm(), path=path, highlight=3, title=r"([0-9]+)?\.[0-9]+ and the token .21"), path)


def trie_walk() -> Svg:
    """Draw a trie of nine tokens as the automaton that it is, and a walk: what dies, and what is spared."""
    trie = build_trie(["a", ".", ".2", "1", "ab", ".21", "..", "1.", "1a"])
    notes, waiting = {0: "0"}, [(0, 0)]
    while waiting:
        node, state = waiting.pop()
        for char, child in trie.children[node].items():
            target = decimal_fsm().transitions[state].get(char)
            notes[child] = "dead" if target is None else str(target)
            waiting += [] if target is None else [(child, target)]
    ends = frozenset(node for node, ids in enumerate(trie.ids) if ids)
    automaton = Fsm(tuple(trie.children), 0, ends)
    dead = [node for node, note in notes.items() if note == "dead"]
    skipped = [node for node in range(len(trie.children)) if node not in notes]
    title = "A trie of nine tokens, walked from state 0"
    return fsm_svg(automaton, notes=notes, dead=dead, skipped=skipped, title=title)
