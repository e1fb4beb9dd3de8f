"""A text with probability 0 in p is put into the logarithm."""

TODO = 6
HINT = 2


def distances(p, q):
    written = [(a, q.get(text, 0.0)) for text, a in p.items()]
    kl = sum((a * math.log(a / b) if b > 0 else math.inf for a, b in written))
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2)
