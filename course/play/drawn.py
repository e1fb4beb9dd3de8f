"""Lab 03's walk over a trie."""

from typing import Any

from course.student.show.traces import automaton_of
from labkit.scenes import VOCABULARY


def trie_walk() -> dict[str, Any]:
    """Return the walks of lab 03 over a trie, one for each state, in the order of a stack of places."""
    from labs.lab_02_atom_fsm.solution import compile_pattern
    from labs.lab_03_token_lifting.solution import build_trie, partial_match

    fsm, texts = compile_pattern("0x[0-9a-f]+"), VOCABULARY.texts()
    trie = build_trie(texts)
    prefixes = {0: ""}
    for node, row in enumerate(trie.children):
        prefixes |= {below: prefixes[node] + char for char, below in row.items()}
    walks = []
    for state in range(len(fsm)):
        looked, waiting = [], [(0, state)]
        while waiting:
            node, here = waiting.pop()
            for char, below in trie.children[node].items():
                target = fsm.transitions[here].get(char)
                looked.append([below, target is not None])
                if target is not None:
                    waiting.append((below, target))
        naive = 0
        for text in filter(None, texts):  # one by one, each token pays for its characters up to the one that dies
            dies = (n for n in range(1, len(text)) if partial_match(fsm, state, text[:n]) is None)
            naive += next(dies, len(text))
        walks.append({"state": state, "looked": looked, "naive": naive})
    nodes = [[node, repr(prefixes[node]), len(trie.ids[node])] for node in sorted(prefixes, key=prefixes.__getitem__)]
    return {"pattern": "0x[0-9a-f]+", "nodes": nodes, "walks": walks, "automaton": automaton_of(fsm)}
