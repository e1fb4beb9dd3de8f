"""Fixed questions to each function of lab 07. Their answers distinguish one misconception from another.

Automata, tries and functions are given as data, and results are compared by where they lead: how a student numbers
half characters and groups does not matter.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import LAST_CODE_POINT
from labkit.automata.transitions import Lifted, Transitions
from labkit.checking.probing import Attempt, attempt
from labkit.vocabulary import Vocabulary

LAST = LAST_CODE_POINT
POINTS = [(0x41, 0x5A), (0x3F, 0x41), (0, 0x7F), (0x80, 0x80), (0xE9, 0xEA), (0xE9, 0x17F), (0x100, 0x150)]
POINTS += [(0x80, 0x7FF), (0x800, 0xD7FF), (0x1000, 0x1FFE), (0xFFC0, 0xFFFE), (0x10000, LAST), (0x1F600, 0x1F64F)]


def _end_of_run(lab: Any) -> list[Attempt]:
    return [attempt(lab.end_of_run, start, end) for start, end in POINTS]


def _utf8_sequences(lab: Any) -> list[Attempt]:
    more = [(0, LAST), (0x41, 0x41), (0x7F, 0x80), (0x7FF, 0x800), (0xD7FF, 0xE000), (0xD800, 0xDFFF), (0xFFFF, LAST)]
    return [attempt(lab.utf8_sequences, first, last) for first, last in POINTS + more]


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
FACES = _dfa([(0x4E00, 0x4E3F, 0), (0x4E80, 0x4EBF, 1), (0x1F600, 0x1F64F, 0)], [(1, 0), (-1, -1)], [False, True])
AUTOMATA = [NUMBER, ACCENTS, ANY, FACES]

TEXTS = [b"1", b".", b"a", b"z", b"{", b"\xc3", b"\xa9", b"\xc3\xa9", b"\xc3\xbf", b"\xc3\xaa", b"\xe2\x82"]
TEXTS += [b"\xe2\x82\xac", b"\xe2\x82\xae", b"\xe2\x82\xad", b"\xe4\xb8\x80", b"\xe4\xb9\x80", b"\xe4\xba\x80"]
TEXTS += [b"\xf0\x9f\x98\x80", b"\xf0\x9f\x99\x90", b"\x80", b"\xc0\xaf", b"\xe0\x81\x81", b"\xed\xa0\x80", b"\xff"]
TEXTS += [b"\xc3\xa9a", b"\xc3\xa9\xc3\xa9", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xdf\xbf", b"\x00", b"\x7f"]


def _utf8_tree(lab: Any) -> list[Attempt]:
    return [attempt(lab.utf8_tree, dfa) for dfa in AUTOMATA]


def _byte_dfa(lab: Any) -> list[Attempt]:
    return [attempt(_ends, lab, dfa) for dfa in AUTOMATA]


def _ends(lab: Any, dfa: Dfa) -> list[object]:
    """Return the type of the automaton, its number of nodes, and where bytes lead: a character state, "half", or -1."""
    automaton: ByteDfa = lab.byte_dfa(dfa)
    ends = [_walk(automaton, state, text) for state in range(len(dfa)) for text in TEXTS]
    return [type(automaton).__name__, len(automaton.steps), ["half" if end >= len(dfa) else end for end in ends]]


def _walk(automaton: ByteDfa, state: int, text: bytes) -> int:
    for byte in text:
        state = automaton.step(state, byte)
    return state


# Tries ------------------------------------------------------------------------------------------------


def _build_byte_trie(lab: Any) -> list[Attempt]:
    questions: list[list[bytes | None]] = [
        [b"a", b"ab", b"b"],
        [b"b", b"abc", b"a", b"bb"],
        [b"ab", b"c", b"ab"],
        [b"a", None, b"", b"a"],
        [b"\xff\x00", b"\x00"],
        [None],
        [],
        [b" a", b"a ", b" "],
    ]
    return [attempt(lab.build_byte_trie, question) for question in questions]


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


def _transitions(*functions: dict[int, int]) -> Transitions:
    pairs = [sorted(function.items()) for function in functions]
    first = np.cumsum([0, *map(len, pairs)])
    sources, targets = ([pair[end] for row in pairs for pair in row] for end in (0, 1))
    return Transitions(first, np.array(sources, np.int32), np.array(targets, np.int32))


def _follow(lab: Any) -> list[Attempt]:
    automaton, known = _automaton(), _transitions({}, {0: 0, 1: 1, 2: 2}, {0: 1, 5: 3}, {4: 2})
    questions = [[(1, 0x31)], [(1, 0x61), (1, 0xC3)], [(2, 0xA9), (3, 0x31), (0, 0x31), (2, 0x61), (1, 0x31)], []]
    return [attempt(_followed, lab, automaton, known, question) for question in questions]


def _followed(lab: Any, automaton: ByteDfa, known: Transitions, question: Sequence[tuple[int, int]]) -> Transitions:
    numbers, after = (np.array([pair[end] for pair in question], np.intp) for end in (0, 1))
    found: Transitions = lab.follow(automaton, known, numbers, automaton.byte_classes[after])
    return found


def _fresh_keys(lab: Any) -> list[object]:
    def question(known: list[int], asked: list[int]) -> object:
        after, keys = np.array(known, np.intp), np.array(asked, np.intp)
        return [attempt(lab.fresh_keys, after, keys), after, keys]

    return [
        question([0, -1, 5, -1, -1], [3, 2, 3, 0, 1, 3]),
        question([0, 0, -1, -1], [1, 0]),
        question([-1, -1], []),
        question([-1, 3, -1], [2, 0]),
    ]


def _lift(lab: Any) -> list[Attempt]:
    automaton = _automaton()
    half = len(automaton.dfa)
    tokens = [b"1", b"12", b"1a", b"", b"a", b"a1", b"\xc3", b"\xa9", b"\xc3\xa9"]
    tokens += [b"\xa9a", b"x1", b"1\xc3", b"1", b"aa"]
    vocabularies = [tokens, [b"1", b""], [b"", b""], [b"1a", b"2", b"a\xc3"]]
    starts = [[0], [1], [0, 1, 2], [1, half, half + 1]]
    return [attempt(_lifted, lab, each, automaton, states) for each in vocabularies for states in starts]


def _lifted(lab: Any, tokens: Sequence[bytes], automaton: ByteDfa, states: Sequence[int]) -> list[object]:
    """Return where each token leads from each state, and which tokens share a group."""
    lifted: Lifted = lab.lift(_trie(tokens), automaton, np.array(states))
    numbers: dict[int, int] = {}
    groups = [numbers.setdefault(group, len(numbers)) for group in lifted.groups.tolist()]
    targets = [lifted.target(state, token_id) for state in states for token_id in range(len(tokens))]
    return [type(lifted).__name__, targets, groups]


# Masks, and the automaton over tokens -------------------------------------------------------------------


def _pack_mask(lab: Any) -> list[Attempt]:
    masks = [(5, [0, 2]), (32, [31]), (32, [0, 31]), (33, [32]), (40, []), (64, [0, 31, 32, 63]), (131, [7, 40, 130])]
    return [attempt(lab.pack_mask, np.isin(np.arange(size), ids)) for size, ids in masks]


LIFTED = Lifted(np.array([0, 1, 2, 1, 0, 3, 2]), _transitions({}, {5: 6, 7: 7}, {5: 5}, {7: 1}))
FEW = Lifted(np.array([0] * 90 + [1, 0, 2, 0, 1]), _transitions({}, {5: 6, 7: 7}, {5: 5}))


def _mask_row(lab: Any) -> list[Attempt]:
    questions = [(lifted, state, eos_id) for lifted in (LIFTED, FEW) for state in (5, 7, 9) for eos_id in (0, 3)]
    return [
        attempt(lab.mask_row, eos_id, lifted, lifted.alive_from(state), accepting)
        for lifted, state, eos_id in questions
        for accepting in (False, True)
    ]


def _text_bytes(lab: Any) -> list[Attempt]:
    halves = [b"a", b"\xe2\x82", b" a", b"a", b"\xc3\xa9", b"</s>"]
    names = [b"1", b"2", b"", b"<s>", b"<b>", b"\x00", b"</s>"]
    return [
        attempt(lab.text_bytes, Vocabulary(halves, eos_id=5)),
        attempt(lab.text_bytes, Vocabulary(names, eos_id=6, special_ids=[1, 3])),
        attempt(lab.text_bytes, Vocabulary(names, eos_id=0)),
        attempt(lab.text_bytes, Vocabulary([b" ", b"\t", b"</s>"], eos_id=2)),
    ]


def _next_state(lab: Any) -> list[Attempt]:
    asked = [(state, token_id) for state in (5, 7, 9, DEAD) for token_id in range(-8, 9)]
    to_zero = Lifted(np.array([0, 1]), _transitions({}, {5: 0}))
    found = [attempt(lab.next_state, LIFTED, *question) for question in [*asked, (5, np.int64(1))]]
    return [*found, attempt(lab.next_state, to_zero, 5, 1)]


def _compile_token_fsm(lab: Any) -> list[Attempt]:
    tokens = [b"a", b"\xc3", b"\xa9", b"1", b"ab", b"1", b"\xc3\xa9", b"</s>"]
    patterns = ["1+", "a1", "é|a", "[aé]{2}", "(ab)?", r"\w"]

    def masks(index: Any, pattern: str) -> list[Attempt]:
        """Return the mask at the start and after each token."""
        fsm = lab.compile_token_fsm(pattern, index)
        start = fsm.initial_state
        after = [attempt(lambda t: fsm.mask(fsm.next_state(start, t)), token_id) for token_id in range(len(tokens))]
        return [attempt(fsm.mask, start), *after]

    def ask(tokens: list[bytes], eos_id: int) -> list[Attempt]:
        index = lab.TokenVocabularyIndex(Vocabulary(tokens, eos_id=eos_id))
        return [attempt(masks, index, pattern) for pattern in patterns]

    return [attempt(ask, tokens, 7), attempt(ask, tokens[::-1], 0)]


PROBES: dict[int, Callable[[Any], Any]] = {
    1: _end_of_run,
    2: _utf8_sequences,
    3: _utf8_tree,
    4: _byte_dfa,
    5: _build_byte_trie,
    6: _follow,
    7: _fresh_keys,
    8: _lift,
    9: _pack_mask,
    10: _mask_row,
    11: _text_bytes,
    12: _next_state,
    13: _compile_token_fsm,
}
"""For each TODO, the function that puts its questions."""
