"""Tests of lab 09. The guides are test doubles: ``regex`` and brute force over a small vocabulary, calls counted.

What an engine does is counted in steps and in calls of the model, never by the clock.
"""

import json
import re
from collections import Counter
from functools import partial

import numpy as np
import pytest
import regex as rx
from jsonschema import validate

from labkit.checking import check_equal, check_type
from labkit.checking.calls import check_raises, reporting
from labkit.checking.promises import check_promises
from labkit.errors import BudgetTooSmall, InvalidPattern, QueueFull, TokenNotAllowed
from labkit.oracles.guides import END, BruteGuide
from labkit.vocabulary import Vocabulary

WORDS = [b"yes", b"no", b"maybe", b"10", b".5", b"", b"[", b"]", b",", b" ", b"<pad>", b"x", b"xy", b"y", b"-", b"a"]
TOKENS = [*(str(digit).encode() for digit in range(10)), b".", *WORDS, *[b"#"] * 6, b"7", b"</s>", b"z", b"ab", b"b"]
EOS = TOKENS.index(b"</s>")
V = len(TOKENS)
SMALL = Vocabulary(TOKENS, eos_id=EOS, special_ids=[TOKENS.index(b"<pad>")])
"""38 tokens, so two words of a bitmask; the last ``7`` is token 33, EOS is token 34, and neither is the last."""

ID = {token.decode(): token_id for token_id, token in reversed(list(enumerate(TOKENS)))}


class Brute(BruteGuide):
    """A guide whose states are texts."""

    def __init__(self, pattern, vocabulary=SMALL):
        super().__init__(vocabulary.eos_id, len(vocabulary))
        self.pattern = pattern
        self.texts = {i: text for i, text in enumerate(vocabulary.texts()) if text and i not in vocabulary.special_ids}

    def accepts(self, state):
        return re.fullmatch(self.pattern, state) is not None

    def viable(self, state):
        return {i: state + t for i, t in self.texts.items() if rx.fullmatch(self.pattern, state + t, partial=True)}


def at(lab, brute, text=""):
    """Return a state of its own after a text."""
    return lab.StructuredOutputState(brute.made(lab), text)


def shown(ids):
    """Return ids as a failure shows them."""
    return sorted("EOS" if i == EOS else TOKENS[i].decode() for i in ids)


def kept(logits):
    """Return the ids whose logits are not minus infinity."""
    return set(np.flatnonzero(logits != -np.inf).tolist())


def noise(*seed):
    """Return logits that depend on the numbers alone."""
    return np.random.default_rng(seed).standard_normal(V, dtype=np.float32)


# advance_state ------------------------------------------------------------------------------------


@pytest.mark.todo("advance_state")
def test_advance_state(lab):
    """Move the state by one token, and ask the guide just once."""
    brute = Brute("[0-9]+|yes")
    state = at(lab, brute)
    for token_id, expected in ((ID["7"], "7"), (ID["10"], "710"), (EOS, END)):
        what = f"advance_state by the token {shown([token_id])[0]!r}"
        check_equal(lab.advance_state(state, token_id), None, what)
        check_equal(state.current, expected, f"the state after {what}")
    check_equal(brute.calls, Counter(advance=3), "the calls of the guide")


@pytest.mark.todo("advance_state")
@pytest.mark.parametrize("token", ["no", "x", "</s>", "no such token"])
def test_a_refused_token_leaves_the_state(lab, token):
    """If the guide raises TokenNotAllowed, let it out, and leave the state where it was."""
    state, what = at(lab, Brute("yes|[0-9]{2}"), "1"), f"advance_state with the token {token!r} after '1'"
    check_raises(lambda: lab.advance_state(state, ID.get(token, V)), TokenNotAllowed, what)
    check_equal(state.current, "1", f"the state after the token {token!r}, which is not allowed")


@pytest.mark.todo("advance_state")
def test_the_same_grammar_twice_shares_the_guide_and_not_the_state(lab):
    """Two requests share a guide, but each has its own state. If one moves on, the other stays where it is."""
    guide = Brute("[0-9]+").made(lab)
    one, other = lab.StructuredOutputState(guide), lab.StructuredOutputState(guide)
    for state, token_id in ((one, ID["1"]), (other, ID["2"]), (one, ID["3"])):
        lab.advance_state(state, token_id)
    check_equal((one.current, other.current), ("13", "2"), "the states of two requests with one guide")
    check_equal(lab.StructuredOutputState(guide).current, "", "the state of a third request, which is new")
    for by in (-1, 1, -2):  # from 2 on; 0 is a state like any other
        adds = lab.GuideOfFunctions(2, max, max, lambda state, token_id, by=by: state + by, max, max)
        state = lab.StructuredOutputState(adds)
        for _ in range(3):
            lab.advance_state(state, 7)
        check_equal(state.current, 2 + 3 * by, f"the state after three tokens, if each adds {by} and it was 2 at first")


# sample_token -------------------------------------------------------------------------------------


def drawn(lab, logits, params, state, draws=90, context=()):
    """Return the tokens that many seeds give, as texts; the logits stay as they are."""
    params, rng, before = lab.SamplingParams(**params), lab.np.random.default_rng, logits.copy()
    with lab.in_place():
        found = {lab.sample_token(logits, list(context), params, rng(seed), state) for seed in range(draws)}
    check_equal(logits, before, "the model's own logits after sample_token")
    return shown(found)


@pytest.mark.todo("sample_token")
@pytest.mark.parametrize("seed", range(4))
def test_integration_with_sample_token(lab, seed):
    """At temperature 0, take the likeliest legal token, however much likelier an illegal one is."""
    logits, brute = noise(5, seed), Brute("[0-9]+|yes")
    best = max(brute.ids("1"), key=lambda i: logits[i])
    got = drawn(lab, logits, {"temperature": 0}, at(lab, brute, "1"), 1)
    check_equal(got, shown([best]), "the token at temperature 0")


@pytest.mark.todo("sample_token")
@pytest.mark.parametrize(
    ("params", "expected"),
    [({"top_k": 2}, ["4", "6"]), ({"top_p": 0.5}, ["4"]), ({"top_p": 0.85}, ["4", "6"]), ({"min_p": 0.4}, ["4", "6"])],
    ids=str,
)
def test_the_mask_comes_first(lab, params, expected):
    """Mask first. Then top_k, top_p and min_p choose among legal tokens, even if 99% goes to illegal ones."""
    logits = np.full(V, -20, np.float32)
    names = ["x", "y", "z", "4", "6", "8"]
    logits[[ID[name] for name in names]] = np.log([0.5, 0.3, 0.19, 0.006, 0.003, 0.001])
    got = drawn(lab, logits, params, at(lab, Brute("[468]")))
    check_equal(got, expected, f"what {params} draws of 4, 6 and 8, with probabilities 6, 3 and 1; x, y, z are illegal")


@pytest.mark.todo("sample_token")
def test_the_rest_is_the_engines_sampler(lab):
    """Pass context, parameters and generator on to the sampler. It applies penalties, and draws one number."""
    logits = np.full(V, -5, np.float32)
    logits[[ID["4"], ID["6"]]] = [3, 2.9]
    greedy, rng = {"temperature": 0, "repetition_penalty": 1.5}, lab.np.random.default_rng(7)
    state = at(lab, Brute("[0-9]"))
    check_equal(drawn(lab, logits, greedy, state, 1), ["4"], "the token if 4 was not written yet")
    check_equal(drawn(lab, logits, greedy, state, 1, [ID["4"]]), ["6"], "the token after a 4, penalty 1.5")
    logits[ID["x"]] = 20  # illegal, and all but certain
    got = lab.sample_token(logits, [], lab.SamplingParams(), rng, state)
    check_type(got, int, "sample_token")
    check_equal(rng.random(), np.random.default_rng(7).random(2).tolist()[1], "the second number of the generator")
    check_equal(state.current, "", "the state afterwards: the engine advances it")


@pytest.mark.todo("sample_token")
def test_a_budget_reaches_the_mask(lab):
    """With one token left, draw EOS. If the mask leaves nothing, let the sampler's error through."""
    params, state = lab.SamplingParams(), at(lab, Brute("[0-9]+"), "1")
    got = lab.sample_token(noise(6), [], params, lab.np.random.default_rng(1), state, 1)
    check_equal(got, EOS, "the token with remaining=1")
    call = lambda: drawn(lab, noise(1), {}, at(lab, Brute("1Q"), "1"), 1)  # noqa: E731
    check_raises(call, ValueError, "sample_token where no token may come next", "no token may come next")


@pytest.mark.todo("sample_token")
def test_zero_overhead_when_none(lab):
    """Without a state, mask nothing, so that the tokens are the model's own."""
    logits = np.zeros(V, np.float32)
    logits[[ID["x"], ID["4"]]] = [2, 1.5]
    first, others = drawn(lab, logits, {"temperature": 0}, None, 1), drawn(lab, logits, {"top_k": 2}, None)
    check_equal((first, others), (["x"], ["4", "x"]), "the token at temperature 0, and what top_k=2 draws; no state")


# is_finished --------------------------------------------------------------------------------------

STOPS = [
    *[("[0-9]", "", None, False), ("[0-9]", "7", None, True), ("[0-9]+", "7", None, False), ("", "", None, True)],
    *[("yes|no", "yes", None, True), ("yx", "y", None, False), ("xy?", "x", None, False), ("[0-9]Q?", "1", None, True)],
    *[("[0-9]+", "7", 1, True), ("[0-9]+", "7", 2, False), ("[0-9]+", END, None, True), ("[0-9]+", END, 0, True)],
    ("1z?", "1", None, False),  # the bits of z and EOS are in one word
    *[("yx", "y", 1, False), ("1(-z-)?", "1", 3, True), ("1(-z-)?", "1", 4, False)],  # what no longer fits
]


@pytest.mark.todo("is_finished")
def test_where_nothing_can_follow(lab):
    """Return True if the text is a match and only EOS may follow, with this vocabulary and this budget."""
    calls = {
        f"after {text!r} of {pattern}, {remaining=}": ((at(lab, Brute(pattern), text), remaining), expected)
        for pattern, text, remaining, expected in STOPS
    }
    check_promises(lab, "is_finished", calls)


@pytest.mark.todo("is_finished")
def test_is_terminal_check(lab):
    """A state is terminal if the text is a match, and finished if nothing more may follow. Asking doesn't move it."""
    for text, expected in (("", (False, False)), ("1", (True, False)), ("12", (True, True))):
        state = at(lab, brute := Brute("[0-9]{1,2}"), text)
        got = (state.is_terminal(), lab.is_finished(state))
        check_equal(got, expected, f"is_terminal and is_finished after {text!r} of [0-9]{{1,2}}")
        check_equal((state.current, brute.calls["advance"]), (text, 0), "the state, and the calls of advance")


SIGNS = [[0], [31], [30, 31], [63], [31, 63], [0, 31], [0, 31, 62], [], range(64), range(32, 64)]


def with_sign_bits(lab, allowed):
    """Return a state that allows some of 64 tokens, always, and its bitmask of two words."""
    words = [sum(1 << token % 32 for token in allowed if token // 32 == word) for word in (0, 1)]
    bitmask = np.array(words, np.uint32).view(np.int32)
    guide = lab.GuideOfFunctions(0, lambda state, remaining=None: bitmask, max, max, lambda state: True, max)
    return lab.StructuredOutputState(guide), bitmask


@pytest.mark.todo("is_finished")
@pytest.mark.parametrize("allowed", SIGNS, ids=str)
def test_a_word_of_a_mask_has_a_sign(lab, allowed):
    """EOS may be token 31, the sign bit. Alone it ends the answer; beside token 30, there's a choice."""
    state, bitmask = with_sign_bits(lab, allowed)
    what = f"is_finished in an accepting state with the tokens {[*allowed]}, the words {bitmask}"
    check_equal(lab.is_finished(state), len(allowed) <= 1, what)


# mask_batch ---------------------------------------------------------------------------------------


def check_batch(lab, rows, remaining=None):
    """Assert what a batch becomes, and that each guide was asked once.

    Args:
        rows: for each a guide and a text, or None; the same guide is the same object.
    """
    logits = np.stack([noise(7, place) for place in range(len(rows))])
    logits[:, :3] = [np.nan, -0.0, np.inf]
    expected = logits.copy()
    guides = {id(brute): brute.made(lab) for brute, _ in filter(None, rows)}
    for place, row in enumerate(rows):
        if row is not None:
            ids = row[0].ids(row[1], None if remaining is None else remaining[place])
            expected[place, [i for i in range(V) if i not in ids]] = -np.inf
            row[0].calls.clear()
            row[0].filled.clear()
    states = tuple(row and lab.StructuredOutputState(guides[id(row[0])], row[1]) for row in rows)
    named = ["no constraint" if row is None else f"{row[0].pattern} after {row[1]!r}" for row in rows]
    with lab.in_place(), reporting(f"mask_batch of the rows {', '.join(named)}; {remaining=}"):
        got = lab.mask_batch(states, logits, remaining)
    check_equal(got, None, "mask_batch")
    for place, (got, wanted) in enumerate(zip(logits, expected, strict=True)):
        check_equal(shown(kept(got)), shown(kept(wanted)), f"the tokens kept in row {place}: {named[place]}")
        check_equal(got, wanted, f"the logits of row {place}: {named[place]}")
    for brute, _ in filter(None, rows):
        check_equal(brute.calls, Counter(fill=1), f"the calls of the guide of {brute.pattern}")


@pytest.mark.todo("mask_batch")
def test_one_call_of_fill_for_each_guide(lab):
    """Ask each guide once, for its own rows only, even if states are equal. Without budgets, pass None."""
    number, answer, digit = Brute("[0-9]+(\\.5)?"), Brute("yes|no|maybe"), Brute("1")
    check_batch(lab, [(number, "1"), (answer, ""), None, (number, ""), (answer, "yes"), (number, "12.5"), (digit, "1")])
    check_equal(sorted(number.filled[0]), ["", "1", "12.5"], "the states that the first guide is asked about")
    check_equal(number.budgets, [None], "the remaining of the first guide's call of fill, where the batch has none")


@pytest.mark.todo("mask_batch")
def test_each_row_has_a_budget_of_its_own(lab):
    """Each row keeps its own budget, even if free rows or rows of other guides are in between."""
    number, answer = Brute("[0-9]+x?"), Brute("yx?")
    rows = [None, (number, "1"), (answer, "y"), (number, "1"), None, (number, "1"), (answer, "y")]
    check_batch(lab, rows, [None, 3, 1, 1, 7, 2, 2])
    check_batch(lab, rows[1:3], (None, 1))
    check_equal(isinstance(number.budgets[0], (list, tuple)), True, "whether fill gets budgets in a list")


@pytest.mark.todo("mask_batch")
@pytest.mark.parametrize("size", [1, 31, 32, 33, 64])
def test_a_row_has_as_many_words_as_the_vocabulary_needs(lab, size):
    """A row needs ceil(V / 32) words: one for 32 tokens, two for 33. The last token gets masked too."""
    brute = Brute("a", Vocabulary([b"a"] * size, eos_id=0))
    guide, logits = brute.made(lab), np.zeros((2, size), np.float32)
    with lab.in_place(), reporting(f"mask_batch of a vocabulary of {size} tokens"):
        lab.mask_batch([lab.StructuredOutputState(guide, text) for text in ("", "a")], logits)
    check_equal([kept(row) for row in logits], [set(range(1, size)), {0}], f"the ids kept of {size} tokens")


@pytest.mark.todo("mask_batch")
def test_a_batch_without_constraints_costs_nothing(lab):
    """Without a constraint, write nothing, because the logits may be read-only. A batch may even have no rows."""
    logits = np.stack([noise(1), noise(2)])
    logits.flags.writeable = False
    check_equal(lab.mask_batch([None, None], logits), None, "mask_batch without a constraint")
    check_equal(lab.mask_batch([], np.zeros((0, V), np.float32)), None, "mask_batch of no rows")


# The cache: find_or_compile, give_back ------------------------------------------------------------


class Compiles:
    """What a cache compiles: names of guides, each compile noted; those in ``bad`` fail."""

    def __init__(self, bad=()):
        self.made = []
        self.bad = set(bad)

    def of(self, key):
        def compile_guide():
            self.made.append(key)
            if key in self.bad:
                raise MemoryError(f"{key} cannot be compiled")
            return f"guide of {key}"

        return compile_guide


def cache_and_worker(lab, **sizes):
    worker = lab.Worker()
    return lab.CompileCache(worker.submit, **sizes), worker


def fetch(lab, cache, compiles, *keys):
    """Ask for keys in turn, with the student's function; return the futures."""
    return [lab.find_or_compile(cache, key, compiles.of(key)) for key in keys]


def refused(lab, cache, *keys):
    """Ask for keys in turn; return those that are refused with QueueFull and its limit."""
    found = []
    for key in keys:
        try:
            fetch(lab, cache, Compiles(), key)
        except QueueFull as error:
            check_equal(error.limit, cache.max_compiling, "the limit that QueueFull carries")
            found.append(key)
    return found


def finish(worker):
    """Let the worker do all that was submitted to it."""
    while worker.work():
        pass


def result_of(future):
    """Return what a compile gave, or raise what it raised. Nobody waits for one that is not done: that is an error."""
    check_equal(future.done(), True, "whether the future is done: the worker has done all that was submitted to it")
    return future.result(0)


def put(cache, worker, *keys, work=True):
    """Put entries into a cache, compiled or not, without a function of the student's; the compile of b fails."""
    for key in keys:
        cache.entries.update({key: worker.submit(Compiles(bad="b").of(key))})
        if work:
            worker.work()


@pytest.mark.todo("find_or_compile")
def test_cache_hit(lab):
    """If the key is there, don't compile again. Return the same future, and count a hit."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab)
    (first,) = fetch(lab, cache, compiles, "a")
    worker.work()
    (again,) = fetch(lab, cache, compiles, "a")
    check_equal((result_of(first), result_of(again)), ("guide of a",) * 2, "the two results")
    check_equal((cache.hits, cache.misses, compiles.made), (1, 1, ["a"]), "hits, misses and compiles")
    check_equal(cache.num_waiting(), 2, "the waiting requests: each counts until it calls give_back")


@pytest.mark.todo("find_or_compile")
def test_cache_miss_different_pattern(lab):
    """Different keys get different guides. Let the worker compile each of them once."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab)
    keys = [("v", "a"), ("v", "b"), ("w", "a")]
    futures = fetch(lab, cache, compiles, *keys)
    check_equal(compiles.made, [], "the compiles before the worker works")
    finish(worker)
    check_equal([result_of(future) for future in futures], [f"guide of {key}" for key in keys], "the results")
    check_equal((cache.hits, cache.misses, compiles.made), (0, 3, keys), "hits, misses and compiles")


@pytest.mark.todo("find_or_compile")
def test_one_compile_for_a_thousand_requests(lab):
    """A thousand identical requests come while the grammar compiles, and they all share that compile."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_compiling=1)
    futures = fetch(lab, cache, compiles, "a")
    worker.begin()
    futures += fetch(lab, cache, compiles, *["a"] * 999)
    check_equal((cache.num_compiling(), cache.num_waiting()), (1, 1000), "compiles under way, requests that wait")
    finish(worker)
    check_equal({result_of(future) for future in futures}, {"guide of a"}, "their results")
    check_equal((compiles.made, cache.hits, cache.misses), (["a"], 999, 1), "compiles, hits and misses")


@pytest.mark.todo("find_or_compile")
def test_a_hit_makes_an_entry_recent(lab):
    """The entry that was asked for last stays longest, and the cache keeps at most ``max_guides`` guides."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_guides=3)
    for key in "abcadbe":
        fetch(lab, cache, compiles, key)
        worker.work()
    check_equal((cache.keys(), cache.hits), (["d", "b", "e"], 1), "the keys left and the hits after a b c a d b e")
    check_equal("".join(compiles.made), "abcdbe", "what was compiled: b was evicted and came back")


@pytest.mark.todo("find_or_compile")
def test_the_queue_of_compiles_is_bounded(lab):
    """If a compile would be one too many, raise QueueFull and change nothing. A hit still gets its future."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_compiling=2)
    check_equal(refused(lab, cache, *"abcdc"), [*"cdc"], "the keys refused of a b c d c, if max_compiling=2")
    counts = (cache.keys(), cache.hits, cache.misses, cache.num_waiting())
    check_equal(counts, (["a", "b"], 0, 2, 2), "keys, hits, misses and waiting requests after three refusals")
    put(cache, worker, "put there by somebody else", work=False)
    cache.waiting.clear()
    check_equal(refused(lab, cache, "c"), ["c"], "the keys refused while three compiles run for which nobody waits")
    cache.entries.popitem()
    fetch(lab, cache, compiles, "a")
    worker.work()
    fetch(lab, cache, compiles, "c")
    check_equal(cache.keys(), ["b", "a", "c"], "the keys once one compile is done")


@pytest.mark.todo("find_or_compile")
@pytest.mark.parametrize("others", ["", "a", "ab"])
def test_a_guide_that_is_compiled_at_once(lab, others):
    """A worker may be done before submit returns. If all others still compile, only the new one can go."""
    size = len(others) or 1
    cache, worker = lab.CompileCache(lab.at_once, max_guides=size), lab.Worker()
    put(cache, worker, *others, work=False)
    what = f"find_or_compile with max_guides={size}, a guide that is compiled at once, and {len(others)} that compile"
    with reporting(what, "guide of c"):
        (future,) = fetch(lab, cache, Compiles(), "c")
    check_equal(result_of(future), "guide of c", what)
    counts = (cache.keys(), cache.num_waiting())
    check_equal(counts, ([*others] or ["c"], 1), f"keys and waiting requests after {what}")


@pytest.mark.todo("give_back")
@pytest.mark.parametrize("others", [0, 1], ids=["nobody else waits", "one more waits"])
@pytest.mark.parametrize("compile_has", ["not begun", "begun", "ended", "failed"])
def test_what_becomes_of_a_compile(lab, compile_has, others):
    """A failed compile goes, even if others wait. One that hasn't begun is cancelled if nobody waits. The rest stay."""
    compiles = Compiles(bad={"a"} if compile_has == "failed" else ())
    cache, worker = cache_and_worker(lab, max_compiling=1)
    future, *_ = fetch(lab, cache, compiles, *["a"] * (1 + others))
    cache.waiting.update(["another key"])
    if compile_has == "begun":
        worker.begin()
    elif compile_has != "not begun":
        worker.work()
    check_equal(lab.give_back(cache, "a"), None, "give_back")
    what = f"after give_back, where the compile has {compile_has} and {others} more wait"
    cancelled, failed = compile_has == "not begun" and not others, compile_has == "failed"
    found = (future.cancelled(), cache.keys(), cache.num_waiting())
    expected = (cancelled, [] if cancelled or failed else ["a"], others + 1)
    check_equal(found, expected, f"whether it's cancelled, the keys, the waiting requests (one for another key) {what}")
    compiles.bad.clear()
    (again,) = fetch(lab, cache, compiles, "a")  # for which there is room
    finish(worker)
    check_equal(result_of(again), "guide of a", f"what the next request gets {what}")
    check_equal(compiles.made, ["a"] * (1 + failed), f"all compiles {what}")


@pytest.mark.todo("give_back")
def test_giving_back_what_was_evicted(lab):
    """The key may be gone from the cache by now. Still count down, and remove a count that reaches 0."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_guides=1)
    for key in "ab":
        fetch(lab, cache, compiles, key)
        worker.work()
    for key in "ab":
        lab.give_back(cache, key)
    check_equal((cache.keys(), cache.num_waiting()), (["b"], 0), "the keys and the waiting requests")
    check_equal(cache.waiting.most_common(), [], "the counts that are left: a key with 0 would stay for ever")


# The engine: is_ready, and the others in it -------------------------------------------------------


class Model:
    """A model of the test: what it wants at each prompt, the adversary of every grammar; it counts its calls."""

    def __init__(self, wants="x"):
        self.calls = []
        self.wants = wants

    def __call__(self, ids):
        self.calls.append(list(ids))
        logits = np.random.default_rng([len(ids), ids[0]]).standard_normal(V).astype(np.float32)
        logits[[ID[text] for text in self.wants]] += 20
        return logits


class Grammars:
    """What a manager compiles, by brute force; the guide of each pattern, and how often each was compiled."""

    def __init__(self, lab):
        self.lab = lab
        self.made = []
        self.guides = {}

    def __call__(self, wanted):
        value = json.loads(wanted.source)
        self.made.append(value)
        if value == "(":
            raise InvalidPattern("missing )", "(", 1)
        if wanted.kind == "choice":
            value = "|".join(map(re.escape, value))
        if wanted.kind == "json_schema":  # the one schema of these tests: an array of at most two digits
            value = r"\[([0-9](,[0-9])?)?\]"
        self.guides[value] = brute = Brute(value)
        return brute.made(self.lab)


class Served:
    """An engine on the student's functions, with a worker that is driven by hand."""

    def __init__(self, lab, model=None, by_hand=True, max_guides=64, max_compiling=8, **options):
        self.lab, self.model, self.grammars, self.worker = lab, model or Model(), Grammars(lab), lab.Worker()
        submit = self.worker.submit if by_hand else lab.at_once
        sizes = {"max_guides": max_guides, "max_compiling": max_compiling}
        self.manager = lab.StructuredOutputManager(SMALL, self.grammars, submit, **sizes)
        self.engine = lab.engine_of(self.model, SMALL, self.manager, **options)

    def add(self, pattern=None, *, prompt=1, max_tokens=4, fmt=None, **params):
        if pattern is not None:
            fmt = {"type": "regex", "pattern": pattern}
        params = self.lab.SamplingParams(max_tokens=max_tokens, **{"temperature": 0, **params})
        return self.engine.add_request([prompt], params, response_format=fmt)

    def answers(self, *requests):
        """Return the texts of requests, which must end within a hundred steps, or raise what made one fail."""
        for _ in range(100):
            if all(request.finish_reason for request in requests):
                return self.lab.answers(self.engine, *requests)
            self.engine.step()
        waiting = [request.request_id for request in requests if not request.finish_reason]
        raise AssertionError(f"after 100 steps these requests still wait: {', '.join(waiting)}")

    def step(self):
        """Take a step; return how many tokens each request has got, by its id."""
        return dict(Counter(output.request_id for output in self.engine.step() if output.token_id is not None))

    def check_empty(self, when):
        """Assert that nothing is held of anybody: no request, ticket, waiting count or slot."""
        cache, runner = self.manager.cache, self.engine.runner
        held = (list(self.engine.requests), list(self.manager.tickets), cache.num_waiting(), cache.num_compiling())
        check_equal(held, ([], [], 0, 0), f"requests, tickets, waiting requests and compiles {when}")
        check_equal(len(runner.free_slots), runner.num_slots, f"the free slots {when}")


def request_for(lab, fmt, name="a", max_tokens=8):
    """Return a request for a format; a text is a pattern."""
    fmt = {"type": "regex", "pattern": fmt} if isinstance(fmt, str) else fmt
    return lab.Request(name, (1,), lab.SamplingParams(max_tokens=max_tokens), fmt)


@pytest.mark.todo("is_ready")
def test_structured_state_on_request(lab):
    """A request isn't ready while its grammar compiles. Then it gets one state of its own, however often you look."""
    served = Served(lab)
    pair = [request_for(lab, "[0-9]+", name) for name in "ab"]
    for request in pair:
        served.manager.add(request)
    for request in pair * 2:
        check_equal(lab.is_ready(served.manager, request), False, "is_ready while the grammar compiles")
        check_equal(request.structured_output_state, None, "the state while the grammar compiles")
    served.worker.work()
    for request in pair:
        check_equal(lab.is_ready(served.manager, request), True, "is_ready after the compile")
    pair[0].structured_output_state.advance(ID["7"])
    with reporting("is_ready of the same request again, after a True", True):
        again = lab.is_ready(served.manager, pair[0])
    check_equal(again, True, "is_ready when asked again, as a scheduler does")
    one, other = (request.structured_output_state for request in pair)
    check_equal([one.current, other.current], ["7", ""], "the states, where one has written 7, the other nothing")
    check_equal(one.guide is other.guide, True, "whether they share the guide")
    held = (list(served.manager.tickets), served.manager.cache.num_waiting(), served.grammars.made)
    check_equal(held, ([], 0, ["[0-9]+"]), "the tickets, the waiting requests and the compiles")


@pytest.mark.todo("is_ready")
@pytest.mark.parametrize(
    ("pattern", "needed"), [("[0-9]{4}x", 4), ("", 1), ("#", 2), ("maybe|[0-9]{3}", 2), ("Q", float("inf"))]
)
def test_a_budget_that_is_too_small_is_refused(lab, pattern, needed):
    """Refuse a max_tokens with no room for the shortest match and EOS, unless ``budget`` is False."""
    most = min(needed, 50)
    for budget in range(max(most - 1, 1), most + 1):
        served, request = Served(lab, by_hand=False), request_for(lab, pattern, max_tokens=budget)
        served.manager.add(request)
        call, what = partial(lab.is_ready, served.manager, request), f"is_ready of {pattern!r} with max_tokens={budget}"
        if budget >= needed:
            check_equal(call(), True, what)
        else:
            error = check_raises(call, BudgetTooSmall, what)
            check_equal((error.budget, float(error.needed)), (budget, float(needed)), f"budget and need: {what}")
            left = (list(served.manager.tickets), served.manager.cache.num_waiting(), request.structured_output_state)
            check_equal(left, (["a"], 1, None), "tickets, waiting requests, and the state, after BudgetTooSmall")
        served.manager.release(request)
        served.check_empty("after release")
        free = lab.StructuredOutputManager(SMALL, Grammars(lab), lab.at_once, budget=False)
        free.add(request)
        check_equal(lab.is_ready(free, request), True, f"{what}, of a manager with budget=False")


@pytest.mark.todo("is_ready")
def test_a_guide_may_leave_the_cache_before_its_request_starts(lab):
    """A guide may be evicted before its request starts. The ticket still has its future, so look there."""
    served = Served(lab, max_guides=1, by_hand=False)
    requests = [request_for(lab, pattern, pattern) for pattern in ("1", "2")]
    for request in requests:
        served.manager.add(request)
    for request in requests:
        check_equal(lab.is_ready(served.manager, request), True, "is_ready after the compile")
    check_equal(served.grammars.made, ["1", "2"], "the compiles")
    check_equal(served.manager.cache.num_waiting(), 0, "the waiting requests")


@pytest.mark.todo("is_ready")
def test_end_to_end_regex_simple(lab):
    """The adversary wants x, but its answer is still a match, within the budget."""
    served = Served(lab, by_hand=False)
    patterns = ["[0-9]{2}", "(yes|no),[0-9]+", "[0-9]+x", r"-?[0-9]\.5"]
    for pattern, text in zip(patterns, served.answers(*map(served.add, patterns)), strict=True):
        assert re.fullmatch(pattern, text), f"the answer {text!r} does not match {pattern}"
    served.check_empty("after all four")


@pytest.mark.todo("is_ready")
def test_end_to_end_json_schema_simple(lab):
    """The answer is valid JSON that satisfies the schema, whichever shape the request has."""
    schema = {"type": "array", "items": {"type": "integer"}, "maxItems": 2}
    served = Served(lab, model=Model(wants=["x", "5"]), by_hand=False)
    openai = {"name": "pair", "strict": True, "schema": schema}
    formats = [{"type": "json_schema", "schema": schema}, {"type": "json_schema", "json_schema": openai}]
    for text in served.answers(*(served.add(fmt=fmt, prompt=i, max_tokens=7) for i, fmt in enumerate(formats))):
        validate(json.loads(text), schema)
    check_equal(served.grammars.made, [schema], "the compiles: equal schemas are one")


@pytest.mark.todo("is_ready")
def test_a_slow_grammar_delays_nobody(lab):
    """While a grammar compiles, the others get a token at each step. Once it's done, its request starts in the next."""
    served = Served(lab, max_num_seqs=4)
    free = served.add(max_tokens=20)
    served.add("[0-9]+")
    served.worker.work()
    slow = served.add("(yes|no)+", prompt=3)
    later = served.add(max_tokens=20, prompt=4)
    for step in range(10):
        got = served.step()
        tokens = [got.get(request.request_id) for request in (free, later, slow)]
        check_equal(tokens, [1, 1, None], f"the tokens of the two others, and of the slow one, in step {step}")
    served.worker.work()
    check_equal(served.step().get(slow.request_id), 1, "its tokens in the step after its compile")
    check_equal(len(free.output_token_ids), 11, "the tokens of the first request after eleven steps")


@pytest.mark.todo("is_ready")
def test_a_grammar_that_fails_ends_its_requests_alone(lab):
    """Both requests of a broken grammar end with its error, and the others finish. Nothing is left behind."""
    served = Served(lab)
    broken = [served.add("("), served.add("(", prompt=2)]
    good, free = served.add("[0-9]{2}", prompt=3), served.add(prompt=4)
    served.step()
    finish(served.worker)
    texts = served.answers(good, free)
    assert re.fullmatch("[0-9]{2}", texts[0]) and texts[1] == "xxxx", f"the answers of the others: {texts}"
    check_equal([request.finish_reason for request in broken], ["error", "error"], "the reasons of the broken ones")
    check_raises(lambda: served.answers(broken[0]), InvalidPattern, "the answer to the regex '('", "missing")
    served.check_empty("after the failure")
    served.add("(")
    check_equal(served.manager.cache.misses, 3, "the misses: a failed compile is not kept")


@pytest.mark.todo("is_ready")
def test_an_aborted_request_frees_everything(lab):
    """Whenever a request is aborted, leave nothing of it behind except what's in the cache."""
    served = Served(lab, max_num_seqs=2)
    running = served.add("[0-9]+")
    served.worker.work()
    served.step()
    compiling, queued = served.add("x+", prompt=2), served.add("y+", prompt=3)
    served.worker.begin()
    for request in (running, compiling, queued):
        check_equal(served.engine.abort(request.request_id), True, "abort")
    check_equal(running.structured_output_state, None, "the state of the one that decoded")
    held = (list(served.manager.tickets), served.manager.cache.num_waiting())
    check_equal(held, ([], 0), "the tickets and the waiting requests")
    finish(served.worker)
    served.check_empty("after three aborts")
    check_equal(served.grammars.made, ["[0-9]+", "x+"], "the compiles: the last one never began")


@pytest.mark.todo("is_ready")
@pytest.mark.seconds(10)
def test_many_requests_leave_nothing_behind(lab):
    """Requests come and go, and every third is aborted. In the end, no ticket, count or slot is left."""
    served = Served(lab, max_guides=4, by_hand=False)
    for number in range(120):
        request = served.add(f"{number % 10}[0-9]?", max_tokens=3)
        if number % 3 == 0:
            served.engine.abort(request.request_id)
        elif number % 3 == 1:
            served.answers(request)
    served.answers(*served.engine.requests.values())
    served.check_empty("after 120 requests")
    check_equal(len(served.manager.cache.keys()), 4, "the guides in a cache of four")


# generate_part ------------------------------------------------------------------------------------


def encode(text):
    return [ID.get(char, ID["#"]) for char in text] or [ID["#"]]


def program_of(lab, text="a", **params):
    served = Served(lab, by_hand=False)
    params = lab.SamplingParams(temperature=0, max_tokens=1, **params)
    return lab.Program(served.engine, encode, text, params), served


@pytest.mark.todo("generate_part")
def test_a_program_of_three_parts(lab):
    """Each part matches its own constraint and follows the text so far, and you can read it by its name."""
    program, served = program_of(lab)
    score = lab.generate_part(program, "score", regex=r"[0-9]\.5")
    answer = lab.generate_part(program, "answer", choices=(" yes", " no"))
    pair = lab.generate_part(program, "pair", json_schema={}, max_tokens=9)
    got = (re.fullmatch(r"[0-9]\.5", score) is not None, answer in (" yes", " no"), pair[:1] + pair[-1:] == "[]")
    check_equal(got, (True,) * 3, f"whether {[score, answer, pair]} fit regex, choices, json_schema={{}} (here a list)")
    check_type(json.loads(pair), list, f"the JSON {pair!r}")
    check_equal(program.text, "a" + score + answer + pair, "the text of the program")
    check_equal({**program.answers}, {"score": score, "answer": answer, "pair": pair}, "its answers")
    check_equal(served.model.calls[0], encode("a"), "the prompt of the first part")
    assert encode("a" + score) in served.model.calls, "the second part's prompt is the text after the first part"
    again = lab.generate_part(program, "answer", regex="4")
    check_equal((again, program.answers["answer"]), ("4", "4"), "a name that is used again, and its answer")
    check_equal(program.text, "a" + score + answer + pair + "4", "the text, which keeps both")
    served.check_empty("after four parts")


@pytest.mark.todo("generate_part")
def test_a_free_part_and_its_tokens(lab):
    """Without a constraint, the model writes what it likes. Only max_tokens is the part's, all else the program's."""
    program, served = program_of(lab, "")
    check_equal(lab.generate_part(program, "free", max_tokens=3), "xxx", "a free part of three tokens")
    check_equal((program.gen("more", max_tokens=2), program.answers["more"]), ("xx", "xx"), "a further part, by gen")
    check_equal((program.text, served.grammars.made), ("xxxxx", []), "the text, and the compiles")
    check_equal(lab.generate_part(program, "long"), "x" * 64, "a part whose max_tokens is not given")
    program, _ = program_of(lab, stop=("yy",), logit_bias={ID["y"]: 40})
    check_equal(lab.generate_part(program, "part", max_tokens=9), "yy", "a part of a program that wants y, stops at yy")
    without = lab.Program(lab.engine_of(Model(), SMALL), encode, "a", lab.SamplingParams(temperature=0))
    check_equal(lab.generate_part(without, "free", max_tokens=2), "xx", "a free part on an engine without grammars")


@pytest.mark.todo("generate_part")
@pytest.mark.parametrize(
    ("options", "error"),
    [
        *[({"regex": "1", "choices": ["1"]}, ""), ({"regex": "", "json_schema": False}, "")],
        *[({"choices": [], "json_schema": {}}, ""), ({"regex": "1", "choices": ["1"], "json_schema": True}, "")],
        *[({"regex": "[0-9]{3}", "max_tokens": 2}, "too small"), ({"choices": []}, "choices")],
        *[({"regex": "("}, "missing"), ({"regex": "1", "max_tokens": 5000}, "context")],
    ],
    ids=str,
)
def test_a_part_that_fails_changes_nothing(lab, options, error):
    """If a part has two constraints, is refused, or fails, raise an error and leave the program as it was."""
    program, served = program_of(lab)
    lab.generate_part(program, "part", max_tokens=1)
    call = lambda: lab.generate_part(program, "part", **options)  # noqa: E731
    check_raises(call, ValueError, f"generate_part with {options}", error)
    left = (program.text, {**program.answers}, program.params.max_tokens)
    check_equal(left, ("ax", {"part": "x"}, 1), "its text, answers and max_tokens afterwards")
    served.check_empty("after the failure")
