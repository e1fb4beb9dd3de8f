# %% [markdown]
# # Lab 02, walked through: the atom FSM
#
# In lab 01 we asked a regular expression about the whole text, and again for every token. Here we compile the pattern
# once, into an automaton, and then the text so far shrinks to one number, the state. What you see is the reference at
# work. If you'd like to write the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_02_atom_fsm/walkthrough.ipynb)

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
import time

import numpy as np

from labkit.automata import Fsm, decimal_fsm
from labkit.checking import describe_walk
from labkit.errors import PatternError
from labkit.models import adversary, seeded_random, uniform
from labkit.pictures import (
    bar_chart,
    char_label,
    fsm_dot,
    fsm_svg,
    line_chart,
    mask_svg,
)
from labkit.scenes import CountedFsm
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as lab_01
from labs.lab_02_atom_fsm.solution import (
    advance,
    compile_pattern,
    generate,
    parse_atoms,
    token_mask,
)

# %%
HEX = "0x[0-9a-f]+"
automaton = compile_pattern(HEX)
fsm_svg(automaton, path=[0, 1, 2], highlight=2, title=f"{HEX} after the text 0x")

# %% [markdown]
# There are infinitely many texts that can become a hexadecimal number, and these four states are enough for all of
# them. They're also enough to hold a model to the pattern. The next one would like to write `q`, `@` and `zz`, and it
# chooses among the 131,072 tokens of a real vocabulary.

# %%
vocabulary = Vocabulary.tekken()
real = vocabulary.texts()
wilful = adversary(vocabulary, wants=["q", "@", "zz"])
us = np.random.RandomState(7).random_sample(8)
print("it wants:", "".join(real[int(wilful(range(n)).argmax())] for n in range(8)))
print("it gives:", vocabulary.decode(generate(wilful, automaton, real, us)))

# %% [markdown]
# How do we get from the pattern to these four states? In two steps: first cut it into atoms, then turn the atoms into
# states.
#
# ## Atoms
#
# An atom is a character, an escape, or a class in brackets, and it may have a `+`. Of each atom the parser keeps its
# position, its source, the characters that it matches, and whether the `+` repeats it.

# %%
for atom in parse_atoms(HEX):
    taken, plus = char_label(atom.chars), "repeated" * atom.plus
    print(f"position {atom.position}: {atom.source:10} takes {taken:9} {plus}")

# %% [markdown]
# ### The automaton
#
# In the picture below, state i means that atoms 0 to i - 1 have matched, so each atom adds a transition
# from its state to the next one. A `+` adds another, from the state *after* the atom back to itself: one character
# has to come, and then more may follow. The double ring marks the accepting state.

# %%
fsm_svg(automaton, title=f"{HEX}: three atoms, and a state before and after each")

# %% [markdown]
# ## Walking
#
# `advance` follows one transition for each character of a text, and returns the state where it ends:

# %%
print(describe_walk(automaton, 0, "0x1f"))
print("advance(automaton, 0, '0x1f') =", advance(automaton, 0, "0x1f"))

# %%
title = "0x1f ends in state 3, which accepts"
fsm_svg(automaton, path=[0, 1, 2, 3, 3], highlight=3, title=title)

# %% [markdown]
# A token may have several characters, and then it takes several transitions. `0x` crosses two atoms in one step of
# the model:

# %%
for token in ["0", "0x", "0x1f"]:
    print(f"{token!r:7} from state 0: {describe_walk(automaton, 0, token)}")

# %% [markdown]
# ## A token that dies halfway
#
# What about the token `1x` in state 2? Its first character leads to state 3, and there the second has no transition.

# %%
state = 2
print(describe_walk(automaton, state, "1x"))
print("advance(automaton, 2, '1x') =", advance(automaton, state, "1x"))

# %%
title = "1x: its 1 leads from state 2 to 3, and there no transition has an x"
fsm_svg(automaton, path=[2, 3], highlight=3, title=title)

# %% [markdown]
# So the result is `None`, although the automaton was alive for one character. Two mistakes are easy to make here. If
# you return the last live state, 3, the mask allows `1x`, and the model can write `0x1x`. And if the walk moves the
# caller's own state, the next answer is wrong, because trying a token out must leave everything as it was. Here the
# caller is still in state 2, and the mask there is the same:

# %%
tokens = ["0", "x", "0x", "1", "af", "x1", "0x1f", "1x", "g", "00"]
mask_before = token_mask(automaton, state, tokens)
advance(automaton, state, "1x")
mask_after = token_mask(automaton, state, tokens)
print("state", state, "and the same mask:", (mask_after == mask_before).all())

# %% [markdown]
# ## The mask, by walking
#
# A token is allowed if the automaton survives its whole text.
#
# **Predict before you read on.** In state 2, which of the ten tokens `0`, `x`, `0x`, `1`, `af`, `x1`, `0x1f`, `1x`,
# `g` and `00` survive? Here are the masks of all four states:

# %%
states = range(len(automaton))
masks = [token_mask(automaton, state, tokens).tolist() for state in states]
mask_svg(masks, tokens, title=f"The masks of {HEX}: 1 where the token survives")

# %% [markdown]
# The text so far isn't part of the question any more. After `0x1`, `0xffff` and `0x00000` the automaton is in state
# 3, so the mask is the same for all three.
#
# ## Two transitions for one character
#
# Not every pattern is that easy. `[0-9]+[0-9]` looks harmless, since it just means two digits or more. By our rule it
# would become this automaton:

# %%
digits = "0123456789"
rows = dict.fromkeys(digits, 1), dict.fromkeys(digits, 2), {}
two_digits = Fsm(rows, initial=0, accepting=frozenset({2}))
title = "[0-9]+[0-9]: in state 1, a digit leads to two states"
fsm_svg(two_digits, clash={(1, 1): digits}, title=title)

# %% [markdown]
# In state 1 a digit has two transitions: stay, because the `+` may repeat, and go on, because the second atom matches
# a digit too. The automaton is in one state at a time, and it can't look ahead. If it goes on, `123` dies, although
# it should match. If it stays, it never accepts `12`, although it should. And your code wouldn't complain: the
# transitions of a state are a dictionary, and the later entry silently overwrites the earlier one. So we refuse the
# pattern, and the error names both atoms:

# %%
try:
    compile_pattern("[0-9]+[0-9]")
except PatternError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# In this case nothing is lost, because another pattern says the same and compiles. Its `+` comes last, so the
# repeated atom has no neighbour on the right.

# %%
fsm_svg(compile_pattern("[0-9][0-9]+"), title="[0-9][0-9]+")

# %% [markdown]
# ## Draw your own
#
# Graphviz lays out all these pictures, and you can look at *your* automaton the same way: in the next cell, import
# `starter` instead of `solution`, and choose a pattern. In case you'd like to draw it differently, `fsm_dot` gives you
# the automaton in Graphviz's language, DOT, as a `graphviz.Source`. `dot -Tsvg` takes its text.

# %%
from labs.lab_02_atom_fsm import solution as mine

own = mine.compile_pattern("[+-][0-9]+")
print(fsm_dot(own).source)
fsm_svg(own, title="[+-][0-9]+, by the file that you chose")

# %% [markdown]
# A pattern like `[0-9]+[0-4]` can't be rewritten like that. It needs an automaton that can be in several states at a
# time, or a construction that turns sets of states into states. That's lab 06.
#
# ### What we refuse, and where
#
# `InvalidPattern` means that the pattern is malformed. `UnsupportedPattern` means that other engines give it a
# meaning, but this language doesn't. Both say at which position.

# %%
malformed = ["0x[0-9", "+1", "[9-0]", "x[]", "ab\\"]
outside = ["a++", "(a|b)", "[^a]", r"\d+", "colou?r"]
for pattern in malformed + outside:
    try:
        compile_pattern(pattern)
    except PatternError as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# ## The same answers as lab 01
#
# The automaton changes what a mask costs, and nothing about the mask. So with the same model and the same numbers u,
# we should get the ids of lab 01. Let's try lab 01's own example first. Its pattern has a `?`, which this language
# lacks, so we take an automaton made by hand:

# %%
decimal = decimal_fsm()
fsm_svg(decimal, title=r"([0-9]+)?\.[0-9]+, made by hand")

# %%
TOKENS = ["a", ".", ".2", "1"]
NUMBER = r"([0-9]+)?\.[0-9]+"
us = np.random.RandomState(12349).random_sample(7)


def is_number_so_far(text):
    return lab_01.could_match(NUMBER, text)


naive = lab_01.generate(uniform(4), TOKENS, is_number_so_far, us)
by_automaton = generate(uniform(4), decimal, TOKENS, us)
print("naive:    ", naive, "".join(TOKENS[i] for i in naive))
print("automaton:", by_automaton, "".join(TOKENS[i] for i in by_automaton))

# %% [markdown]
# Now a compiled pattern and a model with preferences, for a hundred seeds:


# %%
def is_hex_so_far(text):
    return lab_01.could_match(HEX, text)


agree = 0
for seed in range(100):
    model = seeded_random(len(tokens), seed)
    us = np.random.RandomState(seed).random_sample(8)
    naive = lab_01.generate(model, tokens, is_hex_so_far, us)
    agree += generate(model, automaton, tokens, us) == naive
print(f"{agree} of 100 runs give the same ids")

# %% [markdown]
# ## What one mask costs
#
# Both methods go through the whole vocabulary. The naive one asks `regex` about the text and the token; the automaton
# looks up one character after another in a dictionary, until one has no transition. Here's what the mask after `0x1f`
# takes, on the computer that built this page:


# %% tags=["timing"]
def seconds(make_mask, *arguments):
    start = time.perf_counter()
    make_mask(*arguments)
    return time.perf_counter() - start


naive = min(seconds(lab_01.build_mask, real, "0x1f", is_hex_so_far) for _ in range(2))
walked = min(seconds(token_mask, automaton, 3, real) for _ in range(2))
print(f"naive:     {1000 * naive:6.0f} ms")
print(f"automaton: {1000 * walked:6.0f} ms, {naive / walked:.0f} times faster")

# %% [markdown]
# But the ratio at one step isn't the point. The naive method reads the text so far again for every token, and the
# automaton starts from its state. So the one takes longer and longer as the text grows, and the other doesn't. This
# is measured on every eighth token of the vocabulary:


# %% tags=["timing"]
def naive_mask(text):
    return lab_01.build_mask(some, text, is_hex_so_far)


def automaton_mask(text):
    return token_mask(automaton, advance(automaton, 0, text), some)


some = real[::8]
prefixes = ["0x" + "f" * length for length in (1, 100, 200, 400, 800)]
curves = {
    "naive": [(len(text), seconds(naive_mask, text)) for text in prefixes],
    "automaton": [(len(text), seconds(automaton_mask, text)) for text in prefixes],
}
line_chart(
    curves,
    title=f"One mask of {len(some):,} tokens, as the text grows",
    x_label="characters written so far",
    y_label="time for one mask",
    y_unit="s",
)

# %% [markdown]
# ## What is still slow
#
# At every step the automaton still tries all V tokens. Let's count how many transitions it looks up for one mask in
# state 3, and how many tokens it allows in the end.

# %%
counted = CountedFsm(automaton)
allowed = token_mask(counted.fsm, 3, real)
with_text = sum(1 for text in real if text)
looked_up = counted.lookups
print(f"{looked_up:,} look-ups for {with_text:,} tokens, to allow {allowed.sum()}")

# %%
counts = {"tokens with text": with_text, "look-ups": looked_up}
counts["allowed"] = int(allowed.sum())
bar_chart(counts, title="One mask by walking")

# %% [markdown]
# That's hardly more than one look-up for each token, because nearly all of them die at their first character. And
# what does the answer depend on? Only on the state, and this automaton has four of them. So four masks, made once,
# would serve every text that the model will ever write. Lab 03 makes them.
