"""What the engine calls of the lab: the functions of the file that it is given, each under its name."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import Dfa
from labkit.automata.transitions import Lifted

Words = NDArray[np.int32]
"""A packed row of the vocabulary: ``int32[ceil(V / 32)]``, bit t % 32 of word t // 32 is token t."""

Places = NDArray[np.intp]
"""Numbers: of nodes, of states, of tokens."""

Level = tuple[Places, Places]
"""Nodes of one level of a trie, and the state at each."""


class Stepping(Protocol):
    """What a walk asks of an automaton over bytes; ``ByteDfa`` is one.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
    >>> automaton: Stepping = byte_dfa(compile_dfa("ab"))
    >>> automaton.step(0, ord("a")), automaton.successors(np.array([0]), automaton.byte_classes[[ord("b")]]).tolist()
    (1, [-1])
    """

    @property
    def byte_classes(self) -> Places:
        """``intp[256]``: the class of each byte."""

    def successors(self, states: Places, byte_classes: Places) -> NDArray[np.integer]:
        """Return the state after one step from each of some states, or ``DEAD``."""

    def step(self, state: int, byte: int) -> int:
        """Return the state after one byte, or ``DEAD``."""


class Functions(NamedTuple):
    """The functions of a file: whoever replaces one of them changes what the engine does.

    >>> from labs.lab_07_bytes_and_vocabularies.solution import functions
    >>> functions().pack_mask(np.array([True, False, True])).tolist()
    [5]
    """

    byte_dfa: Callable[[Dfa], ByteDfa]
    build_byte_trie: Callable[[Sequence[bytes | None]], ByteTrie]
    pack_mask: Callable[[NDArray[np.bool_]], Words]
    walk: Callable[..., list[Level]]
    mask_row: Callable[[int, Words, bool], Words]
    pure_tokens: Callable[[Words, Words, Sequence[int]], Words]
    string_row: Callable[..., Words]
    next_state: Callable[..., int]
    lift: Callable[..., Lifted]
