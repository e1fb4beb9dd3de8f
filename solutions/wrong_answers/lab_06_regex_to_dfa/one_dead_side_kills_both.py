"""The product dies where either automaton dies, which is right for an intersection and wrong for a union."""

TODO = 14
HINT = 2


def product(left, right, accepts):
    bounds, pair_of_interval = shared_intervals(left, right)
    classes, columns = number_pairs(pair_of_interval)
    lefts, rights = target_lists(left, right, columns)
    pairs = {(left.initial, right.initial): 0}
    waiting, rows = list(pairs), []
    for one, other in waiting:
        row = []
        for target in zip(lefts[one], rights[other], strict=True):
            dead = DEAD in target
            if not dead and target not in pairs:
                check_table(len(pairs) + 1, len(columns))
                pairs[target] = len(pairs)
                waiting.append(target)
            row.append(DEAD if dead else pairs[target])
        rows.append(row)
    accepting = [accepts(is_accepting(left, one), is_accepting(right, other)) for one, other in pairs]
    return Dfa(bounds, classes, rows, initial=0, accepting=accepting, symbols=left.symbols)
