# %% [markdown]
# # Lab 12, walked through: pushdown
#
# A stack under the automaton: brackets, recursive grammars, and masks that hardly ever look at the stack. The page
# calls the reference; to write the functions yourself first, start with the [README](README.md).

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
from labs.lab_12_pushdown.pictures import frames, rule
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
frames()

# %% [markdown]
# Each circle is a frame: all the callers of one rule at one place in the text. Two ways lead down from each, so four
# levels are eight stacks, and twenty levels would be half a million.
#
# ## No automaton counts
#
# Here is one that knows brackets three deep. What does it make of a text with four?

# %%
three_deep = compile_dfa(r"(\((\((\(\))*\))*\))*")
fooled(three_deep, "(", ")")

# %% [markdown]
# It refuses both, since it died on the way. An automaton that takes any number of them is fooled sooner:

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
# In the next grammar a level ends with x or y, and which one it is, is seen only when it is closed.
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
# Two items, always: the frames below them are shared. Each x or y that is read rules half of the stacks out.
#
# ## Tokens: decided once, or left to the stack
#
# JSON over 131,072 tokens. A table for a state of a rule says of every token whether it is allowed, refused, or must
# wait for the stack.

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
    print(f"state {number:3} of {name:7} {counts}, {table.decided(len(tekken)):.3%} decided")

# %% [markdown]
# Those that wait in a string, by what is left of them after its end:

# %%
((number, _),) = state.kernel
rests = guide._fsm.table(number).rests
print({rest.decode(): len(tokens) for rest, tokens in rests.items()})

# %% [markdown]
# ## The truncation trap, with a stack
#
# A model that loves brackets, and 12 tokens. The budget knows what closing costs.

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
# A byte costs as much 50,000 levels deep as at the start: a frame more, and no copy.

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
