"""Lab 13's samplers on a model of transformers. Needs the bridge's extra."""

import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from labkit.small_model import CONFIG, SmallModel, load_weights
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import DATA
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide
from tests.bridges.extras import needs_transformers

pytestmark = needs_transformers

WORDS = Vocabulary([b"no", b"yes", b"terday", b"</s>"], eos_id=3)
AFTER = {0: [0, 0, 0, 1], 1: [0, 0, 3, 1], 2: [0, 0, 0, 1], 3: [1, 1, 0, 0]}


class Words:
    """Answers like a model of transformers, with two logits more than there are tokens."""

    device = "cpu"

    def __init__(self):
        self.asked = []

    def __call__(self, input_ids):
        import torch

        (ids,) = input_ids.tolist()
        self.asked.append(ids)
        odds = torch.tensor([[[*AFTER[ids[-1]], 9, 9]]], dtype=torch.float32)
        return SimpleNamespace(logits=odds.log())


def sample(model, sampler, guide=None, **options):
    from bridges.hf.sampler import sample_text

    guide = guide or compile_guide(WORDS, regex="no|yes")
    return sample_text(model, [3], WORDS, guide, sampler=sampler, max_new_tokens=4, **options)


def test_a_question_is_asked_once():
    model = Words()
    sample(model, "smc", seed=0)
    assert sorted(model.asked) == [[3], [3, 0], [3, 1]]


def test_what_has_no_meaning_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="sampler must be one of masked, rejection, smc, adaptive, not 'best'"):
        sample(Words(), "best")
    with pytest.raises(ValueError, match="temperature must be above 0"):
        sample(Words(), "smc", temperature=0)
    with pytest.raises(ValueError, match="no token is legal"):
        sample(Words(), "rejection", compile_guide(WORDS, regex="terday"))
    monkeypatch.setitem(sys.modules, "labs.lab_13_fair_sampling.given.samplers", None)
    with pytest.raises(ValueError, match="the sampler smc needs lab 13, which this copy"):
        sample(Words(), "smc")


@pytest.mark.parametrize("sampler", ["masked", "rejection", "smc", "adaptive"])
def test_texts_of_the_converted_model_are_those_of_the_course(tmp_path, sampler):
    """The same draws give the same text, up to rounding: with these seeds none stands on a border."""
    from transformers import LlamaForCausalLM

    from bridges.hf import convert
    from bridges.hf.sampler import sample_text
    from labs.lab_13_fair_sampling.given.samplers import Allowed, write

    tokenizer, weights = Tokenizer.load(), load_weights(DATA / "final.npz")
    vocabulary, prompt = tokenizer.vocabulary, tokenizer.prompt("Hex code of violet?")
    convert.write(tmp_path, weights, CONFIG, tokenizer, "float32")
    theirs, ours = LlamaForCausalLM.from_pretrained(tmp_path).eval(), SmallModel(weights)
    guide = compile_guide(vocabulary, regex="#[0-9a-f]{6}")

    def logits(ids):
        return ours.forward([[*prompt, *ids]], ours.new_cache())[0]

    for seed in range(2):
        ids = sample_text(theirs, prompt, vocabulary, guide, sampler=sampler, max_new_tokens=12, seed=seed)
        assert re.fullmatch("#[0-9a-f]{6}", vocabulary.decode(ids[:-1])) and ids[-1] == vocabulary.eos_id
        allowed, draw = Allowed(guide, len(vocabulary), 12), np.random.default_rng(seed).random
        assert ids == write(sampler, logits, allowed, vocabulary.eos_id, draw, {})
