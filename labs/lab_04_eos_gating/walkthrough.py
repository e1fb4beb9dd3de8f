# %% [markdown]
# # Lab 04, walked through: EOS gating
#
# Labs 01 to 03 never ask whether a text is finished. A model ends a text with a token of its own, EOS, so the end is
# one more bit of the mask: in which states is EOS legal? The page calls the reference; to write the functions yourself
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
from itertools import permutations

import numpy as np

from labkit.automata import decimal_fsm
from labkit.checking import Recorder
from labkit.errors import NoLegalToken
from labkit.models import adversary, seeded_random
from labkit.pictures import bar_chart, fsm_svg, mask_svg
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
# EOS is legal where the automaton accepts, and nowhere else. To see what this one bit does, take all 120 models that
# rank the five tokens in a fixed order. Without a mask, 24 of them end at once, with nothing written. And with it?

# %%
ended = []
for likes in map(np.float32, permutations(range(5))):
    ids = constrained_generate(lambda _, likes=likes: likes, decimal, table, toy, 20)
    ended += [toy.decode(ids)] * (ids[-1] == toy.eos_id)
matches = [text for text in ended if re.fullmatch(NUMBER, text)]
print(f"{len(ended)} of 120 end, {len(matches)} with a match:", *sorted(set(ended)))

# %% [markdown]
# The other 70 prefer `1` to EOS, or to both tokens with a dot, and write ones until the limit of 20 tokens.
#
# ## The masks
#
# The automaton of `([0-9]+)?\.[0-9]+` is made by hand. Lab 03's table says which of the four tokens are legal in each
# state; the accepting states say where EOS is.

# %%
fsm_svg(decimal, title=NUMBER)

# %% [markdown]
# In state 3 the model may end, and it may write another digit. Both bits are 1, and the model decides.
#
# Another automaton shows the other two cases. After `1+[.]2` nothing may follow, so in state 3 EOS is the only legal
# token. And state 2, after the dot, needs a `2`, which this vocabulary has only together with its dot, as `.2`. The
# token `.` leads to a dead end: no bit is 1, not even that of EOS, because `1.` is not a match.

# %%
title = "1+[.]2: state 2 is a dead end, state 3 must end"
draw_rows(*prepare("1+[.]2", toy), toy, title)

# %% [markdown]
# ## A model that wants to stop at once
#
# This model likes EOS best, then `x`, then `42`, then `7`, at every step. The pattern is `[0-9]+`.
#
# **Predict before you read on.** Which token comes first, and which after it? Each line shows what the model wants, the
# legal tokens, and the chosen one.

# %%
vocabulary = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
names = [text or "EOS" for text in vocabulary.texts()]
fsm, table = prepare("[0-9]+", vocabulary)
likes = np.array([1, 9, 3, 5], np.float32)
ids = constrained_generate(lambda ids: likes, fsm, table, vocabulary, 6)

state = fsm.initial
for step, token_id in enumerate(ids, start=1):
    bits = mask_row(fsm, table, state, vocabulary)
    legal = " ".join(name for name, bit in zip(names, bits, strict=True) if bit)
    wanted, emitted = names[likes.argmax()], names[token_id]
    print(f"step {step}, state {state}: it wants {wanted},", end=" ")
    print(f"legal are {legal:8}, it emits {emitted}")
    state = table[state].get(token_id, state)
print("ids:", ids, "text:", repr(vocabulary.decode(ids)))

# %% [markdown]
# `x` ranks above `42`, but is never legal. EOS ranks above both, but must wait for one token. Then it is emitted, as an
# id like the others: `[2, 1]` shows that the text is finished, and `[2]` alone would not.
#
# ## The model is called once for each token
#
# EOS is included. A masked step needs no second try: the logits of one call already contain the best legal token.

# %%
asked = Recorder(lambda ids: likes)
print("ids:  ", constrained_generate(asked, fsm, table, vocabulary, 6))
print("calls:", asked.calls)

# %% [markdown]
# ## The probability of the end
#
# Take the same pattern and a random model with its own preferences after every prefix. For each prefix, compare how
# likely the model is to stop by itself with how likely it is under the mask.

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
# Before the first digit it is exactly 0. From then on the mask removes only `x`, so EOS gains a little: the probability
# of forbidden tokens is shared among the others, in proportion. The mask never makes the model stop here. The model
# alone decides how long the text gets, and that is the problem that lab 05 solves.
#
# ## The dead end
#
# Take `1+[.]2` over the toy vocabulary again, and a model that prefers `.` to `.2`. After `1.` no token is legal. That
# is an error, with the state and the text.

# %%
fsm, table = prepare("1+[.]2", toy)
asked = Recorder(lambda ids: np.float32([9, 3, 2, 1, 5]))
try:
    constrained_generate(asked, fsm, table, toy, 9)
except NoLegalToken as error:
    print(f"NoLegalToken: {error}")
    calls = len(asked.calls)
    print(f"state {error.state}, text {error.text!r}, model called {calls} times")

# %% [markdown]
# With `.2` instead of `.` the text would have finished. The mask looks one token ahead, and this dead end is one token
# further on. Lab 05 looks ahead to the end.
#
# Why is it an error? The arithmetic would hide it. The largest logit of such a row is minus infinity, and minus
# infinity minus minus infinity is not a number:

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
# A sampler that gets NaN returns some id, and the text silently goes wrong. So there are two checks:
# `constrained_generate` raises before it asks the model, and `mask_logits` refuses such a mask from any caller.
#
# ## An adversary
#
# This model strongly prefers `q`, `@` and `zz`. The pattern is `0x[0-9a-f]+`, over a small vocabulary:

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

# %% [markdown]
# The guarantee holds for every model. A token that is not legal has probability 0 at every step, whatever the logits
# are, and EOS is legal only in accepting states. So a text that ends with EOS is a match.
#
# ## On the real vocabulary
#
# Now sample from a random model over 131,072 tokens. The trie is built once; then each pattern is lifted in
# milliseconds.

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
# All five end with EOS, and all five match. They differ in how long the model takes to end. After the last atom of a
# price only EOS is legal. After a digit of `[0-9]+` EOS is one of 11 legal tokens. After a digit of the hexadecimal
# number it is one of 141, so a model without preferences continues for long:

# %%
for pattern in ["[0-9]+", HEX]:
    fsm = compile_pattern(pattern)
    last = max(fsm.accepting)
    legal = mask_row(fsm, lift(fsm, trie), last, tekken)
    probs = lab_01.softmax(mask_logits(model([1]), legal))
    p_eos = probs[tekken.eos_id]
    print(f"{pattern:12} in state {last}: {legal.sum():3} legal tokens,", end=" ")
    print(f"P(EOS) = {p_eos:.3f}")

# %% [markdown]
# ## What is still missing
#
# A limit on tokens cuts a text off wherever it is, and half a version number is not a match. The ids show it, since the
# last one is not EOS, but the answer is still useless. Lab 05 first shows this failure and then prevents it, with masks
# that know how many tokens are left.
