"""The rules are in the order in which the search finishes them."""

TODO = 5
HINT = 2


def call_order(initial, calls, nullable, names):
    at_once = [
        [rule for state in unread(first, calls, nullable) for rule, _ in calls.get(state, ())] for first in initial
    ]
    done = {}
    for root in range(len(initial)):
        path = []
        waiting = [root]
        while waiting:
            rule = waiting.pop()
            if rule == -1:
                done[path.pop()] = None
            elif rule in path:
                circle = [*path[path.index(rule) :], rule]
                raise InvalidGrammar("left recursion: " + ", ".join(names[each] for each in circle))
            elif rule not in done:
                path.append(rule)
                waiting += [-1, *at_once[rule]]
    return [*done]
