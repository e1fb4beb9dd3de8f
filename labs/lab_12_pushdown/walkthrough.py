# %% [markdown]
# # Lab 12, walked through: pushdown
#
# A finite automaton can't count brackets, because it remembers nothing but its state. On this page you'll see one being
# fooled, and then a stack that fixes it. The stack soon becomes a million stacks, which share twenty frames; and of
# 131,072 tokens hardly any will ever look at them. Everything here calls the reference. If you'd rather write the
# functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_12_pushdown/walkthrough.ipynb)

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
from time import perf_counter

import numpy as np

from labkit.automata.dfa import DEAD
from labkit.pictures import (
    Lane,
    Moment,
    bar_chart,
    fsm_svg,
    line_chart,
    mask_svg,
    timeline_svg,
)
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_12_pushdown.given.gbnf import shipped
from labs.lab_12_pushdown.pictures import one_stack, rule, stacks
from labs.lab_12_pushdown.solution import (
    END,
    Rules,
    call_closure,
    items_of,
    next_stack,
    read_gbnf,
    stacks_of,
    step,
)
from mask_engine import compile_guide

# %% tags=["hide-input"]
tekken = Vocabulary.tekken()


def texts_of(mask, vocabulary, most=8):
    """Return the first tokens of a mask as texts."""
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little")
    return [vocabulary.token_bytes[i] for i in np.flatnonzero(bits)[:most]]


# %%
stacks()

# %% [markdown]
# These are the stacks of a grammar in which each `a` opens an x or a y, and you only learn which when it closes. Each
# dashed box on the right is a **frame**: all the callers of one rule at one place in the text. Every way down is a
# stack, so there are eight of them. Twenty levels would make a million stacks, and still one frame for each level.
#
# ## No automaton counts
#
# Here's an automaton that knows brackets three deep. Feed it more and more opening brackets. It has finitely many
# states, so after two different numbers of brackets it's in the same place, and from then on it can't know which of the
# two it was:

# %%
three_deep = compile_dfa(r"(\((\((\(\))*\))*\))*")
state = three_deep.initial
for n in range(6):
    print(n, "brackets: dead" if state == DEAD else f"brackets: state {state}")
    state = DEAD if state == DEAD else three_deep.step(state, ord("("))
fsm_svg(three_deep, title="Brackets, three deep and no deeper")

# %% [markdown]
# After four brackets it's dead, and it's just as dead after five. So it refuses `(((())))`, which is balanced, as it
# refuses `((((())))`, which isn't.

# %% [markdown]
# ## One stack
#
# So add a stack. A rule is an automaton in which a transition may be a call, and this one calls itself:

# %%
rule()

# %% [markdown]
# When it does, the state in which it will continue stays on the stack, and the called rule goes on top. When the top
# rule ends, it's taken off, and whatever is below continues.

# %%
one_stack()

# %% [markdown]
# And the same by `next_stack`, one byte at a time (the top is the last number):

# %%
nested = Rules(read_gbnf('root ::= "[" root? "]"'))
stack = (nested.initial[0],)
print(f"{'':6} {stack}")
for char in "[[[]]]":
    stack = next_stack(nested, stack, ord(char))
    print(f"{char:6} {stack}")

# %% [markdown]
# ## All stacks at once
#
# That works as long as the next byte tells you what to do. In the grammar of the first picture it doesn't: after an a
# you could be in x or in y. So follow both, and let them share what's below them. An **item** is a state and the frame
# below it, so one item can stand for very many stacks.
#
# **Predict before you read on.** How many items are there after five times a, and how many stacks do they stand for?

# %%
two_ends = 'root ::= x | y  x ::= "a" root "x" | "c"  y ::= "a" root "y" | "d"'
either = Rules(read_gbnf(two_ends))
kernel = items_of([(either.initial[0], END)])
curves = {"stacks": [], "items": []}
for place, char in enumerate("aaaaacxy", start=1):
    kernel = step(either, call_closure(either, kernel), ord(char))
    curves["items"].append((place, len(kernel)))
    curves["stacks"].append((place, len(stacks_of(kernel))))
    print(f"{char}: {len(kernel)} items for {len(stacks_of(kernel))} stacks")
line_chart(
    curves,
    title="aaaaacxy, byte by byte",
    x_label="bytes read",
    y_label="how many",
)

# %% [markdown]
# There are always two items, because the frames below them are shared, and each a doubles the stacks. Each x or y that
# you read rules out half of them again.
#
# ## Tokens: decided once, or left to the stack
#
# Now for masks, with JSON over Tekken's 131,072 tokens. Do they all need the stack? Here are five of them, after four
# texts that all stop within a string:

# %%
guide = compile_guide(tekken, grammar=shipped("json"))
tokens = ["a", '",', '"]', '"],', '"}']
ids = [tekken.token_bytes.index(token.encode()) for token in tokens]
masks = {}
for text in ('"a', '["a', '[["a', '{"k": "a'):
    state = guide.initial
    for byte in text.encode():
        state = guide.after_byte(state, byte)
    bits = np.unpackbits(guide.mask(state).view(np.uint8), bitorder="little")
    masks[text] = bits[ids].astype(bool).tolist()
title = "Five tokens after four texts"
mask_svg([*masks.values()], tokens, names=[*masks], title=title)

# %% [markdown]
# The first column never changes, because the rule of strings reads an `a` itself. The other four leave the string at
# the quote, and what's left of them depends on who called. Most tokens are of the first kind, so they can be decided
# once for each state of a rule. `make_table` sorts them into three heaps: allowed, refused, and those that wait for the
# stack.

# %%
fsm = guide._fsm.fsm
state = guide.initial
for byte in b'{"a": [1, "x':
    state = guide.after_byte(state, byte)
    for number, frame in fsm.kernel(state):
        fsm.table(number, fsm.characters.follow(frame))
for number, table in sorted(fsm._tables.items()):
    name = fsm.rules.names[fsm.rules.characters.rule_of(number)]
    waiting = {token for tokens in table.rests.values() for token in tokens}
    counts = f"{len(table.tokens):7,} allowed, {len(waiting):3} wait"
    share = table.decided(len(tekken))
    print(f"state {number:3} of {name:7} {counts}, {share:.3%} decided")

# %% [markdown]
# And these are the tokens that wait in a string: what's left of them after its end, and how many tokens have that rest.
# At each step the stack is asked about these 31 rests, and about nothing else:

# %%
((number, frame),) = fsm.kernel(state)
rests = fsm.table(number, fsm.characters.follow(frame)).rests
print({rest.decode(): len(tokens) for rest, tokens in rests.items()})

# %% [markdown]
# ## The truncation trap, with a stack
#
# A model that loves brackets never closes them. Here it has 12 tokens to spend. Because the cost of ending a rule is
# known for each of its states, the sum over the stack says what closing everything takes at most. One `]]` ends two
# rules, so near the end the guide searches for the fewest tokens. The mask makes sure that there's always that much
# left.

# %%
brackets = Vocabulary([b"[", b"]", b"[[", b"]]", b"</s>"], eos_id=4)
closing = compile_guide(brackets, grammar='root ::= "[" root? "]"')
state, written, moments = closing.initial, [], []
for remaining in range(12, 0, -1):
    mask = closing.mask(state, remaining)
    token_id = next(i for i in (0, 2, 1, 3, 4) if mask[0] >> i & 1)
    if token_id == 4:
        break
    written.append(brackets.token_bytes[token_id].decode())
    state = closing.advance(state, token_id)
    needed = closing.tokens_to_accept(state)
    moments.append(Moment(written[-1], f"{needed} needed"))
    print(f"{remaining:2} left, {needed} needed: {''.join(written)}")
timeline_svg([Lane("12 tokens, for a lover of brackets", moments, "EOS")])

# %% [markdown]
# ## Deep stacks
#
# What happens to the costs when the stack gets deep? Nothing: 50,000 levels down, a byte needs what it needs at the
# start, one more frame, because no stack is ever copied.

# %% tags=["timing"]
state, times = closing.initial, {}
for depth in range(50_001):
    before = perf_counter()
    state = closing.advance(state, 0)
    if depth in (10, 100, 1_000, 10_000, 50_000):
        times[f"{depth:,} deep"] = round((perf_counter() - before) * 1e6, 1)
bar_chart(times, title="A token that opens a bracket", unit="us")

# %% [markdown]
# ---
#
# All of this takes six functions of yours, and the [README](README.md) leads you through them. In `given/grammars/`
# you'll find JSON, arithmetic, a SELECT of SQL and a small C to try them on.
