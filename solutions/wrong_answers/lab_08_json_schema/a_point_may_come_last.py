"""A number may end after its point."""

TODO = 18
HINT = 1


def compare_digits(bound, orders):
    whole, _, fraction = bound.partition(".")

    def step(state, char):
        part, count, order = state
        if char == ".":
            return "fraction", 0, (count > len(whole)) - (count < len(whole)) or order
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "0"
        return part, min(count + 1, len(digits) + 1), order or (char > expected) - (char < expected)

    def accepts(state):
        _, count, order = state if state[0] == "fraction" else step(state, ".")
        return (order or -(count < len(fraction))) in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    return all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]*)?")])
