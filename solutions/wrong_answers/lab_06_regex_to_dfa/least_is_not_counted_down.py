"""The rounds that must come stay as many, so a+ can never be left."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = Repeat(body, least, None if most is None else max(most - 1, least))
    return [state(body, state(fewer, after))] if least else [state(body, state(fewer, after)), after]
