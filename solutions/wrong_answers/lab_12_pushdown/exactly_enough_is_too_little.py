"""A budget that is exactly enough is refused."""

TODO = 12
HINT = 2


def allowed_tokens(n_tokens, tables, most):
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below < most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed
