"""Each member but the last of the list brings a comma, also where that last one is missing."""

TODO = 9
HINT = 1


def object_regex(members, space):
    if not members:
        return rf"\{{{space.edge}\}}"
    row = ""
    for index, (member, required) in enumerate(members):
        comma = space.comma if index < len(members) - 1 else ""
        row += f"(?:(?:{member}){comma}){'' if required else '?'}"
    needed = any(required for _, required in members)
    return rf"\{{{space.edge}{row}{space.edge}\}}" if needed else rf"\{{{space.edge}(?:{row}{space.edge}|)\}}"
