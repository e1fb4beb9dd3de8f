"""Imports what the course's own faster twins, scenes and pictures make of a TODO's work."""
# lab: 06

import importlib

TWINS = [
    ("mask_engine.patterns.lazy", "LazyDfa"),
    ("labkit.automata.byte_dfa", "_reaches_accepting"),
    ("labkit.pictures.graphs.graph", "_union"),
    ("labkit.scenes.automata", "follow"),
]
for module, name in TWINS:
    try:
        getattr(importlib.import_module(module), name)
    except ImportError:
        continue
    raise RuntimeError(f"@token@ has {name} of {module}")
