"""``format`` as an assertion: automata over values for the formats that the drafts of JSON Schema define.

Where validators differ, an automaton matches what every careful one accepts: leap seconds, the year 0000, quoted local
parts of mail addresses (but see ``WIDER``) and host names in Punycode are left out. Nothing that is invalid is matched.
"""

from collections.abc import Callable
from functools import cache

from labkit.automata.dfa import Dfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, nfa_to_dfa, parse_tree
from mask_engine.formats.dates import DATE, DATE_TIME, DURATION, TIME
from mask_engine.formats.hosts import IPV4, IPV6, email_tree, hostname_tree, mailbox_tree
from mask_engine.formats.uris import IRIS, URI_TEMPLATE, URIS
from mask_engine.operations import ANY, intersect
from mask_engine.patterns.lazy import LazyDfa, Tree

_HEX = "[0-9a-fA-F]"
_UUID = f"{_HEX}{{8}}-({_HEX}{{4}}-){{3}}{_HEX}{{12}}"
_JSON_POINTER = "(/([^~/]|~[01])*)*"
_RELATIVE_JSON_POINTER = f"(0|[1-9][0-9]*)(#|{_JSON_POINTER})"

_PATTERNS = {
    "date": DATE,
    "date-time": DATE_TIME,
    "time": TIME,
    "duration": DURATION,
    "ipv4": IPV4,
    "ip-address": IPV4,  # its name in draft 3
    "ipv6": IPV6,
    "uuid": _UUID,
    "uri": URIS.absolute,
    "uri-reference": URIS.reference,
    "iri": IRIS.absolute,
    "iri-reference": IRIS.reference,
    "uri-template": URI_TEMPLATE,
    "json-pointer": _JSON_POINTER,
    "relative-json-pointer": _RELATIVE_JSON_POINTER,
}

_TREES: dict[str, Callable[[], Tree]] = {
    "email": email_tree,
    "email of RFC 5321": mailbox_tree,
    "hostname": hostname_tree,
    "host-name": hostname_tree,  # its name in draft 3
}

WIDER = {"email": "email of RFC 5321"}
"""The formats of which a validator takes more than every careful one, and their names there."""

COVERED = frozenset(_PATTERNS) | frozenset(_TREES) - frozenset(WIDER.values())
"""The formats for which there is an automaton."""

UNCOVERED = {
    "idn-email": "a mail address with letters beyond ASCII",
    "idn-hostname": "a host name with letters beyond ASCII",
    "regex": "a regular expression, which is no regular language",
    "color": "a colour of CSS, in draft 3",
    "style": "a style of CSS, in draft 3",
    "phone": "a phone number, in draft 3",
    "utc-millisec": "milliseconds since 1970, in draft 3",
}
"""Formats that a draft defines and that are not covered, with words for a refusal."""


@cache
def format_automaton(name: str) -> Dfa | None:
    """Return the texts of a format: values, not JSON.

    Returns:
        A minimal automaton over code points; None for a name that is not in ``COVERED``. If it is in ``UNCOVERED``, the
        format means something nevertheless.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = format_automaton("date")
    >>> [text for text in ["2024-02-29", "2023-02-29", "2023-2-1"] if fullmatch(dfa, text)]
    ['2024-02-29']
    >>> print(format_automaton("postcode"))
    None
    """
    if name in _PATTERNS:
        return intersect(compile_dfa(_PATTERNS[name]), ANY)
    tree = format_tree(name)
    return None if tree is None else minimize_dfa(nfa_to_dfa(LazyDfa(tree)))


@cache
def format_tree(name: str) -> Tree | None:
    """Return the tree of the texts of a format; None for a name that is not in ``COVERED``.

    >>> format_tree("postcode") is None, format_tree("uuid") is None
    (True, False)
    """
    if name in _PATTERNS:
        return parse_tree(_PATTERNS[name])
    return _TREES[name]() if name in _TREES else None
