"""From any JSON Schema to a grammar. The entry point is ``compiler.schema_grammar``.

``reading`` turns a schema into cases: for each type a list of conjunctions, one of which a value must satisfy.
``building`` turns the cases into automata that call each other. Scalars, escapes and skeletons are lab 08's.
"""
