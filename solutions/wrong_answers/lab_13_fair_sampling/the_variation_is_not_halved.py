"""The variation is the whole sum of differences, so two that share nothing are 2 apart."""

TODO = 6
HINT = 3


def distances(p, q):
    written = [(a, q.get(text, 0.0)) for text, a in p.items() if a > 0]
    kl = sum((a * math.log(a / b) if b > 0 else math.inf for a, b in written))
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}))
