"""Each caller makes a frame of its own, and nothing is shared."""

TODO = 5
HINT = 1


def call_closure(network, kernel):
    found = []
    waiting = [*kernel]
    for state, frame in waiting:
        for each in network.unread(state):
            if (each, frame) not in found:
                found.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers = frame.returns if network.is_last(target) else [(target, frame)]
                item = (network.initial[rule], frame_of(callers))
                if item not in waiting:
                    waiting.append(item)
    return found
