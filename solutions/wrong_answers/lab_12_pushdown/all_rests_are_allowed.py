"""Every token that waits is allowed, whether the stack reads its rest or not."""

TODO = 12
HINT = 3


def allowed_tokens(n_tokens, tables, most):
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest in table.rests:
            if after.get(rest, 0) <= most:
                allowed[table.rests[rest]] = True
    return allowed
