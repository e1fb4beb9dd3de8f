# %% [markdown]
# # Lab 02, walked through: the atom FSM
#
# Lab 01 asked a regular expression about the whole text, again for every token. Here the pattern is compiled once, to
# an automaton, and the text so far becomes one number, its state. The page calls the reference; to write the functions
# yourself first, start with the [README](README.md).

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

import time

import numpy as np

from labkit.automata import Fsm, decimal_fsm
from labkit.checking import describe_walk
from labkit.errors import PatternError
from labkit.models import adversary, seeded_random, uniform
from labkit.pictures import char_label, fsm_svg, line_chart
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
# Four states stand for every text that can become a hexadecimal number. That is enough to bind a model: this one wants
# `q`, `@` and `zz`, and chooses among the 131,072 tokens of a real vocabulary.

# %%
vocabulary = Vocabulary.tekken()
real = vocabulary.texts()
wilful = adversary(vocabulary, wants=["q", "@", "zz"])
us = np.random.RandomState(7).random_sample(8)
print("it wants:", "".join(real[int(wilful(range(n)).argmax())] for n in range(8)))
print("it gives:", vocabulary.decode(generate(wilful, automaton, real, us)))

# %% [markdown]
# ## Atoms
#
# A pattern is a sequence of atoms: a character, an escape, or a class in brackets, each with an optional `+`. For each
# atom the parser keeps its position, its source, the characters that it matches, and whether `+` repeats it.

# %%
for atom in parse_atoms(HEX):
    taken, plus = char_label(atom.chars), "repeated" * atom.plus
    print(f"position {atom.position}: {atom.source:10} takes {taken:9} {plus}")

# %% [markdown]
# ## The automaton
#
# In the picture above, state i means that atoms 0 to i - 1 have matched. Each atom adds a transition from its state to
# the next one. A `+` adds a transition from the state *after* the atom to itself: one character is required, and more
# may follow. The double ring marks the accepting state.
#
# ## Walking
#
# `advance` follows one transition for each character of a text and returns the last state:

# %%
print(describe_walk(automaton, 0, "0x1f"))
print("advance(automaton, 0, '0x1f') =", advance(automaton, 0, "0x1f"))

# %%
title = "0x1f ends in state 3, which accepts"
fsm_svg(automaton, path=[0, 1, 2, 3, 3], highlight=3, title=title)

# %% [markdown]
# A token may have several characters, so one token may follow several transitions. `0x` crosses two atoms in one step:

# %%
for token in ["0", "0x", "0x1f"]:
    print(f"{token!r:7} from state 0: {describe_walk(automaton, 0, token)}")

# %% [markdown]
# ## The first trap: a token that dies halfway
#
# From state 2, the first character of the token `1x` leads to state 3. The second has no transition there.

# %%
state = 2
print(describe_walk(automaton, state, "1x"))
print("advance(automaton, 2, '1x') =", advance(automaton, state, "1x"))

# %% [markdown]
# The result is `None`, although the automaton was alive for one character. There are two easy mistakes here. Returning
# the last live state, 3, would allow `1x`, and the model could write `0x1x`. Changing the caller's state would make the
# next answer wrong. Trying a token changes nothing: the caller is still in state 2, and the mask there is the same.

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
# **Predict before you read on.** In state 2, which of the ten tokens `0`, `x`, `0x`, `1`, `af`, `x1`, `0x1f`, `1x`, `g`
# and `00` survive? Here are the masks of all four states:

# %%
print("state  " + " ".join(f"{token:>5}" for token in tokens))
for state in range(len(automaton)):
    bits = token_mask(automaton, state, tokens)
    print(f"{state:5}  " + " ".join(f"{'yes' if bit else '.':>5}" for bit in bits))

# %% [markdown]
# The text so far is no longer part of the question. After `0x1`, `0xffff` and `0x00000` the automaton is in state 3,
# and the mask is the same.
#
# ## The second trap: two transitions for one character
#
# `[0-9]+[0-9]` looks harmless: two digits or more. By the rule above it would become this automaton:

# %%
digits = "0123456789"
rows = dict.fromkeys(digits, 1), dict.fromkeys(digits, 2), {}
two_digits = Fsm(rows, initial=0, accepting=frozenset({2}))
title = "[0-9]+[0-9]: in state 1, a digit leads to two states"
fsm_svg(two_digits, clash={(1, 1): digits}, title=title)

# %% [markdown]
# In state 1 a digit has two transitions: stay, because the `+` may repeat, and go on, because the second atom matches a
# digit too. The automaton is in one state at a time and cannot look ahead. If it goes on, `123` dies, though it should
# match. If it stays, it never accepts `12`, though it should. In code the fault is silent: a row of transitions is a
# dictionary, and the later transition overwrites the earlier one. So the pattern is refused, and the error names both
# atoms:

# %%
try:
    compile_pattern("[0-9]+[0-9]")
except PatternError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# Nothing is lost in this case: another pattern for the same texts compiles. Its `+` stands last, so the repeated atom
# has no right neighbour.

# %%
fsm_svg(compile_pattern("[0-9][0-9]+"), title="[0-9][0-9]+")

# %% [markdown]
# For a pattern like `[0-9]+[0-4]` there is no such rewriting. It needs an automaton that is in several states at a
# time, or a construction that turns sets of states into states. That is lab 06.
#
# ## What is refused, and where
#
# `InvalidPattern` means malformed. `UnsupportedPattern` means that other engines give the pattern a meaning, but this
# language does not. Both carry the position of the fault.

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
# The automaton changes the cost, not the answer. With the same model and the same numbers u, the ids are those of lab
# 01. First its own example. That pattern has a `?`, which this language lacks, so its automaton is made by hand:

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
# Then a compiled pattern, with a model that has preferences, for a hundred seeds:


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
# Both methods go through the whole vocabulary. The naive one asks `regex` about prefix and token; the automaton looks
# up each character in a dictionary, up to the first that has no transition. These are the times for the mask after
# `0x1f`, on the computer that built this page:


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
# The ratio at one step is not the main difference. The naive method reads the text so far again for every token; the
# automaton starts from its state. So the time of one grows with the text, and that of the other does not. Here on
# every eighth token of the vocabulary:


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
# The automaton still walks V tokens at every step. Count the look-ups that one mask takes in state 3, and the tokens
# that it allows.


# %%
class Counting(dict):
    looked_up = 0

    def get(self, char):
        Counting.looked_up += 1
        return super().get(char)


rows = tuple(Counting(row) for row in automaton.transitions)
allowed = token_mask(Fsm(rows, automaton.initial, automaton.accepting), 3, real)
with_text = sum(1 for text in real if text)
looked_up = Counting.looked_up
print(f"{looked_up:,} look-ups for {with_text:,} tokens, to allow {allowed.sum()}")

# %% [markdown]
# That is little more than one look-up for each token: nearly all die at their first character. And the answer depends
# only on the state, of which this automaton has four. Four masks, made once, would serve every text. Lab 03 makes
# them.
