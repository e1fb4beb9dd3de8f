# %% [markdown]
# # Lab 01, walked through: naive matching
#
# A program needs a number, and the model would rather write `a`. Before each choice, the mask asks of every token: if
# it came next, could the text still become a number? The page calls the reference; to write the functions yourself
# first, start with the [README](README.md).

# %% tags=["hide-input"]
import subprocess
import sys
from pathlib import Path

COURSE = ""  # where the course is cloned from, for Colab and Kaggle
here = Path.cwd()
roots = [folder for folder in (here, *here.parents) if (folder / "labkit").is_dir()]
root = roots[0] if roots else here / "mask-the-logits"
if not root.is_dir():
    assert COURSE, "The course is not here: set COURSE to where it is cloned from."
    subprocess.run(["git", "clone", "--depth", "1", COURSE, root], check=True)
    install = ["-m", "pip", "install", "-q", "-r", root / "requirements.txt"]
    subprocess.run([sys.executable, *install], check=True)
sys.path.insert(0, str(root))

import re
import time

import numpy as np
import regex

from labkit.checking import Recorder
from labkit.models import uniform
from labkit.pictures import Step, bar_chart, line_chart, steps_svg
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching.solution import (
    apply_mask,
    build_mask,
    could_match,
    find_answer,
    generate,
    sample,
    softmax,
)

NUMBER = r"([0-9]+)?\.[0-9]+"


def viable(text):
    return could_match(NUMBER, text)


# %%
TOKENS = ["a", ".", ".2", "1"]
logits = np.array([9.0, 0.0, 1.0, 0.5], dtype=np.float32)
before = softmax(logits)
after = softmax(apply_mask(logits, build_mask(TOKENS, "1", viable)))
shown = dict(zip(TOKENS, after, strict=True)) | {"a": before[0]}
bar_chart(shown, title="What the model may write after '1'", struck={"a"})

# %% [markdown]
# The broken outline is the share of `a` without a mask: nearly all. With it `a` is impossible, and the others share the
# rest. The same model writes seven tokens, without a mask and with it:

# %%
us = np.random.RandomState(12349).random_sample(7)
free = "".join(TOKENS[sample(before, u)] for u in us)
bound = generate(lambda ids: logits, TOKENS, viable, us)
print(f"without: {free}   with the mask: {''.join(TOKENS[i] for i in bound)}")

# %% [markdown]
# The mask does not persuade the model; it removes the alternatives. The example is small enough to check by hand: four
# tokens, and the pattern of a decimal number, `([0-9]+)?\.[0-9]+`.
#
# ## Parsing afterwards
#
# The usual method to get a number from a model: let it write freely, and search the answer.

# %%
answers = [
    "The first digits of pi are:\n\n3.1415926535",
    "Pi is three point one four, roughly.",
    "By version 2.0 of my notes, pi is 3.14.",
]
for answer in answers:
    print(f"{answer!r:52} -> {find_answer(NUMBER, answer)!r}")

# %% [markdown]
# The first answer gives the number. The second holds none, so you must ask again. The third gives a number, but the
# wrong one, and nothing in the program can know that. The search comes too late. The pattern must act before a token
# is chosen, not after the last one.
#
# ## Could this still become a match?
#
# An unfinished text does not match yet. `1.` is not a number, but one more digit makes it one; `1.a` never becomes one.
# The standard library's `re` says the same of both: no match. The package `regex` distinguishes them.

# %%
print(f"{'text':6} {'re.fullmatch':13} {'regex.fullmatch(..., partial=True)'}")
for text in ["", "1", "1.", ".2", "1.2", "1.2a"]:
    finished = re.fullmatch(NUMBER, text) is not None
    by_regex = regex.fullmatch(NUMBER, text, partial=True)
    print(f"{text!r:6} {'match' if finished else 'no match':13} {by_regex}")

# %% [markdown]
# `partial=True` on a match object means that the text ended too early to rule out a match. A full match counts too:
# `.2` and `1.2` are numbers already, and more digits may follow. `None` means dead: no continuation of `1.2a` is a
# number. The lab's `could_match` asks this question and returns a bool.
#
# ## One question for each token
#
# Suppose that the text so far is `1`. Each of the four tokens makes one candidate (`viable` asks `could_match` with the
# pattern filled in):

# %%
prefix = "1"
for token in TOKENS:
    text = prefix + token
    print(f"{prefix!r} + {token!r:4} = {text!r:5} -> {could_match(NUMBER, text)}")

allowed = build_mask(TOKENS, prefix, viable)
allowed

# %% [markdown]
# This array is the *mask*: one bit for each token id. The whole candidate decides whether a token is allowed: `.2` may
# follow `1`, but not `1.`.
#
# ## Applying the mask to the logits
#
# Softmax turns logits into probabilities. A forbidden token gets the logit minus infinity. Then its probability is
# exactly zero, not just small, and the others share the rest in the same proportions as before:

# %%
masked = apply_mask(logits, allowed)
after = softmax(masked)
print("logits       ", logits)
print("masked       ", masked)
print("probabilities", after.round(4))
for name, probs in [("before", before), ("after", after)]:
    ratio = probs[2] / probs[3]
    print(f"{name:6} the mask, '.2' is {ratio:.4f} times as likely as '1'")

# %% [markdown]
# ## Sampling with a given u
#
# Lay the probabilities end to end on the line from 0 to 1. A number u between 0 and 1 falls into one of the pieces.
# The forbidden token has a piece of width zero, and no u falls into it.

# %%
ends = np.cumsum(after).round(4).tolist()
print("where each piece ends:", dict(zip(TOKENS, ends, strict=True)))
for u in (0.0, 0.18, 0.5, 0.68, 0.99):
    print(f"u = {u:4} -> {TOKENS[sample(after, u)]!r}")

# %% [markdown]
# ## Seven steps
#
# Now the whole loop, with a model without preferences (every logit is 1) and the numbers u that NumPy's `RandomState`
# gives for the seed 12349.
#
# **Predict before you read on.** The text is `11.2`. Which of the four tokens are allowed? Each row is one step: the
# text before it, the allowed tokens, their probabilities, u, and the chosen token.

# %%
model = uniform(len(TOKENS))
ids, steps = generate(model, TOKENS, viable, us), []
print(f"{'prefix':10} {'allowed':14} {'probability of each token':26} {'u':7} chosen")
for place, (chosen, u) in enumerate(zip(ids, us, strict=True)):
    prefix = "".join(TOKENS[i] for i in ids[:place])
    allowed = build_mask(TOKENS, prefix, viable)
    masked = apply_mask(model(ids[:place]), allowed)
    probs = softmax(masked)
    steps.append(Step(prefix, probs.tolist(), chosen))
    shown = " ".join(token for token, bit in zip(TOKENS, allowed, strict=True) if bit)
    row = np.array2string(probs, precision=3)
    print(f"{prefix!r:10} {shown:14} {row:26} {u:.4f}  {TOKENS[chosen]!r}")
print("text:", "".join(TOKENS[i] for i in ids))

# %% [markdown]
# The same seven steps as a picture. Every column holds the four candidates of a step; the framed one is the text
# before the next step. After `11.2` only `1` is allowed, with probability 1.

# %%
steps_svg(TOKENS, steps, title="Seven steps with the seed 12349")

# %% [markdown]
# The function `generate` is this loop without the printing, and returns the same ids:

# %%
print(generate(model, TOKENS, viable, us) == ids)

# %% [markdown]
# ## What it costs
#
# Four tokens took four questions. A real vocabulary is larger. This one belongs to Tekken, a tokenizer in use, and
# ships as data in the package `mistral-common`. Tokens without text of their own (control tokens, and pieces of a
# character) are never asked about.

# %%
real = Vocabulary.tekken().texts()
for prefix in ["", "3", "3.1"]:
    allowed = build_mask(real, prefix, viable)
    found = " ".join(real[i] for i in np.flatnonzero(allowed))
    print(f"after {prefix!r:5} {allowed.sum()} of {len(real):,} tokens: {found}")

# %% [markdown]
# Ten or eleven tokens are allowed, after more than a hundred thousand questions. Count them first: the count is the
# same on every computer. The smaller vocabularies are every 128th token of the real one, every 32nd, and so on.

# %%
sizes = [1024, 4096, 16384, 65536, 131072]
vocabularies = [real[:: len(real) // size] for size in sizes]
for texts in vocabularies:
    ask = Recorder(viable)
    build_mask(texts, "3", ask)
    print(f"V = {len(texts):7,}: {len(ask.calls):7,} partial matches for one mask")

# %% [markdown]
# Then measure the time, on the computer that built this page:


# %% tags=["timing"]
def seconds_for_a_mask(texts):
    start = time.perf_counter()
    build_mask(texts, "3", viable)
    return time.perf_counter() - start


cost = [(len(texts), seconds_for_a_mask(texts)) for texts in vocabularies]
line_chart(
    {"partial match of every token": cost},
    title="One mask, naively",
    x_label="vocabulary size V",
    y_label="time for one mask",
    log_x=True,
    log_y=True,
    y_unit="s",
)

# %% [markdown]
# Twice the vocabulary takes twice the time, for one step of one request. An answer of 200 tokens needs 200 masks:

# %% tags=["timing"]
questions, one = len(ask.calls), cost[-1][1]
for masks in (1, 200):
    matches, time_taken = masks * questions, masks * one
    print(f"{masks:3} masks: {matches:>10,} partial matches, {time_taken:6.1f} s")

# %% [markdown]
# The time of the model itself comes on top. The result is correct for every vocabulary, and too slow to serve. Two
# things are wasteful, and each has a lab:
#
# - Each question reads the text from its start again, although the step before has read it. Lab 02 keeps a single
#   number instead.
# - Each step asks about every token, although what may follow depends on very little. Lab 03 makes a table.
