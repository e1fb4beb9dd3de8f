"""A rest that is too dear takes back tokens that are allowed otherwise."""

TODO = 12
HINT = 1


def allowed_tokens(n_tokens, tables, most):
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest, cost in after.items():
            allowed[table.rests[rest]] = cost <= most
    return allowed
