"""Python's own ``re`` as the oracle of lab 06: over all code points, and over texts."""

import re
import warnings
from collections.abc import Iterable
from functools import cache

import pytest

from labkit.automata.syntax import LAST_CODE_POINT, Ranges
from labkit.errors import InvalidPattern
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch


@cache
def everything() -> str:
    """All code points as one text."""
    return "".join(map(chr, range(LAST_CODE_POINT + 1)))


def compiled(pattern: str, *, ascii_only: bool = False) -> re.Pattern[str]:
    """What ``re`` makes of a pattern; its warnings of what may change one day are not for here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(pattern, re.ASCII if ascii_only else 0)


def characters(body: str, flags: str, *, ascii_only: bool) -> Ranges:
    """The code points that a pattern for one character matches, by asking ``re`` about each of them."""
    runs = compiled(f"(?:(?{flags}:{body}))+", ascii_only=ascii_only).finditer(everything())
    return tuple((run.start(), run.end() - 1) for run in runs)


def check_characters(body: str, flags: str = "", *, ascii_only: bool = False) -> None:
    """Assert that a pattern for one character is compiled to exactly the code points that ``re`` matches."""
    expected = characters(body, flags, ascii_only=ascii_only)
    dfa = compile_dfa(f"(?{flags}:{body})", ascii_only=ascii_only)
    got = dfa.class_ranges[0] if dfa.n_classes else ()
    assert len(dfa) == (2 if expected else 1) and dfa.n_classes == bool(expected), f"{body!r}: {len(dfa)} states"
    wrong = set(got) ^ set(expected)
    assert not wrong, f"{body!r} with flags {flags!r}, ascii {ascii_only}: first at {min(wrong)[0]:#x}"


def check_texts(pattern: str, texts: Iterable[str], *, ascii_only: bool = False) -> None:
    """Assert that a pattern says of each text what ``re.fullmatch`` says."""
    oracle, dfa = compiled(pattern, ascii_only=ascii_only), compile_dfa(pattern, ascii_only=ascii_only)
    for text in texts:
        expected = oracle.fullmatch(text) is not None
        told = "matches" if expected else "does not match"
        assert fullmatch(dfa, text) == expected, f"{text!r} {told} {pattern!r}, ascii {ascii_only}"


def agrees(pattern: str, over: Iterable[str], *, ascii_only: bool = False) -> None:
    """Assert that a pattern is refused where ``re`` refuses it, at the same place, and else says what ``re`` says."""
    try:
        compiled(pattern, ascii_only=ascii_only)
    except (re.error, OverflowError, ValueError) as refused:
        with pytest.raises(InvalidPattern) as caught:
            compile_dfa(pattern, ascii_only=ascii_only)
        expected = (refused.msg, refused.pos or 0) if isinstance(refused, re.error) else (str(refused), 0)
        assert (caught.value.problem, caught.value.position, caught.value.pattern) == (*expected, pattern)
    else:
        check_texts(pattern, over, ascii_only=ascii_only)
