"""Tests of lab 10. A grammar is a list of words, so a test sees what is forced by looking at all of them.

What an engine saves is counted in passes of the model, never by the clock.
"""

import math
from itertools import product
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking import check_equal, check_type
from labkit.checking.calls import check_call, reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.oracles.guides import END, BruteGuide
from labkit.vocabulary import Vocabulary

NAMES = [b"n", b"na", b"nam", b"name", b"a", b"m", b"e", b'"', b'{"', b'":', b'":"', b"{", b":", b"x", b"}", b'"}']
OTHERS = [b"me", b"</s>", b"1", b"12", b"2", b"", b"<pad>", b"n", b"\xc3", b"\xa9", b"\xa8", b"\xc3\xa9", b"\0", b" "]
TOKENS = [*NAMES, *OTHERS, b"N", "\u0301".encode(), b"N-name"]
EOS = TOKENS.index(b"</s>")
PAD = TOKENS.index(b"<pad>")
SMALL = Vocabulary(TOKENS, eos_id=EOS, special_ids=[PAD])
ID = {token: token_id for token_id, token in reversed([*enumerate(TOKENS)])}
OTHER_N = TOKENS.index(b"n", 1)


def ids(*tokens):
    """Return the ids of some tokens; an int is one already."""
    known = (token.encode() if isinstance(token, str) else token for token in tokens)
    return [token if isinstance(token, int) else ID[token] for token in known]


class Words(BruteGuide):
    """A guide whose texts are a list of words: its states are the bytes so far."""

    def __init__(self, *words, vocabulary=SMALL):
        super().__init__(vocabulary.eos_id, len(vocabulary))
        self.listed = [word.encode() if isinstance(word, str) else word for word in words]
        left_out = {*vocabulary.special_ids, vocabulary.eos_id}
        self.tokens = {i: t for i, t in enumerate(vocabulary.token_bytes) if t and i not in left_out}

    def after(self, state):
        """Return what may follow, of each word that begins so."""
        return [word[len(state) :] for word in self.listed if state != END and word.startswith(state)]

    def viable(self, state):
        return {i: state + token for i, token in self.tokens.items() if self.after(state + token)}

    def accepts(self, state):
        return state in self.listed

    def next_bytes(self, state):
        return bytes(sorted({rest[0] for rest in self.after(state) if rest}))

    def after_byte(self, state, byte):
        assert self.after(state + bytes([byte])), f"the byte {byte} may not come after {state!r}"
        return state + bytes([byte])

    def made(self, lab):
        """Return the guide as the lab's code takes it."""
        return lab.ByteGuideOfFunctions(super().made(lab, b""), self.next_bytes, self.after_byte, is_text)


def is_text(data):
    """Return whether bytes are whole characters."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def greedy(text):
    """Return a text in the longest tokens from the left: what this tokenizer writes."""
    left_out = (EOS, PAD)
    data = text.encode() if isinstance(text, str) else text
    found = []
    while data:
        fits = [t for i, t in enumerate(TOKENS) if t and i not in left_out and data.startswith(t)]
        found.append(TOKENS.index(max(fits, key=len)))
        data = data[len(TOKENS[found[-1]]) :]
    return found


def spelled(token_ids, tokens=TOKENS):
    """Return the bytes of some tokens."""
    return b"".join(tokens[i] for i in token_ids)


def named(token_ids, vocabulary):
    """Return ids with their tokens, so that a failure can be read."""
    tokens = vocabulary.token_bytes
    return [(i, tokens[i]) if i in range(len(tokens)) else i for i in token_ids]


def check_tokens(lab, name, args, expected, about, vocabulary=SMALL):
    """Assert the ids of tokens that a function gives; a message shows them with their tokens."""
    with reporting(f"{name} {about}", named(expected, vocabulary)):
        got = getattr(lab, name)(*args)
    check_type(got, list, f"{name} {about}")
    check_equal(named(got, vocabulary), named(expected, vocabulary), f"{name} {about}")


def jumper(lab, policy, encode=greedy, vocabulary=SMALL):
    return lab.Jumper(policy, lab.TokenBytes(vocabulary, encode))


# forced_byte --------------------------------------------------------------------------------------

FORKS = ["name", "nam", "nose", "x", b"\0", "é", "è"]
BYTES = [("n", None), ("no", ord("s")), ("na", ord("m")), ("nam", None), ("name", None), ("", None), (b"\xc3", None)]
BYTES += [("nos", ord("e")), ("x", None), ("xx", None)]


@pytest.mark.todo("forced_byte")
@pytest.mark.parametrize(("text", "expected"), BYTES)
def test_the_byte_that_is_forced(lab, text, expected):
    """A byte is forced if no other may come and the text can't end here. If not, or at a dead end, return None."""
    state = text.encode() if isinstance(text, str) else text
    check_call(lab, "forced_byte", (Words(*FORKS).made(lab), state), expected, f"after {state!r} of {FORKS}")


@pytest.mark.todo("forced_byte")
def test_the_byte_0_and_the_state_0(lab):
    """0 is a perfectly good byte, and a perfectly good state. Don't mistake either of them for None."""
    of_tokens = lab.GuideOfFunctions(0, max, max, max, lambda state: False, max)
    guide = lab.ByteGuideOfFunctions(of_tokens, lambda state: b"a\0"[state : state + 1], max, bool)
    check_equal([lab.forced_byte(guide, 0), lab.forced_byte(guide, 1)], [97, 0], "forced_byte in states 0 and 1")


# forced_run ---------------------------------------------------------------------------------------

RUNS = [
    (['{"name":"x', '{"name":"y'], b"", 99, b'{"name":"'),
    *[(["name", "names"], b"", 99, b"name"), (["aé", "aè"], b"", 99, b"a"), (["été1", "été2"], b"", 4, "ét".encode())],
    *[(["été"], b"", 5, "été".encode()), (["été"], b"\xc3", 99, b"\xa9t\xc3\xa9"), (["été", "ête"], b"\xc3", 99, b"")],
    *[(["€1", "€2"], b"\xe2", 99, b"\x82\xac"), ([b"a\0b", b"a\0c"], b"", 99, b"a\0"), (["name"], b"", 2, b"na")],
    *[(["name"], b"", 0, b""), (["name"], b"name", 99, b""), (["😀x"], b"", 3, b"")],
]


@pytest.mark.todo("forced_run")
@pytest.mark.parametrize(("words", "state", "limit", "expected"), RUNS)
def test_the_run_that_is_forced(lab, words, state, limit, expected):
    """Collect bytes up to the first choice (an end is one, too), and cut them after the last whole character."""
    args = (Words(*words).made(lab), state, limit)
    check_call(lab, "forced_run", args, expected, f"after {state!r} of {words}, limit {limit}")


@pytest.mark.todo("forced_run")
@pytest.mark.parametrize("limit", [1, 7, 3000])
def test_a_run_without_an_end_is_cut(lab, limit):
    """This run has a million bytes, so look no further than ``limit``."""
    seen = set()  # of states: to ask twice in each is no wrong answer
    of_tokens = lab.GuideOfFunctions(0, max, max, max, lambda state: state == 10**6, max)
    following = lambda state: seen.add(state) or b"a" * (len(seen) < 3099)  # noqa: E731
    guide = lab.ByteGuideOfFunctions(of_tokens, following, lambda state, byte: state + 1, lambda state: True)
    check_equal(lab.forced_run(guide, 0, limit), b"a" * limit, f"forced_run of a million times a, limit {limit}")
    assert len(seen) <= limit + 1, f"limit {limit}: the guide was asked about the next byte of {len(seen)} states"


ALPHABET = st.text("aéè1", min_size=1, max_size=5)


@pytest.mark.todo("forced_run")
@given(st.lists(ALPHABET, min_size=1, max_size=4), st.data())
@PROPERTY
def test_any_run_is_what_all_words_share(lab, words, data):
    """A run is what all the words still possible share, in whole characters. None of them ends inside it."""
    brute = Words(*words)
    state = data.draw(st.sampled_from(brute.listed)).decode()
    state = state[: data.draw(st.integers(0, len(state)))].encode()
    shortest = min(brute.after(state), key=len)
    heads = (shortest[:n] for n in range(len(shortest), -1, -1))
    shared = (head for head in heads if all(rest.startswith(head) for rest in brute.after(state)))
    expected = next(head for head in shared if is_text(state + head))
    check_equal(lab.forced_run(brute.made(lab), state, 99), expected, f"forced_run after {state!r} of {words}")


# retokenized --------------------------------------------------------------------------------------


ACUTE = "\u0301"
WRITES = {
    "the longest tokens": greedy,
    "a space first": lambda text: ids(" ") + greedy(text),
    "a space first, if there is none": lambda text: greedy(" " + text.removeprefix(" ")),
    "BOS first": lambda text: [PAD, *greedy(text)],
    "accents composed": lambda text: greedy(normalize("NFC", text)),
    "no capitals": lambda text: greedy(text.lower()),
}

SEAMS = [
    (["{"], b'"name":"', greedy, ['{"', "name", '":"']),
    ([], b'{"name', greedy, ['{"', "name"]),
    (["na"], b"me", greedy, ["name"]),
    (["n"], b"ame", WRITES["a space first"], ["n", "a", "me"]),
    ([b"\xc3"], b"\xa9n", greedy, [b"\xc3\xa9", "n"]),
    ([b"\xa9"], b"name", greedy, [b"\xa9", "name"]),
    (["1"], "é".encode(), lambda text: ids("1", b"\xc3", b"\xa9"), ["1", b"\xc3", b"\xa9"]),
    (["n"], b"</s>", lambda text: [ID[b"n"], EOS], ["n"]),
    (["{"], b'"name', WRITES["BOS first"], ["{", '"', "name"]),
    ([], b'{"name', WRITES["BOS first"], ['{"', "name"]),
    (["{"], b'"name', lambda text: [*greedy(text), PAD], ["{", '"', "name"]),
    ([PAD], b'{"', greedy, [PAD, '{"']),
    (["n"], b"ame", WRITES["a space first, if there is none"], ["n", "a", "me"]),
    ([], b"name", WRITES["a space first, if there is none"], ["name"]),
    ([" "], b"name", WRITES["a space first, if there is none"], [" ", "name"]),
    (["e"], ACUTE.encode(), WRITES["accents composed"], ["e", ACUTE]),
    (["n"], f"e{ACUTE}".encode(), WRITES["accents composed"], ["n", "e", ACUTE]),
    (["n"], "aé".encode(), WRITES["accents composed"], ["na", "é"]),
    (["N"], b"ame", WRITES["no capitals"], ["N", "a", "me"]),
    (["n"], b"ame", WRITES["no capitals"], ["name"]),
    (["1"], b" 2", lambda text: greedy(text.replace(" ", "")), ["1", " ", "2"]),
]


@pytest.mark.todo("retokenized")
@pytest.mark.parametrize(("last", "run", "encode", "expected"), SEAMS)
def test_the_seam_is_written_as_the_tokenizer_would(lab, last, run, encode, expected):
    """Encode the last token and the run together. If that isn't the same text, keep the token and use policy two.

    Tokenizers add BOS, EOS or a space, drop one, compose accents and lower capitals.
    """
    how = next((how for how, each in WRITES.items() if each is encode), "its own spelling")
    about = f"of {last} and {run!r}, where the tokenizer writes {how}"
    args = (ids(*last), run, lab.TokenBytes(SMALL, encode))
    check_tokens(lab, "retokenized", args, ids(*expected), about)


# certain_tokens -----------------------------------------------------------------------------------

ENDS = [
    *[(['{"a'], [b""], ["{"], 0), (["{1", "{2"], [b""], ["{"], 1), (["name", "nae"], [b"", b"n"], ["n", "a"], 0)],
    *[(["xe1", "xe2"], [b"", b"x"], ["x", "e"], 2), (["x1}", "x12"], [b"", b"x"], ["x", "1"], 1)],
    *[(['{"x', '{""'], [b"", b"{"], ["{", '"'], 2), (["na1", "na2"], [None, b"n"], ["n", "a"], 2)],
    *[(["name1", "nam1"], [None], ["nam"], 1), (["x", "xx"], [b""], ["x"], 1), (["é1", "é2"], [b""], ["é"], 1)],
    *[(['x":a', 'x":"'], [first, b"x", b'x"'], ["x", '"', ":"], 1) for first in (None, b"")],
    (['{"name":x', '{"name":"'], [b"", b'{"', b'{"name'], ['{"', "name", '":'], 2),
]


@pytest.mark.todo("certain_tokens")
@pytest.mark.parametrize(("words", "before", "tail", "expected"), ENDS)
def test_what_may_cross_the_end_is_left_to_the_model(lab, words, before, tail, expected):
    """Keep the tokens up to the first place where a legal token is longer than the rest of the tail."""
    args = (Words(*words).made(lab), before, [token.encode() for token in tail], lab.TokenBytes(SMALL))
    check_call(lab, "certain_tokens", args, expected, f"of the tail {tail}, states {before}, of {words}")


# jump ---------------------------------------------------------------------------------------------

KEYS = ['{"name":"1', '{"name":"2']
FORK = ['x{":"1', 'x{":"2']
JUMPS = [
    *[("single", ["name"], [], 9, []), ("single", ["xn1", "xn12"], ["x"], 9, [])],
    *[("single", ["x:1", "x:x"], ["x"], 9, ["x", ":"]), ("single", ["x:1", "x:name1"], ["x"], 3, ["x", ":", "1"])],
    *[("single", ["x:1", "x:x"], ["x"], 2, []), ("longest", ["name1", "name2"], [], 9, ["name"])],
    ("single", ["x", "1x1x"], [], 2, ["x"]),  # forced by the budget alone
    *[("longest", KEYS, ["{"], 9, ["{", '"', "name", '":"']), ("whole", KEYS, ["{"], 9, ['{"', "name", '":"'])],
    *[("whole", KEYS, [], 9, ['{"', "name", '":"']), ("longest", ['{"', "{1"], [], 9, ["{"])],
    *[("whole", ['{"', "{1"], [], 9, []), ("whole", ["name", "nose"], ["n"], 9, [])],
    *[("longest", ["name" * 6], [], 7, ["name"] * 6), ("whole", ["nameme"], ["na"], 2, ["name", "me"])],
    *[("longest", ["nameme"], [], 2, []), ("whole", ["nameme"], ["na"], 1, [])],
    ("longest", ["name", "namex"], [], 9, ["name"]),
    *[("whole", ['{":"', '{"1'], ["{"], 9, ['{"']), ("whole", ['n":"', 'n"1'], ["n"], 9, [])],
    *[("whole", ['n":"', 'n"1'], [OTHER_N], 9, []), ("whole", ["é1", "é2"], [b"\xc3"], 9, [b"\xc3\xa9"])],
    *[("longest", ["é1", "é2"], [b"\xc3"], 9, [b"\xc3", b"\xa9"]), ("longest", ["é1", "è1"], [], 9, [])],
    # In the second and third, a shorter spelling of the rest fits.
    *[("longest", FORK, [], 6, ["x", '{"', ":", '"']), ("longest", FORK, [], 5, ["x"]), ("whole", FORK, [], 5, ["x"])],
    # In the first, 12 may cross the end of what is forced.
    *[("whole", ["x1}", "x12"], [], 9, ["x"]), ("whole", ["e1na1", "e1nam1"], ["e"], 9, ["e", "1"])],
]


@pytest.mark.todo("jump")
@pytest.mark.parametrize(("policy", "words", "written", "remaining", "expected"), JUMPS)
def test_a_jump(lab, policy, words, written, remaining, expected):
    """The tail replaces the last token, and the state moves over it. If there's no jump, the state stays."""
    brute, before = Words(*words), ids(*written)
    state = lab.StructuredOutputState(brute.made(lab), spelled(before))
    what = f"jump, {policy}, after {named(before, SMALL)} of {words}, remaining {remaining}"
    with lab.in_place(), reporting(what, named(ids(*expected), SMALL)):
        got = lab.jump(jumper(lab, policy), state, before, remaining)
    check_type(got, list, what)
    good = expected or not got or spelled(got) != spelled(before[-1:])
    assert good, f"{what}: your tail {named(got, SMALL)} has no more bytes than the last token"
    check_equal(named(got, SMALL), named(ids(*expected), SMALL), what)
    check_equal(before, ids(*written), f"the answer so far, after {what}")
    after = spelled([*before[:-1], *got]) if got else spelled(before)
    check_equal(state.current, after, f"the state after {what}")


@pytest.mark.todo("jump")
def test_a_dead_end_of_tokens_is_not_jumped_into(lab):
    """The longest token is nam, but after it no token begins with e. Stop before nam, or don't jump at all."""
    words = Vocabulary([b"n", b"nam", b"a", b"me", b"</s>", b"1"], eos_id=4)
    for text, expected in (("name", []), ("1name", [5])):
        state = lab.StructuredOutputState(Words(text, vocabulary=words).made(lab), b"")
        got = lab.jump(jumper(lab, "longest", None, words), state, [], 9)
        check_equal([*got], expected, f"jump, longest, where {text} is forced and the tokens are n, nam, a, me")


@pytest.mark.todo("jump")
def test_a_jump_looks_no_further_than_its_budget(lab):
    """In an endless run, look at no more bytes than the longest tokens could hold in what's left of the budget."""
    asked = []
    of_tokens = lab.GuideOfFunctions(0, max, max, max, lambda state: False, lambda state: 0)
    following = lambda state: asked.append(state) or b"a" * (state < 999)  # noqa: E731
    guide = lab.ByteGuideOfFunctions(of_tokens, following, lambda state, byte: state + 1, lambda state: True)
    how, state = jumper(lab, "longest"), lab.StructuredOutputState(guide, 0)
    what, longest = "jump, longest, where a is forced for ever, remaining 3", how.tokens.longest
    check_equal(named(lab.jump(how, state, [], 3), SMALL), named(ids("a", "a"), SMALL), what)
    assert max(asked) <= 3 * longest, f"{what}: tokens have at most {longest} bytes, yours looked at {max(asked)} bytes"


def check_jump(lab, brute, policy, written, remaining):
    """Check any jump: the words that were possible still are, one fits into what remains, the state is after the tail.

    (Forced one by one under a budget, tokens may rule out words that are too long for it.)
    """
    before = spelled(written)
    state = lab.StructuredOutputState(brute.made(lab), before)
    what = f"jump, {policy}, after {before!r} of {brute.listed}, remaining {remaining}"
    with reporting(what):
        tail = [*lab.jump(jumper(lab, policy), state, written, remaining)]
    after = spelled([*written[:-1], *tail]) if tail else before
    what += f", gave {named(tail, SMALL)}"
    check_equal(state.current, after, f"the state, when {what}")
    if tail:
        assert after.startswith(before), f"{what}: that isn't a spelling of the last token and what's forced after it"
        assert len(after) > len(before), f"{what}: your tail has no more bytes than the last token"
        lost = [word for word in brute.listed if word.startswith(before) and not word.startswith(after)]
        check_equal(lost * (policy != "single"), [], f"the words that became impossible, when {what}")
        room = remaining + len(written[-1:])
        assert len(tail) + brute.fewest(after) + 1 <= room, f"{what}: no match and EOS fit after it"


@pytest.mark.todo("jump")
@pytest.mark.parametrize("policy", ["single", "longest", "whole"])
def test_after_any_jump_the_state_is_the_walk_over_the_ids(lab, policy):
    """After a jump from any prefix, with any small budget, the state is where the ids lead."""
    for words in (['x{":"1', 'x{":"2'], ['{"name":"1', '{"name":"x'], ["x1}", "x12"], ["nameme"], ["é1", "éa"]):
        for place, remaining in product(range(6), range(9)):
            check_jump(lab, Words(*words), policy, tuple(greedy(words[0])[:place]), remaining)


@pytest.mark.todo("jump")
@pytest.mark.seconds(10)
@pytest.mark.parametrize("policy", ["longest", "whole"])
@given(st.lists(st.text('nae1{":', min_size=1, max_size=6), min_size=1, max_size=3), st.integers(0, 6), st.data())
@PROPERTY
def test_every_jump_keeps_the_language(lab, policy, words, remaining, data):
    """After a jump, exactly the words that were possible before can still be written."""
    written = greedy(data.draw(st.sampled_from(words)))[: data.draw(st.integers(0, 3))]
    check_jump(lab, Words(*words), policy, written, remaining)


# append_to_cache ----------------------------------------------------------------------------------


@pytest.mark.todo("append_to_cache")
@pytest.mark.parametrize(
    ("lengths", "counts"),
    [([0, 0], [2, 3]), ([3, 1], [1, 1]), ([3, 0, 2], [4, 0, 1]), ([1, 5], [0, 0]), ([2], [3]), ([5, 1], [1, 4])],
)
def test_many_tokens_enter_the_cache_in_one_step(lab, lengths, counts):
    """Put each row's new vectors after its old ones, in order, and change nothing else in the cache."""
    random, after = np.random.default_rng([*lengths, *counts]), np.add(lengths, counts)
    cache = random.standard_normal((len(counts), 8, 3), np.float32)
    new = random.standard_normal((sum(counts), 3), np.float32)
    expected, given = cache.copy(), [np.array(lengths), np.array(counts)]
    places = [(row, place) for row, start in enumerate(lengths) for place in range(start, after[row])]
    for (row, place), vector in zip(places, new, strict=True):
        expected[row, place] = vector
    about = f"of rows of {lengths} tokens, {counts} new ones"
    with lab.in_place():
        got = check_call(lab, "append_to_cache", (cache, *given, new), after.astype(np.intp), about)
    check_equal(got is given[0], False, f"append_to_cache {about}: whether it gives back the caller's lengths")
    for row, place in map(tuple, np.argwhere((cache != expected).any(axis=2)).tolist()):
        said = "an old vector has changed" if place < lengths[row] else "yours has a vector where none belongs"
        said = f"new vector {places.index((row, place))} belongs here" if (row, place) in places else said
        raise AssertionError(f"append_to_cache {about}: row {row}, position {place}: {said}")
    check_equal([each.tolist() for each in given], [lengths, counts], "the caller's lengths and counts, after the call")


@pytest.mark.todo("append_to_cache")
@pytest.mark.parametrize("pieces", [[3, 1, 2], [1, 1, 1, 1, 1, 1], [2, 4], [6]])
def test_a_jump_gives_the_logits_of_its_tokens_one_by_one(lab, pieces):
    """Six tokens read in pieces give the same logits as in one go, because each vector is in its right place."""
    tokens, model = [3, 1, 4, 1, 5, 2], lab.one_head(6)
    alone = model.new_cache(1)
    whole = model.forward(np.array([tokens]), alone)
    cache, place = model.new_cache(2), 0
    for size in pieces:
        batch = np.zeros((2, size), np.intp)
        batch[0], batch[1, 0] = tokens[place : place + size], 2
        with lab.in_place():
            logits = model.forward(batch, cache, np.array([size, 1]))
        place += size
    good = np.allclose(logits[0], whole[0], rtol=1e-4, atol=0)
    assert good, f"read in pieces of {pieces}, the tokens {tokens} have other logits, so a vector isn't in its place"


# batch_step ---------------------------------------------------------------------------------------


def stream_of(lab, words, text=b"", written=(), prompt=(1,), **options):
    """Return a stream, whose state is after a text."""
    params = lab.SamplingParams(**{"max_tokens": 9, "temperature": 0, **options})
    state = lab.StructuredOutputState(Words(*words).made(lab), text)
    return lab.Stream([*prompt], state, params, ids=[*written], logprobs=[-1.0] * len(written))


def scripted(lab, first=None):
    """Return a model that likes lower ids better, but ``first`` after one token; and the ids of its calls."""
    calls = []

    def row(context):
        calls.append([*context])
        wanted = ids(first) if first and len(context) == 1 else []
        return np.where(np.isin(range(len(TOKENS)), wanted), 9, -np.arange(len(TOKENS))).astype(np.float32)

    return lab.ScriptedModel(row, len(TOKENS)), calls


def play(lab, streams, model, policy="whole", limit=64, most=40):
    """Take steps until all have finished; return how many. In each step every request reads something."""
    cache, steps = model.new_cache(len(streams)), 0
    while going := {n: stream.computed for n, stream in enumerate(streams) if stream.finish_reason is None}:
        assert steps < most, f"after {most} steps not all have finished"
        check_equal(lab.batch_step(streams, model, cache, jumper(lab, policy), limit), None, "batch_step")
        waits = [n for n, computed in going.items() if streams[n].computed == computed]
        check_equal(waits, [], f"the requests that read nothing, of {[*going]}, {limit} tokens a step")
        steps += 1
    return steps


@pytest.mark.todo("batch_step")
def test_one_pass_reads_a_whole_jump(lab):
    """After the first token, the rest of the key is forced. Read all of it in the second pass."""
    stream = stream_of(lab, ['x{"name":"1', 'x{"name":"2'], max_tokens=6)
    model, calls = scripted(lab)
    steps = play(lab, [stream], model)
    check_equal(named(stream.ids, SMALL), named(ids("x", '{"', "name", '":"', "1"), SMALL), "the tokens")
    check_equal(steps, 2, "how many steps the five tokens take")
    check_equal(calls, [[1], [1, *ids("x", '{"', "name", '":"')]], "what the model had read at each step")
    check_equal(
        [each is None for each in stream.logprobs], [False, True, True, True, False], "whether each logprob is None"
    )
    check_equal(stream.finish_reason, "stop", "finish_reason")


@pytest.mark.todo("batch_step")
def test_jumpers_beside_those_that_decode(lab):
    """One request jumps, one decodes, one has finished. In a batch, each gets what it would get alone."""
    grammars = (["x"], ['x{"name":"1', 'x{"name":"2'], ["11111", "22222"])
    alone = []
    for words in grammars:
        stream = stream_of(lab, words)
        play(lab, [stream], scripted(lab)[0], policy="longest")
        alone.append(named(stream.ids, SMALL))
    for limit, steps in ((3, 3), (4, 2), (64, 2)):
        streams = [stream_of(lab, words, prompt=[n]) for n, words in enumerate(grammars)]
        model, calls = scripted(lab)
        got = play(lab, streams, model, policy="longest", limit=limit)
        check_equal(got, steps, f"the steps of three requests, limit {limit}: a step reads as many tokens as it may")
        got = [named(stream.ids, SMALL) for stream in streams]
        check_equal(got, alone, f"the tokens of three requests, limit {limit}")
        check_equal(streams[0].computed, 1, f"what was read of one that ended with its first token, limit {limit}")
        other = [call for call in calls if call not in [stream.token_ids[: len(call)] for stream in streams]]
        check_equal(other, [], f"what the model has read that is no prefix of any request, limit {limit}")


@pytest.mark.todo("batch_step")
def test_the_middle_of_a_jump_chooses_nothing(lab):
    """With two tokens a step, a jump takes several. Choose nothing until its last piece is read."""
    stream = stream_of(lab, ['{"name":"1', '{"name":"2'], prompt=[1, 2, 3, 4, 5])
    model, calls = scripted(lab)
    steps = play(lab, [stream], model, limit=2)
    check_equal(named(stream.ids, SMALL), named(ids('{"', "name", '":"', "1"), SMALL), "the tokens, two a step")
    check_equal(steps, 5, "the steps: three for the prompt, two for a token and a jump")
    check_equal(calls, [stream.token_ids[:n] for n in (2, 4, 5, 7, 8)], "what the model had read at each step")


@pytest.mark.todo("batch_step")
def test_each_request_draws_from_its_own_generator(lab):
    """Draw one number for each token that a request chooses, and none in the middle of a jump."""
    words = [f"{a}{{{b}{{{c}" for a in "ex" for b in "ex" for c in "ex"]
    streams = [stream_of(lab, words, temperature=1, seed=seed) for seed in (8, 9)]
    model = lab.ScriptedModel(lambda context: np.zeros(len(TOKENS), np.float32), len(TOKENS))
    play(lab, streams, model, policy="longest", limit=2)
    for seed, stream in zip((8, 9), streams, strict=True):
        expected = "{".join("ex"[int(number >= 0.5)] for number in np.random.default_rng(seed).random(3))
        check_equal(spelled([*stream.ids]).decode(), expected, f"the text, e and x alike, seed {seed}")


@pytest.mark.todo("batch_step")
@pytest.mark.parametrize(
    ("words", "prompt", "plain", "penalized"),
    [
        (["x1e1", "x1e2"], [], "x1e1", "x1e2"),  # the first 1 is forced
        (["11", "12"], [], "11", "12"),  # the first 1 is chosen
        (["1e1", "1e2", "1x1", "1x2"], [], "1e1", "1e2"),  # another pass reads the first 1
        (["1", "2"], ["1"], "1", "2"),  # the 1 is in the prompt
    ],
)
def test_a_penalty_has_seen_the_prompt_and_the_whole_answer(lab, words, prompt, plain, penalized):
    """A 1 makes another 1 unlikely, whether it was forced, chosen, or in the prompt. Count them all."""
    for penalty, expected in ((1.0, plain), (100.0, penalized)):
        stream = stream_of(lab, words, prompt=ids(*prompt) or [1], repetition_penalty=penalty)
        play(lab, [stream], scripted(lab, expected[0] if expected[0] == "x" else None)[0], policy="longest")
        what = f"the answer after a prompt of {prompt}, {words} possible, with a penalty of {penalty}"
        check_equal(spelled([*stream.ids]).decode(), expected, what)


@pytest.mark.todo("batch_step")
def test_a_chosen_token_has_the_models_own_logprob(lab):
    """Take a chosen token's logprob from before the mask. If { became {", nobody chose that, so it gets None."""
    stream = stream_of(lab, ["1", "2"])
    play(lab, [stream], scripted(lab)[0])
    weights = np.exp(-np.arange(len(TOKENS), dtype=np.float64))
    expected = math.log(weights[ID[b"1"]] / weights.sum())
    assert abs(stream.logprobs[0] - expected) < 1e-5, f"the logprob of 1 is {expected}, yours {stream.logprobs[0]}"
    for policy, expected in (("longest", [False, True, True]), ("whole", [True, True])):
        stream = stream_of(lab, ['{"{1', '{"{2', "1"], stop=('"{',))
        play(lab, [stream], scripted(lab, "{")[0], policy=policy)
        check_equal(
            [each is None for each in stream.logprobs], expected, f"whether each logprob is None, policy {policy}"
        )
        check_equal(spelled([*stream.ids]), b'{"{', f"the text, policy {policy}")


@pytest.mark.todo("batch_step")
@pytest.mark.parametrize("reason", ["stop", "length"])
def test_who_has_finished_reads_nothing(lab, reason):
    """However an answer ended, never read its last token, and leave its state and text alone."""
    state = lab.StructuredOutputState(Words("xx", "xxx").made(lab), b"xx")
    written = {"ids": ids("x", "x"), "logprobs": [-1.0, -1.0], "computed": 2, "finish_reason": reason}
    ended = lab.Stream([1], state, lab.SamplingParams(max_tokens=2), **written)
    model, calls = scripted(lab)
    lab.batch_step([ended, stream_of(lab, ["11", "12"])], model, model.new_cache(2), jumper(lab, "longest"), 8)
    what = f"of a request that ended by {reason}, beside one that goes on"
    check_equal((ended.computed, [*ended.ids], ended.state.current), (2, ids("x", "x"), b"xx"), f"what is left {what}")
    check_equal(calls[-1], [1], f"what the model read last, {what}")


class Wasteful(Words):
    """Words whose masks ignore the budget, so that an answer may end by length."""

    def mask(self, state, remaining=None):
        return super().mask(state)


@pytest.mark.todo("batch_step")
@pytest.mark.parametrize("policy", ["single", "longest", "whole"])
@pytest.mark.parametrize("most", range(2, 9))
def test_the_state_is_the_walk_over_the_ids(lab, policy, most):
    """While a request goes on, its state is where its ids lead. If the masks know the budget, no answer is cut off."""
    grammars = (['1{":"1', '1{":"2'], ["11112", "22221"], ["x", "xx"], ['{"name', '{"nam1'], ["x12name", "x12"])
    grammars = [words for words in grammars if Words(*words).fewest(b"") < most]
    guides = [(Words, words, most) for words in grammars]
    # Beside them the same under masks without a budget: they end by length, one after the other.
    guides += [(Wasteful, words, min(n, most)) for n, words in enumerate([*grammars, ["1n1n1n1n1"]], start=1)]
    streams = []
    for kind, words, budget in guides:
        params = lab.SamplingParams(max_tokens=budget, temperature=0)
        streams.append(lab.Stream([1], lab.StructuredOutputState(kind(*words).made(lab)), params))
    model, read, limit = scripted(lab)[0], {}, len(streams) + 1
    cache = model.new_cache(len(streams))
    for step in range(1, 15):
        before = sum(stream.computed for stream in streams)
        lab.batch_step(streams, model, cache, jumper(lab, policy), limit)
        n_read = sum(stream.computed for stream in streams) - before
        assert n_read <= limit, f"step {step} read {n_read} tokens, and its limit is {limit}"
        for (_, words, budget), stream in zip(guides, streams, strict=True):
            where = f"after step {step} with max_tokens {budget}, {policy}: {[*stream.ids]} of {words}"
            going_on = stream.finish_reason is None
            assert len(stream.ids) <= budget - going_on, f"{where} is over its budget"
            if going_on:
                check_equal(stream.state.current, spelled([*stream.ids]), f"the state {where}")
            ended = None if going_on else (stream.computed, [*stream.ids])
            check_equal(ended, ended and read.setdefault(id(stream), ended), f"what was read, and the ids, {where}")
    for (kind, words, budget), stream in zip(guides, streams, strict=True):
        text = spelled([i for i in stream.ids if i != EOS])
        whole = stream.finish_reason == "stop" and text.decode() in words
        assert whole or (kind is Wasteful and stream.finish_reason == "length"), (
            f"max_tokens {budget}: the answer must be one of {words}; {text!r} ends by {stream.finish_reason}"
        )
    assert any(stream.finish_reason == "length" for stream in streams), "no answer ended by length"


# Promises -----------------------------------------------------------------------------------------

FORCED = [(["Na"], b"N", ord("a")), (["Nx"], b"N", ord("x")), (["Na", "Nx"], b"N", None), (["N", "Na"], b"N", None)]
PROMISED = {
    "forced_byte": lambda lab: {
        f"after {state!r} of {words}": ((Words(*words).made(lab), state), e) for words, state, e in FORCED
    },
    "forced_run": lambda lab: {
        f"after {args[0]!r} of {words}": ((Words(*words).made(lab), *args), e) for words, *args, e in RUNS[:8]
    },
    "retokenized": lambda lab: {
        f"of {i} and {r!r}": ((ids(*i), r, lab.TokenBytes(SMALL, code)), ids(*e)) for i, r, code, e in SEAMS[:5]
    },
    "certain_tokens": lambda lab: {
        f"of {tail} of {words}": ((Words(*words).made(lab), before, [*map(str.encode, tail)], lab.TokenBytes(SMALL)), e)
        for words, before, tail, e in ENDS[:5]
    },
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name)) for name in PROMISED])
def test_calls_leave_everything_else_alone(lab, name):
    """Leave your arguments alone, return a new result each time, and remember nothing from earlier calls."""
    check_promises(lab, name, PROMISED[name](lab))
