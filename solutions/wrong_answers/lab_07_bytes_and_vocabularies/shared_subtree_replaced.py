"""Each sequence gets new subtrees, and those of earlier sequences with the same prefix are lost."""

TODO = 3
HINT = 1


def utf8_tree(dfa):
    tree = {}
    for symbol_class, code_points in enumerate(dfa.class_ranges):
        for first, last in code_points:
            for *before, end in utf8_sequences(first, last):
                node = tree
                for byte_range in before:
                    node[byte_range] = {}
                    node = node[byte_range]
                node[end] = symbol_class
    return tree
