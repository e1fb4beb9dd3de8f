# %% [markdown]
# # Lab 13, walked through: fair sampling
#
# A mask keeps a text legal, and it bends the odds. On this page you'll see by how much, when it doesn't, and what you
# can do about it. Everything here calls the reference. If you'd rather write the functions yourself first, start with
# the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_13_fair_sampling/walkthrough.ipynb)

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
from collections import Counter

import numpy as np

from labkit.errors import LimitExceeded
from labkit.pictures import bar_chart, line_chart
from labs.lab_13_fair_sampling.given.markov import EOS, NO, WORDS, YES, bigram
from labs.lab_13_fair_sampling.measuring import committed
from labs.lab_13_fair_sampling.pictures import bent, weights, worth
from labs.lab_13_fair_sampling.solution import (
    adaptive_sample,
    backward_weights,
    distances,
    effective_sample_size,
    estimated_distances,
    fair_distribution,
    is_fair,
    joint_chain,
    masked_sample,
    pick,
    rejection_sample,
    sample_fair,
    smc_sample,
    text_probabilities,
    weights_within,
)

# %% tags=["hide-input"]
names = ["no", "yes", "terday", "EOS"]


def shown(ids):
    """Return a text of the README's model."""
    return "".join(names[i] for i in ids if i != EOS)


# %%
bent()

# %% [markdown]
# This model says `no` half of the time. Otherwise it begins with `yes`, and three times in four it continues to
# `yesterday`. The mask allows `no` and `yes`, and as next tokens the two are equally likely, so you get each of them
# half of the time. But the model seldom stops after `yes`, and the mask can't know that.
#
# ## One chain for model and mask
#
# The model looks at the last token, and the automaton at its state. So a node is a pair of both. Each row has the
# model's own probabilities. They don't sum to 1 where the mask takes something away, and that's the part we're
# interested in.

# %%
chain = joint_chain(WORDS, EOS, ({NO: 1, YES: 1}, {}), {1})
for node, row in enumerate(chain):
    steps = [f"{names[t]} to {to}: {np.exp(p):.2f}" for t, (to, p) in row.items()]
    print(f"node {node}:", ", ".join(steps))

# %% [markdown]
# ### Weights, from the end backwards
#
# The weight of a node is the probability that the model, left alone from there, ends its text legally. The end weighs
# 1, and each other node weighs the sum of probability times weight over its transitions.

# %%
weights()

# %% [markdown]
# The node after `yes` weighs a quarter, since three quarters of what the model would write there is illegal. The
# start weighs 1/2 · 1 + 1/2 · 1/4. Now multiply each token's probability by the weight of its target, and normalise:

# %%
exact = backward_weights(chain)
for label, each in (("masked", np.zeros(4)), ("fair", exact)):
    odds = fair_distribution(chain[0], each)
    print(f"{label:7}", {names[t]: round(odd, 3) for t, odd in odds.items()})

# %% [markdown]
# The first line is the same function with weights that are all 1. So that's what's wrong with a mask: it treats all
# futures as if they weighed the same.
#
# ## Loops
#
# With a loop, a text can be any number of tokens long, and the weight becomes an infinite sum. Let's take a loop of
# probability 0.9 and an EOS of 0.05, and cut the sum after so many tokens. It creeps towards its limit. Elimination
# gives you that limit, e / (1 - l), at once.

# %%
loop = [{0: (0, np.log(0.9)), 1: (-1, np.log(0.05))}]
rows = np.exp(weights_within(loop, 60))[:, 0]
cut = [(float(n), round(float(rows[n]), 9)) for n in range(0, 61, 5)]
line_chart(
    {
        "texts up to so many tokens": cut,
        "all texts": [(0.0, 0.5), (60.0, 0.5)],
    },
    title="A weight that takes long to add up",
    x_label="tokens",
    y_label="weight of the node",
)

# %%
print("by elimination:", np.exp(backward_weights(loop))[0].round(9))
try:
    backward_weights([{0: (0, 0.1), 1: (-1, -3.0)}])
except LimitExceeded as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown]
# The second chain was refused. Its loop weighs more than 1, so longer and longer texts would weigh more and more.
# That never happens with probabilities, but it may with scores that aren't normalised, and then there is no
# distribution.
#
# ## When is masking fair?
#
# If you skipped TODO 5's theorem, here it is: exactly if, in each node from which the end can be reached, all targets
# weigh the same.
#
# **Predict before you read on.** Digits, a letter and EOS are all equally likely, whatever came before, and the mask
# never allows the letter. Which of these languages are fair: three digits; one to three digits; any number of digits?

# %%
level = np.zeros((12, 12))  # ten digits, EOS, and a letter that no mask allows
digits = range(10)
line = [dict.fromkeys(digits, state + 1) for state in range(3)]
languages = {
    "three digits": ((*line, {}), {3}),
    "one to three digits": ((*line, {}), {1, 2, 3}),
    "any number of digits": ((dict.fromkeys(digits, 0),), {0}),
}
for name, (table, accepting) in languages.items():
    joint = joint_chain(level, 10, table, accepting)
    print(f"{name:22}", is_fair(joint, backward_weights(joint)))

# %%
name = "one to three digits"
joint = joint_chain(level, 10, *languages[name])
heavy = np.exp(backward_weights(joint)).round(9)
first = (0, 1, 11, 21)  # the start, and one node of the ten after each digit
bars = {f"after {n} digits": float(heavy[node]) for n, node in enumerate(first)}
bar_chart(bars, title="The weights of the nodes: not all targets weigh the same")

# %% [markdown]
# Only the first: a model that doesn't look back is fair under a pattern of fixed length, and here it's unfair as soon
# as the length is free. Wherever EOS is allowed, its target, the end, weighs 1. A digit leads to a node that weighs
# less, because the letter may still come. So the fair distribution prefers to end early, and the mask doesn't know.
#
# ## How far is it off?
#
# If a language is small, we can list all of its texts. Here is `no|yes` again, with models that continue to
# `yesterday` more and more often:

# %%
curve = []
for percent in range(0, 100, 10):
    model = WORDS.copy()
    with np.errstate(divide="ignore"):
        model[YES] = np.log([0, 0, percent / 100, 1 - percent / 100])
    joint = joint_chain(model, EOS, ({NO: 1, YES: 1}, {}), {1})
    masked = text_probabilities(joint, [np.zeros(len(joint) + 1)], 3)
    fair = text_probabilities(joint, [backward_weights(joint)], 3)
    curve.append((float(percent), round(distances(masked, fair)[1], 9)))
line_chart(
    {"masking": curve},
    title="How far masking no|yes is off",
    x_label="percent of yes that go on to yesterday",
    y_label="total variation",
)

# %% [markdown]
# ## A budget is a mask too
#
# Lab 05's table counted the tokens to the end. Put sums in the place of its minima, and you can sample fairly within
# a budget. Here are the texts of a loop that ends half of the time, with at most four tokens, by their length:

# %%
coin = [{0: (0, np.log(0.5)), 1: (-1, np.log(0.5))}]
within = weights_within(coin, 4)[-2::-1]
legal = [np.where(np.isfinite(row), 0.0, -np.inf) for row in within]
pairs = {}
for label, each in (("masked", legal), ("fair", within)):
    odds = text_probabilities(coin, each, 4)
    print(f"{label:7}", {len(ids): round(odd, 3) for ids, odd in odds.items()})
    pairs |= {f"length {len(ids)}, {label}": round(odd, 9) for ids, odd in odds.items()}
title = "The texts of a loop, with a budget of four"
bar_chart(dict(sorted(pairs.items())), title=title)

# %% [markdown]
# Under the mask, the text of four tokens is as likely as the text of three, because its EOS is forced. The fair
# distribution gives it half as much, which is what the model means among the texts that are short enough.
#
# ## Without a table: weighted samples
#
# For a transformer there is no table. But each masked sample knows how much of the probability its masks have kept:
# the product of the masses of its steps. That's its weight.

# %%
model = bigram(WORDS, EOS)


def allowed(ids):
    return np.array([not ids, not ids, False, len(ids) == 1])


rng = np.random.default_rng(0)
draw = rng.random
samples = [masked_sample(model, allowed, EOS, draw) for _ in range(1000)]
sums, counts = Counter(), Counter()
for ids, weight in samples:
    counts[shown(ids)] += 1
    sums[shown(ids)] += np.exp(weight)
total = sums.total()
for text in ("no", "yes"):
    share = sums[text] / total
    print(f"{text:4} drawn {counts[text]:3} times, with its weights {share:.3f}")
log_weights = [weight for _, weight in samples]
size = effective_sample_size(log_weights)
kl, tv = estimated_distances(log_weights)
print(f"1000 samples are worth {size:.0f}; divergence {kl:.3f}, variation {tv:.3f}")

# %% [markdown]
# The exact values, from a list of the two texts, are 0.223 and 0.3, so the samples' own estimate is good here. In a
# longer text a weight is the product of many masses, and the weights drift apart:

# %%
worth()

# %% [markdown]
# ## Four samplers
#
# Let's ask each sampler for 500 texts of `no|yes`. Of these, 80% should be `no`.

# %%
calls = 0


def counted(ids):
    global calls
    calls += 1
    return model(ids)


memory = {}


def adaptive():
    ids, learned = adaptive_sample(counted, allowed, EOS, memory, draw)
    memory.update(learned)
    return ids


# %%
asked = (counted, allowed, EOS)
samplers = {
    "masking": lambda: masked_sample(*asked, draw)[0],
    "rejection": lambda: rejection_sample(*asked, draw, 1000),
    "SMC, 16 particles": lambda: pick(smc_sample(*asked, 16, draw), draw()),
    "adaptive": adaptive,
}
shares = {}
for name, sampler in samplers.items():
    calls = 0
    found = Counter(shown(sampler()) for _ in range(500))
    shares[name] = found["no"] / 500
    print(f"{name:18} no: {found['no'] / 5:4.1f}%, {calls / 500:5.2f} passes a text")
draws = Counter(shown(sample_fair(chain, [exact], draw)) for _ in range(500))
print(f"{'by exact weights':18} no: {draws['no'] / 5:4.1f}%,  none: a table")
shares["by exact weights"] = draws["no"] / 500
bar_chart(shares, title="How often each sampler writes no; 0.8 is fair")

# %% [markdown]
# The adaptive sampler costs what masking costs, and it was wrong only until it had written `yes` once. Let's watch it
# learn. It believes at first that every text the model writes is legal. That belief falls from 1 to the right value,
# 5/8:

# %%
memory.clear()
bounds = [(0.0, 1.0)]
replay = np.random.default_rng(2)
for n in range(1, 9):
    _, learned = adaptive_sample(model, allowed, EOS, memory, replay.random)
    memory.update(learned)
    bounds.append((float(n), round(float(np.exp(memory[()])), 6)))
print([bound for _, bound in bounds])

# %% [markdown]
# ## On the course's transformer
#
# Does any of this matter with a real model? `measuring.py` has measured how far masking is off in nine
# languages, for an early and the final checkpoint of the course's transformer:

# %%
points, MONTH = committed(), "month without a day"
for point in points:
    print(
        f"{point.name:24} {point.checkpoint:5}  legal {point.legal:8.1g}"
        f"  variation {point.tv:.2f}  worth {point.worth:3.0f} of 100"
    )

# %% [markdown]
# Look at the lines of the final checkpoint. If it was trained to write the format, as with the date, masking is
# fair. In a language that it would never write, such as the month without a day, nearly everything is bent. And there
# the bend hides itself: the hundred samples seem to be worth a hundred, because all of them are the same wrong text.
# How far off each of the samplers is, you'll find in the [README](README.md).

# %%
final = next(p for p in points if (p.name, p.checkpoint) == (MONTH, "final"))
written = [each for each in final.results if each.written]
bar_chart(
    {each.sampler: round(each.distance or 0, 3) for each in written},
    title="A month without a day: how far from fair, 400 texts",
)

# %% [markdown]
# The model has read `28.1.2026` and is sure of `2026-01`. But after that it would nearly always continue with a day,
# so as a whole text `2026-01` is most unlikely, and a month after which the model is less sure of the day has far
# more probability. No mask sees that. SMC doesn't either, because none of its particles has drawn another month. The
# adaptive sampler gets there, since it learns what `01` is worth.
#
# ---
#
# The [README](README.md) has seven functions for you. And if you'd like to know how far masking bends a language of
# your own, add it to `measuring.py`.
