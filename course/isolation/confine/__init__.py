"""What a sandboxed process does to itself before it becomes the untrusted program.

Standard library alone: some of it runs where nothing else can be read. ``steps.main`` is where it begins.
"""
