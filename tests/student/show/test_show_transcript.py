"""What ``course show --plain`` prints, line by line, against plain code that follows the same tokens."""

import math
import re

import pytest

from course.student.core.catalog import find_lab
from course.student.show import scene_of
from tests.student.show.test_show import NUMBERS, frames, shown

HEADING = r"(lab \d\d) · solution\.py · (.+) · (\w+), seed (\d) · step (\d+) of at most (\d+)"
LABELS = {"format", "schema", "grammar", "text", "state", "EOS", "budget", "word 0", "word 1", "chosen", "note", "end"}
BLOCKS = " ▏▎▍▌▋▊▉█"
NOTES = {
    7: "12 of 37 tokens are alive in some state; as functions 6",
    9: "row 0 of three; row 1 has no constraint, row 2 the same guide",
    10: "forced text could be written without asking the model",
    11: "11 free states, 42 inside calls",
    12: "at first 95% of the tokens are decided whatever the stack is",
    13: "the weight is the product of what the mask kept: masking is fair only if all texts have the same",
}
"""What some labs say at every step. That of lab 11 counts the states of its automaton."""


def printed(number, **choices):
    """The steps of a transcript: for each its heading, its labelled lines by label, and its lines about tokens."""
    blocks = shown(number, impl="solution", **choices).rstrip("\n").split("\n\n")
    assert len(blocks) % 4 == 0
    for heading, situation, tokens, outcome in zip(*(blocks[first::4] for first in range(4)), strict=True):
        rows, label = {}, ""
        for line in f"{situation}\n{outcome}".splitlines():
            label = line[:10].strip() or label
            assert label in LABELS and line == line.rstrip(), line
            rows[label] = f"{rows[label]} {line[10:]}" if label in rows else line[10:]
        yield re.fullmatch(HEADING, heading).groups(), rows, tokens.splitlines()


def shares(logits, allowed):
    """The softmax over some of the tokens, by plain floats; 0 for the others, and for all where none is allowed."""
    weights = [math.exp(value) if fits else 0.0 for value, fits in zip(map(float, logits), allowed, strict=True)]
    return [weight / (sum(weights) or 1) for weight in weights]


def eighths(bar):
    """How long a bar is, in eighths of a letter."""
    assert not bar.lstrip("█")[1:]
    return sum(map(BLOCKS.index, bar))


def check_share(text, share):
    """A share as it is printed: in percent, then as a bar of 20 letters."""
    percent, _, bar = text.partition("%")
    assert percent == f"{100 * share:.1f}" and abs(eighths(bar.strip()) - 160 * share) <= 0.5001, text


def text_of(ids, vocabulary):
    """The text of these tokens; as bytes where it ends in the middle of a character."""
    raw = b"".join(vocabulary.token_bytes[i] for i in ids if i != vocabulary.eos_id)
    return raw if "\ufffd" in raw.decode(errors="replace") else raw.decode()


def name_of(vocabulary, token_id):
    if token_id == vocabulary.eos_id:
        return "EOS"
    token = vocabulary.token_bytes[token_id]
    twin = f" #{token_id}" if vocabulary.token_bytes.count(token) > 1 else ""
    return repr(vocabulary.texts()[token_id] or token) + twin


def check_tokens(lines, frame, vocabulary):
    """The model's five favourites, then those that the mask leaves; what the model gives each, and the mask."""
    everything = range(len(vocabulary))
    wanted = shares(frame.logits, [True for _ in everything])
    left = shares(frame.logits, frame.mask)
    named = {}
    for i in everything:
        name = name_of(vocabulary, i)
        named.setdefault(name if len(name) < 14 else name[:10] + "...", []).append(i)
    seen = []
    for line in lines:
        among = [i for i in named[line[2:16].strip()] if f"{wanted[i]:6.1%}" == line[16:22] and i not in seen]
        i = next((i for i in among if (line[0] == ">") == (i == frame.chosen)), among[0])
        seen.append(i)
        check_share(line[16:43].strip(), wanted[i])
        assert line[45:].startswith("struck") == (not frame.mask[i]) and (line[0] == ">") == (i == frame.chosen), line
        if frame.mask[i]:
            check_share(line[45:].strip(), left[i])
    assert [wanted[i] for i in seen[:5]] == sorted(wanted, reverse=True)[:5] and frame.chosen in [*seen, None]
    best = sorted((left[i] for i in everything if frame.mask[i]), reverse=True)[:4]
    assert sorted((left[i] for i in seen if frame.mask[i]), reverse=True)[: len(best)] == best
    assert len(seen) <= 10 and all(frame.mask[i] for i in seen[5:])


def check_state(number, state, text, scene, kept):
    """What a state says of the text so far."""
    if number == 1:
        assert state == "none: lab 01 reads the whole text again"
    elif scene.kind == "pattern":
        matches = isinstance(text, str) and re.fullmatch(scene.grammar, text) is not None
        assert ("accepting" in state) == matches
        assert ("half a character" in state) == (number == 7 and isinstance(text, bytes))
    if number == 11:
        held = next((size for size in range(9, 0, -1) if text.endswith("<function="[:size])), 0)
        free = f"free, {text[-held:]!r} held back" if held else "free"
        inside = text.rfind("<function=") > text.rfind("</function>")
        assert re.fullmatch(r"\d+: " + ("inside a call" if inside else free), state)
    if number == 13:
        assert float(state.rpartition("weight ")[2]) == pytest.approx(math.prod(kept), rel=0.01)


@NUMBERS
@pytest.mark.parametrize("seed", range(2))
def test_a_transcript_says_what_plain_code_finds(number, seed):
    scene, seen = scene_of(find_lab(number), seed=seed), frames(number, seed=seed)
    vocabulary, steps = scene.vocabulary, list(printed(number, seed=seed))
    assert len(steps) == len(seen) > 2
    ids, kept, following = [], [], ""
    for (heading, rows, lines), frame in zip(steps, seen, strict=True):
        lab, _, model, used, at, most = heading
        assert (lab, model, used) == (f"lab {number:02}", scene.model_name, str(seed))
        assert (at, most) == (str(len(ids) + 1), str(scene.max_tokens))
        text = text_of(ids, vocabulary)
        assert rows["text"] == (repr(text) if len(repr(text)) <= 70 else "..." + repr(text)[-67:])
        assert rows["state"].startswith(following)
        check_state(number, rows["state"], text, scene, kept)
        assert rows["EOS"].startswith("legal" if frame.mask[vocabulary.eos_id] else "not legal")
        left = f"the mask leaves {sum(map(bool, frame.mask))} of {len(vocabulary)} tokens"
        assert lines[0].split() == f"the model wants {left}".split()
        check_tokens(lines[1:], frame, vocabulary)
        assert ("budget" in rows) == (number in (5, 12))
        if number == 5:  # at least `1` and `.5`
            fewest = 0 if re.fullmatch(scene.grammar, text) else 2 - bool(text)
            asked = f"remaining: {scene.max_tokens - len(ids)}; tokens to accept from here: {fewest}, and EOS"
            assert rows["budget"] == asked
        if "word 0" in rows:
            words = [rows[label].split() for label in ("word 0", "word 1") if label in rows]
            bits = "".join("".join(word[:4])[::-1] for word in words)
            assert bits.rstrip(".") == "".join("01"[bool(fits)] for fits in frame.legal)
        assert rows.get("note", "") == NOTES.get(number, "") or number in (6, 8, 14)  # they have tests of their own
        assert ("end" in rows) == (frame is seen[-1])
        if frame.chosen is None:
            assert not any(frame.mask) and rows["end"].startswith("the mask leaves no token: ") and "chosen" not in rows
            return
        chosen, _, following = rows["chosen"].removesuffix("...").partition("; next: state ")
        assert chosen == f"{name_of(vocabulary, frame.chosen)} by u = {frame.u:.3f}"
        left = shares(frame.logits, frame.mask)
        assert sum(left[: frame.chosen]) - 1e-6 <= frame.u <= sum(left[: frame.chosen + 1]) + 1e-6
        ids.append(frame.chosen)
        wanted = shares(frame.logits, [True for _ in left])
        kept.append(sum(share for share, fits in zip(wanted, frame.mask, strict=True) if fits))
    text = text_of(ids, vocabulary)
    over = "EOS" if ids[-1] == vocabulary.eos_id else f"{scene.max_tokens} tokens are spent"
    what = rows["end"].replace(" ", "").removeprefix(f"{over}:{text!r}".replace(" ", ""))
    assert what == "isamatch" or (ids[-1] != vocabulary.eos_id and what == "isaprefixofamatch,cutoff")
    assert scene.kind != "pattern" or (what == "isamatch") == bool(re.fullmatch(scene.grammar, text))
