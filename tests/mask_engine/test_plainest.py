"""Each function that a student writes runs in the engine, on the plainest example of its own lab's page.

The table is the one that readers see, in ``mask_engine/README.md``. Each function is taken away, and then what its row
asks for has to fail in it.
"""

import gc
import importlib
import json
import re
from functools import cache

import pytest

from course.student.core.catalog import ROOT, find_lab
from course.student.core.hints import lab_data
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide, compile_regex
from tests.labs import table

PAGE = (ROOT / "mask_engine" / "README.md").read_text("utf-8")
ROWS = [
    (int(lab), re.findall(r"`(\w+)`", functions), example.strip("`"), asked)
    for lab, functions, example, asked in table("| lab | your functions | example | asked for |", PAGE)
]
"""A lab's number, functions, an example of its page, and what a user asks of the engine."""

EXCEPTIONS = {
    "next_stack": "it is for understanding: one stack, where the engine shares the frames of many",
}
"""The functions that the engine does without, and why. There may be four at most."""


@cache
def tekken():
    return Vocabulary.tekken()


def fresh_vocabulary(lab):
    """Return the vocabulary of a lab's page, of which the engine knows nothing yet: Tekken, or before lab 07 bytes."""
    if lab not in (7, 12):
        return Vocabulary.bytes()
    return Vocabulary(tekken().token_bytes, eos_id=tekken().eos_id, special_ids=tekken().special_ids)


def source(example):
    """Return an example as an argument of ``compile_guide``."""
    if "::=" in example:
        return {"grammar": example}
    return {"json_schema": json.loads(example)} if example.startswith("{") else {"regex": example}


def ask(lab, example, asked):
    """Do what a row says: match a whole text, or read a text and make the mask after it, or each one on the way."""
    kind, text = re.fullmatch(r"(.*?)(?: `(.*)`)?", asked).groups(default="")
    if kind == "does it match":
        return compile_regex(example).fullmatch(text)
    vocabulary = fresh_vocabulary(lab)
    guide = compile_guide(vocabulary, **source(example))
    state = guide.initial
    for byte in text.encode():
        if kind == "each mask along":
            guide.mask(state)
        state = guide.advance(state, vocabulary.token_bytes.index(bytes([byte])))
    return guide.mask(state, 3 if kind == "the mask with 3 tokens left" else None).any()


def raising(*args, **kwargs):
    raise RuntimeError("this function was taken away")


def forget():
    """Clear everything in which the labs and the engine keep results for a process."""
    wrapper = type(cache(len))
    for each in gc.get_objects():
        if isinstance(each, wrapper) and each.__module__.startswith(("labs.", "mask_engine")):
            each.cache_clear()


@pytest.mark.parametrize(("lab", "functions", "example", "asked"), ROWS)
def test_each_function_runs_on_the_plainest_example_of_its_page(lab, functions, example, asked, monkeypatch):
    """Its code is replaced where it is, so it doesn't matter who has imported it, and under which name."""
    assert re.search(rf"[`'\n]{re.escape(example)}[`'\n]", page(lab)), "the lab's page has no such example"
    assert ask(lab, example, asked)
    module = importlib.import_module(f"labs.{find_lab(lab).name}.solution")
    for function in functions:
        forget()
        with monkeypatch.context() as patch:
            patch.setattr(getattr(module, function), "__code__", raising.__code__)
            with pytest.raises(RuntimeError, match="this function was taken away"):
                ask(lab, example, asked)


@cache
def page(lab):
    return (find_lab(lab).folder / "README.md").read_text("utf-8")


def test_all_functions_of_these_labs_are_in_the_table():
    """Each of them, but for the exceptions; those of lab 12 for a schema as well."""
    named = {(lab, function) for lab, functions, *_ in ROWS for function in functions}
    todos = {(lab, todo.function) for lab in (6, 7, 8, 12) for todo in lab_data(find_lab(lab)).todos.values()}
    assert sorted(named) == sorted(pair for pair in todos if pair[1] not in EXCEPTIONS)
    assert len(EXCEPTIONS) <= 4 and set(EXCEPTIONS) <= {function for _, function in todos}
