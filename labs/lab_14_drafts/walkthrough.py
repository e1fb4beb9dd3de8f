# %% [markdown]
# # Lab 14, walked through: drafts
#
# A cheap model guesses, the real one reads all the guesses in one pass, and nobody can tell from the texts. On this
# page you'll see why that works, what masks have to do with it, and when it pays. Everything here calls the reference.
# If you'd rather write the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_14_drafts/walkthrough.ipynb)

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
import json
from collections import Counter

import numpy as np

from labkit.matchers import Matcher
from labkit.pictures import bar_chart, line_chart, mask_svg
from labkit.small_model import SmallModel
from labkit.small_model.drafting import DraftReader, by_bigrams
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary

draw = np.random.default_rng(0).random

# %% tags=["hide-input"]
from labs.lab_13_fair_sampling.solution import (
    backward_weights,
    fair_distribution,
    joint_chain,
)
from labs.lab_14_drafts.pictures import trap, tree, worth
from labs.lab_14_drafts.solution import (
    draft_legally,
    forced_draft,
    generate,
    longest_path,
    masks_by_matcher,
    overlap,
    residual,
    sees,
    tokens_a_pass,
    tree_masks,
    verify,
    walk_draft,
)
from mask_engine import compile_guide

# %%
worth()

# %% [markdown]
# That's what we're after: several tokens for one pass of the model. The lines say how many, if so many percent of the
# drafted tokens are kept, and for two languages we've counted it.
#
# ## One token
#
# The model wants `yes` and `no` half of the time each. The drafter says `yes` three times in four. Keep a `yes` two
# times in three, keep each `no`, and replace what you don't keep by what's still owed.

# %%
p, q = np.array([1 / 2, 1 / 2]), np.array([3 / 4, 1 / 4])
print("kept:", overlap(p, q), " still owed:", residual(p, q))
drafted, written = Counter(), Counter()
for _ in range(4000):
    token = int(draw() >= q[0])
    (new,) = verify(p[None], q[None], [token], draw)
    drafted[token] += 1
    written[new] += 1
shares = {}
for token, name in enumerate(("yes", "no")):
    shares[f"{name}, drafted"] = drafted[token] / 4000
    shares[f"{name}, written"] = written[token] / 4000
bar_chart(shares, title="4,000 tokens: what was drafted, and what was written")

# %% [markdown]
# ## A whole draft
#
# With several tokens it's the same rule at each place. The first rejection ends the round, because everything after it
# continues another text. If nothing is rejected, there's a bonus token.

# %%
p_rows = np.array([[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]])
q_rows = np.array([[0.75, 0.25], [0.5, 0.5]])
for numbers in ((0.1, 0.1, 0.1), (0.1, 0.9, 0.1), (0.9, 0.1)):
    print(numbers, "gives", verify(p_rows, q_rows, [0, 0], iter(numbers).__next__))

# %% [markdown]
# How many tokens is that on average? If each is kept with the same probability, the tenth is hardly ever reached.

# %%
curves = {}
for rate in (0.5, 0.7, 0.9):
    means = [(float(n), round(tokens_a_pass(rate, n), 6)) for n in (0, 1, 2, 4, 8, 16)]
    curves[f"{rate:.0%} kept"] = means
line_chart(
    curves,
    title="Tokens of a pass, by the length of the draft",
    x_label="tokens drafted",
    y_label="tokens written",
)

# %% [markdown]
# ## Masks along a draft
#
# Each place of a draft needs the mask of its own state. States are values, so one walk is enough, and nothing has to be
# undone. Here's a draft for one to three digits. Token 3 is the digit `1`, token 0 is the letter `a`.

# %%
toy = Vocabulary.toy()
guide = compile_guide(toy, regex="[0-9]{1,3}")
for draft in ([3, 3, 3], [3, 0, 3], [3, toy.eos_id]):
    states, masks = walk_draft(guide, guide.initial, draft, len(toy), toy.eos_id, 9)
    shown = [[toy.texts()[i] or "EOS" for i in np.flatnonzero(mask)] for mask in masks]
    print(draft, "->", shown)
columns = [text or "EOS" for text in toy.texts()]
names = [f"after {place} of 1 1 EOS" for place in range(len(masks))]
rows = [mask.tolist() for mask in masks]
mask_svg(rows, columns, names=names, title="The masks of the last draft")

# %% [markdown]
# An object that moves gives the same masks, if you take back what it accepted:

# %%
matcher = Matcher(guide, len(toy), toy.eos_id)
masks = masks_by_matcher(matcher, [3, 0, 3])
print(len(masks), "masks;", matcher.calls, "still at", matcher.tokens)

# %% [markdown]
# ## The trap
#
# **Predict before you read on.** The drafter has no mask and said something illegal. Does it matter whether you cut
# that off, or reject it?

# %%
trap()

# %% [markdown]
# It does. That the drafter said `maybe` tells you that it didn't say `no`, although `no` was owed. If you cut the token
# off and draw from p, that's forgotten. Left in the draft, it has p = 0 and is rejected like any other token.
#
# ## Masked, or fair?
#
# In lab 13, a model says `no` half of the time and `yes` otherwise, and mostly continues to `yesterday`. Masking gives
# `yes` half of the time; fair would be one time in five. What do drafts give? Whatever p you put in.

# %%
NO, YES, TERDAY, EOS = range(4)
after_word = [[0, 0, 0, 1], [0, 0, 3 / 4, 1 / 4], [0, 0, 0, 1], [1 / 2, 1 / 2, 0, 0]]
with np.errstate(divide="ignore"):
    words = np.log(after_word)
chain = joint_chain(words, EOS, ({NO: 1, YES: 1}, {}), {1})
flat = np.array([1 / 3, 1 / 3, 1 / 3, 0])
shares = {}
kinds = {"masked": np.zeros(len(chain) + 1), "fair": backward_weights(chain)}
for name, weights in kinds.items():
    odds = fair_distribution(chain[0], weights)
    p = np.array([odds.get(token, 0.0) for token in range(4)])
    counts = Counter()
    for _ in range(4000):
        counts.update(verify(p[None], flat[None], [int(3 * draw())], draw))
    share = counts[YES] / 4000
    print(f"{name:6} should be {p[YES]:.0%} yes, drafted from thirds: {share:.0%}")
    shares |= {f"{name}, by the model": float(p[YES]), f"{name}, by drafts": share}
bar_chart(shares, title="How often the text is yes")

# %% [markdown]
# ## On the course's transformer
#
# The final checkpoint writes an order under masks, always the best token. First without drafts, then with drafts of
# four tokens by the early checkpoint, and by a table of pairs of tokens, both under the same masks.

# %%
tokenizer = Tokenizer.load()
vocabulary, eos = tokenizer.vocabulary, tokenizer.vocabulary.eos_id
question = "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please."
prompt = tokenizer.prompt(question)
ITEM = r'\{"item": "[a-z ]+", "quantity": [0-9]+, '
PATTERN = ITEM + r'"customer": "[A-Z][A-Za-z ]+", "city": "[A-Z][a-z]+"\}'
order = compile_guide(vocabulary, regex=PATTERN)
final, early = SmallModel.load(), SmallModel.load("early")
COLD = 1e6  # logits so far apart that the best token is always drawn


def drafted_by(drafter):
    def propose(state, ids, remaining):
        def cold(ids):
            return drafter(ids) * COLD

        return draft_legally(order, state, cold, ids, 4, eos, remaining, draw)

    return propose


# %%
none, passes = np.zeros((0, len(vocabulary))), {}
for name, propose in {
    "no drafts": lambda state, ids, remaining: ([], none),
    "early": drafted_by(DraftReader(early).after),
    "bigrams": drafted_by(by_bigrams),
}.items():
    target = DraftReader(final)

    def score(ids, draft, target=target):
        return target.score(ids, draft) * COLD

    rounds = generate(order, propose, score, prompt, eos, 64, draw)
    texts = " ".join(repr(tokenizer.decode(each)) for each in rounds)
    print(f"{name:9} {target.passes:2} passes:", texts)
    passes[name] = target.passes
bar_chart(passes, title="Passes of the model for one order")

# %% [markdown]
# The text is the same each time. The spaces between the quotes show where the passes ended.
#
# ### What is forced
#
# Text that the grammar forces is a draft that's always kept. In tokens it's rare, since the same text can be spelled in
# many ways:

# %%
print("of the order:", forced_draft(order, order.initial, len(vocabulary), eos, 9, 64))
short = forced_draft(guide, guide.initial, len(toy), toy.eos_id, 9, 2)
print("of the digits, with two tokens left:", short)

# %% [markdown]
# ## A tree
#
# Several drafts that begin alike are a tree. Each node needs a mask, and each sees only its own path.

# %%
tree()

# %%
parents, tokens = [-1, -1, 0, 0, 1], [3, 0, 3, toy.eos_id, 3]
masks = tree_masks(guide, guide.initial, parents, tokens, len(toy), toy.eos_id)
print(masks.astype(int))
print(sees(parents).astype(int))
print("kept:", longest_path(parents, tokens, [3, 3, 0, 4, 0, 0]))

# %% [markdown]
# Rows of the first table are the root and the five nodes, columns are the toy's tokens. The second node is a letter:
# its row is empty, and so is that of its child.
#
# ## What it's worth
#
# Let the final checkpoint write in six languages at temperature 1, and count its passes:

# %%
file = root / "labs/lab_14_drafts/given/points.json"
found = json.loads(file.read_text(encoding="utf-8"))["points"]
fours = [point for point in found if point["length"] == 4]
worths = {(p["language"], p["drafter"]): p["tokens"] / p["passes"] for p in fours}
drafters = [*dict.fromkeys(drafter for _, drafter in worths)]
for language in dict.fromkeys(language for language, _ in worths):
    cells = [f"{worths[language, drafter]:5.2f}" for drafter in drafters]
    print(f"{language:28}", *cells)
print(f"{'':28}", *drafters, sep="  ")
bars = {", ".join(pair): n for pair, n in worths.items() if "masked" in pair[1]}
bar_chart(bars, title="Tokens of a pass, with masked drafts of four")

# %% [markdown]
# Where the format is rigid, drafts under masks pay, even those of a table. Where it isn't, all depends on the drafter.
# How fast that is in seconds depends on what a drafted token costs; the [README](README.md) has the sum.
#
# ---
#
# The [README](README.md) has seven functions for you. And if you'd like another drafter, write a function that takes
# token ids and gives logits.
