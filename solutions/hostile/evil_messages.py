"""Raises errors whose text is a formula, markup, terminal commands, and then a hundred megabytes."""
# lab: 01, todo: 4

TEXTS = [
    '=HYPERLINK("http://localhost/?"&A1,"your grade")',
    "<script>alert(document.cookie)</script><img src=x onerror=alert(1)>",
    "\x1b]0;owned\x07\x1b[2J\x1b[31mall passed\x1b[0m\r68 passed",
    "a\nname,100,100\n\x00\ud800",
    "x" * (100 << 20),
]


def attack(*args, **kwargs):
    TEXTS.append(TEXTS.pop(0))
    raise ValueError(TEXTS[-1])
