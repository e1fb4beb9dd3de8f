"""White space may follow the first brace and precede the last one, so an empty object allows it twice."""

TODO = 9
HINT = 3


def object_regex(members, space):
    beginnings = []
    for index, (first, required) in enumerate(members):
        others = [f"(?:{space.comma}(?:{other})){'' if needed else '?'}" for other, needed in members[index + 1 :]]
        beginnings.append(f"(?:{first}){''.join(others)}")
        if required:
            break
    else:
        beginnings.append("")
    return rf"\{{{space.edge}(?:{'|'.join(beginnings)}){space.edge}\}}"
