"""The first requests get all they have, and the last nothing."""

TODO = 11
HINT = 1


def share_step(pending, limit):
    shares = []
    for count in pending:
        shares.append(min(count, limit))
        limit -= shares[-1]
    return shares
