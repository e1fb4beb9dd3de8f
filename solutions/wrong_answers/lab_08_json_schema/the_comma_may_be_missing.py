"""Commas are optional wherever a member is, so two members may have none between them."""

TODO = 9
HINT = 1


def object_regex(members, space):
    if not members:
        return rf"\{{{space.edge}\}}"
    row = ""
    for index, (member, required) in enumerate(members):
        row += f"(?:{space.comma})?" * (index > 0) + f"(?:{member})" + "?" * (not required)
    needed = any(required for _, required in members)
    return rf"\{{{space.edge}{row}{space.edge}\}}" if needed else rf"\{{{space.edge}(?:{row}{space.edge}|)\}}"
