"""The table is kept by the number of states."""

TODO = 14
HINT = 1


def step_table(steps, accepting, kept={}):
    finished, dead = len(steps), len(steps) + 1
    if finished not in kept:
        table = np.full((len(steps) + 2, SYMBOLS), dead, np.int32)
        table[:finished, :256] = np.where(steps == -1, dead, steps)
        table[:finished, EOS_SYMBOL] = np.where(accepting, finished, dead)
        table[finished, EOS_SYMBOL] = finished
        kept[finished] = table
    return kept[finished].copy()
