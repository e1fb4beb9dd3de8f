"""Only full blocks get a program, and the end of each row keeps its logits."""

TODO = 8
HINT = 2


def grid_of(n_rows, n_columns, block):
    return n_rows, max(1, n_columns // block)
