"""Rests are counted, not tokens."""

TODO = 14
HINT = 1


def independent_share(table, n_tokens):
    {token_id for tokens in table.rests.values() for token_id in tokens}
    return 1 - len(table.rests) / n_tokens
