"""A repetition may always be left, also while rounds must come: a{2} matches the empty text."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = Repeat(body, max(least - 1, 0), None if most is None else most - 1)
    return [state(body, state(fewer, after)), after]
