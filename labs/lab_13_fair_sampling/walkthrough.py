# %% [markdown]
# # Lab 13, walked through: fair sampling
#
# A mask keeps a text legal and bends its odds. How far, when not at all, and what to do about it. The page calls the
# reference; to write the functions yourself first, start with the [README](README.md).

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

from collections import Counter

import numpy as np

from labkit.errors import LimitExceeded
from labkit.pictures import bar_chart, line_chart
from labs.lab_13_fair_sampling.given.markov import EOS, NO, WORDS, YES, bigram
from labs.lab_13_fair_sampling.given.measuring import committed
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

names = ["no", "yes", "terday", "EOS"]


def shown(ids):
    """Return a text of the README's model."""
    return "".join(names[i] for i in ids if i != EOS)


# %%
bent()

# %% [markdown]
# The model says `no` half of the time. Otherwise it begins with `yes`, and three times in four goes on to
# `yesterday`. The mask allows `no` and `yes`, so `yes` is as likely as `no`, because they are equally likely as next
# tokens. In truth the model seldom stops after `yes`.
#
# ## One chain for model and mask
#
# The model looks at the last token, the automaton at its state. A node is a pair of both. Each row has the model's
# own probabilities, which do not add up to 1 where the mask takes something away.

# %%
chain = joint_chain(WORDS, EOS, ({NO: 1, YES: 1}, {}), {1})
for node, row in enumerate(chain):
    steps = [f"{names[t]} to {to}: {np.exp(p):.2f}" for t, (to, p) in row.items()]
    print(f"node {node}:", ", ".join(steps))

# %% [markdown]
# ## Weights, from the end backwards
#
# The weight of a node is the probability that the model, left alone from there, ends its text legally.

# %%
weights()

# %% [markdown]
# The node after `yes` weighs a quarter, since three quarters of what the model would write there is illegal. The
# start weighs 1/2 · 1 + 1/2 · 1/4. Multiply each token by the weight of its target, and normalise:

# %%
exact = backward_weights(chain)
for label, each in (("masked", np.zeros(4)), ("fair", exact)):
    odds = fair_distribution(chain[0], each)
    print(f"{label:7}", {names[t]: round(odd, 3) for t, odd in odds.items()})

# %% [markdown]
# The first line is the same function with weights that are all 1. That is what a mask is: the claim that all futures
# weigh the same.
#
# ## Loops
#
# With a loop a text can be any number of tokens long, and the weight is an infinite sum. Here the sum is cut after so
# many tokens, for a loop of probability 0.9 and an EOS of 0.05. Elimination gives the limit, e / (1 - l), at once.

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
# Probabilities never add up to more than 1. Scores that are not normalised may, and then there is no distribution.
#
# ## When is masking fair?
#
# Exactly if in each node all targets weigh the same. A model that does not look back is fair under a pattern of fixed
# length, and unfair as soon as the length is free:
#
# **Predict before you read on.** Digits and EOS are all equally likely, whatever came before. Which of these
# languages are fair: three digits; one to three digits; any number of digits?

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

# %% [markdown]
# Only the first. Where EOS is allowed its target, the end, weighs 1. A digit leads to a node that weighs less,
# because the letter may still come. So the fair distribution favours ending early, and the mask does not know.
#
# ## How far?
#
# For a small language all texts can be listed. Here `no|yes` with models that go on to `yesterday` more and more
# often:

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
# Lab 05's table counted tokens to the end. The same table with sums in the place of minima samples fairly within a
# budget. Texts of a loop that ends half of the time, with at most four tokens:

# %%
coin = [{0: (0, np.log(0.5)), 1: (-1, np.log(0.5))}]
within = weights_within(coin, 4)[-2::-1]
legal = [np.where(np.isfinite(row), 0.0, -np.inf) for row in within]
for label, each in (("masked", legal), ("fair", within)):
    odds = text_probabilities(coin, each, 4)
    print(f"{label:7}", {len(ids): round(odd, 3) for ids, odd in odds.items()})

# %% [markdown]
# By number of tokens: under the mask the text of four is as likely as that of three, because EOS is forced there.
# Among the texts that are short enough in truth, it has half of that.
#
# ## Without a table: weighted samples
#
# Each masked sample knows which share of the probability its masks kept. That is its weight.

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
# Exactly, the divergence is 0.223 and the variation 0.3. In a longer text the weights are products of many masses,
# and drift apart:

# %%
worth()

# %% [markdown]
# ## Four samplers
#
# Each is asked for 500 texts of `no|yes`, of which 80% should be `no`.

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


asked = (counted, allowed, EOS)
samplers = {
    "masking": lambda: masked_sample(*asked, draw)[0],
    "rejection": lambda: rejection_sample(*asked, draw, 1000),
    "SMC, 16 particles": lambda: pick(smc_sample(*asked, 16, draw), draw()),
    "adaptive": adaptive,
}
for name, sampler in samplers.items():
    calls = 0
    found = Counter(shown(sampler()) for _ in range(500))
    print(f"{name:18} no: {found['no'] / 5:4.1f}%, {calls / 500:5.2f} passes a text")
draws = Counter(shown(sample_fair(chain, [exact], draw)) for _ in range(500))
print(f"{'by exact weights':18} no: {draws['no'] / 5:4.1f}%,  none: a table")

# %% [markdown]
# The adaptive sampler pays what masking pays, and was wrong only until it had written `yes` once. What it believes of
# the language's probability falls from 1 to the truth, 5/8:

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
# What `given/measuring.py` has measured: how far masking is off, for two checkpoints.

# %%
points, MONTH = committed(), "month without a day"
for point in points:
    print(
        f"{point.name:24} {point.checkpoint:5}  legal {point.legal:8.1g}"
        f"  variation {point.tv:.2f}  worth {point.worth:3.0f} of 100"
    )

# %% [markdown]
# Three lines deserve a look. A format that the model was trained to write is fair. A language that it would never
# write is bent almost completely, and the bend hides: the hundred samples seem to be worth a hundred, because all of
# them are the same wrong text. The table of distances after each sampler is in the [README](README.md).

# %%
final = next(p for p in points if (p.name, p.checkpoint) == (MONTH, "final"))
written = [each for each in final.results if each.written]
bar_chart(
    {each.sampler: round(each.distance or 0, 3) for each in written},
    title="A month without a day: how far from fair, 400 texts",
)

# %% [markdown]
# The model has read `28.1.2026` and is sure of `2026-01`, but after it it would go on with a day, nearly always. A
# month after which it is less sure of the day has far more probability as a whole text. No mask sees that. SMC does
# not either, as none of its particles has drawn another month. The adaptive sampler comes to it, since it learns what
# `01` is worth.
#
# ## Your turn
#
# Sixteen functions: [README](README.md). Give `given/measuring.py` a language of your own.
