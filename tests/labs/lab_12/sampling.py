"""Texts of a grammar, drawn at random: short ones, since beyond some length each choice is a shortest way out."""

from random import Random

import numpy as np

from labkit.automata.dfa import DEAD
from labkit.automata.grammar import CALL, Grammar

_PREFERRED = [*range(0x20, 0x7F), 0x0A]


class Sampler:
    """Draws texts of a grammar.

    Args:
        grammar: every rule has a text.
    """

    def __init__(self, grammar: Grammar, random: Random) -> None:
        self._grammar = grammar
        self._random = random
        self._symbols = [self._one_symbol_each(rule) for rule in range(len(grammar))]
        # By rule and state: the fewest characters to the end of the rule.
        self._fewest = [np.where(dfa.accepting, 0.0, np.inf) for dfa in grammar.rules]
        changed = True
        while changed:
            changed = False
            for number, dfa in enumerate(grammar.rules):
                cost = np.array([self._cost(symbols) for symbols in self._symbols[number]])
                after = np.append(self._fewest[number], np.inf)[dfa.transitions] + cost
                found = np.minimum(self._fewest[number], after.min(axis=1, initial=np.inf))
                if (found < self._fewest[number]).any():
                    self._fewest[number] = found
                    changed = True

    def _one_symbol_each(self, rule: int) -> list[list[int]]:
        """Return, for each class, characters of it and calls."""
        found = []
        for ranges in self._grammar.rules[rule].class_ranges:
            codes = [code for code in _PREFERRED if any(a <= code <= b for a, b in ranges)]
            first = [a for a, b in ranges if not 0xD800 <= a <= 0xDFFF][:2]
            calls = [code for a, b in ranges for code in range(max(a, 0xDC00), min(b, CALL) + 1)]
            found.append((codes or first) + calls)
        return found

    def _cost(self, symbols: list[int]) -> float:
        return min((self._called(code) for code in symbols), default=np.inf)

    def _called(self, code: int) -> float:
        if 0xDC00 <= code <= CALL:
            dfa = self._grammar.rules[CALL - code]
            return float(self._fewest[CALL - code][dfa.initial])
        return 1.0

    def text(self, budget: int = 30) -> str:
        """Return a text; with the budget spent, the shortest way to the end is taken."""
        chars: list[str] = []
        stack = [(0, self._grammar.rules[0].initial)]
        while stack:
            rule, state = stack.pop()
            dfa = self._grammar.rules[rule]
            ways = [
                (target, code)
                for symbol_class, target in enumerate(dfa.transitions[state].tolist())
                if target != DEAD and np.isfinite(self._fewest[rule][target])
                for code in self._symbols[rule][symbol_class]
                if np.isfinite(self._called(code))
            ]
            if dfa.accepting[state] and (not ways or self._random.random() < 0.4 or len(chars) > budget):
                continue
            if len(chars) > budget:
                target, code = min(ways, key=lambda way: self._called(way[1]) + self._fewest[rule][way[0]])
            else:
                by_target: dict[int, list[int]] = {}
                for to, symbol in ways:
                    by_target.setdefault(to, []).append(symbol)
                target = self._random.choice(list(by_target))
                code = self._random.choice(by_target[target])
            stack.append((rule, target))
            if 0xDC00 <= code <= CALL:
                stack.append((CALL - code, self._grammar.rules[CALL - code].initial))
            else:
                chars.append(chr(code))
        return "".join(chars)
