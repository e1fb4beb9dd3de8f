"""The message names every rule that could not be put in order."""

TODO = 5
HINT = 3


def call_order(initial, calls, nullable, names):
    at_once = [{r for s in unread(first, calls, nullable) for r, _ in calls.get(s, ())} for first in initial]
    waiting = [0] * len(initial)
    for row in at_once:
        for r in row:
            waiting[r] += 1
    order = [r for r, n in enumerate(waiting) if not n]
    for rule in order:
        for r in at_once[rule]:
            waiting[r] -= 1
            if not waiting[r]:
                order.append(r)
    left = [r for r in range(len(initial)) if r not in order]
    if left:
        raise InvalidGrammar("left recursion: " + ", ".join(names[r] for r in [*left, left[0]]))
    return order
