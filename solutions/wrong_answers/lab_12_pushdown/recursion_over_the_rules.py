"""The search calls itself, and a long chain of rules is too deep for Python."""

TODO = 5
HINT = 2


def call_order(initial, calls, nullable, names):
    done, path = {}, []

    def visit(rule):
        if rule in path:
            raise InvalidGrammar("left recursion: " + ", ".join(names[r] for r in [*path[path.index(rule) :], rule]))
        if rule not in done:
            path.append(rule)
            for state in unread(initial[rule], calls, nullable):
                for called, _ in calls.get(state, ()):
                    visit(called)
            done[path.pop()] = None

    for rule in range(len(initial)):
        visit(rule)
    return [*reversed(done)]
