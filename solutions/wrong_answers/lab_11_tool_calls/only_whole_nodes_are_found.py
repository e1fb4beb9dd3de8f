"""A trigger inside the path of a longer one is not noticed."""

TODO = 2
HINT = 3


def failure_links(children, ends):
    failure, found = [0] * len(children), list(ends)
    waiting = deque(children[0].values())
    while waiting:
        node = waiting.popleft()
        for char, child in children[node].items():
            fallback = failure[node]
            while fallback and char not in children[fallback]:
                fallback = failure[fallback]
            failure[child] = children[fallback].get(char, 0)
            waiting.append(child)
    return failure, found
