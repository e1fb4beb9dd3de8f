"""Identifiers of resources: URIs (RFC 3986), IRIs (RFC 3987), and templates of URIs (RFC 6570), by their grammars."""

from dataclasses import dataclass

from mask_engine.formats.hosts import IPV6

_ESCAPED = "%[0-9A-Fa-f]{2}"
_UNRESERVED = r"A-Za-z0-9._~\-"
_DELIMITERS = "!$&'()*+,;="
_FUTURE = rf"[vV][0-9A-Fa-f]+\.[:{_UNRESERVED}{_DELIMITERS}]+"

_BEYOND_ASCII = "\xa0-\u200d\u2010-\u2029\u202f-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr((plane << 16) + (0x1000 if plane == 14 else 0))}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 15)
)
"""Letters and signs beyond ASCII that an IRI may hold; of the marks of direction none."""

_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


@dataclass(frozen=True)
class UriPatterns:
    """The regular expressions of a grammar: of identifiers with a scheme, and of those and relative references."""

    absolute: str
    reference: str


def _grammar(letters: str, private: str) -> UriPatterns:
    """Return the rules of RFC 3986, sections 3 and 4, with more letters and with characters only for queries."""
    unreserved = letters + _DELIMITERS
    segment_char = f"([{':@' + unreserved}]|{_ESCAPED})"
    segments = f"(/{segment_char}*)*"
    rootless = f"{segment_char}+{segments}"
    host = rf"(\[({IPV6}|{_FUTURE})\]|([{unreserved}]|{_ESCAPED})*)"
    authority = f"//(([:{unreserved}]|{_ESCAPED})*@)?{host}(:[0-9]*)?{segments}"
    from_root = f"/({rootless})?"
    without_colon = f"([@{unreserved}]|{_ESCAPED})+{segments}"
    query = rf"(\?([/?:@{private}{unreserved}]|{_ESCAPED})*)?"
    fragment = f"(#([/?:@{unreserved}]|{_ESCAPED})*)?"
    absolute = f"[A-Za-z][A-Za-z0-9+.-]*:({authority}|{from_root}|{rootless}|){query}{fragment}"
    relative = f"({authority}|{from_root}|{without_colon}|){query}{fragment}"
    return UriPatterns(absolute, f"{absolute}|{relative}")


URIS = _grammar(_UNRESERVED, "")
IRIS = _grammar(_BEYOND_ASCII + _UNRESERVED, _PRIVATE)

_LITERAL = rf"([!#$&-;=?-\[\]_a-z~{_BEYOND_ASCII}{_PRIVATE}]|{_ESCAPED})"
_NAME_CHAR = f"([A-Za-z0-9_]|{_ESCAPED})"
_VARIABLE = rf"{_NAME_CHAR}(\.?{_NAME_CHAR})*(:[1-9][0-9]{{0,3}}|\*)?"
URI_TEMPLATE = rf"({_LITERAL}|\{{[+#./;?&]?{_VARIABLE}(,{_VARIABLE})*\}})*"
"""Literals and expressions in braces. The operators that are reserved for later are left out."""
