# %% [markdown]
# # Lab 04, walked through: EOS gating
#
# This page shows what the lab builds, with every output in place. There is nothing to run. It calls the reference;
# if you want to write the functions yourself first, the [README](README.md) is where to start.
#
# Labs 01 to 03 keep a text on the way to a match, and never ask whether it has arrived. A model says that it is done
# with a token of its own, EOS. So the end is a question about one more token: in which states may EOS come?

# %%
import sys
from pathlib import Path

here = Path.cwd()
sys.path.insert(0, str(next(folder for folder in (here, *here.parents) if (folder / "labkit").is_dir())))

import re

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
from labs.lab_04_eos_gating.solution import constrained_generate, mask_logits, mask_row, mask_rows, prepare

# %% [markdown]
# ## The rows
#
# The automaton of `([0-9]+)?\.[0-9]+`, made by hand, and the toy vocabulary of four tokens and EOS. The table of lab 03
# says which tokens may come in each state; the accepting states say where EOS may.

# %%
toy = Vocabulary.toy()
decimal = decimal_fsm()
table = states_to_vocab(decimal, toy.texts())
fsm_svg(decimal, title=r"([0-9]+)?\.[0-9]+")


# %%
def draw_rows(fsm, table, vocabulary, title):
    tokens = [text or "EOS" for text in vocabulary.texts()]
    names = [f"state {state}{', accepts' * (state in fsm.accepting)}" for state in range(len(fsm))]
    rows = mask_rows(fsm, table, vocabulary)
    return mask_svg(rows.tolist(), tokens, names=names, strong=vocabulary.eos_id, title=title)


draw_rows(decimal, table, toy, r"The mask rows of ([0-9]+)?\.[0-9]+")

# %% [markdown]
# In state 3 the model may end, and it may write another digit. Both bits are 1, and the model decides.
#
# One more automaton shows the other two cases. After `1+[.]2` nothing may follow, so in state 3 EOS is the only legal
# token. And state 2, after the dot, wants a `2`, which this vocabulary has only together with its dot, as `.2`. The
# token `.` leads into a dead end: a row without any bit, and EOS does not open it, for `1.` is no match.

# %%
draw_rows(*prepare("1+[.]2", toy), toy, "1+[.]2: state 2 is a dead end, state 3 must end")

# %% [markdown]
# ## A model that wants to stop at once
#
# This model likes EOS best, then `x`, then `42`, then `7`, at every step. The pattern is `[0-9]+`. For each step: what
# the model would emit alone, what the mask leaves, what comes.

# %%
vocabulary = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
names = [text or "EOS" for text in vocabulary.texts()]
fsm, table = prepare("[0-9]+", vocabulary)
likes = np.array([1, 9, 3, 5], np.float32)
ids = constrained_generate(lambda ids: likes, fsm, table, vocabulary, 6)

state = fsm.initial
for step, token_id in enumerate(ids, start=1):
    bits = mask_row(fsm, table, state, vocabulary)
    left = " ".join(name for name, legal in zip(names, bits, strict=True) if legal)
    print(
        f"step {step}, state {state}: it wants {names[likes.argmax()]}, legal are {left:8}, out comes {names[token_id]}"
    )
    state = table[state].get(token_id, state)
print("ids:", ids, "text:", repr(vocabulary.decode(ids)))

# %% [markdown]
# `x` ranks above `42`, and is legal nowhere. EOS ranks above both, and has to wait for one token. Then it comes, as an
# id like the others: whoever gets `[2, 1]` can see that the text is finished, which `[2]` alone would not say.
#
# ## The model is called once for each token
#
# EOS included. A masked step needs no second try: the logits of one call hold the answer already, below what was
# struck out.

# %%
asked = Recorder(lambda ids: likes)
print("ids:  ", constrained_generate(asked, fsm, table, vocabulary, 6))
print("calls:", asked.calls)

# %% [markdown]
# ## The probability of the end
#
# The same pattern with a random model that has its own preferences after every prefix. For each prefix: how likely the
# model is to stop there by itself, and how likely under the mask.

# %%
model = seeded_random(len(vocabulary), seed=5)
us = np.random.RandomState(2).random_sample(12).tolist()
ids = constrained_generate(model, fsm, table, vocabulary, 12, us)
state, masked_eos = fsm.initial, {}
print("after      state   P(EOS) alone   P(EOS) under the mask")
for step, token_id in enumerate(ids):
    logits = model(ids[:step])
    alone = lab_01.softmax(logits)[vocabulary.eos_id]
    masked = lab_01.softmax(mask_logits(logits, mask_row(fsm, table, state, vocabulary)))[vocabulary.eos_id]
    text = vocabulary.decode(ids[:step])
    masked_eos[repr(text)] = float(masked)
    print(f"{text!r:10} {state:5} {alone:15.3f} {masked:23.3f}")
    state = table[state].get(token_id, state)
print("ids:", ids, "text:", repr(vocabulary.decode(ids)))

# %%
bar_chart(masked_eos, title="The probability of EOS under the mask, after each prefix")

# %% [markdown]
# Before the first digit it is 0, exactly. From then on the mask takes only `x` away, so EOS gains a little: whatever
# was forbidden is shared out among what is left, in proportion. Here the mask never makes the model stop. How long the
# text gets is the model's affair, and that is the hole that lab 05 closes.
#
# ## The dead end
#
# The pattern `1+[.]2` over the toy vocabulary again, and a model that prefers `.` to `.2`. After `1.` no token is
# legal, and that is an error which says where.

# %%
fsm, table = prepare("1+[.]2", toy)
asked = Recorder(lambda ids: np.float32([9, 3, 2, 1, 5]))
try:
    constrained_generate(asked, fsm, table, toy, 9)
except NoLegalToken as error:
    print(f"NoLegalToken: {error}")
    print(f"state {error.state}, text {error.text!r}, the model was called {len(asked.calls)} times")

# %% [markdown]
# With `.2` in place of `.` all would have gone well. The mask looks one token ahead, and this dead end lies one token
# further on. Lab 05 looks all the way to the end.
#
# Why an error? Look at what the arithmetic would do with such a row. The largest logit is minus infinity, and minus
# infinity less minus infinity is not a number:

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
# A sampler fed with NaN gives some id, and the text goes wrong without a word. So there are two guards:
# `constrained_generate` raises before it asks the model, and `mask_logits` refuses the row whoever calls it.
#
# ## An adversary
#
# A model that gives `q`, `@` and `zz` all the logits it has. On a small vocabulary for `0x[0-9a-f]+`:

# %%
texts = ["q", "@", "zz", "0", "x", "0x", "1", "af", "f0", "x1", "g"]
hexes = Vocabulary([*(text.encode() for text in texts), b"</s>"], eos_id=11)
HEX = "0x[0-9a-f]+"
fsm, table = prepare(HEX, hexes)
wilful = adversary(hexes)
for seed in range(5):
    us = np.random.RandomState(seed).random_sample(60).tolist()
    ids = constrained_generate(wilful, fsm, table, hexes, 60, us)
    text = hexes.decode(ids)
    print(f"{text:62} match: {re.fullmatch(HEX, text) is not None}, ends with EOS: {ids[-1] == hexes.eos_id}")
print("it wanted:", "".join(texts[int(wilful(range(n)).argmax())] for n in range(9)))

# %% [markdown]
# And fifty models that rank nine tokens in fifty shuffled orders, on `[0-9]+`, greedy:

# %%
some = Vocabulary([*(text.encode() for text in ["1", "22", "x", "3x", "-", "907", "a", "0"]), b"</s>"], eos_id=8)
fsm, table = prepare("[0-9]+", some)
outputs = []
for seed in range(50):
    order = np.random.default_rng(seed).permutation(9).astype(np.float32)
    outputs.append(some.decode(constrained_generate(lambda ids, order=order: order, fsm, table, some, 6)))
print(f"{sum(bool(re.fullmatch('[0-9]+', text)) for text in outputs)} of 50 match; the first five: {outputs[:5]}")

# %% [markdown]
# The guarantee is not about these models. A token that is not legal has probability 0 at every step, whatever the
# logits are, and EOS is legal in accepting states only. So a text that ends with EOS is a match.
#
# ## On the real vocabulary
#
# 131,072 tokens, a random model, sampled. The trie is built once; each pattern is then lifted in milliseconds.

# %%
tekken = Vocabulary.tekken()
trie = build_trie(tekken.texts())
model = seeded_random(len(tekken), seed=7)
us = np.random.RandomState(4).random_sample(200).tolist()
patterns = ["[0-9]+", r"\$[0-9]+\.[0-9][0-9]", r"v[0-9]+\.[0-9]+\.[0-9]+", "[0-9]+-[01][0-9]-[0-3][0-9]", HEX]
for pattern in patterns:
    fsm = compile_pattern(pattern)
    table = lift(fsm, trie)
    ids = constrained_generate(model, fsm, table, tekken, 200, us)
    text = tekken.decode(ids)
    shown = text if len(text) <= 40 else f"{text[:28]}... ({len(text)} characters)"
    ends = "EOS" if ids[-1] == tekken.eos_id else "no EOS"
    print(f"{pattern:29} {shown:46} {len(ids):3} tokens, {ends}, match: {re.fullmatch(pattern, text) is not None}")

# %% [markdown]
# All five end with EOS, and all five match. They differ in how long the model takes to end. After the last atom of a
# price there is nothing but EOS. After a digit of `[0-9]+` EOS is one of 11 legal tokens. After a digit of the
# hexadecimal number it is one of 141, and a model without an opinion goes on for long:

# %%
for pattern in ["[0-9]+", HEX]:
    fsm = compile_pattern(pattern)
    last = max(fsm.accepting)
    legal = mask_row(fsm, lift(fsm, trie), last, tekken)
    probs = lab_01.softmax(mask_logits(model([1]), legal))
    print(f"{pattern:12} in state {last}: {legal.sum():3} legal tokens, P(EOS) = {probs[tekken.eos_id]:.3f}")

# %% [markdown]
# ## What stays open
#
# A limit on tokens cuts a text off wherever it is, and in the middle of a version number that is no match. The ids say
# so, since the last is not EOS; but nobody wanted half a version number. Lab 05 shows the fault first and then removes
# it, with masks that know how many tokens are left.
