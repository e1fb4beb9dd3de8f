"""From flat schemas to one automaton. The entry point is ``compiler.compile_schema``.

Imports all other folders of ``given`` and the lab's own functions.
"""
