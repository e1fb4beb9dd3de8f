"""Student names are untrusted input: escape them for display, and slug them for file names."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256

from course.student.core.trace import visible

LONGEST = 200
"""Characters of a name that are shown."""

_FORMULA = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")
"""What a spreadsheet may take for the start of a formula; the last four are the full-width forms."""

_LIKE_ONE_ANOTHER = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL"}
"""Alphabets with letters that look like another one's."""

_NEXT_CELL = re.compile(r"(;\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where a spreadsheet that separates cells by semicolons, as in much of Europe, would start one with a formula."""


def visible_lines(text: str) -> str:
    """Return the text with its lines made visible one by one; no character is left that XML lacks."""
    return "\n".join(map(visible, text.splitlines()))


def shown(name: str) -> str:
    """Return a student's name, visible and not too long.

    >>> shown("x" * 300)[-4:]
    'xxx…'
    """
    text = visible(name[: LONGEST + 1])
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def cell(text: str) -> str:
    r"""Return the text as a cell of a spreadsheet; one that may be taken for a formula gets an apostrophe in front.

    >>> cell("=1+1"), cell("  @x"), cell("Ann"), cell("a\nb"), cell("a; =1")
    ("'=1+1", "'  @x", 'Ann', 'a\\nb', "a; '=1")
    """
    text = _NEXT_CELL.sub(r"\1'", visible(text))
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def file_name(name: str) -> str:
    """Return a name for a student's file that every file system takes, and that no other student has.

    >>> file_name("Ann Lee"), file_name("ann lee") != file_name("Ann Lee"), len(file_name("../" * 500)) < 60
    ('ann-lee-a36e143c53', True, True)
    """
    plain = unicodedata.normalize("NFKD", name[:LONGEST]).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "student"
    return f"{slug}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def doubts(names: Iterable[str]) -> list[str]:
    r"""Return sentences about names that look alike.

    >>> doubts(["Ann", "ann", "Bob"])
    ["these names differ only in case or form: 'Ann', 'ann'"]
    >>> doubts(["\u0410nn"])
    ["letters of several alphabets in one word: '\\u0410nn'"]
    >>> doubts(["\u042e\u0440\u0438\u0439_7_assignsubmission_file_"])
    []
    """
    alike = defaultdict[str, list[str]](list)
    for name in names:
        alike[unicodedata.normalize("NFKC", name).casefold()].append(name)
    twins = [", ".join(map(ascii, group)) for group in alike.values() if len(group) > 1]
    said = [f"these names differ only in case or form: {names}" for names in twins]
    for name in (name for group in alike.values() for name in group):
        # word by word, since other words may be a learning platform's
        words = re.split(r"[\W\d_]+", name[:LONGEST])
        used = ({unicodedata.name(char, "").partition(" ")[0] for char in word if char.isalpha()} for word in words)
        if any(len(alphabets & _LIKE_ONE_ANOTHER) > 1 for alphabets in used):
            said.append(f"letters of several alphabets in one word: {name!a}")
    return said
