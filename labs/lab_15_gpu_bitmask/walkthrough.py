# %% [markdown]
# # Lab 15, walked through: the GPU bitmask
#
# In lab 07 a mask became a row of packed words. Here we put the rows of a batch together and apply them to logits:
# first in NumPy, then with a kernel, and finally on a device that finds the row and the next state by itself. You don't
# need a GPU to follow. Every kernel on this page ran in `labkit.gpu`, a small stand-in made of NumPy. The page calls
# the reference, so if you'd like to write the functions yourself first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_15_gpu_bitmask/walkthrough.ipynb)

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
from functools import partial
from types import SimpleNamespace

import numpy as np

from labkit.errors import EmptyRow
from labkit.gpu import jit, recorded, tl
from labkit.models import seeded_random
from labkit.pictures import bar_chart, batch_svg, line_chart, mask_svg, words_svg
from labkit.vocabulary import Vocabulary

# %% tags=["hide-input"]
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, text_bytes
from labs.lab_15_gpu_bitmask.given import tuned
from labs.lab_15_gpu_bitmask.given.token_automata import automaton_of
from labs.lab_15_gpu_bitmask.score import drawing
from labs.lab_15_gpu_bitmask.solution import (
    FREE,
    advance_on_device,
    apply,
    apply_on_device,
    apply_states_on_device,
    bytes_per_step,
    fill,
    flatten_tokens,
    least_bytes,
    mask_block_on_device,
    minus_infinity,
    pack,
    step_table,
    tables_of,
    unpack,
    words_for,
)
from mask_engine import FINISHED, compile_guide


def masked(before, after):
    """Return for each row which logits are -inf, and None where none has changed."""
    changed = (before != after).any(axis=1)
    drawn = np.isneginf(after).tolist()
    return [row if now else None for row, now in zip(drawn, changed, strict=True)]


# %%
logits = np.zeros((3, 24), np.float32)
allowed = np.array([[token % 3 == row for token in range(20)] for row in range(3)])
with recorded() as launches:
    apply_on_device(logits, pack(allowed), 20, np.array([0, 2], np.int32), block=32)
print(f"{len(launches[0].traffic)} programs masked {np.isneginf(logits).sum()} logits")
batch_svg(masked(np.zeros((3, 24)), logits), 20, title="Rows 0 and 2 of three, masked")

# %% [markdown]
# That's the whole lab in one picture. Each row has 20 tokens and four columns of padding. The kernel ran once for each
# row that the host named, and a single word of 32 bits told it which columns become -inf. Row 1 has no constraint, so
# nobody touched it.
#
# ## Words and bits
#
# Let's start with the words. A row for 70 tokens takes three of them, and token t is bit t % 32 of word t // 32:

# %%
allowed = np.isin(np.arange(70), [2, 5, 6, 31, 32, 33, 69])[None]
words = pack(allowed)
print(words_for(70), "words:", words.tolist(), words.dtype)
words_svg(words[0].tolist(), 70, title="Tokens 2, 5, 6, 31, 32, 33 and 69")

# %% [markdown]
# Token 31 is the sign of its word. You may ask why anybody would store bits in a signed type: PyTorch had no `uint32`
# for years (see the upstream notes). The bits are the same either way. But watch what a right shift does to a negative
# number; it brings ones in from the left:

# %%
print("shift  shifted      & 1   token")
for shift in (0, 2, 6, 7, 30, 31):
    shifted = words[0, 0] >> np.int32(shift)
    says = "allowed" if allowed[0, shift] else "not allowed"
    print(f"{shift:5}  {shifted:11}  {shifted & 1:3}   {shift}, {says}")

# %% [markdown]
# If you asked "is anything left after the shift?", the answer would be yes for every token up to 31. Only the lowest
# bit tells the truth. And what about the bits after token 69, the tail? They aren't tokens, so we ignore them:

# %%
with_tail = words | np.array([[0, 0, -64]], np.int32)
print("the last word, ones in its tail:", with_tail[0, 2], "and zeros:", words[0, 2])
print("the same tokens:", (unpack(with_tail, 70) == allowed).all())

# %% [markdown]
# ## The rows of a batch
#
# Now a batch. We have four requests over a small vocabulary: two prices, one without a constraint, and a hexadecimal
# number. An engine reuses its buffer, so `out` still holds the rows of the last step; here that's the number 12345.

# %%
tokens = ["0", "1", "7", "42", ".", ".5", "0x", "x1", "af", "f", "a", " ", "€"]
tokens += ["yes", " the", "no"]
names = [*tokens, "EOS"]
texts = [text.encode() for text in tokens]
vocabulary = Vocabulary([*texts, b"</s>"], eos_id=len(tokens))
price = compile_guide(vocabulary, regex=r"[0-9]+(\.[0-9]+)? ?€")
number = compile_guide(vocabulary, regex="0x[0-9a-f]+")
after_42 = price.advance(price.initial, tokens.index("42"))
masks = [price.mask, price.mask, None, number.mask]
states = [price.initial, after_42, 0, number.initial]
out = np.full((4, 1), 12345, np.int32)
rows = fill(masks, states, out, len(vocabulary))
print("constrained rows:", rows.tolist())
for row, mask in enumerate(masks):
    ids = np.flatnonzero(unpack(out[row : row + 1], len(vocabulary))[0])
    listed = " ".join(repr(names[i]) for i in ids) if mask else "every token"
    print(f"row {row}: {out[row, 0]:7}  {listed}")

# %%
title = "Row 1, after 42, as a word"
words_svg([int(out[1, 0])], len(vocabulary), title=title)

# %% [markdown]
# Row 2 is -1: every bit is set, so a kernel that applies it does no harm. What if a guide allows nothing at all? Then
# `fill` refuses, on the host, because on the device the softmax of that row would quietly become 0 / 0. In the second
# row below there's one bit, but it's the bit of a token 3 that doesn't exist:

# %%
try:
    table = np.array([[5], [8]], np.int32)
    guides = [table.__getitem__, table.__getitem__]
    fill(guides, [0, 1], np.zeros((2, 1), np.int32), vocab_size=3)
except EmptyRow as error:
    print(f"EmptyRow: {error}")

# %% [markdown]
# ## Minus infinity, three times
#
# Models write their logits in one of three formats, and each has its own bits for minus infinity. `bfloat16` is simply
# the upper half of a `float32`. NumPy doesn't have it, so its logits come as raw bits.

# %%
for value in (1.0, -2.5, -np.inf):
    single, half = np.float32(value), np.float16(value)
    bits = int(single.view(np.uint32))
    half_bits = int(half.view(np.uint16))
    three = f"float32 {bits:08X}   bfloat16 {bits >> 16:04X}   float16 {half_bits:04X}"
    print(f"{value:5}   {three}")
print([minus_infinity(np.dtype(dtype)) for dtype in (np.float32, np.float16)])
print(hex(minus_infinity(np.dtype(np.uint16))))

# %% [markdown]
# Wouldn't a very low number do as well? Let's try. Nine of ten tokens are forbidden, and the allowed one happens to
# have the lowest logit that `float16` can hold:


# %%
def softmax(row):
    powers = np.exp(row.astype(np.float64) - row.max())
    return powers / powers.sum()


logits = np.full(10, -65504, np.float16)
lows = {
    "the lowest float16": np.finfo(np.float16).min,
    "minus infinity": minus_infinity(logits.dtype),
}
shares = {}
for name, low in lows.items():
    row = logits.copy()
    row[:9] = low
    shares[name] = round(float(softmax(row)[9]), 9)
bar_chart(shares, title="The share of the only allowed token of ten")

# %% [markdown]
# ## In place
#
# Here are logits `[4, 24]` for the 17 tokens, which makes seven columns of padding. We apply the bitmask of the batch
# above; row 2 is unconstrained and keeps everything.

# %%
rng = np.random.default_rng(0)
before = rng.normal(size=(4, 24)).astype(np.float32)
logits = before.copy()
apply(logits, out, len(vocabulary), rows)
titles = ["a price", "after 42", "free", "a hex number"]
drawn = masked(before, logits)
batch_svg(drawn, len(vocabulary), names=titles, title="What apply did to [4, 24]")

# %% [markdown]
# "In place" is a promise about the caller's memory, and it's easily broken. These logits are the left half of longer
# rows. `reshape(-1)` has to copy them, so whatever you write into its result is lost:

# %%
wide = np.zeros((4, 48), np.float32)
gaps = wide[:, :24]
lost = gaps.reshape(-1)
lost[:] = -np.inf
changed = np.isneginf(wide).sum()
print("written into reshape(-1):", changed, "of the caller's logits changed")
apply(gaps, out, len(vocabulary), rows)
print("written by apply:        ", np.isneginf(wide).sum(), "changed")

# %% [markdown]
# ## A kernel
#
# On a GPU, a small function runs many times at once: once for each *program* of a grid. Each program works on a block
# of numbers, which it gets with `load` and puts back with `store`. This one adds 1 to ten numbers, in two programs:


# %%
@jit
def add_one(x_ptr: tl.tensor, n: tl.tensor, BLOCK: tl.constexpr) -> None:
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = places < n
    values = tl.load(x_ptr + places, mask=there, other=0)
    tl.store(x_ptr + places, values + 1, mask=there)


x = np.arange(10)
with recorded() as launches:
    add_one[(2,)](x, 10, BLOCK=8)
print(x.tolist())
for program in sorted(launches[0].traffic):
    print(f"program {program}: {launches[0].of_program(program)}")

# %% [markdown]
# Program 1 has a block of eight and only two numbers to work on; its mask says which. Leave the mask out, and a device
# reads beyond the array without a word. It's just as silent when two programs write to one place: the later one wins,
# whichever that is. The stand-in refuses both:


# %%
@jit
def without_a_mask(x_ptr: tl.tensor, BLOCK: tl.constexpr) -> None:
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + places, tl.load(x_ptr + places) + 1)


@jit
def all_to_one_place(x_ptr: tl.tensor) -> None:
    tl.store(x_ptr, tl.program_id(0))


for kernel, constants in ((without_a_mask, {"BLOCK": 8}), (all_to_one_place, {})):
    try:
        kernel[(2,)](np.arange(10), **constants)
    except (IndexError, RuntimeError) as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# In the lab's kernel, each program masks one block of one row. We take the row of 70 tokens from above, with 80 columns
# and blocks of 64, and follow the program of block 1, step by step, in NumPy:

# %%
BLOCK, block, V, C = 64, 1, 70, 80
word_ids = block * (BLOCK // 32) + np.arange(BLOCK // 32)
there = word_ids * 32 < V
loaded = np.where(there, words[0, np.minimum(word_ids, 2)], 0)
bits = (loaded[:, None] >> np.arange(32)[None, :]) & 1
columns = block * BLOCK + np.arange(BLOCK)
allowed_here = (bits.reshape(BLOCK) == 1) & (columns < V)
stored = columns[~allowed_here & (columns < C)]
print("words", word_ids.tolist(), "there:", there.tolist())
print("loaded:", loaded.tolist(), "bits:", bits.shape)
print("allowed:", columns[allowed_here].tolist(), "stored:", stored.tolist())

# %% [markdown]
# The kernel does exactly this, with `tl` in place of `np`:

# %%
logits = np.zeros(C, np.float32)
mask_block_on_device(logits, words[0], V, block_id=block, block=BLOCK)
print("the same columns:", (np.flatnonzero(np.isneginf(logits)) == stored).all())

# %%
drawn = [np.isneginf(logits).tolist()]
batch_svg(drawn, V, block=BLOCK, names=["row 0"], title="What program 1 has masked")

# %% [markdown]
# Now all programs together. We compare them with `apply`, bit for bit, in all formats, for all rows and then for half
# of them:

# %%
rng = np.random.default_rng(1)
bitmask = pack(rng.random((6, 1000)) < 0.5)
formats = {"float32": np.float32, "float16": np.float16, "bfloat16": np.uint16}
for name, dtype in formats.items():
    start = rng.normal(size=(6, 1003)).astype(np.float32)
    if dtype is np.uint16:
        start = start.view(np.uint32) >> 16
    start = start.astype(dtype)
    for some in (None, np.array([4, 1, 3], np.int32)):
        one, other = start.copy(), start.copy()
        apply(one, bitmask, 1000, some)
        apply_on_device(other, bitmask, 1000, some, block=128)
        which = "all rows" if some is None else f"rows {some.tolist()}"
        print(f"{name:9} {which:15} equal: {one.tobytes() == other.tobytes()}")

# %% [markdown]
# ## A score without a clock
#
# How good is that kernel? You don't need a stopwatch to say. Masking computes almost nothing; it moves bytes, and
# nobody can do it without reading every word and writing every masked logit. The stand-in counts what the programs of a
# kernel really move, and `python3 -m course score 15` draws the two beside each other:

# %%
print(drawing(SimpleNamespace(apply_on_device=apply_on_device)))

# %% [markdown]
# Compare that with the kernel that most people write first. It loads a logit for each column, chooses between it and
# -inf, and stores the result. The logits come out right. But where nearly everything is allowed it moves 46 times the
# least, since it reads and writes all that it could have left alone. (It also loads each word once for each of its
# bits.)


# %%
@jit
def where_kernel(logits_ptr, words_ptr, vocab_size, n_columns, BLOCK: tl.constexpr):
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row, is_there = tl.program_id(0), columns < n_columns
    word = words_ptr + row * tl.cdiv(vocab_size, 32) + columns // 32
    bits = tl.load(word, mask=columns < vocab_size, other=0) >> (columns % 32)
    logits = tl.load(logits_ptr + row * n_columns + columns, mask=is_there)
    kept = tl.where(bits & 1 == 1, logits, float("-inf"))
    tl.store(logits_ptr + row * n_columns + columns, kept, mask=is_there)


def apply_by_where(logits, bitmask, vocab_size, rows=None, block=128):
    grid = len(logits), -(-logits.shape[1] // block)
    where_kernel[grid](logits, bitmask, vocab_size, logits.shape[1], BLOCK=block)


print(drawing(SimpleNamespace(apply_on_device=apply_by_where)))

# %% [markdown]
# The drawing also helps when your kernel is wrong, because it shows where. In this one, every block reads the words of
# the first block:


# %%
@jit
def first_words(logits_ptr, words_ptr, vocab_size, n_columns, BLOCK: tl.constexpr):
    row, inside = tl.program_id(0), tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + inside
    word = words_ptr + row * tl.cdiv(vocab_size, 32) + inside // 32
    bits = tl.load(word) >> (inside % 32)
    forbidden = ((bits & 1) == 0) | (columns >= vocab_size)
    there = forbidden & (columns < n_columns)
    tl.store(logits_ptr + row * n_columns + columns, float("-inf"), mask=there)


def apply_first_words(logits, bitmask, vocab_size, rows=None, block=128):
    grid = len(logits), -(-logits.shape[1] // block)
    first_words[grid](logits, bitmask, vocab_size, logits.shape[1], BLOCK=block)


lines = drawing(SimpleNamespace(apply_on_device=apply_first_words)).splitlines()
print("\n".join(lines[-13:]))

# %% [markdown]
# The least depends on how many tokens are allowed. For a batch of 256 over 131,072 tokens, the words are 4 MiB whatever
# they say. Everything else is logits that must be written:

# %%
curves = {}
for name, itemsize in (("float32", 4), ("float16 and bfloat16", 2)):
    points = []
    for share in (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0):
        row = pack((np.arange(131_072) < share * 131_072)[None])
        least = 256 * least_bytes(row, 131_072, 131_072, itemsize)
        points.append((100 * share, least / 2**20))
    curves[name] = points
line_chart(
    curves,
    title="The fewest bytes that mask a batch of 256 rows of 131,072",
    x_label="tokens allowed, per cent",
    y_label="MiB",
)

# %% [markdown]
# ## States on the device
#
# So far the host sends the rows again at every step, though the rows of an automaton never change. Let's leave them on
# the device as a table. Then a step only needs a number for each request, and the device can even work that out by
# itself.
#
# A device can't raise an exception, so the table has to have an answer to everything. Here's the automaton of `1+` over
# the tokens `a`, `.`, `.2`, `1` and EOS. It gets two more states than it had: 2 is finished, 3 is dead. EOS leads from
# an accepting state to finished, and no entry is -1:

# %%
toy = Vocabulary.toy()
automaton = automaton_of(["1+"], TokenVocabularyIndex(toy))
steps = step_table(automaton.steps, automaton.accepting)
tables = tables_of(["1+"], toy)
print("state  on 1  on a  on EOS  on what is no text   mask")
for state in range(len(steps)):
    row = steps[state]
    one, a, eos, no_text = row[[ord("1"), ord("a"), 256, 257]]
    print(f"{state:5} {one:5} {a:5} {eos:7} {no_text:19} {tables.masks[state, 0]:6}")

# %% [markdown]
# The device also needs the tokens, one after the other in one array. A token that is never text is one symbol, 257,
# which leads to dead from everywhere:

# %%
symbols, offsets = flatten_tokens(text_bytes(toy), toy.eos_id)
print("symbols", symbols.tolist(), "offsets", offsets.tolist())
states = np.array([0, FREE, 1], np.int32)
advance_on_device(states, np.array([3, 3, 4], np.int32), symbols, offsets, steps)
print("states 0, free and 1, by the tokens 1, 1 and EOS:", states.tolist())

# %%
tables_of_toy = unpack(tables.masks, len(toy)).tolist()
columns = [text or "EOS" for text in toy.texts()]
names = ["state 0", "state 1", "finished", "dead"]
title = "The masks that stay on the device; EOS is framed"
mask_svg(tables_of_toy, columns, names=names, strong=4, title=title)

# %% [markdown]
# Time for whole generations over a real vocabulary: six requests over 131,072 tokens, one of them unconstrained, with
# random models. We make the tables once:

# %%
tekken = Vocabulary.tekken()
DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
PATTERNS = [r"[0-9]+(\.[0-9]{2})? ?€", DATE, "(yes|no|maybe)( 🦜)?"]
tables = tables_of(PATTERNS, tekken)
for name, table in tables._asdict().items():
    print(f"{name:8} {table.dtype!s:6} {table.shape!s:14} {table.nbytes:12,} bytes")

# %% [markdown]
# A step masks by the states, chooses, and advances. All three happen where the logits are, so the host sends nothing.
# (The choice is the largest allowed logit. We find it in NumPy here, because the lab has no kernel for it.) How do we
# know it's right? The host keeps lab 07's guides and does everything again in the old way. At every step, every bit of
# the masked logits must be equal, and both must end together:

# %%
which = [0, 1, 2, None, 0, 1]
guides = [compile_guide(tekken, regex=pattern) for pattern in PATTERNS]
models = [seeded_random(len(tekken), seed) for seed in range(len(which))]
states = np.array([FREE if p is None else tables.initial[p] for p in which], np.int32)
on_host = [None if p is None else guides[p].initial for p in which]
finished, written, compared = len(tables.masks) - 2, [[] for _ in which], 0
out = np.zeros((len(which), words_for(len(tekken))), np.int32)

# %%
for _ in range(12):
    logits = np.stack([model(ids) for model, ids in zip(models, written, strict=True)])
    expected = logits.copy()
    apply_states_on_device(logits, states, tables.masks, len(tekken), block=1024)
    live = [row for row, state in enumerate(on_host) if state not in (None, FINISHED)]
    masks = [guides[which[row]].mask for row in live]
    fill(masks, [on_host[row] for row in live], out[: len(live)], len(tekken))
    for place, row in enumerate(live):
        apply(expected[row : row + 1], out[place : place + 1], len(tekken))
        assert logits[row].tobytes() == expected[row].tobytes()
        compared += logits.shape[1]
    sampled = logits.argmax(axis=1).astype(np.int32)
    advance_on_device(states, sampled, tables.symbols, tables.offsets, tables.steps)
    for row in live:
        on_host[row] = guides[which[row]].advance(on_host[row], int(sampled[row]))
        assert (states[row] == finished) == (on_host[row] == FINISHED)
    for row, ids in enumerate(written):
        if states[row] != finished or row in live:
            ids.append(int(sampled[row]))

# %%
print(f"{compared:,} logits compared with the host's, and not a bit differs")
for row, ids in enumerate(written):
    ended = "finished" if states[row] == finished else f"state {states[row]}"
    wrote = f"{ended:9} {tekken.decode(ids)!r}"
    print(f"row {row}: {'free' if which[row] is None else wrote}")

# %% [markdown]
# A finished row allows EOS alone, and it stays finished until the host removes the request.
#
# ## What each design sends
#
# What has this saved? Take a batch of 256, of which 192 are constrained, over 131,072 tokens:

# %%
for name, size in bytes_per_step(256, 192, 131_072).items():
    print(f"{name:21} {size:12,} bytes a step")
bar_chart(
    {name: float(size) for name, size in bytes_per_step(256, 192, 131_072).items()},
    title="Bytes that the host sends in a step",
    unit="B",
)

# %% [markdown]
# The last two cost memory on the device: 16 KiB for each state over this vocabulary. So a table is worth it where
# states are few and used often. A grammar with a stack has no such table (lab 12).
#
# ## On a CPU: what each step gained
#
# The lab's `apply` is written to be clear, and it isn't fast. `given/tuned.py` is faster, and a test holds the two
# equal bit for bit. How do you get from one to the other? These are the steps, each of them a method to mask whole rows
# of 131,072 `float32` logits:


# %%
def bits_of(words):
    return np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little")


def boolean_index(logits, words):
    logits[bits_of(words) == 0] = -np.inf


def index_by_rows(logits, words):
    for row, mine in zip(logits, words, strict=True):
        row[bits_of(mine) == 0] = -np.inf


def copyto_by_rows(logits, words):
    for row, mine in zip(logits, words, strict=True):
        np.copyto(row, -np.inf, where=bits_of(mine) == 0)


# %%
EIGHT = bits_of(np.arange(256, dtype=np.uint8)[:, None]) == 1
ADDED = np.where(EIGHT, 0, -np.inf).astype(np.float32)
LARGER = np.where(EIGHT, 0, 0xFF800000).astype(np.uint32)


def additive_row(logits, words):
    scratch = np.empty((words.shape[1] * 4, 8), np.float32)
    for row, mine in zip(logits, words, strict=True):
        np.take(ADDED, mine.view(np.uint8), axis=0, out=scratch, mode="clip")
        row += scratch.reshape(-1)


def byte_table(logits, words):
    scratch = np.empty((words.shape[1] * 4, 8), np.uint32)
    for row, mine in zip(logits.view(np.uint32), words, strict=True):
        np.take(LARGER, mine.view(np.uint8), axis=0, out=scratch, mode="clip")
        np.maximum(row, scratch.reshape(-1), out=row)


def lists_of_ids(logits, words):
    for row, mine in zip(logits, words, strict=True):
        at = np.flatnonzero(mine)
        set_bits = np.flatnonzero(bits_of(mine[at]))
        ids = 32 * at[set_bits // 32] + set_bits % 32
        kept = row[ids]
        row.fill(-np.inf)
        row[ids] = kept


# %%
METHODS = {
    "boolean index, whole batch": boolean_index,
    "boolean index, row by row": index_by_rows,
    "copyto where, row by row": copyto_by_rows,
    "0 or -inf added, by bytes": additive_row,
    "larger of two bits, by bytes": byte_table,
    "lists of allowed ids": lists_of_ids,
    "given/tuned.py": lambda logits, words: tuned.apply(logits, words, logits.shape[1]),
}

# %% [markdown]
# All of them are right on ordinary logits. Give them infinities, zeros of both signs and a NaN with its sign set, and
# two of them aren't:

# %%
eight = [np.inf, -0.0, np.inf, -0.0, 1, 2, np.copysign(np.nan, -1), 4]
odd = np.array([eight * 4], np.float32)
mine = pack((np.arange(32) % 4 < 2)[None])
right = odd.copy()
apply(right, mine, 32)
for name, method in METHODS.items():
    logits = odd.copy()
    with np.errstate(invalid="ignore"):
        method(logits, mine)
    differs = np.flatnonzero(logits.view(np.uint32) != right.view(np.uint32))
    columns = zip(odd[0], logits[0], right[0], strict=True)
    shown = [f"{old} became {new} and not {should}" for old, new, should in columns]
    faults = {shown[at] for at in differs}
    print(f"{name:29} {', '.join(sorted(faults)) or 'every bit right'}")

# %% [markdown]
# And the times? These are milliseconds for 128 rows on the computer that built this page, the best of three runs,
# beside a copy of the bytes that must move. It's processor time of all threads together, because the computer was busy:


# %% tags=["timing"]
def milliseconds(method, *arguments):
    start = time.process_time()
    method(*arguments)
    return 1000 * (time.process_time() - start)


ROWS, TURNS, DENSITIES, found = 128, 3, (0.001, 0.5, 0.97), {}
logits = np.random.default_rng(0).standard_normal((ROWS, 131_072), dtype=np.float32)
for density in DENSITIES:
    drawn = np.random.default_rng(1).random((ROWS, 131_072), dtype=np.float32) < density
    bitmask = np.packbits(drawn, axis=1, bitorder="little").view(np.int32)
    least = bitmask.nbytes + 4 * int(drawn.size - drawn.sum())
    source, target = np.zeros(least, np.uint8), np.ones(least, np.uint8)
    methods = {"(a copy of the bytes)": partial(np.copyto, target, source)}
    for name, method in METHODS.items():
        methods[name] = partial(method, logits, bitmask)
    times = {name: [] for name in methods}
    for _ in range(TURNS):  # in turns, so that a busy moment slows all of them
        for name, method in methods.items():
            times[name].append(milliseconds(method))
    for name in methods:
        found.setdefault(name, []).append(min(times[name]))

# %% tags=["timing"]
heads = "".join(f"{density:9.1%}" for density in DENSITIES)
print(f"{'':29}{heads}   of tokens allowed")
for name, times in found.items():
    print(f"{name:29}" + "".join(f"{each:9.1f}" for each in times))
del logits, drawn, bitmask, source, target

# %% tags=["timing"]
half = {name: times[1] / 1000 for name, times in found.items()}
bar_chart(half, title="128 rows, half of the tokens allowed", unit="s")

# %% [markdown]
# What costs the time is a boolean for each token: you make it, you read it again, and you branch on it, which is worst
# where half of the tokens are allowed. A byte of the mask, in contrast, is eight logits at once, and a table of 256
# rows of eight numbers stays in the cache. Why the *larger* of two bit patterns? Taken as an unsigned number, the bits
# of -inf are above those of every other number, so the larger one is -inf where the table has -inf, and no float is
# computed. Only a NaN with its sign set is above them. `tuned.py` checks for that, which is why it's slower than the
# table alone. And where few tokens are allowed, it keeps these and writes the rest. `python3 -m course bench 15`
# compares it with torch and xgrammar.
#
# ### On a device
#
# If you have one, `python -m labs.lab_15_gpu_bitmask.measuring` compares the kernels with NumPy bit for bit, and
# measures them beside xgrammar's Triton kernel and masking compiled by torch.
