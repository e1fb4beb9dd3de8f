"""The logits processor and the backend by themselves: who comes, goes and moves, against walks from the start."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from bridges.vllm import masks
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide
from tests.bridges.extras import needs_vllm

pytestmark = needs_vllm

ASKED = [
    {"type": "regex", "pattern": "#[0-9a-f]{6}"},
    {"type": "choice", "choices": ["yes", "no", "don't know"]},
    {"type": "json_schema", "schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
    {"type": "grammar", "grammar": 'root ::= "[" (root ("," root)*)? "]"'},
    {"type": "lab_04", "pattern": "#[0-9a-f]+"},
]
WANTED = [
    {"regex": "#[0-9a-f]{6}"},
    {"regex": "yes|no|don't know"},
    {"json_schema": ASKED[2]["schema"]},
    {"grammar": ASKED[3]["grammar"]},
    {"regex": "#[0-9a-f]+"},
]
"""The same as ``ASKED``, for the guides that they're compared with."""

MOST = 12


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary.small()


@pytest.fixture(scope="module")
def guides(vocabulary):
    return [compile_guide(vocabulary, **wanted) for wanted in WANTED]


@pytest.fixture
def processor(monkeypatch, vocabulary):
    from bridges.vllm import processor

    monkeypatch.setattr(processor, "cached_tokenizer_from_config", lambda config: None)
    monkeypatch.setattr(processor, "vocabulary_of", lambda tokenizer: vocabulary)
    return processor.MaskLogitsProcessor(SimpleNamespace(model_config=SimpleNamespace(max_model_len=64)), None, False)


def from_the_start(guide, written, eos_id):
    """Return the row that a new request would have, had it written this: the oracle of the soak."""
    state, remaining = guide.initial, MOST
    for token in written:
        state, remaining = guide.advance(state, token), remaining - 1
    if written and written[-1] == eos_id:
        return np.arange(1024) == eos_id
    return np.unpackbits(guide.mask(state, remaining).view(np.uint8), bitorder="little", count=1024).astype(bool)


def test_a_thousand_changes_of_the_batch_leave_each_request_its_own_state(processor, vocabulary, guides):
    import torch
    from vllm import SamplingParams
    from vllm.v1.sample.logits_processor.interface import BatchUpdate, MoveDirectionality

    draw, batch, changes = random.Random(7), {}, 0  # by row: what was asked for (None for a free one), and its ids
    for _ in range(1000):
        removed, added, moved = [], [], []
        for row in [row for row, (_, ids) in batch.items() if ids[-1:] == [vocabulary.eos_id] or draw.random() < 0.05]:
            removed.append(row)
            del batch[row]
        while len(batch) < 6 and draw.random() < 0.8:
            row, kind = next(row for row in range(6) if row not in batch), draw.choice([0, 1, 2, 3, 4, None])
            ids = []
            if kind is not None and draw.random() < 0.3:  # one that was preempted, and comes back with what it has
                state = guides[kind].initial
                for remaining in range(MOST, MOST - 3, -1):
                    words = guides[kind].mask(state, remaining).view(np.uint8)
                    legal = {*np.flatnonzero(np.unpackbits(words, bitorder="little")).tolist()} - {vocabulary.eos_id}
                    if not legal:
                        break
                    ids.append(draw.choice(sorted(legal)))
                    state = guides[kind].advance(state, ids[-1])
            batch[row] = (kind, ids)
            extra = None if kind is None else {"mask": ASKED[kind]}
            added.append((row, SamplingParams(max_tokens=MOST, extra_args=extra), None, ids))
            removed = [each for each in removed if each != row]
        if len(batch) > 1 and draw.random() < 0.3:
            one, other = draw.sample(sorted(batch), 2)
            batch[one], batch[other] = batch[other], batch[one]
            moved.append((one, other, MoveDirectionality.SWAP))
        while batch and max(batch) >= len(batch):  # the last one fills the first gap, as vLLM has it
            gap = next(row for row in range(6) if row not in batch)
            moved.append((max(batch), gap, MoveDirectionality.UNIDIRECTIONAL))
            batch[gap] = batch.pop(max(batch))
        changes += len(removed) + len(added) + len(moved)
        update = BatchUpdate(len(batch), removed, added, moved) if removed or added or moved else None
        processor.update_state(update)
        before = np.random.default_rng(changes).normal(size=(max(batch, default=-1) + 1, 1040)).astype(np.float32)
        after = processor.apply(torch.from_numpy(before.copy())).numpy()
        for row, (kind, ids) in batch.items():
            if kind is None:
                assert (after[row] == before[row]).all()
                ids.append(draw.randrange(1020))
                continue
            legal = from_the_start(guides[kind], ids, vocabulary.eos_id)
            assert (np.isfinite(after[row, :1024]) == legal).all(), (kind, ids)
            assert np.isneginf(after[row, 1024:]).all()
            ids.append(int(draw.choice(np.flatnonzero(legal))))
    assert changes > 1000


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        ("[0-9]+", "mask: this is no JSON text"),
        (["yes"], "mask: an object such as"),
        ({"type": "regexp", "pattern": "a"}, "the type must be one of"),
        ({"type": "regex", "pattern": "[0-9"}, "at position 0 of"),
        ({"type": "json_schema", "schema": {"type": "strin"}}, "/type"),
        ({"type": "grammar", "grammar": "root ::= x"}, "line 1"),
        ({"type": "tools", "tools": [7]}, "at /tools/0"),
        ({"type": "tools", "tools": [], "tool": 1}, "a request for tools has no tool"),
        (
            {"type": "tools", "tools": [{"type": "function", "function": {"name": "now", "parameters": {"type": 7}}}]},
            "/type",
        ),
        ({"type": "lab_04", "pattern": "[0-9]{4}"}, "at position 5"),
        ({"type": "lab_01", "pattern": "(a"}, "missing \\) at position 2"),
        ({"type": "regex", "pattern": "a" * 200_000}, "limit"),
    ],
)
def test_what_is_wrong_is_refused_when_it_comes_in(mask, said):
    from vllm import SamplingParams

    from bridges.vllm.processor import MaskLogitsProcessor

    with pytest.raises(ValueError, match=said):
        MaskLogitsProcessor.validate_params(SamplingParams(extra_args={"mask": mask}))


@pytest.mark.parametrize("beside", [{"min_tokens": 3}, {"allowed_token_ids": [1]}, {"bad_words": ["a"]}])
def test_what_could_leave_no_token_beside_a_mask_is_refused(beside):
    from vllm import SamplingParams

    from bridges.vllm.processor import MaskLogitsProcessor

    with pytest.raises(ValueError, match=f"with {next(iter(beside))} beside it"):
        MaskLogitsProcessor.validate_params(SamplingParams(extra_args={"mask": ASKED[0]}, **beside))
    MaskLogitsProcessor.validate_params(SamplingParams(**beside))


def test_a_request_that_cannot_go_on_ends_alone(processor, vocabulary):
    import torch
    from vllm import SamplingParams
    from vllm.v1.sample.logits_processor.interface import BatchUpdate

    many = SamplingParams(max_tokens=20, extra_args={"mask": ASKED[0]})
    few = SamplingParams(max_tokens=2, extra_args={"mask": ASKED[0]})
    astray = [5]  # not a token that the mask allowed: another processor undid it
    processor.update_state(BatchUpdate(3, [], [(0, few, None, []), (1, many, None, []), (2, many, None, astray)], []))
    after = np.isfinite(processor.apply(torch.zeros(3, 1024)).numpy())
    only_eos = np.arange(1024) == vocabulary.eos_id
    assert (after[0] == only_eos).all() and (after[2] == only_eos).all()
    assert vocabulary.token_bytes[int(np.flatnonzero(after[1])[0])].startswith(b"#")


# The backend ---------------------------------------------------------------------------------------------


@pytest.fixture
def grammar_of(monkeypatch, vocabulary):
    import json

    from bridges.vllm import backend as module

    monkeypatch.setattr(module, "vocabulary_of", lambda tokenizer: vocabulary)
    thinks, model = SimpleNamespace(reasoning_parser=""), SimpleNamespace(max_model_len=64)
    made = module.MaskBackend(SimpleNamespace(model_config=model, structured_outputs_config=thinks), None, 1040)

    def grammar_of(asked, max_tokens=MOST, stops=()):
        return made.compile_grammar(None, json.dumps({"asked": asked, "max_tokens": max_tokens}), {1020, *stops})

    return grammar_of


def test_a_thousand_steps_forwards_and_back_lead_where_a_new_walk_leads(grammar_of, guides, vocabulary):
    import torch

    draw, bitmask = random.Random(3), torch.zeros(2, 33, dtype=torch.int32)
    for kind, guide in enumerate(guides):
        grammar, written = grammar_of(ASKED[kind]), list[int]()
        for _ in range(1000):
            grammar.fill_bitmask(bitmask, 1)
            found = np.unpackbits(bitmask[1].numpy().view(np.uint8), bitorder="little").astype(bool)
            legal = from_the_start(guide, written, vocabulary.eos_id)
            if not grammar.is_terminated():
                assert (found[:1024] == legal).all() and not found[1024:].any()
            assert grammar.is_terminated() == (written[-1:] == [vocabulary.eos_id])
            if grammar.is_terminated() or draw.random() < 0.2:
                back = draw.randint(0, len(written))
                grammar.rollback(back)
                written = written[: len(written) - back]
            elif draw.random() < 0.02:
                grammar.reset()
                written = []
            else:
                illegal = int(draw.choice(np.flatnonzero(~legal)))
                token = int(draw.choice(np.flatnonzero(legal)))
                assert grammar.validate_tokens([token, 1023]) == [token]
                assert grammar.validate_tokens([illegal]) == []
                if len(written) < MOST - 1:  # close to the budget's end a token may be legal and too much
                    assert not grammar.accept_tokens("", [1023])
                assert grammar.accept_tokens("", [token])
                written.append(token)


def test_tokens_that_stop_an_answer_may_come_where_it_may_end(grammar_of, vocabulary):
    import torch

    one = next(token for token, text in enumerate(vocabulary.token_bytes) if text == b"1")
    grammar = grammar_of({"type": "regex", "pattern": "a1+"}, stops=[one])
    bitmask = torch.zeros(1, 33, dtype=torch.int32)
    a = next(token for token, text in enumerate(vocabulary.token_bytes) if text == b"a")
    grammar.fill_bitmask(bitmask, 0)
    assert not bitmask[0, one // 32] >> one % 32 & 1
    assert grammar.accept_tokens("", [a])
    grammar.fill_bitmask(bitmask, 0)
    assert not bitmask[0, one // 32] >> one % 32 & 1  # "a" is no whole text, so it mustn't end here


def test_an_answer_for_which_there_is_no_room_fails_alone(grammar_of):
    with pytest.raises(ValueError, match="a budget of 2 tokens is too small"):
        grammar_of(ASKED[0], max_tokens=2)


def test_a_plugin_may_be_loaded_twice():
    from vllm import SamplingParams
    from vllm.exceptions import VLLMValidationError
    from vllm.v1.structured_output import backend_lm_format_enforcer as seam

    from bridges.vllm.backend import MaskBackend, register

    register()
    register()
    assert seam.LMFormatEnforcerBackend is MaskBackend
    with pytest.raises(VLLMValidationError, match="ask for structured_outputs instead"):
        SamplingParams(extra_args={"mask": ASKED[0]})._validate_spec_decode(object())
    SamplingParams()._validate_spec_decode(object())


def test_the_seam_is_where_we_think_it_is():
    """vLLM imports the class when it's needed, and by this name."""
    import inspect

    from vllm.sampling_params import SamplingParams
    from vllm.v1.structured_output import StructuredOutputManager

    text = inspect.getsource(StructuredOutputManager.grammar_init)
    assert "import (  # noqa: E501\n                    LMFormatEnforcerBackend," in text
    assert "validate_structured_output_request_lm_format_enforcer(self)" in inspect.getsource(
        SamplingParams._validate_structured_outputs
    )


def test_lab_01_allows_what_the_engine_allows(vocabulary, guides):
    _, request = masks.Masks(vocabulary).begin(ASKED[4] | {"type": "lab_01"}, 64)
    state, current = request.structured_output_state, guides[4].initial
    for token_id in Tokenizer.load().encode("#ee82ee"):
        assert (state.guide.mask(state.current) == guides[4].mask(current)).all()
        state.advance(token_id)
        current = guides[4].advance(current, token_id)
    assert state.is_terminal()


def test_guides_are_compiled_once_for_all_who_ask_the_same(vocabulary):
    ours = masks.Masks(vocabulary)
    (manager, one), (_, other) = (ours.begin(ASKED[0], most) for most in (12, 30))
    assert one.structured_output_state.guide is other.structured_output_state.guide
    assert (manager.cache.misses, manager.cache.hits) == (1, 1)
    assert Tokenizer.load().vocabulary.eos_id == vocabulary.eos_id == 1020
