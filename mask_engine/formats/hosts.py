"""Addresses of the internet (RFC 4291 and before), host names (RFC 1123) and mail addresses (RFC 5321)."""

from labkit.automata.dfa import Dfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from mask_engine.operations import difference, intersect, union

_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"{_OCTET}(\.{_OCTET}){{3}}"
"""Four numbers up to 255, without leading zeros."""

_GROUP = "[0-9a-fA-F]{1,4}"
_LAST = f"({_GROUP}:{_GROUP}|{IPV4})"


def _ipv6() -> str:
    """Eight groups, the last two perhaps as an IPv4 address; ``::`` occurs once, for one group or more."""
    after = [f"({_GROUP}:){{{count}}}{_LAST}" for count in (5, 4, 3, 2, 1, 0)] + [_GROUP, ""]
    options = [f"({_GROUP}:){{6}}{_LAST}", f"::{after[0]}"]
    for before in range(1, 8):
        options.append(f"({_GROUP}(:{_GROUP}){{0,{before - 1}}})?::{after[before]}")
    return "|".join(options)


IPV6 = _ipv6()
"""Without a zone."""

_ALNUM = "[A-Za-z0-9]"
_ODD_HOSTS = (r"([^.]*\.)*[^.]{2}--.*", r"[0-9]{1,3}(\.[0-9]{1,3}){3}")
"""What is no plain host name: labels with hyphens in third and fourth place, as Punycode has (which only its decoder
can check), and what looks like an IPv4 address."""

_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_MOST_LOCAL = 64


def hostname_automaton() -> Dfa:
    """Host names of up to 4 labels, or of up to 8 labels of at most 30 characters; so they stay below 254 in all.

    A label has up to 63 letters, digits and hyphens, no hyphen first or last. The exact limit of 253 would take a
    counter beside that of the label, and many thousands of states.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = hostname_automaton()
    >>> [text for text in ["www.example.com", "a-b", "-a", "a_b", "a..b", "10.0.0.1"] if fullmatch(dfa, text)]
    ['www.example.com', 'a-b']
    """
    four = rf"({_label(63)}\.){{0,3}}{_label(61)}"
    names = compile_dfa(f"{four}|{_labels(1, 3, 63)}|{_labels(1, 8, 30)}")
    return difference(names, union(*map(compile_dfa, _ODD_HOSTS)))


def email_automaton() -> Dfa:
    """Mail addresses: words and points of up to 64 characters, an ``@``, and a host name of two labels or more.

    The host name is shorter than one alone may be, so that all stays below 255. Quoted local parts and addresses
    instead of names are left out: many validators refuse them.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = email_automaton()
    >>> [text for text in ["a.b+c@example.com", ".a@example.com", "a@b@c.de", "a@localhost"] if fullmatch(dfa, text)]
    ['a.b+c@example.com']
    """
    address = rf"{_ATOM}+(\.{_ATOM}+)*@({_labels(2, 3, 62)}|{_labels(2, 6, 30)})"
    odd = [f"[^@]*@({host})" for host in _ODD_HOSTS]
    short = compile_dfa(f"[^@]{{1,{_MOST_LOCAL}}}@.*")
    return difference(intersect(compile_dfa(address), short), union(*map(compile_dfa, odd)))


def _label(most: int) -> str:
    return f"{_ALNUM}([A-Za-z0-9-]{{0,{most - 2}}}{_ALNUM})?"


def _labels(least: int, most: int, length: int) -> str:
    return rf"{_label(length)}(\.{_label(length)}){{{least - 1},{most - 1}}}"
