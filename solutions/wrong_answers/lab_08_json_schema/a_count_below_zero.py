"""With a most of 0 the count becomes {0,-1}, which is plain text and not a quantifier."""

TODO = 7
HINT = 2


def array_regex(item, least, most, space):
    if most is not None and most < least:
        return NOTHING
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"
