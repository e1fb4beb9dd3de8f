"""A comma may follow the last item, as in a Python list."""

TODO = 7
HINT = 1


def array_regex(item, least, most, space):
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}(?:{space.comma})?{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"
