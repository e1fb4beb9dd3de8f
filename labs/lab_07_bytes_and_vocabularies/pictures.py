"""The pictures of lab 07's README: each public function draws the one of its name."""

import numpy as np

from labkit.automata.dfa import BYTES, DEAD, Dfa
from labkit.pictures import (
    Svg,
    TokenFunction,
    byte_boxes_svg,
    fsm_svg,
    functions_svg,
    words_svg,
    written_out,
)
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa, lift, pack_mask, utf8_sequences

_NUMBER = r"([0-9]+)?\.[0-9]+"
_TOKENS = ("7", "42", "007", "2024", ".", "1.", "42.", ".5", ".21", "3.14", "a", "1.1.")
_NINE = (b"a", b"ab", b"abc", b"b", "é".encode(), b"\xc3", b"\xe2\x82", "€".encode(), b"\xac")


def range_boxes() -> Svg:
    """Draw where a range of code points is cut into runs."""
    boxes = [(one, other) for one, other in utf8_sequences(0xE9, 0x212)]
    return byte_boxes_svg(boxes, title="U+00E9 to U+0212 in UTF-8: three boxes")


def half_character() -> Svg:
    """Draw an automaton over bytes after a token that ends in the middle of a character."""
    automaton = byte_dfa(compile_dfa("caf[éè]"))
    path = [automaton.initial]
    for byte in b"caf\xc3":
        path.append(automaton.step(path[-1], byte))
    flat, states = written_out(automaton)
    walked = [states.index(state) for state in path]
    return fsm_svg(flat, path=walked, highlight=walked[-1], title="caf[éè] over bytes, after c, a, f and C3")


def byte_trie() -> Svg:
    """Draw nine tokens as a trie, as the automaton that it is."""
    trie = build_byte_trie(_NINE)
    table = np.full((len(trie), BYTES), DEAD)
    table[trie.parent[1:], trie.byte[1:]] = np.arange(1, len(trie))
    ends = np.isin(np.arange(len(trie)), trie.node_of_token)
    automaton = Dfa(np.arange(BYTES), np.arange(BYTES), table, 0, ends, symbols=BYTES)
    return fsm_svg(automaton, title="A trie of nine tokens: nodes are numbered level by level")


def number_automaton() -> Svg:
    """Draw the automaton whose tokens are drawn as functions."""
    return fsm_svg(compile_dfa(_NUMBER), title=_NUMBER)


def token_functions() -> Svg:
    """Draw ten tokens that are three functions, and two that are dead everywhere."""
    dfa = compile_dfa(_NUMBER)
    states = range(len(dfa))
    lifted = lift(build_byte_trie([token.encode() for token in _TOKENS]), byte_dfa(dfa), states)
    panels = []
    for group in dict.fromkeys(lifted.groups.tolist()):
        first = lifted.groups.tolist().index(group)
        transitions = {s: lifted.target(s, first) for s in states if lifted.target(s, first) != DEAD}
        tokens = [token for token, other in zip(_TOKENS, lifted.groups.tolist(), strict=True) if other == group]
        panels.append(TokenFunction(f"function {group}", transitions, tokens))
    return functions_svg(panels, len(dfa), title=f"Twelve tokens, and what they do to the automaton of {_NUMBER}")


def packed_words() -> Svg:
    """Draw a mask of forty tokens in two words."""
    allowed = np.isin(np.arange(40), (0, 2, 5, 31, 32, 39))
    return words_svg(pack_mask(allowed).tolist(), 40, title="A mask of 40 tokens: 0, 2, 5, 31, 32 and 39 are allowed")
