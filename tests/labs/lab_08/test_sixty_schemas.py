"""What carries the builder of schemas: how many of sixty schemas call each of the lab's functions."""

import sys
from collections import Counter

from labs.lab_08_json_schema import solution as lab
from mask_engine.trees.compiler import schema_tree
from tests.labs.lab_08.schemas import SCHEMAS
from tests.labs.lab_08.test_readme import GIVEN, code, table

FUNCTIONS = [name for name, value in vars(lab).items() if getattr(value, "__module__", "") == lab.__name__]
FUNCTIONS.remove("count_regex")
"""The student's functions, and those that are given between them."""


def built(name):
    """Build one of the schemas, with nothing kept of those before."""
    for module in [module for key, module in sys.modules.items() if key.startswith(("labs.lab_08", "mask_engine"))]:
        for kept in vars(module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()
    return schema_tree(SCHEMAS[name])


def test_the_table_says_how_many_call_each_function(monkeypatch):
    callers = Counter()
    called = set()

    def noting(name, function):
        def call(*args, **keywords):
            called.add(name)
            return function(*args, **keywords)

        return call

    for name in FUNCTIONS:
        monkeypatch.setattr(lab, name, noting(name, getattr(lab, name)))
    for schema_name in SCHEMAS:
        called.clear()
        built(schema_name)
        callers.update(called)
    rows = table("| function | called for | of sixty |", GIVEN)
    said = {}
    for names, _, counts in rows:
        said |= dict(zip(code(names), map(int, counts.split(", ")), strict=True))
    assert len(SCHEMAS) == 60 and said == {name: callers[name] for name in FUNCTIONS}
