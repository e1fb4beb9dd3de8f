"""The loop over the automata stops one too early."""

TODO = 13
HINT = 1


def all_of(automata):
    found = compile_dfa("(?s:.)*")
    for dfa in sorted(automata, key=len)[: max(len(automata) - 1, 1)]:
        found = minimize_dfa(product(found, dfa, lambda a, b: a and b))
    return found
