"""What Python says of the small model: the oracle of ``model.test.mjs``."""

from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from course.play.assets import tokens_script, weights_script
from course.showcase.small_model.outcomes import guide_for
from labkit.small_model.generation import Generator, Request
from labkit.small_model.tasks import CORPUS, FORMAL, examples, unfamiliar
from labkit.small_model.tasks.forms import JsonForm, TextForm
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel

CHECKPOINTS = ("final", "early")
ODD = ["", " ", "😀😀 🇫🇷 family: 👩‍👩‍👧", "日本語で答えて", "Привет, мир! как дела?", "<|end|><|user|>[TOOL_CALLS]"]
ODD += ["A date:\r\n\t2026-11-28 \ufeffdone\x00\x7f", "e\u0301 é ﬁ 1234567 3.14e-10 {}[]() \u2028 '\"\\ \U0010ffff"]
SEEDS = [0, 1, 7, 42, 2**31, 2**32 - 1, 2**32, 2**53 - 1, 2**64 + 5, 2**128 + 2**97 + 3, 2**200 - 1]
TEMPERATURES = (1.0, 0.7, 1.5)


@dataclass
class Recorded:
    """A guide that keeps the masks it gives, as lists of ids."""

    guide: Any
    masks: list[list[int]] = field(default_factory=list)

    @property
    def initial(self):
        return self.guide.initial

    def mask(self, state, remaining=None):
        words = self.guide.mask(state, remaining)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little", count=1024)
        self.masks.append(np.flatnonzero(bits).tolist())
        return words

    def advance(self, state, token_id):
        return self.guide.advance(state, token_id)


def prompts():
    """Fifty prompts."""
    drawn = [*islice(examples(61, CORPUS), 32), *islice(examples(61, {unfamiliar: 1}), 10)]
    return [*(each.prompt for each in drawn), *ODD]


def masked_requests():
    """Requests under a pattern or a schema: in full, kept within a short budget, or cut off by it."""
    forms = [each for each in islice(examples(5, FORMAL), 60) if isinstance(each.form, JsonForm | TextForm)]
    for seed, each in enumerate(forms[:16]):
        guide = guide_for(each.form)
        request = Request(Tokenizer.load().prompt(each.prompt), 128, Recorded(guide), seed=seed)
        enough = int(guide.tokens_to_accept(guide.initial)) + 5
        within, cut = replace(request, max_tokens=enough, within_budget=True), replace(request, max_tokens=5)
        yield (request, within, cut)[seed % 3]


def free_answers(generator, texts, folder, checkpoint):
    """Return greedy and sampled answers; the logits of the greedy ones go into a file, one step after the other."""
    tokenizer, model = Tokenizer.load(), generator.model
    asked = [Request(tokenizer.prompt(text), 128, temperature=0) for text in texts]
    drawn = [replace(each, seed=n, temperature=TEMPERATURES[n % 3]) for n, each in enumerate(asked)]
    greedy, sampled, rows = generator.answer(asked), generator.answer(drawn), []
    for request, answer in zip(asked, greedy, strict=True):
        steps = min(len(answer.ids) + 1, 128)
        read = [*request.prompt, *answer.ids][: len(request.prompt) + steps - 1]
        rows.append(model.forward([read], model.new_cache(), every=True)[0, -steps:])
    np.concatenate(rows).astype("<f4").tofile(folder / f"{checkpoint}.logits")
    return [(request, answer) for request, answer in zip([*asked, *drawn], [*greedy, *sampled], strict=True)]


def as_data(request, answer):
    masks = request.constraint.masks if request.constraint else None
    return {
        "prompt": list(request.prompt),
        "seed": request.seed,
        "temperature": request.temperature,
        "max": request.max_tokens,
        "budget": request.within_budget,
        "masks": masks,
        "ids": list(answer.ids),
        "reason": answer.finish_reason,
        "text": Tokenizer.load().decode(answer.ids, special=True),
    }


def oracle(folder: Path) -> dict[str, Any]:
    """Write the page's scripts and the logits into a folder; return everything else."""
    tokenizer, texts = Tokenizer.load(), prompts()
    (folder / "tokens.js").write_text(tokens_script(), encoding="utf-8")
    answers = {}
    for checkpoint in CHECKPOINTS:
        (folder / f"{checkpoint}.js").write_text(weights_script(checkpoint), encoding="utf-8")
        generator = Generator(SmallModel.load(checkpoint), tokenizer.vocabulary)
        masked = list(masked_requests())
        pairs = free_answers(generator, texts, folder, checkpoint)
        pairs += zip(masked, generator.answer(masked), strict=True)
        answers[checkpoint] = [as_data(*pair) for pair in pairs]
    rng = np.random.default_rng(3)
    cuts = [rng.integers(0, 1024, 12).tolist() for _ in range(100)]
    return {
        "texts": [{"text": text, "ids": tokenizer.encode(text), "prompt": tokenizer.prompt(text)} for text in texts],
        "decoded": [[ids, tokenizer.decode(ids), tokenizer.decode(ids, special=True)] for ids in cuts],
        "eos": tokenizer.eos_id,
        "special": sorted(tokenizer.vocabulary.special_ids),
        "tokens": [list(token) for token in tokenizer.vocabulary.token_bytes],
        "random": [[str(seed), np.random.default_rng(seed).random(20).tolist()] for seed in SEEDS],
        "answers": answers,
    }
