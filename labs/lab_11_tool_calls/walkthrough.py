# %% [markdown]
# # Lab 11, walked through: tool calls
#
# A model with tools chats, writes a trigger, then a call in which every character matters, and then it may chat on.
# Here we build one automaton that reads all of it, constrain a real model with it, and put it into lab 09's engine.
# This page calls the reference. If you'd like to write the functions yourself first, start with the
# [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_11_tool_calls/walkthrough.ipynb)

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
from labkit.pictures import (
    DrawnAnswer,
    Lane,
    Moment,
    answers_svg,
    bar_chart,
    mask_svg,
    timeline_svg,
)
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary

tokenizer = Tokenizer.load()
small = tokenizer.vocabulary

# %% tags=["hide-input"]
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from labs.lab_09_inside_an_engine.solution import mask_batch
from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.pictures import one_automaton, overlap
from labs.lab_11_tool_calls.solution import (
    StructuredOutputState,
    Tool,
    ToolCallStream,
    ToolGuide,
    format_named,
    join,
    make_triggers,
    mask_rows,
    merge_openings,
    openings_of,
    step,
    tool_automaton,
    tool_set_key,
)
from mask_engine import guide_of, tool_outputs

# %%
one_automaton()

# %% [markdown]
# States 0 to 2 are free text in which nothing, `<`, or `<a` of the trigger `<a>` has just been written. The `>` leads
# into the call, and the `;` that ends the call leads back.
#
# ## Noticing a trigger
#
# The obvious check is `text.endswith(trigger)` after each token. It works as long as a token happens to end where the
# trigger ends. The second line below is how Mistral's tokenizer cuts a call in Hermes's format, and there it doesn't.

# %%
for tokens in (["so ", "<tool_", "call>"], ["<", "tool", "_call", ">{", '"', "name"]):
    text, noticed = "", False
    for token in tokens:
        text += token
        noticed |= text.endswith("<tool_call>")
    print(tokens, "noticed" if noticed else "not noticed")

# %% [markdown]
# An Aho-Corasick automaton reads characters, so it doesn't care where tokens end. Its state is how much of a trigger
# has just been written. After a character that doesn't fit, it falls back to the longest suffix that may still become
# one.

# %%
overlap()

# %%
triggers = make_triggers(["aab"])
node = 0
for char in "aaab":
    node = step(triggers, node, char)
    print(char, "-> node", node, "found" if triggers.found[node] else "")

# %% [markdown]
# If we'd started over at the root after the third `a`, we'd have missed the trigger.
#
# ## One automaton
#
# `join` stacks free text and bodies in one table of transitions. Which tokens fit is then lab 07's question, and it
# needs no special case: one token may end a call, say something, and begin the trigger again.

# %%
joined = join({"<a>": (compile_dfa("[0-9]+;"), 0)})
tokens = [b"<a>b", b"<a>7", b"7;<a", b";x", b"<<a", b"</s>"]
guide = ToolGuide(guide_of(Vocabulary(tokens, eos_id=5), joined.dfa), joined)


def allowed_after(token_ids):
    """Return the tokens that may follow, as texts."""
    state = guide.initial
    for token_id in token_ids:
        state = guide.advance(state, token_id)
    bits = int(guide.mask(state)[0])
    return [tokens[i].decode() for i in range(len(tokens)) if bits >> i & 1]


columns = [token.decode() for token in tokens]
found = {"at the start": allowed_after([]), "after <a>7": allowed_after([1])}
rows = [[column in allowed for column in columns] for allowed in found.values()]
mask_svg(rows, columns, names=[*found], title="Free text, and inside a call")

# %% [markdown]
# At the start only `<a>b` is forbidden, because it opens a call and goes wrong in it. Inside the call EOS is forbidden,
# since half a call isn't an answer.
#
# ## Real formats
#
# Models write calls in many formats, and each is a row of a table. From a row and the tools of a request we get the
# automaton of its answers. In it names and arguments agree: no tool is called with another one's arguments.


# %%
def object_of(**properties):
    """Return the schema of an object that has these properties and no others."""
    names = [*properties]
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }


tools = [
    Tool("get_weather", object_of(city={"type": "string"})),
    Tool("get_time", object_of(zone={"type": "string"})),
]
sizes = {}
for name in ("hermes", "mistral_v13", "llama4_pythonic", "glm47"):
    row = format_named(name)
    dfa = tool_automaton(row, tools).dfa
    print(f"{name:16} trigger {row.triggers[0]!r:15} {row.body:22} {len(dfa)} states")
    sizes[name] = len(dfa)
bar_chart(sizes, title="Two tools in four formats: states of the automaton")

# %%
dfa = tool_automaton(format_named("mistral_v13"), tools).dfa
for answer in (
    'It is late. [TOOL_CALLS]get_time[ARGS]{"zone": "CET"}',
    '[TOOL_CALLS]get_time[ARGS]{"city": "Rome"}',
    '[TOOL_CALLS]get_mail[ARGS]{"city": "Rome"}',
    "No tool is needed.",
):
    print(fullmatch(dfa, answer), answer)

# %% [markdown]
# What about `tool_choice` and `parallel_tool_calls`? They only change which states accept, and where transitions lead.
# A required call comes first, because text before it would only spend the budget.

# %%
call = '[TOOL_CALLS]get_time[ARGS]{"zone": "CET"}'
answers = {"text": "Hm.", "text and a call": f"Hm. {call}"}
answers |= {"a call": call, "two calls": call + call}
cases = (("auto", True), ("none", True), ("required", True), ("auto", False))
mistral = format_named("mistral_v13")
for choice, parallel in cases:
    dfa = tool_automaton(mistral, tools, choice, parallel=parallel).dfa
    fits = [name for name, answer in answers.items() if fullmatch(dfa, answer)]
    print(f"{choice:8} parallel={parallel!s:5} ", ", ".join(fits))

# %% [markdown]
# ## The small model calls a tool
#
# Let's ask the course's model, early in its training, for a call. It has learned Mistral's format as some decoders show
# it, without `[ARGS]`.

# %%
TIMER = {
    "type": "function",
    "function": {
        "name": "set_timer",
        "parameters": object_of(minutes={"type": "integer"}, label={"type": "string"}),
    },
}
PROMPT = """Tools:
set_timer(minutes: integer, label: string)
Style: mistral_v11
Timer of 62 minutes for the desk"""
manager = tool_outputs(small, "mistral_bare")


# %%
def ask(**choice):
    """Return the model's answer; special tokens stand as control characters."""
    engine = Engine(SmallModel.load("early"), small, manager)
    wanted = {"type": "tools", "tools": [TIMER], **choice} if choice else None
    params = SamplingParams(max_tokens=60, temperature=0)
    prompt = tokenizer.prompt(PROMPT)
    request = engine.add_request(prompt, params, response_format=wanted)
    engine.generate(request)
    ids = [i for i in request.output_token_ids if i != small.eos_id]
    return b"".join(manager.vocabulary.token_bytes[i] for i in ids).decode()


free = ask()
masked = ask(tool_choice="required")
none = ask(tool_choice="none")
drawn = [DrawnAnswer("no mask", free, None, "whatever it likes")]
drawn += [DrawnAnswer("required", masked, None, "a call of set_timer")]
drawn += [DrawnAnswer("none", none, None, "no call")]
answers_svg("Timer of 62 minutes for the desk", drawn)

# %% [markdown]
# `\x01` is the special token `[TOOL_CALLS]`. `spelling` gave it a character of its own, so the same text spelled out in
# ordinary tokens means nothing. Whatever format the model has in mind, the mask makes the call one of the request's
# tools. After the call the answer ends, because in this format the turn does.
#
# ## What a client sees
#
# The same automaton takes the answer apart while it's being written. Whatever may still become a trigger is held back,
# because nobody can remove it from a client's screen. Arguments are sent on as they grow.

# %%
row, offered = manager.row, [Tool("set_timer", TIMER["function"]["parameters"])]
automaton = tool_automaton(row, offered, spelled=manager.spelled)
stream = ToolCallStream(row, offered, automaton, manager.spelled)
answer = 'Sure. \x01set_timer{"minutes": 62, "label": "desk"}'
pieces, received = [], []
for start in range(0, len(answer), 9):
    piece = answer[start : start + 9]
    texts, deltas = stream.feed(piece)
    told = [delta["function"] for delta in deltas]
    print(f"{piece!r:16} said {texts}, told {json.dumps(told)}")
    pieces.append(Moment(piece))
    grown = "".join([*texts, *(each.get("arguments", "") for each in told)])
    received.append(Moment(grown or "·", "held back" if not (texts or told) else ""))
message, finish_reason = stream.message()
print(finish_reason, json.dumps(message, indent=1))

# %%
lanes = [Lane("the model writes", pieces), Lane("the client gets", received)]
timeline_svg(lanes, title="Text and arguments, sent on as they grow")

# %% [markdown]
# ## What it costs
#
# In free text a token costs two look-ups, however many triggers there are. And a mask touches only the shorter list:
# the few ids that are forbidden in free text, or the few that are allowed in a call.

# %%
real = Vocabulary.tekken()
names = [tool.name for tool in tools]


def guide_for(rows):
    """Return a guide through answers that may call the tools in any of the formats."""
    openings = [each for row in rows for each in openings_of(row, tools, names)]
    both = join(merge_openings(openings))
    return ToolGuide(guide_of(real, both.dfa), both)


one, every = guide_for([FORMATS["hermes"]]), guide_for(FORMATS.values())
print("free states for one format:", one.n_free)
print(f"for all {len(FORMATS)}:", every.n_free)

# %% tags=["timing"]
byte_of = {token: i for i, token in enumerate(real.token_bytes)}
word = byte_of[b" weather"]


def best(job, *arguments):
    """Return the best time of a call in µs."""
    found = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(200):
            job(*arguments)
        found.append((time.perf_counter() - start) / 200 * 1e6)
    return min(found)


logits = np.zeros((1, len(real)), np.float32)
inside = one.initial
for char in '<tool_call>{"name": "get_weather", "arguments": {"ci':
    inside = one.advance(inside, byte_of[char.encode()])
token_times = {}
for name, guide in (("one format", one), ("all formats", every)):
    asked = best(guide.mask, 0) + best(guide.advance, 0, word)
    print(f"free text, {name:12} mask and next state {asked:6.2f} µs")
    token_times[name] = asked / 1e6
for name, state in (("free text", 0), ("in a call", inside)):
    row_of = [StructuredOutputState(one, state)]
    costs = [best(mask, row_of, logits) for mask in (mask_batch, mask_rows)]
    print(f"logits, {name:10} lab 09 {costs[0]:6.0f} µs, here {costs[1]:6.1f} µs")
title = "A token of free text, however many formats there are"
bar_chart(token_times, title=title, unit="s")

# %% [markdown]
# ### One compile for a tool set
#
# Agents send the same tools with every request, so we compile them once. The key says which requests may share a guide.

# %%
key = tool_set_key("hermes", tools)
print(tool_set_key("hermes", tools[::-1]) == key, "in another order")
print(tool_set_key("hermes", tools, "required") == key, "where a call is required")
print(tool_set_key("hermes", tools[:1]) == key, "with one tool")
