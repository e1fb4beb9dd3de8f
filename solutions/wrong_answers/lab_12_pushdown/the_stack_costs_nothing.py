"""A budget forgets what the stack below needs."""

TODO = 12
HINT = 2


def allowed_tokens(n_tokens, tables, most):
    allowed = np.zeros(n_tokens, bool)
    for table, _below, after in tables:
        allowed[table.tokens[table.costs <= most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed
