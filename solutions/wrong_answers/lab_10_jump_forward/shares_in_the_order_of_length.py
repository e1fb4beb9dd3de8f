"""The shares come back sorted and not in the order of the requests."""

TODO = 11
HINT = 3


def share_step(pending, limit):
    shares = [0] * len(pending)
    for served, place in enumerate(sorted(range(len(pending)), key=lambda place: pending[place])):
        shares[place] = min(pending[place], limit // (len(pending) - served))
        limit -= shares[place]
    return sorted(shares)
