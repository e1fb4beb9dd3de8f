"""Tests of lab 11. The oracles are ``str``, ``json`` and brute force over short texts; calls of guides are counted.

Bodies are finite sets of texts here, written out as automata by ``automaton``, which knows nothing of the labs.
"""

import json
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.automata.dfa import DEAD, Dfa
from labkit.checking import check_array, check_equal
from labkit.checking.calls import check_call, reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.errors import QueueFull, SchemaError, TokenNotAllowed
from labkit.vocabulary import Vocabulary

# What the tests compare with --------------------------------------------------------------------------


def prefixes(texts):
    """Return all prefixes of some texts in the order in which a trie needs them; the place of one is its node."""
    return list(dict.fromkeys([""] + [text[:end] for text in texts for end in range(1, len(text) + 1)]))


def trie(texts):
    """Return the trie of some texts, as ``build_trie`` should."""
    nodes = prefixes(texts)
    children = [{} for _ in nodes]
    for node, text in enumerate(nodes[1:], start=1):
        children[nodes.index(text[:-1])][text[-1]] = node
    return children, [text if text in texts else None for text in nodes]


def longest_suffix(text, of, proper=False):
    """Return the longest suffix of a text that is one of some texts, or the empty one."""
    return next((text[start:] for start in range(proper, len(text) + 1) if text[start:] in of), "")


def links(texts):
    """Return failures and found triggers, as ``failure_links`` should."""
    nodes = prefixes(texts)
    failure = [nodes.index(longest_suffix(text, nodes, proper=True)) if text else 0 for text in nodes]
    return failure, [longest_suffix(text, texts) or None for text in nodes]


def triggers_of(lab, texts):
    """Return triggers made by the oracle."""
    return lab.Triggers(trie(texts)[0], *links(texts))


def automaton(texts, extra=""):
    """Return the automaton of a finite set of texts; ``extra`` names characters that are classes of their own."""
    nodes = prefixes(texts)
    chars = sorted({*"".join(texts), *extra})
    bounds, classes = [0], [-1]
    for number, char in enumerate(chars):
        if bounds[-1] == ord(char):
            classes[-1] = number
        else:
            bounds, classes = [*bounds, ord(char)], [*classes, number]
        bounds, classes = [*bounds, ord(char) + 1], [*classes, -1]
    rows = [[nodes.index(text + char) if text + char in nodes else DEAD for char in chars] for text in nodes]
    return Dfa(bounds, classes, np.array(rows).reshape(len(nodes), -1), 0, [text in texts for text in nodes])


def language(dfa, state, chars, most):
    """Return the texts up to a length that an automaton matches from a state."""
    found, here = set(), [("", state)]
    for _ in range(most + 1):
        found |= {text for text, at in here if dfa.accepting[at]}
        here = [(text + c, dfa.step(at, ord(c))) for text, at in here for c in chars if dfa.step(at, ord(c)) != DEAD]
    return found


def reading(text, bodies, required=False, parallel=True):
    """Read an answer with ``str`` alone: return its mode, what is held back, whether it may end, and its parts.

    ``bodies`` has for each trigger the texts that may follow it, or None. Returns None where no answer begins so.
    """
    start, parts = 0, []
    while True:
        free = text[start:]
        ends = [(free.find(t) + len(t), -len(t), t) for t in bodies if t in free]
        if not ends:
            started = [t[:n] for t in bodies for n in range(1, len(t))]
            held = longest_suffix(free, started)
            said = free[: len(free) - len(held)]
            calls = any(kind == "block" for kind, _ in parts)
            return "free", held, not required or calls, parts + [("text", said)] * bool(said)
        end, _, trigger = min(ends)
        rest = free[end:]
        calls = any(kind == "block" for kind, _ in parts)
        # What was held back when the last character of the trigger came is held back with it.
        started = [t[:n] for t in bodies for n in range(1, len(t))]
        began = end - 1 - len(longest_suffix(free[: end - 1], started))
        if bodies[trigger] is None or (calls and not parallel):
            return None
        whole = [body for body in bodies[trigger] if rest.startswith(body)]
        if not whole:
            if any(body.startswith(rest) for body in bodies[trigger]):
                return "call", free[began:], False, parts + [("text", free[:began])] * bool(began)
            return None
        parts += [("text", free[:began])] * bool(began) + [("block", free[began : end + len(whole[0])])]
        start += end + len(whole[0])


# TODO 1 -------------------------------------------------------------------------------------------

SETS = [
    ["<a>"],
    ["aab"],
    ["<a>", "b"],
    ["ab", "abc"],
    ["abc", "ab"],
    ["xabc", "ab"],
    ["abab", "babb", "ab"],
    ["a"],
    ["<|tool|>", "<tool>", "<"],
    ["\uff5c\u2581\uff5c", "\u2581x"],
]


@pytest.mark.todo("build_trie")
@pytest.mark.parametrize("texts", [*SETS, [], ["ab", "ab"]])
def test_the_trie(lab, texts):
    """Nodes are the prefixes of the texts, in the order in which the texts need them."""
    check_call(lab, "build_trie", (texts,), trie(texts))


@pytest.mark.todo("build_trie")
@given(st.lists(st.text("ab<", min_size=1, max_size=5), max_size=5))
@settings(PROPERTY, max_examples=50)
def test_any_trie(lab, texts):
    """One node for each prefix, whatever the texts share."""
    check_equal(lab.build_trie(texts), trie(texts), f"build_trie({texts})")


@pytest.mark.todo("build_trie")
@pytest.mark.parametrize("texts", [[""], ["a", ""]])
def test_an_empty_trigger(lab, texts):
    """An empty text would be found everywhere, so it is refused."""
    with reporting(f"build_trie({texts})", "ValueError"), pytest.raises(ValueError):
        lab.build_trie(texts)


@pytest.mark.todo("build_trie")
def test_a_trie_is_new_each_time(lab):
    """Every call returns lists of its own; texts may come in a tuple or as a mapping's keys."""
    calls = {f"of {texts}": ((texts,), trie(list(texts))) for texts in (["ab"], ("b", "bc"), {"x": 1, "xy": 2})}
    check_promises(lab, "build_trie", calls)


# TODO 2 -------------------------------------------------------------------------------------------


@pytest.mark.todo("failure_links")
@pytest.mark.parametrize("texts", SETS)
def test_failures_and_what_is_found(lab, texts):
    """The failure is the longest proper suffix that is a node; found is the longest trigger at the end."""
    check_call(lab, "failure_links", trie(texts), links(texts))


@pytest.mark.todo("failure_links")
@given(st.lists(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=4))
@settings(PROPERTY, max_examples=50)
def test_any_failures(lab, texts):
    """With two letters nearly every text overlaps another one, or itself."""
    check_equal(lab.failure_links(*trie(texts)), links(texts), f"failure_links of the trie of {texts}")


@pytest.mark.todo("failure_links")
def test_nodes_out_of_order(lab):
    """Children may have any numbers: here the child of node 1 is node 4, and that of node 4 is node 2."""
    children = [{"a": 1, "b": 3}, {"a": 4}, {}, {}, {"b": 2}]
    got = lab.failure_links(children, [None, None, "aab", "b", None])
    check_equal(got, ([0, 0, 3, 0, 1], [None, None, "aab", "b", None]), "failure_links of aab and b")


@pytest.mark.todo("failure_links")
def test_failures_leave_the_trie(lab):
    """The trie stays as it was."""
    calls = {f"of {texts}": (trie(texts), links(texts)) for texts in (["aab"], ["xabc", "ab"], ["b", "ab"])}
    check_promises(lab, "failure_links", calls)


# TODO 3 -------------------------------------------------------------------------------------------

SPLITS = [
    (["<tool>"], "so <tool>"),
    (["aab"], "aaab"),
    (["abab"], "ababab"),
    (["<a>"], "<<a>"),
    (["<a>"], "<a<a>"),
    (["abcd", "bce"], "abce"),
    (["xabc", "ab"], "xabx"),
    (["<"], "a<"),
    (["\uff5c\u2581\uff5c"], "x\uff5c\u2581\uff5c"),
]


@pytest.mark.todo("step")
@pytest.mark.parametrize(("texts", "text"), SPLITS)
def test_step_by_step(lab, texts, text):
    """After each character the node is that of the longest suffix that may begin a trigger."""
    triggers, nodes, node = triggers_of(lab, texts), prefixes(texts), 0
    for place, char in enumerate(text):
        what = f"step from node {node} ({nodes[node]!r}) by {char!r}, triggers {texts}"
        with reporting(what):
            node = lab.step(triggers, node, char)
        check_equal(node, nodes.index(longest_suffix(text[: place + 1], nodes)), what)


@pytest.mark.todo("step")
@given(st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=3), st.text("abc", max_size=12))
@settings(PROPERTY, max_examples=50)
def test_a_trigger_is_found_where_find_finds_it(lab, texts, text):
    """A trigger is found at the character at which ``str.find`` has it for the first time."""
    triggers, node = triggers_of(lab, texts), 0
    found = links(texts)[1]
    for place, char in enumerate(text):
        node = lab.step(triggers, node, char)
        check_equal(
            found[node] is not None,
            any(text[: place + 1].endswith(trigger) for trigger in texts),
            f"whether one of {texts} ends at place {place} of {text!r}; the node is {node}",
        )


# TODO 4 -------------------------------------------------------------------------------------------

DIGITS, LETTERS = automaton(["7;", "8;"]), automaton(["a;", "xy"])

MERGES = [
    ([("<", (DIGITS, 0))], {"<": {"7;", "8;"}}),
    ([("<t>", (DIGITS, 0)), ("<t>x=", (LETTERS, 0))], {"<t>": {"7;", "8;", "x=a;", "x=xy"}}),
    ([("<t>x=", (LETTERS, 0)), ("<t>", (DIGITS, 0))], {"<t>": {"7;", "8;", "x=a;", "x=xy"}}),
    ([("<t>", (DIGITS, 0)), ("<t>", (LETTERS, 0))], {"<t>": {"7;", "8;", "a;", "xy"}}),
    ([("<t>", None), ("<t>x=", (LETTERS, 0))], {"<t>": {"x=a;", "x=xy"}}),
    ([("<t>", (DIGITS, 0)), ("<t>x=", None)], {"<t>": {"7;", "8;"}}),
    ([("<t>", None), ("<t>x", None), ("b", None)], {"<t>": None, "b": None}),
    (
        [("a", (DIGITS, 0)), ("b", (LETTERS, 0)), ("ab", (LETTERS, 0))],
        {"a": {"7;", "8;", "ba;", "bxy"}, "b": {"a;", "xy"}},
    ),
    ([("<t>b", None), ("<t>", (DIGITS, 0)), ("<t>a", (LETTERS, 0))], {"<t>": {"7;", "8;", "aa;", "axy"}}),
    ([("<", (LETTERS, 3))], {"<": {"y"}}),
    ([("<", (LETTERS, 3)), ("<z", (DIGITS, 0))], {"<": {"y", "z7;", "z8;"}}),
    ([], {}),
]


@pytest.mark.todo("merge_openings")
@pytest.mark.parametrize(("openings", "expected"), MERGES)
def test_openings_that_begin_alike(lab, openings, expected):
    """Where one opening is a prefix of another, what follows the shorter is either of the two."""
    what = f"merge_openings of {[text for text, _ in openings]}"
    with reporting(what):
        got = lab.merge_openings(openings)
    check_equal(list(got), list(expected), f"the texts of {what}")
    for text, texts in expected.items():
        body = got[text]
        check_equal(body is None, texts is None, f"whether {text!r} has no body, after {what}")
        if body is not None:
            check_equal(language(body[0], body[1], "78;axy=zb", 5), texts, f"what may follow {text!r}, after {what}")


@pytest.mark.todo("merge_openings")
def test_a_body_of_its_own_stays_as_it_is(lab):
    """A text that shares nothing keeps its automaton, so that ``join`` can see who shares one."""
    got = lab.merge_openings([("[a(", (LETTERS, 0)), ("[b(", (LETTERS, 1)), ("c", None)])
    check_equal({text: body and body[1] for text, body in got.items()}, {"[a(": 0, "[b(": 1, "c": None}, "the states")
    for text in ("[a(", "[b("):
        check_array(got[text][0].transitions, np.int32, LETTERS.transitions.shape, f"the automaton of {text!r}")
        check_equal(got[text][0].transitions.tolist(), LETTERS.transitions.tolist(), f"the automaton of {text!r}")


# TODO 5 -------------------------------------------------------------------------------------------


@pytest.mark.todo("link_triggers")
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("root", [0, 10])
@pytest.mark.parametrize("texts", [["<a>", "b"], ["ab", "xabc"], ["abab"]])
def test_where_triggers_lead(lab, texts, root, closed):
    """A node that completes a trigger stands for its call's state, even 0, or for none; all others for themselves."""
    entries = {text: -1 if text == "b" else 50 * place for place, text in enumerate(texts)}
    found = links(texts)[1]
    expected = [root + node if t is None else -1 if closed else entries[t] for node, t in enumerate(found)]
    got = lab.link_triggers(triggers_of(lab, texts), root, entries, closed)
    check_equal(got, expected, f"link_triggers of {texts}, {root=}, {closed=}")
    with lab.in_place():
        again = lab.link_triggers(triggers_of(lab, texts), root, entries, closed)
    check_equal(again, expected, "the same call again")
    check_equal(entries[texts[0]], 0, "the first trigger's entry afterwards")


# TODO 6 -------------------------------------------------------------------------------------------

ANSWERS = [
    {"<": ["a>", "bb>"]},
    {"ab": ["1"], "b1": ["a"]},
    {"aab": ["b"]},
    {"<a": ["1<a1", "b"]},
    {"<": None},
    {"a": ["1"], "b": None},
    {"ab": ["a1"], "<": ["a1", "b"]},
    {"xa": ["1"], "1": ["a"]},
]


def joined_of(lab, bodies, **options):
    """Return the joined automaton of finite bodies."""
    chars = "".join(bodies)
    given_bodies = {t: None if texts is None else (automaton(texts, chars), 0) for t, texts in bodies.items()}
    return lab.join(given_bodies, **options)


@pytest.mark.todo("join")
@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("bodies", ANSWERS)
def test_every_short_answer(lab, bodies, required, parallel):
    """Every text of up to five characters is read as ``str.find`` reads it: free, in a call, or not at all."""
    required = required and any(bodies.values())  # where nothing can be called, nothing can be required
    what = f"join({bodies}, {required=}, {parallel=})"
    with reporting(what):
        joined = joined_of(lab, bodies, required=required, parallel=parallel)
    dfa, held = joined.dfa, list(joined.held)
    chars = sorted({*"".join(bodies), *"".join("".join(texts) for texts in bodies.values() if texts), "x"})
    live = live_states(dfa)
    here = [("", dfa.initial)]
    for _ in range(6):
        for text, state in here:
            read = reading(text, bodies, required, parallel)
            if state not in live:
                got = None
            else:
                got = "free" if state < len(held) else "call", bool(dfa.accepting[state])
                got += (held[state],) if got[0] == "free" else ()
            expected = read and (read[0], read[2], *([len(read[1])] if read[0] == "free" else []))
            if got != expected:  # a check for each text would take longer than all else
                check_equal(
                    got,
                    expected,
                    f"{what}: mode, may it end, how much is held back (None: it cannot be read), after {text!r}",
                )
        here = [(text + char, dfa.step(state, ord(char))) for text, state in here if state in live for char in chars]


def live_states(dfa):
    """Return the states from which an accepting one can be reached."""
    live = set(np.flatnonzero(dfa.accepting).tolist())
    while more := {s for s in range(len(dfa)) if s not in live and live & set(dfa.transitions[s].tolist())}:
        live |= more
    return live


@pytest.mark.todo("join")
@pytest.mark.parametrize(("options", "phases"), [({}, 1), ({"required": True}, 2), ({"parallel": False}, 2)])
def test_a_shared_automaton_is_there_once(lab, options, phases):
    """Two triggers that lead into one automaton do not copy it: 200 tools would be 200 copies."""
    body = automaton(["a1", "b2;"])
    joined = lab.join({"<": (body, 0), "[": (body, 1)}, **options)
    check_equal(len(joined.dfa), phases * 3 + len(body), f"how many states join has, {options}")
    check_equal(list(joined.held), [0, 1, 1] * phases, f"how much each free state holds back, {options}")
    for text, fits in (("<a1", True), ("[1", True), ("[a1", False), ("<b2;", True)):
        check_equal(reached(joined.dfa, text) != DEAD, fits, f"whether {text!r} can be read")


@pytest.mark.todo("join")
def test_free_text_is_any_text(lab):
    """Characters that no trigger and no call has may stand in free text, and there alone."""
    joined = joined_of(lab, {"<": ["a>"]})
    for text, fits in (("é\n\U0001f600\x00", True), ("é<a>é", True), ("<é", False), ("<a", True), ("<b", False)):
        check_equal(reached(joined.dfa, text) != DEAD, fits, f"whether an answer may begin with {text!r}")


@pytest.mark.todo("join")
def test_a_trigger_inside_a_call_is_text(lab):
    """Inside a call the trigger is a text like any other; the call ends where its body ends."""
    joined = joined_of(lab, {"<t>": ['"<t>";', "1;"]})
    state, modes = joined.dfa.initial, ""
    for char in '<t>"<t>";<t>1;':
        state = joined.dfa.step(state, ord(char))
        modes += "free" if 0 <= state < len(joined.held) else "."
    check_equal(modes, "freefree......free" + "freefree" + "..free", "the mode after each character")


# TODO 7 -------------------------------------------------------------------------------------------

TOKENS = [
    b"a",
    b"b",
    b"<",
    b"1",
    b">",
    b"<a",
    b"b<",
    b"1>",
    b"",
    b"<pad>",
    *[b"#"] * 24,
    b"</s>",
    b"\xc3",
    b"\xa9",
    b"ab",
]
EOS, V = TOKENS.index(b"</s>"), len(TOKENS)
SMALL = Vocabulary(TOKENS, eos_id=EOS, special_ids=[9])
"""38 tokens, so two words of a bitmask."""


class Brute:
    """A guide by brute force over texts: ``reading`` is asked about every token. It counts its calls.

    Its states are numbers, as ``ToolGuide`` wants them: free texts have those below 50.
    """

    def __init__(self, bodies=None, **options):
        self.bodies, self.options = bodies or {"<": ["a1>", "b>"]}, options
        self.numbers = {"": 0}
        self.calls = Counter()

    def number(self, text):
        if text not in self.numbers:
            free = self.read(text)[0] == "free"
            own = [n for n in self.numbers.values() if (n % 100 < 50) == free]
            self.numbers[text] = max(own, default=0 if free else 49) + 1
        return self.numbers[text]

    def text(self, state):
        return next(text for text, number in self.numbers.items() if number == state)

    def read(self, text):
        return reading(text, self.bodies, **self.options)

    def ids(self, state, remaining=None):
        if state < 0:
            return set()
        text = self.text(state)
        found = {
            i
            for i, t in enumerate(TOKENS)
            if t.isascii() and t and i not in SMALL.special_ids and self.read(text + t.decode())
        }
        found = set() if remaining == 1 else found
        return found | ({EOS} if self.read(text)[2] else set())

    def words(self, state, remaining=None):
        bits = np.isin(np.arange(64), sorted(self.ids(state, remaining)))
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def mask(self, state, remaining=None):
        self.calls["mask"] += 1
        return self.words(state, remaining)

    def fill(self, states, out, remaining=None):
        self.calls["fill"] += 1
        self.calls["filled"] += len(states)
        budgets = [remaining] * len(states) if remaining is None or isinstance(remaining, int) else remaining
        for row, state, budget in zip(out, states, budgets, strict=True):
            row[:] = self.words(state, budget)
        return out  # so that what was written crosses the pipe

    def advance(self, state, token_id):
        self.calls["advance"] += 1
        if token_id not in self.ids(state):
            raise TokenNotAllowed(token_id, f"the test's state {state}")
        return -2 if token_id == EOS else self.number(self.text(state) + TOKENS[token_id].decode())

    def is_accepting(self, state):
        return state < 0 or self.read(self.text(state))[2]

    def tokens_to_accept(self, state):
        return 0 if self.is_accepting(state) else 3

    def made(self, lab):
        """Return a tool guide of it; states below 50 are free."""
        functions = (self.mask, self.fill, self.advance, self.is_accepting, self.tokens_to_accept)
        return lab.ToolGuide(lab.GuideOfFunctions(0, *functions), 50, 100)


@pytest.mark.todo("advance_once")
def test_a_free_step_is_asked_for_once(lab):
    """From a free state the guide is asked once for each token, whoever comes there again."""
    brute = Brute()
    guide = brute.made(lab)
    for turn in range(3):
        state = 0
        for token_id in (0, 1, 3, 0):
            state = lab.advance_once(guide, state, token_id)
        check_equal(brute.text(state), "ab1a", f"the text after four tokens, turn {turn + 1}")
    check_equal(brute.calls["advance"], 4, "how often the guide was asked about four free tokens, in three turns")


@pytest.mark.todo("advance_once")
def test_each_state_and_token_has_its_own_step(lab):
    """The same token from another state, and another token from the same state, lead elsewhere."""
    brute = Brute()
    guide = brute.made(lab)
    for tokens, text in (([0], "a"), ([1], "b"), ([0, 0], "aa"), ([1, 0], "ba"), ([0, EOS], None)):
        state = 0
        for token_id in tokens:
            state = lab.advance_once(guide, state, token_id)
        check_equal(brute.text(state) if state >= 0 else None, text, f"the text after the tokens {tokens}")


@pytest.mark.todo("advance_once")
def test_steps_inside_a_call_are_not_kept(lab):
    """A call's states are many and rarely come again: what is kept must not grow with every call."""
    brute = Brute()
    guide = brute.made(lab)
    for _ in range(3):
        state = 0
        for token_id in (2, 0, 3, 4):  # < a 1 >
            state = lab.advance_once(guide, state, token_id)
        check_equal(brute.text(state), "<a1>", "the text after a call")
    check_equal(brute.calls["advance"], 1 + 3 * 3, "how often the guide was asked: once about <, each time about a 1 >")
    check_equal([*guide.after], [(0, 2)], "the steps that are kept: the one from free text into the call")


@pytest.mark.todo("advance_once")
@pytest.mark.parametrize("tokens", [[2, 4], [5, 4], [9], [V], [-1], [EOS, 0]])
def test_a_refused_token(lab, tokens):
    """What the guide raises reaches the caller, the second time too."""
    guide = Brute().made(lab)
    state = 0
    for token_id in tokens[:-1]:
        state = lab.advance_once(guide, state, token_id)
    for _ in range(2):
        with reporting(f"advance_once by {tokens[-1]} after {tokens[:-1]}"), pytest.raises(TokenNotAllowed):
            lab.advance_once(guide, state, tokens[-1])


@pytest.mark.todo("advance_once")
def test_state_zero_is_a_state(lab):
    """A step may lead to state 0, which is remembered like any other."""
    calls = []
    guide = lab.ToolGuide(
        lab.GuideOfFunctions(0, print, print, lambda state, token: calls.append(token) or 0, bool, int), 2, 4
    )
    check_equal([lab.advance_once(guide, 0, 7) for _ in range(3)], [0, 0, 0], "the state after token 7, three times")
    check_equal(calls, [7], "the tokens that the guide was asked about")


@pytest.mark.todo("advance_once")
def test_which_states_are_free(lab):
    """With half a character read, a free state is still free; a negative one is no state of the automaton."""
    guide = lab.ToolGuide(lab.GuideOfFunctions(0, print, print, lambda state, token: 3, bool, int), 2, 4)
    for state in (1, 2, 5, 7, -1):
        check_equal(lab.advance_once(guide, state, 9), 3, f"the state after state {state}")
    check_equal([*guide.after], [(1, 9), (5, 9)], "the pairs that are kept, with 2 free states out of 4")


# TODO 8 -------------------------------------------------------------------------------------------


def words(ids, size):
    """Return a bitmask of some ids."""
    bits = np.isin(np.arange(-(-size // 32) * 32), list(ids))
    return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)


@pytest.mark.todo("listed_ids")
@pytest.mark.parametrize("size", [3, 4, 32, 38, 64, 70])
@pytest.mark.parametrize("missing", [[], [0], [2, 1], range(0, 70, 3), range(1, 70, 2), [31], range(70), range(1, 69)])
def test_the_shorter_list_of_a_bitmask(lab, size, missing):
    """The ids below V whose bits are set, or are not, whichever are fewer; bits beyond V are no tokens."""
    guide = Brute().made(lab)
    forbidden = sorted(i for i in missing if i < size)
    others = sorted({*range(size)} - {*forbidden})
    bitmask = words(others, size)
    allows = len(others) < len(forbidden)
    for turn in ("first", "second"):
        what = f"listed_ids of {size} tokens without {forbidden}, the {turn} time"
        ids, which = lab.listed_ids(guide, bitmask, size)
        check_equal(which, allows, f"whether the allowed ones are listed: {what}")
        check_array(ids, np.intp, (min(len(others), len(forbidden)),), what)
        check_equal(ids.tolist(), others if allows else forbidden, what)


@pytest.mark.todo("listed_ids")
def test_bitmasks_that_come_and_go(lab):
    """A bitmask may be dropped, and the next one lie in the same place: its ids are its own."""
    guide = Brute().made(lab)
    for turn in range(200):
        token_id = turn * 7 % 64
        ids, _ = lab.listed_ids(guide, words(set(range(64)) - {token_id}, 64), 64)
        check_equal(ids.tolist(), [token_id], f"what bitmask {turn} forbids, after others that are gone")


@pytest.mark.todo("listed_ids")
def test_two_guides_remember_apart(lab):
    """What one guide has seen is no other guide's."""
    one, other = Brute().made(lab), Brute().made(lab)
    first, second = words({1, 2, 3}, 4), words({0}, 4)
    check_equal([lab.listed_ids(one, first, 4)[0].tolist()], [[0]], "what the first guide forbids")
    check_equal([lab.listed_ids(other, second, 4)[0].tolist()], [[0]], "what the second guide allows")
    check_equal((len(one.listed), len(other.listed)), (1, 1), "how many bitmasks each guide has kept")


# TODO 9 -------------------------------------------------------------------------------------------


def noise(*seed, rows=1):
    """Return logits that depend on the numbers alone."""
    return np.random.default_rng(seed).standard_normal((rows, V), dtype=np.float32)


def kept(row):
    """Return the ids whose logits are not minus infinity."""
    return set(np.flatnonzero(row != -np.inf).tolist())


@pytest.mark.todo("mask_rows")
@pytest.mark.parametrize("remaining", [None, [9, None, 1, 4, 1]])
def test_a_batch_of_both_modes(lab, remaining):
    """Each row keeps exactly the tokens of its own state, free or in a call; a row without a guide stays."""
    brute = Brute()
    guide = brute.made(lab)
    texts = ["", "<", None, "ab", "b"]
    states = [None if t is None else lab.StructuredOutputState(guide, brute.number(t)) for t in texts]
    logits, before = noise(1, rows=5), noise(1, rows=5)
    with lab.in_place():
        lab.mask_rows(states, logits, remaining and [*remaining])
    for row, text in enumerate(texts):
        budget = None if remaining is None else remaining[row]
        legal = set(range(V)) if text is None else brute.ids(brute.number(text), budget)
        check_equal(kept(logits[row]), legal, f"the tokens kept in row {row}, after {text!r}, {budget=}")
        same = sorted(legal)
        check_equal(logits[row][same].tolist(), before[row][same].tolist(), f"the logits kept in row {row}")


@pytest.mark.todo("mask_rows")
def test_tool_rows_fill_nothing(lab):
    """A row of a tool guide asks for its mask once, in both modes; ``fill`` is for other guides."""
    brute = Brute()
    guide = brute.made(lab)
    texts = ["", "a", "<", "<a", "b"]
    states = [lab.StructuredOutputState(guide, brute.number(text)) for text in texts]
    lab.mask_rows(states, noise(2, rows=5), [9] * 5)
    check_equal(brute.calls, Counter(mask=5), "the calls for five rows")
    brute.calls.clear()
    lab.mask_rows([None, None], noise(2, rows=2))
    check_equal(brute.calls, Counter(), "the calls for rows without a constraint")


@pytest.mark.todo("mask_rows")
def test_other_guides_fill_once(lab):
    """All rows of a guide of lab 09 are one call of ``fill``, with their own budgets, past rows of tool guides."""
    tools, plain = Brute(), Brute()
    functions = (plain.mask, plain.fill, plain.advance, plain.is_accepting, plain.tokens_to_accept)
    other = lab.GuideOfFunctions(0, *functions)
    guides = [other, tools.made(lab), other, None]
    states = [guide and lab.StructuredOutputState(guide, 0) for guide in guides]
    logits = noise(5, rows=4)
    with lab.in_place():
        lab.mask_rows(states, logits, [9, 9, 1, 9])
    check_equal((plain.calls, tools.calls), (Counter(fill=1, filled=2), Counter(mask=1)), "the calls of both guides")
    for row, legal in enumerate([plain.ids(0), tools.ids(0), plain.ids(0, 1), set(range(V))]):
        check_equal(kept(logits[row]), legal, f"the tokens kept in row {row}")


@pytest.mark.todo("mask_rows")
def test_logits_keep_their_bits(lab):
    """Infinite logits and NaN are kept where they are allowed, and go where they are not."""
    brute = Brute()
    guide = brute.made(lab)
    for text in ("", "<"):
        logits = noise(6)
        logits[0, [0, 1, 4, 9]] = [np.inf, np.nan, np.nan, np.inf]
        before, legal = logits.copy(), sorted(brute.ids(brute.number(text)))
        with lab.in_place():
            lab.mask_rows([lab.StructuredOutputState(guide, brute.number(text))], logits)
        check_equal(logits[0, legal].tobytes(), before[0, legal].tobytes(), f"the logits kept after {text!r}")
        others = np.delete(logits[0], legal)
        check_equal(others.tolist(), [-np.inf] * len(others), f"the other logits after {text!r}")


@pytest.mark.todo("mask_rows")
def test_a_guide_of_lab_09_in_the_same_batch(lab):
    """A state whose guide is no tool guide is masked as in lab 09, whatever its state looks like."""
    brute = Brute()
    digit = lab.GuideOfFunctions(
        0, print, lambda states, out, remaining: [out.fill(0), out.__setitem__((..., 0), 8), out][2], max, bool, int
    )
    logits = noise(3, rows=2)
    with lab.in_place():
        lab.mask_rows([lab.StructuredOutputState(digit), lab.StructuredOutputState(brute.made(lab))], logits)
    check_equal(kept(logits[0]), {3}, "the tokens kept in the row of lab 09's guide")
    check_equal(kept(logits[1]), brute.ids(0), "the tokens kept in the row of free text")


@pytest.mark.todo("mask_rows")
def test_states_and_budgets_stay(lab):
    """The caller's lists are his own."""
    brute = Brute()
    states, budgets = [lab.StructuredOutputState(brute.made(lab)), None], [3, None]
    with lab.in_place():
        lab.mask_rows(states, noise(4, rows=2), budgets)
    check_equal(
        (states[0] is None, states[1], budgets), (False, None, [3, None]), "the states and the budgets afterwards"
    )


# TODO 10 ------------------------------------------------------------------------------------------

CITY = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
SWAPPED = CITY | {"properties": {"days": {"type": "integer"}, "city": {"type": "string"}}}
ZONE = {"type": "object", "properties": {"zone": {"type": "string"}}}


def tools_of(lab, *pairs):
    """Return tools; the place of each is its pointer."""
    return [lab.Tool(name, schema, f"/tools/{place}") for place, (name, schema) in enumerate(pairs)]


@pytest.mark.todo("tool_set_key")
def test_requests_that_share_a_guide(lab):
    """The order of the tools, and how a choice is spelled, change nothing."""
    one = tools_of(lab, ("f", CITY), ("g", ZONE))
    other = tools_of(lab, ("g", ZONE), ("f", CITY))
    key = lab.tool_set_key("hermes", one)
    check_equal(len(key), 64, "the length of a SHA-256 in hexadecimal")
    for name, again in {
        "the same tools": lab.tool_set_key("hermes", one),
        "in another order": lab.tool_set_key("hermes", other),
        "the choice None": lab.tool_set_key("hermes", one, None),
        "all by name": lab.tool_set_key("hermes", one, "auto", True, ""),
    }.items():
        check_equal(again, key, f"the key of {name}")


@pytest.mark.todo("tool_set_key")
def test_requests_that_do_not(lab):
    """Any two of these need two guides."""
    one, function = [("f", CITY), ("g", ZONE)], {"type": "function", "function": {"name": "f"}}
    asked = {
        "plain": ("hermes", one),
        "another format": ("mistral", one),
        "another name": ("hermes", [("h", CITY), ("g", ZONE)]),
        "schemas swapped": ("hermes", [("f", ZONE), ("g", CITY)]),
        "properties in another order": ("hermes", [("f", SWAPPED), ("g", ZONE)]),
        "one tool": ("hermes", [("f", CITY)]),
        "required": ("hermes", one, "required"),
        "none": ("hermes", one, "none"),
        "a named tool": ("hermes", one, function),
        "the other one": ("hermes", one, {"type": "function", "function": {"name": "g"}}),
        "that tool alone": ("hermes", [("f", CITY)], function),
        "no parallel calls": ("hermes", one, "auto", False),
        "another vocabulary": ("hermes", one, "auto", True, "v"),
        "names that run together": ("hermes", [("fg", CITY), ("", ZONE)]),
    }
    keys = {name: lab.tool_set_key(row, tools_of(lab, *tools), *more) for name, (row, tools, *more) in asked.items()}
    for name, key in keys.items():
        same = [other for other in keys if keys[other] == key]
        check_equal(same, [name], f"the requests with the key of {name!r}")


@pytest.mark.todo("tool_set_key")
@pytest.mark.parametrize("choice", ["perhaps", {"type": "function", "function": {"name": "x"}}, {}, 7])
def test_a_choice_that_fits_no_tool(lab, choice):
    """What ``chosen_tools`` raises reaches the caller."""
    with reporting(f"tool_set_key with the choice {choice}"), pytest.raises(ValueError):
        lab.tool_set_key("hermes", tools_of(lab, ("f", CITY)), choice)


@pytest.mark.todo("tool_set_key")
def test_no_tools(lab):
    """A request without tools has a key too; one that requires a call has an error."""
    check_equal(len(lab.tool_set_key("hermes", [])), 64, "the length of the key")
    with pytest.raises(ValueError):
        lab.tool_set_key("hermes", [], "required")


def tool_request(*names, **more):
    """Return the ``response_format`` of a request with tools that take no parameters."""
    tools = [{"type": "function", "function": {"name": name}} for name in names]
    return {"type": "tools", "tools": tools, **more}


def running(lab, **options):
    """Return an engine of test doubles, its manager, its worker, and what was compiled."""
    made, worker = [], lab.Worker()

    def compile_tools(tools, choice, parallel):
        made.append((len(tools), choice, parallel))
        return Brute().made(lab)

    row = lab.format_named("hermes")
    manager = lab.ToolCallManager(SMALL, row, compile_tools, print, worker.submit, **options)
    favour = np.zeros(V, np.float32)
    favour[[0, 2, 3, 4]] = [1, 3, 2, 2.5]  # < above > above 1 above a
    return lab.engine_of(lambda ids: favour, SMALL, manager), manager, worker, made


@pytest.mark.todo("tool_set_key")
def test_one_compile_for_a_tool_set(lab):
    """Requests with the same tools wait for one compile, and share its guide."""
    engine, manager, worker, made = running(lab)
    for names in (("f", "g"), ("g", "f"), ("f",), ("f", "g")):
        engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request(*names))
    worker.work()
    worker.work()
    check_equal(sorted(count for count, _, _ in made), [1, 2], "how many tools each compile had")
    check_equal((manager.cache.hits, manager.cache.misses), (2, 2), "hits and misses of the cache")


@pytest.mark.todo("tool_set_key")
def test_a_choice_is_a_compile_of_its_own(lab):
    """``tool_choice`` and ``parallel_tool_calls`` change the masks, so they change the guide."""
    engine, _, worker, made = running(lab)
    for more in ({}, {"tool_choice": "required"}, {"parallel_tool_calls": False}, {"tool_choice": "auto"}):
        engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request("f", **more))
    while worker.work():
        pass
    check_equal(
        made, [(1, None, True), (1, "required", True), (1, None, False)], "the compiles: tools, choice, parallel"
    )


@pytest.mark.todo("tool_set_key")
@pytest.mark.parametrize("tools", [[{"type": "function"}], [7], [{"type": "function", "function": {"name": ""}}]])
def test_malformed_tools_are_refused_at_once(lab, tools):
    """The caller of ``add_request`` hears of them; nothing is compiled."""
    engine, manager, _, made = running(lab)
    engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request("f"))
    with pytest.raises(SchemaError):
        engine.add_request([0], lab.SamplingParams(temperature=0), response_format={"type": "tools", "tools": tools})
    check_equal((made, manager.cache.num_waiting()), ([], 1), "what was compiled, and how many requests wait")


@pytest.mark.todo("tool_set_key")
def test_an_abort_leaves_nothing(lab):
    """A request that is aborted inside a call leaves no state behind: the next one begins in free text."""
    engine, manager, worker, _ = running(lab)
    first = engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request("f"))
    worker.work()
    for _ in range(2):
        engine.step()
    engine.abort(first.request_id)
    second = engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request("f"))
    engine.step()
    check_equal(second.output_token_ids, [2], "the first token of the second request")
    check_equal(manager.cache.num_waiting(), 0, "how many requests wait")


@pytest.mark.todo("tool_set_key")
def test_a_full_queue(lab):
    """A new tool set is refused where too many compile; one that is there is not."""
    engine, _, _, _ = running(lab, max_compiling=1)
    engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request("f"))
    engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request("f"))
    with pytest.raises(QueueFull):
        engine.add_request([0], lab.SamplingParams(temperature=0), response_format=tool_request("g"))


# TODO 11 ------------------------------------------------------------------------------------------


def by_hand(lab, bodies, text):
    """Return the automaton of one answer as the oracle has it: its states are the prefixes of the text."""
    reads = sorted((reading(text[:end], bodies)[0] == "call", end) for end in range(len(text) + 1))
    numbers = {end: number for number, (_, end) in enumerate(reads)}
    shape = automaton(sorted(set(text)))
    chars = sorted(set(text))
    rows = [[numbers[end + 1] if text[end : end + 1] == char else DEAD for char in chars] for _, end in reads]
    held = [len(reading(text[:end], bodies)[1]) for call, end in reads if not call]
    dfa = Dfa(shape.bounds, shape.classes, np.array(rows).reshape(len(reads), -1), numbers[0], [True] * len(reads))
    return lab.Joined(dfa, held)


@pytest.mark.todo("split_answer")
@pytest.mark.parametrize("cuts", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("bodies", "text"),
    [
        ({"<a": ["1", "b1"]}, "x<a1x"),
        ({"<a": ["1", "b1"]}, "<a1<ab1"),
        ({"<a": ["1"]}, "x<x<a1<"),
        ({"<a": ["1"]}, "<<a1"),
        ({"aab": ["1"]}, "aaab1"),
        ({"<a": ["1"]}, "<a1x<a1"),
        ({"<a": ["b<a1"]}, "x<ab<a"),
        ({"<": ["1"]}, "x<1<1x"),
        ({"xab": ["1"], "a1": ["b"]}, "xa1bx"),
    ],
)
def test_an_answer_in_pieces(lab, bodies, text, cuts):
    """However the answer is cut, its parts and what is held back are those that ``str.find`` gives."""
    joined = by_hand(lab, bodies, text)
    state, held, parts = joined.dfa.initial, "", []
    for start in range(0, len(text), cuts):
        what = f"split_answer of {text!r} in pieces of {cuts}, piece {text[start : start + cuts]!r}, triggers {bodies}"
        with reporting(what):
            state, held, more = lab.split_answer(joined, state, held, text[start : start + cuts])
        parts += more
        _, back, _, expected = reading(text[: start + cuts], bodies)
        check_equal(held, back, f"what is held back after {what}")
        check_equal(fused(parts), expected, f"the parts after {what}")


def fused(parts):
    """Return parts with neighbouring texts in one."""
    found = []
    for kind, text in parts:
        if kind == "text" and found and found[-1][0] == "text":
            found[-1] = ("text", found[-1][1] + text)
        else:
            found.append((kind, text))
    return found


@pytest.mark.todo("split_answer")
def test_parts_are_whole(lab):
    """One piece of the answer gives one part for each run of free text, and no empty one."""
    for text, expected in (
        ("xx<1xx", [("text", "xx"), ("block", "<1"), ("text", "xx")]),
        ("<1<1", [("block", "<1"), ("block", "<1")]),
        ("xx", [("text", "xx")]),
        ("", []),
        ("<", []),
    ):
        joined = by_hand(lab, {"<": ["1"]}, text)
        check_equal(lab.split_answer(joined, joined.dfa.initial, "", text)[2], expected, f"the parts of {text!r}")


@pytest.mark.todo("split_answer")
def test_an_answer_without_masks(lab):
    """Where the automaton is dead, the rest is held back from the trigger on, and the state stays dead."""
    joined = by_hand(lab, {"<a": ["1"]}, "x<a1")
    state, held, parts = lab.split_answer(joined, joined.dfa.initial, "", "x<axy")
    check_equal((state, held, parts), (DEAD, "<axy", [("text", "x")]), "what is dead, held back, and said")
    check_equal(lab.split_answer(joined, state, held, "<a1 "), (DEAD, "<axy<a1 ", []), "the same, with more text")


@pytest.mark.todo("split_answer")
def test_two_answers_at_a_time(lab):
    """Nothing is remembered of another answer."""
    joined = by_hand(lab, {"<a": ["1"]}, "x<a1x<a1")
    start = joined.dfa.initial
    one = lab.split_answer(joined, start, "", "x<a")
    two = lab.split_answer(joined, start, "", "x<a1x<")
    check_equal(two[1:], ("<", [("text", "x"), ("block", "<a1"), ("text", "x")]), "the second answer")
    check_equal(lab.split_answer(joined, one[0], one[1], "1")[1:], ("", [("block", "<a1")]), "the first one's end")


# TODO 12 ------------------------------------------------------------------------------------------

SPANS = [
    ("now{}", 1, [(3, 5)]),
    ('{"name": "f", "arguments": {"a": {"b": {}}}}', 2, [(27, 43)]),
    ('[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {"a": 1}}]', 2, [(28, 30), (60, 68)]),
    ('f{"a": "}"}g{"b": "{"}', 1, [(1, 11), (12, 22)]),
    (r'f{"a": "\"}"}', 1, [(1, 13)]),
    (r'f{"a": "\\"}x', 1, [(1, 12)]),
    (r'f{"a": "\\\"}"}', 1, [(1, 15)]),
    ('"{"a": 1}', 1, [(1, 9)]),
    (r'f\{"a": 1}', 1, [(2, 10)]),
    ('f{"a', 1, [(1, 4)]),
    ("f{", 1, [(1, 2)]),
    ("f", 1, []),
    ('{"name": "{", "arguments"', 2, []),
    ('}{"a": 1}', 1, [(1, 9)]),
    ('}}{"a": {}}}{', 2, [(8, 10)]),
    ("", 1, []),
]


@pytest.mark.todo("argument_spans")
@pytest.mark.parametrize(("text", "depth", "expected"), SPANS)
def test_where_arguments_are(lab, text, depth, expected):
    """Braces in strings are text, and so is a quote that is escaped or outside all braces; names may hold anything."""
    check_call(lab, "argument_spans", (text, depth), expected)


VALUES = st.recursive(
    st.text('a"\\{}[]', max_size=4) | st.integers(0, 9) | st.none(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text('b"\\{', max_size=2), inner, max_size=2),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.text('c"}', max_size=2), VALUES, max_size=3)


@pytest.mark.todo("argument_spans")
@given(st.lists(OBJECTS, min_size=1, max_size=3), st.booleans())
@settings(PROPERTY, max_examples=40)
def test_any_arguments(lab, values, nested):
    """The spans of whole objects are those that ``json`` decodes, one after the other."""
    parts = [
        f'{{"name": "f{{", "arguments": {json.dumps(value)}}}' if nested else f'f"{json.dumps(value)}'
        for value in values
    ]
    text = ", ".join(parts)
    spans = lab.argument_spans(text, 1 + nested)
    check_equal([json.loads(text[start:end]) for start, end in spans], values, f"what stands in the spans of {text!r}")


@pytest.mark.todo("argument_spans")
@given(OBJECTS)
@settings(PROPERTY, max_examples=30)
def test_arguments_as_they_grow(lab, value):
    """Cut anywhere, the span ends with the text, until the object is complete."""
    whole = json.dumps(value)
    for cut in range(1, len(whole) + 3):
        text = f"f{whole}, "[: cut + 1]
        expected = [(1, min(len(text), len(whole) + 1))]
        check_equal(lab.argument_spans(text, 1), expected, f"argument_spans of {text!r}")


# TODO 13 ------------------------------------------------------------------------------------------


def started(index, name, call_id):
    """Return the first delta of a call."""
    return {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}


def more(index, text):
    """Return a later one."""
    return {"index": index, "function": {"arguments": text}}


def ids():
    """Return a function that counts the ids it makes."""
    count = iter(range(100))
    return lambda: f"id{next(count)}"


@pytest.mark.todo("call_deltas")
def test_two_calls_calls(lab):
    """Each call begins once; then only what is new is told, for every call that has grown."""
    sent, new_id = [], ids()
    for names, arguments, expected in (
        (["f"], [""], [started(0, "f", "id0")]),
        (["f"], ['{"a'], [more(0, '{"a')]),
        (["f"], ['{"a'], []),
        (["f", "g"], ['{"a": 1}', "{}"], [more(0, '": 1}'), started(1, "g", "id1"), more(1, "{}")]),
        (["f", "g"], ['{"a": 1}', "{}"], []),
        ([*"fghi"], ['{"a": 1}', "{}", "{}", ""], [started(2, "h", "id2"), more(2, "{}"), started(3, "i", "id3")]),
    ):
        with lab.in_place():
            got = lab.call_deltas(names, [*arguments], sent, new_id)
        check_equal(got, expected, f"call_deltas of {names}, {arguments}")
        check_equal(list(sent), arguments, f"what was sent, after call_deltas of {arguments}")


@pytest.mark.todo("call_deltas")
@given(st.lists(st.text('{}"a', max_size=6), min_size=1, max_size=3), st.lists(st.integers(0, 6), max_size=6))
@settings(PROPERTY, max_examples=50)
def test_deltas_add_up(lab, texts, cuts):
    """However the arguments grow, the deltas of each call add up to them."""
    sent, new_id, total = [], ids(), {}
    for cut in [*sorted(cuts), 6]:
        with lab.in_place():
            deltas = lab.call_deltas(["f"] * len(texts), [text[:cut] for text in texts], sent, new_id)
        for delta in deltas:
            check_equal("id" in delta, delta["index"] not in total, "an id comes with a call's first delta alone")
            total[delta["index"]] = total.get(delta["index"], "") + delta["function"]["arguments"]
    check_equal(total, dict(enumerate(texts)), "the sums of the deltas")


@pytest.mark.todo("call_deltas")
def test_no_call_no_id(lab):
    """Without calls there is nothing to tell, and no id is made."""
    made = []
    check_equal(lab.call_deltas([], [], [], lambda: made.append(1) or "x"), [], "the deltas of no calls")
    check_equal(made, [], "how many ids were made")


# TODO 14 ------------------------------------------------------------------------------------------


def two_calls():
    """Fresh ones for each test: a wrong answer may change them."""
    return [started(0, "f", "a"), more(0, '{"x"'), more(0, ": 1}"), started(1, "g", "b"), more(1, "{}")]


CALLS = [
    {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}},
    {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}},
]


@pytest.mark.todo("read_message")
@pytest.mark.parametrize(
    ("texts", "deltas", "reason", "expected"),
    [
        (["Hel", "lo."], [], "stop", ({"role": "assistant", "content": "Hello."}, "stop")),
        ([], [], "length", ({"role": "assistant", "content": ""}, "length")),
        (
            ["Wait. "],
            two_calls(),
            "stop",
            ({"role": "assistant", "content": "Wait. ", "tool_calls": CALLS}, "tool_calls"),
        ),
        (
            [" ", "\n"],
            two_calls(),
            "stop",
            ({"role": "assistant", "content": None, "tool_calls": CALLS}, "tool_calls"),
        ),
        (
            [],
            two_calls()[:3],
            "length",
            ({"role": "assistant", "content": None, "tool_calls": CALLS[:1]}, "length"),
        ),
        ([], two_calls()[:3], "abort", ({"role": "assistant", "content": None, "tool_calls": CALLS[:1]}, "abort")),
        ([" "], [], "stop", ({"role": "assistant", "content": " "}, "stop")),
    ],
)
def test_a_message(lab, texts, deltas, reason, expected):
    """Texts and arguments are put together; calls change the reason only where the engine stopped by itself."""
    check_call(lab, "read_message", (texts, deltas, reason), expected)


@pytest.mark.todo("read_message")
def test_a_message_leaves_its_deltas(lab):
    """The deltas stay as they are, and a message can be read twice."""
    calls = {
        "of two calls": (
            (["a"], two_calls(), "stop"),
            ({"role": "assistant", "content": "a", "tool_calls": CALLS}, "tool_calls"),
        ),
        "of text": ((["a"], [], "stop"), ({"role": "assistant", "content": "a"}, "stop")),
    }
    check_promises(lab, "read_message", calls)


@pytest.mark.todo("read_message")
def test_deltas_in_turn(lab):
    """Calls may grow in turn: the index says which."""
    deltas = [two_calls()[place] for place in (0, 3, 1, 4, 2)]
    message, _ = lab.read_message([], tuple(deltas), "stop")
    check_equal(message["tool_calls"], CALLS, "the calls of deltas that come in turn")


# All of it ----------------------------------------------------------------------------------------

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
CLOCK = {
    "type": "object",
    "properties": {"zone": {"type": "string"}},
    "required": ["zone"],
    "additionalProperties": False,
}

WRITTEN = tomllib.loads(Path(__file__).with_name("given").joinpath("examples.toml").read_text(encoding="utf-8"))
"""One call in each format, as the format's own documentation writes it."""


@pytest.mark.todo("split_answer")
@pytest.mark.parametrize("name", WRITTEN)
def test_every_format(lab, name):
    """Text, a call, text, and the call again: the stream tells both, however it is cut, and nothing is lost."""
    row, tools = lab.format_named(name), [lab.Tool("get_weather", WEATHER), lab.Tool("get_time", CLOCK)]
    joined = lab.tool_automaton(row, tools)
    text = f"Let me [1] look. {WRITTEN[name]} So <b>. {WRITTEN[name]}"
    for cut in (1, len(text)):
        stream = lab.ToolCallStream(row, tools, joined, {}, ids())
        for start in range(0, len(text), cut):
            stream.feed(text[start : start + cut])
        stream.finish()
        message, reason = stream.message()
        calls = [
            (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
            for call in message["tool_calls"]
        ]
        what = f"of {name} in pieces of {cut}"
        check_equal(calls, [(f"id{i}", "get_weather", {"city": "Rome"}) for i in range(2)], f"the calls {what}")
        check_equal((message["content"], reason), ("Let me [1] look.  So <b>. ", "tool_calls"), f"the rest {what}")


@pytest.mark.todo("join")
@pytest.mark.parametrize(
    "name", ["hermes", "llama3_json", "mistral_v13", "xlam", "kimi_k2", "glm47", "nemotron", "minicpm5"]
)
def test_names_and_arguments_agree(lab, name):
    """``get_time`` cannot be called with the arguments of ``get_weather``, and no other tool can be called."""
    row, tools = lab.format_named(name), [lab.Tool("get_weather", WEATHER), lab.Tool("get_time", CLOCK)]
    dfa = lab.tool_automaton(row, tools, "required").dfa
    for said, expected in (
        (WRITTEN[name].strip(), True),
        (WRITTEN[name].strip() + " Done.", name not in ("llama3_json", "mistral_v13", "xlam")),  # these end the turn
        ("Hm. " + WRITTEN[name].strip(), False),
        (WRITTEN[name].strip().replace("get_weather", "get_time"), False),
        (WRITTEN[name].strip().replace("city", "zone"), False),
        ("Hm.", False),
    ):
        check_equal(reads(dfa, said), expected, f"whether {said!r} is an answer that makes the required call")


def reached(dfa, text):
    """Return the state after a text, or -1."""
    state = dfa.initial
    for char in text:
        if state == DEAD:
            break
        state = dfa.step(state, ord(char))
    return state


def reads(dfa, text):
    """Return whether an automaton matches a text."""
    state = reached(dfa, text)
    return state != DEAD and bool(dfa.accepting[state])


@pytest.mark.todo("join")
@pytest.mark.parametrize(
    ("choice", "parallel", "fits"),
    [
        ("auto", True, "text f g fg late"),
        ("none", True, "text"),
        ("required", True, "f g fg"),
        ({"type": "function", "function": {"name": "g"}}, True, "g"),
        ("auto", False, "text f g late"),
        ("required", False, "f g"),
    ],
)
@pytest.mark.parametrize("name", ["llama", "llama4_pythonic"])
def test_tool_choice(lab, name, choice, parallel, fits):
    """What an answer may say and call, for each choice; a required call comes first.

    The second format's trigger also occurs in plain text, and its turn ends with the calls.
    """
    row, tools = lab.format_named(name), [lab.Tool("f"), lab.Tool("g")]
    f, g = ("<function=f>{}</function>", "<function=g>{}</function>") if name == "llama" else ("[f()]", "[g()]")
    end, both = (" Hm.", f"{f} and {g}") if name == "llama" else ("", "[f(), g()]")
    dfa = lab.tool_automaton(row, tools, choice, parallel=parallel).dfa
    answers = {"text": "[1] is free", "f": f, "g": f"{g}{end}", "fg": both, "late": f"Hm. {f}"}
    got = " ".join(kind for kind, answer in answers.items() if reads(dfa, answer))
    check_equal(got, fits, f"which answers fit {choice}, {parallel=}")


@pytest.mark.todo("join")
def test_two_hundred_tools(lab):
    """200 openings lead into one automaton, each to its own state: a name has its own arguments."""
    names = [f"t{number}" for number in range(200)]
    body = automaton([f"{name};" for name in names])
    starts = {f"[{name}(": (body, reached(body, name[:-1])) for name in names}
    joined = lab.join(starts)
    assert len(joined.dfa) < len(body) + 1_000, f"{len(joined.dfa)} states for a body of {len(body)} and 200 openings"
    for name in ("t7", "t70", "t199"):
        for end, fits in ((name[-1], True), ("x", False)):
            check_equal(reads(joined.dfa, f"so [{name}({end}; ok"), fits, f"whether [{name}( may go on with {end};")


@pytest.mark.todo("merge_openings")
@pytest.mark.parametrize("name", ["llama3_json", "mistral_v13", "llama4_pythonic"])
def test_tools_with_names_that_begin_alike(lab, name):
    """``get`` and ``get_all`` keep their own arguments, and so does a tool named by a quote or a brace."""
    names = ["get", "get_all", "g"] + (['"', "{"] if name == "llama3_json" else [])
    tools = [lab.Tool(n, {"type": "object", "properties": {f"p{i}": {"type": "null"}}}) for i, n in enumerate(names)]
    joined = lab.tool_automaton(lab.format_named(name), tools)
    for place, argument in [(n, a) for n in range(len(names)) for a in (n, (n + 1) % 3)]:
        value = {f"p{argument}": None}
        call = {
            "llama3_json": json.dumps({"name": names[place], "parameters": value}),
            "mistral_v13": f"[TOOL_CALLS]{names[place]}[ARGS]{json.dumps(value)}",
            "llama4_pythonic": f"[{names[place]}(p{argument}=None)]",
        }[name]
        check_equal(reads(joined.dfa, f"So {call}"), place == argument, f"whether {call} is a call of {names}")


@pytest.mark.todo("argument_spans")
def test_a_tool_named_by_a_quote(lab):
    """A quote as a name is told as a name, and its arguments begin where they begin."""
    row, tools = lab.format_named("mistral_v13"), [lab.Tool('"', WEATHER)]
    stream = lab.ToolCallStream(row, tools, lab.tool_automaton(row, tools), {}, ids())
    for char in '[TOOL_CALLS]"[ARGS]{"city": "}"}':
        stream.feed(char)
    message, _ = stream.message()
    check_equal(message["tool_calls"][0]["function"], {"name": '"', "arguments": '{"city": "}"}'}, "the call")


@pytest.mark.todo("call_deltas")
def test_arguments_are_streamed_as_they_come(lab):
    """Each piece of the arguments is told with the piece of the answer in which it came."""
    row, tools = lab.format_named("hermes"), [lab.Tool("get_weather", WEATHER)]
    stream = lab.ToolCallStream(row, tools, lab.tool_automaton(row, tools), {}, ids())
    told = []
    for piece in (
        "<tool_",
        'call>{"name": "get_wea',
        'ther", "argu',
        'ments": {"ci',
        'ty": "Ro',
        'me"}',
        "}</tool_call>",
    ):
        told.append("".join(delta["function"]["arguments"] for delta in stream.feed(piece)[1]))
    check_equal(told, ["", "", "", '{"ci', 'ty": "Ro', 'me"}', ""], "what was told of the arguments with each piece")


@pytest.mark.todo("split_answer")
def test_a_special_token_and_its_text(lab):
    """The same text spelled out in ordinary tokens is said; only the special token begins a call."""
    row, tools = lab.format_named("mistral_bare"), [lab.Tool("f")]
    spelled = {"[TOOL_CALLS]": "\x01"}
    stream = lab.ToolCallStream(row, tools, lab.tool_automaton(row, tools, spelled=spelled), spelled, ids())
    stream.feed("[TOOL_CALLS]f{} \x01f{}")
    message, _ = stream.message()
    check_equal(
        (message["content"], len(message["tool_calls"])), ("[TOOL_CALLS]f{} ", 1), "what is said, and the calls"
    )
