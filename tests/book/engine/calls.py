"""What lab 11 says of answers in each format: the oracle of ``calls.test.mjs``."""

import gzip
import json
from base64 import b64decode
from random import Random

import numpy as np

from course.play.formats import WORDS, call_formats
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import join, split_answer, tool_automaton

CITY = {"type": "object", "properties": {"city": {"enum": ["Rome", "Oslo"]}}, "required": ["city"]}


def oracle(folder):
    rng, cases = Random(11), []
    made = call_formats()
    tables = json.loads(gzip.decompress(b64decode(made["packed"])))
    formats = [each | tables.get(each["name"], {}) for each in made["formats"] if not each["why"]]
    assert {each["name"] for each in formats[1:]} == {name for name, row in FORMATS.items() if row.constrained}
    for number, form in enumerate(formats):
        joined = automaton_of(form["name"]) if number else join({"<a>": (compile_dfa("[0-9]+;"), 0)})
        example, tokens = form["example"], [*form["tokens"], "b", " ", "\u00e9", "<"]
        texts = [form["start"], WORDS + example, example + " " + example.replace("Rome", "Paris")]
        texts += [example[: rng.randrange(len(example))] + "".join(rng.choices(tokens, k=3)) for _ in range(14)]
        cases += [{"format": number, "text": text, **said(joined, text)} for text in texts]
    return {"formats": formats, "cases": cases, "packed": made["packed"]}


def automaton_of(name):
    return tool_automaton(FORMATS[name], [Tool("now"), Tool("get_weather", CITY)])


def said(joined, text):
    state, held, parts = split_answer(joined, int(joined.dfa.initial), "", text)
    sent = "".join(words for kind, words in parts if kind == "text")
    calls = [words for kind, words in parts if kind == "block"]
    accepts = bool(state >= 0 and np.asarray(joined.dfa.accepting)[state])
    return {"sent": sent, "calls": calls, "waiting": held, "state": int(state), "accepts": accepts}
