"""Shares below 0 and above 1 get an answer."""

TODO = 15
HINT = 3


def expected_speedup(forced, cost_ratio):
    time = 1 - forced + forced * cost_ratio
    return 1 / time if time else np.inf
