# %% [markdown]
# # Lab 01, walked through: naive matching
#
# Your program needs a number, and the model would rather write `a`. So before each choice we ask about every token:
# if it came next, could the text still become a number? What you see here is the reference at work. If you'd like to
# write the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_01_naive_matching/walkthrough.ipynb)

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
import re
import time

import numpy as np
import regex

from labkit.checking import Recorder
from labkit.models import uniform
from labkit.pictures import (
    DrawnAnswer,
    Step,
    answers_svg,
    bar_chart,
    line_chart,
    mask_svg,
    steps_svg,
)
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching.pictures import u_picks
from labs.lab_01_naive_matching.solution import (
    apply_mask,
    build_mask,
    could_match,
    find_answer,
    generate,
    sample,
    softmax,
)

# %% tags=["hide-input"]
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
# The broken outline is the share that `a` had before we masked: nearly all of it. Under the mask `a` is impossible,
# and the others divide the whole among them. Let the same model write seven tokens, without a mask and with it:

# %%
us = np.random.RandomState(12349).random_sample(7)
free = "".join(TOKENS[sample(before, u)] for u in us)
bound = generate(lambda ids: logits, TOKENS, viable, us)
print(f"without: {free}   with the mask: {''.join(TOKENS[i] for i in bound)}")

# %% [markdown]
# We haven't persuaded the model of anything. It wants `a` as much as before; there just isn't any `a` to be had. How
# did that happen? The example is small enough to check by hand, with four tokens and one pattern, the decimal number
# `([0-9]+)?\.[0-9]+`. So let's go through it from the start.
#
# ## Parsing afterwards
#
# This is how most programs get a number out of a model: let it write freely, then search the answer.

# %%
answers = [
    "The first digits of pi are:\n\n3.1415926535",
    "Pi is three point one four, roughly.",
    "By version 2.0 of my notes, pi is 3.14.",
]
drawn = []
for answer in answers:
    found = find_answer(NUMBER, answer)
    verdict = f"the program reads {found}" if found else "the program reads nothing"
    drawn.append(DrawnAnswer(f"answer {len(drawn) + 1}", answer, None, verdict))
answers_svg("What is pi?", drawn)

# %% [markdown]
# The first answer gives you the number. The second has none, so all you can do is ask again. The third gives you *a*
# number, but it's the wrong one, and your program has no way of knowing. The trouble is that the search comes too
# late. To make a difference, the pattern has to act before a token is chosen, and not after the last one.
#
# ## Could this still become a match?
#
# That's harder than it sounds, because an unfinished text doesn't match yet. `1.` isn't a number, but one more digit
# makes it one; `1.a` never will be. Python's `re` says the same about both: no match. The package `regex` can tell
# them apart.

# %%
print(f"{'text':6} {'re.fullmatch':13} {'regex.fullmatch(..., partial=True)'}")
for text in ["", "1", "1.", ".2", "1.2", "1.2a"]:
    finished = re.fullmatch(NUMBER, text) is not None
    by_regex = regex.fullmatch(NUMBER, text, partial=True)
    print(f"{text!r:6} {'match' if finished else 'no match':13} {by_regex}")

# %%
asked = ["", "1", "1.", ".2", "1.2", "1.2a"]
by_re = [re.fullmatch(NUMBER, text) is not None for text in asked]
names = ["re finds a match", "it can still be one"]
rows = [by_re, [could_match(NUMBER, text) for text in asked]]
mask_svg(rows, [repr(text) for text in asked], names=names, title=f"Texts, by {NUMBER}")

# %% [markdown]
# When a match object says `partial=True`, the text ended too early to rule out a match. A full match counts as viable
# too: `.2` and `1.2` are numbers already, and more digits may follow. `None` means dead, since no continuation of
# `1.2a` is a number. The lab's `could_match` asks this one question, and turns the answer into a bool.
#
# ## One question for each token
#
# Suppose the text so far is `1`. Put each of the four tokens after it, and you have four candidates to ask about
# (`viable` is `could_match` with the pattern filled in):

# %%
prefix = "1"
for token in TOKENS:
    text = prefix + token
    print(f"{prefix!r} + {token!r:4} = {text!r:5} -> {could_match(NUMBER, text)}")

allowed = build_mask(TOKENS, prefix, viable)
allowed

# %%
mask_svg([allowed.tolist()], TOKENS, names=["after '1'"], title="The mask")

# %% [markdown]
# This array is the *mask*: True or False for each token id. Notice that we asked about the whole candidate, and not
# about the token. That's why `.2` is allowed here, after `1`, and wouldn't be after `1.`.
#
# ## Applying the mask to the logits
#
# The model gives us logits, and softmax turns them into probabilities. A forbidden token gets minus infinity for its
# logit. Then its probability is exactly zero, and not just small, and the others keep the proportions that they had
# among themselves:

# %%
masked = apply_mask(logits, allowed)
after = softmax(masked)
print("logits       ", logits)
print("masked       ", masked)
print("probabilities", after.round(4))
for name, probs in [("before", before), ("after", after)]:
    ratio = probs[2] / probs[3]
    print(f"{name:6} the mask, '.2' is {ratio:.4f} times as likely as '1'")

# %%
both = {f"{t!r} before": p for t, p in zip(TOKENS, before, strict=True)}
both |= {f"{t!r} under the mask": p for t, p in zip(TOKENS, after, strict=True)}
bar_chart(both, title="After '1': what the mask takes from a, the others share")

# %% [markdown]
# ## Sampling with a given u
#
# Now lay the probabilities end to end on the line from 0 to 1. A number u between 0 and 1 falls into one of the
# pieces, and that's the token. The piece of the forbidden token has no width, so no u can fall into it.

# %%
ends = np.cumsum(after).round(4).tolist()
print("where each piece ends:", dict(zip(TOKENS, ends, strict=True)))
for u in (0.0, 0.18, 0.5, 0.68, 0.99):
    print(f"u = {u:4} -> {TOKENS[sample(after, u)]!r}")

# %%
u_picks()

# %% [markdown]
# ## Seven steps
#
# Here's the whole loop. The model has no preferences this time (every logit is 1), and the numbers u are those that
# NumPy's `RandomState` gives for the seed 12349.
#
# **Predict before you read on.** The text is `11.2`. Which of the four tokens are allowed? In the table each row is
# one step: the text before it, the allowed tokens, the probabilities, u, and the token that u chose.

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
# And the same seven steps as a picture. Every column shows the four candidates of a step, and the framed one is the
# text before the next step. Find `11.2`: after it only `1` is allowed, with probability 1.

# %%
steps_svg(TOKENS, steps, title="Seven steps with the seed 12349")

# %% [markdown]
# The lab's `generate` is this loop without the printing, so it returns the same ids:

# %%
print(generate(model, TOKENS, viable, us) == ids)

# %% [markdown]
# ## What it costs
#
# Four tokens took four questions, and nobody minds those. A real vocabulary is larger. The next one belongs to
# Tekken, a tokenizer in use, and ships as data in the package `mistral-common`. Tokens without text of their own
# (control tokens, and pieces of a character) are never asked about.

# %%
real = Vocabulary.tekken().texts()
for prefix in ["", "3", "3.1"]:
    allowed = build_mask(real, prefix, viable)
    found = " ".join(real[i] for i in np.flatnonzero(allowed))
    print(f"after {prefix!r:5} {allowed.sum()} of {len(real):,} tokens: {found}")

# %% [markdown]
# Ten or eleven tokens are allowed, and to find them we asked more than a hundred thousand questions. Let's count
# these questions first, since the count is the same on every computer. The smaller vocabularies here are every 128th
# token of the real one, every 32nd, and so on.

# %%
sizes = [1024, 4096, 16384, 65536, 131072]
vocabularies = [real[:: len(real) // size] for size in sizes]
for texts in vocabularies:
    ask = Recorder(viable)
    build_mask(texts, "3", ask)
    print(f"V = {len(texts):7,}: {len(ask.calls):7,} partial matches for one mask")

# %% [markdown]
# And this is the time that they take, on the computer that built this page:


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
# Twice the vocabulary takes twice the time, and that's for one step of one request. An answer of 200 tokens needs 200
# masks:

# %% tags=["timing"]
questions, one = len(ask.calls), cost[-1][1]
for masks in (1, 200):
    matches, time_taken = masks * questions, masks * one
    print(f"{masks:3} masks: {matches:>10,} partial matches, {time_taken:6.1f} s")

# %% [markdown]
# The time of the model itself comes on top of that. So we have a method that's right for every vocabulary, and too
# slow to serve. Where does the time go? Two things are wasteful, and each of them gets a lab:
#
# - Each question reads the text from its first character, although the step before has just read it. Lab 02 remembers
#   a single number instead.
# - Each step asks about every token, although the answer depends on very little. Lab 03 writes all the answers into a
#   table.
