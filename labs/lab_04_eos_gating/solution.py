"""Lab 04: let the model stop. EOS is a token, and it's legal where the automaton accepts, and nowhere else.

With EOS, the loop of the earlier labs becomes constrained generation: whatever the model wants, a text that ends with
EOS is a match. But a limit on tokens may still cut a text before it gets that far (lab 05).
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
    """Compile a pattern (lab 02) and lift it to a vocabulary (lab 03). Given.

    >>> fsm, table = prepare("1+", Vocabulary.toy())
    >>> len(fsm), table
    (2, ({3: 1}, {3: 1}))
    """
    fsm = compile_pattern(pattern)
    return fsm, lift(fsm, build_trie(vocabulary.texts()))


def mask_row(fsm: Fsm, table: Table, state: int, vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Return the mask of a state: the tokens in its row of the table, and EOS if the state accepts.

    Args:
        table: ``table[state][token_id]`` is the state after an allowed token (lab 03). EOS isn't in it, because the
            table was made from the tokens' texts and EOS has none.

    Returns:
        ``bool[V]``. It's all False in a dead end, where no token is allowed and the text may not end either.

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
    # subtle: EOS depends on the state, not on the other bits: it may be legal beside them, and never in a dead end
    row[vocabulary.eos_id] = state in fsm.accepting
    return row
    # end TODO


def mask_rows(fsm: Fsm, table: Table, vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Return the masks of all states, stacked in order: ``bool[S, V]``.

    A mask depends on the state alone, so you can make all of them before the first token.

    >>> from labkit.automata import decimal_fsm
    >>> mask_rows(decimal_fsm(), ({}, {}, {}, {}), Vocabulary.toy())[:, 4].tolist()
    [False, False, False, True]
    """
    # begin TODO
    return np.stack([mask_row(fsm, table, state, vocabulary) for state in range(len(fsm))])
    # end TODO


def mask_logits(logits: NDArray[np.floating], row: NDArray[np.bool_]) -> NDArray[np.floating]:
    """Return the logits, with minus infinity in place of every token that isn't allowed.

    Returns:
        A new array of the same dtype, in which the allowed logits keep every bit. Don't change the one you're given.

    Raises:
        ValueError: if the shapes differ (given), or if no token is allowed. Nothing after this step would complain:
            softmax makes NaN of such logits, and argmax gives id 0.

    >>> mask_logits(np.float32([1, 2, 3]), np.array([True, False, True])).tolist()
    [1.0, -inf, 3.0]
    """
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    # begin TODO
    # subtle: refuse an empty mask here, because neither argmax nor softmax will
    if not row.any():
        raise ValueError("no token is allowed")
    masked = logits.copy()
    masked[~row] = -np.inf
    return masked
    # end TODO


def choose(masked: NDArray[np.floating], u: float | None) -> int:
    """Return the id of the token that this step emits, as a plain int.

    With a ``u``, sample as in lab 01. Without one the step is greedy: take the highest logit, and of equal ones the
    smallest id.

    Raises:
        ValueError: if every logit is ``-inf`` (given), because then there's nothing to choose from.

    >>> choose(np.float32([1, -np.inf, 3, 3]), None), choose(np.float32([1, -np.inf, 1]), 0.7)
    (2, 2)
    """
    if not np.isfinite(masked).any():
        raise ValueError("no token has a finite logit: the mask and the model left nothing to choose from")
    # begin TODO
    # subtle: 0.0 is false, but it's a perfectly good u
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
    """Generate until the model chooses EOS, or until you've emitted ``max_tokens`` tokens.

    Args:
        model: call it once for each token you emit, EOS included, with the list of ids so far. It returns logits,
            ``float[V]``, which it may use again.
        table: the automaton's table for this vocabulary (lab 03).
        max_tokens: the most tokens to emit, EOS included.
        us: the numbers to sample with, at least one for each step, in a list, a tuple or an array. None makes every
            step greedy. (Ask whether it's None: for an array, ``if us`` is an error.)

    Returns:
        The token ids. The last one is EOS, unless ``max_tokens`` cut the text off.

    Raises:
        NoLegalToken: in a state where nothing is legal, not even EOS. It carries the state and the text so far. Raise
            it before you ask the model, or you pay for an answer that you can't use. Where ``max_tokens`` is used up,
            no step follows, so return the ids there, even in such a state.
        ValueError: from ``choose``, if the model gives minus infinity to every legal token.

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
        # subtle: a dead end isn't an end of the text, so raise, and do it before you ask the model
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        # one call of the model for each token, and EOS is a token like any other
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
    # end TODO
