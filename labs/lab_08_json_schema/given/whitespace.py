"""Policies of white space: where it may occur in the JSON that is written."""

from labkit.automata.syntax import Node
from labkit.automata.trees import EMPTY, Whitespace, char, choice, optional, row, times

MAX_INDENT = 20
"""The most spaces of an indented line. It is bounded because a model may never stop writing spaces."""


def gap(indent: int) -> Node:
    """Return the tree of nothing, of a space, or of a new line and at most so many spaces.

    >>> from labkit.automata.trees import regex_of
    >>> regex_of(gap(4))
    '(?: |\\\\x0a {0,4})?'
    """
    return optional(choice([char(" "), row(char("\n"), times(char(" "), 0, indent))]))


POLICIES = {
    "compact": Whitespace(edge=EMPTY, comma=char(","), colon=char(":")),
    "flexible": Whitespace(
        edge=gap(MAX_INDENT), comma=row(char(","), gap(MAX_INDENT)), colon=row(char(":"), optional(char(" ")))
    ),
}
"""``compact`` has none. ``flexible`` allows what ``json.dumps`` writes: a space, or a new line and its indentation."""


def policy(name: str) -> Whitespace:
    """Return the policy of that name.

    Raises:
        ValueError: if there is none.

    >>> from labkit.automata.trees import regex_of
    >>> regex_of(policy("compact").comma)
    ','
    >>> policy("pretty")
    Traceback (most recent call last):
    ValueError: there is no whitespace policy 'pretty'; there are compact, flexible
    """
    if name not in POLICIES:
        raise ValueError(f"there is no whitespace policy {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]
