# Your file for lab 01. Replace each `raise NotImplementedError` by code of your own, in any order.
# How far you are:  LAB_IMPL=starter pytest labs/lab_01_naive_matching
#             (or:  python -m course test 01)
# Stuck on TODO 1:  python -m course hint 01.1
# The README beside this file explains the idea.

"""Lab 01: make invalid output impossible by trying every token against a regular expression.

What this leaves out: any cleverness. Each step asks V questions, one for each token of the
vocabulary, and each question reads the whole text from its start. Lab 02 takes up the second half
of that cost, lab 03 the first.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import regex
from numpy.typing import NDArray

from labkit.models import Model


def find_answer(pattern: str, answer: str) -> str | None:
    r"""What people do first: let the model write anything, then search its answer for the pattern.

    Returns:
        The first match in ``answer``, or None where there is none.

    >>> find_answer(r"([0-9]+)?\.[0-9]+", "Pi is about 3.14159, they say.")
    '3.14159'
    >>> find_answer(r"([0-9]+)?\.[0-9]+", "Pi is about three.") is None
    True
    """
    raise NotImplementedError("lab 01, TODO 1 (about 2 lines): search the answer for the first match")


def could_match(pattern: str, text: str) -> bool:
    r"""Whether ``text`` is the beginning of some full match of ``pattern`` (a full match counts too).

    The standard ``re`` cannot answer this. The package ``regex`` can: its functions take ``partial=True``.

    >>> could_match(r"([0-9]+)?\.[0-9]+", "1."), could_match(r"([0-9]+)?\.[0-9]+", "1.2")
    (True, True)
    >>> could_match(r"([0-9]+)?\.[0-9]+", "1.2a")
    False
    """
    raise NotImplementedError("lab 01, TODO 2 (about 1 line): ask regex for a partial match of the whole text")


def build_mask(texts: Sequence[str | None], prefix: str, viable: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Which tokens may follow ``prefix``: those for which ``viable(prefix + text)`` holds.

    Args:
        texts: the text of each token id, V of them. A token without text (None, or the empty string)
            is never allowed, and ``viable`` is not asked about it.
        prefix: the text written so far.
        viable: the question to ask, once for each token that has a text.

    Returns:
        ``bool[V]``, True where the token is allowed. No tokens give ``bool[0]``.

    >>> texts = ["a", ".", ".2", "1", None]
    >>> build_mask(texts, "1", lambda text: could_match(r"([0-9]+)?[.][0-9]+", text)).tolist()
    [False, True, True, True, False]
    """
    raise NotImplementedError("lab 01, TODO 3 (about 1 line): ask the question once for each token")


def apply_mask(logits: NDArray[np.floating], allowed: NDArray[np.bool_]) -> NDArray[np.floating]:
    """The logits with minus infinity wherever a token is not allowed.

    Args:
        logits: ``float[V]``; left as they are, the caller may still need them.
        allowed: ``bool[V]``.

    Returns:
        A new array of the same dtype: allowed logits bit for bit as they were, the rest ``-inf``.

    Raises:
        ValueError: if the shapes differ; nothing is broadcast.

    >>> apply_mask(np.float32([1, 2, 3]), np.array([True, False, True])).tolist()
    [1.0, -inf, 3.0]
    """
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    raise NotImplementedError("lab 01, TODO 4 (about 3 lines): copy the logits, write -inf where not allowed")


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Probabilities from logits: ``exp(x)``, divided by the sum.

    Computed in float64, and from differences to the largest logit, so that logits of 1,000 do not
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
    raise NotImplementedError("lab 01, TODO 5 (about 2 lines): exponentials over their sum, without overflow")


def sample(probs: NDArray[np.float64], u: float) -> int:
    """Choose a token id by the number ``u``: the smallest id whose cumulative probability exceeds u.

    With u uniform in [0, 1) an id comes out as often as its probability says. Nothing is drawn here:
    the same u gives the same id, so a run can be repeated. (``numpy.random.choice`` takes its ids from
    a u in the same way, but draws that u itself.) Rounding may leave the last cumulative sum below 1;
    divide by it.

    Args:
        probs: ``float64[V]``, summing to 1 but for rounding.
        u: a number, ``0 <= u < 1``.

    Returns:
        The id, a plain int. Never an id of probability 0.

    Raises:
        ValueError: if u lies outside [0, 1).

    >>> probs = np.array([0.25, 0.0, 0.75])
    >>> sample(probs, 0.0), sample(probs, 0.25), sample(probs, 0.99)
    (0, 2, 2)
    """
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    raise NotImplementedError("lab 01, TODO 6 (about 2 lines): the first id whose cumulative probability exceeds u")


def generate(
    model: Model, texts: Sequence[str | None], viable: Callable[[str], bool], us: Sequence[float]
) -> list[int]:
    """Generate one token for each u, so that every prefix of the text stays viable.

    A step: mask the tokens that may follow the text so far, mask the model's logits with it, softmax,
    sample with the step's u. Generation ends early, before the model is asked, where no token may follow.

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
    raise NotImplementedError("lab 01, TODO 7 (about 10 lines): mask, sample, append, for each u")
