# Your file for lab 05. Replace each `raise NotImplementedError` by code of your own, in any order.
# How far you are:  LAB_IMPL=starter pytest labs/lab_05_truncation
#             (or:  python -m course test 05)
# Stuck on TODO 1:  python -m course hint 05.1
# The README beside this file explains the idea.

"""Lab 05: a limit on tokens cuts valid text into invalid text. First see it, then make it impossible.

A mask guarantees that the text so far is the beginning of a match. It says nothing about the end. The way out
is a second table: the fewest tokens from each state to an accepting one. A token is allowed only if what
remains of the budget suffices after it.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.errors import BudgetTooSmall
from labkit.models import Model
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import Table
from labs.lab_04_eos_gating.solution import choose, constrained_generate, mask_logits, mask_row, prepare


def finish_reason(ids: Sequence[int], eos_id: int) -> str:
    """Why a generation ended, in the words of the serving APIs.

    Returns:
        ``"stop"`` if its last token is EOS, ``"length"`` otherwise: the budget ended it.

    >>> finish_reason([3, 2, 4], eos_id=4), finish_reason([3, 3, 3], eos_id=4)
    ('stop', 'length')
    """
    raise NotImplementedError("lab 05, TODO 1 (about 1 line): 'stop' after EOS, else 'length'")


def plain_answer(model: Model, fsm: Fsm, table: Table, vocabulary: Vocabulary, max_tokens: int) -> tuple[str, str]:
    """Given: lab 04's greedy generation, as a serving API would hand it out: the text, and why it ended.

    >>> from labkit.automata import decimal_fsm
    >>> from labkit.models import digit_lover
    >>> table = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
    >>> plain_answer(digit_lover(Vocabulary.toy()), decimal_fsm(), table, Vocabulary.toy(), 5)
    ('11111', 'length')
    """
    ids = constrained_generate(model, fsm, table, vocabulary, max_tokens)
    return vocabulary.decode(ids), finish_reason(ids, vocabulary.eos_id)


def read_number(text: str, reason: str) -> float | None:
    """What a careful program does with an answer: one that was cut is not read, however valid it looks.

    Returns:
        The number if the reason is ``"stop"``, and None for any other. ``12`` of a cut ``12.5`` is a number, and wrong.

    Raises:
        ValueError: if a finished answer is no number: then the mask has a fault, and nobody may look away.

    >>> read_number("12.5", "stop"), read_number("12", "length") is None
    (12.5, True)
    """
    raise NotImplementedError("lab 05, TODO 2 (about 1 line): read what was finished, distrust what was cut")


def predecessors(table: Table) -> list[set[int]]:
    """The table's transitions turned round: for each state, the states from which some token leads to it.

    >>> predecessors(({7: 1, 8: 1, 9: 0}, {7: 1}))
    [{0}, {0, 1}]
    """
    raise NotImplementedError("lab 05, TODO 3 (about 5 lines): for each state, the states one token before it")


def tokens_to_accept(table: Table, accepting: Collection[int]) -> NDArray[np.float64]:
    """The fewest tokens from each state to an accepting one; EOS is not counted.

    Breadth-first and backwards: from all accepting states at once, along the transitions turned round.

    Returns:
        ``float64[S]``: 0.0 in accepting states, ``inf`` where no sequence of tokens leads to one, be the
        automaton alive in characters or not.

    >>> tokens_to_accept(({0: 1}, {0: 2}, {}, {0: 3}), accepting={2}).tolist()
    [2.0, 1.0, 0.0, inf]
    """
    raise NotImplementedError("lab 05, TODO 4 (about 11 lines): breadth-first, backwards, from the accepting states")


def budget_row(
    row: NDArray[np.bool_], transitions: Mapping[int, int], distance: NDArray[np.float64], remaining: int
) -> NDArray[np.bool_]:
    """A mask that keeps enough budget to finish.

    Args:
        row: the state's mask, ``bool[V]`` (lab 04): its tokens, and EOS where the state accepts. It stays as it is.
        transitions: the state's row of the table: token id to next state.
        distance: see ``tokens_to_accept``.
        remaining: how many tokens may still be emitted, this one and EOS included; at least 1.

    Returns:
        A new ``bool[V]``: of the allowed tokens those after which the rest of the budget reaches an accepting
        state and EOS. EOS itself stays as it is.

    >>> row = np.array([True, True, True])
    >>> budget_row(row, {0: 0, 1: 1}, np.array([5.0, 0.0]), remaining=2).tolist()
    [False, True, True]
    """
    raise NotImplementedError("lab 05, TODO 5 (about 4 lines): drop tokens that the budget cannot finish")


def generate_within(
    model: Model,
    fsm: Fsm,
    table: Table,
    vocabulary: Vocabulary,
    max_tokens: int,
    us: Sequence[float] | None = None,
) -> list[int]:
    """Lab 04's generation under the budget mask: it always ends with EOS, after a whole match.

    Args:
        model: called once for each token emitted, EOS included, with the list of ids so far.
        table: the automaton's table for this vocabulary (lab 03).
        max_tokens: the most tokens to emit, EOS included.
        us: the numbers to sample with, one for each step; None for greedy steps.

    Returns:
        The token ids; the last one is EOS.

    Raises:
        BudgetTooSmall: before the model is asked at all, if no match fits into ``max_tokens`` tokens.

    >>> from labkit.automata import decimal_fsm
    >>> from labkit.models import digit_lover
    >>> vocabulary = Vocabulary.toy()
    >>> table = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
    >>> ids = generate_within(digit_lover(vocabulary), decimal_fsm(), table, vocabulary, 5)
    >>> vocabulary.decode(ids), finish_reason(ids, vocabulary.eos_id)
    ('111.2', 'stop')
    """
    raise NotImplementedError("lab 05, TODO 6 (about 12 lines): refuse a hopeless budget, then generate within it")


def generate_match(
    model: Model, pattern: str, vocabulary: Vocabulary, max_tokens: int, us: Sequence[float] | None = None
) -> list[int]:
    r"""Given: from a pattern to a match. Compile (lab 02), lift (lab 03), generate within the budget.

    >>> from labkit.models import digit_lover
    >>> vocabulary = Vocabulary.toy()
    >>> vocabulary.decode(generate_match(digit_lover(vocabulary), r"[0-9]+\.[0-9]+", vocabulary, max_tokens=6))
    '1111.2'
    """
    fsm, table = prepare(pattern, vocabulary)
    return generate_within(model, fsm, table, vocabulary, max_tokens, us)
