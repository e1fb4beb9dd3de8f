"""NaN lies outside no range that is tested for what is too small and too large."""

TODO = 15
HINT = 3


def expected_speedup(forced, cost_ratio):
    if forced < 0 or forced > 1 or cost_ratio < 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    time = 1 - forced + forced * cost_ratio
    return 1 / time if time else np.inf
