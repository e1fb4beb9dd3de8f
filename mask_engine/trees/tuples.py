"""Arrays whose first items have schemas of their own (``prefixItems``)."""

from collections.abc import Sequence

from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.whitespace import Whitespace


def tuple_regex(prefix: Sequence[str], rest: str | None, least: int, most: int | None, space: Whitespace) -> str:
    """Return an expression for an array whose first items are given; a short array has fewer of them.

    Args:
        prefix: regular expressions for the first items.
        rest: a regular expression for every further item; None if there must be none.

    >>> import re
    >>> from labs.lab_08_json_schema.given.whitespace import policy
    >>> pattern = tuple_regex(["a", "b"], "c", 1, None, policy("compact"))
    >>> [text for text in ["[]", "[a]", "[b]", "[a,b]", "[a,b,c,c]", "[a,c]"] if re.fullmatch(pattern, text)]
    ['[a]', '[a,b]', '[a,b,c,c]']
    """
    if rest is None:
        most = len(prefix) if most is None else min(most, len(prefix))
    if most is not None and most < least:
        return lab.NOTHING
    items = _items(list(prefix)[:most], rest, least, most, space)
    return rf"\[{space.edge}{items}\]"


def _items(prefix: Sequence[str], rest: str | None, least: int, most: int | None, space: Whitespace) -> str:
    """Return the items and their commas, built from the last one back: each contains all that may follow it."""
    more = None if most is None else most - len(prefix)
    needed = max(least - len(prefix), 0)
    tail = f"(?:{space.comma}(?:{rest})){lab.count_regex(needed, more)}" if rest is not None and more != 0 else ""
    for index in range(len(prefix) - 1, -1, -1):
        comma = space.comma if index else ""
        edge = space.edge if not index else ""
        tail = f"(?:{comma}(?:{prefix[index]}){tail}{edge}){'' if index < least else '?'}"
    return tail
