"""After its round the body goes on past the repetition, so nothing ever repeats."""

TODO = 5
HINT = 2


def unfold_repeat(repeat, after, state):
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    return [state(body, after)] if least else [state(body, after), after]
