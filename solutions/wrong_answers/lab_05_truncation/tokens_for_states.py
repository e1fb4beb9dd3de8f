"""The sets hold the tokens that lead to a state instead of the states that they come from."""

TODO = 3
HINT = 2


def predecessors(table):
    before = [set() for _ in table]
    for row in table:
        for token_id, target in row.items():
            before[target].add(token_id)
    return [{state for state in states if state < len(table)} for states in before]
