"""Keeps the automaton of a bound, whatever the orders."""

TODO = 18
HINT = 2


_kept = {}


def compare_digits(bound: str, orders: Collection[int]) -> Dfa:
    if bound in _kept:
        return _kept[bound]
    whole, _, fraction = bound.partition(".")

    def step(state: tuple[str, int, int], char: str) -> tuple[str, int, int]:
        part, count, order = state
        if char == ".":
            return "fraction", 0, (count > len(whole)) - (count < len(whole)) or order
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "0"  # after its last digit the bound reads as zeros
        return part, min(count + 1, len(digits) + 1), order or (char > expected) - (char < expected)

    def accepts(state: tuple[str, int, int]) -> bool:
        _, count, order = state if state[0] == "fraction" else step(state, ".")
        return (order or -(count < len(fraction))) in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    _kept[bound] = all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]+)?")])
    return _kept[bound]
