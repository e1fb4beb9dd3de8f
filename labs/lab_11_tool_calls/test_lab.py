"""Tests of lab 11. The oracles are ``str``, ``json`` and brute force over short texts; calls of guides are counted.

Bodies are finite sets of texts here, written out as automata by ``dfa_of_texts``, which knows nothing of the labs.
"""

import json
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.automata.dfa import DEAD
from labkit.checking import check_equal
from labkit.checking.calls import reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.oracles.automata import accepts, dfa_by_character, dfa_of_texts, living, walk
from labkit.oracles.guides import BruteGuide

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
    started = [t[:n] for t in bodies for n in range(1, len(t))]
    start, parts, calls = 0, [], False
    while True:
        free = text[start:]
        ends = [(free.find(t) + len(t), -len(t), t) for t in bodies if t in free]
        if not ends:
            held = longest_suffix(free, started)
            said = free[: len(free) - len(held)]
            return "free", held, not required or calls, parts + [("text", said)] * bool(said)
        end, _, trigger = min(ends)
        rest = free[end:]
        # What was held back when the last character of the trigger came is held back with it.
        began = end - 1 - len(longest_suffix(free[: end - 1], started))
        said = [("text", free[:began])] * bool(began)
        if bodies[trigger] is None or (calls and not parallel):
            return None
        whole = [body for body in bodies[trigger] if rest.startswith(body)]
        if not whole:
            alive = any(body.startswith(rest) for body in bodies[trigger])
            return ("call", free[began:], False, parts + said) if alive else None
        parts += [*said, ("block", free[began : end + len(whole[0])])]
        start, calls = start + end + len(whole[0]), True


# step ---------------------------------------------------------------------------------------------

SPLITS = [
    *((["<tool>"], "so <tool>"), (["aab"], "aaab"), (["abab"], "ababab"), (["<a>"], "<<a>"), (["<a>"], "<a<a>")),
    *((["abcd", "bce"], "abce"), (["xabc", "ab"], "xabx"), (["a", "ab"], "xab"), (["\uff5c\u2581"], "x\uff5c\u2581")),
]


@pytest.mark.todo("step")
@pytest.mark.parametrize(("texts", "text"), SPLITS)
def test_step_by_step(lab, texts, text):
    """After each character, you're at the node of the longest suffix of the text that's in the trie."""
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
    """Find a trigger at its last character, wherever one ends in the text, and nowhere else."""
    triggers, node = triggers_of(lab, texts), 0
    found = links(texts)[1]
    for place, char in enumerate(text):
        node, ends = lab.step(triggers, node, char), any(text[: place + 1].endswith(trigger) for trigger in texts)
        what = f"whether one of {texts} ends at place {place} of {text!r}; the node is {node}"
        check_equal(found[node] is not None, ends, what)


# failure_links ------------------------------------------------------------------------------------

SETS = [
    *(["<a>"], ["aab"], ["<a>", "b"], ["ab", "abc"], ["abc", "ab"], ["xabc", "ab"], ["abab", "babb", "ab"], ["a\n"]),
    *(["<|tool|>", "<tool>", "<"], ["abcx", "bcy", "c", "zbcq"], ["\uff5c\u2581\uff5c", "\u2581x"]),
]


def is_links(texts):
    """Return what asserts a result of ``failure_links``; a message names nodes by their texts."""

    def judge(got, what):
        check_equal((type(got), len(got)), (tuple, 2), f"{what}: its type, and how many lists there are")
        for name, mine, right in zip(("failure", "found"), got, links(texts), strict=True):
            if type(mine) is list and len(mine) == len(right):
                mine, right = (dict(zip(prefixes(texts), each, strict=True)) for each in (mine, right))
            check_equal(mine, right, f"{what}: `{name}` of each node, by the node's text")

    return judge


@pytest.mark.todo("failure_links")
@pytest.mark.parametrize("texts", SETS)
def test_failures_and_what_is_found(lab, texts):
    """A failure is the longest proper suffix that's in the trie. A node finds the longest trigger that ends there."""
    calls = {f"of the trie of {each}": (trie(each), is_links(each)) for each in (texts, ["b"])}
    check_promises(lab, "failure_links", calls)


@pytest.mark.todo("failure_links")
def test_nodes_out_of_order(lab):
    """Children can have any numbers, so don't count on their order: node 1's child is 4 here, and 4's is 2."""
    children = [{"a": 1, "b": 3}, {"a": 4}, {}, {}, {"b": 2}]
    got = lab.failure_links(children, [None, None, "aab", "b", None])
    check_equal(got, ([0, 0, 3, 0, 1], [None, None, "aab", "b", None]), "failure_links of aab and b")


# link_triggers ------------------------------------------------------------------------------------


@pytest.mark.todo("link_triggers")
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("root", [0, 10])
@pytest.mark.parametrize("texts", [["<a>", "b"], ["ab", "xabc"], ["abab"]])
def test_where_triggers_lead(lab, texts, root, closed):
    """Where a trigger is complete, put the state in which its call begins (0 is one), or -1; elsewhere, root + node."""
    entries = {text: -1 if text == "b" else 50 * place for place, text in enumerate(texts)}
    found = links(texts)[1]
    expected = [root + node if t is None else -1 if closed else entries[t] for node, t in enumerate(found)]
    for turn in ("", ", again"):
        with lab.in_place():
            got = lab.link_triggers(triggers_of(lab, texts), root, entries, closed)
        check_equal(got, expected, f"link_triggers of {texts}, {root=}, {closed=}{turn}")
    check_equal(entries[texts[0]], 0, "the first trigger's entry afterwards")


# join ---------------------------------------------------------------------------------------------

ANSWERS = [
    *({"<": ["a>", "bb>"]}, {"ab": ["1"], "b1": ["a"]}, {"aab": ["b"]}, {"<a": ["1<a1", "b"]}, {"<": None}),
    *({"a": ["1"], "b": None}, {"ab": ["a1"], "<": ["a1", "b"]}, {"xa": ["1"], "1": ["a"]}),
]


def joined_of(lab, bodies, **options):
    """Return the joined automaton of finite bodies."""
    chars = "".join(bodies)
    given_bodies = {t: None if texts is None else (dfa_of_texts(texts, chars), 0) for t, texts in bodies.items()}
    return lab.join(given_bodies, **options)


@pytest.mark.todo("join")
@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("bodies", ANSWERS)
def test_every_short_answer(lab, bodies, required, parallel):
    """Read every short text as ``str.find`` would: it's free text, in a call, or no answer at all."""
    required = required and any(bodies.values())  # where nothing can be called, nothing can be required
    what = f"join({bodies}, {required=}, {parallel=})"
    with reporting(what):
        joined = joined_of(lab, bodies, required=required, parallel=parallel)
    dfa, held = joined.dfa, list(joined.held)
    chars = sorted({*"".join(bodies), *"".join("".join(texts) for texts in bodies.values() if texts), "x"})
    live = living(dfa)
    here = [("", dfa.initial)]
    for _ in range(6):
        for text, state in here:
            read = reading(text, bodies, required, parallel)
            free = state < len(held)
            got = ("free" if free else "call", bool(dfa.accepting[state]), *held[state : state + free])
            got = got if state in live else None
            expected = read and (read[0], read[2], *[len(read[1])] * (read[0] == "free"))
            if got != expected:  # a check for each text would take longer than all else
                said = "mode, may it end, characters held back (None: dead)"
                check_equal(got, expected, f"{what}, after {text!r}: {said}")
        here = [(text + char, dfa.step(state, ord(char))) for text, state in here if state in live for char in chars]


@pytest.mark.todo("join")
@pytest.mark.parametrize(("options", "phases"), [({}, 1), ({"required": True}, 2), ({"parallel": False}, 2)])
def test_a_shared_automaton_is_there_once(lab, options, phases):
    """Two triggers share one copy of their automaton. Make a second block of free text only if the options need it."""
    body = dfa_of_texts(["a1", "b2;"])
    joined = lab.join({"<": (body, 0), "[": (body, 1)}, **options)
    what = f"join with {options or 'no options'}"
    check_equal(len(joined.dfa), phases * 3 + len(body), f"the number of states of {what}, {phases * 3} in free text")
    check_equal(list(joined.held), [0, 1, 1] * phases, f"characters held back in each free state of {what}")
    for text, fits in (("<a1", True), ("[1", True), ("[a1", False), ("<b2;", True)):
        check_equal(walk(joined.dfa, joined.dfa.initial, text)[-1] != DEAD, fits, f"whether {text!r} can be read")


@pytest.mark.todo("join")
def test_free_text_is_any_text(lab):
    """Free text may contain any character at all. If it's in no trigger and no body, it's allowed only there."""
    dfa = joined_of(lab, {"<": ["a>"]}).dfa
    for text, fits in (("é\n\U0001f600\x00", True), ("é<a>é", True), ("<é", False), ("<a", True), ("<b", False)):
        got = walk(dfa, dfa.initial, text)[-1] != DEAD
        check_equal(got, fits, f"whether an answer may begin with {text!r}")


@pytest.mark.todo("join")
def test_a_trigger_inside_a_call_is_text(lab):
    """Inside a call, a trigger is text like any other. The call ends where its body ends."""
    joined = joined_of(lab, {"<t>": ['"<t>";', "1;"]})
    state, modes = joined.dfa.initial, ""
    for char in '<t>"<t>";<t>1;':
        state = joined.dfa.step(state, ord(char))
        modes += "free" if 0 <= state < len(joined.held) else "."
    check_equal(modes, "freefree......free" + "freefree" + "..free", "the mode after each character")


@pytest.mark.todo("join")
def test_two_hundred_tools(lab):
    """All 200 openings lead into one automaton, each to its own state, so that every name keeps its own arguments."""
    names = [f"t{number}" for number in range(200)]
    body = dfa_of_texts([f"{name};" for name in names])
    starts = {f"[{name}(": (body, walk(body, body.initial, name[:-1])[-1]) for name in names}
    joined = lab.join(starts)
    assert len(joined.dfa) < len(body) + 1_000, f"{len(joined.dfa)} states for a body of {len(body)} and 200 openings"
    for name in ("t7", "t70", "t199"):
        for end, fits in ((name[-1], True), ("x", False)):
            check_equal(accepts(joined.dfa, f"so [{name}({end}; ok"), fits, f"whether [{name}( may go on with {end};")


# merge_openings -----------------------------------------------------------------------------------

DIGITS, LETTERS = dfa_of_texts(["7;", "8;"]), dfa_of_texts(["a;", "xy"])

DIGIT, LETTER, BOTH = {"7;", "8;"}, {"a;", "xy"}, {"7;", "8;", "x=a;", "x=xy"}
MERGES = [
    ([("<", (DIGITS, 0))], {"<": DIGIT}),
    ([("<t>", (DIGITS, 0)), ("<t>x=", (LETTERS, 0))], {"<t>": BOTH}),
    ([("<t>x=", (LETTERS, 0)), ("<t>", (DIGITS, 0))], {"<t>": BOTH}),
    ([("<t>", (DIGITS, 0)), ("<t>", (LETTERS, 0))], {"<t>": DIGIT | LETTER}),
    ([("<t>", None), ("<t>x=", (LETTERS, 0))], {"<t>": BOTH - DIGIT}),
    ([("<t>", (DIGITS, 0)), ("<t>x=", None)], {"<t>": DIGIT}),
    ([("b", None), ("<t>", None), ("<t>x", None)], {"b": None, "<t>": None}),
    ([("a", (DIGITS, 0)), ("b", (LETTERS, 0)), ("aab", (LETTERS, 0))], {"a": DIGIT | {"aba;", "abxy"}, "b": LETTER}),
    ([("<t>b", None), ("<t>", (DIGITS, 0)), ("<t>a", (LETTERS, 0))], {"<t>": DIGIT | {"aa;", "axy"}}),
    ([("<", (LETTERS, 3))], {"<": {"y"}}),
    ([("<", (LETTERS, 3)), ("<z", (DIGITS, 0))], {"<": {"y", "z7;", "z8;"}}),
    ([], {}),
]


@pytest.mark.todo("merge_openings")
@pytest.mark.parametrize(("openings", "expected"), MERGES)
def test_openings_that_begin_alike(lab, openings, expected):
    """If one opening is a prefix of another, keep the shorter. After it, allow whatever either of them would allow."""
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
    """If there's nothing to merge, keep the very automaton you were given, so that ``join`` can see who shares it."""
    got = lab.merge_openings([("[a(", (LETTERS, 0)), ("[b(", (LETTERS, 1)), ("c", None)])
    check_equal({text: body and body[1] for text, body in got.items()}, {"[a(": 0, "[b(": 1, "c": None}, "the entries")
    check_equal([got[text][0] is LETTERS for text in ("[a(", "[b(")], [True, True], "whether both are the same object")


def object_of(key):
    """Return the schema of an object with one property, a string."""
    properties = {key: {"type": "string"}}
    return {"type": "object", "properties": properties, "required": [key], "additionalProperties": False}


WRITTEN = tomllib.loads(Path(__file__).with_name("given").joinpath("examples.toml").read_text(encoding="utf-8"))
"""One call in each format, as the format's own documentation writes it."""


def two_tools(lab):
    """Return the tools of the examples."""
    return [lab.Tool("get_weather", object_of("city")), lab.Tool("get_time", object_of("zone"))]


@pytest.mark.todo("merge_openings")
@pytest.mark.parametrize(
    "name", ["hermes", "llama3_json", "mistral_v13", "xlam", "kimi_k2", "glm47", "nemotron", "minicpm5"]
)
def test_names_and_arguments_agree(lab, name):
    """``get_time`` never gets the arguments of ``get_weather``. A required call comes first, and can't be left out."""
    dfa = lab.tool_automaton(lab.format_named(name), two_tools(lab), "required").dfa
    for said, expected in (
        (WRITTEN[name].strip(), True),
        (WRITTEN[name].strip() + " Done.", name not in ("llama3_json", "mistral_v13", "xlam")),  # these end the turn
        ("Hm. " + WRITTEN[name].strip(), False),
        (WRITTEN[name].strip().replace("get_weather", "get_time"), False),
        (WRITTEN[name].strip().replace("city", "zone"), False),
        ("Hm.", False),
    ):
        check_equal(accepts(dfa, said), expected, f"whether {said!r} is an answer that makes the required call")


@pytest.mark.todo("merge_openings")
@pytest.mark.parametrize(
    ("choice", "parallel", "fits"),
    [
        *[("auto", True, "text f g fg late"), ("none", True, "text"), ("required", True, "f g fg")],
        *[("auto", False, "text f g late"), ("required", False, "f g")],
        ({"type": "function", "function": {"name": "g"}}, True, "g"),
    ],
)
@pytest.mark.parametrize("name", ["llama", "llama4_pythonic"])
def test_tool_choice(lab, name, choice, parallel, fits):
    """Allow what the choice says: text, calls, or both. A required call comes first.

    The second format's trigger also occurs in plain text, and its turn ends with the calls.
    """
    row, tools = lab.format_named(name), [lab.Tool("f"), lab.Tool("g")]
    f, g = ("<function=f>{}</function>", "<function=g>{}</function>") if name == "llama" else ("[f()]", "[g()]")
    end, both = (" Hm.", f"{f} and {g}") if name == "llama" else ("", "[f(), g()]")
    dfa = lab.tool_automaton(row, tools, choice, parallel=parallel).dfa
    answers = {"text": "[1] is free", "f": f, "g": f"{g}{end}", "fg": both, "late": f"Hm. {f}"}
    got = " ".join(kind for kind, answer in answers.items() if accepts(dfa, answer))
    check_equal(got, fits, f"which answers fit {choice}, {parallel=}")


@pytest.mark.todo("merge_openings")
@pytest.mark.parametrize("name", ["llama3_json", "mistral_v13", "llama4_pythonic"])
def test_tools_with_names_that_begin_alike(lab, name):
    """``get`` and ``get_all`` keep their own arguments, and so does a tool whose name is a quote or a brace."""
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
        check_equal(accepts(joined.dfa, f"So {call}"), place == argument, f"whether {call} is a call of {names}")


# split_answer -------------------------------------------------------------------------------------


def by_hand(lab, bodies, text):
    """Return the automaton of one answer as the oracle has it: its states are the prefixes of the text."""
    reads = sorted((reading(text[:end], bodies)[0] == "call", end) for end in range(len(text) + 1))
    numbers = {end: number for number, (_, end) in enumerate(reads)}
    rows = [{text[end]: numbers[end + 1]} if end < len(text) else {} for _, end in reads]
    held = [len(reading(text[:end], bodies)[1]) for call, end in reads if not call]
    return lab.Joined(dfa_by_character(rows, range(len(reads)), numbers[0]), held)


@pytest.mark.todo("split_answer")
@pytest.mark.parametrize("cuts", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("bodies", "text"),
    [
        *(({"<a": ["1", "b1"]}, text) for text in ("x<a1x", "<a1<ab1")),
        *(({"<a": ["1"]}, text) for text in ("x<x<a1<", "<<a1", "<a1x<a1")),
        *(({"aab": ["1"]}, "aaab1"), ({"<a": ["b<a1"]}, "x<ab<a"), ({"<": ["1"]}, "x<1<1x")),
        ({"xab": ["1"], "a1": ["b"]}, "xa1bx"),
    ],
)
def test_an_answer_in_pieces(lab, bodies, text, cuts):
    """However the answer is cut up, the parts come out the same. Hold back only what isn't settled yet."""
    joined = by_hand(lab, bodies, text)
    state, held, parts = joined.dfa.initial, "", []
    for start in range(0, len(text) + cuts, cuts):  # the last piece may be empty
        what = f"split_answer of {text!r} in pieces of {cuts}, piece {text[start : start + cuts]!r}, triggers {bodies}"
        with reporting(what):
            state, held, more = lab.split_answer(joined, state, held, text[start : start + cuts])
        parts += more
        _, back, _, expected = reading(text[: start + cuts], bodies)
        check_equal(held, back, f"what is held back after {what}")
        check_equal(bracketed(parts), bracketed(expected), f"the parts, with brackets around blocks, after {what}")


def bracketed(parts):
    """Return the parts as one text, with brackets around each block."""
    return "".join(f"[{text}]" if kind == "block" else text for kind, text in parts)


def told(state, held, parts):
    """Return what split_answer gives, by name."""
    return {"state": state, "held": held, "parts": parts}


@pytest.mark.todo("split_answer")
@pytest.mark.parametrize("text", ["xx<1xx", "<1<1", "xx", "", "<"])
def test_parts_are_whole(lab, text):
    """Each run of free text in a piece is one part, not one for each character. No part is ever empty."""
    joined = by_hand(lab, {"<": ["1"]}, text)
    got = lab.split_answer(joined, joined.dfa.initial, "", text)[2]
    check_equal(got, reading(text, {"<": ["1"]})[3], f"the parts of {text!r}")


@pytest.mark.todo("split_answer")
def test_an_answer_without_masks(lab):
    """Without masks, a call may go wrong. Then the state stays dead: hold back everything from the trigger on."""
    joined = by_hand(lab, {"<a": ["1"]}, "x<a1")
    state, held, parts = lab.split_answer(joined, joined.dfa.initial, "", "x<axy")
    check_equal(told(state, held, parts), told(DEAD, "<axy", [("text", "x")]), "split_answer of 'x<axy'")
    two = lab.split_answer(joined, joined.dfa.initial, "", "x<")
    check_equal(told(*two)["held"], "<", "what's held back of another answer, 'x<', meanwhile")
    more = lab.split_answer(joined, state, held, "x<a1 ")
    check_equal(told(*more), told(DEAD, "<axyx<a1 ", []), "a dead answer, '<axy' held back, goes on with 'x<a1 '")


def ids():
    """Return a function that counts the ids it makes."""
    count = iter(range(100))
    return lambda: f"id{next(count)}"


@pytest.mark.todo("split_answer")
@pytest.mark.parametrize("name", WRITTEN)
def test_every_format(lab, name):
    """Tell text from calls in every format, however the answer is cut up, and lose nothing."""
    row, tools = lab.format_named(name), two_tools(lab)
    joined = lab.tool_automaton(row, tools)
    text = f"Let me [1] look. {WRITTEN[name]} So <b>. {WRITTEN[name]}"
    for cut in (1, len(text)):
        stream = lab.ToolCallStream(row, tools, joined, {}, ids())
        for start in range(0, len(text), cut):
            stream.feed(text[start : start + cut])
        stream.finish()
        message, reason = stream.message()
        told = [(call["id"], *call["function"].values()) for call in message["tool_calls"]]
        calls = [(call_id, name, "".join(arguments.split())) for call_id, name, arguments in told]
        what = f"of {name} in pieces of {cut}"
        check_equal(calls, [(f"id{i}", "get_weather", '{"city":"Rome"}') for i in range(2)], f"the calls {what}")
        check_equal((message["content"], reason), ("Let me [1] look.  So <b>. ", "tool_calls"), f"the rest {what}")


# mask_rows ----------------------------------------------------------------------------------------

V, EOS = 38, 30
"""So that a bitmask has two words, and bits after the last token."""

LEGAL = {0: {*range(V)} - {4, 5, 9, 31}, 1: {*range(V)} - {4, 9}, 50: {0, 1, 36}, 51: {31}}
"""The tokens that may follow in each state; those from 50 on are inside a call."""


class LegalGuide(BruteGuide):
    """A guide that looks its masks up in ``LEGAL``."""

    def __init__(self):
        super().__init__(EOS, V)

    def ids(self, state, remaining=None):
        return {EOS} if remaining == 1 else LEGAL[state]

    def plain(self, lab):
        """Return a guide of lab 09."""
        return super().made(lab, 0)

    def made(self, lab):
        """Return a tool guide; states below 50 are free."""
        return lab.ToolGuide(self.plain(lab), 50, 100)


def noise(*seed, rows=1):
    """Return logits that depend on the numbers alone."""
    return np.random.default_rng(seed).standard_normal((rows, V), dtype=np.float32)


def kept(row):
    """Return the ids whose logits are not minus infinity."""
    return set(np.flatnonzero(row != -np.inf).tolist())


@pytest.mark.todo("mask_rows")
@pytest.mark.parametrize("remaining", [None, [9, None, 1, 4, 1, 9]])
def test_a_batch_of_both_modes(lab, remaining):
    """Give each row the mask of its own state and budget, free or in a call. Leave a row without a guide alone.

    A row of a tool guide asks for its mask once at most; ``fill`` is for other guides. The caller's lists don't change.
    """
    table = LegalGuide()
    guide = table.made(lab)
    numbers = [0, 50, None, 51, 0, 1]
    states = [None if number is None else lab.StructuredOutputState(guide, number) for number in numbers]
    logits, before, budgets = noise(1, rows=6), noise(1, rows=6), remaining and [*remaining]
    with lab.in_place():
        lab.mask_rows(states, logits, budgets)
    for row, number in enumerate(numbers):
        budget = None if remaining is None else remaining[row]
        legal = {*range(V)} if number is None else table.ids(number, budget)
        what = f"the tokens kept in row {row}, of state {number}, {budget=} (EOS is {EOS})"
        check_equal(kept(logits[row]), legal, what)
        check_equal(logits[row, sorted(legal)], before[row, sorted(legal)], f"the logits kept in row {row}")
    check_equal(table.calls <= Counter(mask=5), True, f"whether only `mask` is called, once a row: {dict(table.calls)}")
    left = ([s is None for s in states], budgets)
    check_equal(
        left, ([n is None for n in numbers], remaining), "whether each state is None, and the budgets, afterwards"
    )
    asked = Counter(table.calls)
    lab.mask_rows([None, None], noise(2, rows=2))
    check_equal(table.calls, asked, "the calls after a batch without a constraint")


@pytest.mark.todo("mask_rows")
def test_other_guides_fill_once(lab):
    """Fill all rows of one of lab 09's guides in a single call of ``fill``, each with its own budget."""
    tools, plain = LegalGuide(), LegalGuide()
    other = plain.plain(lab)
    guides = [other, tools.made(lab), other, None]
    states = [guide and lab.StructuredOutputState(guide, 0) for guide in guides]
    logits = noise(5, rows=4)
    with lab.in_place():
        lab.mask_rows(states, logits, [9, 9, 1, 9])
    check_equal((plain.calls, tools.calls), (Counter(fill=1), Counter(mask=1)), "the calls of both guides")
    check_equal(plain.filled, [[0, 0]], "the states that fill is asked about")
    for row, legal in enumerate([plain.ids(0), tools.ids(0), plain.ids(0, 1), {*range(V)}]):
        check_equal(kept(logits[row]), legal, f"the tokens kept in row {row}")
    lab.mask_rows(states[:1], noise(5))
    check_equal(plain.calls, Counter(fill=2), "the calls after a batch of this guide alone")


@pytest.mark.todo("mask_rows")
@pytest.mark.parametrize("state", [0, 50])
def test_logits_keep_their_bits(lab, state):
    """Keep infinity and NaN where a token is allowed, and replace them where it isn't."""
    logits = noise(6)
    logits[0, [0, 1, 4, 9]] = [np.inf, np.nan, np.nan, np.inf]
    before, legal = logits.copy(), sorted(LEGAL[state])
    with lab.in_place():
        lab.mask_rows([lab.StructuredOutputState(LegalGuide().made(lab), state)], logits)
    check_equal(logits[0, legal], before[0, legal], f"the logits kept in state {state}")
    others = np.delete(logits[0], legal)
    check_equal(others.tolist(), [-np.inf] * len(others), f"the other logits in state {state}")
