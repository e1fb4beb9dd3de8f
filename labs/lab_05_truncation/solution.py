"""Lab 05: a limit on tokens cuts valid text into invalid text. First show this failure, then prevent it.

A mask guarantees that the text so far is a viable prefix. It says nothing about the end. A second table solves
this: the fewest tokens from each state to an accepting one. A token is allowed only if the rest of the budget
suffices after it.
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
    """Return why a generation ended, in the words of the serving APIs.

    Returns:
        ``"stop"`` if the last token is EOS; otherwise ``"length"``, also if there is no token.

    >>> finish_reason([3, 2, 4], eos_id=4), finish_reason([3, 3, 3], eos_id=4)
    ('stop', 'length')
    """
    # begin TODO
    # subtle: the list may be empty, and EOS counts only at its end
    return "stop" if ids and ids[-1] == eos_id else "length"
    # end TODO


def plain_answer(model: Model, fsm: Fsm, table: Table, vocabulary: Vocabulary, max_tokens: int) -> tuple[str, str]:
    """Return the text of lab 04's greedy generation and its finish reason, as a serving API would. Given.

    >>> from labkit.automata import decimal_fsm
    >>> from labkit.models import digit_lover
    >>> table = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
    >>> plain_answer(digit_lover(Vocabulary.toy()), decimal_fsm(), table, Vocabulary.toy(), 5)
    ('11111', 'length')
    """
    ids = constrained_generate(model, fsm, table, vocabulary, max_tokens)
    return vocabulary.decode(ids), finish_reason(ids, vocabulary.eos_id)


def read_number(text: str, reason: str) -> float | None:
    """Read the number of a finished answer. An answer that was cut is not read, however valid it looks.

    Returns:
        The number if the reason is ``"stop"``; None for any other reason, because ``12`` of a cut ``12.5`` is a
        number, but a wrong one.

    Raises:
        ValueError: if a finished answer is not a number, which means that the mask has a fault.

    >>> read_number("12.5", "stop"), read_number("12", "length") is None
    (12.5, True)
    """
    # begin TODO
    # subtle: the reason decides before the text is parsed, and a fault in a finished answer is not hidden
    return float(text) if reason == "stop" else None
    # end TODO


def predecessors(table: Table) -> list[set[int]]:
    """Return, for each state, the set of states from which some token leads to it.

    >>> predecessors(({7: 1, 8: 1, 9: 0}, {7: 1}))
    [{0}, {0, 1}]
    """
    # begin TODO
    before: dict[int, set[int]] = defaultdict(set)
    for state, row in enumerate(table):
        for target in row.values():
            before[target].add(state)
    # subtle: ask for every state, for a state that no token leads to is not in the dictionary
    return [before[state] for state in range(len(table))]
    # end TODO


def tokens_to_accept(table: Table, accepting: Collection[int]) -> NDArray[np.float64]:
    """Return the fewest tokens from each state to an accepting one; EOS is not counted.

    The search is breadth-first, from all accepting states at once, along the reversed transitions.

    Returns:
        ``float64[S]``: 0.0 in accepting states, and ``inf`` where no sequence of tokens leads to one, even if
        the automaton is alive in characters.

    >>> tokens_to_accept(({0: 1}, {0: 2}, {}, {0: 3}), accepting={2}).tolist()
    [2.0, 1.0, 0.0, inf]
    """
    # begin TODO
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    # start from all accepting states at once, and take the oldest place first
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            # subtle: breadth-first meets each state on a shortest path first, so later meetings do not count
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
    # end TODO


def budget_row(
    row: NDArray[np.bool_], transitions: Mapping[int, int], distance: NDArray[np.float64], remaining: int
) -> NDArray[np.bool_]:
    """Return the mask of the tokens after which the budget still suffices to finish.

    Args:
        row: the state's mask, ``bool[V]`` (lab 04): its tokens, and EOS where the state accepts. It is not changed.
        transitions: the state's row of the table: token id to next state.
        distance: see ``tokens_to_accept``.
        remaining: how many tokens may still be emitted, this one and EOS included; at least 1.

    Returns:
        A new ``bool[V]``: the allowed tokens after which the rest of the budget reaches an accepting state and
        EOS. EOS itself stays as it is.

    >>> row = np.array([True, True, True])
    >>> budget_row(row, {0: 0, 1: 1}, np.array([5.0, 0.0]), remaining=2).tolist()
    [False, True, True]
    """
    # begin TODO
    enough = row.copy()
    # subtle: the 2 stands for this token and EOS; an infinite distance never fits
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough
    # end TODO


def generate_within(
    model: Model,
    fsm: Fsm,
    table: Table,
    vocabulary: Vocabulary,
    max_tokens: int,
    us: Sequence[float] | None = None,
) -> list[int]:
    """Generate as in lab 04, but under the budget mask: the ids always end with EOS, after a whole match.

    Args:
        model: called once for each token emitted, EOS included, with the list of ids so far.
        table: the automaton's table for this vocabulary (lab 03).
        max_tokens: the most tokens to emit, EOS included.
        us: the numbers to sample with, one for each step; None for greedy steps.

    Returns:
        The token ids; the last one is EOS.

    Raises:
        BudgetTooSmall: before the model is asked, if no match and EOS fit into ``max_tokens`` tokens. It carries
            ``max_tokens`` and the tokens needed, EOS included, which may be ``inf``.
        ValueError: from ``choose``, if the model gives every token that the mask keeps minus infinity.

    >>> from labkit.automata import decimal_fsm
    >>> from labkit.models import digit_lover
    >>> vocabulary = Vocabulary.toy()
    >>> table = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
    >>> ids = generate_within(digit_lover(vocabulary), decimal_fsm(), table, vocabulary, 5)
    >>> vocabulary.decode(ids), finish_reason(ids, vocabulary.eos_id)
    ('111.2', 'stop')
    """
    # begin TODO
    # refuse at once what cannot be done; then no step can fail
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids: list[int] = []
    state = fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = mask_row(fsm, table, state, vocabulary)
        # subtle: remaining includes the token that is chosen now
        row = budget_row(row, table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids
    # end TODO


def generate_match(
    model: Model, pattern: str, vocabulary: Vocabulary, max_tokens: int, us: Sequence[float] | None = None
) -> list[int]:
    r"""Generate a match of a pattern: compile (lab 02), lift (lab 03), generate within the budget. Given.

    >>> from labkit.models import digit_lover
    >>> vocabulary = Vocabulary.toy()
    >>> vocabulary.decode(generate_match(digit_lover(vocabulary), r"[0-9]+\.[0-9]+", vocabulary, max_tokens=6))
    '1111.2'
    """
    fsm, table = prepare(pattern, vocabulary)
    return generate_within(model, fsm, table, vocabulary, max_tokens, us)
