"""The place after the last code point becomes a bound too, of an interval that holds nothing."""

TODO = 7
HINT = 2


def split_alphabet(sets):
    changes = defaultdict(int)
    for number, ranges in enumerate(sets):
        for first, last in ranges:
            changes[first] ^= 1 << number
            changes[last + 1] ^= 1 << number
    inside = changes.pop(0, 0)
    bounds, members = [0], [inside]
    for bound in sorted(changes.keys()):
        inside ^= changes[bound]
        bounds.append(bound)
        members.append(inside)
    return bounds, members
