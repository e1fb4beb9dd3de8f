"""The longest take their share first, so what the short ones leave comes too late."""

TODO = 11
HINT = 2


def share_step(pending, limit):
    shares = [0] * len(pending)
    for served, place in enumerate(sorted(range(len(pending)), key=lambda place: -pending[place])):
        shares[place] = min(pending[place], limit // (len(pending) - served))
        limit -= shares[place]
    return shares
