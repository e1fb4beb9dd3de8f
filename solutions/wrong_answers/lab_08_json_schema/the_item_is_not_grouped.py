"""The item is not put into a group, so a bar in it cuts the array in two."""

TODO = 7
HINT = 2


def array_regex(item, least, most, space):
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"{item}(?:{space.comma}{item}){more}{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"
