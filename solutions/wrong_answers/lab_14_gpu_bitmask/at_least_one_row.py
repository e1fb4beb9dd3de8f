"""A grid for no rows has a program."""

TODO = 8
HINT = 1


def grid_of(n_rows, n_columns, block):
    return max(n_rows, 1), -(-n_columns // block)
