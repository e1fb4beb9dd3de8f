"""There is no end at 0: a repetition of which no round may come reads one more, again and again."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    fewer = Repeat(body, max(least - 1, 0), None if most is None else max(most - 1, 0))
    again = state(fewer, after)
    return [state(body, again)] if least else [state(body, again), after]
