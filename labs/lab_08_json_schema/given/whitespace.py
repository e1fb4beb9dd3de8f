"""Policies of white space: where it may occur in the JSON that is written."""

from dataclasses import dataclass

MAX_INDENT = 20
"""The most spaces of an indented line. It is bounded because a model may never stop writing spaces."""

_GAP = rf"(?: |\n {{0,{MAX_INDENT}}})?"


@dataclass(frozen=True)
class Whitespace:
    """One policy: regular expressions for the edges inside brackets, between two members, and after a key.

    >>> Whitespace(edge=" *", comma=", *", colon=": *").colon
    ': *'
    """

    edge: str
    comma: str
    colon: str


POLICIES = {
    "compact": Whitespace(edge="", comma=",", colon=":"),
    "flexible": Whitespace(edge=_GAP, comma=f",{_GAP}", colon=": ?"),
}
"""``compact`` has none. ``flexible`` allows what ``json.dumps`` writes: a space, or a new line and its indentation."""


def policy(name: str) -> Whitespace:
    """Return the policy of that name.

    Raises:
        ValueError: if there is none.

    >>> policy("compact").comma
    ','
    >>> policy("pretty")
    Traceback (most recent call last):
    ValueError: there is no whitespace policy 'pretty'; there are compact, flexible
    """
    if name not in POLICIES:
        raise ValueError(f"there is no whitespace policy {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]
