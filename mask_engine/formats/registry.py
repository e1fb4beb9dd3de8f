r"""``format`` as an assertion: automata over values for the formats that the drafts of JSON Schema define.

Where validators differ, an automaton matches what every careful one accepts: leap seconds, the year 0000, quoted local
parts of mail addresses (but see ``WIDER``) and host names in Punycode are left out. Nothing that is invalid is matched.
"""

from functools import cache

from labkit.automata.dfa import Dfa
from labkit.automata.syntax import Concat
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, nfa_to_dfa, parse_regex, parse_tree
from mask_engine.operations import ANY, intersect, union, without
from mask_engine.patterns.lazy import LazyDfa, Tree

# Dates, times and durations of RFC 3339. A calendar is a regular language: 29 February exists only in leap years.

_BY_FOUR = "0[48]|[2468][048]|[13579][26]"
"""Two digits that are a multiple of four, without 00. There is a year 0000 in RFC 3339, and none in the calendars of
most languages."""

_YEAR = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
_LEAP_YEAR = f"([0-9]{{2}}({_BY_FOUR})|({_BY_FOUR})00)"
_DAY_OF_YEAR = "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
_DATE = f"({_YEAR}-{_DAY_OF_YEAR}|{_LEAP_YEAR}-02-29)"
_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = rf"{_CLOCK}:[0-5][0-9](\.[0-9]+)?([zZ]|[+-]{_CLOCK})"
_MINUTES = "[0-9]+M([0-9]+S)?"
_CLOCK_PART = f"T([0-9]+H({_MINUTES})?|{_MINUTES}|[0-9]+S)"
_MONTHS = "[0-9]+M([0-9]+D)?"
_DURATION = f"P(([0-9]+Y({_MONTHS})?|{_MONTHS}|[0-9]+D)({_CLOCK_PART})?|{_CLOCK_PART}|[0-9]+W)"
"""By appendix A: no unit between two others may be missing, and weeks occur alone."""

# Addresses of the internet (RFC 4291 and before), host names (RFC 1123) and mail addresses (RFC 5321).

_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(\.{_OCTET}){{3}}"
_GROUP = "[0-9a-fA-F]{1,4}"
_LAST = f"({_GROUP}:{_GROUP}|{_IPV4})"
_TAILS = [*(f"({_GROUP}:){{{count}}}{_LAST}" for count in (5, 4, 3, 2, 1, 0)), _GROUP, ""]
_SHORT = [f"({_GROUP}(:{_GROUP}){{0,{n - 1}}})?::{_TAILS[n]}" for n in range(1, 8)]
_IPV6 = "|".join([f"({_GROUP}:){{6}}{_LAST}", f"::{_TAILS[0]}", *_SHORT])
"""Eight groups, the last two perhaps as an IPv4 address; ``::`` occurs once, for one group or more. Without a zone."""

_ALNUM, _INNER = "[A-Za-z0-9]", "[A-Za-z0-9-]"
_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_ATOMS = rf"{_ATOM}+(\.{_ATOM}+)*"
_QUOTED = r'"([ !#-\[\]-~]|\\[ -~])*"'


def _labels(least: int, most: int, length: int) -> str:
    """Return a pattern of names of so many labels, without hyphens in both third and fourth place, as Punycode has.

    Only its decoder can check those.
    """
    long = f"{_INNER}({_ALNUM}{_INNER}|-{_ALNUM}){_INNER}{{0,{length - 5}}}{_ALNUM}"
    label = f"{_ALNUM}({_INNER}{{0,2}}{_ALNUM}|{long})?"
    return rf"{label}(\.{label}){{{least - 1},{most - 1}}}" if most > 1 else label


def _hosts(names: str) -> Dfa:
    """Return the automaton of some names, not minimal, without those that look like an IPv4 address."""
    return without(nfa_to_dfa(parse_regex(names)), compile_dfa(r"[0-9]{1,3}(\.[0-9]{1,3}){3}"))


def _hostname() -> Tree:
    """Host names of up to 4 labels, or of up to 8 labels of at most 30 characters; so they stay below 254 in all.

    A label has up to 63 letters, digits and hyphens, no hyphen first or last. The exact limit of 253 would take a
    counter beside that of the label, and many thousands of states.
    """
    four = rf"({_labels(1, 1, 63)}\.){{0,3}}{_labels(1, 1, 61)}"
    return _hosts(f"{four}|{_labels(1, 3, 63)}|{_labels(1, 8, 30)}")


def _email(local: str, literal: str = "") -> Tree:
    """Mail addresses: a local part of up to 64 characters, an ``@``, and a host name of two labels or more.

    The host name is shorter than one alone may be, so that all stays below 255. Quoted local parts and literals instead
    of names are RFC 5321's; many validators refuse them.
    """
    hosts = _hosts(f"{_labels(2, 3, 62)}|{_labels(2, 6, 30)}")
    after = union(hosts, compile_dfa(literal)) if literal else hosts
    return Concat((intersect(compile_dfa(local), compile_dfa(".{1,64}")), parse_tree("@"), after))


# Identifiers of resources, by their grammars: URIs (RFC 3986), IRIs (RFC 3987), and templates of URIs (RFC 6570).

_ESCAPED = "%[0-9A-Fa-f]{2}"
_UNRESERVED = r"A-Za-z0-9._~\-"
_DELIMITERS = "!$&'()*+,;="
_FUTURE = rf"[vV][0-9A-Fa-f]+\.[:{_UNRESERVED}{_DELIMITERS}]+"

_BEYOND_ASCII = "\xa0-\u200d\u2010-\u2029\u202f-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr((plane << 16) + (0x1000 if plane == 14 else 0))}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 15)
)
"""Letters and signs beyond ASCII that an IRI may hold; of the marks of direction none."""

_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def _identifiers(letters: str, private: str) -> tuple[str, str]:
    """Return patterns of identifiers with a scheme, and of those and relative references: RFC 3986, sections 3 and 4.

    Args:
        letters, private: more letters, and characters only for queries.
    """
    unreserved = letters + _DELIMITERS
    segment_char = f"([{':@' + unreserved}]|{_ESCAPED})"
    segments = f"(/{segment_char}*)*"
    rootless = f"{segment_char}+{segments}"
    host = rf"(\[({_IPV6}|{_FUTURE})\]|([{unreserved}]|{_ESCAPED})*)"
    authority = f"//(([:{unreserved}]|{_ESCAPED})*@)?{host}(:[0-9]*)?{segments}"
    from_root = f"/({rootless})?"
    without_colon = f"([@{unreserved}]|{_ESCAPED})+{segments}"
    query = rf"(\?([/?:@{private}{unreserved}]|{_ESCAPED})*)?"
    fragment = f"(#([/?:@{unreserved}]|{_ESCAPED})*)?"
    absolute = f"[A-Za-z][A-Za-z0-9+.-]*:({authority}|{from_root}|{rootless}|){query}{fragment}"
    relative = f"({authority}|{from_root}|{without_colon}|){query}{fragment}"
    return absolute, f"{absolute}|{relative}"


_URI, _URI_REFERENCE = _identifiers(_UNRESERVED, "")
_IRI, _IRI_REFERENCE = _identifiers(_BEYOND_ASCII + _UNRESERVED, _PRIVATE)
_LITERAL = rf"([!#$&-;=?-\[\]_a-z~{_BEYOND_ASCII}{_PRIVATE}]|{_ESCAPED})"
_NAME_CHAR = f"([A-Za-z0-9_]|{_ESCAPED})"
_VARIABLE = rf"{_NAME_CHAR}(\.?{_NAME_CHAR})*(:[1-9][0-9]{{0,3}}|\*)?"
_URI_TEMPLATE = rf"({_LITERAL}|\{{[+#./;?&]?{_VARIABLE}(,{_VARIABLE})*\}})*"
"""Literals and expressions in braces. The operators that are reserved for later are left out."""

_HEX = "[0-9a-fA-F]"
_JSON_POINTER = "(/([^~/]|~[01])*)*"

_PATTERNS = {
    "date": _DATE,
    "date-time": f"{_DATE}[tT]{_TIME}",
    "time": _TIME,
    "duration": _DURATION,
    "ipv4": _IPV4,
    "ip-address": _IPV4,  # its name in draft 3
    "ipv6": _IPV6,
    "uuid": f"{_HEX}{{8}}-({_HEX}{{4}}-){{3}}{_HEX}{{12}}",
    "uri": _URI,
    "uri-reference": _URI_REFERENCE,
    "iri": _IRI,
    "iri-reference": _IRI_REFERENCE,
    "uri-template": _URI_TEMPLATE,
    "json-pointer": _JSON_POINTER,
    "relative-json-pointer": f"(0|[1-9][0-9]*)(#|{_JSON_POINTER})",
}

WIDER = {"email": "email of RFC 5321"}
"""The formats of which a validator takes more than every careful one, and their names there."""

COVERED = frozenset({*_PATTERNS, "email", "hostname", "host-name"})
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

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> texts = ["www.example.com", "a-b", "-a", "10.0.0.1", "a.b+c@example.com", "a@b@c", '"a b"@x.de', "a@[1.2.3.4]"]
    >>> for name in ["hostname", "email", "email of RFC 5321"]:
    ...     dfa = LazyDfa(format_tree(name))
    ...     print([text for text in texts if fullmatch(dfa, text)])
    ['www.example.com', 'a-b']
    ['a.b+c@example.com']
    ['a.b+c@example.com', '"a b"@x.de', 'a@[1.2.3.4]']
    """
    match name:
        case "hostname" | "host-name":  # the second in draft 3
            return _hostname()
        case "email":
            return _email(_ATOMS)
        case "email of RFC 5321":
            return _email(f"{_ATOMS}|{_QUOTED}", rf"\[({_IPV4}|IPv6:({_IPV6}))\]")
    return parse_tree(_PATTERNS[name]) if name in _PATTERNS else None
