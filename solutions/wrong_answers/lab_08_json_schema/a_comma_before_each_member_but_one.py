"""Each member but the first of the list brings a comma, also where that first one is missing."""

TODO = 9
HINT = 1


def object_regex(members, space):
    if not members:
        return rf"\{{{space.edge}\}}"
    row = ""
    for index, (member, required) in enumerate(members):
        row += f"(?:{space.comma if index else ''}(?:{member})){'' if required else '?'}"
    return rf"\{{{space.edge}(?:{row}{space.edge})?\}}" if "?" in row else rf"\{{{space.edge}{row}{space.edge}\}}"
