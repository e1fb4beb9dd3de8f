"""The time that is left is returned, and not how many times faster that is."""

TODO = 15
HINT = 3


def expected_speedup(forced, cost_ratio):
    if not 0 <= forced <= 1 or not cost_ratio >= 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    time = 1 - forced + forced * cost_ratio
    return time
