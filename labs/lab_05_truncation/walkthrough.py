# %% [markdown]
# # Lab 05, walked through: truncation
#
# Under a mask, a text can always still become a match. That's no help if a limit on tokens ends it first. On this page
# you'll see an answer being cut, then a second table that says how many tokens away the end is, and then masks that use
# it so that no answer is ever cut again. Everything here calls the reference. If you'd rather write the functions
# yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_05_truncation/walkthrough.ipynb)

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
from collections import Counter

import numpy as np

from labkit.errors import BudgetTooSmall, NoLegalToken
from labkit.models import adversary, digit_lover, seeded_random
from labkit.pictures import Lane, Moment, bar_chart, fsm_svg, line_chart, timeline_svg
from labkit.vocabulary import Vocabulary
from labs.lab_04_eos_gating.solution import constrained_generate, mask_row, prepare
from labs.lab_05_truncation.solution import (
    budget_row,
    finish_reason,
    generate_within,
    plain_answer,
    predecessors,
    read_number,
    tokens_to_accept,
)


# %% tags=["hide-input"]
def lane(name, ids, budget, distances=None):
    """Return a run for the picture, with what the budget removes if there is one."""
    moments, state = [], fsm.initial
    for step, token_id in enumerate(ids):
        kept = row = mask_row(fsm, table, state, toy)
        if distances is not None:
            kept = budget_row(row, table[state], distances, budget - step)
        late = [names[i] for i in np.flatnonzero(row & ~kept)]
        strong = bool(late) and not any(moment.refused for moment in moments)
        left = f"{budget - step} left"
        moments.append(Moment(names[token_id], left, late, strong=strong))
        state = table[state].get(token_id, state)
    return Lane(name, moments, f"{toy.decode(ids)} ({finish_reason(ids, toy.eos_id)})")


toy = Vocabulary.toy()
names = [text or "EOS" for text in toy.texts()]
lover = digit_lover(toy)
FRACTION = r"[0-9]+\.[0-9]+"

# %%
fsm, table = prepare(FRACTION, toy)
distances = tokens_to_accept(table, fsm.accepting)
cut = constrained_generate(lover, fsm, table, toy, 6)
in_time = generate_within(lover, fsm, table, toy, 5)
cut_lane = lane("lab 04, 6 tokens", cut, 6)
in_time_lane = lane("lab 05, 5 tokens", in_time, 5, distances)
timeline_svg([cut_lane, in_time_lane], title=f"A lover of digits, on {FRACTION}")

# %% [markdown]
# In the upper row the model writes ones, as lab 04's mask allows, until the limit cuts it off. In the lower row the
# budget mask refuses each token (broken frames) after which the rest of the text would no longer fit. So the last two
# tokens are `.2` and EOS, and the text is a match.

# %% [markdown]
# ## The failure
#
# The vocabulary is the small one: `a . .2 1` and EOS. `[0-9]+` allows as many digits as the model likes, and this model
# likes digits, so it never gets to the dot. Perhaps the limit was just too small?

# %%
for budget in range(3, 10):
    text, reason = plain_answer(lover, fsm, table, toy, budget)
    whole = bool(re.fullmatch(FRACTION, text))
    print(f"at most {budget} tokens: {text:10} {reason}, a match: {whole}")

# %%
lanes = []
for budget in (3, 5, 7, 9):
    ids = constrained_generate(lover, fsm, table, toy, budget)
    lanes.append(lane(f"lab 04, at most {budget} tokens", ids, budget))
timeline_svg(lanes, title="Never a dot, whatever the limit")

# %% [markdown]
# It doesn't depend on the limit. Each of these texts can still become a match, as the mask promises; none of them is
# one, and the reason `length` says so.
#
# But does a program need the reason? It could simply check whether the text matches. Here is a model that wants to
# write 12.57, once with a limit of four tokens and once with six:


# %%
digits = Vocabulary([*(char.encode() for char in "0123456789."), b"</s>"], eos_id=11)
meant = [1, 2, 10, 5, 7, 11]


def speller(ids):
    return np.eye(12, dtype=np.float32)[meant[len(ids)]]


for budget in (4, 6):
    text, reason = plain_answer(speller, *prepare(FRACTION, digits), digits, budget)
    whole = bool(re.fullmatch(FRACTION, text))
    print(f"{text!r}, a match: {whole}, {reason}, read as {read_number(text, reason)}")

# %% [markdown]
# There's your answer. `12.5` matches, and it's a valid number, but it isn't the number that was meant, and only the
# reason gives that away. So `read_number` goes by the reason and never by the text. For a cut answer it returns None.
#
# ## How far is the end?
#
# To stop in time, the mask must know the fewest tokens to the end, from every state. Lab 03's table says where each
# token leads:

# %%
for state, row in enumerate(table):
    transitions = [f"{names[token_id]!r} to {to}" for token_id, to in row.items()]
    print(f"state {state}:", ", ".join(transitions))

# %% [markdown]
# The distance is known at the end, where it's 0, so the search goes backwards from there. For that, the transitions are
# reversed. Which token it was no longer matters:

# %%
before = predecessors(table)
for state, sources in enumerate(before):
    print(f"to state {state} from {sorted(sources) or 'nowhere'}")

# %% [markdown]
# Now search breadth-first from the accepting states. They are 0 tokens away. Their predecessors are 1 away, and the
# predecessors of those are 2 away, unless they've been met before.

# %%
wave, seen, tokens = set(fsm.accepting), set(fsm.accepting), 0
while wave:
    print(f"{tokens} tokens away: state", *sorted(wave))
    wave = set().union(*(before[state] for state in wave)) - seen
    seen |= wave
    tokens += 1

# %%
print("tokens_to_accept =", tokens_to_accept(table, fsm.accepting).tolist())

# %%
notes = {state: f"{tokens:g}" for state, tokens in enumerate(distances)}
fsm_svg(fsm, notes=notes, title=r"[0-9]+\.[0-9]+ with its tokens to accept")

# %% [markdown]
# State 1 still needs two characters, a dot and a digit. Yet it's only one token away, because `.2` is both. You
# couldn't read that off the automaton alone, nor off the vocabulary alone: the numbers belong to the two together.
#
# **Predict before you read on.** In a vocabulary of single characters, how many tokens away is the end from each of the
# four states?

# %%
by_char, char_table = prepare(FRACTION, digits)
print(tokens_to_accept(char_table, by_char.accepting).tolist())

# %% [markdown]
# ## The budget mask, step by step
#
# `remaining` is the number of tokens that may still be written, this one and EOS included. Taking a token costs 1, the
# state after it costs its distance, and EOS costs 1. If the sum fits, the token is allowed. Here are the masks of the
# run with a budget of 5. `yes` means allowed, and `late` means that lab 04 would allow the token but the budget
# doesn't.

# %%
ids, state = [], fsm.initial
print("remaining  state  " + " ".join(f"{name:>4}" for name in names) + "   emitted")
for emitted in generate_within(lover, fsm, table, toy, 5):
    plain = mask_row(fsm, table, state, toy)
    kept = budget_row(plain, table[state], distances, 5 - len(ids))
    bits = np.where(kept, "yes", np.where(plain, "late", "."))
    shown = " ".join(f"{bit:>4}" for bit in bits)
    print(f"{5 - len(ids):9}  {state:5}  {shown}   {names[emitted]}")
    ids.append(emitted)
    state = table[state].get(emitted, state)
print(toy.decode(ids), finish_reason(ids, toy.eos_id))

# %% [markdown]
# With 3 remaining, a digit still fits: the digit, then `.2`, then EOS. With 2 remaining it's too late for one. It's too
# late for the single dot as well, because after it a digit would be missing. One token is left, and it's the one that
# finishes the match.
#
# Here's the same model with budgets from 3 to 9. The coloured token is the first that was forced.

# %%
lanes = []
for budget in range(3, 10):
    ids = generate_within(lover, fsm, table, toy, budget)
    lanes.append(lane(f"a budget of {budget}", ids, budget, distances))
timeline_svg(lanes, title="The digit lover, always on time")

# %% [markdown]
# Every run ends with a match, and every run uses its whole budget, because nothing is forbidden before it has to be. A
# budget of 2 is too small for any match, so it's refused before the model is even asked:

# %%
try:
    generate_within(lover, fsm, table, toy, 2)
except BudgetTooSmall as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# ## Alive in characters, out of reach by tokens
#
# The distances know something else that lab 04 didn't. Take the pattern `a[bc]d` and the tokens `ab`, `a` and `cd`.
# After `ab` the automaton is fine, and waits for a `d`. But no token starts with one.

# %%
few = Vocabulary([b"ab", b"a", b"cd", b"</s>"], eos_id=3)
trap, trap_table = prepare("a[bc]d", few)
far = tokens_to_accept(trap_table, trap.accepting)
print("tokens_to_accept =", far.tolist())

# %%
notes = {state: f"{tokens:g}".replace("inf", "∞") for state, tokens in enumerate(far)}
title = "a[bc]d without a token for d: state 2 is alive and lost"
fsm_svg(trap, notes=notes, highlight=2, title=title)

# %% [markdown]
# Under lab 04's mask, a model that prefers `ab` walks straight into this dead end. Under the budget mask it can't,
# because no budget is infinite:


# %%
def prefers_ab(ids):
    return np.float32([3, 2, 1, 0])


try:
    constrained_generate(prefers_ab, trap, trap_table, few, 50)
except NoLegalToken as error:
    print(f"lab 04: {type(error).__name__}: {error}")
print("lab 05:", few.decode(generate_within(prefers_ab, trap, trap_table, few, 50)))

# %% [markdown]
# And if the vocabulary lacks something that every match needs, you know it before the first token:

# %%
try:
    generate_within(lover, fsm, ({3: 1}, {3: 1}, {}, {}), toy, 50)
except BudgetTooSmall as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# ## How many answers are cut
#
# The digit lover is an extreme case. What about ordinary models? Here 300 models with random preferences are sampled,
# on the same pattern over single characters. Without the budget mask, an answer is cut if its EOS comes later than the
# budget allows. With it, no answer is cut, at any budget that isn't refused.

# %%
budgets, seeds = [4, 5, 6, 8, 10, 12, 16, 20, 24, 32], range(300)


def draws(seed):
    return np.random.default_rng(seed).random(33).tolist()


def reason_within(seed, budget):
    model, us = seeded_random(12, seed), draws(seed)
    ids = generate_within(model, by_char, char_table, digits, budget, us)
    return finish_reason(ids, digits.eos_id)


def length_without(seed):
    model, us = seeded_random(12, seed), draws(seed)
    return len(constrained_generate(model, by_char, char_table, digits, 33, us))


lengths = [length_without(seed) for seed in seeds]
cut = [(budget, sum(length > budget for length in lengths)) for budget in budgets]
saved = []
for budget in budgets:
    reasons = [reason_within(seed, budget) for seed in seeds]
    saved.append((budget, reasons.count("length")))
line_chart(
    {"lab 04's mask": cut, "budget mask": saved},
    title="Answers cut, of 300",
    x_label="budget in tokens, EOS included",
    y_label="answers cut",
)

# %%
print("budget      " + " ".join(f"{budget:4}" for budget in budgets))
print("lab 04      " + " ".join(f"{count:4}" for _, count in cut))
print("budget mask " + " ".join(f"{count:4}" for _, count in saved))

# %% [markdown]
# ## The real vocabulary, and what it costs
#
# Now the 131,072 tokens of Tekken, and a pattern with longer texts. Compare the two rows of distances. Tokens are fewer
# than characters, of course, but by how much? The automaton alone can't tell you.

# %%
tekken = Vocabulary.tekken()
NAME = r'\{"name": "[ !#-~]+", "id": "0x[0-9a-f]+"\}'
start = time.perf_counter()
name_fsm, name_table = prepare(NAME, tekken)
prepared = time.perf_counter() - start
in_tokens = tokens_to_accept(name_table, name_fsm.accepting)
steps = tuple(dict(enumerate(row.values())) for row in name_fsm.transitions)
in_chars = tokens_to_accept(steps, name_fsm.accepting)
print("states:    ", len(name_fsm))
print("characters:", *(f"{n:g}" for n in in_chars))
print("tokens:    ", *(f"{n:g}" for n in in_tokens))

# %%
line_chart(
    {
        "characters": list(enumerate(map(float, in_chars))),
        "tokens": list(enumerate(map(float, in_tokens))),
    },
    title="How far the end is, from each state",
    x_label="state",
    y_label="the fewest to the end",
)

# %% [markdown]
# The adversary wants to write garbage forever. Here's what it manages with the smallest budget that isn't refused, and
# with a few tokens more:

# %%
least = int(in_tokens[name_fsm.initial]) + 1
wilful = adversary(tekken, wants=["zz", "q", "@"])
for budget in (least, least + 1, least + 4):
    ids = generate_within(wilful, name_fsm, name_table, tekken, budget)
    reason = finish_reason(ids, tekken.eos_id)
    print(f"{budget:2} tokens, {reason}: {tekken.decode(ids)}")


# %% [markdown]
# What does it cost? The distances are computed once for each pattern and vocabulary, after the table. The budget mask
# is computed at each step. Both loop over transitions in plain Python. These are the times on the computer that built
# this page.


# %% tags=["timing"]
def milliseconds(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return 1000 * (time.perf_counter() - start)


transitions = sum(map(len, name_table))
wide = max(range(len(name_table)), key=lambda state: len(name_table[state]))
row = mask_row(name_fsm, name_table, wide, tekken)
once = milliseconds(tokens_to_accept, name_table, name_fsm.accepting)
step = milliseconds(budget_row, row, name_table[wide], in_tokens, 20)
print(f"compile and lift:  {1000 * prepared:7.0f} ms once, {transitions:,} transitions")
print(f"tokens_to_accept:  {once:7.1f} ms once")
print(f"budget_row:        {step:7.1f} ms at each step, in state {wide},", end=" ")
print(f"{len(name_table[wide]):,} transitions")

# %% [markdown]
# A step needn't cost that much. If `remaining` is at least the largest distance that a token leads to, plus 2, then the
# budget removes nothing, and you can skip the loop. And where it does remove tokens, there are only a few distances, so
# there are only a few different masks:

# %%
for state in (0, wide):
    targets = Counter(in_tokens[target] for target in name_table[state].values())
    pairs = sorted(targets.items())
    counts = [f"{count:,} to distance {far:g}" for far, count in pairs]
    print(f"transitions of state {state:2}:", ", ".join(counts))

# %% [markdown]
# ## The price
#
# The budget mask is exact about *what* can be written: each match that fits, and nothing else. It isn't exact about
# *how often*. Take a model without preferences on the same pattern over the small vocabulary, with a budget of 5. The
# left column gives the odds of each answer under lab 04's mask, counting only those that end in time. The right column
# gives them under the budget mask.


# %%
def odds(budget=None, state=0, ids=(), chance=1.0):
    """Yield each answer of at most 5 tokens with its probability."""
    row = mask_row(fsm, table, state, toy)
    if budget is not None:
        row = budget_row(row, table[state], distances, budget - len(ids))
    allowed = np.flatnonzero(row)
    for token_id in allowed.tolist() if len(ids) < 5 else []:
        if token_id == toy.eos_id:
            yield toy.decode(ids), chance / len(allowed)
        else:
            target, longer = table[state][token_id], (*ids, token_id)
            yield from odds(budget, target, longer, chance / len(allowed))


def by_text(pairs):
    total = Counter()
    for text, chance in pairs:
        total[text] += chance
    return total


in_time, within = by_text(odds()), by_text(odds(budget=5))
print(f"lab 04's mask ends in time with chance {in_time.total():.3f},", end=" ")
print(f"the budget mask with {within.total():.3f}")
print(f"{'answer':8} {'lab 04, if in time':>20} {'budget mask':>12}")
for text, chance in in_time.most_common():
    print(f"{text:8} {chance / in_time.total():20.3f} {within[text]:12.3f}")

# %%
pairs = {}
for text, chance in in_time.most_common():
    pairs[f"{text}, lab 04"] = chance / in_time.total()
    pairs[f"{text}, budget"] = within[text]
bar_chart(pairs, title="How often each answer comes")

# %% [markdown]
# `111.2` used to be rare, because most runs that begin with three ones don't end in time. Now they all have to, and in
# the end there's only one path left for them. So this answer becomes more frequent, and the short ones become rarer.
# Every mask bends the model's distribution somewhere, and this one bends it near the end. Lab 13 computes by how much,
# and shows how to sample without the bend.
