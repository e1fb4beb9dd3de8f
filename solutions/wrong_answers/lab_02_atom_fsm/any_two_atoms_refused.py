"""A repeated atom is compared with all later atoms, not only with its neighbour."""

TODO = 8
HINT = 2


def refuse_ambiguity(atoms, pattern):
    for number, left in enumerate(atoms):
        for right in atoms[number + 1 :]:
            if left.plus and left.chars & right.chars:
                raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)
