"""Grammars in the engine: the small model writes whole texts within any budget, with jumps and without."""

import ast
import json

import pytest

from labkit.engine import Engine, SamplingParams
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labs.lab_09_inside_an_engine.solution import StructuredOutputManager
from labs.lab_10_jump_forward.given.tokens import TokenBytes
from labs.lab_10_jump_forward.solution import Jumper, JumpingManager
from labs.lab_12_pushdown.given.gbnf import shipped
from mask_engine import compile_guide
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
