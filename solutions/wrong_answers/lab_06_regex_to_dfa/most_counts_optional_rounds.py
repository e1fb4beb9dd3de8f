"""A round that must come is not counted against the most, so a{2,3} takes two and then up to three more."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    if least:
        return [state(body, state(Repeat(body, least - 1, most), after))]
    return [state(body, state(Repeat(body, 0, None if most is None else most - 1), after)), after]
