"""The number of a set stands for it, not the bit of that number: set 0 is in no interval, and 1 and 2 make 3."""

TODO = 7
HINT = 2


def split_alphabet(sets):
    changes = defaultdict(int)
    for number, ranges in enumerate(sets):
        for first, last in ranges:
            changes[first] ^= number
            changes[last + 1] ^= number
    inside = changes.pop(0, 0)
    bounds, members = [0], [inside]
    for bound in sorted(changes.keys() - {LAST_CODE_POINT + 1}):
        inside ^= changes[bound]
        bounds.append(bound)
        members.append(inside)
    return bounds, members
