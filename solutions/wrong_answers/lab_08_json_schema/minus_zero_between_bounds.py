"""Zero may have a minus sign."""

TODO = 19
HINT = 3


def integer_between(low, high):
    def unsigned(bound, orders):
        if bound is None or bound < 0:
            return compile_dfa("[0-9]+" if bound is None or 1 in orders else NOTHING)
        return compare_digits(str(bound), orders)

    negated = [None if bound is None else -bound for bound in (low, high)]
    positive = all_of([unsigned(low, (0, 1)), unsigned(high, (-1, 0))])
    negative = all_of([unsigned(negated[0], (-1, 0)), unsigned(negated[1], (0, 1))])
    either_sign = splice(compile_dfa("p|-n"), {ord("p"): positive, ord("n"): negative})
    return all_of([either_sign, compile_dfa("-?(0|[1-9][0-9]*)")])
