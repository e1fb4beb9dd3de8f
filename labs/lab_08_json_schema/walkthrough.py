# %% [markdown]
# # Lab 08, walked through: JSON Schema
#
# Let's follow one JSON Schema all the way: to a tree, to an automaton, and to masks over 131,072 tokens.
# At the end, models that want something quite different write objects of a Python class for us. This page runs the
# reference. If you'd rather write the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_08_json_schema/walkthrough.ipynb)

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
import re
import time
from datetime import date
from itertools import product
from typing import Literal

import numpy as np
from jsonschema import Draft202012Validator, FormatChecker
from pydantic import BaseModel, Field

from labkit.automata import Nfa
from labkit.automata.trees import char, regex_of, size_of
from labkit.errors import SchemaError
from labkit.models import adversary, digit_lover, seeded_random
from labkit.pictures import (
    DrawnAnswer,
    answers_svg,
    bar_chart,
    fsm_svg,
    line_chart,
    mask_svg,
)
from labkit.vocabulary import Vocabulary

LIGHT = {"on": {"type": "boolean"}, "dim": {"enum": [10, 50]}}

# %% tags=["hide-input"]
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch, minimize_dfa
from labs.lab_08_json_schema.given.integers import integer_between
from labs.lab_08_json_schema.given.sharing import shared_text
from labs.lab_08_json_schema.given.whitespace import policy
from labs.lab_08_json_schema.solution import (
    all_of,
    any_of,
    array_tree,
    compare_digits,
    complement,
    json_schema_to_regex,
    literal_tree,
    number_tree,
    object_tree,
    schema_tree,
    spell_character,
    splice,
    string_tree,
)
from labs.lab_08_json_schema.solution import product as pairs_of
from mask_engine import compile_guide
from mask_engine.operations import automaton_of
from mask_engine.trees.whole import schema_automaton


# %% tags=["hide-input"]
def is_json(text):
    try:
        json.loads(text).encode()
    except (json.JSONDecodeError, UnicodeEncodeError):
        return False
    return True


def by(pattern):
    return lambda text: re.fullmatch(pattern, text) is not None


# %%
light = {"type": "object", "properties": LIGHT, "required": ["on"]}
pattern = json_schema_to_regex(light, whitespace="compact")
print(pattern)
title = "on, and perhaps dim, as JSON without white space"
fsm_svg(compile_dfa(pattern), chains=True, title=title)

# %% [markdown]
# Here a row of characters is drawn as one arrow. Every path to the last state is an object of the schema, and there's
# no path for anything else. If you leave out `dim`, you leave out its comma too. The lab's functions don't glue this
# pattern together, though: they build its tree, and `regex_of` writes the tree as a pattern.
#
# ## The schema
#
# Suppose that you run a support desk, and want a ticket for every mail. In Python a ticket is a class, and Pydantic
# writes its JSON Schema for you:


# %%
class Ticket(BaseModel):
    title: str = Field(min_length=1, max_length=30)
    severity: Literal["low", "high"]
    votes: int
    open: bool = True
    tags: list[str] = Field(default=[], max_length=3)


schema = Ticket.model_json_schema()
print({keyword: value for keyword, value in schema.items() if keyword != "properties"})
for key, part in schema["properties"].items():
    print(f"  {key}: {part}")

# %%
severity = compile_dfa(json_schema_to_regex(schema["properties"]["severity"]))
fsm_svg(severity, chains=True, title="The severity: an enum is a choice between texts")

# %% [markdown]
# Not all of that constrains anything: a `title` or a `default` beside a type is only an annotation. What counts is
# `type`, `enum`, `minLength`, `maxLength`, `items`, `maxItems`, and `required`. Notice that `open` and `tags` aren't
# required, because the class has defaults for them.
#
# ## Strings
#
# If you search the web for an expression for JSON strings, you'll find `"([^"\\]|\\.)*"`. Here it is beside the lab's.
# The judge is `json.loads`. It lets half a surrogate pair pass, so we also ask whether the result can be written as
# UTF-8.


# %%
def compare(texts, judges):
    """Print for each text what each judge says."""
    print(" " * 24 + "".join(f"{name:>14}" for name in judges))
    for text in texts:
        shown = "".join(c if c.isprintable() else f"<{ord(c):02x}>" for c in text)
        verdicts = ["yes" if says(text) else "." for says in judges.values()]
        print(f"{shown:24}" + "".join(f"{verdict:>14}" for verdict in verdicts))


short = [r'"\n"', r'"\/"', r'"\x"', r'"\u00e9"', r'"\u00e"']
pairs = [r'"\ud83d\ude00"', r'"\ud83d"', r'"\ude00\ud83d"']
texts = ['"red"', '"say \\"no\\""', '"a\nb"', '"\t"', '"é"', *short, *pairs]
common = by(r'"([^"\\]|\\.)*"')
ours = by(regex_of(string_tree()))
compare(texts, {"json": is_json, "common": common, "string_tree": ours})

# %% [markdown]
# The popular one accepts six texts that aren't JSON. Does that matter? It will: a model that's writing a string, and
# would like to start a new paragraph, will try the raw new line.
#
# A length counts characters, however they're written. Each of these four strings has one:

# %%
for text in ['"a"', r'"\n"', r'"\u00e9"', r'"\ud83d\ude00"']:
    lengths = [n for n in range(15) if re.fullmatch(regex_of(string_tree(n, n)), text)]
    length = len(json.loads(text))
    print(f"{text:16} {len(text) - 2:2} characters, length {length}, fits {lengths}")

# %% [markdown]
# The automaton of all strings has a state for each place inside an escape. In state 1 you're between two characters. In
# state 4 you've read `\u`, and in state 6 a `d` after it: the next digit decides whether this is a character (0 to 7)
# or half a pair (8 to b).

# %%
fsm_svg(automaton_of(string_tree()), title="Any JSON string")

# %%
for most in (1, 10, 100, 1000):
    states = len(automaton_of(string_tree(0, most)))
    print(f"at most {most:5,} characters: {states:6,} states")

# %% [markdown]
# An automaton that counts needs all of this for each character: 13 states, six of them only for surrogate pairs.
#
# ## Numbers

# %%
texts = ["0", "-7", "-0", "01", "1.0", "1.", ".5", "-0.50", "1e9", "1E+05"]
texts += ["+1", "1e", "NaN"]
integer, number = (regex_of(number_tree(integer=each)) for each in (True, False))
compare(texts, {"integer": by(integer), "number": by(number)})

# %%
fsm_svg(automaton_of(number_tree(integer=False)), title="Any JSON number")

# %% [markdown]
# ## One character, many forms
#
# A key or a value of `enum` has to be written as JSON, and not every writer writes it alike. In a pattern, JSON's own
# backslash has to be written twice. In a tree it's one character like any other:

# %%
for each in ["a", ".", '"', "\\", "/", "\n", "é", "😀"]:
    in_json = json.dumps(each, ensure_ascii=False)
    pattern = regex_of(spell_character(each))
    print(f"{each!r:6} in JSON {in_json:6} as a pattern {pattern}")

# %%
fsm_svg(automaton_of(literal_tree("é")), title='The string "é", as itself or escaped')

# %% [markdown]
# ## Commas
#
# Take an object that may have the members a, b and c, in this order, where each may be missing. One letter is a whole
# member here. Four expressions compete; below each you see all texts that it matches, with up to five characters
# between the braces:


# %%
def all_between(pattern):
    rows = (row for length in range(6) for row in product("abc,", repeat=length))
    texts = map("".join, rows)
    return [f"{{{text}}}" for text in texts if re.fullmatch(pattern, f"{{{text}}}")]


members = [(char("a"), False), (char("b"), False), (char("c"), False)]
for pattern in [
    r"\{(?:a,)?(?:b,)?(?:c)?\}",
    r"\{(?:a)?(?:,b)?(?:,c)?\}",
    r"\{(?:a)?,?(?:b)?,?(?:c)?\}",
    regex_of(object_tree(members, policy("compact"))),
]:
    print(f"{pattern}\n    {' '.join(all_between(pattern))}")

# %% [markdown]
# Only the last one is right, and it's the lab's. It asks which member comes first. Then there's nothing left to decide,
# because every later member brings its own comma.
#
# If b is required, c never comes first, and b is never missing. You can draw that as two chains of states, F as long as
# no member is written, and R from then on:


# %%
def on(symbol, target):
    return ((ord(symbol), ord(symbol)),), target


first_chain = [on("{", 1), on("a", 3), on("b", 5)]
rest = [on(",", 4), on("b", 5), on(",", 6), on("c", 7), on("}", 8)]
moves = [[transition] for transition in first_chain + rest] + [[]]
silent = [[], [2], [], [], [], [7], [], [], []]
chains = Nfa(moves, silent, initial=0, accepting=8)
notes = {1: "F0", 2: "F1", 3: "R1", 5: "R2", 7: "R3"}
fsm_svg(chains, notes=notes, title="Members a?, b, c?: F while none is written, then R")

# %%
members = [(char("a"), False), (char("b"), True), (char("c"), False)]
dfa = automaton_of(object_tree(members, policy("compact")))
fsm_svg(dfa, title="The same by object_tree, as a minimal automaton")

# %% [markdown]
# With many members the pattern grows with their square, because it can't share anything. The tree does share, and grows
# as they do. So does the automaton:

# %%
for count in (5, 10, 20, 40):
    keys = {f"key{i}": {"type": "string"} for i in range(count)}
    tree = schema_tree({"type": "object", "properties": keys}, space=policy("compact"))
    sizes = f"{size_of(tree):4} nodes, {len(regex_of(tree)):8,} characters"
    print(f"{count:2} optional strings: {sizes}, {len(automaton_of(tree)):4} states")

# %% [markdown]
# ## The ticket
#
# Back to the support desk. Here's the whole schema, with both policies of white space:

# %%
sizes = {}
for whitespace in ("compact", "flexible"):
    pattern = json_schema_to_regex(schema, whitespace=whitespace)
    states = len(compile_dfa(pattern))
    print(f"{whitespace:8} {len(pattern)} characters, an automaton of {states} states")
    sizes[f"{whitespace}, characters"] = len(pattern)
    sizes[f"{whitespace}, states"] = states
bar_chart(sizes, title="The ticket as a pattern and as an automaton")

# %%
automaton = compile_dfa(json_schema_to_regex(schema))
ticket = Ticket(title="Café: no water", severity="high", votes=2, tags=["kitchen"])
written = ticket.model_dump_json()
value = ticket.model_dump()
texts = {
    "as Pydantic writes it": written,
    "json.dumps": json.dumps(value),
    "json.dumps, indent=2": json.dumps(value, indent=2, ensure_ascii=False),
    "without open and tags": '{"title": "x", "severity": "low", "votes": 0}',
    "without votes": '{"title": "x", "severity": "low"}',
    "another key": '{"title": "x", "severity": "low", "votes": 0, "by": "me"}',
    "another order": '{"severity": "low", "title": "x", "votes": 0}',
    "a severity too many": written.replace("high", "higher"),
    "an empty title": written.replace("Café: no water", ""),
    "votes in quotes": written.replace("2", '"2"'),
}
valid = Draft202012Validator(schema).is_valid
judges = {
    "jsonschema": lambda name: valid(json.loads(texts[name])),
    "automaton": lambda name: fullmatch(automaton, texts[name]),
}
compare(texts, judges)

# %% [markdown]
# Whatever the automaton matches is valid. The other way round it isn't true: it refuses two valid objects, and on
# purpose, since it only *writes* declared keys, in the order in which they're declared.
#
# ## On the real vocabulary
#
# `compile_guide` is labs 06, 07 and 08 in one call: from the schema to an automaton over characters, to one over bytes,
# to masks. Which tokens may come first?

# %%
vocabulary = Vocabulary.tekken()
guide = compile_guide(vocabulary, json_schema=schema)


def allowed(state, remaining=None):
    """The ids whose bits are 1 in the mask."""
    bits = np.unpackbits(guide.mask(state, remaining).view(np.uint8), bitorder="little")
    return np.flatnonzero(bits[: len(vocabulary)])


tokens = vocabulary.token_bytes
print([tokens[token_id].decode() for token_id in allowed(guide.initial)])
shortest = guide.tokens_to_accept(guide.initial)
print("the shortest ticket takes", shortest, "tokens and EOS")

# %% [markdown]
# Now let's walk along our ticket, always taking the longest token that fits, and count how many tokens are allowed at
# each step:

# %%
state, rest, counts = guide.initial, written.encode(), []
while rest:
    ids = allowed(state)
    fitting = [i for i in ids if rest.startswith(tokens[i])]
    token_id = max(fitting, key=lambda i: len(tokens[i]))
    print(f"{len(ids):7,} allowed   {tokens[token_id].decode()!r}")
    counts.append((len(counts), len(ids)))
    state, rest = guide.advance(state, token_id), rest[len(tokens[token_id]) :]
at_end = allowed(state).tolist()
print(f"{len(at_end):7,} allowed   EOS: {at_end == [vocabulary.eos_id]}")

# %%
line_chart(
    {"tokens in the mask": counts},
    title="Along the ticket: inside a string, and between strings",
    x_label="step",
    y_label="allowed",
    log_y=True,
)

# %% [markdown]
# Inside a string nearly everything is allowed, and around it next to nothing. Look at the token `","`: it ends a
# string, writes the comma and starts the next key, because tokens don't care about the structure of your schema. And
# where only one key can follow, many tokens may still begin it, in pieces of any size. (Lab 10 makes use of that.)
#
# ## Models that want something else
#
# The adversary wants to chat, the digit lover wants digits, and the third model prefers tokens at random. We ask each
# of them for a ticket of at most 60 tokens, first with lab 04's mask, then with lab 05's, which knows how many tokens
# remain.


# %%
def answer(model, budget, *, in_time):
    state, ids = guide.initial, []
    while len(ids) < budget and vocabulary.eos_id not in ids:
        legal = allowed(state, budget - len(ids) if in_time else None)
        ids.append(int(legal[model(ids)[legal].argmax()]))
        state = guide.advance(state, ids[-1])
    return vocabulary.decode(ids), vocabulary.eos_id in ids


chat = ["Sure", ",", " here", " is", " your", " ticket", "!"]
models = {
    "adversary": adversary(vocabulary, wants=chat),
    "digit lover": digit_lover(vocabulary),
    "random": seeded_random(len(vocabulary), seed=2),
}
shown = []
for name, model in models.items():
    for in_time in (False, True):
        text, ended = answer(model, 60, in_time=in_time)
        says = "cut off"
        if ended:
            says = "valid" if valid(json.loads(text)) else "WRONG"
        budget = "with" if in_time else "without"
        heading, end = f"{name}, {budget} a budget", len(text)
        shown.append(DrawnAnswer(heading, text, None if ended else end, says))
answers_svg("a ticket of at most 60 tokens, please", shown)

# %% [markdown]
# An answer that's cut off is only the prefix of a ticket, and no program can read that. With the budget, each answer is
# an object that `jsonschema` accepts. It isn't a sensible one, since these models have nothing to say: a mask decides
# what a text may look like, and not what it says.
#
# That's the lab's first part. The rest of this page is about its second: what an engine needs beyond it.
#
# ## Beyond the subset
#
# Real classes contain other classes, dates, bounds, and optional values. Pydantic writes them as `$ref`, `format`,
# `exclusiveMinimum`, `oneOf` and `anyOf`. The lab's own compiler doesn't know these words, so it refuses the first one
# that it meets, with its name and its place:


# %%
class Room(BaseModel):
    floor: int = Field(ge=0, le=12)
    code: str = Field(pattern="^[A-Z]{2}[0-9]$")


class Person(BaseModel):
    kind: Literal["person"]
    name: str = Field(min_length=1, max_length=20)


class Team(BaseModel):
    kind: Literal["team"]
    heads: int = Field(ge=2, lt=100)


class Booking(BaseModel):
    room: Room
    day: date
    hours: float = Field(gt=0, le=8)
    by: Person | Team = Field(discriminator="kind")
    note: str | None = Field(default=None, max_length=40)


booking_schema = Booking.model_json_schema()
try:
    json_schema_to_regex(booking_schema)
except SchemaError as error:
    print(f"{type(error).__name__}: {error}")
for key, part in booking_schema["properties"].items():
    print(f"  {key}: {part}")

# %% [markdown]
# `mask_engine/` compiles it, with the functions of both parts. Here are the same models, with 80 tokens each and the
# budget:

# %%
guide = compile_guide(vocabulary, json_schema=booking_schema)
judge = Draft202012Validator(booking_schema, format_checker=FormatChecker())
shown = []
for name, model in models.items():
    text, ended = answer(model, 80, in_time=True)
    says = "valid" if ended and judge.is_valid(json.loads(text)) else "WRONG"
    shown.append(DrawnAnswer(name, text, None, says))
    Booking.model_validate_json(text)  # raises if Pydantic thinks otherwise
answers_svg("a booking, please", shown)

# %% [markdown]
# Look at the third day. JSON lets a writer escape any character, and the value is the 13th of August. So the mask
# allows a day in escapes, and still only days that exist.
#
# ## Markers
#
# Some parts are automata already: a number above a bound, say, once without a sign and once after a minus. How do you
# put one automaton into another? Put one character in its place, a *marker*. A surrogate will do, since it occurs in no
# text. With a marker in place of an array's item you get a small automaton, the skeleton:

# %%
marker = "\ud800"
skeleton = automaton_of(array_tree(char(marker), 0, 2, policy("compact")))
fsm_svg(skeleton, title="At most two items, the marker U+D800 for each")

# %%
whole = splice(skeleton, {ord(marker): compile_dfa("true|false")})
fsm_svg(whole, chains=True, title="The same with true|false in its place")

# %% [markdown]
# Each of the two places has a copy of its own, because they continue differently. A single copy would forget where you
# entered it, and then `axb` would match here:

# %%
doors = splice(compile_dfa("aNa|bNb"), {ord("N"): compile_dfa("x|y")})
print([text for text in ["axa", "byb", "axb", "bxa", "aNa"] if fullmatch(doors, text)])

# %% [markdown]
# A pattern for lists of lists doubles with each level, because an array has its item in two places. The tree shares the
# item, and an automaton with markers grows as slowly:

# %%
lists, automaton = {"type": "integer"}, automaton_of(number_tree(integer=True))
skeleton = automaton_of(array_tree(char("N"), 0, None, policy("flexible")))
for depth in range(1, 13):
    lists = {"type": "array", "items": lists}
    automaton = splice(skeleton, {ord("N"): automaton})
    if depth in (1, 2, 4, 8, 12):
        tree = schema_tree(lists, space=policy("flexible"))
        sizes = f"{size_of(tree):3} nodes, {len(automaton):4} states with markers"
        print(f"{depth:2} deep: {len(regex_of(tree)):8,} characters, {sizes}")

# %% [markdown]
# ## Two at once, and none
#
# An automaton stands for a set of texts. Run two of them side by side, and you have an automaton whose states are
# pairs; which pairs accept is up to us. Here are identifiers that aren't keywords:

# %%
identifier, keyword = compile_dfa("[a-z]+"), compile_dfa("if|in")
pairs = pairs_of(identifier, keyword, lambda left, right: left and not right)
other = minimize_dfa(pairs)
print({text: fullmatch(other, text) for text in ["i", "if", "in", "into", "x", ""]})
fsm_svg(other, title="[a-z]+, and neither if nor in")

# %% [markdown]
# The complement matches all the other texts. It isn't enough to swap accepting states and others, because the texts on
# which the automaton dies must match too. So the complement has one state more, just for these:

# %%
print(len(keyword), "states, and of the complement", len(complement(keyword)))
fsm_svg(complement(keyword), title="all texts but if and in")

# %% [markdown]
# `anyOf` and `allOf` fold it over several automata. And is there any text at all that satisfies all of
# them? To find out, walk through all automata side by side. You end up with a shortest text, or with the certainty that
# there is none. That's how an engine knows, before the first token, that it can't keep its promise.


# %%
def matched(automaton, texts):
    return [text for text in texts if fullmatch(automaton, text)]


patterns = ["(?s:.){0,4}", "[A-Z]{2}[0-9]+", "[a-z]+"]
short, codes, words = map(compile_dfa, patterns)
print(shared_text([short, codes]), shared_text([codes, words]))
texts = ["AB1", "AB123", "abc", "abcde", ""]
print("any of them:", matched(any_of([codes, words]), texts))
print("all of them:", matched(all_of([short, codes]), texts))

# %%
title = "Two capitals, then digits, and at most four characters"
fsm_svg(all_of([short, codes]), title=title)

# %% [markdown]
# ## JSON last
#
# A length or a pattern is about the value, and not about how it's spelled. So the engine compiles values first, and
# spells them in JSON at the very end, with `spell_character` where a character is given. A slash and a new line,
# for example, can be written in several ways:

# %%
either = schema_automaton({"enum": ["/", "\n"]})
fsm_svg(either, title="The JSON strings of a slash and of a new line")

# %%
texts = ['"/"', r'"\/"', r'"\u002f"', r'"\n"', '"\n"', r'"\u000A"', "/"]
print(matched(either, texts))
flags = {"type": "object", "additionalProperties": {"type": "boolean"}}
flags["properties"] = {"a": {"type": "null"}}
texts = ['{"a": null, "b": true}', '{"a": true}']
texts += [r'{"\u0061": true}', r'{"\u0062": true}']
print(matched(schema_automaton(flags), texts))

# %% [markdown]
# Of the slash, `"\u002f"` is missing: where a character is given, only those forms match that writers use. In the last
# line, any key but `a` may have a boolean. The engine leaves out `a` as a value before it spells the keys, so
# `"\u0061"`, another spelling of `a`, can't slip through. `"\u0062"` is a `b`, and fine.
#
# ## Bounds
#
# You can tell whether a number is less than 17 by reading it from the left. Before the point the length decides first,
# then the first digit that differs. What you have to remember on the way is so little that it fits into five states:

# %%
fsm_svg(compare_digits("17", [-1]), title="Less than 17, from the left")

# %%
below = compare_digits("17.5", [-1])
print(matched(below, ["9", "17", "17.49", "17.50", "17.6", "100"]))
print(regex_of(integer_between(-10, 7)), regex_of(integer_between(38, 250)))
print(size_of(integer_between(0, 10**30)))

# %% [markdown]
# Integers between two bounds are a tree: numbers with equally many digits compare as words do. After a minus sign the
# order turns round, and -10 to 7 comes out right. A bound of 31 digits is no problem either.
#
# ## A pattern is a search
#
# Lab 06 matches whole texts. JSON Schema's `pattern` asks something else: is there a match *somewhere* in the text? And
# its `\d` means the ten digits of ASCII. Again it constrains the value, and JSON's spelling comes last.


# %%
def accepts(schema):
    automaton = schema_automaton(schema)
    return lambda text: fullmatch(automaton, text)


texts = ['"b"', '"abc"', '"a"', r'"\u0062"', '"7"', '"٣"', '"room 7"']
searched = ["b", "^b$", r"\d", r"^\d", r"\D$"]
schemas = [{"type": "string", "pattern": each} for each in searched]
rows = [[says(text) for text in texts] for says in map(accepts, schemas)]
mask_svg(rows, texts, names=searched, title="Which texts each pattern takes")

# %% [markdown]
# If one text has several constraints, the engine intersects them. And a date is an automaton that knows the calendar:

# %%
lengths = {"minLength": 2, "maxLength": 3}
both = accepts({"type": "string", "pattern": "^[a-z]+$", **lengths})
print([text for text in ['"a"', '"ab"', '"abc"', '"abcd"', '"aBc"'] if both(text)])
is_date = accepts({"type": "string", "format": "date"})
days = ["2023-02-29", "2024-02-29", "2100-02-29", "2000-02-29", "2024-04-31"]
print([day for day in days if is_date(f'"{day}"')])

# %% [markdown]
# ### What is refused
#
# An engine that ignores a keyword looks right, until somebody gets an answer that violates it. This one refuses. If the
# schema is malformed, you get an `InvalidSchema`; if it means something that isn't covered, an `UnsupportedSchema`.

# %%
words = {"type": "array", "items": {"type": "string"}}
refused = [
    {"type": "object", "properties": {"a/b": {"type": "strin"}}},
    {"type": "string", "maxLength": -1},
    {"type": "string", "pattern": "a(b"},
    {"type": "string", "pattern": "a(?=b)"},
    {**words, "uniqueItems": True},
    {"type": "string", "format": "idn-email"},
    {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
]
for schema in refused:
    try:
        schema_automaton(schema)
    except SchemaError as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# ## What it costs
#
# How long does it take from a schema to its automaton, to the first mask, and to all masks? These are the times on the
# computer that built this page.


# %% tags=["timing"]
def milliseconds(function, *arguments, **keywords):
    start = time.perf_counter()
    result = function(*arguments, **keywords)
    return 1000 * (time.perf_counter() - start), result


keys = {f"key{i}": {"type": "string"} for i in range(40)}
many = {"type": "object", "properties": keys}
print(f"{'':22}{'states':>8}{'automaton':>12}{'first mask':>12}{'all masks':>12}")
compiled = {}
for name, schema in {
    "the ticket": Ticket.model_json_schema(),
    "the booking": booking_schema,
    "40 strings": many,
}.items():
    compiling, automaton = milliseconds(schema_automaton, schema)
    with_guide, guide = milliseconds(compile_guide, vocabulary, json_schema=schema)
    first, _ = milliseconds(guide.mask, guide.initial)
    rest, _ = milliseconds(guide.prepare)
    to_mask = max(with_guide - compiling, 0) + first
    times = "".join(f"{each:9.0f} ms" for each in (compiling, to_mask, rest))
    print(f"{name:22}{len(automaton):8,}{times}")
    compiled[name] = (compiling + to_mask) / 1000
bar_chart(compiled, title="From the schema to the first mask", unit="s")

# %% [markdown]
# A server compiles a schema once and then serves many requests with it. In lab 09 you'll cache compiled schemas, and
# make sure that nobody else has to wait while one compiles.
