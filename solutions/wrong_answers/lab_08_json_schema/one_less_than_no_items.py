"""An array of no items is no case of its own, and one less than none is counted: the text {0,-1} is no quantifier."""

TODO = 7
HINT = 2


def array_regex(item, least, most, space):
    if most is not None and most < least:
        return NOTHING
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"
