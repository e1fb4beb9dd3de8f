# %% [markdown]
# # Lab 06, walked through: regex to DFA
#
# Lab 02's compiler knows rows of atoms, and nothing else. Here a whole regular expression becomes an automaton, in five
# steps: items, a tree, an automaton that is in several states at once, one that is in one state at a time, and the
# smallest such automaton. You'll see each of them. The page calls the reference; if you'd like to write the functions
# yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_06_regex_to_dfa/walkthrough.ipynb)

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
from itertools import product as all_tuples

import numpy as np

from labkit.automata.dfa import DEAD
from labkit.automata.syntax import Alternation, Chars, Concat, Repeat
from labkit.checking import describe_walk
from labkit.errors import LimitExceeded, PatternError
from labkit.pictures import fsm_svg, fsm_text, line_chart, range_label, tree_svg
from labs.lab_02_atom_fsm import solution as lab_02
from labs.lab_06_regex_to_dfa.given.items import read_items
from labs.lab_06_regex_to_dfa.given.subsets import split_alphabet, subsets_of
from labs.lab_06_regex_to_dfa.given.unfolding import END, Unfolding, explored

NUMBER = r"\d+(\.\d+)?"

# %% tags=["hide-input"]
from labs.lab_06_regex_to_dfa.given.ranges import complement_ranges, merge_ranges
from labs.lab_06_regex_to_dfa.solution import (
    compile_dfa,
    epsilon_closure,
    equal_states,
    fullmatch,
    live_states,
    minimize_dfa,
    nfa_to_dfa,
    parse_regex,
    parse_tree,
    step_subset,
    unfold,
)

# %%
number = compile_dfa(NUMBER, ascii_only=True)
print({text: fullmatch(number, text) for text in ["42", "3.14", "3.", "3..14", ""]})
fsm_svg(number, title=f"{NUMBER}: no automaton for it is smaller")

# %% [markdown]
# A text matches if its walk ends in a state with a double ring. The rest of the page builds this automaton.
#
# ## Sets of characters
#
# We write a set of characters as a few ranges of code points. Once they're merged they ascend and never touch, so equal
# sets are equal tuples. The complement runs from the first code point to the last.

# %%
digits, dot = ((48, 57),), ((46, 46),)
merged = merge_ranges([(53, 57), (46, 46), (48, 52)])
print(merged, "is", range_label(merged))
print(complement_ranges(digits))

# %%
title = "All characters but the digits: one set, two ranges"
fsm_svg(compile_dfa("[^0-9]"), title=title)

# %% [markdown]
# That's why Unicode costs so little. `\w` names more than a hundred thousand characters, and as ranges it's a short
# list. Exactly how many depends on the Unicode version of your Python. These are the figures of the Python that made
# this page:

# %% tags=["timing"]
print("      ranges   characters")
for pattern in (r"\d", r"\w", r"\s", "."):
    (ranges,) = compile_dfa(pattern).class_ranges
    characters = sum(last - first + 1 for first, last in ranges)
    print(f"{pattern:4} {len(ranges):7,}   {characters:10,}")

# %% [markdown]
# And `\d` means more than ten digits, as it does in Python's `re`. You mustn't write a JSON number as `٣`, so patterns
# for JSON say `[0-9]`. With `ascii_only=True`, `\d` means that too, and we use it on this page from here on.

# %%
for text in ("3", "٣"):
    by_re = re.fullmatch(NUMBER, text) is not None
    unicode, ascii_only = fullmatch(compile_dfa(NUMBER), text), fullmatch(number, text)
    print(f"{text!r}: re says {by_re}, we say {unicode}, ascii_only {ascii_only}")

# %% [markdown]
# ## Items, and their tree
#
# The reader is given. It turns a pattern into items, each with its position. Every notation for a set of characters
# becomes a `Class`. What belongs together isn't known yet.

# %%
for item in read_items(NUMBER, ascii_only=True):
    print(item)

# %% [markdown]
# ### The tree
#
# One pass over the items finds out what belongs together. A quantifier takes the part before it, a group is one part of
# the group around it, and the whole pattern counts as a group, too. Each group is an `Alternation` of `Concat`s, even
# if it has only one option.

# %%
tree_svg(parse_tree(NUMBER, ascii_only=True), title=NUMBER)

# %% [markdown]
# Here's one with `|` and two groups, of which the first has an empty option:

# %%
tree_svg(parse_tree("(|-)(0|[1-9][0-9]*)"), title="(|-)(0|[1-9][0-9]*)")

# %% [markdown]
# ## What is still to be read
#
# Where is an automaton in the middle of a text? At whatever it still has to read. So a state is a pair: a node of the
# tree, and the state that comes after it. In state 0 nothing is left. `unfold` says what may come next in one state,
# and `Unfolding`, given, remembers the numbers. Broken transitions, marked ε, read no character:

# %%
a, b = Chars(((97, 97),)), Chars(((98, 98),))
choice = explored(Alternation((Concat((a, a)), Concat((b,)))), unfold)
fsm_svg(choice, title="aa|b: state 1 is all of it, state 0 is the end")

# %% [markdown]
# A repetition counts. After one `a`, what's left of `a{2,4}` is `a{1,3}`. Nothing is copied, and a state is made only
# when somebody asks about it:

# %%
made = Unfolding(unfold)
state = made.state(Repeat(a, 2, 4), END)
while state != END:
    node, after = made.pairs[state]
    after = made.epsilon[state]
    print(f"state {state}: {node.least} to {node.most} times a; by epsilon to {after}")
    made.epsilon[after[0]]  # which makes its moves, too
    (move,) = made.moves[after[0]]
    state = move[1]

# %%
fsm_svg(explored(Repeat(a, 2, 4), unfold), title="a{2,4}")

# %% [markdown]
# Without an upper bound, what's left is in the end the same repetition, and so the same state. That's the loop:

# %%
fsm_svg(explored(Repeat(a, 2, None), unfold), title="a{2,}")

# %% [markdown]
# ## The NFA
#
# And here's the whole number, put together:

# %%
nfa = parse_regex(NUMBER, ascii_only=True)
fsm_svg(nfa, title=f"{NUMBER}: {len(nfa)} states")

# %% [markdown]
# It may be in several states at once. To read a character, follow all the transitions that have it, and then every ε.
# These are its states while it reads `3.14`:


# %%
def closed(states):
    return {reached for state in states for reached in epsilon_closure(nfa, state)}


def read(states, char):
    def has_it(ranges):
        return any(first <= ord(char) <= last for first, last in ranges)

    moves = [move for state in states for move in nfa.moves[state]]
    return closed(target for ranges, target in moves if has_it(ranges))


states = closed([nfa.initial])
print("    ", sorted(states))
for char in "3.14":
    states = read(states, char)
    print(f"{char!r}: {sorted(states)}{'  accepts' * (nfa.accepting in states)}")

# %%
title = f"After 3.14: {len(states)} states, and one of them accepts"
fsm_svg(nfa, highlight=states, title=title)

# %% [markdown]
# So the NFA is a matcher already, but a slow one, because each character has to be looked up in all of its states.
#
# ## Classes of characters
#
# Which characters make a difference? Cut the code points wherever a set on some transition begins or ends. Within an
# interval all characters are alike, and intervals that are in the same sets form one class. Bit n says whether set n
# contains an interval; set 0 is the digits, and set 1 the dot:

# %%
bounds, members = split_alphabet([digits, dot])
for first, end, held in zip(bounds, [*bounds[1:], 0x110000], members, strict=True):
    print(f"{range_label(((first, end - 1),)):16} in sets 0b{held:02b}")

# %% [markdown]
# So there are three kinds of characters: the dot, the digits, and all others, which are dead everywhere. Other patterns
# have more kinds, but still few. In the second pattern below, the keywords first tell `i`, `f` and `n` apart. But each
# keyword is an identifier as well, so in the minimal automaton they're letters like any other, and it has two classes.

# %%
for pattern in ["true|false|null", "[a-z_][a-z0-9_]*|if|in", r'"([^"\\]|\\.)*"']:
    dfa = compile_dfa(pattern)
    labels = "  ".join(map(range_label, dfa.class_ranges))
    print(f"{pattern:24} {dfa.n_classes} classes: {labels}")

# %%
keywords = "[a-z_][a-z0-9_]*|if|in"
title = f"{keywords}: the keywords are letters like any other"
fsm_svg(compile_dfa(keywords), title=title)

# %% [markdown]
# ## Sets of states as states
#
# There are only finitely many sets of states that the NFA can be in, so let's make each of them a state. A set is where
# a character leads, before ε: what ε adds follows from it, and we look it up when we read on. `step_subset` divides the
# classes, here the dot (bit 0) and the digits (bit 1), into parts that lead to the same set:

# %%
print(step_subset([0, 1], {0: [(0b11, 3)], 1: [(0b10, 5)]}))

# %% [markdown]
# That gives us the whole table, one row after another. Each row may number new sets:

# %%
table = subsets_of(nfa, epsilon_closure, step_subset)
print("state  set     on a dot  on a digit  accepts")
state = 0
while state < len(table):
    row = table.row(state)
    dot_to, digit_to = ("dead" if target == DEAD else target for target in row)
    accepts = "yes" if table.accepts(state) else ""
    held = str(set(table.subsets[state]))
    print(f"{state:5}  {held:6}  {dot_to:8}  {digit_to:10}  {accepts}")
    state += 1

# %%
dfa = nfa_to_dfa(nfa)
texts = ["{" + ",".join(map(str, sorted(subset))) + "}" for subset in table.subsets]
notes = dict(enumerate(texts))
fsm_svg(dfa, notes=notes, title=f"{NUMBER}: {len(dfa)} states")

# %%
print(describe_walk(dfa, dfa.initial, "3.14"))
print(describe_walk(dfa, dfa.initial, "3..14"))

# %% [markdown]
# With the digits of Unicode, only the ranges on the transitions change. The states are the same:

# %% tags=["timing"]
fsm_svg(compile_dfa(NUMBER), title=f"{NUMBER} with the digits of Unicode")

# %% [markdown]
# ## The smallest automaton
#
# That automaton happens to be minimal. This one, for a number with a dot somewhere, isn't:

# %%
POINT = r"(\d+\.\d?|\.\d)\d*"
larger = nfa_to_dfa(parse_regex(POINT, ascii_only=True))
fsm_svg(larger, highlight={3, 4}, title=f"{POINT}: {len(larger)} states")

# %% [markdown]
# From state 3 and from state 4, every text gets the same verdict. Hopcroft's method finds such states by looking for
# differences. The first is whether a state accepts; all the others are whether it leads into some block.

# %%
print("live:  ", sorted(live_states(larger)))
print("blocks:", sorted(map(sorted, equal_states(larger, live_states(larger)))))
fsm_svg(minimize_dfa(larger), title=f"{POINT}: {len(minimize_dfa(larger))} states")

# %% [markdown]
# You can see it best with words. Equal rests are one state from the start, but here the rests of `look` and `book` are
# written differently. Before:

# %%
WORDS = "looks?|books|book"
words = nfa_to_dfa(parse_regex(WORDS))
fsm_svg(words, title=f"{WORDS}: {len(words)} states")

# %% [markdown]
# And after. Subsets merge common prefixes. The minimal automaton also merges rests that look different and mean the
# same:

# %%
fsm_svg(minimize_dfa(words), title=f"{WORDS}: {len(minimize_dfa(words))} states")

# %% [markdown]
# ## The same verdicts as `re`
#
# Does it all mean what it should? Here are twelve patterns, all texts of up to six characters out of `a b 1 .` and a
# newline, and the automaton's verdicts next to those of `re.fullmatch`:

# %%
ALPHABET = "ab1.\n"
patterns = [NUMBER, "(a|b)*abb", "(a*b*)*", "a{2,4}|b{3,}", "[^a]+", ".*a."]
patterns += [r"\w+\.\w", "(|a)(b|)1?", r"(?i)A+(?-i:b)", r"\s|\S\D"]
patterns += ["^(a|ab)(1|b1)*$", "((a?b){2}|1){2,}"]
rows = (row for length in range(7) for row in all_tuples(ALPHABET, repeat=length))
texts = list(map("".join, rows))
print(f"{len(texts):,} texts")
for pattern in patterns:
    dfa, compiled = compile_dfa(pattern), re.compile(pattern)
    ours = [fullmatch(dfa, text) for text in texts]
    theirs = [compiled.fullmatch(text) is not None for text in texts]
    agree = f"{sum(map(bool.__eq__, ours, theirs)):,} verdicts agree"
    print(f"{pattern:18} {len(dfa):3} states, {sum(ours):6,} matches, {agree}")

# %% [markdown]
# Lab 02 refuses `[0-9]+[0-4]`, because it would have to be in two states at once. Now it works:

# %%
try:
    lab_02.compile_pattern("[0-9]+[0-4]")
except PatternError as error:
    print(f"lab 02: {type(error).__name__}: {error}")
fsm_svg(compile_dfa("[0-9]+[0-4]"), title="[0-9]+[0-4]")

# %% [markdown]
# ### What is refused
#
# Malformed patterns are refused in the words of `re`. So are constructs that no finite automaton supports, and some
# that this lab doesn't. The caret shows the position.

# %%
for pattern in ["(a|b", "[z-a]", r"(\w+) \1", "a(?=b)", r"\bword\b", "a++b", "a$\n"]:
    try:
        compile_dfa(pattern)
    except PatternError as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# ## What it can cost
#
# `(a|b)*a(a|b){n}` asks whether character n + 1 from the end is an `a`. The NFA guesses at each `a` that this is the
# one. The DFA can't guess, so it has to remember which of the last n + 1 characters were an `a`:

# %%
sizes = {"NFA": [], "DFA, minimal": []}
for n in range(11):
    guessing = parse_regex(f"(a|b)*a(a|b){{{n}}}")
    smallest = minimize_dfa(nfa_to_dfa(guessing))
    sizes["NFA"].append((n, len(guessing)))
    sizes["DFA, minimal"].append((n, len(smallest)))
    print(f"n = {n:2}: {len(guessing):3} NFA states, {len(smallest):5,} DFA states")

# %%
line_chart(
    sizes,
    title="States of (a|b)*a(a|b){n}",
    x_label="n",
    y_label="states",
    log_y=True,
)

# %% [markdown]
# No construction avoids that, so everything that's built in full has a limit:

# %%
for pattern in ["(a|b)*a(a|b){20}", "(((a{50}){50}){50}){50}", "(" * 101 + ")" * 101]:
    try:
        compile_dfa(pattern)
    except LimitExceeded as error:
        print(f"{pattern[:24]:24} {error}")

# %% [markdown]
# But who needs all of it? The engine makes a row of the table when a text first comes to its state, and your functions
# already do the same: `subsets_of` numbers a subset when it turns up. Thirty characters meet some forty states of two
# million, and another forty characters meet 41 of sixty thousand:

# %%
for pattern, text in [("(a|b)*a(a|b){20}", "ba" * 15), ("a{1,60000}", "a" * 40)]:
    nfa = parse_regex(pattern)
    on_demand = subsets_of(nfa, epsilon_closure, step_subset)
    verdict = fullmatch(on_demand, text)
    met = len(on_demand)
    print(f"{pattern}, {len(text)} characters: {verdict}, after {met} states")

# %% [markdown]
# Read the other way round, the same pattern is harmless. The automaton counts to n + 1, looks, and is done:

# %%
for n in (1, 10, 100, 1000):
    print(f"(a|b){{{n}}}a(a|b)*: {len(compile_dfa(f'(a|b){{{n}}}a(a|b)*')):,} states")

# %% [markdown]
# ## What it saves
#
# `re` doesn't build automata. It tries one path, and goes back if that was wrong. With n optional parts there are 2^n
# paths, and `(a?){n}a{n}` matches n times `a` on the very last of them. The automaton takes one step for each
# character. These are times on the computer that made this page:


# %% tags=["timing"]
def seconds(ask, *arguments):
    times = []
    for _ in range(3):
        start = time.perf_counter()
        ask(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


curves = {"re": [], "the automaton, compiling included": [], "the automaton": []}
for n in range(6, 21, 2):
    pattern, text = f"(a?){{{n}}}a{{{n}}}", "a" * n
    dfa, compiled = compile_dfa(pattern), re.compile(pattern)
    curves["re"].append((n, seconds(compiled.fullmatch, text)))
    compiling = seconds(compile_dfa, pattern)
    curves["the automaton, compiling included"].append((n, compiling))
    curves["the automaton"].append((n, seconds(fullmatch, dfa, text)))
line_chart(
    curves,
    title="(a?){n}a{n} on n times a",
    x_label="n",
    y_label="time for one verdict",
    y_unit="s",
    log_y=True,
)

# %% [markdown]
# And here's what the steps of compiling take, for a JSON number, a JSON string, and a choice of 200 words:

# %% tags=["timing"]
JSON_NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
JSON_STRING = r'"([^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
rng = np.random.default_rng(0)
choice = "|".join("".join(rng.choice(list("abcdefgh"), 8)) for _ in range(200))
print("pattern       to an NFA   to a DFA   minimal    states")
compiled = {"a number": JSON_NUMBER, "a string": JSON_STRING, "200 words": choice}
for name, pattern in compiled.items():
    automaton = parse_regex(pattern)
    larger = nfa_to_dfa(automaton)
    steps = [(parse_regex, pattern), (nfa_to_dfa, automaton), (minimize_dfa, larger)]
    times = "".join(f"{1000 * seconds(*step):8.2f} ms" for step in steps)
    count = f"{len(automaton)}, {len(larger)}, {len(minimize_dfa(larger))}"
    print(f"{name:12}{times}    {count}")

# %% [markdown]
# In the end, our number is this table: a row for each state, a column for each class, and -1 where it's dead.

# %%
print("classes:    ", "  ".join(map(range_label, number.class_ranges)))
print("transitions:", number.transitions.tolist(), f"(dead is {DEAD})")
print("accepting:  ", number.accepting.tolist())
print(fsm_text(number))

# %% [markdown]
# The symbols are code points. But a model's tokens are bytes, and some of them contain half a character. Lab 07 turns
# this automaton into one over bytes, and lifts it to 131,072 tokens.
