"""Each gets an equal share, and what the short ones leave is lost."""

TODO = 11
HINT = 2


def share_step(pending, limit):
    return [min(count, limit // max(1, len(pending))) for count in pending]
