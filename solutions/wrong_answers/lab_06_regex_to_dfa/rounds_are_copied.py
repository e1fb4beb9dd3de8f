"""The rounds that must come are chained at once, so a{60000} makes sixty thousand states before a text is read."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    if least:
        after = state(Repeat(body, 0, None if most is None else most - least), after)
        for _ in range(least):
            after = state(body, after)
        return [after]
    if most == 0:
        return [after]
    return [state(body, state(Repeat(body, 0, None if most is None else most - 1), after)), after]
