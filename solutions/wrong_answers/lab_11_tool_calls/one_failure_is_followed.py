"""Only the parent's own failure is asked for a child, and not the failures after it."""

TODO = 2
HINT = 2


def failure_links(children, ends):
    failure, found = [0] * len(children), list(ends)
    waiting = deque(children[0].values())
    while waiting:
        node = waiting.popleft()
        found[node] = ends[node] or found[failure[node]]
        for char, child in children[node].items():
            fallback = failure[node]
            failure[child] = children[fallback].get(char, 0)
            waiting.append(child)
    return failure, found
