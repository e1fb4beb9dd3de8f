"""Every member may be the first one, also those after a required member."""

TODO = 9
HINT = 2


def object_regex(members, space):
    beginnings = [""] * all(not required for _, required in members)
    for index, (first, _) in enumerate(members):
        others = [f"(?:{space.comma}(?:{other})){'' if needed else '?'}" for other, needed in members[index + 1 :]]
        beginnings.append(f"(?:{first}){''.join(others)}{space.edge}")
    return rf"\{{{space.edge}(?:{'|'.join(beginnings)})\}}"
