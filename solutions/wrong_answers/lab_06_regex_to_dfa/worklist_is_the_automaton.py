"""The list of states to visit is the automaton's own row of transitions, which the walk then empties."""

TODO = 6
HINT = 3


def epsilon_closure(nfa, state):
    found, waiting = {state}, nfa.epsilon[state]
    while waiting:
        target = waiting.pop()
        if target not in found:
            found.add(target)
            waiting.extend(nfa.epsilon[target])
    return frozenset(found)
