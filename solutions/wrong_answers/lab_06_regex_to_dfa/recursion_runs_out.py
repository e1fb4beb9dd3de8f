"""The walk calls itself for every transition, and a long chain is deeper than Python's stack."""

TODO = 6
HINT = 2


def epsilon_closure(nfa, state):
    found = set()

    def visit(here):
        if here not in found:
            found.add(here)
            for target in nfa.epsilon[here]:
                visit(target)

    visit(state)
    return frozenset(found)
