"""Grammars in the assembled engine: the small model writes whole texts within any budget, with jumps and without."""

import ast
import json
from itertools import islice

import pytest

from labkit.engine import Engine, SamplingParams
from labkit.small_model.generation import Generator, Request
from labkit.small_model.tasks import examples
from labkit.small_model.tasks.forms import STRING, JsonForm, closed
from labkit.small_model.tasks.judging import judge
from labkit.small_model.tasks.nested import folders
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labs.assembled import compile_guide, compile_regex
from labs.lab_09_inside_an_engine.solution import StructuredOutputManager
from labs.lab_10_jump_forward.given.tokens import TokenBytes
from labs.lab_10_jump_forward.solution import Jumper, JumpingManager
from labs.lab_12_pushdown.given.gbnf import shipped
from tests.labs.lab_12.recogniser_of_c import is_program

TOKENIZER = Tokenizer.load()
SMALL = TOKENIZER.vocabulary
MODEL = SmallModel.load("early")
READERS = {
    "json": json.loads,
    "arithmetic": lambda text: ast.parse(text.strip(), mode="eval"),
    "c": lambda text: is_program(text) or 1 / 0,
}


def answers(name, policy, budgets):
    """Return the requests of one batch, each with a budget of its own."""
    guide = compile_guide(SMALL, grammar=shipped(name))
    if policy is None:
        manager = StructuredOutputManager(SMALL, lambda wanted: guide)
    else:
        manager = JumpingManager(
            SMALL, lambda wanted: guide, jumper=Jumper(policy, TokenBytes(SMALL, TOKENIZER.encode))
        )
    engine = Engine(MODEL, SMALL, manager, max_num_seqs=len(budgets))
    requests = [
        engine.add_request(
            TOKENIZER.prompt("Anything you like"),
            SamplingParams(max_tokens=most, seed=most),
            response_format={"type": "json_object"},
        )
        for most in budgets
    ]
    engine.generate(*requests)
    return requests


@pytest.mark.parametrize("policy", [None, "single", "longest", "whole"])
@pytest.mark.parametrize("name", READERS)
def test_a_grammar_is_kept_within_any_budget(name, policy):
    guide = compile_guide(SMALL, grammar=shipped(name))
    least = int(guide.tokens_to_accept(guide.initial)) + 1
    for request in answers(name, policy, (least, least + 1, least + 4, 60)):
        assert request.error is None and request.finish_reason == "stop"
        READERS[name](SMALL.decode(request.output_token_ids))


def test_trees_close_what_they_open():
    """Under a recursive schema every tree is valid, some with folders in folders; freely some are not."""
    schema = closed({"name": STRING, "folders": {"type": "array", "items": {"$ref": "#"}, "maxItems": 3}})
    form, guide = JsonForm(schema), compile_guide(SMALL, json_schema=schema)
    asked = [TOKENIZER.prompt(each.prompt) for each in islice(examples(3_000_018, {folders: 1}), 24)]
    free, masked = (
        [
            SMALL.decode(answer.ids)
            for answer in Generator(MODEL, SMALL).answer(
                [Request(ids, 160, mask, within_budget=bool(mask), seed=seed) for seed, ids in enumerate(asked)]
            )
        ]
        for mask in (None, guide)
    )
    assert all(judge(form, tree).valid for tree in masked) and not all(judge(form, tree).valid for tree in free)
    assert any(folder["folders"] for tree in masked for folder in json.loads(tree)["folders"])


def test_a_grammar_without_calls_keeps_its_automaton():
    """What is regular costs what it costs today: it is the guide of lab 07."""
    guide = compile_guide(SMALL, grammar='root ::= ("a" | b)+  b ::= [0-9]{2}')
    assert type(guide).__name__ == "TokenGuide" and isinstance(guide.initial, int)
    other = compile_guide(SMALL, regex="(a|[0-9]{2})+")
    assert (guide.mask(guide.initial) == other.mask(other.initial)).all()
    assert compile_regex("(a|[0-9]{2})+").fullmatch("a12a")
