"""All items together are optional, so an array may be empty although it needs some."""

TODO = 7
HINT = 2


def array_regex(item, least, most, space):
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}{space.edge}"
    return rf"\[{space.edge}(?:{items})?\]"
