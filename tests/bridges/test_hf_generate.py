"""transformers' own ``generate``, on the converted model and under the course's masks. Needs the bridge's extra."""

import itertools
import json
import re
from functools import cache
from itertools import islice

import jsonschema
import numpy as np
import pytest

from bridges.first_labs import Lifted
from bridges.hf import convert
from bridges.hf.vocabulary import vocabulary_of
from course.student.core.catalog import ROOT
from labkit.small_model import CONFIG, SmallModel, load_weights, random_weights
from labkit.small_model.generation import Generator, Request
from labkit.small_model.tasks import examples
from labkit.small_model.tokenizer import SPECIAL, Tokenizer
from labkit.small_model.transformer import DATA
from labs.lab_04_eos_gating import solution as lab_04
from mask_engine import compile_guide
from tests.bridges.extras import needs_transformers

pytestmark = needs_transformers

CHECKPOINT = "final"
TOKENIZER = Tokenizer.load()
VOCABULARY, EOS = TOKENIZER.vocabulary, TOKENIZER.eos_id
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 8}, "n": {"type": "integer"}, "ok": {"type": "boolean"}},
    "required": ["city", "n", "ok"],
    "additionalProperties": False,
}
HEX = "#[0-9a-f]{6}"
PROMPTS = [each.prompt for each in islice(examples(5), 5)]
CLOSE = 1e-3
"""Two logits that are nearer than this may change places by rounding alone."""


@cache
def guide(regex=None, schema=None):
    return compile_guide(VOCABULARY, regex=regex, json_schema=json.loads(schema) if schema else None)


OBJECT = json.dumps(SCHEMA)


def processor_of(*arguments, **options):
    """Return a logits processor for the small model's vocabulary; its module needs the extra."""
    from bridges.hf.processor import MaskLogitsProcessor

    return MaskLogitsProcessor(VOCABULARY, *arguments, **options)


class Pair:
    """One model twice: in NumPy, and in transformers, from the folder that was written."""

    def __init__(self, folder, weights):
        import torch
        from transformers import AutoTokenizer, LlamaForCausalLM

        torch.set_num_threads(1)  # the model is small: two threads would wait for each other
        convert.write(folder, weights, CONFIG, TOKENIZER, "float32")
        self.torch = torch
        self.folder = folder
        self.ours = SmallModel(weights)
        self.theirs = LlamaForCausalLM.from_pretrained(folder).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(folder)

    def inputs(self, prompts):
        return self.tokenizer(prompts, return_tensors="pt", padding=True)

    def generate(self, prompts, constraints=None, seed=None, budget=False, mask_logits=None, **options):
        """Return what follows the prompts, and the whole result of ``generate``."""
        inputs = self.inputs(prompts)
        length = inputs["input_ids"].shape[1]
        if constraints is not None:
            most, beams = options["max_new_tokens"] if budget else None, options.get("num_beams", 1) > 1
            masking = processor_of(constraints, length, max_new_tokens=most, beams=beams, mask_logits=mask_logits)
            options["logits_processor"] = [masking]
        if seed is not None:
            self.torch.manual_seed(seed)
        options.setdefault("output_scores", True)
        told = self.theirs.generate(**inputs, do_sample=seed is not None, return_dict_in_generate=True, **options)
        return told.sequences[:, length:].tolist(), told

    def answers(self, prompts, constraints, max_tokens, budget=False):
        """Return the course's own greedy answers: ids, with EOS if it came."""
        generator = Generator(self.ours, VOCABULARY)
        requests = [
            Request(TOKENIZER.prompt(prompt), max_tokens, constraint=constraint, within_budget=budget, temperature=0)
            for prompt, constraint in zip(prompts, constraints, strict=True)
        ]
        return [[*each.ids, *[EOS] * (each.finish_reason == "stop")] for each in generator.answer(requests)]

    def greedy(self, prompts, constraints, most, budget=False, **options):
        return self.generate(prompts, constraints, budget=budget, max_new_tokens=most, **options)[0]

    def logits(self, ids):
        return self.ours.forward([ids], self.ours.new_cache())[0]

    def their_logits(self, ids):
        return self.theirs(self.torch.tensor([ids])).logits.detach().numpy()[0]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return Pair(tmp_path_factory.mktemp("trained"), load_weights(DATA / f"{CHECKPOINT}.npz"))


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """A model without preferences: whatever is valid in its answers is due to the mask."""
    return Pair(tmp_path_factory.mktemp("untrained"), random_weights(seed=1))


def cut(ids):
    """Return an answer up to EOS, and check that padding, which is EOS too, follows."""
    end = ids.index(EOS) + 1 if EOS in ids else len(ids)
    assert set(ids[end:]) <= {EOS}
    return ids[:end]


def text_of(ids):
    return TOKENIZER.decode(cut(ids), special=True).removesuffix("<|end|>")


def assert_the_same(pair, prompts, theirs, ours):
    """Check that answers are equal, or part at two tokens whose logits rounding can swap; most have to be equal."""
    parted = 0
    for prompt, one, other in zip(prompts, map(cut, theirs), ours, strict=True):
        if one != other:
            parted += 1
            common = len(list(itertools.takewhile(lambda two: two[0] == two[1], zip(one, other, strict=False))))
            logits = pair.logits([*TOKENIZER.prompt(prompt), *one[:common]])
            assert abs(logits[one[common]] - logits[other[common]]) < CLOSE, (prompt, one, other)
    assert parted <= len(prompts) // 4


@pytest.fixture(params=["trained", "untrained"])
def pair(request):
    return request.getfixturevalue(request.param)


# What is written ----------------------------------------------------------------------------------------

IDS = TOKENIZER.prompt(PROMPTS[0] + ' <|end|> Zürich 東京 [TOOL_CALLS] {"a": 1234}\n')


def test_logits_are_the_small_models(pair):
    theirs, ours = pair.their_logits(IDS), pair.ours.forward([IDS], pair.ours.new_cache(), every=True)[0]
    assert theirs.dtype == np.float32 and theirs.shape == ours.shape and ours.std() > 0.5
    assert np.abs(theirs - ours).max() < 1e-4


def test_the_tokenizers_settings(trained):
    tokenizer = trained.tokenizer
    assert (len(tokenizer), tokenizer.eos_token_id, tokenizer.pad_token_id) == (1024, EOS, EOS)
    read = vocabulary_of(tokenizer)
    assert (read.token_bytes, read.eos_id, read.special_ids) == (VOCABULARY.token_bytes, EOS, VOCABULARY.special_ids)
    assert sorted(tokenizer.all_special_tokens) == sorted(SPECIAL) and tokenizer.model_max_length == 1024
    inputs = trained.inputs(["a", "a longer one"])
    ids, mask = inputs["input_ids"].tolist(), inputs["attention_mask"].tolist()
    assert ids[0] == [EOS] * (len(ids[1]) - 3) + TOKENIZER.prompt("a") and ids[1] == TOKENIZER.prompt("a longer one")
    assert mask == [[0] * (len(ids[1]) - 3) + [1] * 3, [1] * len(ids[1])]
    answer = [*TOKENIZER.encode('{"a": "Zürich"} ,'), EOS]
    assert tokenizer.decode(answer) == '{"a": "Zürich"} ,<|end|>'
    assert tokenizer.decode(answer, skip_special_tokens=True) == '{"a": "Zürich"} ,'


# Greedy -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [False, True])
def test_masked_greedy_answers_are_ours(pair, budget):
    """Prompts of several lengths, padded on the left; a row each with a schema, a pattern, and no constraint."""
    constraints = [guide(schema=OBJECT), guide(HEX), None, guide("[a-z]{1,9}"), guide(schema=OBJECT)]
    theirs = pair.greedy(PROMPTS, constraints, 40, budget)
    assert_the_same(pair, PROMPTS, theirs, pair.answers(PROMPTS, constraints, 40, budget))
    assert re.fullmatch(HEX, text_of(theirs[1])) and re.fullmatch("[a-z]{1,9}", text_of(theirs[3]))
    for answer in (theirs[0], theirs[4]):
        if budget:
            jsonschema.validate(json.loads(text_of(answer)), SCHEMA)


def test_lab_04s_mask_in_generate_is_lab_04s_own_loop(pair):
    """``constrained_generate`` of lab 04 calls the model itself; here their ``generate`` calls lab 04."""
    pattern = r"#[0-9a-f][0-9a-f]+x"
    prompt = TOKENIZER.prompt(PROMPTS[0])
    fsm, table = lab_04.prepare(pattern, VOCABULARY)
    ours = lab_04.constrained_generate(lambda ids: pair.logits([*prompt, *ids]), fsm, table, VOCABULARY, 24)
    called = []

    def mask_logits(logits, row):
        called.append((logits.shape, logits.dtype.name, row.shape, row.dtype.name))
        return lab_04.mask_logits(logits, row)

    constraint = Lifted(pattern, VOCABULARY)
    theirs = pair.greedy(PROMPTS[:1], [constraint], 24, mask_logits=mask_logits)
    assert_the_same(pair, PROMPTS[:1], theirs, [ours])
    assert len(called) == len(cut(theirs[0])) and {*called} == {((1024,), "float32", (1024,), "bool")}
    assert pair.greedy(PROMPTS[:1], [constraint], 24) == theirs


# Sampled ------------------------------------------------------------------------------------------------


def test_sampled_answers_within_a_budget_all_match(pair):
    constraints = [guide(schema=OBJECT), guide(HEX)] * 2
    theirs, _ = pair.generate(PROMPTS[:4], constraints, 3, True, max_new_tokens=40, num_return_sequences=4)
    assert len(theirs) == 16 and len({*map(tuple, theirs)}) > 8
    for number, answer in enumerate(theirs):
        assert EOS in answer
        if number // 4 % 2:
            assert re.fullmatch(HEX, text_of(answer))
        else:
            jsonschema.validate(json.loads(text_of(answer)), SCHEMA)


# Beams --------------------------------------------------------------------------------------------------


def test_beams_of_two_requests_each_with_its_own_constraint(trained):
    options = {"num_beams": 3, "num_return_sequences": 2, "max_new_tokens": 32}
    theirs, told = trained.generate(PROMPTS[:2], [guide(HEX), guide(schema=OBJECT)], budget=True, **options)
    assert (told.sequences_scores > NO_ANSWER).all()
    assert all(re.fullmatch(HEX, text_of(answer)) for answer in theirs[:2])
    for answer in theirs[2:]:
        jsonschema.validate(json.loads(text_of(answer)), SCHEMA)


NO_ANSWER = -1e8
"""The rows with which transformers fills up have scores below this."""


# What goes wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_scores_of_any_dtype_come_back_in_it_and_stay_as_they_are(dtype):
    import torch

    def in_place(logits, row):
        logits[~row] = -np.inf
        return logits

    scores = torch.arange(2048).reshape(2, 1024).to(getattr(torch, dtype))
    before = scores.clone()
    ids = torch.zeros(2, 0, dtype=torch.long)
    legal = torch.zeros(1024, dtype=torch.bool)
    legal[[*range(0x30, 0x3A), *(i for i, text in enumerate(VOCABULARY.texts()) if text and text.isdecimal())]] = True
    for mask_logits in (None, in_place, lab_04.mask_logits):
        masked = processor_of([guide("[0-9]{9}"), None], 0, mask_logits=mask_logits)(ids, scores)
        assert masked.dtype == scores.dtype and torch.equal(scores, before)
        assert torch.equal(masked[1], before[1])
        assert torch.equal(masked[0], before[0].masked_fill(~legal, -torch.inf))


def test_the_readmes_snippets_run_as_they_stand(tmp_path, monkeypatch, capsys):
    readme = (ROOT / "bridges" / "README.md").read_text(encoding="utf-8")
    first, second, _ = re.findall(r"^```python\n(.*?)^```", readme, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    convert.export(tmp_path / "out" / "small-model")
    exec(first + second, names := {})
    answers = capsys.readouterr().out.splitlines()
    assert len(answers) == 2 and all(re.fullmatch(HEX, answer) for answer in answers), answers
    inputs, length = names["inputs"], names["inputs"]["input_ids"].shape[1]
    for _ in range(2):  # one processor, one generation after another
        written = names["model"].generate(**inputs, max_new_tokens=9, logits_processor=[names["processor"]])
        texts = [VOCABULARY.decode(ids) for ids in written[:, length:].tolist()]
        assert all(re.fullmatch("#([0-9a-f]*)", text) for text in texts)
