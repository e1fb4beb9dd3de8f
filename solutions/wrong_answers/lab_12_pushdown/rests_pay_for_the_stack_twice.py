"""What the stack needs is added to a rest's cost, which has it already."""

TODO = 12
HINT = 2


def allowed_tokens(n_tokens, tables, most):
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest, cost in after.items():
            if cost + below <= most:
                allowed[table.rests[rest]] = True
    return allowed
