# %% [markdown]
# # Lab 07, walked through: bytes and real vocabularies
#
# A real vocabulary has 131,072 tokens. They're strings of bytes, and there are too many of them to walk each one in
# every state. So don't look below what's dead, and ask what tokens have in common: to an automaton a token is only a
# function from states to states, and most tokens are the same function. The page calls the reference; if you'd like to
# write the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_07_bytes_and_vocabularies/walkthrough.ipynb)

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
import time
from collections import Counter
from types import SimpleNamespace

import numpy as np
from sentencepiece import SentencePieceProcessor

from labkit.automata.dfa import DEAD
from labkit.models import adversary, digit_lover, seeded_random
from labkit.pictures import (
    Lane,
    Moment,
    TokenFunction,
    bar_chart,
    byte_boxes_svg,
    fsm_svg,
    functions_svg,
    line_chart,
    mask_svg,
    timeline_svg,
    words_svg,
    written_out,
)
from labkit.scenes import CountedByteDfa
from labkit.vocabulary import Vocabulary, data_file

PRICE = r"[0-9]+(\.[0-9]{2})? ?€"
NUMBER = r"([0-9]+)?\.[0-9]+"
HEX = "0x[0-9a-f]+"
JSON_STRING = r'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'

# %% tags=["hide-input"]
from labs.lab_02_atom_fsm import solution as lab_02
from labs.lab_03_token_lifting import solution as lab_03
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import (
    TokenFSM,
    TokenVocabularyIndex,
    build_byte_trie,
    byte_dfa,
    compile_token_fsm,
    end_of_run,
    lift,
    pure_tokens,
    utf8_sequences,
    utf8_tree,
    walk,
)
from mask_engine import FINISHED, compile_guide


def panels_of(lifted, tokens):
    panels = []
    for group in dict.fromkeys(lifted.groups.tolist()):
        members = [i for i in range(len(tokens)) if lifted.groups[i] == group]
        leads = {state: lifted.target(state, members[0]) for state in range(3)}
        leads = {state: target for state, target in leads.items() if target != DEAD}
        names = [tokens[i] for i in members]
        panels.append(TokenFunction(f"function {group}", leads, names))
    return panels


# %%
number = compile_dfa(NUMBER)
ten = ["7", "42", "007", "2024", ".", "1.", "42.", ".5", ".21", "3.14"]
twelve = [*ten, "a", "1.1."]
lifted = lift(build_byte_trie([t.encode() for t in twelve]), byte_dfa(number), range(3))
functions_svg(panels_of(lifted, twelve), 3, title=f"Twelve tokens on {NUMBER}")

# %% [markdown]
# Ten of the twelve tokens are three functions, and two are dead everywhere.
#
# **Predict before you read on.** How many functions are the tokens of Tekken that may occur in a JSON string?

# %%
tekken = Vocabulary.tekken()
index, strings = TokenVocabularyIndex(tekken), compile_dfa(JSON_STRING)
groups = lift(index.trie, byte_dfa(strings), np.arange(len(strings))).groups
alive = groups[groups != 0]
print(f"{len(alive):,} tokens are {len(np.unique(alive))} functions")

# %% [markdown]
# ## A real vocabulary
#
# Tekken is the vocabulary of Mistral's models. An id stands for bytes. Most tokens are texts and some are parts of
# characters. The first thousand are special: their bytes are only names, which no text contains.

# %%
texts = tekken.texts()
ordinary = [i for i in range(len(tekken)) if i not in tekken.special_ids]
parts = [i for i in ordinary if texts[i] is None]
print(f"{len(tekken):,} ids, {len(tekken.special_ids):,} of them special")
for i in (1000 + ord("A"), 1278, 1337, 20340, 42060, parts[300], 2):
    kind = "no text by itself" if texts[i] is None else "a text"
    kind = "special" if i in tekken.special_ids else kind
    print(f"{i:6}  {tekken.token_bytes[i]!s:20} {kind}")
bar_chart(
    {
        "texts": len(ordinary) - len(parts),
        "parts of characters": len(parts),
        "special": len(tekken.special_ids),
    },
    title="The ids of Tekken",
)

# %% [markdown]
# Labs 01 to 05 worked on texts. For a part of a character they had None, and never allowed it. But if a model wants to
# write a character for which there's no token, it has to write it in parts. `🦜` and `😀` have no token here:

# %%
for char in "é€世😀🦜":
    known = [i for i, text in enumerate(texts) if text == char]
    verdict = f"is token {known[0]}" if known else "has no token"
    print(char, char.encode().hex(" ").upper(), verdict)

# %% [markdown]
# How do you find the bytes of an id? Not by decoding it, because decoding is meant for whole texts. It turns half a
# character into U+FFFD, and a SentencePiece tokenizer drops the space at the start of a word. It would misread both of
# these tokens:

# %%
name = "mistral_instruct_tokenizer_240323.model.v3"
model_file = data_file(name, "the SentencePiece vocabulary")
processor = SentencePieceProcessor(model_proto=model_file.read_bytes())
pieces = Vocabulary.sentencepiece()
for piece_id in (pieces.token_bytes.index(b" the"), 771 + 0xE2):
    alone, piece = processor.decode([piece_id]), processor.id_to_piece(piece_id)
    print(f"id {piece_id:5} is the piece {piece!r:9} decoded alone {alone!r:9}", end="")
    print(f" its bytes {pieces.token_bytes[piece_id]}")

# %% [markdown]
# ## UTF-8
#
# A code point below 128 is one byte. Any other one is written in bits. The first byte tells you how many bytes there
# are, and each byte after it begins with the bits 10 and has six more.

# %%
for char in "Aé€😀":
    bits = " ".join(f"{byte:08b}" for byte in char.encode())
    print(f"U+{ord(char):05X}  {char}  {char.encode().hex(' ').upper():12}  {bits}")

# %% [markdown]
# A range of characters isn't a range of byte sequences. Between C3 A9 and C8 92 there's no C4 7F, and no C4 C0. But it
# falls into boxes, and in a box each byte takes all values of a range of its own, independently of the others.
# `end_of_run` says where a box has to end:

# %%
for start in (0xE9, 0x100, 0x200):
    print(f"end_of_run(U+{start:04X}, U+0212) is U+{end_of_run(start, 0x212):04X}")
boxes = utf8_sequences(0xE9, 0x212)
byte_boxes_svg(boxes, title="U+00E9 to U+0212 in UTF-8: three boxes")

# %% [markdown]
# All of Unicode is nine boxes. Some bytes are missing on purpose. C0 and C1 would be second encodings of ASCII, E0 80
# to E0 9F and F0 80 to F0 8F second encodings of shorter characters. From ED A0 on come the surrogates, which are
# halves of UTF-16 and no characters. Nothing comes after F4 8F.

# %%
for sequence in utf8_sequences(0, 0x10FFFF):
    first, last = (bytes(pair[end] for pair in sequence).decode() for end in (0, 1))
    boxes = "  ".join(f"{a:02X}" if a == b else f"{a:02X}-{b:02X}" for a, b in sequence)
    print(f"U+{ord(first):05X} to U+{ord(last):06X}   {boxes}")

# %% [markdown]
# ## An automaton over bytes
#
# Here's a price, by lab 06:

# %%
price = compile_dfa(PRICE)
fsm_svg(price, title=PRICE)

# %% [markdown]
# And this is the tree of its characters' bytes. A leaf is the class of the character:

# %%
print(utf8_tree(price))
print("classes:", {char: price.class_of(ord(char)) for char in "7. €"})

# %% [markdown]
# In each state of the automaton a character may be half written. So a state of the byte automaton is a pair: the state
# of the character automaton, and a node of the tree. Written out, it looks like this. States 0 to 6 are those above,
# and in the others € is half written. The strong transitions are the tokens `7` and E2 82, and the yellow state is the
# one after them.

# %%
automaton = byte_dfa(price)
flat, states = written_out(automaton)
path = [automaton.initial]
for byte in b"7\xe2\x82":
    path.append(automaton.step(path[-1], byte))
drawn = [states.index(state) for state in path]
print("the walk over 7 E2 82:", path, "in the lab's numbers,")
print(" " * 21, drawn, "in the picture's")
fsm_svg(flat, path=drawn, highlight=drawn[-1], title=f"{PRICE} over bytes")

# %% [markdown]
# Only AC leads on from the yellow state. Every token that is a text is dead there. So a rule such as "a token must be a
# text" would forbid €, and "any byte from 80 to BF" would allow a wrong character.
#
# The lab keeps the pairs as pairs, and has one tree for all states, in which equal subtrees are one node. How much does
# that save? Here it is for any character, and for the letters of the Unicode of the Python that made this page:


# %%
def size(tree):
    """Nodes of a tree, itself included, shared or not."""
    return 1 + sum(size(below) for below in tree.values() if isinstance(below, dict))


def tell_sizes(pattern):
    dfa = compile_dfa(pattern)
    nodes = len(byte_dfa(dfa).steps)
    print(f"{pattern:10} {size(utf8_tree(dfa)):4} nodes as a tree,", end=" ")
    print(f"{nodes:4} with equal ones shared; {len(dfa)} states")


tell_sizes("(?s:.)")
tell_sizes(PRICE)

# %% tags=["timing"]
tell_sizes(r"\w")

# %% [markdown]
# ## The trie
#
# Now the bytes of all tokens, in a trie, which has a node for each prefix of a token. We keep it in three arrays, with
# the nodes numbered level by level, so that NumPy can take a whole level in one step.

# %%
trie = index.trie
total = sum(len(token) for token in index.token_bytes if token)
levels = len(trie.levels) - 1
print(f"{total:,} bytes in all tokens, {len(trie):,} nodes, {levels} levels")
at_node = trie.node_of_token[trie.node_of_token >= 0]
depth = np.repeat(np.arange(len(trie.levels) - 1), np.diff(trie.levels))
ends = np.bincount(depth[at_node], minlength=len(trie.levels) - 1)
line_chart(
    {
        "nodes": [(d, int(n)) for d, n in enumerate(np.diff(trie.levels))],
        "tokens that end here": [(d, int(n)) for d, n in enumerate(ends) if n],
    },
    title="The trie of Tekken, level by level",
    x_label="bytes from the root",
    y_label="how many",
    log_y=True,
)

# %% [markdown]
# ## One mask: walk down, a level at a time
#
# Somebody asks for the mask of one state. Walk the trie and the automaton together, all nodes of a level at once, and
# leave out what's dead, because nothing below it can be alive. After `0x` few tokens are; inside a JSON string nearly
# all of them.


# %%
def tell_walk(pattern, text):
    """Print the level sizes of a walk after a text, and how many steps it takes."""
    automaton, steps = byte_dfa(compile_dfa(pattern)), []
    state = automaton.initial
    for byte in text:
        state = automaton.step(state, byte)

    def successors(states, byte_classes):
        steps.append(len(states))
        return automaton.successors(states, byte_classes)

    byte_classes = automaton.byte_classes
    counted = SimpleNamespace(successors=successors, byte_classes=byte_classes)
    reached = walk(trie, counted, np.array([0]), np.array([state]))
    alive = sum(len(trie.tokens_at(nodes)) for nodes, _ in reached)
    sizes = ", ".join(f"{len(nodes):,}" for nodes, _ in reached[:8])
    print(f"after {text.decode()!r}: {alive:,} tokens are alive;", end=" ")
    print(f"{sum(steps):,} steps in {len(steps)} calls")
    more = ", ..." if len(reached) > 8 else ""
    print(f"    living nodes, level by level: {sizes}{more}")
    living = enumerate(len(nodes) for nodes, _ in reached)
    return [(level, count) for level, count in living if count]


curves = {"after 0x": tell_walk(HEX, b"0x")}

# %%
curves["inside a string"] = tell_walk(JSON_STRING, b'"')
line_chart(
    curves,
    title="The living nodes of two walks",
    x_label="bytes from the root",
    y_label="nodes alive",
    log_y=True,
)

# %% [markdown]
# ## Inside a string: read it off rows
#
# That's 263,478 steps to learn that nearly everything is alive. But a token leaves a JSON string only by a quote, a
# backslash or a control character, and which tokens have one of these doesn't depend on the pattern. So we make a
# packed row for each byte, once, and the tokens without any of them take a few operations on words. Whatever is left is
# walked, from the byte on by which a token leaves.

# %%
rows = index.rows
ends_a_string = bytes([*range(32), *b'"\\'])
pure = pure_tokens(rows.valid, rows.has, ends_a_string)
exits = rows.exits(ends_a_string, True, b'"\\', True)
n_pure = int(np.bitwise_count(pure.view(np.uint32)).sum())
print(f"{n_pure:,} tokens stay, {len(exits.tokens):,} leave,", end=" ")
print(f"by a trie of {len(exits.trie):,} nodes")
counts = {"stay": n_pure, "leave": len(exits.tokens)}
print("some that leave:", *(tekken.token_bytes[i] for i in exits.tokens[:8].tolist()))

# %%
title = "Inside a JSON string: what takes a few words, and what must be walked"
bar_chart(counts, title=title)

# %% [markdown]
# ## Tokens are functions
#
# What does a token do to an automaton? It leads each state to a state, or nowhere. The automaton never knows any more
# about the token than this function from states to states. Here's the automaton of the picture above:

# %%
fsm_svg(number, title=NUMBER)

# %% [markdown]
# The function of `.21` is that of `.2`, followed by one step with `1`. So each node of the trie needs one step, for all
# states at once. Often it needs none, because the result is known if the same function of a parent and the same class
# of a byte have met before. Now the price on 131,072 tokens, from its seven states at whole characters:


# %%
def tell_functions(pattern, most):
    """Print the functions that most tokens are, and three tokens of each."""
    dfa = compile_dfa(pattern)
    found = lift(index.trie, byte_dfa(dfa), np.arange(len(dfa)))
    for group, count in Counter(found.groups.tolist()).most_common(most):
        members = np.flatnonzero(found.groups == group).tolist()
        targets = {state: found.target(state, members[0]) for state in range(len(dfa))}
        leads = [f"{state} to {to}" for state, to in targets.items() if to != DEAD]
        transitions = ", ".join(leads)
        names = [str(tekken.token_bytes[i]) for i in members[:3]] if transitions else []
        what = transitions or "dead in all states"
        print(f"{count:8,} tokens: {what:33} {' '.join(names)}")


tell_functions(PRICE, 20)

# %% [markdown]
# 131,054 tokens are one function, the one that's dead everywhere, and all digits are another one. (State 15 is the
# lab's number for state 1 with E2 read.) A JSON string is the opposite, since nearly every token is alive somewhere.
# But for the automaton nearly all of them do the same, because inside the string anything leads back to the inside:

# %%
tell_functions(JSON_STRING, 8)

# %% [markdown]
# Let's try patterns of every kind. How many tokens are alive in some state? How many different functions are they? And
# how many single steps was the automaton asked for, compared with a walk of each state down the whole trie?

# %%
DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
MAIL = r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
PATTERNS = {
    "a price": PRICE,
    "hexadecimal": HEX,
    "yes|no|maybe": "yes|no|maybe",
    "a date": DATE,
    "an e-mail address": MAIL,
    "a JSON string": JSON_STRING,
    "[ -~]+": "[ -~]+",
    ".{0,200}": ".{0,200}",
}
functions = {}
print("pattern             states   tokens alive   functions", end="    ")
print("steps taken   states times nodes")
for name, pattern in PATTERNS.items():
    dfa = compile_dfa(pattern)
    plain = byte_dfa(dfa)
    counted = CountedByteDfa(plain.dfa, plain.steps)
    found = lift(index.trie, counted, np.arange(len(dfa)))
    live = found.groups[found.groups != 0]
    functions[name] = len(np.unique(live))
    print(f"{name:18} {len(dfa):7,} {len(live):14,} {functions[name]:11,}", end=" ")
    print(f"{counted.lookups:14,} {len(dfa) * len(trie):20,}")
title = "Different functions among 131,072 tokens, the dead one not counted"
bar_chart(functions, title=title)

# %% [markdown]
# ## Masks
#
# A mask has a bit for each token that's alive. EOS is different: its bit says whether the state accepts. The bits are
# packed into words of 32, so that token t is bit t % 32 of word t // 32. Over a vocabulary of the 256 bytes and EOS, a
# mask is nine words. After `7` the price may go on with a digit, `.`, a space, or the first byte of €:

# %%
small = compile_token_fsm(PRICE, TokenVocabularyIndex(Vocabulary.bytes()))
after_seven = small.next_state(small.initial_state, ord("7"))
row = small.mask(after_seven)
print(row.dtype, row.shape, "allowed:", sorted(small.allowed_tokens(after_seven)))
title = "The mask after 7, over bytes: token 226 is E2, token 256 is EOS"
words_svg(row.tolist(), 257, title=title)

# %% [markdown]
# Bit 31 of a word is its sign. The 31 bits after token 256 belong to no token, and are 0. Over Tekken a mask is 4,096
# words, or 16 KiB. Here are the states of the price, and what each allows. States in the middle of € have numbers from
# 7 on, and only those are listed to which some token leads.

# %%
fsm = compile_token_fsm(PRICE, index)
fsm.prepare()
for state in fsm.states():
    allowed = [tekken.token_bytes[i] for i in sorted(fsm.allowed_tokens(state))]
    names = ["ten digits"] * (b"7" in allowed)
    names += [str(token) for token in allowed if not token.isdigit()]
    eos = ", and EOS" * fsm.is_terminal(state)
    name = f"{state}" if state < len(price) else f"{state}, half a character"
    print(f"{name:21} {len(allowed):3} tokens{eos}  {' '.join(names)}")
numbers = fsm.states()
counts = {f"state {state}": len(fsm.allowed_tokens(state)) for state in numbers}
bar_chart(counts, title=f"How many tokens each state of {PRICE} allows")

# %% [markdown]
# The same for the JSON string. It has eight states at whole characters, and seven in the middle of one:

# %%
string = compile_token_fsm(JSON_STRING, index)
counts = {}
for state in string.states():
    is_whole = state < len(strings)
    name = f"state {state}" if is_whole else f"{state}, half a character"
    counts[name] = len(string.allowed_tokens(state))
bar_chart(counts, title="How many tokens each state of a JSON string allows")

# %% [markdown]
# An automaton often has more states than masks, so equal rows are kept only once:

# %%
for name, pattern in PATTERNS.items():
    each = compile_token_fsm(pattern, index)
    each.prepare()
    rows = {each.mask(state).tobytes() for state in each.states()}
    print(f"{name:18} {len(each.states()):5,} states, {len(rows):3} different rows")

# %% [markdown]
# ## What must never be in a mask
#
# Here's a small vocabulary full of traps, and a pattern that allows any text:

# %%
odd = {
    0: (b"<s>", "special; its name is a possible text"),
    1: (b"</s>", "EOS, special"),
    2: (b"1", "special, and its name looks like a digit"),
    3: (b"1", "a digit"),
    4: (b"1", "the same bytes again"),
    5: (b"", "no bytes: a model could emit it forever"),
    6: (b"\xc3", "the first half of é"),
    7: (b"\xa9", "its second half"),
    8: ("é".encode(), "é as a whole"),
    9: (b"\xc0\xaf", "an overlong slash: no UTF-8"),
    10: (b"\xed\xa0\x80", "a surrogate: no UTF-8"),
    11: (b"\xed", "the first byte of 한, and of surrogates"),
    12: (b"\x95\x9c", "the rest of 한"),
    13: (b"\xa0\x80", "the rest of a surrogate"),
}

# %%
odd_tokens = [token for token, _ in odd.values()]
odd_vocabulary = Vocabulary(odd_tokens, eos_id=1, special_ids=[0, 2])
anything = compile_token_fsm("(?s:.)*", TokenVocabularyIndex(odd_vocabulary))
start = anything.initial_state
after_c3, after_ed = anything.next_state(start, 6), anything.next_state(start, 11)
print("token            at the start   after C3   after ED")
allowed = []
for token_id, (token, note) in odd.items():
    marks = []
    for state in (start, after_c3, after_ed):
        eos = token_id == 1 and anything.is_terminal(state)
        is_allowed = eos or token_id in anything.allowed_tokens(state)
        marks.append("yes" if is_allowed else "-")
    allowed.append([mark == "yes" for mark in marks])
    print(f"{token_id:2} {token!s:16} {marks[0]:13} {marks[1]:11} {marks[2]:10} {note}")

# %%
columns = [str(token_id) for token_id in odd]
names = ["at the start", "after C3", "after ED"]
rows = [list(row) for row in zip(*allowed, strict=True)]
mask_svg(rows, columns, names=names, strong=1, title="The same as masks; EOS is framed")

# %% [markdown]
# ### Bit by bit
#
# Lab 03 made its table by walking characters down a trie of dictionaries. For a pattern of ASCII alone, its masks and
# these must be the same, in all 131,072 bits. So let's compare them after every prefix of a few texts, with lab 02's
# compiler on one side and lab 06's on the other:


# %%
def bits(row, size=131_072):
    row_bytes = row.astype("<i4").view(np.uint8)
    return np.unpackbits(row_bytes, bitorder="little", count=size).astype(bool)


old_trie = lab_03.build_trie(texts)


def compare(pattern, text):
    """Return the bits, EOS aside, that labs 03 and 07 set differently."""
    characters = lab_02.compile_pattern(pattern)
    tokens = compile_token_fsm(pattern, index)
    table = lab_03.lift(characters, old_trie)
    differing = []
    for n in range(len(text) + 1):
        state = lab_02.advance(characters, characters.initial, text[:n])
        other = tokens.initial_state
        for char in text[:n]:
            other = tokens.next_state(other, texts.index(char))
        mask = bits(tokens.mask(other))
        mask[tekken.eos_id] = False
        old_mask = lab_03.row_mask(table[state], len(tekken))
        differing += np.flatnonzero(mask != old_mask).tolist()
    return differing


# %%
for pattern, text in [
    (HEX, "0x1f3a"),
    ("[0-9]+[.][0-9]+", "12.75"),
    ("[a-z]+@[a-z]+", "ada@home"),
    ("[ -~]+", "Hi 5!"),
]:
    differ = len(compare(pattern, text))
    print(f"{pattern:18} {len(text) + 1} masks along {text!r:11} {differ} bits differ")

# %% [markdown]
# If the pattern isn't ASCII they differ, but only in tokens that lab 03 can't see:

# %%
differing = compare("[à-ÿ€]+", "é€")
found = sorted({tekken.token_bytes[i] for i in differing})
print(len(differing), "bits differ:", found)
without_text = all(texts[i] is None for i in differing)
print("all are allowed here, and None among lab 03's texts:", without_text)

# %% [markdown]
# ## What it costs
#
# Three contestants: lab 03's loop over tokens, its trie, and this lab. The time is from an automaton over characters to
# the masks of all its states, with everything ready that belongs to the vocabulary alone. The columns on the right say
# how many times as long the others take, on the computer that made this page, the best of five:


# %% tags=["timing"]
def best(make, *arguments):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        make(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


def all_masks(dfa):
    TokenFSM(dfa, index).prepare()


DIGITS = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
gains = {}
print("pattern              lab 03's loop   its trie       lab 07       loop   trie")
for name, pattern in (
    (HEX, HEX),
    ("a date of digits", DIGITS),
    ("[a-z]+@[a-z]+", "[a-z]+@[a-z]+"),
    ("[ -~]+", "[ -~]+"),
):
    characters = lab_02.compile_pattern(pattern)
    loop = best(lab_03.states_to_vocab, characters, texts)
    once = best(lab_03.lift, characters, old_trie)
    now = best(all_masks, compile_dfa(pattern))
    times = f"{1000 * loop:10.0f} ms {1000 * once:7.1f} ms {1000 * now:9.2f} ms"
    print(f"{name:20} {times} {loop / now:10,.0f} {once / now:6.1f}")
    gains[name] = round(loop / now)

# %% tags=["timing"]
bar_chart(gains, title="How many times as long lab 03's loop takes")

# %% [markdown]
# Lab 03's trie profits from dead prefixes, so it gains nothing on `[ -~]+`, where nothing dies. Here nothing has to
# die. If nearly everything dies at once, as in hexadecimal numbers, both have little to do, and what costs is setting
# up arrays.
#
# Once a mask has been made, it's looked up. So is the next state, in the function of the token:

# %% tags=["timing"]
state = string.next_state(string.initial_state, texts.index('"'))
rounds = 10_000
row_time = best(lambda: [string.mask(state) for _ in range(rounds)]) / rounds
steps_time = best(lambda: [string.next_state(state, 1278) for _ in range(rounds)])
print(f"a row: {1e6 * row_time:.2f} microseconds,", end=" ")
print(f"a step: {1e6 * steps_time / rounds:.2f} microseconds")

# %% tags=["timing"]
index_time = best(TokenVocabularyIndex, tekken)
print(f"the index of Tekken, once for all patterns: {index_time:.2f} s")

# %% [markdown]
# ## Two kinds of vocabulary
#
# Tekken is byte-level BPE, so its tokens are any bytes. SentencePiece keeps pieces of text and writes the space as `▁`.
# For characters that it has no piece for it has a token for each byte, `<0x00>` to `<0xFF>` (byte fallback). As bytes
# the two are the same, and the lab makes no difference between them.


# %%
def facts(vocabulary):
    special, all_bytes = vocabulary.special_ids, vocabulary.token_bytes
    tokens = [t for i, t in enumerate(all_bytes) if i not in special]
    counted, without_text = Counter(tokens), vocabulary.texts().count(None)
    return {
        "ids": len(vocabulary),
        "special": len(special),
        "no text by themselves": without_text - len(special),
        "begin with a space": sum(token[:1] == b" " for token in tokens),
        "bytes that two ids have": sum(count > 1 for count in counted.values()),
        "nodes of the trie": len(TokenVocabularyIndex(vocabulary).trie),
    }


tekken_facts, piece_facts = facts(tekken), facts(pieces)
print(f"{'':24} {'Tekken':>10} {'SentencePiece':>15}")
for fact, value in tekken_facts.items():
    print(f"{fact:24} {value:10,} {piece_facts[fact]:15,}")

# %% [markdown]
# How many sequences of tokens spell a few texts, and what's the fewest tokens that do? A mask allows all spellings:


# %%
def spellings(vocabulary, text):
    """Return how many sequences of tokens spell a text, and the fewest tokens."""
    special, all_bytes = vocabulary.special_ids, vocabulary.token_bytes
    ids = Counter(t for i, t in enumerate(all_bytes) if t and i not in special)
    counts, fewest = [1] + [0] * len(text), [0.0] + [np.inf] * len(text)
    for end in range(1, len(text) + 1):
        for start in range(end):
            if count := ids[text[start:end]]:
                counts[end] += counts[start] * count
                fewest[end] = min(fewest[end], fewest[start] + 1)
    return counts[-1], int(fewest[-1])


ways = {}
for text in (" the price", "12.50 €", "été", "🦜"):
    found = [spellings(vocabulary, text.encode()) for vocabulary in (tekken, pieces)]
    figures = [f"{n:6,} spellings, at least {fewest} tokens" for n, fewest in found]
    print(f"{text!r:13} {'   '.join(figures)}")
    ways |= {f"{text!r}, Tekken": found[0][0], f"{text!r}, pieces": found[1][0]}
bar_chart(ways, title="In how many ways tokens spell a text")

# %% [markdown]
# Here are the masks of the price with SentencePiece. After `7` each digit is there twice, as a piece and as a byte:

# %%
piece_fsm = compile_token_fsm(PRICE, TokenVocabularyIndex(pieces))
state = piece_fsm.next_state(piece_fsm.initial_state, pieces.token_bytes.index(b"7"))
for token_id in sorted(piece_fsm.allowed_tokens(state)):
    token = pieces.token_bytes[token_id]
    if not token.isdigit() or token == b"7":
        print(f"{token_id:6}  {processor.id_to_piece(token_id)!r:9} {token}")

# %% [markdown]
# ## Writing prices
#
# `mask_engine` puts the labs together. `compile_guide` gives an engine what it asks for at each step: a mask for
# the state, and the state after a token. The loop below is lab 04's, and greedy, so it takes the model's favourite
# among the allowed tokens. The model wants `zz`, `q` and `@`, and nothing else:


# %%
def write(guide, model, budget=None, most=12):
    """Return the ids of the greedy choices, and how many tokens each mask allowed."""
    state, ids, allowed = guide.initial, [], []
    while state != FINISHED and len(ids) < (budget or most):
        mask = bits(guide.mask(state, budget and budget - len(ids)))
        allowed.append(int(mask.sum()))
        ids.append(int(np.where(mask, model(ids), -np.inf).argmax()))
        state = guide.advance(state, ids[-1])
    return ids, allowed


guide = compile_guide(tekken, regex=PRICE)
for seed in range(4):
    ids, allowed = write(guide, adversary(tekken, ["zz", "q", "@"], seed))
    tokens = [tekken.token_bytes[i] for i in ids]
    print(f"{tekken.decode(ids):14} {' '.join(map(str, tokens))}   allowed: {allowed}")

# %% [markdown]
# Three of them end because the mask leaves nothing else. The other one likes its `4` and would write it forever, and so
# would the digit lover. Without a budget it's cut. With one, the mask keeps enough tokens to finish. It counts in
# tokens: `€` is one here, and EOS is another.

# %%
lover = digit_lover(tekken)
lanes = []
for budget in (None, 7, 3):
    name = f"a budget of {budget}" if budget else "no budget, cut at 7 tokens"
    ids, _ = write(guide, lover, budget, most=7)
    names = ["EOS" if i == tekken.eos_id else texts[i] for i in ids]
    most = budget or 7
    moments = [Moment(token, f"{most - n} left") for n, token in enumerate(names)]
    lanes.append(Lane(name, moments, tekken.decode(ids)))
print("tokens to accept from the start:", guide.tokens_to_accept(guide.initial))
timeline_svg(lanes, title="The digit lover, and a mask that knows the budget")

# %% [markdown]
# Finally, characters that have no token: three emoji of the range 🦜 to 🦣, from a model with random logits. Each step
# may end in the middle of one; the whole characters so far are on the right. The same pattern serves both vocabularies:

# %%
for name, vocabulary in (("Tekken", tekken), ("SentencePiece", pieces)):
    parrots = compile_guide(vocabulary, regex="[🦜-🦣]{3}")
    model, state, ids = seeded_random(len(vocabulary), 7), parrots.initial, []
    print(name)
    while state != FINISHED:
        row = parrots.mask(state)
        mask = bits(row, len(vocabulary))
        ids.append(int(np.where(mask, model(ids), -np.inf).argmax()))
        state = parrots.advance(state, ids[-1])
        written = [vocabulary.token_bytes[i] for i in ids if i != vocabulary.eos_id]
        token = "EOS" if state == FINISHED else str(written[-1])
        whole = b"".join(written).decode(errors="ignore")
        print(f"   {int(mask.sum()):3} allowed   {token:20} {whole}")

# %% [markdown]
# Each text is a match, although none of its tokens is a whole character.
#
# What comes later? JSON Schemas as patterns (lab 08), a cache of compiled automata and masks in a batch (lab 09), and
# steps at which only one token is allowed, so that the model need not run (lab 10).
