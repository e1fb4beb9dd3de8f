"""The transitions are not reversed, so each state gets the states that it leads to."""

TODO = 3
HINT = 1


def predecessors(table):
    return [set(row.values()) for row in table]
