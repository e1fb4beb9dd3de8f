"""Nodes are taken by their numbers, and a child may have a deeper node's failure."""

TODO = 2
HINT = 2


def failure_links(children, ends):
    failure, found = [0] * len(children), list(ends)
    for node in range(1, len(children)):
        found[node] = ends[node] or found[failure[node]]
        for char, child in children[node].items():
            fallback = failure[node]
            while fallback and char not in children[fallback]:
                fallback = failure[fallback]
            failure[child] = children[fallback].get(char, 0)
    return failure, found
