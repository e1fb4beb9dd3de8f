"""The divergence is that of q from p."""

TODO = 6
HINT = 1


def distances(p, q):
    pairs = [(b, p.get(text, 0.0)) for text, b in q.items() if b > 0]
    kl = sum(b * math.log(b / a) if a > 0 else math.inf for b, a in pairs)
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2)
