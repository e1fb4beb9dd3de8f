"""The share is rounded to hundredths."""

TODO = 14
HINT = 3


def independent_share(table, n_tokens):
    waiting = set().union(*table.rests.values())
    return round(1 - len(waiting) / n_tokens, 2)
