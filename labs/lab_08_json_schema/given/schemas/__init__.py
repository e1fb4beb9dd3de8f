"""From any JSON Schema to the tree of its JSON texts. The entry point is ``trees.compiler.schema_tree``.

``reading`` turns a schema into cases: for each type a list of conjunctions, one of which a value must satisfy.
``trees`` turns the cases into trees. Scalars, escapes and skeletons are lab 08's own functions.
"""
