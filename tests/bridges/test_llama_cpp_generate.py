"""llama.cpp on the exported file, under the course's masks. Needs the bridge's extra."""

import json
import re

import jsonschema
import numpy as np
import pytest

from bridges.hf.lab_04 import MaskRows
from bridges.llama_cpp import convert
from bridges.llama_cpp.mask import MaskLogitsProcessor
from labkit.errors import NoLegalToken, TokenNotAllowed
from labkit.small_model import CONFIG, SmallModel, load_weights, random_weights
from labkit.small_model.tokenizer import SPECIAL
from labkit.small_model.transformer import DATA
from labs.lab_04_eos_gating import solution as lab_04
from tests.bridges.extras import needs_llama_cpp
from tests.bridges.test_hf_generate import (
    CHECKPOINT,
    EOS,
    HEX,
    OBJECT,
    PROMPTS,
    SCHEMA,
    TOKENIZER,
    VOCABULARY,
    Pair,
    assert_the_same,
    guide,
    text_of,
)

pytestmark = needs_llama_cpp

FLOAT32 = 0
"""ggml's number of the type; keys and values are float16 otherwise."""
SAMPLED = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0}


class Twins(Pair):
    """One model twice: in NumPy, and in llama.cpp, from the file that was written."""

    def __init__(self, path, weights, dtype="float32"):
        from llama_cpp import Llama

        convert.write(path, weights, CONFIG, TOKENIZER, dtype)
        kept = {"type_k": FLOAT32, "type_v": FLOAT32} if dtype == "float32" else {}
        self.ours = SmallModel(weights)
        self.theirs = Llama(str(path), n_ctx=1024, n_threads=1, logits_all=True, verbose=False, **kept)

    def processor(self, prompt, constraint, **options):
        return MaskLogitsProcessor(VOCABULARY, constraint, len(TOKENIZER.prompt(prompt)), **options)

    def greedy(self, prompt, constraint, most, budget=False, mask_logits=None):
        """Return the ids that ``generate`` gives, up to EOS."""
        processors = None
        if constraint is not None:
            within = most if budget else None
            processors = [self.processor(prompt, constraint, max_new_tokens=within, mask_logits=mask_logits)]
        answer = []
        for token_id in self.theirs.generate(TOKENIZER.prompt(prompt), temp=0.0, logits_processor=processors):
            assert not (processors and processors[0].check(None, None))
            answer.append(token_id)
            if token_id == EOS or len(answer) == most:
                return answer

    def completed(self, prompt, constraint, most=40, **options):
        """Return the choice that ``create_completion`` makes, within the budget."""
        processor = self.processor(prompt, constraint, max_new_tokens=most)
        told = self.theirs.create_completion(
            TOKENIZER.prompt(prompt),
            max_tokens=most,
            logits_processor=[processor],
            stopping_criteria=processor.check,
            **options,
        )
        return told["choices"][0]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return Twins(tmp_path_factory.mktemp("trained") / "small.gguf", load_weights(DATA / f"{CHECKPOINT}.npz"))


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """A model without preferences: whatever is valid in its answers is due to the mask."""
    return Twins(tmp_path_factory.mktemp("untrained") / "small.gguf", random_weights(seed=1))


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    path = tmp_path_factory.mktemp("half") / "small.gguf"
    return Twins(path, load_weights(DATA / f"{CHECKPOINT}.npz"), "float16")


BOTH = pytest.mark.parametrize("model", ["trained", "untrained"])

# What is written ----------------------------------------------------------------------------------------

IDS = TOKENIZER.prompt(PROMPTS[0] + ' <|end|> Zürich 東京 [TOOL_CALLS] {"a": 1234}\n')
PRODUCTS = 4 * CONFIG.n_layers + 1
"""Matrix products, one after the other. In a file of float16 llama.cpp rounds what each of them reads to float16."""
ROUNDING = 2.0**-11 * PRODUCTS**0.5
"""Each rounding changes a number by up to 2**-11 of it, up or down, and errors of random signs add up as a root."""


def both_logits(pair):
    pair.theirs.reset()
    pair.theirs.eval(IDS)
    return pair.ours.forward([IDS], pair.ours.new_cache(), every=True)[0], pair.theirs.scores[: len(IDS)].copy()


@BOTH
def test_logits_are_the_small_models(model, request):
    ours, theirs = both_logits(request.getfixturevalue(model))
    assert theirs.dtype == np.float32 and theirs.shape == ours.shape and ours.std() > 0.5
    assert np.abs(theirs - ours).max() < 1e-4


def test_in_half_precision_logits_are_the_small_models_but_for_rounding(half):
    ours, theirs = both_logits(half)
    assert 1e-3 < np.abs(theirs - ours).max() < ROUNDING * np.abs(ours).max()


def test_every_token_has_its_bytes(trained):
    llama = trained.theirs
    assert llama.n_vocab() == 1024 and llama.token_eos() == EOS
    assert [llama.detokenize([i]) for i in range(1020)] == list(VOCABULARY.token_bytes[:1020])
    assert [llama.detokenize([1020 + i], special=True) for i in range(4)] == [name.encode() for name in SPECIAL]


@pytest.mark.parametrize("text", [*PROMPTS, "", "Zürich 東京 \x00 🙂", "Hi <|end|>"])
def test_text_is_merged_and_special_names_stay_text(trained, text):
    ids = trained.theirs.tokenize(text.encode(), add_bos=False, special=False)
    assert b"".join(VOCABULARY.token_bytes[i] for i in ids).decode() == text and EOS not in ids
    assert len(ids) < 1.2 * len(TOKENIZER.encode(text)) + 1


# Greedy -------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("budget", [False, True])
def test_masked_greedy_answers_are_ours(model, budget, request):
    pair = request.getfixturevalue(model)
    constraints = [guide(schema=OBJECT), guide(HEX), None, guide("[a-z]{1,9}"), guide(schema=OBJECT)]
    asked = zip(PROMPTS, constraints, strict=True)
    theirs = [pair.greedy(prompt, constraint, 40, budget) for prompt, constraint in asked]
    assert_the_same(pair, PROMPTS, theirs, pair.answers(PROMPTS, constraints, 40, budget))
    assert re.fullmatch(HEX, text_of(theirs[1])) and re.fullmatch("[a-z]{1,9}", text_of(theirs[3]))
    for answer in (theirs[0], theirs[4]):
        if budget:
            jsonschema.validate(json.loads(text_of(answer)), SCHEMA)


@BOTH
def test_lab_04s_mask_in_llama_cpp_is_lab_04s_own_loop(model, request):
    """``constrained_generate`` of lab 04 calls the model itself; here llama.cpp calls lab 04."""
    pair, pattern = request.getfixturevalue(model), r"#[0-9a-f][0-9a-f]+x"
    prompt = TOKENIZER.prompt(PROMPTS[0])
    fsm, table = lab_04.prepare(pattern, VOCABULARY)
    ours = lab_04.constrained_generate(lambda ids: pair.logits([*prompt, *ids]), fsm, table, VOCABULARY, 24)
    called = []

    def mask_logits(logits, row):
        called.append((logits.shape, logits.dtype.name, row.shape, row.dtype.name))
        return lab_04.mask_logits(logits, row)

    theirs = pair.greedy(PROMPTS[0], MaskRows(lab_04, pattern, VOCABULARY), 24, mask_logits=mask_logits)
    assert_the_same(pair, PROMPTS[:1], [theirs], [ours])
    assert len(called) == len(theirs) and {*called} == {((1024,), "float32", (1024,), "bool")}


# Sampled ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["trained", "untrained", "half"])
@pytest.mark.parametrize("options", [SAMPLED, {"temperature": 3.0, "top_k": 5}], ids=["all", "hot, of 5"])
def test_sampled_answers_within_a_budget_are_all_valid(model, options, request):
    """The mask comes first: of the 5 likeliest tokens none might be legal."""
    pair, texts = request.getfixturevalue(model), set()
    for seed, prompt in enumerate(PROMPTS):
        colour = pair.completed(prompt, guide(HEX), seed=seed, **options)
        answer = pair.completed(prompt, guide(schema=OBJECT), seed=seed, **options)
        assert colour["finish_reason"] == answer["finish_reason"] == "stop"
        assert re.fullmatch(HEX, colour["text"])
        jsonschema.validate(json.loads(answer["text"]), SCHEMA)
        texts |= {colour["text"], answer["text"]}
    assert len(texts) > 5


# What goes wrong ----------------------------------------------------------------------------------------


class DeadEnd:
    """A constraint that allows ``a`` or ``b``, and after ``a`` no token at all."""

    initial = ""

    def mask(self, state, remaining=None):
        bits = np.zeros(1024, np.uint8)
        bits[{"": [97, 98], "a": [], "b": [EOS]}[state]] = 1
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def advance(self, state, token_id):
        if (state, token_id) not in (("", 97), ("", 98), ("b", EOS)):
            raise TokenNotAllowed(token_id, f"state {state!r}")
        return chr(token_id) if token_id < 256 else "end"


def test_a_dead_end_is_an_error_and_the_next_answer_is_whole(untrained):
    """Both letters are likely enough for a model without preferences: some seed takes the one without an end."""
    with pytest.raises(NoLegalToken, match="after the text 'a'"):
        for seed in range(50):
            assert untrained.completed(PROMPTS[0], DeadEnd(), seed=seed, **SAMPLED)["text"] == "b"
    assert re.fullmatch(HEX, untrained.completed(PROMPTS[0], guide(HEX), seed=1, **SAMPLED)["text"])
