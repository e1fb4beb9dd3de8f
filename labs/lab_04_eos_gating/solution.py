"""Lab 04: stopping is a token. EOS is legal where the automaton accepts, and nowhere else.

With EOS the loop of the earlier labs becomes constrained generation: a text that ends with EOS is a match. A
limit on tokens may still cut the text off before that (lab 05).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.errors import NoLegalToken
from labkit.models import Model
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching.solution import sample, softmax
from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_03_token_lifting.solution import Table, build_trie, lift


def prepare(pattern: str, vocabulary: Vocabulary) -> tuple[Fsm, Table]:
    """Compile a pattern (lab 02) and lift it to a vocabulary (lab 03), once for both. Given.

    >>> fsm, table = prepare("1+", Vocabulary.toy())
    >>> len(fsm), table
    (2, ({3: 1}, {3: 1}))
    """
    fsm = compile_pattern(pattern)
    return fsm, lift(fsm, build_trie(vocabulary.texts()))


def mask_row(fsm: Fsm, table: Table, state: int, vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Return the mask of a state: the tokens of the table's row, and EOS if the state accepts.

    Args:
        table: ``table[state][token_id]`` is the state after a token that is allowed (lab 03).

    Returns:
        ``bool[V]``. It is all False in a dead end: a state that does not accept and that no token leaves.

    >>> from labkit.automata import decimal_fsm
    >>> table = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
    >>> mask_row(decimal_fsm(), table, 0, Vocabulary.toy()).tolist()
    [False, True, True, True, False]
    >>> mask_row(decimal_fsm(), table, 3, Vocabulary.toy()).tolist()
    [False, False, False, True, True]
    """
    # begin TODO
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    # subtle: EOS depends on the state alone, so it may be legal beside other tokens, and never in a dead end
    row[vocabulary.eos_id] = state in fsm.accepting
    return row
    # end TODO


def mask_rows(fsm: Fsm, table: Table, vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Return the masks of all states, in order: ``bool[S, V]``.

    >>> from labkit.automata import decimal_fsm
    >>> mask_rows(decimal_fsm(), ({}, {}, {}, {}), Vocabulary.toy())[:, 4].tolist()
    [False, False, False, True]
    """
    # begin TODO
    return np.stack([mask_row(fsm, table, state, vocabulary) for state in range(len(fsm))])
    # end TODO


def mask_logits(logits: NDArray[np.floating], row: NDArray[np.bool_]) -> NDArray[np.floating]:
    """Return the logits, with minus infinity wherever a token is not allowed, in a new array of the same dtype.

    Returns:
        A new array, in which allowed logits keep every bit. The caller's array is not changed.

    Raises:
        ValueError: if the shapes differ, or if no token is allowed: softmax would make NaN of such a row.

    >>> mask_logits(np.float32([1, 2, 3]), np.array([True, False, True])).tolist()
    [1.0, -inf, 3.0]
    """
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    # begin TODO
    # subtle: refuse the mask here, because argmax and softmax would not
    if not row.any():
        raise ValueError("no token is allowed")
    masked = logits.copy()
    masked[~row] = -np.inf
    return masked
    # end TODO


def choose(masked: NDArray[np.floating], u: float | None) -> int:
    """Return the id that a step emits: the sampled one with a ``u``, the one with the highest logit without.

    Of equal logits the smallest id wins. The result is a plain int.

    Raises:
        ValueError: if every logit is ``-inf``: there is nothing to choose from.

    >>> choose(np.float32([1, -np.inf, 3, 3]), None), choose(np.float32([1, -np.inf, 1]), 0.7)
    (2, 2)
    """
    if not np.isfinite(masked).any():
        raise ValueError("no token has a finite logit: the mask and the model left nothing to choose from")
    # begin TODO
    # subtle: 0.0 is a u, although it is false
    return int(np.argmax(masked)) if u is None else sample(softmax(masked), u)
    # end TODO


def constrained_generate(
    model: Model,
    fsm: Fsm,
    table: Table,
    vocabulary: Vocabulary,
    max_tokens: int,
    us: Sequence[float] | None = None,
) -> list[int]:
    """Generate until EOS, which only an accepting state allows, or until ``max_tokens`` tokens are emitted.

    A step is greedy or sampled: see ``choose``.

    Args:
        model: called once for each token emitted, EOS included, with the list of ids so far; returns logits
            ``float[V]``, which are not changed.
        table: the automaton's table for this vocabulary (lab 03).
        max_tokens: the most tokens to emit, EOS included.
        us: the numbers to sample with, one for each step, ``max_tokens`` of them or more; the list is not
            changed. None for greedy steps.

    Returns:
        The token ids; the last one is EOS, unless ``max_tokens`` cut the text off.

    Raises:
        NoLegalToken: in a state where no token is legal, not even EOS. It carries the state and the text so far,
            and is raised before the model is asked.
        ValueError: if the model gives every legal token minus infinity.

    >>> from labkit.models import adversary
    >>> vocabulary = Vocabulary.toy()
    >>> fsm, table = prepare("1+[.]2", vocabulary)
    >>> ids = constrained_generate(adversary(vocabulary, ["a"]), fsm, table, vocabulary, 8, [0.9, 0.4, 0.5, 0.5])
    >>> ids, vocabulary.decode(ids)
    ([3, 2, 4], '1.2')
    """
    # begin TODO
    ids: list[int] = []
    state = fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        # subtle: a dead end is an error, not an end; raise before the model is asked
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        # one model call, one token: EOS is emitted like the others
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
    # end TODO
