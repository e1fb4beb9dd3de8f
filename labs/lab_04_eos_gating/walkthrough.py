# %% [markdown]
# # Lab 04, walked through: EOS gating
#
# Labs 01 to 03 made sure that a text can still become a match. They never asked whether it's finished. A model says
# "I'm done" with a token of its own, EOS, so the end of a text is one more bit of the mask. The only question is where
# that bit should be 1, and on this page you'll see what follows from the answer. Everything here calls the reference.
# If you'd rather write the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_04_eos_gating/walkthrough.ipynb)

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
from itertools import permutations

import numpy as np

from labkit.automata import decimal_fsm
from labkit.checking import Recorder
from labkit.errors import NoLegalToken
from labkit.models import adversary, seeded_random
from labkit.pictures import Lane, Moment, bar_chart, fsm_svg, mask_svg, timeline_svg
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as lab_01
from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_03_token_lifting.solution import build_trie, lift, states_to_vocab
from labs.lab_04_eos_gating.solution import (
    constrained_generate,
    mask_logits,
    mask_row,
    mask_rows,
    prepare,
)

# %% tags=["hide-input"]
NUMBER = r"([0-9]+)?\.[0-9]+"
HEX = "0x[0-9a-f]+"


def draw_rows(fsm, table, vocabulary, title):
    tokens = [text or "EOS" for text in vocabulary.texts()]
    names = [f"state {state}" for state in range(len(fsm))]
    for state in fsm.accepting:
        names[state] += ", accepts"
    rows, eos_id = mask_rows(fsm, table, vocabulary).tolist(), vocabulary.eos_id
    return mask_svg(rows, tokens, names=names, strong=eos_id, title=title)


# %%
toy = Vocabulary.toy()
decimal = decimal_fsm()
table = states_to_vocab(decimal, toy.texts())
draw_rows(decimal, table, toy, f"The mask rows of {NUMBER}")

# %% [markdown]
# The framed column is EOS. It's legal where the automaton accepts, and nowhere else.
#
# How much can one bit do? Take all the models that rank these five tokens in some fixed order, whatever order that is.
# There are 120 of them. Without a mask, 24 would stop at once and leave you with an empty text, because EOS is their
# favourite. What do they write with the mask?

# %%
ended = []
for likes in map(np.float32, permutations(range(5))):
    ids = constrained_generate(lambda _, likes=likes: likes, decimal, table, toy, 20)
    ended += [toy.decode(ids)] * (ids[-1] == toy.eos_id)
matches = [text for text in ended if re.fullmatch(NUMBER, text)]
print(f"{len(ended)} of 120 end, {len(matches)} with a match:", *sorted(set(ended)))

# %% [markdown]
# Every text that ended is a match. The other 70 models haven't ended: they prefer `1` to EOS, or to both tokens with a
# dot, so they write ones until the limit of 20 tokens stops them. Keep them in mind; they're what lab 05 is about.
#
# ## The masks
#
# Where do those rows come from? The automaton of `([0-9]+)?\.[0-9]+` is made by hand. Lab 03's table says which of the
# four tokens are legal in each state, and the accepting states say where EOS is.

# %%
fsm_svg(decimal, title=NUMBER)

# %% [markdown]
# In state 3 the model may end, and it may also write another digit. Both bits are 1, and the model decides.
#
# There are two more cases, and another automaton has them both. After `1+[.]2` nothing may follow, so in state 3 EOS is
# the only legal token. State 2, after the dot, is stranger. It needs a `2`, and this vocabulary has one only together
# with its dot, as `.2`. So the token `.` leads into a dead end. No bit is 1 there, and that includes EOS, because `1.`
# isn't a match.

# %%
title = "1+[.]2: state 2 is a dead end, state 3 must end"
draw_rows(*prepare("1+[.]2", toy), toy, title)

# %% [markdown]
# ## A model that wants to stop at once
#
# Here's a model that, at every step, likes EOS best, then `x`, then `42`, then `7`. The pattern is `[0-9]+`.
#
# **Predict before you read on.** Which token comes first, and which one after it? Each line below shows what the model
# wants, what is legal, and what it gets.

# %%
vocabulary = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
names = [text or "EOS" for text in vocabulary.texts()]
fsm, table = prepare("[0-9]+", vocabulary)
likes = np.array([1, 9, 3, 5], np.float32)
ids = constrained_generate(lambda ids: likes, fsm, table, vocabulary, 6)

state, moments = fsm.initial, []
for step, token_id in enumerate(ids, start=1):
    bits = mask_row(fsm, table, state, vocabulary)
    legal = " ".join(name for name, bit in zip(names, bits, strict=True) if bit)
    wanted, emitted = names[likes.argmax()], names[token_id]
    print(f"step {step}, state {state}: it wants {wanted},", end=" ")
    print(f"legal are {legal:8}, it emits {emitted}")
    ahead = [names[i] for i in np.flatnonzero(likes > likes[token_id])]
    moments.append(Moment(emitted, f"state {state}", ahead))
    state = table[state].get(token_id, state)
print("ids:", ids, "text:", repr(vocabulary.decode(ids)))

# %%
timeline_svg([Lane("in broken frames: liked better, and struck out", moments)])

# %% [markdown]
# The model would rather write `x` than `42`, but `x` is never legal. It would rather stop than do either, and has to
# wait for just one token. Then EOS is emitted, as an id like all the others. That's useful: `[2, 1]` tells you that the
# text is finished, and `[2]` alone wouldn't.
#
# ### The model is called once for each token
#
# That includes EOS. You might have expected that a model which wants something illegal has to be asked again. It
# doesn't, because the logits of one call rank all tokens, and so they already contain the best legal one.

# %%
asked = Recorder(lambda ids: likes)
print("ids:  ", constrained_generate(asked, fsm, table, vocabulary, 6))
print("calls:", asked.calls)

# %% [markdown]
# ## The probability of the end
#
# Now take the same pattern and a random model, which has other preferences after every prefix. At each prefix, how
# likely is it to stop if left to itself, and how likely under the mask?

# %%
model = seeded_random(len(vocabulary), seed=5)
us = np.random.RandomState(2).random_sample(12).tolist()
ids = constrained_generate(model, fsm, table, vocabulary, 12, us)
state, masked_eos = fsm.initial, {}
print("after      state   P(EOS) alone   P(EOS) under the mask")
for step, token_id in enumerate(ids):
    logits = model(ids[:step])
    alone = lab_01.softmax(logits)[vocabulary.eos_id]
    bits = mask_row(fsm, table, state, vocabulary)
    masked = lab_01.softmax(mask_logits(logits, bits))[vocabulary.eos_id]
    text = vocabulary.decode(ids[:step])
    masked_eos[repr(text)] = float(masked)
    print(f"{text!r:10} {state:5} {alone:15.3f} {masked:23.3f}")
    state = table[state].get(token_id, state)
print("ids:", ids, "text:", repr(vocabulary.decode(ids)))

# %%
bar_chart(masked_eos, title="The probability of EOS under the mask, after each prefix")

# %% [markdown]
# Before the first digit it's exactly 0. After that the mask removes nothing but `x`, so EOS gains a little, because the
# probability of forbidden tokens is shared out among the others in proportion. But the mask never *makes* the model
# stop. How long the text gets is up to the model alone, and lab 05 shows what trouble that can cause.
#
# ## The dead end
#
# Back to `1+[.]2` over the toy vocabulary, with a model that prefers `.` to `.2`. After `1.` no token is legal. That's
# an error, which carries the state and the text, so that you can find out what happened.

# %%
fsm, table = prepare("1+[.]2", toy)
asked = Recorder(lambda ids: np.float32([9, 3, 2, 1, 5]))
try:
    constrained_generate(asked, fsm, table, toy, 9)
except NoLegalToken as error:
    print(f"NoLegalToken: {error}")
    calls = len(asked.calls)
    print(f"state {error.state}, text {error.text!r}, model called {calls} times")

# %%
title = "1+[.]2 over the tokens a . .2 1: after the token . nothing fits"
fsm_svg(fsm, path=[0, 1, 2], highlight=2, title=title)

# %% [markdown]
# With `.2` in place of `.` the text would have finished. But the mask looks only one token ahead, and from there the
# dead end can't be seen: it's one token further on. (Lab 05 looks ahead all the way.)
#
# Why make it an error, and not simply stop? Because nothing else would notice. The largest logit of such a row is minus
# infinity, and minus infinity minus minus infinity isn't a number:

# %%
row = np.full(4, -np.inf)
with np.errstate(invalid="ignore"):
    weights = np.exp(row - row.max())
print("softmax without a guard:", weights / weights.sum())
print("argmax of the same row: ", row.argmax(), "- an id, as if it were an answer")
try:
    mask_logits(np.ones(4), np.zeros(4, dtype=bool))
except ValueError as error:
    print("mask_logits:", error)

# %% [markdown]
# A sampler that gets NaN returns some id or other, and the text goes wrong without a sound. So there are two checks.
# `constrained_generate` raises before it asks the model, and `mask_logits` refuses such a mask, whoever calls it.
#
# ## An adversary
#
# Enough of models that are merely stubborn. This one strongly prefers `q`, `@` and `zz`, and the pattern is
# `0x[0-9a-f]+`, over a small vocabulary:

# %%
texts = ["q", "@", "zz", "0", "x", "0x", "1", "af", "f0", "x1", "g"]
hexes = Vocabulary([*(text.encode() for text in texts), b"</s>"], eos_id=11)
fsm, table = prepare(HEX, hexes)
wilful = adversary(hexes)
for seed in range(5):
    us = np.random.RandomState(seed).random_sample(60).tolist()
    ids = constrained_generate(wilful, fsm, table, hexes, 60, us)
    text = hexes.decode(ids)
    is_match, ends = re.fullmatch(HEX, text) is not None, ids[-1] == hexes.eos_id
    print(f"{text:62} match: {is_match}, ends with EOS: {ends}")
print("it wanted:", "".join(texts[int(wilful(range(n)).argmax())] for n in range(9)))

# %%
first = lab_01.softmax(wilful([]))
legal = mask_row(fsm, table, fsm.initial, hexes)
shown = dict(zip([*texts, "EOS"], first.tolist(), strict=True))
struck = {name for name, bit in zip(shown, legal, strict=True) if not bit}
title = "What it would like first, and what is struck out"
bar_chart(shown, struck=struck, title=title)

# %% [markdown]
# It never got what it wanted. The guarantee doesn't depend on the model at all: a token that isn't legal has
# probability 0 at every step, whatever the logits are, and EOS is legal only where the automaton accepts. So a text
# that ends with EOS is a match.
#
# ## On the real vocabulary
#
# Does it still work at full size? Let's sample from a random model over 131,072 tokens. The trie is built once, and
# then each pattern is lifted in milliseconds.

# %%
tekken = Vocabulary.tekken()
trie = build_trie(tekken.texts())
model = seeded_random(len(tekken), seed=7)
us = np.random.RandomState(4).random_sample(200).tolist()
price, version = r"\$[0-9]+\.[0-9][0-9]", r"v[0-9]+\.[0-9]+\.[0-9]+"
date = "[0-9]+-[01][0-9]-[0-3][0-9]"
patterns = ["[0-9]+", price, version, date, HEX]
for pattern in patterns:
    fsm = compile_pattern(pattern)
    table = lift(fsm, trie)
    ids = constrained_generate(model, fsm, table, tekken, 200, us)
    text = tekken.decode(ids)
    long = f"{text[:28]}... ({len(text)} characters)"
    shown = text if len(text) <= 40 else long
    ends = "EOS" if ids[-1] == tekken.eos_id else "no EOS"
    is_match = re.fullmatch(pattern, text) is not None
    print(f"{pattern:29} {shown:46} {len(ids):3} tokens, {ends}, match: {is_match}")

# %% [markdown]
# All five end with EOS, and all five match. But look at how many tokens they took. After the last digit of a price, EOS
# is the only legal token. After a digit of `[0-9]+` it's one of 11, and after a digit of the hexadecimal number one of
# 141. A model without preferences takes a long time to hit it:

# %%
counts = {}
for pattern in ["[0-9]+", HEX]:
    fsm = compile_pattern(pattern)
    last = max(fsm.accepting)
    legal = mask_row(fsm, lift(fsm, trie), last, tekken)
    probs = lab_01.softmax(mask_logits(model([1]), legal))
    p_eos = probs[tekken.eos_id]
    print(f"{pattern:12} in state {last}: {legal.sum():3} legal tokens,", end=" ")
    print(f"P(EOS) = {p_eos:.3f}")
    counts[pattern] = int(legal.sum())
bar_chart(counts, title="EOS is one of so many tokens in the accepting state")

# %% [markdown]
# ### What is still missing
#
# None of this helps if a limit on tokens strikes first. Half a version number isn't a match. You can tell from the ids,
# since the last one isn't EOS, but that doesn't make the answer any more useful. Lab 05 first shows you this failure,
# and then prevents it, with masks that know how many tokens are left.
