"""An item takes back what an earlier one allowed, where its own budget is too small."""

TODO = 12
HINT = 1


def allowed_tokens(n_tokens, tables, most):
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens] = table.costs + below <= most
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed
