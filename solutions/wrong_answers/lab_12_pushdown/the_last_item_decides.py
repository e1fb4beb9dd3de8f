"""Of several items only the last one counts."""

TODO = 12
HINT = 1


def allowed_tokens(n_tokens, tables, most):
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in [*tables][-1:]:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed
