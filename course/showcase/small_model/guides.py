"""From the form that a prompt asks for to the guide that enforces it: the engine of ``labs.assembled`` at work."""

import json
from functools import lru_cache

from labkit.automata.dfa import Dfa
from labkit.small_model.tasks.forms import Form, JsonForm, TextForm, WrappedForm
from labkit.small_model.tokenizer import Tokenizer
from labs.assembled import Guide, compile_guide, guide_of
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_08_json_schema.given.automata.splicing import substitute
from labs.lab_08_json_schema.given.compiling.compiler import compile_schema

_INSIDE = 0xD800
"""A surrogate, which no text has, stands for the part between the fixed texts."""


def guide_for(form: Form) -> Guide:
    """Return the guide of a form, in the small model's tokens; compiled once for each form.

    The guide begins after the form's special token, which the caller has to force.

    >>> guide = guide_for(TextForm("#[0-9a-f]{6}"))
    >>> guide.tokens_to_accept(guide.initial) <= 7
    True
    """
    return _compiled(type(form).__name__, json.dumps(vars(form)))


def enclosed(before: str, dfa: Dfa, after: str) -> Dfa:
    """Return the automaton of an automaton's texts between two fixed texts.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> fullmatch(enclosed("<", compile_dfa("[0-9]+"), ">"), "<42>")
    True
    """
    return substitute(literals([f"{before}{chr(_INSIDE)}{after}"]), {_INSIDE: dfa})


_KINDS: dict[str, type[Form]] = {kind.__name__: kind for kind in (JsonForm, TextForm, WrappedForm)}


@lru_cache(maxsize=1024)
def _compiled(kind: str, fields: str) -> Guide:
    """Compile a form; its fields come as JSON, since a schema is a dictionary and cannot be a cache's key."""
    form, vocabulary = _KINDS[kind](**json.loads(fields)), Tokenizer.load().vocabulary
    if isinstance(form, TextForm):
        return compile_guide(vocabulary, regex=form.pattern)
    if isinstance(form, JsonForm):
        return compile_guide(vocabulary, json_schema=form.schema)
    return guide_of(vocabulary, enclosed(form.before, compile_schema(form.schema), form.after))
