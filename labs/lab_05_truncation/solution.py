"""Lab 05: a limit on tokens cuts valid text into invalid text. First watch it happen, then make it impossible.

A mask guarantees that the text can still become a match, and says nothing about whether it ever does. So measure how
far it is from each state to an accepting one, in tokens, and allow a token only if the rest of the budget is enough
to finish after it.
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
        ``"stop"`` if the last token is EOS, and ``"length"`` otherwise. An answer without any token was cut as well.

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
    """Return the number in an answer, if the answer was finished.

    Returns:
        The number if the reason is ``"stop"``, as ``float`` reads it, and None for any other. Don't trust a text that
        was cut, however valid it looks: the ``12`` of a cut ``12.5`` is a number, but the wrong one.

    Raises:
        ValueError: if a finished answer isn't a number. Then the mask is broken, and you'd want to hear about it.

    >>> read_number("12.5", "stop"), read_number("12", "length") is None
    (12.5, True)
    """
    # begin TODO
    # subtle: look at the reason before you parse, and let the error of a finished answer through
    return float(text) if reason == "stop" else None
    # end TODO


def predecessors(table: Table) -> list[set[int]]:
    """Return, for each state, the set of states from which at least one token leads there.

    It's the table read backwards. If no token leads to a state, its set is empty.

    >>> predecessors(({7: 1, 8: 1, 9: 0}, {7: 1}))
    [{0}, {0, 1}]
    """
    # begin TODO
    before: dict[int, set[int]] = defaultdict(set)
    for state, row in enumerate(table):
        for target in row.values():
            before[target].add(state)
    # subtle: go through all states, because one that no token leads to isn't in the dictionary yet
    return [before[state] for state in range(len(table))]
    # end TODO


def tokens_to_accept(table: Table, accepting: Collection[int]) -> NDArray[np.float64]:
    """Return the fewest tokens from each state to an accepting one. EOS isn't counted.

    Search breadth-first and backwards, from all accepting states at once, since a text may end in any of them. Don't
    use recursion, because a path may be longer than Python's stack is deep.

    Returns:
        ``float64[S]``: 0.0 in accepting states, and ``inf`` in states from which no sequence of tokens leads to one,
        even if a sequence of characters does.

    >>> tokens_to_accept(({0: 1}, {0: 2}, {}, {0: 3}), accepting={2}).tolist()
    [2.0, 1.0, 0.0, inf]
    """
    # begin TODO
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    # start from all accepting states at once, and always take the one that has waited longest
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            # subtle: a breadth-first search arrives on a shortest path first, so only the first visit counts
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
    # end TODO


def budget_row(
    row: NDArray[np.bool_], transitions: Mapping[int, int], distance: NDArray[np.float64], remaining: int
) -> NDArray[np.bool_]:
    """Return the mask without the tokens that leave too little budget to finish.

    Args:
        row: the mask of the state, ``bool[V]`` (lab 04): its tokens, and EOS where it accepts. Don't change it.
        transitions: the state's row of the table, from token ids to next states.
        distance: see ``tokens_to_accept``.
        remaining: how many tokens may still be emitted, at least 1. The one chosen now counts, and so does EOS.

    Returns:
        A new ``bool[V]``. An allowed token is kept if the budget that's left after it is enough to get to an accepting
        state, and then to EOS. The entry of EOS itself stays as it was.

    >>> row = np.array([True, True, True])
    >>> budget_row(row, {0: 0, 1: 1}, np.array([5.0, 0.0]), remaining=2).tolist()
    [False, True, True]
    """
    # begin TODO
    enough = row.copy()
    # subtle: the 2 is this token and EOS; and an infinite distance never fits
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
    """Generate as in lab 04, but under the budget mask, so that every text is a whole match and ends with EOS.

    Args:
        model, us: see ``constrained_generate``. Call the model once for each token, EOS included.
        table: the automaton's table for this vocabulary (lab 03).
        max_tokens: the most tokens to emit, EOS included.

    Returns:
        The token ids. The last one is EOS.

    Raises:
        BudgetTooSmall: if no match and its EOS fit into ``max_tokens`` tokens. It carries ``max_tokens`` and the tokens
            needed, EOS included, which may be ``inf``. Raise it before you ask the model, so that a hopeless request
            costs nothing.
        ValueError: from ``choose``, if the model gives minus infinity to every token that the mask keeps.

    >>> from labkit.automata import decimal_fsm
    >>> from labkit.models import digit_lover
    >>> vocabulary = Vocabulary.toy()
    >>> table = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
    >>> ids = generate_within(digit_lover(vocabulary), decimal_fsm(), table, vocabulary, 5)
    >>> vocabulary.decode(ids), finish_reason(ids, vocabulary.eos_id)
    ('111.2', 'stop')
    """
    # begin TODO
    # refuse what can't be done, and after that no step can run out of tokens
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids: list[int] = []
    state = fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = mask_row(fsm, table, state, vocabulary)
        # subtle: remaining counts the token that you're about to choose
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
