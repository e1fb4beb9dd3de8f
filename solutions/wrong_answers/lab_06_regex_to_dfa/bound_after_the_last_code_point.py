"""The place after the last code point becomes a bound too, of an interval that holds nothing."""

TODO = 7
HINT = 2


def split_alphabet(sets):
    changes = defaultdict(set)
    for number, ranges in enumerate(sets):
        for first, last in ranges:
            changes[first].add(number)
            changes[last + 1].add(number)
    inside = frozenset(changes.pop(0, ()))
    bounds, members = [0], [inside]
    for bound in sorted(changes):
        inside ^= changes[bound]
        bounds.append(bound)
        members.append(inside)
    return bounds, members
