"""Lab 01: make invalid output impossible by trying every token against a regular expression.

Each step asks V questions, one for each token of the vocabulary, and each question reads the whole text
from its start. Lab 02 removes the second cost, lab 03 the first.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import regex
from numpy.typing import NDArray

from labkit.models import Model


def find_answer(pattern: str, answer: str) -> str | None:
    r"""Search a finished answer for the pattern. This is the method that the rest of the lab replaces.

    Returns:
        The text of the first match in ``answer``, or None if there is no match.

    >>> find_answer(r"([0-9]+)?\.[0-9]+", "Pi is about 3.14159, they say.")
    '3.14159'
    >>> find_answer(r"([0-9]+)?\.[0-9]+", "Pi is about three.") is None
    True
    """
    # begin TODO
    # subtle: a match of the empty text is a match, so ask the match object and not its text
    match = re.search(pattern, answer)
    return match.group() if match else None
    # end TODO


def could_match(pattern: str, text: str) -> bool:
    r"""Return whether ``text`` is a viable prefix: it matches ``pattern``, or some continuation makes it match.

    The standard ``re`` cannot answer this. The package ``regex`` can: its functions take ``partial=True``.

    >>> could_match(r"([0-9]+)?\.[0-9]+", "1."), could_match(r"([0-9]+)?\.[0-9]+", "1.2")
    (True, True)
    >>> could_match(r"([0-9]+)?\.[0-9]+", "1.2a")
    False
    """
    # begin TODO
    # subtle: only a full match must use up the whole text
    return regex.fullmatch(pattern, text, partial=True) is not None
    # end TODO


def build_mask(texts: Sequence[str | None], prefix: str, viable: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Return which tokens may follow ``prefix``: those for which ``viable(prefix + text)`` is true.

    Args:
        texts: the text of each token id, V of them. A token without text (None, or the empty string)
            is never allowed, and ``viable`` is not asked about it.
        prefix: the text written so far.
        viable: the predicate, to be called once for each token that has text.

    Returns:
        ``bool[V]``, True where the token is allowed; ``bool[0]`` if there are no tokens.

    >>> texts = ["a", ".", ".2", "1", None]
    >>> build_mask(texts, "1", lambda text: could_match(r"([0-9]+)?[.][0-9]+", text)).tolist()
    [False, True, True, True, False]
    """
    # begin TODO
    # subtle: name the dtype, because NumPy alone makes float64 of an empty list
    return np.array([viable(prefix + text) if text else False for text in texts], dtype=np.bool_)
    # end TODO


def apply_mask(logits: NDArray[np.floating], allowed: NDArray[np.bool_]) -> NDArray[np.floating]:
    """Return the logits, with minus infinity wherever a token is not allowed.

    Args:
        logits: ``float[V]``; not changed, because the caller may still need them.
        allowed: ``bool[V]``.

    Returns:
        A new array of the same dtype: allowed logits keep every bit, the others are ``-inf``.

    Raises:
        ValueError: if the shapes differ; nothing is broadcast.

    >>> apply_mask(np.float32([1, 2, 3]), np.array([True, False, True])).tolist()
    [1.0, -inf, 3.0]
    """
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    # begin TODO
    # subtle: assign, for adding or multiplying a mask changes allowed logits too
    masked = logits.copy()
    masked[~allowed] = -np.inf
    return masked
    # end TODO


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the probabilities of the logits: ``exp(x)``, divided by the sum.

    The computation is in float64 and subtracts the largest logit first, so that logits of 1,000 do not
    overflow. A logit of ``-inf`` gets exactly 0.

    Returns:
        ``float64[V]``, summing to 1.

    Raises:
        ValueError: if every logit is ``-inf``: there is nothing to choose from.

    >>> softmax(np.float32([0, -np.inf, 0])).tolist()
    [0.5, 0.0, 0.5]
    """
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    # begin TODO
    # subtle: widen to float64 before the exponential, or its rounding error stays
    weights = np.exp(logits.astype(np.float64) - logits.max())
    probs: NDArray[np.float64] = weights / weights.sum()
    return probs
    # end TODO


def sample(probs: NDArray[np.float64], u: float) -> int:
    """Return the smallest token id whose cumulative probability exceeds ``u``.

    If u is uniform in [0, 1), each id comes out with its probability. Nothing is drawn here: the same u
    gives the same id, so a run can be repeated. (``numpy.random.choice`` also chooses by a u, but draws it
    itself.) Rounding may leave the last cumulative sum below 1; divide by it.

    Args:
        probs: ``float64[V]``, summing to 1 except for rounding.
        u: a number, ``0 <= u < 1``.

    Returns:
        The id, a plain int. Never an id of probability 0.

    Raises:
        ValueError: if u is outside [0, 1).

    >>> probs = np.array([0.25, 0.0, 0.75])
    >>> sample(probs, 0.0), sample(probs, 0.25), sample(probs, 0.99)
    (0, 2, 2)
    """
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    # begin TODO
    # lay the probabilities end to end on the line from 0 to 1
    cumulative = np.cumsum(probs)
    # subtle: on a border u belongs to the next piece, so a piece of width zero is never chosen
    return int(np.searchsorted(cumulative / cumulative[-1], u, side="right"))
    # end TODO


def generate(
    model: Model, texts: Sequence[str | None], viable: Callable[[str], bool], us: Sequence[float]
) -> list[int]:
    """Generate one token for each u, so that the text stays a viable prefix at every step.

    Each step makes the mask of the text so far, applies it to the model's logits, and samples from their
    softmax with the step's u. Generation ends early, before the model is asked, where no token is allowed.

    Args:
        model: called once for each token emitted, with the list of ids so far; returns logits ``float[V]``.
        texts: the text of each token id, or None.
        viable: see ``build_mask``.
        us: the numbers to sample with.

    Returns:
        The token ids, at most ``len(us)`` of them.

    >>> from labkit.models import uniform
    >>> texts = ["a", ".", ".2", "1"]
    >>> ids = generate(uniform(4), texts, lambda text: could_match(r"([0-9]+)?[.][0-9]+", text), [0.9, 0.1, 0.9])
    >>> [texts[i] for i in ids]
    ['1', '.', '1']
    """
    # begin TODO
    ids: list[int] = []
    text = ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        # subtle: leave before the model is asked, and before softmax gets only minus infinities
        if not allowed.any():
            break
        probs = softmax(apply_mask(model(ids), allowed))
        ids.append(sample(probs, u))
        # the next mask depends on the whole text
        text += texts[ids[-1]] or ""
    return ids
    # end TODO
