# %% [markdown]
# # The bridge to transformers, walked through
#
# What you wrote in lab 04 works in the library that you use at work. This page shows it, with every output in place:
# the course's small model in the form of Hugging Face's transformers, its answers by `generate`, then the same under
# the mask of lab 04, then under the guide of a JSON Schema. There is nothing to run; the [README](../README.md) says
# what running it would need.

# %%
import sys
from pathlib import Path

here = Path.cwd()
sys.path.insert(0, str(next(folder for folder in (here, *here.parents) if (folder / "labkit").is_dir())))

import json
import re
import tempfile
import warnings
from random import Random

warnings.filterwarnings("ignore", message="IProgress not found")  # no progress bars here

import torch
import transformers
from jsonschema import Draft202012Validator
from transformers import AutoTokenizer, LlamaForCausalLM

from bridges.hf.convert import export
from bridges.hf.lab_04 import MaskRows
from bridges.hf.processor import MaskLogitsProcessor
from labkit.small_model import SmallModel
from labkit.small_model.tasks.nested import basket
from labkit.small_model.tasks.strings import colour
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_04_eos_gating import solution as lab_04
from mask_engine import compile_guide

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
for path in export(folder, "early"):
    print(f"{path.name:24} {path.stat().st_size:9,} bytes")

model = LlamaForCausalLM.from_pretrained(folder)
tokenizer = AutoTokenizer.from_pretrained(folder)
print(type(model).__name__, f"{model.num_parameters():,} parameters,", len(tokenizer), "tokens")

# %% [markdown]
# The same weights give the same logits as the course's own NumPy model, at every position of a prompt:

# %%
question = "Hex colour with red 1f, green 0a, blue ff"
ids = tokenizer(question, return_tensors="pt")["input_ids"]
theirs = model(ids).logits[0].detach().numpy()
difference = abs(theirs - ours.forward(ids.numpy(), ours.new_cache(), every=True)[0]).max()
print(f"logits {list(theirs.shape)}; below 0.0001 apart: {difference < 1e-4}")

# %% [markdown]
# And the tokenizer gives the same ids, `<|user|>` and `<|assistant|>` around the text included. The name of a special
# token inside a text stays text, here as in the course: what a person writes cannot end the turn. That is the setting
# `split_special_tokens`; without it, the library's default, the name becomes the token.

# %%
nasty = "Zürich <|end|> 東京"
print("ours:  ", our_tokenizer.prompt(nasty))
print("theirs:", tokenizer(nasty)["input_ids"])
print("as the library has it:", tokenizer(nasty, split_special_tokens=False)["input_ids"])

# %% [markdown]
# ## Free
#
# Twelve prompts for colours, answered by `generate` at temperature 1. Prompts of a batch are padded on the left, since
# all answers begin at the same place.


# %%
def answers(prompts, seed, **options):
    """What generate writes after each prompt. Special tokens inside it show their names."""
    inputs = tokenizer(prompts, return_tensors="pt", padding=True)
    torch.manual_seed(seed)
    written = model.generate(**inputs, **options)[:, inputs["input_ids"].shape[1] :].tolist()
    ends = [ids.index(our_tokenizer.eos_id) if our_tokenizer.eos_id in ids else len(ids) for ids in written]
    return [our_tokenizer.decode(ids[:end], special=True) for ids, end in zip(written, ends, strict=True)]


def compare(prompts, before, after, good):
    """Two answers to each prompt, side by side."""
    width = max(map(len, prompts))
    for prompt, one, other in zip(prompts, before, after, strict=True):
        marks = ["" if good(text) else "  <- no" for text in (one, other)]
        print(f"{prompt:{width}}  {one + marks[0]:22} {other + marks[1]}")


rng = Random(1)
colours = [colour(rng).prompt for _ in range(12)]
free = answers(colours, seed=0, max_new_tokens=24)
for prompt, answer in zip(colours, free, strict=True):
    print(f"{prompt:45} {answer}")


# %% [markdown]
# ## Under the mask of lab 04
#
# Everything that decides here is what lab 04 asks for: `mask_rows` makes the table, `mask_logits` masks the logits. Put
# `starter` in place of `solution` in the import above, and it is your code that transformers calls, at every step. The
# pattern is in lab 02's language, which knows no `{6}`.

# %%
HEX = "#" + "[0-9a-f]" * 6
vocabulary = our_tokenizer.vocabulary
rows = MaskRows(lab_04, HEX, vocabulary)
length = tokenizer(colours, return_tensors="pt", padding=True)["input_ids"].shape[1]
processor = MaskLogitsProcessor(vocabulary, [rows], length, mask_logits=lab_04.mask_logits)
masked = answers(colours, seed=0, max_new_tokens=24, logits_processor=[processor])


def is_hex(text):
    return re.fullmatch(HEX, text) is not None


compare(colours, free, masked, is_hex)
print(f"\nfree {sum(map(is_hex, free))} of {len(colours)}, masked {sum(map(is_hex, masked))} of {len(colours)}")

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
processor = MaskLogitsProcessor(vocabulary, [rows], len(prompt_ids), mask_logits=lab_04.mask_logits)
by_library = model.generate(**inputs, do_sample=False, max_new_tokens=24, logits_processor=[processor])[0].tolist()
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
        return f"{broken.msg}, at {text[max(0, broken.pos - 20) : broken.pos]!r} <here> {text[broken.pos :][:12]!r}"
    return error.message if error else ""


options = {"max_new_tokens": 160}
length = tokenizer(prompts, return_tensors="pt", padding=True)["input_ids"].shape[1]
free = answers(prompts, seed=3, **options)
processor = MaskLogitsProcessor(vocabulary, [guide], length, **options)
masked = answers(prompts, seed=3, logits_processor=[processor], **options)
print(f"free {sum(not problem(text) for text in free)} of 24 valid, masked {sum(not problem(text) for text in masked)}")

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
for prompt, answer in zip(mixed, answers(mixed, seed=1, max_new_tokens=120, logits_processor=[processor]), strict=True):
    print(f"{prompt}\n    {answer}")

# %% [markdown]
# ## Beams
#
# Beam search drops, repeats and reorders rows between two steps. A processor that kept a state for each row would give
# the mask of one row to another. This one finds a row's state by the row's ids.

# %%
inputs = tokenizer(colours[:2], return_tensors="pt", padding=True)
length = inputs["input_ids"].shape[1]
processor = MaskLogitsProcessor(vocabulary, [rows], length, beams=True, mask_logits=lab_04.mask_logits)
found = model.generate(
    **inputs, num_beams=4, num_return_sequences=3, do_sample=False, max_new_tokens=24, logits_processor=[processor]
)
for number, answer in enumerate(tokenizer.batch_decode(found[:, length:], skip_special_tokens=True)):
    print(colours[number // 3], "->", answer)

# %% [markdown]
# ## With another model
#
# The processor knows nothing of the small model. What it needs of yours is a `labkit.vocabulary.Vocabulary`: the bytes
# of each token, EOS, and the special ids. `bridges.hf.vocabulary.vocabulary_of` reads it from an `AutoTokenizer`, and
# the [README](../README.md) has the lines. Lab 07 shows on 131,072 tokens what else there is to know about them.
