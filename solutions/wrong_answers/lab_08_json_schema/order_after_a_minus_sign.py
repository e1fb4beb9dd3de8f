"""After a minus sign the order of the digits does not turn round."""

TODO = 19
HINT = 2


def integer_between(low, high):
    def unsigned(bound, orders):
        if bound is None or bound < 0:
            return compile_dfa("[0-9]+" if bound is None or 1 in orders else NOTHING)
        return compare_digits(str(bound), orders)

    negated = [None if bound is None else -bound for bound in (low, high)]
    positive = all_of([unsigned(low, (0, 1)), unsigned(high, (-1, 0))])
    negative = all_of([unsigned(negated[0], (0, 1)), unsigned(negated[1], (-1, 0))])
    either_sign = splice(compile_dfa("p|-n"), {ord("p"): positive, ord("n"): negative})
    return all_of([either_sign, compile_dfa(number_regex(integer=True))])
