"""What others have taken is not subtracted."""

TODO = 11
HINT = 3


def share_step(pending, limit):
    shares = [0] * len(pending)
    for served, place in enumerate(sorted(range(len(pending)), key=lambda place: pending[place])):
        shares[place] = min(pending[place], limit // (len(pending) - served))
    return shares
