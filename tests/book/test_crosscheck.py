"""The page's masks against Python's, over the small model's tokens; ``crosscheck.py`` does it for whole files."""

from tests.book.crosscheck import Case, compared, told

PATTERNS = [
    *(r"([0-9]+)?\.[0-9]+", "(a|b)*a(a|b){4}", "(a|b)*a(a|b){20}", "#[0-9a-f]{6}", "yes|no|yesterday", "caf[éè]"),
    *("[д-я]+", '[^"]*', "日本|語", "😀+x", "[ -ÿ]*!", "[^a-z]{2}", r"[\x7f-\uffff]{2}", r"\s\S"),
    *("a{2,5}", "(ab|a)*", "a??b", "(a*)*", "a|", ".{3}", r"[^\x00-\U0010ffff]|b", "a[^\\x00-\\U0010ffff]|b", "()*x"),
]


def agreed(cases, **options):
    """Compare cases of which neither side refuses any, and return how many masks are equal."""
    rows = compared(cases, **options)
    assert not [line for row in rows for line in told(row)]
    assert not [row["source"] for row in rows if row["python"] or row["refused"]]
    return sum(row["equal"] for row in rows)


def test_masks_of_patterns_are_pythons():
    assert agreed([Case("regex", pattern) for pattern in PATTERNS]) > 200
