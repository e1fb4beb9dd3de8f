"""The engines' bench: its arithmetic, its turns, its oracle, its findings, and a small run without any extra."""

import io
import json
import os
import random
import re
from itertools import product
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest
from rich.console import Console

from course.showcase.bench import engines as engines_bench
from course.showcase.bench.engines import adapters, run_engines, timing, work
from course.showcase.bench.engines import differences as diff
from course.showcase.bench.engines.adapters import Buffer, Compilation, Walk
from course.showcase.bench.engines.differences import Difference, PatternOracle, compare, judge
from course.showcase.bench.engines.report import OF_STEPS, OF_TURNS, Timings, overall, ratios
from course.showcase.bench.engines.timing import BATCH, Lap, StepTimes, refusal, take_turns, time_steps
from course.showcase.bench.engines.work import Work, sampled_walk, walks
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide
from tests.bridges.extras import needs

# Engines made of a list of all matches ----------------------------------------------------------------

TOKENS = [b"a", b"b", b"ab", b"ba", b"aab", b"c", "é".encode(), b"\xc3", b"\xa9", b"<s>", b"</s>", b""]
VOCABULARY = Vocabulary(TOKENS, eos_id=10, special_ids=[9])
WORK = Work("a, b or é", "a[bé]{1,3}", ("abb", "aé"))
ALPHABET = "abcé"


class Listed:
    """An engine for languages of short texts: it lists them all. `spoil` changes the masks."""

    version = "1"

    def __init__(self, name="ours", spoil=lambda prefix, bits: None):
        self.name, self.spoil = name, spoil

    def compile(self, regex):
        short = ("".join(chars) for length in range(5) for chars in product(ALPHABET, repeat=length))
        return ListedLanguage(self, {text.encode() for text in short if re.fullmatch(regex, text)})


class ListedLanguage:
    def __init__(self, engine, matches):
        self.engine, self.matches = engine, matches
        self.prefixes = {match[:n] for match in matches for n in range(len(match) + 1)}

    def bits(self, prefix):
        bits = np.array([bool(token) and prefix + token in self.prefixes for token in TOKENS])
        bits[[9, 10]] = False, prefix in self.matches
        self.engine.spoil(prefix, bits)
        return bits

    def batch(self, written, buffer):
        rows = [b"".join(TOKENS[i] for i in tokens) for tokens in written]

        def fill():
            for place, row in enumerate(rows):
                buffer.words[place] = np.packbits(self.bits(row), bitorder="little").sum()

        return fill

    def start(self, buffer):
        written = [b""]

        def fill():
            octets = np.zeros(buffer.words.nbytes, np.uint8)
            packed = np.packbits(self.bits(written[-1]), bitorder="little")
            octets[: packed.size] = packed
            buffer.words[:] = octets.view("<i4")

        def advance(token_id):
            allowed = bool(self.bits(written[-1])[token_id])
            written.append(written[-1] + TOKENS[token_id])
            return allowed

        return Walk(fill, advance)


def encode(text):
    """A tokenizer for the vocabulary: the longest token that fits, from left to right."""
    longest_first = b"|".join(sorted(filter(None, TOKENS), key=len, reverse=True))
    return list(ids(*re.findall(longest_first, text.encode())))


def ids(*tokens):
    return tuple(TOKENS.index(token) for token in tokens)


def forbids_halves(prefix, bits):
    """A mistake: no token that ends within a character."""
    bits[TOKENS.index(b"\xc3")] = False


def allows_c(prefix, bits):
    """A mistake: c after a, and the special token."""
    bits[[TOKENS.index(b"c"), 9]] |= prefix == b"a"


def run(engines):
    out = io.StringIO()
    data, right = run_engines(Console(file=out, width=200), VOCABULARY, encode, [WORK], engines)
    return out.getvalue(), data, right


def test_a_run_measures_compares_and_says_why():
    engines = [Listed(), Listed("good"), Listed("shy", forbids_halves)]
    text, data, right = run(engines)
    assert right
    assert re.search(r"shy, a, b or é: forbids '\\xc3' after 'a.*', and the oracle allows it \(\d+ prefixes", text)
    for title in (*OF_TURNS.values(), *OF_STEPS.values(), "geometric mean", "where ours is worst", "shy"):
        assert title in text
    assert json.loads(json.dumps(data)) == data
    (pattern,) = data["items"]
    assert pattern["regex"] == WORK.regex and list(pattern["engines"]) == ["ours", "good", "shy"]
    assert all(engine["slowest_row"] >= engine["row"] > 0 for engine in pattern["engines"].values())
    assert all(len(engine[kind]) == 5 for engine in pattern["engines"].values() for kind in ("batch", "first_mask"))
    good, shy = (pattern["engines"][name]["masks"] for name in ("good", "shy"))
    assert good["compared"] == good["equal"] > 8 and good["unreached"] == 0
    assert shy["equal"] < shy["compared"] and shy["compared"] + shy["unreached"] == good["compared"]
    assert data["versions"] == {"ours": "1", "good": "1", "shy": "1"}
    assert data["geometric_means"]["ours"] == dict.fromkeys([*OF_TURNS, *OF_STEPS], 1)


def test_a_run_in_which_ours_is_wrong_says_so_loudly():
    text, data, right = run([Listed(spoil=forbids_halves), Listed("good")])
    assert not right and re.search(r"good, a, b or é: allows '\\xc3' after 'a.*', and OUR MASK IS WRONG \(", text)
    (finding,) = data["items"][0]["findings"]
    assert finding["ours_right"] is False and finding["extra"] is True and finding["token"] == "\\xc3"


@pytest.mark.parametrize(("missing", "absent"), [((), ""), (("torch", "llguidance"), "xgrammar, llguidance")])
def test_engines_are_named_with_those_that_are_not_installed(monkeypatch, missing, absent):
    monkeypatch.setattr(adapters, "find_spec", lambda module: None if module in missing else module)
    text = run([Listed()])[0]
    ready = [job.args[0].__name__ for job in adapters.make_ready(VOCABULARY, encode)]
    assert text.startswith("Engines: ours 1\n") and ready[0] == "ours" and len(ready) == 4 - len(missing)
    assert ("Not installed" in text) == bool(missing)
    assert (f"Not installed, so not compared: {absent}" in text and "requirements/bench.txt" in text) or not missing


# Turns ------------------------------------------------------------------------------------------------


class Clock:
    """A clock that only the engines move."""

    def __init__(self, monkeypatch):
        self.now, self.log, self.batches = 0.0, [], []
        monkeypatch.setattr(timing, "perf_counter", lambda: self.now)

    def engine(self, name, compiling, filling=0.0, advancing=100, batching=0.0, follows=True):
        """An engine that takes this long, in seconds; `filling` may be a list, one entry a call."""
        fill_times = iter(filling) if isinstance(filling, list) else None

        def take(seconds, result=True):
            self.now += seconds
            return result

        def compile_(regex):
            self.log.append(name)
            take(compiling)
            fill = lambda: take(next(fill_times) if fill_times else filling)  # noqa: E731
            walk = SimpleNamespace(fill=fill, advance=lambda token_id: take(advancing, follows))

            def batch(written, buffer):
                self.batches.append(written)
                return lambda: take(batching * len(written))

            return Compilation(lambda buffer: walk, batch)

        return adapters.MaskEngine(name, "1", compile_)


def test_a_turn_measures_each_part_by_itself(monkeypatch):
    clock = Clock(monkeypatch)
    one, two = clock.engine("one", 3, 1, advancing=2, batching=0.5), clock.engine("two", 2, 1, advancing=4)
    found = take_turns([one, two], "a", (7, 8), 32, turns=1)
    assert found["one"] == [Lap(first_mask=4, generation=10, batch=0.5 * BATCH, advance=2)]
    assert found["two"] == [Lap(first_mask=3, generation=13, batch=0, advance=4)]
    assert len(clock.batches) == 2 * timing.BATCHES and clock.batches[0][:4] == [(), (7,), (7, 8), ()], "one for each"
    refusing = take_turns([clock.engine("shy", 1, follows=False)], "a", (7, 8), 32, turns=1)
    assert refusing == {"shy": [Lap(1, None, None, None)]}, "it has a first mask alone"


def _raise(language):
    raise ValueError(f"cannot read {language}\nat all")


def _endless(language):
    while True:
        pass


def _large(language):
    return bytearray(64 << 30)


def _dies(language):
    os._exit(3)


@pytest.mark.parametrize(
    ("compile_", "why"),
    [
        *[(Listed().compile, ""), (_raise, "cannot read a"), (_endless, "more than 0.2 s"), (_large, "MemoryError")],
        (_dies, "more than 6 GiB"),
    ],
)
def test_what_an_engine_does_not_compile_in_a_trial_is_said(compile_, why, monkeypatch):
    if compile_ is _endless:
        monkeypatch.setattr(timing, "TRIAL_S", 0.2)
    found = refusal(adapters.MaskEngine("x", "1", compile_), "a")
    assert why in found and bool(why) == bool(found)


def test_how_long_an_engine_took_to_be_ready_is_said(monkeypatch):
    monkeypatch.setattr(
        engines_bench, "make_ready", lambda vocabulary, encode: [lambda: (Listed(), 1.0), lambda: (Listed("good"), 2.0)]
    )
    text, data, _ = run(None)
    assert list(data["ready"]) == ["ours", "good", "ours from disk"]
    assert "ours from disk made the vocabulary ready in" in text and "good made the vocabulary ready in" in text


def test_a_refused_item_is_named_and_the_others_go_on():
    refusing = Listed("fussy")
    refusing.compile = _raise
    text, data, right = run([Listed(), Listed("good"), refusing])
    assert right and "fussy does not take a, b or é: cannot read a[bé]{1,3}" in text and "nan" not in text
    (item,) = data["items"]
    assert item["refused"] == {"fussy": "cannot read a[bé]{1,3}"} and set(item["engines"]) == {"ours", "good"}


def test_a_schema_is_measured_and_not_compared():
    schema = Work("S: x", "", ("ab",), {"type": "string"})

    class Of(Listed):
        def compile(self, language):
            assert language == {"type": "string"}
            return super().compile("ab")

    out = io.StringIO()
    data, right = run_engines(Console(file=out, width=200), VOCABULARY, encode, [schema], [Of(), Of("x", allows_c)])
    assert right and data["items"][0]["schema"] == schema.schema and data["items"][0]["findings"] == []
    assert data["items"][0]["engines"]["x"]["masks"] is None and data["items"][0]["engines"]["x"]["steps"] == 2


def test_each_turn_begins_with_another_engine_and_a_slow_one_takes_three(monkeypatch):
    clock = Clock(monkeypatch)
    take_turns([clock.engine(name, 1) for name in "abc"], "a", (), 32, turns=4)
    assert "".join(clock.log) == "abcbcacababc"
    found = take_turns([clock.engine("slow", 4), clock.engine("quick", 1)], "a", (), 32, turns=5, limit=10)
    assert {name: len(each) for name, each in found.items()} == {"slow": 3, "quick": 5}


def test_rows_are_timed_on_the_first_visit_and_on_later_ones(monkeypatch):
    """One walk of one token, three visits: two rows each. A later visit starts with a walk that is not timed, and
    going on to the next token never is."""
    clock = Clock(monkeypatch)
    engine = clock.engine("one", 0, [9, 8, 50, 50, 2, 5, 60, 60, 4, 1])
    steps = time_steps({"one": engine.compile("a")}, [(0,)], Buffer(32), later=2)
    assert steps["one"].first == (9, 8) and steps["one"].later == (3, 3)


def result(ours, other, name="one"):
    """What was measured on a pattern; the other engine refuses a token of its walk."""
    turns = {
        "ours": [Lap(each, 1, 1, 1) for each in ours],
        "x": [Lap(each, 2, None, 1) for each in other],
    }
    steps = {"ours": StepTimes((1, 2), (1, 3)), "x": StepTimes((5, 1), (4, 12))}
    return Timings(Work(name, "a", ("a",)), turns, steps, {}, ())


def test_a_ratio_is_the_median_over_the_turns_that_both_took_and_the_mean_goes_over_items():
    assert result([2, 3, 1], [8, 3, 10]).ratio("x", "first_mask") == 4
    assert result([1, 2], [4, 6, 100]).ratio("x", "first_mask") == 3.5
    assert overall([result([1], [2]), result([1], [8], "two")], "x", "first_mask") == pytest.approx(4)
    assert overall([result([1], [100]), result([100], [1], "two")], "x", "first_mask") == pytest.approx(1)
    assert overall([result([1], [2])], "x", "batch") is None
    assert ratios([result([1], [2])], "x", "generation") == {"one": 2}
    assert ratios([result([1], [2])], "absent", "row") == ratios([result([1], [2])], "absent", "batch") == {}
    assert [result([1], [2]).ratio("x", kind) for kind in OF_STEPS] == [4, 4, 2.5]


def test_the_work_set_is_the_one_asked_for():
    found = {each.name: each for each in work.work_set()}
    asked = {"0x[0-9a-f]+", r"([0-9]+)?\.[0-9]+", "yes|no|maybe", r"\w+", ".{0,200}"}
    assert len(found) == len(work.work_set()) == 26 and asked <= {each.regex for each in found.values()}
    for each in found.values():
        assert each.texts
        if each.schema is None:
            assert all(re.fullmatch(each.regex, text) for text in each.texts)
            assert all(PatternOracle(each.regex).accepts(text.encode()) for text in each.texts)
        else:
            assert each.name.startswith("S: ")
            validator = jsonschema.Draft202012Validator(each.schema)
            assert all(validator.is_valid(json.loads(text)) for text in each.texts)
    assert len(set(work.choices(500))) == 500 and found["500 strings"].regex == "|".join(work.choices(500))


def test_the_oracle_reads_a_word_character_as_re_does():
    every = "".join(map(chr, range(0x110000)))
    assert re.findall(f"[{diff.word_class()}]", every) == re.findall(r"\w", every)


def test_walks_are_texts_and_samples_without_repeats():
    found = walks(WORK, Listed().compile(WORK.regex), VOCABULARY, encode)
    assert found[:2] == [ids(b"ab", b"b"), ids(b"a", "é".encode())] and len(set(found)) == len(found) > 2
    members = Listed().compile(WORK.regex)
    assert all(b"".join(TOKENS[i] for i in walk) in members.prefixes and 10 not in walk for walk in found)


def test_a_sampled_walk_ends_where_only_eos_may_follow_or_at_its_length():
    walk = sampled_walk(Listed().compile("ab"), VOCABULARY, random.Random(0))
    assert b"".join(TOKENS[i] for i in walk) == b"ab"
    assert len(sampled_walk(Listed().compile("[ab]{4}"), VOCABULARY, random.Random(0), length=1)) == 1


def test_an_engine_that_refuses_a_token_of_its_own_mask_is_an_error():
    language = Listed().compile("a")
    unsure = Compilation(lambda buffer: Walk(language.start(buffer).fill, lambda token_id: False), language.batch)
    with pytest.raises(ValueError, match=r"token 0 is in the mask after \[\], and refused"):
        sampled_walk(unsure, VOCABULARY, random.Random(0))


@pytest.mark.parametrize("regex", ["a[bé]{1,3}", "(ab|a)é?", "[^a]b", "a|ab|abc", "(a|é){2}b?", "a{0,2}(éa)?", ""])
def test_the_oracle_against_a_list_of_all_matches(regex):
    """No match is longer than the texts that are listed, so what is a prefix of none of them is to be forbidden."""
    oracle, language = PatternOracle(regex), Listed().compile(regex)
    for prefix, token in product(language.prefixes, [token for token in TOKENS if token]):
        assert oracle.allows(prefix, token) == (prefix + token in language.prefixes), (prefix, token)
    assert {prefix for prefix in language.prefixes if oracle.accepts(prefix)} == language.matches


# Differences, causes, judgement -----------------------------------------------------------------------


def test_a_comparison_finds_each_bit_and_what_is_not_reached():
    ours = Listed().compile(WORK.regex)
    found = compare(ours, Listed("shy", forbids_halves).compile(WORK.regex), [ids(b"a", b"\xc3", b"\xa9")], VOCABULARY)
    assert (found.masks, found.unreached) == (2, 2)
    assert found.differences == (Difference(b"a", (), ids(b"\xc3")),)
    found = compare(ours, Listed("free", allows_c).compile(WORK.regex), [ids(b"a", b"b")], VOCABULARY)
    assert found.differences == (Difference(b"a", (5, 9), ()),) and found.unreached == 0
    assert compare(ours, ours, [ids(b"ab", b"b")], VOCABULARY).differences == ()


def test_the_judge_asks_about_text_eos_and_special_tokens():
    differences = [Difference(b"a", extra=(5, 9, 10), missing=ids(b"b")), Difference(b"ab", (), (10,))]
    found = {(f.extra, f.ours_right): f for f in judge("x", WORK, differences, VOCABULARY)}
    assert set(found) == {(True, True), (False, True)}
    assert (found[True, True].tokens, found[True, True].prefixes) == (3, 1)
    assert (found[False, True].tokens, found[False, True].prefixes) == (2, 2)


def test_the_judge_takes_an_even_choice_of_many_tokens():
    many = Vocabulary([*(b"x%d" % i for i in range(1000)), b"</s>"], eos_id=1000)
    (found,) = judge("x", WORK, [Difference(b"a", tuple(range(1000)), ())], many)
    assert found.tokens == diff.MOST_TOKENS and found.ours_right


# The adapters, on test doubles of the engines ---------------------------------------------------------


TWINS = Vocabulary([b"a", b"b", b"ab", b"c", b"a", b"b", b"</s>"], eos_id=6, special_ids=[5])
EXTRAS = {"xgrammar": ("xgrammar", "torch"), "llguidance": ("llguidance",), "outlines_core": ("outlines_core",)}
INSTALLED = [pytest.param(name, marks=needs(*EXTRAS[name], extra="requirements/bench.txt")) for name in EXTRAS]


@needs(*EXTRAS["xgrammar"], extra="requirements/bench.txt")
def test_xgrammar_keeps_no_grammar(monkeypatch):
    import xgrammar

    given, make = [], xgrammar.GrammarCompiler
    monkeypatch.setattr(xgrammar, "GrammarCompiler", lambda info, **more: given.append(more) or make(info, **more))
    adapters.xgrammar(VOCABULARY, encode)
    assert given == [{"max_threads": 1, "cache_enabled": False}]


@pytest.mark.parametrize("name", INSTALLED)
def test_an_engine_masks_and_walks_through_its_adapter(name):
    """All ids of equal bytes, no special token like one of them; a token that is refused is not consumed."""
    engine, buffer = getattr(adapters, name)(TWINS, encode), Buffer(7)
    walk, found = engine.compile("(ab|a)c?").start(buffer), []
    for token_id in (0, 3, None):
        walk.fill()
        found.append({*np.flatnonzero(buffer.bits()).tolist()})
        if token_id is not None:
            assert walk.advance(5) is False and walk.advance(token_id) is True
    assert found == [{0, 2, 4}, {1, 3, 6}, {6}]
    with pytest.raises((ValueError, RuntimeError)):
        engine.compile("(")


def test_ours_is_the_courses_engine():
    """Its masks are those of all short matches, bit for bit, along every walk that the bench would take."""
    engine = adapters.ours(VOCABULARY, encode)
    compiled, listed = engine.compile(WORK.regex), Listed().compile(WORK.regex)
    found = compare(compiled, listed, walks(WORK, compiled, VOCABULARY, encode), VOCABULARY)
    assert found.masks > 10 and not found.differences and not found.unreached
    guide, many = compile_guide(VOCABULARY, regex=WORK.regex), Buffer(len(TOKENS), 3)
    compiled.batch([(), (0,), (0, 1)], many)()
    one = guide.advance(guide.initial, 0)
    states = [guide.initial, one, guide.advance(one, 1)]
    assert many.words.tolist() == [guide.mask(state).tolist() for state in states]
    assert engine.compile({"enum": [None]})
    with pytest.raises(ValueError, match="unterminated"):
        engine.compile("(")
