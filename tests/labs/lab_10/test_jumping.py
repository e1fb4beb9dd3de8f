"""Jumps in the engine: guides byte by byte, every policy with the small model, and the committed figures."""

import re
from pathlib import Path

import numpy as np
import pytest
import regex as rx

from labkit.engine import Engine, SamplingParams
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary
from labs.lab_10_jump_forward import solution
from labs.lab_10_jump_forward.given.schemas import ALL, SIX_KEYS
from labs.lab_10_jump_forward.measuring import Bench, committed
from mask_engine import compile_guide, structured_outputs

TOKENIZER = Tokenizer.load()
SMALL = TOKENIZER.vocabulary
EARLY = SmallModel.load("early")

PATTERNS = (
    r'\{"name": "[a-z]{1,8}", "ok": (true|false)\}',
    r"(name|names|nose) é(è|é)?1",
    r"#[0-9a-f]{6}",
    r"(yes|no|maybe), (we|they) (can|cannot)\.",
    r"20[0-9]{2}-[01][0-9]",
    "only this text",
)


# The guide, byte by byte ------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", PATTERNS)
def test_bytes_lead_where_tokens_lead_and_are_what_a_match_needs(pattern):
    guide = compile_guide(SMALL, regex=pattern)
    texts = SMALL.texts()
    for start in ("", "na", "#0", '{"name": "', "name é", "20", "y"):
        if not rx.fullmatch(pattern, start, partial=True):
            continue
        state = guide.initial
        for byte in start.encode():
            state = guide.after_byte(state, byte)
        assert guide.is_whole(state)
        ascii_ = {chr(byte) for byte in guide.next_bytes(state) if byte < 0x80}
        assert ascii_ == {chr(c) for c in range(0x80) if rx.fullmatch(pattern, start + chr(c), partial=True)}
        for token_id in solution.tokens_of(guide.mask(state)) - {SMALL.eos_id}:
            walked = state
            for byte in SMALL.token_bytes[token_id]:
                walked = guide.after_byte(walked, byte)
            assert walked == guide.advance(state, token_id), texts[token_id]


# Every policy, in the engine --------------------------------------------------------------------------


def answer(pattern, policy, seed=0, **options):
    """Return the text of one answer, its request, and the number of passes."""
    manager = structured_outputs(SMALL, jump=policy, tokenizer=TOKENIZER.encode)
    engine = Engine(EARLY, SMALL, manager, max_num_seqs=1)
    params = SamplingParams(**{"max_tokens": 60, "seed": seed, **options})
    form = {"type": "regex", "pattern": pattern}
    request = engine.add_request(TOKENIZER.prompt("Anything you like"), params, response_format=form)
    engine.generate(request)
    assert request.error is None and not engine.requests
    return SMALL.decode(request.output_token_ids), request, engine.num_steps


@pytest.mark.parametrize("policy", solution.POLICIES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_policy_writes_matches_within_any_budget(pattern, policy):
    least = int(compile_guide(SMALL, regex=pattern).tokens_to_accept(0)) + 1
    for seed, most in enumerate((least, least + 1, least + 3, 60)):
        text, request, passes = answer(pattern, policy, seed, max_tokens=most)
        assert re.fullmatch(pattern, text), text
        assert len(request.output_token_ids) <= most and passes <= len(request.output_token_ids)
        assert request.finish_reason == "stop"


def test_tails_are_what_the_tokenizer_writes():
    """With the third policy a greedy answer is spelled as the tokenizer spells its text."""
    for asked in (each for each in ALL if each.name in ("order, any spacing", "six string keys, as written")):
        bench = Bench(compile_guide, repetitions=1)
        guide = compile_guide(SMALL, **asked.grammar)
        for prompt in asked.prompts:
            plain = bench.answer(bench.engine(guide, None), TOKENIZER.prompt(prompt))
            run = bench.answer(bench.engine(guide, "whole"), TOKENIZER.prompt(prompt))
            assert run.ids == plain.ids and len(run.passes) < len(plain.passes)


@pytest.mark.parametrize(
    "name", ["forced_byte", "forced_run", "longest_tokens", "retokenized", "certain_tokens", "within_budget", "jump"]
)
def test_the_engine_stands_on_each_function(name, monkeypatch):
    def broken(*arguments):
        raise ZeroDivisionError(name)

    monkeypatch.setattr(solution, name, broken)
    pattern, prompt = PATTERNS[0], TOKENIZER.prompt("Hi")
    failed = []
    for policy in ("longest", "whole"):
        engine = Engine(EARLY, SMALL, structured_outputs(SMALL, jump=policy, tokenizer=TOKENIZER.encode))
        request = engine.add_request(prompt, response_format={"type": "regex", "pattern": pattern})
        engine.generate(request)
        failed.append(isinstance(request.error, ZeroDivisionError))
    assert any(failed)


# What was measured ------------------------------------------------------------------------------------


def test_what_is_counted_is_counted_again():
    """Tokens, passes and log-probabilities do not depend on the computer."""
    bench = Bench(compile_guide, repetitions=1)
    found = {(each.name, each.policy): each for each in committed()}
    for asked in ALL[2:4]:
        fresh, kept = bench.saved(asked, "whole"), found[asked.name, "whole"]
        for count in ("prompts", "tokens", "passes", "plain_passes", "differ"):
            assert getattr(fresh, count) == getattr(kept, count)
        assert np.isclose(fresh.logprob, kept.logprob, atol=0.05)


def test_the_record_on_the_page_is_marked_as_its_guide_says():
    page = (Path(solution.__file__).parent / "README.md").read_text(encoding="utf-8")
    record, bytes_, tokens = re.search(r"```\n(\{.+\})\n(\^.+)\n( .+)\n```", page).groups()
    for vocabulary, marks in ((Vocabulary.tekken(), tokens), (SMALL, None)):
        guide = compile_guide(vocabulary, json_schema=SIX_KEYS, whitespace="compact")
        state, forced, single = guide.initial, [], []
        for place, byte in enumerate(record.encode()):
            forced += [place] * (solution.forced_byte(guide, state) is not None)
            single += [place] * (len(solution.tokens_of(guide.mask(state))) == 1)
            state = guide.after_byte(state, byte)
        assert forced == [place for place, mark in enumerate(bytes_) if mark == "^"] and len(forced) == 63
        assert len(record) == 111 and len(single) == (28 if marks is None else 12)
        assert marks is None or single == [place for place, mark in enumerate(marks) if mark == "1"]
