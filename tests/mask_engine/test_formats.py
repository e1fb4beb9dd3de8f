"""Lab 08, given: formats. The oracles are ``datetime``, ``ipaddress``, ``uuid``, checks written here, and data."""

import datetime
import ipaddress
import re
import uuid
from itertools import product

import pytest

from labkit.oracles.automata import accepts as matches
from labs.lab_06_regex_to_dfa.solution import minimize_dfa
from mask_engine.formats.registry import COVERED, UNCOVERED, format_automaton
from tests.labs import listed
from tests.walks import matched

OF_THE_DRAFTS = listed(
    """date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uuid uri uri-reference
    iri iri-reference uri-template json-pointer relative-json-pointer regex ip-address host-name color style phone
    utc-millisec"""
)


def test_every_format_of_a_draft_is_covered_or_refused():
    assert COVERED | set(UNCOVERED) == set(OF_THE_DRAFTS)
    assert not COVERED & set(UNCOVERED)
    assert all((format_automaton(name) is None) == (name in UNCOVERED) for name in OF_THE_DRAFTS)
    assert format_automaton("postcode") is None and format_automaton("") is None and format_automaton("Date") is None


@pytest.mark.parametrize("name", sorted(COVERED))
def test_automata_are_minimal_and_read_characters_alone(name):
    automaton = format_automaton(name)
    assert len(minimize_dfa(automaton)) == len(automaton)
    assert all(automaton.class_of(symbol) == -1 for symbol in (0xD800, 0xDBFF, 0xDC00, 0xDFFF))


def read(kind, text):
    """Return what a function of Python's reads in a text, or None where it refuses it."""
    try:
        return kind(text)
    except ValueError:
        return None


WRONG_DATES = listed(
    """2024-1-01 2024-01-1 24-01-01 02024-01-01 2024/01/01 20240101 2024-W01-1 2024-001 2024-01-01Z -2024-01-01
    \N{ARABIC-INDIC DIGIT TWO}024-01-01 2024-01-1\N{BENGALI DIGIT FOUR}"""
)
WRONG_DATES += ["", " 2024-01-01", "2024-01-01 ", "2024-01-01\n"]


RIGHT_TIMES = listed("00:00:00Z 23:59:59z 12:34:56.7Z 12:34:56.000000000000001+00:20 12:34:56-00:00")
WRONG_TIMES = listed(
    """12:34Z 12:34:56 1:34:56Z 12:34:56.Z 12:34:56,5Z 12:34:56+1 12:34:56+01 12:34:56+0100 12:34:56Z+01:00 T12:34:56Z
    12:34:56.5 12:34:5\N{BENGALI DIGIT FOUR}Z 23:59:60Z 24:00:00Z"""
)
WRONG_TIMES += ["", "12:34:56 Z", "12:34:56Z\n"]
WRONG_MOMENTS = [
    *listed("2023-02-29T00:00:00Z 0000-01-01T00:00:00Z 2024-01-01 2016-12-31T23:59:60Z"),
    "2024-02-29 00:00:00Z",
]
WRONG_DURATIONS = [*listed("P PT P1 PD 1D P1.5D P-1D P1S PT1D p1d p1D P১D P1DT P1W1D"), "P1D ", ""]
WRONG_OCTETS = [*listed("1.2.3 1.2.3.4.5 1.2.3.4/8 0x7f.0.0.1 2130706433"), "1.2.3.4\n", " 1.2.3.4", ""]


def is_duration(units):
    """Return whether units are in order, without gaps on either side of the T; a week is alone."""
    date, _, time = units.partition("T")
    return units == "W" or (date in "YMD" and time in "HMS" and bool(date + time) and (bool(time) or "T" not in units))


def is_address(kind, text):
    return read(kind, text) is not None and "%" not in text


LABELS = ["a", "B9", "0", "1host", "host1", "a-b", "a--b", "x" * 30, "x" * 31, "x" * 61, "x" * 63]

BAD_LABELS = [*listed("-a a- - a_b é xn--nxasmq6b ab--c a\N{FULLWIDTH FULL STOP}b a/b"), "", "x" * 64, "a b"]


def is_bounded(labels):
    """Return whether a name is covered: at most 4 labels, or 8 of at most 30 characters; in all at most 253."""
    fits = len(labels) <= 4 or (len(labels) <= 8 and all(len(label) <= 30 for label in labels))
    return fits and len(".".join(labels)) <= 253 and (len(labels) < 4 or len(labels[3]) <= 61 or len(labels) > 4)


RIGHT_MAIL = listed(
    """joe.bloggs@example.com te~st@example.com ~test@example.com test~@example.com a+b@x.y.z.de te.s.t@example.com
    !#$%&'*+/=?^_`{|}~-@a-b.c 1@2.3"""
)
RIGHT_MAIL += [f"{'x' * 64}@example.com", f"a@{'x' * 62}.de"]
WRONG_MAIL = listed(
    """2962 @ a@ @a.b .test@example.com test.@example.com te..st@example.com joe.bloggs@invalid=domain.com a@b@c.de
    a@-b.de a@b-.de a@b..de a@127.0.0.1 a@[127.0.0.300] é@example.com a@exämple.com a"b@c.de a@xn--p1ai.de"""
)
WRONG_MAIL += ["", "a b@c.de", "a@b.de\n", f"{'x' * 65}@example.com"]
LEFT_OUT = ['"joe bloggs"@example.com', "joe@[127.0.0.1]", "joe@localhost"]


PRINTABLE = [chr(code) for code in range(128)]
UNRESERVED = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
PATH = UNRESERVED | set("!$&'()*+,;=:@/")
PLACES = {  # for each place in a URI the characters that may stand there alone, by RFC 3986
    "a://u{}@h/p?q": UNRESERVED | set("!$&'()*+,;=:") | {"/", "?", "#"},  # these three end the authority
    "a://h{}/p": UNRESERVED | set("!$&'()*+,;=@/?#") | {":"},
    "a://h/p{}": PATH | {"?", "#"},
    "a:p{}": PATH | {"?", "#"},
    "a://h?{}": PATH | {"?", "#"},
    "a://h#{}": PATH | {"?"},
    "a{}://h": UNRESERVED - set("_~") | {"+", ":"},
    "a://h:1{}": set("0123456789/?#@"),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_ascii_character_in_each_place_of_a_uri(place):
    automaton = format_automaton("uri")
    found = {char for char in PRINTABLE if matches(automaton, place.format(char))}
    assert found == PLACES[place]


RIGHT_URIS = listed(
    """ftp://ftp.is.co.za/rfc/rfc1808.txt http://www.ietf.org/rfc/rfc2396.txt ldap://[2001:db8::7]/c=GB?a?b
    mailto:John.Doe@example.com news:comp.infosystems.www.servers.unix tel:+1-816-555-1212 telnet://192.0.2.16:80/
    urn:oasis:names:specification:docbook:dtd:xml:4.1.2 http://user:pass@host:8080/p/a/t/h?query=string#hash a:
    a:b a:/ a:// file:///etc/hosts http://a/%C3%A9?%20#%2F http://999.999.999.999/ http://087.10.0.1/ http://h:/
    a:b:c a:@ a:?q a:#f http://[::ffff:1.2.3.4]:80 http://a//b///c z+-.9:x http://h/?#"""
)
WRONG_URIS = listed(
    r"""://  1a:b ht_tp://h http://h/%6G http://h/% http://h/%A http://[1.2.3.4]/ http://[::1 http://::1/ http://h:80a/
    http://h:-1/ http:/[::1] http://[@h/ http://u@v@h/ http://[fe80::a%25en1]/ a:b#c#d http://h/{x} http://h/<>
    http://h/"q" http://h/a|b http://h/^ http://h/` http://h\a http://h/é bar,baz:foo"""
)
WRONG_URIS += ["http://h/a b", " http://h", "http://h\n", "http:// h"]
RELATIVE = listed("//foo.bar/?a abc /abc #fragment ?query=1 . ../x ./this:that a/b:c // //h:80 @")
WRONG_RELATIVE = listed(r"1:b a_b:c /%zz //h:abc/p //a@b@h/ /[::1] \\W\f #a\b #a#b :b /é")


RIGHT_IRIS = ["http://h/𐌀", "http://h/?q=\U000f0000", "http://h?\ue000", "a:é", "http://é@é:1/é", "http://ø.ß/?∂=π#é"]
WRONG_IRIS = ["http://2001:db8::1", "é", "é:a", *(f"http://h/{char}" for char in "\ue000\u200e\u202e\ufdd0\ufffe\x80")]
WRONG_IRIS += ["http://h#\ue000", "http://h/\U0001ffff", "http://h/\U000e0001"]


RIGHT_TEMPLATES = listed(
    """http://example.com/~{username}/ http://example.com/dictionary/{term:1}/{term} /search{?q,lang} {+path:6}
    {/list*} {;x,y,empty} {&x} {#x,hello} X{.var} {var:9999} {a.b} {%41} é{a_} a%20b [x] a'b"""
)
WRONG_TEMPLATES = listed(
    r"""{ } {} a}b {{a}} {a {a,} {,a} {a:0} {a:10000} {a:x} {a**} {a.} {.} {=a} {|a} {!a} {a-b} a%2 a"b a<b a\b
    a^b a`b a|b {a}% {é}"""
)


REFERENCES = [*RIGHT_URIS, *RELATIVE, ""]
IRI_REFERENCES = ["é", "/é?é#é", "//é", "é/é:é", "", *RIGHT_IRIS]
LISTED = {
    "date": ([], WRONG_DATES),
    "time": (RIGHT_TIMES, WRONG_TIMES),
    "date-time": (["2024-02-29T00:00:00Z", "1999-12-31t23:59:59.5-23:59"], WRONG_MOMENTS),
    "duration": ([], WRONG_DURATIONS),
    "ipv4": ([], WRONG_OCTETS),
    "hostname": (["1.2.3", "1.2.3.4.5"], ["127.0.0.1", "999.0.0.1"]),
    "email": (RIGHT_MAIL, WRONG_MAIL + LEFT_OUT),
    "uri": (RIGHT_URIS, [*WRONG_URIS, *RELATIVE, *WRONG_RELATIVE, *RIGHT_IRIS, ""]),
    "uri-reference": (REFERENCES, WRONG_RELATIVE + WRONG_URIS),
    "iri": (RIGHT_IRIS + RIGHT_URIS, WRONG_IRIS),
    "iri-reference": (IRI_REFERENCES, ["é:é", "/\ue000", "a b", "/<"]),
    "uri-template": ([*RIGHT_TEMPLATES, ""], [*WRONG_TEMPLATES, "a b"]),
}


@pytest.mark.parametrize("name", LISTED)
def test_texts_that_have_a_format_and_texts_that_have_not(name):
    right, wrong = LISTED[name]
    assert matched(format_automaton(name), right + wrong) == set(right)


# All texts of a form, and what another reader says of each ------------------------------------------------------------

PAIRS = [f"{number:02}" for number in range(100)]
YEARS = [0, 1, 4, 99, 100, 400, 1600, 1899, 1900, 1904, 1996, 1999, 2000, 2023, 2024, 2100, 8000, 9996, 9999]
OCTETS = [*map(str, range(1000)), *(f"{n:03}" for n in range(300)), "00", "01", "", "a", "1e1", "٣"]
UUID = "0f8fAd5b-d9cb-469f-a165-70867728950e"
TILDES = ["/", "~", "~0", "~1", "~2", "a", "0", "#", "-", '"', "\n", "é", "𝄞"]
POINTERS = ["".join(parts) for count in range(4) for parts in product(TILDES, repeat=count)]


def is_date(text):
    return str(read(datetime.date.fromisoformat, text)) == text


def is_time(text):
    hour, minute, second, *offset = map(int, re.findall("[0-9]+", text))
    return max(hour, *offset[:1], 0) < 24 and max(minute, second, *offset[1:], 0) < 60


def is_pointer(text):
    escaped = all(rest[:1] in ("0", "1") for rest in text.split("~")[1:])
    return (text == "" or text[0] == "/") and escaped and not text.endswith("~")


def is_relative_pointer(text):
    rest = text.lstrip("0123456789")
    steps = text[: len(text) - len(rest)]
    return steps != "" and str(int(steps)) == steps and (rest == "#" or is_pointer(rest))


FORMS = {
    "date": (
        [f"{y:04}-{m:02}-{d:02}" for y, m, d in product(YEARS, range(15), range(34))]
        + [f"{year:04}-02-29" for year in range(10_000)],
        is_date,
    ),
    "time": (
        [
            form.format(pair)
            for pair in PAIRS
            for form in listed("{}:30:30Z 12:{}:30Z 12:30:{}Z 12:30:30+{}:30 12:30:30-12:{}")
        ],
        is_time,
    ),
    "duration": (
        [
            "P" + "".join(unit if unit == "T" else f"12{unit}" for unit in units)
            for count in range(6)
            for units in product("YMDTHSW", repeat=count)
        ],
        lambda text: text.count("T") < 2 and is_duration(re.sub("P|12", "", text)),
    ),
    "ipv4": (
        [".".join([*"7" * place, octet, *"7" * (3 - place)]) for octet in OCTETS for place in range(4)],
        lambda text: is_address(ipaddress.IPv4Address, text),
    ),
    "ipv6": (
        [
            ":".join("1" * before) + gap + ":".join([*("2" * after), *([tail] if tail else [])])
            for before, after in product(range(10), repeat=2)
            for gap, tail in product((":", "::", ":::"), ("", "1.2.3.4", "1.2.3.4:1", "255.0.0.256", "01.2.3.4", "g"))
        ],
        lambda text: is_address(ipaddress.IPv6Address, text),
    ),
    "uuid": (
        [
            UUID[:place] + char + UUID[place + cut :]
            for place in range(36)
            for char in ["-", *"gF0 ", ""]
            for cut in (0, 1)
        ],
        lambda text: text.count("-") == 4 and str(read(uuid.UUID, text)) == text.lower(),
    ),
    "hostname": (
        [".".join(labels) for count in range(1, 4) for labels in product([*LABELS, *BAD_LABELS], repeat=count)]
        + [
            ".".join([label] * count + more) for label in LABELS for count in range(3, 10) for more in ([], ["b"], [""])
        ],
        lambda name: not {*name.split(".")} & {*BAD_LABELS} and is_bounded(name.split(".")) and name != "0.0.0.0",
    ),
    "json-pointer": (POINTERS, is_pointer),
    "relative-json-pointer": (
        [steps + text for steps in ("", "0", "7", "120", "01", "+1", "-1", "1#") for text in POINTERS[:400]],
        is_relative_pointer,
    ),
}
"""For a format, texts of its form and a judge of them: ``datetime``, ``ipaddress``, ``uuid``, or one written here."""


@pytest.mark.parametrize("name", FORMS)
def test_all_texts_of_a_form_are_judged_as_another_reader_does(name):
    texts, is_right = FORMS[name]
    right = {text for text in texts if is_right(text)}
    assert matched(format_automaton(name), texts) == right and 0 < len(right) < len(texts)
