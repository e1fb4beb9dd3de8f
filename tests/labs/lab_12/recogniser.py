"""A slow recogniser of a ``Grammar``: the ends of each rule's texts from each position, remembered."""

import sys

from labkit.automata.dfa import DEAD
from labkit.automata.grammar import CALL, Grammar


def accepts(grammar: Grammar, text: str) -> bool:
    """Return whether the whole text is one of rule 0."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return False
    calls = [
        [(rule, dfa.class_of(CALL - rule)) for rule in range(len(grammar)) if dfa.class_of(CALL - rule) != DEAD]
        for dfa in grammar.rules
    ]
    tables = [dfa.transitions.tolist() for dfa in grammar.rules]
    known: dict[tuple[int, int], frozenset[int]] = {}

    def ends(rule: int, start: int) -> frozenset[int]:
        if (rule, start) in known:
            return known[rule, start]
        dfa, table = grammar.rules[rule], tables[rule]
        found = set()
        seen = {(dfa.initial, start)}
        waiting = list(seen)
        for state, position in waiting:
            if dfa.accepting[state]:
                found.add(position)
            after = []
            if position < len(text) and (symbol_class := dfa.class_of(ord(text[position]))) != DEAD:
                after.append((table[state][symbol_class], position + 1))
            for inner, symbol_class in calls[rule]:
                if table[state][symbol_class] != DEAD:
                    after += [(table[state][symbol_class], end) for end in ends(inner, position)]
            for step in after:
                if step[0] != DEAD and step not in seen:
                    seen.add(step)
                    waiting.append(step)
        known[rule, start] = frozenset(found)
        return known[rule, start]

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        return len(text) in ends(0, 0)
    finally:
        sys.setrecursionlimit(before)
