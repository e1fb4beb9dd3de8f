"""What ``python3 -m course score 03`` counts: the transitions that are looked up for the rows of all states."""

from collections.abc import Iterator
from typing import Any

from labkit.automata.fsm import Fsm
from labkit.scores import Count
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern

PATTERNS = (r"[0-9]+\.[0-9]+", "0x[0-9a-f]+", "[a-z]+: [0-9]+")


class LookedUp(dict[str, int]):
    """The transitions of a state, which count how often one is looked up."""

    looked_up = 0

    def __getitem__(self, char: str) -> int:
        """Return a target, and count it."""
        LookedUp.looked_up += 1
        return super().__getitem__(char)

    def get(self, char: str, default: Any = None) -> Any:
        """Return a target or the default, and count it."""
        LookedUp.looked_up += 1
        return super().get(char, default)

    def __contains__(self, char: object) -> bool:
        """Return whether there is a target, and count it."""
        LookedUp.looked_up += 1
        return super().__contains__(char)


def counts(lab: Any) -> Iterator[Count]:
    """Yield the look-ups of ``lift`` for each pattern, beside those of walking one token after another.

    >>> from labs.lab_03_token_lifting import solution
    >>> [count.yours < count.other for count in counts(solution)]
    [True, True, True]
    """
    texts = Vocabulary.small().texts()
    trie = lab.build_trie(texts)
    for pattern in PATTERNS:
        fsm = compile_pattern(pattern)
        LookedUp.looked_up = 0
        lab.lift(Fsm(tuple(map(LookedUp, fsm.transitions)), fsm.initial, fsm.accepting), trie)
        each = sum(_looked_up(fsm, state, text) for state in range(len(fsm)) for text in texts if text)
        yield Count(f"look-ups to lift {pattern}", LookedUp.looked_up, each, "one token after another")


def _looked_up(fsm: Fsm, state: int, text: str) -> int:
    """Return how many characters of a text are read from a state, the one that kills it included."""
    for n, char in enumerate(text):
        if char not in fsm.transitions[state]:
            return n + 1
        state = fsm.transitions[state][char]
    return len(text)
