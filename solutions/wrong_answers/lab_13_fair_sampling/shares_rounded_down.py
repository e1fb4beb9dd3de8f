"""Each index occurs its share rounded down, and the first fills up the rest."""

TODO = 14
HINT = 3


def resample(log_weights, u):
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    counts = np.diff(cumulative / cumulative[-1] * len(cumulative), prepend=0.0).astype(int)
    counts[int(np.argmax(log_weights))] += len(cumulative) - counts.sum()
    return np.repeat(np.arange(len(counts)), counts).tolist()
