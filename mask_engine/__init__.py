"""The engine that the labs add up to: ``from mask_engine import compile_guide``.

A pattern becomes an automaton over characters whose states are made when a text first comes to them (lab 06), and so
does a JSON Schema (lab 08). ``guide_of`` takes either to the tokens of a vocabulary (lab 07), grammars too (lab 12).
``structured_outputs`` is what a serving engine asks about the formats of its requests (lab 09), ``tool_outputs`` about
their tools (lab 11). ``text_samplers`` draws whole texts for it (lab 13).

The functions of the labs do the work. The folders have what production needs beyond them, and ``README.md`` says
which is where.

>>> from labkit.vocabulary import Vocabulary
>>> guide = compile_guide(Vocabulary.toy(), regex="[0-9]+[.][0-9]+")  # the tokens a . .2 1, and EOS
>>> guide.mask(guide.advance(guide.initial, 3)).tolist()  # after "1": one of ".", ".2" and "1", bits 1 to 3
[14]
"""

from mask_engine.compiling import (
    Matcher,
    Texts,
    compile_guide,
    compile_json_schema,
    compile_regex,
    guide_of,
    index_of,
    texts_of,
)
from mask_engine.guides import FINISHED, Guide, State
from mask_engine.outputs import (
    guide_of_format,
    structured_outputs,
    text_samplers,
    texts_of_format,
    texts_of_tools,
    tool_outputs,
)

__all__ = [
    "FINISHED",
    "Guide",
    "Matcher",
    "State",
    "Texts",
    "compile_guide",
    "compile_json_schema",
    "compile_regex",
    "guide_of",
    "guide_of_format",
    "index_of",
    "structured_outputs",
    "text_samplers",
    "texts_of",
    "texts_of_format",
    "texts_of_tools",
    "tool_outputs",
]
