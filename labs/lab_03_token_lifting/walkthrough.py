# %% [markdown]
# # Lab 03, walked through: token lifting
#
# Lab 02 walks every token of the vocabulary through the automaton, at every step. But the mask depends only on the
# state, and there are few states. So on this page every mask is computed once, before the first token is written, and
# then you'll see what that gains and where it gains nothing. Everything here calls the reference. If you'd rather write
# the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_03_token_lifting/walkthrough.ipynb)

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
from labkit.models import seeded_random, uniform
from labkit.pictures import (
    Lane,
    Moment,
    bar_chart,
    char_label,
    fsm_svg,
    line_chart,
    mask_svg,
    timeline_svg,
)
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as lab_01
from labs.lab_02_atom_fsm import solution as lab_02
from labs.lab_03_token_lifting.solution import (
    allowed_tokens,
    build_trie,
    generate,
    lift,
    partial_match,
    row_mask,
    states_to_vocab,
    walk_trie,
)

# %% tags=["hide-input"]
TOKENS = ["a", ".", ".2", "1"]
NUMBER = r"([0-9]+)?\.[0-9]+"
HEX = "0x[0-9a-f]+"


def best(make, *arguments):
    """Return the time of the fastest of three calls, in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        make(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


# %%
automaton = decimal_fsm()
path = partial_match(automaton, 0, ".21")
fsm_svg(automaton, path=path, highlight=3, title=f"{NUMBER}: the token .21 is one step")

# %% [markdown]
# For the model `.21` is one step. For the automaton it's three, from state 0 through 2 and 3 to 3. Suppose you worked
# out where each of 131,072 tokens leads, from each of the four states, and kept the result. Then the mask of state 3 is
# a look-up:

# %% tags=["timing"]
real = Vocabulary.tekken().texts()
trie = build_trie(real)
rows = lift(automaton, trie)
walked = best(lab_02.token_mask, automaton, 3, real)
looked_up = min(best(row_mask, rows[3], len(real)) for _ in range(10))
print(f"by walking: {1000 * walked:8.3f} ms")
print(f"by look-up: {1000 * looked_up:8.3f} ms, {walked / looked_up:,.0f} times faster")

# %% [markdown]
# All that the look-up does is write a new mask of 131,072 bits and set ten of them. You could even keep the mask of
# each state. What remains of a step then is the model.
#
# ## The given automaton
#
# The pattern of a decimal number, `([0-9]+)?\.[0-9]+`, has a group and a `?`, and lab 02's language has neither. So its
# automaton is given. It's plain data: for each state, where each character leads.

# %%
alphabet = sorted({char for row in automaton.transitions for char in row})
print("alphabet:   ", " ".join(alphabet))
for state, row in enumerate(automaton.transitions):
    groups = {target: [] for target in sorted(row.values())}
    for char, target in row.items():
        groups[target].append(char)
    labels = [f"{char_label(chars)} -> {target}" for target, chars in groups.items()]
    print(f"state {state}:    ", ",  ".join(labels))
print("initial:    ", automaton.initial)
print("final:      ", sorted(automaton.accepting))

# %%
fsm_svg(automaton, title=f"{NUMBER}, given")

# %% [markdown]
# State 0 has read nothing, state 1 digits, state 2 the dot, and state 3 a digit after the dot. A character outside the
# alphabet is dead everywhere.
#
# ## The states that a token traverses
#
# A token is one step for the model and several for the automaton. `partial_match` returns all the states on the way:

# %%
for state, token in [(0, ".21"), (0, "1"), (1, "1."), (3, "")]:
    states = partial_match(automaton, state, token)
    print(f"partial_match(automaton, {state}, {token!r:6}) = {states}")

# %%
path = partial_match(automaton, 0, "1.")
title = f"The token 1. from state 0: the states {path}"
fsm_svg(automaton, path=path, highlight=path[-1], title=title)

# %% [markdown]
# A token that dies gives `None`, no matter how far it got:

# %%
print(describe_walk(automaton, 0, ".21a"))
print("partial_match(automaton, 0, '.21a') =", partial_match(automaton, 0, ".21a"))

# %% [markdown]
# ## One token, two atoms
#
# In lab 02's automaton there's a state for each atom that has matched. What happens to `0x`, which is one token and two
# atoms? Of these seven tokens only two survive from the start of `0x[0-9a-f]+`, and one of them crosses both atoms in a
# single step:

# %%
hexadecimal = lab_02.compile_pattern(HEX)
seven = ["0", "x", "0x", "1", "f", "0x1x", "q"]
for token_id, target in allowed_tokens(hexadecimal, 0, seven).items():
    states = partial_match(hexadecimal, 0, seven[token_id])
    print(f"{seven[token_id]!r:5} leads to state {target}, by the states {states}")

# %%
path = partial_match(hexadecimal, 0, "0x")
fsm_svg(hexadecimal, path=path, highlight=2, title="0x is one token and two steps")

# %% [markdown]
# ## The table
#
# The table has one row for each state, and in it the state after each allowed token. Look at it as an automaton: the
# states are the same, but its transitions read tokens, where the old ones read characters. That's why it's called
# *lifted*.
#
# **Predict before you read on.** In state 1, after some digits, which of `a`, `.`, `.2` and `1` are allowed, and to
# which state does each lead? A dot in the table means dead:

# %%
table = states_to_vocab(automaton, TOKENS)
print("state  " + " ".join(f"{token!r:>5}" for token in TOKENS))
for state, row in enumerate(table):
    targets = [row.get(token_id, ".") for token_id in range(len(TOKENS))]
    print(f"{state:5}  " + " ".join(f"{target:>5}" for target in targets))

# %%
masks = [row_mask(row, len(TOKENS)).tolist() for row in table]
mask_svg(masks, TOKENS, title="Where a row has an entry, the token is allowed")

# %% [markdown]
# ## Generation by look-up
#
# The model has no preferences, as in lab 01, and the numbers u are the same as there, from seed 12349. The text is
# printed for you to read. The loop itself never looks at it.

# %%
us = np.random.RandomState(12349).random_sample(7)
ids = generate(uniform(len(TOKENS)), table, automaton.initial, us)
state, text, moments = automaton.initial, "", []
for u, token_id in zip(us, ids, strict=True):
    allowed = " ".join(TOKENS[i] for i in table[state])
    after, token = table[state][token_id], TOKENS[token_id]
    drawn = f"u {u:.4f}  {token!r:5} leads to state {after}"
    print(f"state {state}   allowed: {allowed:7}  {drawn}")
    moments.append(Moment(token, f"state {state}"))
    state, text = after, text + token
print("text:", text)
timeline_svg([Lane("what the loop keeps: a state", moments, text)])

# %% [markdown]
# That's lab 01's text. The table changes *when* you ask what is allowed, but not the answer. One text could be luck, so
# here are a hundred runs of all three labs, with models that have preferences:

# %%
ten = ["0", "x", "0x", "1", "af", "x1", "0x1f", "1x", "g", "00"]
hex_table = states_to_vocab(hexadecimal, ten)


def is_hex_so_far(text):
    return lab_01.could_match(HEX, text)


agree = 0
for seed in range(100):
    model = seeded_random(len(ten), seed)
    us = np.random.RandomState(seed).random_sample(8)
    runs = [
        lab_01.generate(model, ten, is_hex_so_far, us),
        lab_02.generate(model, hexadecimal, ten, us),
        generate(model, hex_table, hexadecimal.initial, us),
    ]
    agree += runs[0] == runs[1] == runs[2]
print(f"{agree} of 100 seeds give the same ids three times")

# %% [markdown]
# ## Tokens with a common prefix
#
# To fill a row, `states_to_vocab` walks one token after another. But `.`, `.2`, `.21` and `..` all begin with the same
# step. In a trie they share it. You can draw a trie like an automaton; a double ring means that a token ends there:

# %%
nine = ["a", ".", ".2", "1", "ab", ".21", "..", "1.", "1a"]
small = build_trie(nine)


def draw_trie(trie, notes, title):
    ends = frozenset(node for node, ids in enumerate(trie.ids) if ids)
    as_fsm = Fsm(tuple(trie.children), initial=0, accepting=ends)
    dead = [node for node, note in notes.items() if note == "dead"]
    skipped = [node for node in range(len(trie.ids)) if notes and node not in notes]
    return fsm_svg(as_fsm, notes=notes, dead=dead, skipped=skipped, title=title)


draw_trie(small, {}, "Nine tokens of 16 characters: a root and 9 nodes")

# %% [markdown]
# In the real vocabulary the tokens are longer, and more of them share a prefix:

# %%
with_text = [text for text in real if text]
characters, nodes = sum(map(len, with_text)), len(trie) - 1
print(f"{characters:,} characters in {len(with_text):,} tokens,", end=" ")
print(f"{nodes:,} nodes below the root")
steps = {"characters": characters, "nodes": nodes}
bar_chart(steps, title="Steps to walk in the real vocabulary")

# %% [markdown]
# ## Walking trie and automaton together
#
# Sharing steps is nice, but the larger gain comes from dead prefixes. Walk down the trie and through the automaton at
# the same time. Where the automaton dies, you skip the whole branch. In the picture, each node that the walk from state
# 0 sees is marked with the automaton's state there. Node 5, the token `ab`, has no mark: its prefix `a` is already
# dead, so the walk never gets there.

# %%
notes, waiting = {0: "0"}, [(0, 0)]
while waiting:
    node, state = waiting.pop()
    for char, below in small.children[node].items():
        target = automaton.transitions[state].get(char)
        notes[below] = "dead" if target is None else str(target)
        waiting += [] if target is None else [(below, target)]
draw_trie(small, notes, "From state 0, the walk reaches all nodes but one")

# %% [markdown]
# In the real vocabulary it gets to very few. Count the look-ups, as in lab 02:


# %%
class Counting(dict):
    asked = 0

    def get(self, char):
        Counting.asked += 1
        return super().get(char)

    def __contains__(self, char):
        Counting.asked += 1
        return super().__contains__(char)


def questions(fill_row, fsm, state, vocabulary):
    Counting.asked = 0
    counting_rows = tuple(map(Counting, fsm.transitions))
    fill_row(Fsm(counting_rows, fsm.initial, fsm.accepting), state, vocabulary)
    return Counting.asked


print("pattern               state   one token after another   down the trie   allowed")
for name, fsm in [(NUMBER, automaton), (HEX, hexadecimal)]:
    for state in range(len(fsm)):
        each = questions(allowed_tokens, fsm, state, real)
        together = questions(walk_trie, fsm, state, trie)
        allowed = len(walk_trie(fsm, state, trie))
        print(f"{name:21} {state:5}   {each:23,}   {together:13,}   {allowed:7,}")

# %% [markdown]
# Most of the look-ups that are left happen at the root, one for every character that starts a token. (This vocabulary
# has no token `0x`, but it has `xf` and seven more like it, which cross two atoms from state 1.) Has anything been
# lost? The rows are the same in every state, and so is every mask of lab 02:

# %%
for name, fsm in [(NUMBER, automaton), (HEX, hexadecimal)]:
    lifted = lift(fsm, trie)
    same_table = lifted == states_to_vocab(fsm, real)
    same_masks = True
    for state, row in enumerate(lifted):
        by_walking = lab_02.token_mask(fsm, state, real)
        same_masks &= np.array_equal(row_mask(row, len(real)), by_walking)
    print(f"{name:20} the same table: {same_table}, the masks of lab 02: {same_masks}")

# %% [markdown]
# ## What it costs, and when it pays
#
# We'll time three vocabularies: 50,000 random texts of one to eight printable characters, 50,000 tokens drawn from the
# real vocabulary, and all 131,072. `states_to_vocab` walks one token after another, and `lift` walks a trie that was
# built before. The times are the best of three, on the computer that built this page.

# %% tags=["timing"]
rng = np.random.default_rng(0)
printable = [chr(code) for code in range(32, 127)]
letters = rng.choice(printable, (50_000, 8)).tolist()
lengths = rng.integers(1, 9, 50_000)
made_up = ["".join(row[:n]) for row, n in zip(letters, lengths, strict=True)]
drawn = [real[i] for i in rng.choice(len(real), 50_000, replace=False)]
vocabularies = {"50,000 made up": made_up, "50,000 drawn": drawn, "131,072": real}

date = lab_02.compile_pattern("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]")
patterns = {NUMBER: automaton, HEX: hexadecimal, "a date, 11 states": date}
measured = {}
print(f"{'vocabulary':15} {'pattern':20} one by one   ready trie   times")
for name, texts in vocabularies.items():
    ready = build_trie(texts)
    for pattern, fsm in patterns.items():
        slow, fast = best(states_to_vocab, fsm, texts), best(lift, fsm, ready)
        measured[name, pattern] = slow, fast
        times = f"{1000 * slow:7.1f} ms   {1000 * fast:7.2f} ms   {slow / fast:5.0f}"
        print(f"{name:15} {pattern:20} {times}")

# %% [markdown]
# That isn't quite fair, because the trie has to be built first, and these figures leave that out. It's built once for a
# vocabulary, and serves all patterns. How many patterns does it take until it pays?

# %% tags=["timing"]
for name, texts in vocabularies.items():
    build = best(build_trie, texts)
    for pattern in patterns:
        slow, fast = measured[name, pattern]
        tables = f"{pattern:20} pays after {build / (slow - fast):3.1f} tables"
        print(f"{name:15} build {1000 * build:4.0f} ms, {tables}")

# %% tags=["timing"]
slow, fast = measured["131,072", HEX]
line_chart(
    {
        "one by one": [(count, count * slow) for count in range(11)],
        "build, then walk": [(count, build + count * fast) for count in range(11)],
    },
    title=f"The tables of several patterns like {HEX}, 131,072 tokens",
    x_label="patterns compiled",
    y_label="time in all",
    y_unit="s",
)

# %% [markdown]
# With one pattern of four states, the trie costs more than it saves. From about the fifth on, it pays. A server meets
# new patterns all the time, so it builds the trie when it starts.
#
# ## Where the trie gains nothing
#
# All of this depends on dead prefixes. What if there are none? A pattern that allows nearly everything, such as any
# printable text, is like that:

# %%
anything = lab_02.compile_pattern("[ -~]+")
each = questions(allowed_tokens, anything, 1, real)
together = questions(walk_trie, anything, 1, trie)
rows = lift(anything, trie)
print(f"{each:,} questions one by one, {together:,} down the trie")
entries = sum(map(len, rows))
print(f"{len(rows[1]):,} tokens are allowed in state 1,", end=" ")
print(f"and the table of 2 states has {entries:,} entries")

# %%
asked = {"one by one": each, "down the trie": together, "allowed tokens": len(rows[1])}
bar_chart(asked, title="[ -~]+ in state 1: almost nothing is dead")

# %% tags=["timing"]
slow, fast = best(states_to_vocab, anything, real), best(lift, anything, trie)
print(f"one by one {1000 * slow:.0f} ms, ready trie {1000 * fast:.0f} ms:", end=" ")
print(f"{slow / fast:.1f} times as fast")

# %% [markdown]
# There are fewer look-ups, because shared prefixes are still walked only once. But each costs more than a step along a
# text, and the table itself is large. That's not a made-up case: strings in JSON are just such a pattern. Lab 07 is
# faster there, because it uses arrays in place of dictionaries, and because it knows in advance which tokens need no
# walk.
#
# ### What is missing
#
# Two things. Nothing here says when a text may end: state 3 accepts, but generation continues until the numbers u run
# out. That's lab 04. And nothing makes sure that a text ever gets to an accepting state. That's lab 05.
