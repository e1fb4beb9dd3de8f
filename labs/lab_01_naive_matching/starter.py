# Your file for lab 01. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 01
# On every save:    python3 -m course watch 01
# Stuck on TODO 1:  python3 -m course hint 01.1
# The README beside this file explains the idea.

"""Lab 01: make invalid output impossible, by trying every token against a regular expression.

Each step of generation asks V questions, one for each token of the vocabulary, and each question reads the whole text
from its start. That's much too slow to serve anyone. Lab 02 gets rid of the reading, and lab 03 of most questions.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import regex
from numpy.typing import NDArray

from labkit.models import Model


def find_answer(pattern: str, answer: str) -> str | None:
    r"""Return the text of the first match in a finished answer, or None if nothing in it matches. Given.

    This is the method that the lab replaces. It comes too late to change the answer, and it can't tell which number you
    meant.

    >>> find_answer(r"([0-9]+)?\.[0-9]+", "Pi is about three.") is None
    True
    >>> find_answer(r"([0-9]+)?\.[0-9]+", "By version 2.0 of my notes, pi is 3.14.")
    '2.0'
    """
    match = re.search(pattern, answer)
    return match.group() if match else None


def could_match(pattern: str, text: str) -> bool:
    r"""Return whether ``text`` is viable: it matches ``pattern`` already, or some continuation makes it match.

    Python's own ``re`` can't tell you. The package ``regex`` can, because its functions take ``partial=True``, and then
    a match may run off the end of the text.

    >>> could_match(r"([0-9]+)?\.[0-9]+", "1."), could_match(r"([0-9]+)?\.[0-9]+", "1.2")
    (True, True)
    >>> could_match(r"([0-9]+)?\.[0-9]+", "1.2a")
    False
    """
    raise NotImplementedError("lab 01, TODO 1 (about 1 line): ask regex for a partial match of the whole text")


def build_mask(texts: Sequence[str | None], prefix: str, viable: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Return which tokens may come next: those for which ``prefix + text`` is viable.

    Args:
        texts: the text of each token id, V of them. Some ids have no text (None, or the empty string). Never allow
            those, because the model could write them forever, and don't ask about them either.
        prefix: the text so far.
        viable: takes a text, and returns whether it can still become a match. Call it once for each token that has
            text, because these calls are what a mask costs.

    Returns:
        ``bool[V]``, True where the token is allowed. With no tokens at all, that's ``bool[0]``.

    >>> texts = ["a", ".", ".2", "1", None]
    >>> build_mask(texts, "1", lambda text: could_match(r"([0-9]+)?[.][0-9]+", text)).tolist()
    [False, True, True, True, False]
    """
    raise NotImplementedError("lab 01, TODO 2 (about 1 line): ask the question once for each token")


def apply_mask(logits: NDArray[np.floating], allowed: NDArray[np.bool_]) -> NDArray[np.floating]:
    """Return the logits, with minus infinity in place of every token that isn't allowed.

    Softmax turns minus infinity into exactly 0. A finite number, however low, would only make a token rare.

    Args:
        logits: ``float[V]``. Don't change it: it belongs to your caller, who may need it again.
        allowed: ``bool[V]``.

    Returns:
        A new array of the same dtype, in which the allowed logits keep every bit.

    Raises:
        ValueError: if the shapes differ (given), because broadcasting would hide that mistake.

    >>> apply_mask(np.float32([1, 2, 3]), np.array([True, False, True])).tolist()
    [1.0, -inf, 3.0]
    """
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    raise NotImplementedError("lab 01, TODO 3 (about 3 lines): copy the logits, write -inf where not allowed")


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the probability of each token: ``exp`` of its logit, divided by the sum over all tokens.

    Convert the logits to float64 first, and then subtract the largest, so that logits of 1,000 don't overflow. A logit
    of ``-inf`` gets exactly 0.

    Returns:
        ``float64[V]``, which adds up to 1.

    Raises:
        ValueError: if every logit is ``-inf`` (given), because then there's nothing to choose from.

    >>> softmax(np.float32([0, -np.inf, 0])).tolist()
    [0.5, 0.0, 0.5]
    """
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    raise NotImplementedError("lab 01, TODO 4 (about 2 lines): exponentials over their sum, without overflow")


def sample(probs: NDArray[np.float64], u: float) -> int:
    """Return the smallest token id whose cumulative probability exceeds ``u``.

    If u is drawn evenly from [0, 1), each id comes up with its own probability. Your caller draws it, so that a run can
    be repeated: the same u gives the same id.

    Args:
        probs: ``float64[V]``. It adds up to 1 except for rounding, so divide the cumulative sums by the last one.
        u: a number, ``0 <= u < 1``.

    Returns:
        The id as a plain int, and never one with a probability of 0.

    Raises:
        ValueError: if u is outside [0, 1) (given).

    >>> probs = np.array([0.25, 0.0, 0.75])
    >>> sample(probs, 0.0), sample(probs, 0.25), sample(probs, 0.99)
    (0, 2, 2)
    """
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    raise NotImplementedError("lab 01, TODO 5 (about 2 lines): the first id whose cumulative probability exceeds u")


def generate(
    model: Model, texts: Sequence[str | None], viable: Callable[[str], bool], us: Sequence[float]
) -> list[int]:
    """Generate one token for each u, so that after each of them the text can still become a match.

    If no token is allowed, stop early, and find that out before you ask the model.

    Args:
        model: call it once for each token you emit, with the list of ids so far; it returns logits, ``float[V]``.
        texts, viable: see ``build_mask``.
        us: the numbers to sample with, each in [0, 1), in a list, a tuple or an array. (Ask an array for its length:
            ``if us`` is an error.)

    Returns:
        The token ids, at most ``len(us)`` of them.

    >>> from labkit.models import uniform
    >>> texts = ["a", ".", ".2", "1"]
    >>> ids = generate(uniform(4), texts, lambda text: could_match(r"([0-9]+)?[.][0-9]+", text), [0.9, 0.1, 0.9])
    >>> [texts[i] for i in ids]
    ['1', '.', '1']
    """
    raise NotImplementedError("lab 01, TODO 6 (about 10 lines): mask, sample, append, for each u")
