"""The state of a round leads to the repetition at the end of the text, not to the one before what comes after."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = Repeat(body, max(least - 1, 0), None if most is None else most - 1)
    again = state(fewer, 0)
    return [state(body, again)] if least else [state(body, again), after]
