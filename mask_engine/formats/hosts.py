"""Addresses of the internet (RFC 4291 and before), host names (RFC 1123) and mail addresses (RFC 5321)."""

from labkit.automata.dfa import Dfa
from labkit.automata.syntax import Concat
from labs.lab_06_regex_to_dfa.solution import compile_dfa, nfa_to_dfa, parse_regex, parse_tree
from mask_engine.operations import intersect, union, without
from mask_engine.patterns.lazy import Tree

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
_INNER = "[A-Za-z0-9-]"
_FOUR_NUMBERS = r"[0-9]{1,3}(\.[0-9]{1,3}){3}"
"""What looks like an IPv4 address, and is no host name."""

_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_ATOMS = rf"{_ATOM}+(\.{_ATOM}+)*"
_QUOTED = r'"([ !#-\[\]-~]|\\[ -~])*"'
_MOST_LOCAL = 64


def hostname_tree() -> Dfa:
    """Host names of up to 4 labels, or of up to 8 labels of at most 30 characters; so they stay below 254 in all.

    A label has up to 63 letters, digits and hyphens, no hyphen first or last. The exact limit of 253 would take a
    counter beside that of the label, and many thousands of states.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = hostname_tree()
    >>> [text for text in ["www.example.com", "a-b", "-a", "a_b", "a..b", "10.0.0.1"] if fullmatch(dfa, text)]
    ['www.example.com', 'a-b']
    """
    four = rf"({_label(63)}\.){{0,3}}{_label(61)}"
    return _hosts(f"{four}|{_labels(1, 3, 63)}|{_labels(1, 8, 30)}")


def email_tree() -> Tree:
    """Mail addresses: words and points of up to 64 characters, an ``@``, and a host name of two labels or more.

    The host name is shorter than one alone may be, so that all stays below 255. Quoted local parts and addresses
    instead of names are left out: many validators refuse them.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> dfa = LazyDfa(email_tree())
    >>> [text for text in ["a.b+c@example.com", ".a@example.com", "a@b@c.de", "a@localhost"] if fullmatch(dfa, text)]
    ['a.b+c@example.com']
    """
    local = intersect(compile_dfa(_ATOMS), compile_dfa(f".{{1,{_MOST_LOCAL}}}"))
    return Concat((local, parse_tree("@"), _hosts(f"{_labels(2, 3, 62)}|{_labels(2, 6, 30)}")))


def mailbox_tree() -> Tree:
    """Return the tree of all mail addresses of RFC 5321: those of ``email_tree``, with the quotes and literals.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> dfa = LazyDfa(mailbox_tree())
    >>> [text for text in ['"a b"@example.com', "a@[127.0.0.1]", "a b@example.com", "a@[b]"] if fullmatch(dfa, text)]
    ['"a b"@example.com', 'a@[127.0.0.1]']
    """
    local = intersect(compile_dfa(f"{_ATOMS}|{_QUOTED}"), compile_dfa(f".{{1,{_MOST_LOCAL}}}"))
    hosts = _hosts(f"{_labels(2, 3, 62)}|{_labels(2, 6, 30)}")
    literal = compile_dfa(rf"\[({IPV4}|IPv6:({IPV6}))\]")
    return Concat((local, parse_tree("@"), union(hosts, literal)))


def _hosts(names: str) -> Dfa:
    """Return the automaton of some names, not minimal, without those that look like an IPv4 address."""
    return without(nfa_to_dfa(parse_regex(names)), compile_dfa(_FOUR_NUMBERS))


def _label(most: int) -> str:
    """Return an expression for a label without hyphens in both third and fourth place, as Punycode has.

    Only its decoder can check those.
    """
    long = f"{_INNER}({_ALNUM}{_INNER}|-{_ALNUM}){_INNER}{{0,{most - 5}}}{_ALNUM}"
    return f"{_ALNUM}({_INNER}{{0,2}}{_ALNUM}|{long})?"


def _labels(least: int, most: int, length: int) -> str:
    return rf"{_label(length)}(\.{_label(length)}){{{least - 1},{most - 1}}}"
