# %% [markdown]
# # Lab 09, walked through: inside an engine
#
# So far you've served one request at a time. A server decodes many of them in one batch. They come at any time, each
# with a grammar of its own or none, and a new grammar takes a while to compile. What can they share, and who has to
# wait for whom? Everything here calls the reference. If you'd rather write the functions yourself first, start with the
# [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_09_inside_an_engine/walkthrough.ipynb)

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
import time

import numpy as np

from labkit.engine import Engine, SamplingParams
from labkit.errors import BudgetTooSmall, QueueFull
from labkit.pictures import bar_chart, batch_svg, mask_svg
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.workers import Worker
from labs.lab_09_inside_an_engine.pictures import timeline
from labs.lab_09_inside_an_engine.solution import (
    CompileCache,
    Program,
    StructuredOutputState,
    answers,
    apply_structured_output_mask,
    is_finished,
    mask_batch,
    read_response_format,
    sample_token,
    vocabulary_fingerprint,
)
from mask_engine import compile_guide, structured_outputs

# %% tags=["hide-input"]
tokenizer = Tokenizer.load()
small = tokenizer.vocabulary


def allowed_texts(state):
    """Return what may come next, as texts."""
    texts = [*toy.texts()]
    return [texts[i] or "EOS" for i in sorted(state.allowed_tokens())]


# %%
timeline()

# %% [markdown]
# One column is one step of the engine. The third request brings a new grammar, and a worker compiles it for four steps.
# The fourth asks for the same grammar, so it waits for the same compile. The first two get a token at every step. As
# far as they can tell, nothing has happened.
#
# Let's try it on the course's transformer, with four requests in one batch. Three of them have a format, and the fourth
# has none.

# %%
manager = structured_outputs(small)
engine = Engine(SmallModel.load(), small, manager)
asked = [
    ("Hex code of violet?", {"type": "regex", "pattern": "#[0-9a-f]{6}"}),
    ("Is the sky blue?", {"type": "choice", "choices": ["yes", "no"]}),
    ("Give me a user as JSON.", {"type": "json_object"}),
    ("Hex code of violet?", None),
]
requests = [
    engine.add_request(
        tokenizer.prompt(text),
        SamplingParams(max_tokens=40, temperature=0),
        response_format=form,
    )
    for text, form in asked
]
for (text, _), answer in zip(asked, answers(engine, *requests), strict=True):
    print(f"{text:26} {answer}")

# %% [markdown]
# ## One guide, many states
#
# A **guide** is one compiled grammar over one vocabulary. It never changes, so all requests with this grammar can share
# it. But each of them is somewhere else in it, so each keeps a **state** of its own. Here are two requests with one
# guide. The first writes `1` and `x`; the second hasn't begun.

# %%
toy = Vocabulary([b"1", b"x", b"1x", b"</s>"], eos_id=3)
guide = compile_guide(toy, regex="[0-9]+x?")
one, other = StructuredOutputState(guide), StructuredOutputState(guide)
one.advance(0)
one.advance(1)
for name, state in (("one", one), ("other", other)):
    print(f"{name:6} in state {state.current}, may write {allowed_texts(state)}")

# %%
rows = [[i in state.allowed_tokens() for i in range(4)] for state in (one, other)]
columns, names = ["1", "x", "1x", "EOS"], ["one, after 1x", "other, at the start"]
mask_svg(rows, columns, names=names, title="One guide, two states, two masks")

# %% [markdown]
# After `1x` only EOS can follow. So the engine may stop the first request right here, and save a pass of the model
# whose result it already knows. Is one allowed token always a reason to stop, then? No. In the middle of a match there
# may also be just one, because it's forced. So `is_finished` asks whether the guide accepts, too.

# %%
maybe = Vocabulary([b"may", b"be", b"</s>"], eos_id=2)
forced = StructuredOutputState(compile_guide(maybe, regex="maybe"))
for token_id in (0, 1):
    print(f"{len(forced.allowed_tokens())} allowed, finished: {is_finished(forced)}")
    forced.advance(token_id)
print(f"{len(forced.allowed_tokens())} allowed, finished: {is_finished(forced)}")

# %% [markdown]
# ## The mask comes first
#
# Requests bring sampling parameters, such as `top_k`. Should the mask come before them or after? Suppose the model
# wants `x`, which may not come first, and `top_k` is 1.
#
# **Predict before you read on.** What is left if top-k comes before the mask?

# %%
logits = np.float32([5, 9, 4, 0])
start = StructuredOutputState(guide)
greedy = SamplingParams(top_k=1)
chosen = sample_token(logits, [], greedy, np.random.default_rng(0), start)
print("mask, then top-k:", toy.texts()[chosen])
likeliest = np.where(logits < logits.max(), np.float32(-np.inf), logits)
print("top-k, then mask:", apply_structured_output_mask(likeliest, start).tolist())

# %%
wants = dict(zip(columns, logits.tolist(), strict=True))
title = "Logits at the start: the mask strikes out x and EOS"
bar_chart(wants, struck={"x", "EOS"}, title=title)

# %% [markdown]
# Nothing is left: top-k kept only `x`, and then the mask struck it out. So the mask has to come before everything that
# counts tokens.
#
# ## The batch
#
# `mask_batch` gets the logits of all rows at once. In this batch, row 1 has no constraint, so it should keep every bit.
# Rows 0 and 2 share a guide, and one call of `fill` should be enough for both of their masks. Let's count.


# %%
class CountingGuide:
    """A guide that counts the calls of fill."""

    def __init__(self, inner):
        self.inner, self.initial, self.fills = inner, inner.initial, 0

    def fill(self, states, out, remaining=None):
        self.fills += 1
        self.inner.fill(states, out, remaining)


counted = CountingGuide(guide)
moved = StructuredOutputState(counted, one.current)
batch = np.zeros((3, 4), np.float32)
mask_batch([moved, None, StructuredOutputState(counted)], batch)
for row in batch:
    print([name or "EOS" for name, x in zip(toy.texts(), row, strict=True) if x == 0])
print("calls of fill:", counted.fills)

# %%
drawn = np.isneginf(batch).tolist()
names = ["after 1x", "free", "at the start"]
batch_svg([drawn[0], None, drawn[2]], 4, names=names, title="The batch, masked")

# %% [markdown]
# If nobody in a batch asks for a format, there's no call at all. The engine doesn't even ask.
#
# That's the idea. The rest of this page puts it into an engine, where grammars arrive late.
#
# ## One compile for all who ask
#
# ### What is asked for
#
# Guides are worth keeping, because the next request may well want the same grammar. But which requests have the same
# grammar? Clients write one schema in two shapes, ours and OpenAI's, and that's one format. Two orders of its
# properties are two formats, though. Properties are written in the schema's order, so the grammars differ, and a cache
# that sorted the keys would serve the wrong one. And what can't be read is refused, because a client whose constraint
# is silently dropped would never know.

# %%
ab = {"properties": {"a": {"type": "null"}, "b": {"type": "null"}}}
ba = {"properties": {"b": {"type": "null"}, "a": {"type": "null"}}}
openai = {"type": "json_schema", "json_schema": {"name": "n", "schema": ab}}
plain = {"type": "json_schema", "schema": ab}
turned = {"type": "json_schema", "schema": ba}
print(read_response_format(openai) == read_response_format(plain))
print(read_response_format(plain) == read_response_format(turned))
for bad in ({"type": "regex", "pattern": "a", "choices": ["b"]}, {"type": "xml"}):
    try:
        read_response_format(bad)
    except ValueError as error:
        print(error)

# %% [markdown]
# So a format is one half of the cache's key. The other half is the vocabulary, because the same pattern has other masks
# over other tokens. These two vocabularies have the same bytes, one after another, and still different fingerprints:

# %%
for tokens in ([b"a", b"bc", b"</s>"], [b"ab", b"c", b"</s>"]):
    print(vocabulary_fingerprint(Vocabulary(tokens, eos_id=2))[:16], tokens)

# %% [markdown]
# ### A thousand requests at a time
#
# What happens if a thousand requests with one new schema arrive while it compiles? If the cache only knew finished
# guides, each of them would start a compile of its own. So the cache keeps the **future** of a guide, from the moment
# when its compile is submitted, and all who come later find it and wait for the same one. The worker here does nothing
# until we tell it to, so that we can look at the cache in between.

# %%
worker = Worker()
cache = CompileCache(worker.submit, max_guides=4, max_compiling=2)
futures = [cache.get("schema", lambda: "the guide") for _ in range(1000)]
print("compiling:", cache.num_compiling(), "waiting:", cache.num_waiting())
worker.work()
print({future.result() for future in futures}, "hits:", cache.hits)

# %%
asked = {"found the future there": cache.hits}
asked["started a compile"] = len(futures) - cache.hits
bar_chart(asked, title="A thousand requests with one schema")

# %% [markdown]
# The queue of compiles is bounded, to two in this cache. Beyond that, a server answers 429, and the client tries again
# later. A key that's already there is always served.

# %%
for key in ("a", "b", "c", "schema"):
    try:
        cache.get(key, lambda: "another")
        print(f"{key}: taken")
    except QueueFull as error:
        print(f"{key}: {error}")

# %% [markdown]
# And if the clients hang up before their compile has begun? Then nobody wants it any more, so it's cancelled, and its
# place in the queue is free again. (A compile that has failed isn't kept either, so that the next request can try
# again.)

# %%
for key in ("a", "b"):
    cache.give_back(key)
print("after two aborts:", cache.keys(), cache.num_compiling(), "compiling")

# %% [markdown]
# ## A grammar that takes ten steps
#
# Now the whole engine. How long do the others wait for a slow grammar? We'll let the worker take ten steps for it, and
# mark each step in which a request gets a token.

# %%
slow = Worker()
busy = Engine(SmallModel.load(), small, structured_outputs(small, submit=slow.submit))
prompt = tokenizer.prompt("Hex code of violet?")
params = SamplingParams(max_tokens=24, temperature=1, seed=1)
story = tokenizer.prompt("Tell me a joke about cats")
free = busy.add_request(story, params, request_id="free")
hexes = {"type": "regex", "pattern": "#[0-9a-f]{6}"}
late = busy.add_request(prompt, params, response_format=hexes, request_id="new grammar")
written = {"free": [], "new grammar": []}
for step in range(18):
    if step == 10:
        slow.work()
    got = {output.request_id for output in busy.step()}
    for name in written:
        written[name].append(name in got)
print(small.decode(late.output_token_ids), late.finish_reason)

# %%
steps = [str(step) for step in range(18)]
title = "Who gets a token, step by step; the compile ends before step 10"
mask_svg([*written.values()], steps, names=[*written], title=title)

# %% [markdown]
# The request with the new grammar starts in the step after its compile, and the free one never missed a step.
#
# Some requests can't be served at all: a pattern may not compile, or no match may fit into the budget. Each of these
# fails alone.

# %%
for pattern, most in (("(", 9), ("[0-9]{30}", 9)):
    form = {"type": "regex", "pattern": pattern}
    few = SamplingParams(max_tokens=most)
    request = engine.add_request(prompt, few, response_format=form)
    try:
        answers(engine, request)
    except (ValueError, BudgetTooSmall) as error:
        print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
print("left in the engine:", len(engine.requests), "requests")

# %% [markdown]
# ### The front end
#
# Who sends such requests? Often it's a program that fills in a text part by part. Each `gen` is one request, and its
# prompt is all of the text so far.

# %%
program = Program(engine, tokenizer.prompt, "Hex code of violet?")
program.params = SamplingParams(temperature=0)
print(program.gen("colour", regex="#[0-9a-f]{6}"))
program += " Is it bright?"
print(program.gen("bright", choices=["yes", "no"]))
number = {"type": "object", "properties": {"n": {"type": "integer"}}}
number["required"] = ["n"]
print(json.loads(program.gen("n", json_schema=number, max_tokens=20)))

# %% [markdown]
# ## What a mask costs a step
#
# Is all of this affordable? Take three batches of 32 rows over 131,072 tokens, in which nobody, half of the rows, or
# all of them have a constraint. We time `mask_batch` alone. For comparison, a step of a large model takes tens of
# milliseconds.

# %% tags=["timing"]
tekken = Vocabulary.tekken()
large = compile_guide(tekken, regex=r'\{"name": "[a-z ]{1,20}", "n": [0-9]+\}')
large.mask(large.initial)
rows = np.zeros((32, len(tekken)), np.float32)
taken = {}
for share in (0, 16, 32):
    states = [StructuredOutputState(large) for _ in range(share)]
    begun = time.perf_counter()
    for _ in range(5):
        mask_batch([*states, *[None] * (32 - share)], rows)
    taken[f"{share} of 32 rows"] = (time.perf_counter() - begun) / 5
bar_chart(taken, title="mask_batch of 32 rows", unit="s")

# %% [markdown]
# Without constraints it takes no time, since there's nothing to do. Otherwise, the time goes into writing minus
# infinity into rows of half a megabyte each. Lab 15 moves that to the device where the logits are.
