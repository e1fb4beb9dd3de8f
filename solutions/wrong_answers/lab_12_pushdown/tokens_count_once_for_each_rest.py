"""A token with two rests counts twice."""

TODO = 14
HINT = 2


def independent_share(table, n_tokens):
    waiting = [token_id for tokens in table.rests.values() for token_id in tokens]
    return 1 - len(waiting) / n_tokens
