# %% [markdown]
# # Lab 10, walked through: jump-forward
#
# A mask asks the model at every token, even where the grammar has already decided what must come. On this page you'll
# see how much of a text is decided in advance, three ways to write it without asking, what that does to the answers,
# and how much time it really saves. Everything here calls the reference. If you'd rather write the functions yourself
# first, start with the [README](README.md).

# %% [markdown]
# [![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)](https://colab.research.google.com/github/mask-the-logits/mask-the-logits/blob/main/labs/lab_10_jump_forward/walkthrough.ipynb)

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
import numpy as np

from labkit.engine import Engine, SamplingParams
from labkit.pictures import Lane, Moment, bar_chart, mask_svg, timeline_svg
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary
from labs.lab_10_jump_forward.given.schemas import SIX_KEYS
from labs.lab_10_jump_forward.given.steps import (
    expected_speedup,
    ragged_batch,
    share_step,
)
from labs.lab_10_jump_forward.given.tokens import TokenBytes
from labs.lab_10_jump_forward.measuring import committed
from labs.lab_10_jump_forward.pictures import jump as picture_of_a_jump
from labs.lab_10_jump_forward.pictures import speedup
from labs.lab_10_jump_forward.solution import (
    Jumper,
    StructuredOutputState,
    certain_tokens,
    forced_run,
    jump,
    longest_tokens,
    one_head,
    retokenized,
    single_tokens,
)
from mask_engine import compile_guide, structured_outputs

# %% tags=["hide-input"]
tokenizer = Tokenizer.load()
small = tokenizer.vocabulary
tokens = TokenBytes(small, tokenizer.encode)


def shown(ids):
    """Return tokens as texts."""
    return [tokenizer.decode([i]) for i in ids]


# %%
picture_of_a_jump()

# %% [markdown]
# In the upper row the model has chosen every token, in the lower row only the yellow ones. The others had to come, so
# they were written without asking, and the model read them together with the next yellow one.
#
# ## One bit is rare, one byte isn't
#
# How often is there no choice? Take a record of six keys, without spaces, and stop before each byte of one answer. How
# many bits does the mask have there, and how many bytes may come next?
#
# **Predict before you read on.** Which of the two is more often one? And is the difference larger with 1,024 tokens or
# with 131,072?

# %%
values = ("Ada Berg", "Rome", "teal", "Dutch", "ada@post.org", "Blue Room")
members = zip(SIX_KEYS["properties"], values, strict=True)
answer = "{" + ",".join(f'"{key}":"{value}"' for key, value in members) + "}"
counts = {}
for name, vocabulary in (("1,024", small), ("131,072", Vocabulary.tekken())):
    guide = compile_guide(vocabulary, json_schema=SIX_KEYS, whitespace="compact")
    state, bits, bytes_ = guide.initial, 0, 0
    for byte in answer.encode():
        bits += int(np.bitwise_count(guide.mask(state).view(np.uint32)).sum()) == 1
        bytes_ += len(guide.next_bytes(state)) == 1
        state = guide.after_byte(state, byte)
    counts[f"one-bit masks, {name} tokens"] = bits
    counts[f"forced bytes, {name} tokens"] = bytes_
bar_chart(counts, title=f"Of the {len(answer)} places of one answer")

# %% [markdown]
# Where `name` is forced, `n`, `na`, `nam` and `name` are all legal tokens. So the more tokens there are, the fewer
# masks have one bit, while the forced bytes stay the same. If you want to jump, look for bytes.
#
# ## The run, and three ways to write it
#
# Here's the **run** from the first state on, the bytes that are forced, and the tokens that each policy makes of it:

# %%
record = compile_guide(small, json_schema=SIX_KEYS, whitespace="compact")
run = forced_run(record, record.initial, 100)
print("forced:", run.decode())
print("single: ", shown(single_tokens(record, record.initial, 99)))
cuts = {"longest": longest_tokens(run, tokens), "whole": retokenized([], run, tokens)}
lanes = [Lane(name, [*map(Moment, shown(ids))]) for name, ids in cuts.items()]
timeline_svg(lanes, title="The run as tokens")

# %% [markdown]
# `single` takes tokens that are forced themselves, and at the start of this record there are none. The other two agree
# on this run. They won't always.
#
# Where does a run end? Where there's a choice, and ending the text is a choice too. It never ends inside a character
# (é and è start with the same byte), and never goes on for longer than you ask:

# %%
for pattern in ("names?", "(aé|aè)1", "été[12]", "a{3000}"):
    guide = compile_guide(small, regex=pattern)
    found = forced_run(guide, guide.initial, 12).decode()
    print(f"{pattern:10} {found!r}")

# %% [markdown]
# ### The seam
#
# Now the model has just chosen `{`. It hasn't read that token yet, so you may still write it differently, together with
# what follows. The third policy does: it puts the tokenizer's `{"` in its place.

# %%
begun = record.advance(record.initial, small.token_bytes.index(b"{"))
last = [small.token_bytes.index(b"{")]
for policy in ("longest", "whole"):
    state = StructuredOutputState(record, begun)
    tail = jump(Jumper(policy, tokens), state, last, 99)
    print(f"{policy:8} {shown(tail)}")

# %% [markdown]
# `longest` has gone on to the quote that opens the value, and `whole` has stopped before it. Why?
#
# ## The end of a run
#
# It's easiest to see at the start of a record, if any spacing is allowed. Then only `{` is forced, because a space, a
# new line or `"` may follow. What might the model want to write there?

# %%
spaced = compile_guide(small, json_schema=SIX_KEYS)
print("forced:", forced_run(spaced, spaced.initial, 100))
legal = StructuredOutputState(spaced).allowed_tokens()
print("legal: ", shown(sorted(legal)))
certain = certain_tokens(spaced, [spaced.initial], [b"{"], tokens)
print("certain tokens of ['{']:", certain)

# %% [markdown]
# The model's own texts start with `{"`. A jump that writes `{` puts it in a place where it has hardly ever been. So
# `certain_tokens` keeps a token only if no legal token that starts there reaches past the end of the run; here it keeps
# none. (In the same way, `whole` left the last `"` above to the model, which may want it as part of a longer token.)
#
# Does it matter? Here's the same order four times, greedy: without jumps, and by each policy.

# %%
prompt = tokenizer.prompt("Ada Berg from Rome orders 3 lamps. JSON only.")
text = {"type": "string", "minLength": 1, "maxLength": 20}
keys = {"item": text, "quantity": {"type": "integer"}, "customer": text, "city": text}
order = {"type": "object", "properties": keys, "required": [*keys]}
order["additionalProperties"] = False
form = {"type": "json_schema", "schema": order}
model, passes = SmallModel.load(), {}
for policy in (None, "single", "longest", "whole"):
    manager = structured_outputs(small, jump=policy, tokenizer=tokenizer.encode)
    engine = Engine(model, small, manager, max_num_seqs=1)
    greedy = SamplingParams(max_tokens=90, temperature=0)
    request = engine.add_request(prompt, greedy, response_format=form)
    engine.generate(request)
    written = " ".join(tokenizer.decode(request.output_token_ids).split())
    n_ids = len(request.output_token_ids)
    print(f"{policy!s:8} {engine.num_steps:3} passes, {n_ids:3} tokens: {written}")
    passes[policy or "no jumps"] = engine.num_steps
bar_chart(passes, title="Passes of the model for one order")

# %% [markdown]
# It does. The second policy's answer is valid JSON with the right keys, so it keeps the *language*, and it's nonsense.
# It doesn't keep the *model*. The third policy keeps both, because it writes only what the model's tokenizer would have
# written, and leaves the rest to the model. The price is that it saves fewer passes where spaces are a choice.
#
# ## A batch in which some jump
#
# In a server, a request that has just jumped over seven tokens shares a pass with others that have one token each, and
# the pass has room for so many tokens and no more. Nobody should have to wait for somebody else's jump, so whoever
# needs little gets it, and the others share the rest:

# %%
print(share_step([1, 9, 1, 5], 16), share_step([1, 9, 1, 5], 10))
batch, lengths = ragged_batch([[7], [5, 6, 7, 8], []])
print(batch.tolist(), lengths.tolist())

# %%
columns = [str(place) for place in range(batch.shape[1])]
rows = [[place < length for place in range(batch.shape[1])] for length in lengths]
names = ["one token", "a jump of four", "nothing to read"]
mask_svg(rows, columns, names=names, title="A ragged batch: 1 where there's a token")

# %% [markdown]
# The rows of such a batch have different lengths, and in the KV cache each row continues where that row ends. Get that
# wrong by one, and no error tells you. So here's the check: a model of one attention head, whose cache
# `append_to_cache` fills, reads five tokens at once and then one by one. The logits should be the same.

# %%
head = one_head(6)
at_once, one_by_one = head.new_cache(1), head.new_cache(1)
jumped = head.forward([[3, 1, 4, 1, 5]], at_once)
for token in (3, 1, 4, 1, 5):
    decoded = head.forward([[token]], one_by_one)
print("largest difference:", float(np.abs(jumped - decoded).max().round(5)))

# %% [markdown]
# ## What it is worth
#
# Fourteen grammars, from free text to a record in which only two digits are free, each written by the small model,
# greedy, in one stream. `python3 -m labs.lab_10_jump_forward.measuring` has measured them. First, how many passes are
# saved, and what becomes of the answers?

# %%
print(f"{'grammar':27} {'policy':8} forced  passes  plain  differ  log-probability")
for each in committed():
    if each.policy != "single":
        print(
            f"{each.name:27} {each.policy:8} {each.forced:5.0%} {each.passes:7} "
            f"{each.plain_passes:6} {each.differ:4} of {each.prompts} "
            f"{each.plain_logprob:z8.1f} {each.logprob:z7.1f}"
        )

# %% [markdown]
# *Differ* counts the greedy answers that aren't the text that plain masking gives. The log-probability is the model's
# own, with nothing masked: first that of plain masking's answer, then that of the answer with jumps. `longest` changes
# most answers, and an answer that has gone astray may even take more passes than plain masking. `whole` changes an
# answer only where plain masking itself is far from anything that the model would write.
#
# And the time? Here the tokens are the same with jumps and without, so only the passes differ:

# %%
speedup()

# %%
for each in committed():
    if each.policy == "whole":
        formula = expected_speedup(each.forced, each.cost_ratio)
        times = f"{each.ratio:5.2f} times, formula {formula:5.2f}"
        print(f"{each.name:27} {times}, c = {each.cost_ratio:.2f}")

# %% [markdown]
# c is the cost of an appended token (to find it, and to read it in its pass), in units of a step that decodes one
# token. It was measured for each grammar in the same run. With short jumps it's high, because a pass over two tokens
# costs this model half as much again as a pass over one; with long ones it's a tenth. On a GPU, which reads its weights
# once for a pass however many tokens there are, it's lower still.
#
# A page among this course's sources says: 25 to 40% fewer steps, *often* 1.5 to 2 times faster. Can that be?

# %%
for share in (0.25, 0.4, 0.5):
    most = expected_speedup(share, 0)
    print(f"{share:.0%} fewer passes: at most {most:.2f} times faster")

# %% [markdown]
# Not both at once: with 40% fewer passes, even free tokens make an answer 1.67 times faster and no more. If you want
# twice the speed, half of the passes have to go, and for the fivefold speed that the post on
# [coalescence](https://blog.dottxt.co/coalescence.html) has in its title, four in five. The rigid record above, in
# which only two digits are free, gets there. A chat doesn't.
