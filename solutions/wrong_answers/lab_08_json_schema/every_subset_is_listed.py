"""Every allowed subset of the members is an alternative, twice as many with each optional member."""

TODO = 9
HINT = 1


def object_regex(members, space):
    rows = [[]]
    for member, required in members:
        rows = [[*row, f"(?:{member})"] for row in rows] + ([] if required else rows)
    choices = [space.comma.join(row) + (space.edge if row else "") for row in rows]
    return rf"\{{{space.edge}(?:{'|'.join(choices)})\}}"
