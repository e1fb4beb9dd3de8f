"""``format`` as an assertion: automata over values for the formats that the drafts of JSON Schema define.

Where validators differ, an automaton matches what every careful one accepts: leap seconds, the year 0000, quoted local
parts of mail addresses and host names in Punycode are left out. Nothing that is invalid is matched.
"""

from collections.abc import Callable
from functools import cache

from labkit.automata.dfa import Dfa
from labkit.automata.syntax import Node
from labs.lab_06_regex_to_dfa.solution import compile_dfa, parse_tree
from mask_engine.formats.dates import DURATION, TIME, date_automaton, date_time_automaton
from mask_engine.formats.hosts import IPV4, IPV6, email_automaton, hostname_automaton
from mask_engine.formats.uris import IRIS, URI_TEMPLATE, URIS
from mask_engine.operations import ANY, intersect

_HEX = "[0-9a-fA-F]"
_UUID = f"{_HEX}{{8}}-({_HEX}{{4}}-){{3}}{_HEX}{{12}}"
_JSON_POINTER = "(/([^~/]|~[01])*)*"
_RELATIVE_JSON_POINTER = f"(0|[1-9][0-9]*)(#|{_JSON_POINTER})"

_PATTERNS = {
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

_MACHINES: dict[str, Callable[[], Dfa]] = {
    "date": date_automaton,
    "date-time": date_time_automaton,
    "email": email_automaton,
    "hostname": hostname_automaton,
    "host-name": hostname_automaton,  # its name in draft 3
}

COVERED = frozenset(_PATTERNS) | frozenset(_MACHINES)
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
    return _MACHINES[name]() if name in _MACHINES else None


def format_tree(name: str) -> Node | None:
    """Return the tree of the texts of a format that one expression describes; None for all others.

    >>> format_tree("date") is None, format_tree("uuid") is None
    (True, False)
    """
    return parse_tree(_PATTERNS[name]) if name in _PATTERNS else None
