# %% [markdown]
# # Lab 12, walked through: pushdown
#
# Let's put a stack under the automaton: for brackets, for recursive grammars, and for masks that hardly ever look at
# the stack. This page calls the reference; to write the functions yourself first, start with the [README](README.md).

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

from time import perf_counter

import numpy as np

from labkit.pictures import bar_chart
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide
from labs.lab_12_pushdown.given.gbnf import shipped
from labs.lab_12_pushdown.pictures import rule, stacks
from labs.lab_12_pushdown.solution import (
    END,
    Rules,
    call_closure,
    compile_dfa,
    fooled,
    items_of,
    next_stack,
    read_gbnf,
    stacks_of,
    step,
)

tekken = Vocabulary.tekken()


def texts_of(mask, vocabulary, most=8):
    """Return the first tokens of a mask as texts."""
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little")
    return [vocabulary.token_bytes[i] for i in np.flatnonzero(bits)[:most]]


# %%
stacks()

# %% [markdown]
# Each dashed box on the right is a frame: all the callers of one rule at one place in the text. Every way down is a
# stack, and there are eight of them. Twenty levels would be a million stacks, and still one frame for each level.
#
# ## No automaton counts
#
# Here is one that knows brackets three deep. What does it make of a text with four?

# %%
three_deep = compile_dfa(r"(\((\((\(\))*\))*\))*")
fooled(three_deep, "(", ")")

# %% [markdown]
# It refuses both, because it died on the way. An automaton that takes any number of brackets is fooled sooner:

# %%
fooled(compile_dfa(r"\(*\)*"), "(", ")")

# %% [markdown]
# ## One stack
#
# A rule is an automaton in which a transition may be a call; this one calls itself.

# %%
rule()

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
# In the next grammar a level ends with x or y, and you only learn which when it's closed.
#
# **Predict before you read on.** How many items are there after five times a, and how many stacks do they stand for?

# %%
two_ends = 'root ::= x | y  x ::= "a" root "x" | "c"  y ::= "a" root "y" | "d"'
either = Rules(read_gbnf(two_ends))
kernel = items_of([(either.initial[0], END)])
for char in "aaaaacxy":
    kernel = step(either, call_closure(either, kernel), ord(char))
    print(f"{char}: {len(kernel)} items for {len(stacks_of(kernel))} stacks")

# %% [markdown]
# Always two items, because the frames below them are shared. Each x or y that you read rules out half of the stacks.
#
# ## Tokens: decided once, or left to the stack
#
# JSON over 131,072 tokens. For each state of a rule, `make_table` sorts the tokens into three heaps: allowed, refused,
# and those that wait for the stack.

# %%
guide = compile_guide(tekken, grammar=shipped("json"))
state = guide.initial
for byte in b'{"a": [1, "x':
    state = guide.after_byte(state, byte)
    guide.mask(state)
for number, table in sorted(guide._fsm._tables.items()):
    name = guide._fsm.rules.names[guide._fsm.rules.rule_of(number)]
    waiting = {token for tokens in table.rests.values() for token in tokens}
    counts = f"{len(table.tokens):7,} allowed, {len(waiting):3} wait"
    share = table.decided(len(tekken))
    print(f"state {number:3} of {name:7} {counts}, {share:.3%} decided")

# %% [markdown]
# And these wait in a string, by what is left of them after its end:

# %%
((number, _),) = state.kernel
rests = guide._fsm.table(number).rests
print({rest.decode(): len(tokens) for rest, tokens in rests.items()})

# %% [markdown]
# ## The truncation trap, with a stack
#
# A model that loves brackets, with 12 tokens to spend. The budget knows what closing costs.

# %%
brackets = Vocabulary([b"[", b"]", b"[[", b"]]", b"</s>"], eos_id=4)
closing = compile_guide(brackets, grammar='root ::= "[" root? "]"')
state, written = closing.initial, []
for remaining in range(12, 0, -1):
    mask = closing.mask(state, remaining)
    token_id = next(i for i in (0, 2, 1, 3, 4) if mask[0] >> i & 1)
    if token_id == 4:
        break
    written.append(brackets.token_bytes[token_id].decode())
    state = closing.advance(state, token_id)
    needed = closing.tokens_to_accept(state)
    print(f"{remaining:2} left, {needed} needed: {''.join(written)}")

# %% [markdown]
# ## Deep stacks
#
# 50,000 levels deep, a byte costs what it costs at the start: one more frame, and no copy.

# %% tags=["timing"]
state, times = closing.initial, {}
for depth in range(50_001):
    before = perf_counter()
    state = closing.advance(state, 0)
    if depth in (10, 100, 1_000, 10_000, 50_000):
        times[f"{depth:,} deep"] = round((perf_counter() - before) * 1e6, 1)
bar_chart(times, title="A token that opens a bracket", unit="us")

# %% [markdown]
# ## Your turn
#
# Twelve functions: [README](README.md). In `given/grammars/` are JSON, arithmetic, a SELECT of SQL and a small C.
