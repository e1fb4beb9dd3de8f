"""The bounds are put on the items after the first, which makes one item too many."""

TODO = 7
HINT = 2


def array_regex(item, least, most, space):
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    more = count_regex(least, most)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"
