"""Fixed questions to each function of lab 07. Their answers distinguish one misconception from another.

Automata, tries and functions are given as data, and results are compared by where they lead: how a student numbers
half characters and groups does not matter.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import LAST_CODE_POINT
from labkit.automata.transitions import Lifted
from labkit.checking.probing import Attempt, attempt

LAST = LAST_CODE_POINT
POINTS = [(0x41, 0x5A), (0x3F, 0x41), (0, 0x7F), (0x80, 0x80), (0xE9, 0xEA), (0xE9, 0x17F), (0x100, 0x150)]
POINTS += [(0x80, 0x7FF), (0x800, 0xD7FF), (0x1000, 0x1FFE), (0xFFC0, 0xFFFE), (0x10000, LAST), (0x1F600, 0x1F64F)]


def probe_end_of_run(lab: Any) -> list[Attempt]:
    return [attempt(lab.end_of_run, start, end) for start, end in POINTS]


# Automata over characters, and what bytes do to them --------------------------------------------------


def _dfa(pieces: Sequence[tuple[int, int, int]], rows: Sequence[Sequence[int]], accepting: Sequence[bool]) -> Dfa:
    """Return an automaton from ranges of code points with their classes; no two ranges touch."""
    places = [(0, -1)] if pieces[0][0] else []
    for first, last, symbol_class in pieces:
        places += [(first, symbol_class)] + ([(last + 1, -1)] if last < LAST else [])
    bounds, classes = zip(*places, strict=True)
    return Dfa(bounds, classes, rows, 0, accepting)


NUMBER = _dfa([(46, 46, 1), (48, 57, 0)], [(1, 2), (1, 2), (3, -1), (3, -1)], [False, False, False, True])
SIGNS = [(0x61, 0x7A, 0), (0xE9, 0xE9, 1), (0xFF, 0xFF, 1), (0x20AC, 0x20AC, 0), (0x20AE, 0x20AE, 1)]
ACCENTS = _dfa(SIGNS, [(0, 1), (1, -1)], [True, True])
ANY = _dfa([(0, LAST, 0)], [(0,)], [True])
ENDS = _dfa([(0xE9, 0xE9, 0), (0x129, 0x129, 1)], [(0, 1), (1, -1)], [False, True])
FACES = _dfa([(0x4E00, 0x4E3F, 0), (0x4E80, 0x4EBF, 1), (0x1F600, 0x1F64F, 0)], [(1, 0), (-1, -1)], [False, True])
AUTOMATA = [NUMBER, ACCENTS, ANY, FACES, ENDS]

TEXTS = [b"1", b".", b"a", b"z", b"{", b"\xc3", b"\xa9", b"\xc3\xa9", b"\xc3\xbf", b"\xc3\xaa", b"\xe2\x82"]
TEXTS += [b"\xe2\x82\xac", b"\xe2\x82\xae", b"\xe2\x82\xad", b"\xe4\xb8\x80", b"\xe4\xb9\x80", b"\xe4\xba\x80"]
TEXTS += [b"\xf0\x9f\x98\x80", b"\xf0\x9f\x99\x90", b"\x80", b"\xc0\xaf", b"\xe0\x81\x81", b"\xed\xa0\x80", b"\xff"]
TEXTS += [
    b"\xc3\xa9a",
    b"\xc3\xa9\xc3\xa9",
    b"\xf4\x8f\xbf\xbf",
    b"\xf4\x90\x80\x80",
    b"\xdf\xbf",
    b"\xc4\xa9",
    b"\x00",
    b"\x7f",
]


def probe_byte_dfa(lab: Any) -> list[Attempt]:
    def question(dfa: Dfa) -> list[object]:
        """Return the automaton's type, its number of nodes, and where bytes lead: a character state, "half", or -1."""
        automaton: ByteDfa = lab.byte_dfa(dfa)
        ends = [reduce(automaton.step, text, state) for state in range(len(dfa)) for text in TEXTS]
        return [type(automaton).__name__, len(automaton.steps), ["half" if end >= len(dfa) else end for end in ends]]

    return [attempt(question, dfa) for dfa in AUTOMATA]


# Tries ------------------------------------------------------------------------------------------------


def _trie(tokens: Sequence[bytes]) -> ByteTrie:
    """Return the trie of some tokens; those without bytes end nowhere."""
    prefixes = {token[:n] for token in tokens for n in range(len(token) + 1)} | {b""}
    paths = sorted(prefixes, key=lambda path: (len(path), path))
    parent = [-1, *(paths.index(path[:-1]) for path in paths[1:])]
    ends = [paths.index(token) if token else -1 for token in tokens]
    return ByteTrie(np.array(parent), np.array([0, *(path[-1] for path in paths[1:])]), np.array(ends))


# Lifting ----------------------------------------------------------------------------------------------


def _automaton() -> ByteDfa:
    """Return the automaton of é, a and numbers: node 1 is after C3."""
    dfa = _dfa([(48, 57, 0), (97, 97, 1), (0xE9, 0xE9, 2)], [(1, 2, 0), (1, -1, 2), (-1, 2, -1)], [False, True, True])
    steps = np.zeros((2, 256), np.int32)
    steps[0, 48:58], steps[0, 97], steps[0, 0xC3], steps[1, 0xA9] = -1, -2, 1, -3
    return ByteDfa(dfa, steps)


TOKENS = [b"1", b"12", b"1a", b"", b"a", b"a1", b"\xc3", b"\xa9", b"\xc3\xa9"]
TOKENS += [b"\xa9a", b"x1", b"1\xc3", b"1", b"aa"]


def probe_lift(lab: Any) -> list[Attempt]:
    automaton = _automaton()
    half = len(automaton.dfa)
    vocabularies = [TOKENS, [b"1", b""], [b"", b""], [b"1a", b"2", b"a\xc3"], [b"\x00", b"\x01"]]
    starts = [[0], [1], [0, 1, 2], [1, half, half + 1]]
    # Class 0 is all of ASCII here, and alive; FF has class 1.
    ascii_only = ByteDfa(_dfa([(0, 127, 0)], [(0,)], [True]), np.array([[-1] * 128 + [0] * 128]))
    more = attempt(_lifted, lab, [b"a", b"\xff"], ascii_only, [0])
    return [*(attempt(_lifted, lab, each, automaton, states) for each in vocabularies for states in starts), more]


def _lifted(lab: Any, tokens: Sequence[bytes], automaton: ByteDfa, states: Sequence[int]) -> list[object]:
    """Return where each token leads from each state, and which tokens share a group."""
    lifted: Lifted = lab.lift(_trie(tokens), automaton, np.array(states))
    numbers: dict[int, int] = {}
    groups = [numbers.setdefault(group, len(numbers)) for group in lifted.groups.tolist()]
    targets = [lifted.target(state, token_id) for state in states for token_id in range(len(tokens))]
    return [type(lifted).__name__, targets, groups]


# Masks, and the automaton over tokens -------------------------------------------------------------------


def probe_walk(lab: Any) -> list[Attempt]:
    automaton = _automaton()
    trie = _trie(TOKENS)
    starts: list[list[tuple[int, int]]] = [[(0, 0)], [(0, 1)], [(0, 2)], [(0, len(automaton.dfa))], []]
    starts.append([(1, 0), (2, 1), (3, 2)])

    def question(start: list[tuple[int, int]], few: int) -> list[object]:
        nodes, states = (np.array([pair[end] for pair in start], np.intp) for end in (0, 1))
        return [[np.array(nodes), np.array(states)] for nodes, states in lab.walk(trie, automaton, nodes, states, few)]

    return [attempt(question, start, few) for start in starts for few in (0, 1, 3)]


ROWS = [np.array(words, np.int32) for words in ([0b1010], [-(2**31), 7], [-1, -1], [0, 0])]


def probe_mask_row(lab: Any) -> list[object]:
    asked = [(row, eos_id) for row in ROWS for eos_id in (0, 3, 31, 32 * len(row) - 1)]
    rows = [(row.copy(), eos_id, accepting) for row, eos_id in asked for accepting in (False, True)]
    return [[attempt(lab.mask_row, eos_id, row, accepting), row] for row, eos_id, accepting in rows]


def probe_pure_tokens(lab: Any) -> list[object]:
    has = np.zeros((129, 2), np.int32)
    has[34], has[97], has[128] = [5, 0], [-(2**31), 3], [2, 2]
    excluded: list[Sequence[int]] = [b'"', [97], (34, 97), [128, 34], b"", [98], range(129), [34, 34]]
    asked = [(np.array(valid, np.int32), each) for valid in ([-1, 7], [4, 1]) for each in excluded]
    return [[attempt(lab.pure_tokens, valid, has, each), valid] for valid, each in asked]


def probe_next_state(lab: Any) -> list[Attempt]:
    automaton, tokens = _automaton(), (*TOKENS[:8], None)
    states = [0, 1, 2, len(automaton.dfa), DEAD]
    asked = [(state, token_id) for state in states for token_id in range(-len(tokens), len(tokens) + 2)]
    return [attempt(lab.next_state, automaton, tokens, *question) for question in [*asked, (0, np.int64(0))]]
