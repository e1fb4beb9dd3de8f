# %% [markdown]
# # Lab 08, walked through: JSON Schema
#
# A JSON Schema becomes a regular expression, that an automaton, and the automaton masks over 131,072 tokens. Then
# models that want something else write objects of a Python class. The page calls the reference; to write the functions
# yourself first, start with the [README](README.md).

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
from labkit.errors import SchemaError
from labkit.models import adversary, digit_lover, seeded_random
from labkit.pictures import fsm_svg, fsm_text
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from labs.lab_08_json_schema.given.whitespace import policy
from labs.lab_08_json_schema.solution import (
    all_of,
    any_of,
    array_regex,
    compare_digits,
    encode_string,
    integer_between,
    json_schema_to_regex,
    literal_regex,
    number_regex,
    object_regex,
    other_keys,
    shared_text,
    spell_character,
    splice,
    string_regex,
)
from mask_engine.trees.whole import schema_automaton


def is_json(text):
    try:
        json.loads(text).encode()
    except (json.JSONDecodeError, UnicodeEncodeError):
        return False
    return True


def by(pattern):
    return lambda text: re.fullmatch(pattern, text) is not None


LIGHT = {"on": {"type": "boolean"}, "dim": {"enum": [10, 50]}}

# %%
light = {"type": "object", "properties": LIGHT, "required": ["on"]}
pattern = json_schema_to_regex(light, whitespace="compact")
print(pattern)
fsm_svg(compile_dfa(pattern), title="on, and perhaps dim, as JSON without white space")

# %% [markdown]
# Every path to the last state is an object of the schema, and there is no path for anything else. `dim` may be left
# out, and its comma goes with it.
#
# ## The schema
#
# A support desk wants a ticket for every mail. In Python that is a class, and Pydantic writes its JSON Schema:


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

# %% [markdown]
# A `title` or `default` beside a type is an annotation and constrains nothing. The constraints are `type`, `enum`,
# `minLength`, `maxLength`, `items`, `maxItems`, and `required`, which does not list `open` and `tags`.
#
# ## Strings
#
# `"([^"\\]|\\.)*"` is a popular regular expression for a JSON string. Here it is beside the lab's. The judge is
# `json.loads`; it lets half a surrogate pair pass, so its result must also be writable as UTF-8.


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
compare(texts, {"json": is_json, "common": common, "string_regex": by(string_regex())})

# %% [markdown]
# The popular one accepts six texts that are not JSON. A model that must write a string will try the raw new line soon.
#
# A length counts characters, however they are written. Each of these four has one:

# %%
for text in ['"a"', r'"\n"', r'"\u00e9"', r'"\ud83d\ude00"']:
    lengths = [n for n in range(15) if re.fullmatch(string_regex(n, n), text)]
    length = len(json.loads(text))
    print(f"{text:16} {len(text) - 2:2} characters, length {length}, fits {lengths}")

# %% [markdown]
# The automaton of all strings has a state for each place inside an escape. State 1 is between two characters. State 4
# is after `\u`, state 6 after a `d`, where it turns out whether this is a character (0 to 7) or half a pair (8 to
# b).

# %%
print(fsm_text(compile_dfa(string_regex())))

# %%
for most in (1, 10, 100, 1000):
    states = len(compile_dfa(string_regex(0, most)))
    print(f"at most {most:5,} characters: {states:6,} states")

# %% [markdown]
# An automaton that counts needs all this for each character: 13 states, six of them only for surrogate pairs.
#
# ## Numbers

# %%
texts = ["0", "-7", "-0", "01", "1.0", "1.", ".5", "-0.50", "1e9", "1E+05"]
texts += ["+1", "1e", "NaN"]
integer, number = number_regex(integer=True), number_regex(integer=False)
compare(texts, {"integer": by(integer), "number": by(number)})

# %% [markdown]
# ## Two languages at once
#
# A key or a value of `enum` is written as JSON first, and that text as a regular expression. Each language has its own
# special characters, and the backslash is special in both:

# %%
for char in ["a", ".", '"', "\\", "/", "\n", "é", "😀"]:
    in_json = json.dumps(char, ensure_ascii=False)
    print(f"{char!r:6} in JSON {in_json:6} regular expression {spell_character(char)}")

# %%
fsm_svg(compile_dfa(literal_regex("é")), title='The string "é", as itself or escaped')

# %% [markdown]
# ## Commas
#
# An object may have the members a, b and c, in this order, and each may be missing. A letter is a whole member. These
# are all texts of up to five characters that each regular expression matches between the braces:


# %%
def all_between(pattern):
    rows = (row for length in range(6) for row in product("abc,", repeat=length))
    texts = map("".join, rows)
    return [f"{{{text}}}" for text in texts if re.fullmatch(pattern, f"{{{text}}}")]


members = [("a", False), ("b", False), ("c", False)]
for pattern in [
    r"\{(?:a,)?(?:b,)?(?:c)?\}",
    r"\{(?:a)?(?:,b)?(?:,c)?\}",
    r"\{(?:a)?,?(?:b)?,?(?:c)?\}",
    object_regex(members, policy("compact")),
]:
    print(f"{pattern}\n    {' '.join(all_between(pattern))}")

# %% [markdown]
# The last is the lab's. It asks which member comes first; every later one brings a comma.
#
# With b required, c is never first, and b is never missing. As an automaton that is two chains, F while no member is
# written and R from then on:


# %%
def on(char, target):
    return ((ord(char), ord(char)),), target


first_chain = [on("{", 1), on("a", 3), on("b", 5)]
rest = [on(",", 4), on("b", 5), on(",", 6), on("c", 7), on("}", 8)]
moves = [[transition] for transition in first_chain + rest] + [[]]
silent = [[], [2], [], [], [], [7], [], [], []]
chains = Nfa(moves, silent, initial=0, accepting=8)
notes = {1: "F0", 2: "F1", 3: "R1", 5: "R2", 7: "R3"}
fsm_svg(chains, notes=notes, title="Members a?, b, c?: F while none is written, then R")

# %%
members = [("a", False), ("b", True), ("c", False)]
dfa = compile_dfa(object_regex(members, policy("compact")))
fsm_svg(dfa, title="The same by object_regex, as a minimal automaton")

# %% [markdown]
# For many members the regular expression grows with their square, and the automaton does not:

# %%
for count in (5, 10, 20, 40):
    keys = {f"key{i}": {"type": "string"} for i in range(count)}
    many = {"type": "object", "properties": keys}
    pattern = json_schema_to_regex(many, whitespace="compact")
    size, states = len(pattern), len(compile_dfa(pattern))
    print(f"{count:2} optional strings: {size:8,} characters, {states:4} states")

# %% [markdown]
# ## The ticket
#
# The whole schema, with both policies of white space:

# %%
for whitespace in ("compact", "flexible"):
    pattern = json_schema_to_regex(schema, whitespace=whitespace)
    states = len(compile_dfa(pattern))
    print(f"{whitespace:8} {len(pattern)} characters, an automaton of {states} states")

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
# Everything the automaton matches is valid. It refuses two valid objects, on purpose: it writes only declared keys, and
# in the order of their declaration.
#
# ## On the real vocabulary
#
# `compile_guide` is labs 06, 07 and 08 in one: schema, automaton over characters, automaton over bytes, masks. These
# tokens may come first:

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
# Walk along the ticket, always by the longest token that fits, and count the allowed tokens at each step:

# %%
state, rest = guide.initial, written.encode()
while rest:
    ids = allowed(state)
    fitting = [i for i in ids if rest.startswith(tokens[i])]
    token_id = max(fitting, key=lambda i: len(tokens[i]))
    print(f"{len(ids):7,} allowed   {tokens[token_id].decode()!r}")
    state, rest = guide.advance(state, token_id), rest[len(tokens[token_id]) :]
at_end = allowed(state).tolist()
print(f"{len(at_end):7,} allowed   EOS: {at_end == [vocabulary.eos_id]}")

# %% [markdown]
# Inside a string nearly everything is allowed, around it next to nothing. A token such as `","` ends a string, writes
# the comma and starts the next key: tokens ignore the structure of the schema. And where only one key can follow, many
# tokens may still spell it, in pieces of any size. (Lab 10 uses that.)
#
# ## Models that want something else
#
# The adversary wants to chat, the digit lover wants digits, the third model prefers tokens at random. Each is asked for
# a ticket of at most 60 tokens, with lab 04's mask and with lab 05's, which knows how many tokens remain.


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
for name, model in models.items():
    for in_time in (False, True):
        text, ended = answer(model, 60, in_time=in_time)
        says = "cut off"
        if ended:
            says = "valid" if valid(json.loads(text)) else "WRONG"
        budget = "with" if in_time else "without"
        print(f"{name}, {budget} a budget: {says}\n    {text!r}")

# %% [markdown]
# An answer that is cut off is a prefix of a ticket, and no program can read it. With the budget each answer is an
# object that `jsonschema` accepts. It is not a sensible one: these models have nothing to say. A mask decides what a
# text may look like, not what it says.
#
# ## Beyond the subset
#
# Real classes contain other classes, dates, bounds, and optional values. Pydantic writes them as `$ref`, `format`,
# `exclusiveMinimum`, `oneOf` and `anyOf`, which the lab's own function refuses by name and place:


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
# The code in `given/` compiles it, with the functions of both sittings. The same models, 80 tokens each, with the
# budget:

# %%
guide = compile_guide(vocabulary, json_schema=booking_schema)
judge = Draft202012Validator(booking_schema, format_checker=FormatChecker())
for name, model in models.items():
    text, ended = answer(model, 80, in_time=True)
    says = "valid" if ended and judge.is_valid(json.loads(text)) else "WRONG"
    print(f"{name}: {says}\n    {text!r}")
    Booking.model_validate_json(text)  # raises if Pydantic thinks otherwise

# %% [markdown]
# Look at the third day: JSON lets a writer escape any character, and the value is the 13th of August. The mask allows a
# day in escapes, and still only days that exist.
#
# The rest of this page is about the second sitting, whose functions work on automata.
#
# ## Markers
#
# How can the lab's `array_regex` serve items that are automata, not regular expressions? It gets one character in place
# of the item, a *marker*: a surrogate, which no text contains. Its result compiles to a small automaton, the skeleton:

# %%
marker = "\ud800"
skeleton = compile_dfa(array_regex(marker, 0, 2, policy("compact")))
fsm_svg(skeleton, title="At most two items, the marker U+D800 for each")

# %%
whole = splice(skeleton, {ord(marker): compile_dfa("true|false")})
fsm_svg(whole, title="The same with true|false in its place")

# %% [markdown]
# The two places have a copy each, because they go on differently. One copy would forget where it was entered:

# %%
doors = splice(compile_dfa("aNa|bNb"), {ord("N"): compile_dfa("x|y")})
print([text for text in ["axa", "byb", "axb", "bxa", "aNa"] if fullmatch(doors, text)])

# %% [markdown]
# Markers also save size. `array_regex` writes its item twice, so the expression for a list of lists doubles with each
# level. With a marker it does not:

# %%
lists, automaton = {"type": "integer"}, compile_dfa(number_regex(integer=True))
skeleton = compile_dfa(array_regex("N", 0, None, policy("flexible")))
for depth in range(1, 13):
    lists = {"type": "array", "items": lists}
    automaton = splice(skeleton, {ord("N"): automaton})
    if depth in (1, 2, 4, 8, 12):
        length = len(json_schema_to_regex(lists))
        states = f"{len(automaton):4} states with markers"
        print(f"{depth:2} deep: {length:8,} characters, {states}")

# %% [markdown]
# ## Two at once, and none
#
# `anyOf` and `allOf` are a fold of lab 06's product. Whether a text satisfies all is a walk through all automata side
# by side; it ends with a shortest text, or with the certainty that there is none. So an engine knows, before anything
# is written, that no text can be.


# %%
def matched(automaton, texts):
    return [text for text in texts if fullmatch(automaton, text)]


patterns = ["(?s:.){0,4}", "[A-Z]{2}[0-9]+", "[a-z]+"]
short, codes, words = map(compile_dfa, patterns)
print(shared_text([short, codes]), shared_text([codes, words]))
texts = ["AB1", "AB123", "abc", "abcde", ""]
print("any of them:", matched(any_of([codes, words]), texts))
print("all of them:", matched(all_of([short, codes]), texts))

# %% [markdown]
# ## JSON last
#
# Length and pattern are about the value. So values are compiled first, and their spelling comes last. Each state of the
# values stays, and below it grow the states of the escapes:

# %%
spelled = encode_string(compile_dfa("/|\n"))
fsm_svg(spelled, title="The JSON strings of a slash and of a new line")

# %%
texts = ['"/"', r'"\/"', r'"\u002f"', r'"\n"', '"\n"', r'"\u000A"', "/"]
print(matched(spelled, texts))
print(matched(other_keys(["a"]), ['"a"', r'"\u0061"', '"b"', '"ab"', '""']))

# %% [markdown]
# The last line is any key but `a`: the key is left out as a value, so no spelling of it slips through.
#
# ## Bounds
#
# Whether a number is less than 17.5 can be read from the left: the part before the point by its length first, the rest
# by the first digit that differs. What one must remember is small:

# %%
print(fsm_text(compare_digits("17", [-1])))

# %%
below, range_ = compare_digits("17.5", [-1]), integer_between(-10, 7)
print(matched(below, ["9", "17", "17.49", "17.50", "17.6", "100"]))
print(matched(range_, map(str, range(-1000, 1000))), len(integer_between(0, 10**30)))

# %% [markdown]
# After a minus sign the order turns round. The automaton for a bound of 31 digits has two states or so for each of
# them.
#
# ## A pattern is a search
#
# Lab 06 matches whole texts. In JSON Schema `pattern` asks whether a match is *somewhere* in the text, and `\d` means
# the ten digits of ASCII. It constrains the value; JSON's spelling comes last.


# %%
def accepts(schema):
    automaton = schema_automaton(schema)
    return lambda text: fullmatch(automaton, text)


texts = ['"b"', '"abc"', '"a"', r'"\u0062"', '"7"', '"٣"', '"room 7"']
searched = ["b", "^b$", r"\d", r"^\d", r"\D$"]
schemas = [{"type": "string", "pattern": each} for each in searched]
compare(texts, dict(zip(searched, map(accepts, schemas), strict=True)))

# %% [markdown]
# Several constraints on one text are an intersection, and a date is an automaton that knows the calendar:

# %%
lengths = {"minLength": 2, "maxLength": 3}
both = accepts({"type": "string", "pattern": "^[a-z]+$", **lengths})
print([text for text in ['"a"', '"ab"', '"abc"', '"abcd"', '"aBc"'] if both(text)])
is_date = accepts({"type": "string", "format": "date"})
days = ["2023-02-29", "2024-02-29", "2100-02-29", "2000-02-29", "2024-04-31"]
print([day for day in days if is_date(f'"{day}"')])

# %% [markdown]
# ## What is refused
#
# An engine that ignores an unknown keyword looks right until an answer is wrong. Here the compiler refuses it. A
# malformed schema is an `InvalidSchema`; a meaningful keyword that is not covered is an `UnsupportedSchema`.

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
# The times on the computer that built this page: from a schema to its automaton, to the first mask, and to all masks.


# %% tags=["timing"]
def milliseconds(function, *arguments, **keywords):
    start = time.perf_counter()
    result = function(*arguments, **keywords)
    return 1000 * (time.perf_counter() - start), result


keys = {f"key{i}": {"type": "string"} for i in range(40)}
many = {"type": "object", "properties": keys}
print(f"{'':22}{'states':>8}{'automaton':>12}{'first mask':>12}{'all masks':>12}")
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

# %% [markdown]
# A server compiles a schema once and serves many requests with it. Lab 09 caches compiled schemas, and other requests
# do not wait while one compiles.
