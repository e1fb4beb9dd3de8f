"""What is forced is taken to cost nothing."""

TODO = 15
HINT = 2


def expected_speedup(forced, cost_ratio):
    if not 0 <= forced <= 1 or not cost_ratio >= 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    time = 1 - forced
    return 1 / time if time else np.inf
