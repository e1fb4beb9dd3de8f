"""What lab 03 says of words and automata: the oracle of ``trie.test.mjs``; look-ups by their definition."""

from random import Random

from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_03_token_lifting.solution import build_trie, partial_match, walk_trie

PATTERNS = ("0x[0-9a-f]+", "[a-c]+x", "ab", "é+[x-z]", "a")


def oracle(folder):
    rng, cases = Random(3), []
    for number in range(120):
        fsm = compile_pattern(PATTERNS[number % len(PATTERNS)])
        letters = rng.sample("0123abcfxyzé😀", 5)
        words = ["".join(rng.choices(letters, k=rng.randint(1, 5))) for _ in range(rng.randrange(12))]
        cases.append({"words": words, **said(fsm, words)})
    return cases


def said(fsm, words):
    prefixes = sorted({word[:n] for word in words for n in range(len(word) + 1)} | {""}, key=utf16)
    return {
        "transitions": [dict(row) for row in fsm.transitions],
        "prefixes": prefixes,
        "states": [state_of(fsm, words, state) for state in range(len(fsm))],
    }


def utf16(text):
    """How JavaScript sorts."""
    return text.encode("utf-16-be")


def state_of(fsm, words, state):
    """A character is looked up if all before it are alive: once for each prefix, or once for each word that has it."""
    asked = [word[:n] for word in words for n in range(1, len(word) + 1) if partial_match(fsm, state, word[: n - 1])]
    row = walk_trie(fsm, state, build_trie(words))
    return {"row": sorted(map(list, row.items())), "onTrie": len({*asked}), "alone": len(asked)}
