"""Reading a schema: checks, keywords, references, and the flat schemas that the compiler works on.

Imports no other folder of ``given``.
"""
