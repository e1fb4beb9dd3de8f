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
"""A surrogate stands for what is between the fixed texts: no text has one."""


def guide_for(form: Form) -> Guide:
    """The guide of a form, in the small model's tokens; compiled once for each form.

    What has to come before the guide begins, a form's special token, is the caller's to force.

    >>> guide = guide_for(TextForm("#[0-9a-f]{6}"))
    >>> guide.tokens_to_accept(guide.initial) <= 7
    True
    """
    return _compiled(type(form).__name__, json.dumps(vars(form)))


def enclosed(before: str, machine: Dfa, after: str) -> Dfa:
    """The machine of the texts of a machine between two fixed texts.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> fullmatch(enclosed("<", compile_dfa("[0-9]+"), ">"), "<42>")
    True
    """
    return substitute(literals([f"{before}{chr(_INSIDE)}{after}"]), {_INSIDE: machine})


_KINDS: dict[str, type[Form]] = {kind.__name__: kind for kind in (JsonForm, TextForm, WrappedForm)}


@lru_cache(maxsize=1024)
def _compiled(kind: str, fields: str) -> Guide:
    """A form's fields come as JSON, for the schemas in them are dictionaries, which no cache can tell apart."""
    form, vocabulary = _KINDS[kind](**json.loads(fields)), Tokenizer.load().vocabulary
    if isinstance(form, TextForm):
        return compile_guide(vocabulary, regex=form.pattern)
    if isinstance(form, JsonForm):
        return compile_guide(vocabulary, json_schema=form.schema)
    return guide_of(vocabulary, enclosed(form.before, compile_schema(form.schema), form.after))
