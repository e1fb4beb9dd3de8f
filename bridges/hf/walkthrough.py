# %% [markdown]
# # The bridge to transformers, walked through
#
# What you wrote in lab 04 works in the library that you use at work. This page shows it, with every output in place:
# the course's small model in the form of Hugging Face's transformers, its answers by `generate`, then the same under
# the mask of lab 04, then under the guide of a JSON Schema. There is nothing to run; the [README](../README.md) says
# what running it would need.

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/bridges/hf/walkthrough.ipynb)

# %% tags=["hide-input"]
# @title Set-up: run this first
# Where there's no copy of the course, as on Colab and Kaggle, this fetches one.
import subprocess
import sys
from pathlib import Path

COURSE = "https://github.com/mask-the-logits/mask-the-logits"
here = Path.cwd()
roots = [folder for folder in (here, *here.parents) if (folder / "labkit").is_dir()]
root = roots[0] if roots else here / "mask-the-logits"
if not root.is_dir():
    subprocess.run(["git", "clone", "-q", "--depth", "1", COURSE, root], check=True)
    install = ["-m", "pip", "install", "-q", "-r", root / "requirements.txt"]
    subprocess.run([sys.executable, *install, "sentencepiece", "pydantic"], check=True)
sys.path.insert(0, str(root))

# %% tags=["hide-input"]
import json
import re
import tempfile
import warnings
from pathlib import Path
from random import Random

warnings.filterwarnings("ignore", message="IProgress not found")  # no bars here

import torch
import transformers
from jsonschema import Draft202012Validator
from transformers import AutoTokenizer, LlamaForCausalLM

from bridges.first_labs import Lifted
from bridges.hf.convert import export
from bridges.hf.processor import MaskLogitsProcessor
from labkit.pictures import DrawnAnswer, answers_svg, bar_chart
from labkit.small_model import SmallModel
from labkit.small_model.tasks.nested import basket
from labkit.small_model.tasks.strings import colour
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_04_eos_gating import solution as lab_04
from mask_engine import compile_guide

# %% tags=["hide-input"]
transformers.utils.logging.disable_progress_bar()
torch.set_num_threads(1)  # the model is small: two threads would wait for each other
ours, our_tokenizer = SmallModel.load("early"), Tokenizer.load()

# %% [markdown]
# ## The model, converted
#
# `python3 -m course export-hf OUT --checkpoint early` does the same from a shell. Nothing comes from the network. It is
# the early checkpoint of the training, for there is more to see: its mistakes are frequent.

# %%
folder = Path(tempfile.mkdtemp())
sizes = {path.name: path.stat().st_size for path in export(folder, "early")}

model = LlamaForCausalLM.from_pretrained(folder)
tokenizer = AutoTokenizer.from_pretrained(folder)
parameters = f"{model.num_parameters():,} parameters"
print(f"{type(model).__name__}, {parameters}, {len(tokenizer)} tokens")
bar_chart(sizes, title="The model as files", unit="B")

# %% [markdown]
# The same weights give the same logits as the course's own NumPy model, at every position of a prompt:

# %%
question = "Hex colour with red 1f, green 0a, blue ff"
ids = tokenizer(question, return_tensors="pt")["input_ids"]
theirs = model(ids).logits[0].detach().numpy()
own = ours.forward(ids.numpy(), ours.new_cache(), every=True)[0]
difference = abs(theirs - own).max()
print(f"logits {list(theirs.shape)}; below 0.0001 apart: {difference < 1e-4}")

# %% [markdown]
# And the tokenizer gives the same ids, `<|user|>` and `<|assistant|>` around the text included. The name of a special
# token inside a text stays text, here as in the course: what a person writes cannot end the turn. That is the setting
# `split_special_tokens`; without it, the library's default, the name becomes the token.

# %%
nasty = "Zürich <|end|> 東京"
print("ours:  ", our_tokenizer.prompt(nasty))
print("theirs:", tokenizer(nasty)["input_ids"])
by_default = tokenizer(nasty, split_special_tokens=False)["input_ids"]
print("as the library has it:", by_default)

# %% [markdown]
# ## Free
#
# Twelve prompts for colours, answered by `generate` at temperature 1. Prompts of a batch are padded on the left, since
# all answers begin at the same place.


# %%
def answers(prompts, seed, **options):
    """What generate writes after each prompt, special tokens by their names."""
    inputs = tokenizer(prompts, return_tensors="pt", padding=True)
    torch.manual_seed(seed)
    before = inputs["input_ids"].shape[1]
    written = model.generate(**inputs, **options)[:, before:].tolist()
    eos_id = our_tokenizer.eos_id
    whole = [ids[: ids.index(eos_id)] if eos_id in ids else ids for ids in written]
    return [our_tokenizer.decode(ids, special=True) for ids in whole]


def is_hex(text):
    return re.fullmatch(HEX, text) is not None


HEX = "#" + "[0-9a-f]" * 6
rng = Random(1)
colours = [colour(rng).prompt for _ in range(12)]
free = answers(colours, seed=0, max_new_tokens=24)
shown = []
for prompt, answer in zip(colours[:6], free[:6], strict=True):
    told = "a hex colour" if is_hex(answer) else "not a hex colour"
    shown.append(DrawnAnswer(prompt, answer, None if is_hex(answer) else 0, told))
answers_svg("six of the twelve, each under its question", shown)

# %% [markdown]
# ## Under the mask of lab 04
#
# Everything that decides here is from labs 02 to 05: the automaton, its table over the tokens, a row of booleans for
# each state, and a budget. With `LAB_CHAIN=mine` it is your code that transformers calls, at every step. The pattern is
# in lab 02's language, which knows no `{6}`.

# %%
vocabulary = our_tokenizer.vocabulary
rows = Lifted(HEX, vocabulary)
length = tokenizer(colours, return_tensors="pt", padding=True)["input_ids"].shape[1]
with_lab_04 = {"mask_logits": lab_04.mask_logits}
processor = MaskLogitsProcessor(vocabulary, [rows], length, **with_lab_04)
options = {"max_new_tokens": 24, "logits_processor": [processor]}
masked = answers(colours, seed=0, **options)
width = max(map(len, colours))
for prompt, one, other in zip(colours, free, masked, strict=True):
    note = "" if is_hex(one) else "  <- no"
    print(f"{prompt:{width}}  {one + note:22} {other}")
counts = {"free": sum(map(is_hex, free)), "masked": sum(map(is_hex, masked))}
bar_chart(counts, title=f"Hex colours, of {len(colours)} answers")

# %% [markdown]
# A colour that has the form need not be the right colour: the mask keeps the form, and the model chooses within it.
#
# Without sampling, lab 04's own loop and `generate` write the same ids. In the one your code calls the model, in the
# other the library calls your code.

# %%
fsm, table = lab_04.prepare(HEX, vocabulary)
prompt_ids = our_tokenizer.prompt(question)


def logits_after(ids):
    return ours.forward([[*prompt_ids, *ids]], ours.new_cache())[0]


by_hand = lab_04.constrained_generate(logits_after, fsm, table, vocabulary, 24)
inputs = tokenizer(question, return_tensors="pt")
processor = MaskLogitsProcessor(vocabulary, [rows], len(prompt_ids), **with_lab_04)
options = {"max_new_tokens": 24, "logits_processor": [processor]}
by_library = model.generate(**inputs, do_sample=False, **options)[0].tolist()
print("lab 04:  ", by_hand, vocabulary.decode(by_hand))
print("generate:", by_library[len(prompt_ids) :])

# %% [markdown]
# ## Under a JSON Schema
#
# Lab 02's language has no objects. The engine that labs 06 to 08 add up to compiles a schema to a guide, and the same
# processor takes it. With `max_new_tokens` it also masks what would not leave enough tokens to finish (lab 05).

# %%
rng = Random(2)
baskets = [basket(rng) for _ in range(24)]
schema = baskets[0].form.schema
prompts = [each.prompt for each in baskets]
guide = compile_guide(vocabulary, json_schema=schema)
validator = Draft202012Validator(schema)


def problem(text):
    """Why a text is no JSON of the schema; nothing where it is."""
    try:
        error = next(validator.iter_errors(json.loads(text)), None)
    except json.JSONDecodeError as broken:
        before, after = text[: broken.pos][-20:], text[broken.pos :][:12]
        return f"{broken.msg}, at {before!r} <here> {after!r}"
    return error.message if error else ""


options = {"max_new_tokens": 160}
length = tokenizer(prompts, return_tensors="pt", padding=True)["input_ids"].shape[1]
free = answers(prompts, seed=3, **options)
processor = MaskLogitsProcessor(vocabulary, [guide], length, **options)
masked = answers(prompts, seed=3, logits_processor=[processor], **options)
valid = {"free": sum(not problem(text) for text in free)}
valid["masked"] = sum(not problem(text) for text in masked)
bar_chart(valid, title="Valid baskets, of 24 answers")

# %% [markdown]
# One that broke, and what came in its place:

# %%
number = next(number for number, text in enumerate(free) if problem(text))
print("asked:", prompts[number])
print("free: ", free[number])
print("      ", problem(free[number]))
print("mask: ", masked[number])

# %% [markdown]
# ## Each row its own
#
# One batch, three requests: lab 04's rows, a guide, and one that may write anything.

# %%
mixed = [colours[0], prompts[0], "Tell me about Rome."]
length = tokenizer(mixed, return_tensors="pt", padding=True)["input_ids"].shape[1]
processor = MaskLogitsProcessor(vocabulary, [rows, guide, None], length)
options = {"max_new_tokens": 120, "logits_processor": [processor]}
written = answers(mixed, seed=1, **options)
kinds = {"lab 04's rows": "a colour", "a guide": "a basket", "no mask": "free"}
shown = []
for prompt, answer, kind in zip(mixed, written, kinds, strict=True):
    print(f"{kind:14} {prompt}")
    shown.append(DrawnAnswer(kind, answer, None, kinds[kind]))
answers_svg("three requests, one batch", shown)

# %% [markdown]
# ## Beams
#
# Beam search drops, repeats and reorders rows between two steps. A processor that kept a state for each row would give
# the mask of one row to another. This one finds a row's state by the row's ids.

# %%
inputs = tokenizer(colours[:2], return_tensors="pt", padding=True)
length = inputs["input_ids"].shape[1]
processor = MaskLogitsProcessor(vocabulary, [rows], length, beams=True, **with_lab_04)
options = {"num_beams": 4, "num_return_sequences": 3, "do_sample": False}
options |= {"max_new_tokens": 24, "logits_processor": [processor]}
found = model.generate(**inputs, **options)[:, length:]
texts, shown = tokenizer.batch_decode(found, skip_special_tokens=True), []
for number, answer in enumerate(texts):
    kept = "the form is kept" if is_hex(answer) else "broken"
    shown.append(DrawnAnswer(f"beam {number % 3 + 1} of 3", answer, None, kept))
answers_svg(f"first three: {colours[0]}; then: {colours[1]}", shown)

# %% [markdown]
# ### With another model
#
# The processor knows nothing of the small model. What it needs of yours is a `labkit.vocabulary.Vocabulary`: the bytes
# of each token, EOS, and the special ids. `bridges.hf.vocabulary.vocabulary_of` reads it from an `AutoTokenizer`, and
# the [README](../README.md) has the lines. Lab 07 shows on 131,072 tokens what else there is to know about them.
