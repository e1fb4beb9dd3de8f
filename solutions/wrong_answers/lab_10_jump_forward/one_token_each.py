"""Nobody reads more than one token a step, so a jump saves nothing."""

TODO = 11
HINT = 1


def share_step(pending, limit):
    return [min(count, 1) for count in pending]
