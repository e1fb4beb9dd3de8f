"""Each round of a loop leaves two loops to read, so the texts are right, and a longer text makes ever more states."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = Repeat(body, max(least - 1, 0), None if most is None else most - 1)
    again = state(fewer, state(fewer, after) if most is None and not least else after)
    return [state(body, again)] if least else [state(body, again), after]
