"""llama.cpp on the exported file, under the course's masks. Needs the bridge's extra."""

import json
import re

import jsonschema
import pytest

from bridges.llama_cpp import convert
from bridges.llama_cpp.mask import MaskLogitsProcessor
from labkit.small_model import CONFIG, SmallModel, load_weights, random_weights
from labkit.small_model.tokenizer import SPECIAL
from labkit.small_model.transformer import DATA
from tests.bridges.extras import needs_llama_cpp
from tests.bridges.test_hf_generate import (  # noqa: F401 (the tests hold for this module's models too)
    CHECKPOINT,
    EOS,
    HEX,
    IDS,
    OBJECT,
    PROMPTS,
    SCHEMA,
    TOKENIZER,
    VOCABULARY,
    Pair,
    guide,
    pair,
    test_lab_04s_mask_in_generate_is_lab_04s_own_loop,
    test_logits_are_the_small_models,
    test_masked_greedy_answers_are_ours,
)

pytestmark = needs_llama_cpp

FLOAT32 = 0
"""ggml's number of the type; keys and values are float16 otherwise."""
SAMPLED = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0}


class Twins(Pair):
    """One model twice: in NumPy, and in llama.cpp, from the file that was written."""

    def __init__(self, path, weights):
        from llama_cpp import Llama

        convert.write(path, weights, CONFIG, TOKENIZER, "float32")
        kept = {"type_k": FLOAT32, "type_v": FLOAT32}
        self.ours = SmallModel(weights)
        self.theirs = Llama(str(path), n_ctx=1024, n_threads=1, logits_all=True, verbose=False, **kept)

    def processor(self, prompt, constraint, **options):
        return MaskLogitsProcessor(VOCABULARY, constraint, len(TOKENIZER.prompt(prompt)), **options)

    def greedy(self, prompts, constraints, most, budget=False, mask_logits=None):
        asked = zip(prompts, constraints, strict=True)
        return [self.written(prompt, each, most, most if budget else None, mask_logits) for prompt, each in asked]

    def written(self, prompt, constraint, most, within, mask_logits):
        """Return the ids that ``generate`` gives, up to EOS."""
        options = {"max_new_tokens": within, "mask_logits": mask_logits}
        processors = None if constraint is None else [self.processor(prompt, constraint, **options)]
        answer = []
        for token_id in self.theirs.generate(TOKENIZER.prompt(prompt), temp=0.0, logits_processor=processors):
            assert not (processors and processors[0].check(None, None))
            answer.append(token_id)
            if token_id == EOS or len(answer) == most:
                return answer

    def their_logits(self, ids):
        self.theirs.reset()
        self.theirs.eval(ids)
        return self.theirs.scores[: len(ids)].copy()

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


# What is written ----------------------------------------------------------------------------------------


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


# Sampled ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["trained", "untrained"])
@pytest.mark.parametrize("options", [SAMPLED, {"temperature": 3.0, "top_k": 5}], ids=["all", "hot, of 5"])
def test_sampled_answers_within_a_budget_are_all_valid(model, options, request):
    """The mask comes first: of the 5 likeliest tokens none might be legal."""
    twins, texts = request.getfixturevalue(model), set()
    for seed, prompt in enumerate(PROMPTS):
        colour = twins.completed(prompt, guide(HEX), seed=seed, **options)
        answer = twins.completed(prompt, guide(schema=OBJECT), seed=seed, **options)
        assert colour["finish_reason"] == answer["finish_reason"] == "stop"
        assert re.fullmatch(HEX, colour["text"])
        jsonschema.validate(json.loads(answer["text"]), SCHEMA)
        texts |= {colour["text"], answer["text"]}
    assert len(texts) > 5
