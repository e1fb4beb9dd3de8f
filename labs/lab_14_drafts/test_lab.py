"""Tests of lab 14. The oracles are sums over all texts, and functions that draw are run with every draw there is.

All probabilities are whole parts of a grid, so that the middles of its parts stand for all random numbers. A function
that is run once with each of them shows its exact distribution, and nothing is left to chance. Passes, masks and rows
are counted, and nothing is timed.
"""

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from labkit.checking import Recorder, check_alike, check_close, check_equal, check_type
from labkit.checking.calls import check_call, reporting
from labkit.checking.draws import Scripted, every_draw, logs
from labkit.checking.promises import check_promises
from labkit.errors import TokenNotAllowed

V, END = 4, 3
"""Tokens a, b, c, and EOS, which is written as a dot."""


def rows(*parts):
    """Return probabilities from whole parts: ``rows("2110")`` is a half, two quarters and 0."""
    found = np.array([[int(digit) for digit in row] for row in parts], float).reshape(len(parts), -1)
    return found / found.sum(axis=1, keepdims=True)


def said(*parts):
    """Return the same probabilities as the README writes them: ``said("11", "31")`` is ``1/2, 1/2 and 3/4, 1/4``."""
    fractions = ([str(Fraction(int(digit), sum(map(int, row)))) for digit in row] for row in parts)
    return " and ".join(map(", ".join, fractions))


def check_law(got, expected, what):
    """Assert that two distributions over texts are the same."""
    for text in sorted({*got, *expected}, key=lambda text: (-abs(got.get(text, 0) - expected.get(text, 0)), text)):
        one, other = got.get(text, 0.0), expected.get(text, 0.0)
        assert abs(one - other) < 1e-9, (
            f"{what}: how often the tokens {list(text)} come, over all draws\n"
            f"    expected {other:.6g}\n    yours    {one:.6g}"
        )


def continued(shares, row_after, length):
    """Return a distribution over texts, each continued by the model itself up to a length or EOS."""
    found, waiting = defaultdict(float), [*shares.items()]
    while waiting:
        text, share = waiting.pop()
        if len(text) >= length or text[-1:] == (END,):
            found[text] += share
        else:
            waiting += [((*text, t), share * p) for t, p in enumerate(row_after(text)) if p]
    return dict(found)


class ListedTexts:
    """A guide by brute force over a list of texts. Its states are texts, and it notes what it is asked.

    Args:
        texts: in letters, without EOS.
        letters: the tokens; the dot is EOS.
    """

    def __init__(self, *texts, letters="abc."):
        self.texts, self.letters = [text + "." for text in texts], letters
        self.masks, self.moves, self.eos_id = [], 0, letters.index(".")

    def row(self, state, remaining=math.inf):
        """Return the letters that may come after a text, as ``bool[V]``."""
        able = [text for text in self.texts if text.startswith(state) and len(text) - len(state) <= remaining]
        return np.array([any(text.startswith(state + letter) for text in able) for letter in self.letters])

    def mask(self, state, remaining=None):
        self.masks.append((state, remaining))
        bits = self.row(state, math.inf if remaining is None else remaining)
        packed = np.packbits(np.append(bits, [False] * (-len(bits) % 32)), bitorder="little").view("<i4")
        return packed.astype(np.int32)

    def advance(self, state, token_id):
        self.moves += 1
        assert token_id != self.eos_id, f"advance was asked for a state after EOS, after the text {state!r}"
        if not self.row(state)[token_id]:
            raise TokenNotAllowed(int(token_id), f"the text {state!r}")
        return state + self.letters[token_id]

    def made(self, lab):
        """Return it as the lab's code takes it; it is asked for masks and steps alone."""
        return lab.GuideOfFunctions("", self.mask, print, self.advance, print, print)

    def ids(self, text):
        return [self.letters.index(letter) for letter in text]

    def text(self, ids):
        return "".join(self.letters[each] for each in ids)


def cases(names, table):
    """Parametrize a test with the rows of a table, whose keys say what each is about."""
    return pytest.mark.parametrize(names, table.values(), ids=table)


def distribution(run, q_rows, what):
    """Return each outcome of ``run(draft, draw)`` with its probability, over all drafts from q and four draws each."""
    shares = defaultdict(float)
    for draft in product(range(q_rows.shape[1]), repeat=len(q_rows)):
        if drafted := math.prod(q[token] for q, token in zip(q_rows, draft, strict=True)):
            with reporting(f"{what}, the draft {list(draft)}"):
                found = every_draw(lambda draw, d=draft: run([*d], draw), 4)
            for text, share in found.items():
                shares[text] += drafted * share
    return dict(shares)


# residual -------------------------------------------------------------------------------------------------


@pytest.mark.todo("residual")
@pytest.mark.parametrize(
    ("p", "q", "expected"),
    [
        *[("431", "242", "100"), ("4310", "1124", "3200"), ("1100", "0011", "1100"), ("0220", "1000", "0220")],
        *[("1111", "1000", "0111"), ("2110", "2110", "2110")],
    ],
)
def test_what_the_kept_tokens_leave(lab, p, q, expected):
    """Return what p has and q lacks, normalised. If they're equal, nothing's left, so return a copy of p."""
    check_call(lab, "residual", (*rows(p, q),), rows(expected)[0], f"of p = {said(p)} and q = {said(q)}", 1e-12)


@pytest.mark.todo("residual")
def test_two_that_differ_by_very_little(lab):
    """p has 1e-12 more at a single token, so your residual is that token, however little there is to divide by."""
    got = lab.residual(np.array([0.5, 0.5 - 1e-12, 1e-12]), np.array([0.5, 0.5, 0.0]))
    check_close(got, [0.0, 0.0, 1.0], "residual where p has 1e-12 more at the last token", atol=1e-3)
    p, q = np.array([[0.5, 0.5 - 2**-54], [0.5, 0.5]])
    check_call(lab, "residual", (p, q), p, "where q lacks nothing, and p only has a rounding error less", 1e-12)


# verify ---------------------------------------------------------------------------------------------------


def fits(p, q, parts):
    """Return whether all that is decided by p and q is decided at whole parts."""
    missing = np.maximum(p - q, 0)
    left = missing / missing.sum() if missing.any() else p
    ratios = [min(1.0, one / other) for one, other in zip(p, q, strict=True) if other]
    cuts = np.array([*ratios, *np.cumsum(left), *np.cumsum(p), *np.cumsum(q)]) * parts
    return bool(np.allclose(cuts, cuts.round()))


QUARTERS = [rows("".join(map(str, each)))[0] for each in product(range(5), repeat=3) if sum(each) == 4]
PAIRS = [(p, q) for p, q in product(QUARTERS, repeat=2) if fits(p, q, 4)]
"""Pairs of rows over three tokens, in quarters, whose ratios and residuals are quarters too."""


@pytest.mark.todo("verify")
@pytest.mark.parametrize(("n", "m"), [(0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 2)])
def test_drafts_change_nothing(lab, n, m):
    """Whatever the drafter says, your tokens have the model's own distribution. A bad draft only costs time."""
    rng = np.random.default_rng([n, m])
    for _ in range(2):
        pairs = np.array([PAIRS[i] for i in rng.integers(len(PAIRS), size=max(n, m))])
        p_rows, q_rows = pairs[:m, 0], pairs[:n, 1]
        what = f"verify with p_rows {p_rows.tolist()} and q_rows {q_rows.tolist()}"
        shares = distribution(lambda draft, draw, p=p_rows, q=q_rows: (*lab.verify(p, q, draft, draw),), q_rows, what)
        lengths = {len(text) for text in shares}
        few = "1 token" if m == 1 else f"1 to {m} tokens"
        assert lengths <= {*range(1, m + 1)}, f"{what} must give {few}; yours gave {sorted(lengths)}"
        found, expected = (continued(each, lambda text, p=p_rows: p[len(text)], m) for each in (shares, {(): 1.0}))
        check_law(found, expected, what)


@pytest.mark.todo("verify")
@cases(
    ("p", "q", "draft", "draws", "expected"),
    {
        "kept, then one more": (["1100", "0110"], ["3100"], [0], [0.5, 0.5], [0, 2]),
        "the first is rejected": (["1100", "0110"], ["3100", "0110"], [0, 2], [0.7, 0.5], [1]),
        "p is larger": (["1100", "0110"], ["3100"], [1], [0.99, 0.25], [1, 1]),
        "no row left": (["1100"], ["3100"], [1], [0.99], [1]),
        "empty draft": (["1100"], [], [], [0.75], [1]),
        "u = 0 and p = 0": (["0110"], ["1000"], [0], [0.0, 0.75], [2]),
        "q = 0 and p = 0": (["0110"], ["1100"], [3], [0.5, 0.75], [2]),
        "q = 0 and p is larger": (["1100"], ["1000"], [1], [0.99], [1]),
        "u * q = p": (["1100"], ["1000"], [0], [0.5, 0.1], [1]),
        "p = q": (["1111", "1111"], ["1111"], [2], [0.99, 0.0], [2, 0]),
        "a draft longer than the rows": (["1100", "0011"], ["1100", "0011", "1111"], [1, 2, 0], [0.9, 0.9], [1, 2]),
        "the second is rejected": (["1100", "0011"], ["1100", "0110"], [1, 1], [0.9, 0.0, 0.75], [1, 3]),
    },
)
def test_what_each_draw_decides(lab, p, q, draft, draws, expected):
    """Draw once for each token you test, and keep it if u * q < p. Draw once more for the last token, and no more."""
    p_rows, q_rows = rows(*p), rows(*q) if q else np.zeros((0, 4))
    draw = Scripted(draws)
    about = f"of the draft {draft}, p: {said(*p)}, q: {said(*q) or 'none'}, with the draws {draws}"
    check_call(lab, "verify", (p_rows, q_rows, draft, draw), expected, about)
    check_equal(len(draws) - len(draw.left), len(draws), f"how many draws verify {about} takes")


# walk_draft -----------------------------------------------------------------------------------------------


def walked(language, state, draft, remaining):
    """Return the texts along a draft and their masks, by trying every text."""
    states, masks = [state], [language.row(state, remaining)]
    for token in draft[: remaining - 1]:
        if not masks[-1][token] or token == language.eos_id:
            break
        states.append(states[-1] + language.letters[token])
        masks.append(language.row(states[-1], remaining - len(masks)))
    return states, np.array(masks)


def check_walk(lab, language, state, draft, remaining):
    """Compare a walk with one by brute force: states, masks, and what the guide was asked."""
    states, masks = walked(language, state, draft, remaining)
    asked = [(each, remaining - place) for place, each in enumerate(states)]
    what = f"walk_draft after {state!r}, draft {draft}, {remaining} remaining, texts {language.texts}"
    args = (language.made(lab), state, draft, len(language.letters), language.eos_id, remaining)
    with reporting(what):
        got = lab.walk_draft(*args)
    check_equal(list(got[0]), states, f"the states of {what}")
    check_equal(got[1], masks, f"the masks of {what}")
    check_equal(language.masks, asked, f"the masks, with what remains, that {what} asks the guide for")
    check_equal(language.moves, len(states) - 1, f"how often {what} advances")


@pytest.mark.todo("walk_draft")
@cases(
    ("draft", "remaining"),
    {
        "an empty draft": ("", 9),
        "all legal": ("ab", 9),
        "EOS at its end": ("abc.", 9),
        "a token after EOS": ("abc.a", 9),
        "the first is illegal": ("cab", 9),
        "one in the middle is illegal": ("aac", 9),
        "EOS is illegal": (".ab", 9),
        "four remain": ("abca", 4),
        "two remain": ("abc", 2),
        "one remains": ("a", 1),
    },
)
def test_states_and_masks_along_a_draft(lab, draft, remaining):
    """Ask for one mask at each place, up to the first illegal token, to EOS, or to the end of the budget."""
    language = ListedTexts("ab", "abc", "aba", "a", "", "bca")
    check_walk(lab, language, "", language.ids(draft), remaining)


@pytest.mark.todo("walk_draft")
@pytest.mark.parametrize("seed", range(12))
def test_walks_through_other_languages(lab, seed):
    """The walk may start in any state, EOS may have any id, and the draft may be a list or a tuple."""
    rng = np.random.default_rng(seed)
    letters = [".abc", "ab.c", "abc."][seed % 3] + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" * (seed % 2)
    letter = list(letters[: len(letters)].replace(".", ""))[-3:]
    texts = {"".join(rng.choice(letter, size=int(rng.integers(1, 6)))) for _ in range(8)}
    language = ListedTexts(*texts, letters=letters)
    state = sorted(texts)[0][: seed % 2]
    draft = [*language.ids(sorted(texts)[0][len(state) :]), language.eos_id, 0][: int(rng.integers(1, 7))]
    if seed % 4 == 3:
        draft[-1] = int(rng.integers(len(letters)))
    fewest = min(len(text) - len(state) for text in language.texts if text.startswith(state))
    check_walk(lab, language, state, tuple(draft) if seed % 2 else draft, fewest + seed % 3)


# one_round ------------------------------------------------------------------------------------------------


def score_of(model):
    """Return a model's ``score``, recorded: its logits after a text and after each token of a draft."""
    return Recorder(lambda ids, draft: np.array([model([*ids, *draft[:n]]) for n in range(len(draft) + 1)]))


def masked_row(model, language, prompt, remaining):
    """Return a function from new tokens to what the masked model writes after them."""

    def row(text):
        allowed = language.row(language.text(text), remaining - len(text))
        p = np.where(allowed, np.exp(model([*prompt, *text])), 0)
        return p / p.sum()

    return row


@pytest.mark.todo("one_round")
@cases(
    ("texts", "table", "q", "remaining"),
    {
        "some illegal": (("ab", "bb", "ba"), ["1122", "1111", "1111"], ["1110", "1110"], 9),
        "EOS in the draft": (("a", "ab", "b", ""), ["2101", "1111", "1111"], ["1001", "0101"], 9),
        "all illegal": (("aa", "ab", "ba"), ["2202", "1102", "1111"], ["0020", "1100"], 9),
        "the budget ends in it": (("aaaa", "ab", "a"), ["1111", "1111", "1111"], ["1100", "0110", "1001"], 3),
        "a single token": (("ab", "ba"), ["1111", "1111"], ["1111"], 9),
    },
)
def test_an_illegal_draft_changes_nothing(lab, texts, table, q, remaining):
    """The drafter knows no grammar, but whatever it drafts, your tokens have the masked model's own distribution."""
    language, table, q_rows = ListedTexts(*texts), rows(*table), rows(*q)
    guide, names = language.made(lab), "a, b, c and EOS are 0 to 3"
    what = f"one_round, {names}, texts {language.texts}, drafted from {q_rows.tolist()}"

    def model(ids):
        return logs(table[min(len(ids), len(table) - 1)])

    score = score_of(model)

    def run(draft, draw):
        return (*lab.one_round(guide, "", draft, q_rows, score, [], END, remaining, draw)[0],)

    shares = distribution(run, q_rows, what)
    row, length = masked_row(model, language, [], remaining), min(len(q_rows) + 1, remaining)
    check_law(continued(shares, row, length), continued({(): 1.0}, row, length), what)


@pytest.mark.todo("one_round")
def test_it_is_the_masked_distribution_not_the_fair_one(lab):
    """A draft gives you what the mask gives, not what's fair: a and b come equally often, not 3 to 1."""
    guide, no_yes, q_rows = ListedTexts("a", "b").made(lab), logs(rows("1100", "0001", "0021")), rows("1110", "1001")
    score = score_of(lambda ids: no_yes[ids[-1] + 1 if ids else 0])

    def run(draft, draw):
        return (lab.one_round(guide, "", draft, q_rows, score, [], END, 9, draw)[0][0],)

    what = "the first token of one_round, where fair would be 3/4 and 1/4"
    check_law(distribution(run, q_rows, what), {(0,): 1 / 2, (1,): 1 / 2}, what)


@pytest.mark.todo("one_round")
@cases(
    ("draft", "remaining", "draws", "tokens", "state", "read"),
    {
        "all kept": ("ab", 9, [0.1, 0.1, 0.9], "abc", "abc", "ab"),
        "the second rejected": ("ab", 9, [0.1, 0.9, 0.1], "aa", "aa", "ab"),
        "the first rejected": ("ab", 9, [0.9, 0.9], "b", "b", "ab"),
        "EOS kept": ("abc.", 9, [0.1] * 4, "abc.", "abc", "abc"),
        "the second illegal": ("ac", 9, [0.1, 0.0, 0.1], "aa", "aa", "a"),
        "the first illegal": ("c", 9, [0.0, 0.1], "a", "a", ""),
        "EOS illegal": (".", 9, [0.0, 0.1], "a", "a", ""),
        "an empty draft": ("", 9, [0.1], "a", "a", ""),
        "four remain": ("abcab", 4, [0.1] * 5, "abc.", "abc", "abc"),
        "two remain": ("ab", 2, [0.1, 0.1, 0.1], "a.", "a", "a"),
    },
)
def test_one_pass_and_the_state_after_it(lab, draft, remaining, draws, tokens, state, read):
    """The model reads the draft in one pass, as far as there are masks. Return the state after the last new token."""
    language = ListedTexts("a", "aa", "abc", "aba", "b", "bb")
    drafted, prompt = language.ids(draft), [2, END]
    q_rows, score, draw = np.eye(V)[drafted].reshape(-1, V), score_of(lambda ids: np.zeros(V)), Scripted(draws)
    what = f"one_round of the draft {draft!r}, {remaining} remaining, draws {draws}, texts {language.texts}"
    with lab.in_place(), reporting(what):
        got = lab.one_round(language.made(lab), "", drafted, q_rows, score, prompt, END, remaining, draw)
    check_equal(language.text(got[0]), tokens, f"the tokens of {what}")
    check_equal(got[1], state, f"the state after {what}")
    check_equal(score.calls, [[[2, END], language.ids(read)]], f"what the model reads, after the prompt, in {what}")
    check_equal(prompt, [2, END], f"the prompt after {what}")
    walk, _ = walked(language, "", drafted, remaining)
    check_equal([each for each, _ in language.masks], walk, f"the masks that {what} asks for, each once")


# draft_legally --------------------------------------------------------------------------------------------


@pytest.mark.todo("draft_legally")
@pytest.mark.parametrize(("length", "remaining"), [(1, 9), (2, 9), (3, 9), (5, 9), (4, 2), (2, 2)])
def test_drafts_under_the_masks(lab, length, remaining):
    """Draft from the drafter's masked distribution, and return the rows that you drew from."""
    language, prompt = ListedTexts("ab", "abc", "ba", "bb", "a"), [END]
    asked = Recorder(lambda ids: logs(rows("3113")[0]))
    row = masked_row(lambda ids: logs(rows("3113")[0]), language, prompt, remaining)
    what = f"draft_legally, length {length}, {remaining} remaining, texts {language.texts}"

    def run(draw):
        asked.calls.clear()
        language.masks.clear()
        with lab.in_place(), reporting(what):
            draft, q_rows = lab.draft_legally(language.made(lab), "", asked, prompt, length, END, remaining, draw)
        check_type(draft, list, what)
        expected = np.array([row(tuple(draft[:n])) for n in range(len(draft))])
        check_alike(q_rows, expected, f"the rows of {what}, draft {language.text(draft)!r}", 1e-12)
        before = [language.text(draft[:n]) for n in range(len(draft))]
        check_equal([language.text(ids[1:]) for ids in asked.calls], before, f"what the drafter reads in {what}")
        masks = [(text, remaining - n) for n, text in enumerate(before)]
        check_equal(language.masks, masks, f"the masks, with what remains, that {what} asks for")
        return (*draft,)

    found = every_draw(run, 4)
    expected = continued({(): 1.0}, row, min(length, remaining))
    check_law(found, expected, what)
    check_equal(prompt, [END], f"the prompt after {what}")


def greedy(model, language, prompt, budget):
    """Return what the masked model writes if it always takes the best token."""
    text = []
    while len(text) < budget and text[-1:] != [END]:
        allowed = language.row(language.text(text), budget - len(text))
        text.append(int(np.argmax(np.where(allowed, model([*prompt, *text]), -np.inf))))
    return text


@pytest.mark.todo("draft_legally")
@pytest.mark.parametrize("seed", range(6))
def test_a_greedy_answer_stays_the_same_token_for_token(lab, seed):
    """This model always takes its best token. With your drafts, it writes the same answer in fewer passes."""
    rng = np.random.default_rng(seed)
    texts = {"".join(rng.choice(list("abc"), size=int(rng.integers(3, 9)))) for _ in range(30)}
    language, table = ListedTexts(*texts), rng.standard_normal((5, V)) * 1e6
    prompt, budget = [0, 1], int(rng.integers(min(map(len, texts)), 9)) + 1

    def model(ids):
        return table[(3 * len(ids) + ids[-1]) % 5]

    score, guide, wrong = score_of(model), language.made(lab), seed % 2

    def drafter(ids):
        return np.roll(model(ids), wrong * (len(ids) % 3 == 0))

    ids, state, rounds = [*prompt], "", 0
    while len(ids) < len(prompt) + budget and ids[len(prompt) :][-1:] != [END]:
        left = budget - len(ids) + len(prompt)
        with reporting(f"a round after {language.text(ids[2:])!r}, {left} remaining"):
            draft, q_rows = lab.draft_legally(guide, state, drafter, ids, 3, END, left, lambda: 0.5)
            tokens, state = lab.one_round(guide, state, draft, q_rows, score, ids, END, left, lambda: 0.5)
        ids += tokens
        rounds += 1
    expected = greedy(model, language, prompt, budget)
    what = f"the greedy answer in rounds, at most {budget} tokens of {sorted(language.texts)}"
    check_equal(language.text(ids[2:]), language.text(expected), what)
    check_equal(len(score.calls), rounds, f"how often the model is asked for {what}")
    if not wrong:
        check_equal(rounds, -(-len(expected) // 4), f"how many rounds of 3 drafted tokens it takes for {what}")


# masks_by_matcher -----------------------------------------------------------------------------------------


class Moving:
    """A matcher over a language that moves. It refuses what engines' matchers refuse, and counts."""

    def __init__(self, language, before=""):
        self.language, self.text, self.rolled, self.asked = language, before, 0, []

    def mask(self):
        assert not self.is_finished(), "the matcher was asked for a mask after EOS"
        self.asked.append(self.text)
        return self.language.row(self.text)

    def accept(self, token_id):
        assert not self.is_finished(), "the matcher was given a token after EOS"
        legal = bool(self.language.row(self.text)[token_id])
        self.text += self.language.letters[token_id] * legal
        return legal

    def rollback(self, count):
        assert 0 <= count <= len(self.text), f"{count} tokens taken back, of {len(self.text)} that were accepted"
        self.text = self.text[: len(self.text) - count]
        self.rolled += count

    def is_finished(self):
        return self.text.endswith(".")

    def made(self, lab):
        return lab.MatcherOfFunctions(self.mask, self.accept, self.rollback, self.is_finished)


@pytest.mark.todo("masks_by_matcher")
@pytest.mark.parametrize("before", ["", "a"])
@pytest.mark.parametrize("draft", ["", "ab", "abc", "bc.", "bc.a", "cab", "acb", ".", "b", "c.", "b.bc"])
def test_a_matcher_goes_there_and_back(lab, draft, before):
    """Collect the masks along the draft, and leave the matcher where it was, with all it had accepted before."""
    language = ListedTexts("ab", "abc", "aba", "a", "bca", "abca")
    matcher, ids = Moving(language, before), language.ids(draft)
    states, masks = walked(language, before, ids, remaining=99)
    about = f"of the draft {draft!r} after {before!r}, texts {language.texts}"
    check_call(lab, "masks_by_matcher", (matcher.made(lab), ids), masks, about)
    check_equal(matcher.text, before, f"where the matcher is after masks_by_matcher {about}")
    check_equal(matcher.asked, states, f"the masks asked in masks_by_matcher {about}")


# tree_masks -----------------------------------------------------------------------------------------------


def tree_by_paths(language, state, parents, tokens):
    """Return the mask of each node by following its path from the root, and the texts that were asked for."""
    found, asked = [language.row(state)], [state]
    for node in range(len(tokens)):
        path = [node]
        while parents[path[0]] >= 0:
            path.insert(0, parents[path[0]])
        text, alive = state, True
        for each in path:
            alive = alive and bool(language.row(text)[tokens[each]]) and tokens[each] != language.eos_id
            text += language.letters[tokens[each]]
        found.append(language.row(text) if alive else np.zeros(len(language.letters), bool))
        asked += [text] * alive
    return np.array(found), asked


def check_tree(lab, language, state, parents, tokens):
    """Compare the masks of a tree with those of its paths, and count what the guide was asked."""
    expected, asked = tree_by_paths(language, state, parents, tokens)
    about = f"after {state!r}, parents {parents}, tokens {language.text(tokens)!r}, texts {language.texts}"
    args = (language.made(lab), state, parents, tokens, len(language.letters), language.eos_id)
    check_call(lab, "tree_masks", args, expected, about)
    again = Counter(text for text, _ in language.masks) - Counter(asked)
    check_equal([*again], [], f"the masks that tree_masks {about} asks the guide for without need")
    assert language.moves < len(asked), f"tree_masks {about} advances {language.moves} times, of {len(asked)} masks"


@pytest.mark.todo("tree_masks")
@cases(
    ("parents", "tokens"),
    {
        "no node": ([], ""),
        "a path": ([-1, 0, 1, 2], "abc."),
        "two paths": ([-1, -1, 0, 1], "abba"),
        "siblings": ([-1, 0, 0, 0], "abca"),
        "below a dead one": ([-1, 0, 1], "cab"),
        "below EOS": ([-1, 0, 1, -1], "a.ba"),
        "dead twice": ([-1, 0, 1, 1, 0], "acabb"),
        "twins": ([-1, -1], "aa"),
        "after a dead one": ([-1, -1, -1, 1], "cabb"),
    },
)
def test_a_mask_for_each_node(lab, parents, tokens):
    """Each node gets the mask of its own path, whatever its neighbours are. Don't ask for a dead node's: it's empty."""
    language = ListedTexts("ab", "abc", "aba", "a", "bca", "ba", "bb")
    check_tree(lab, language, "", parents, language.ids(tokens))


@pytest.mark.todo("tree_masks")
@pytest.mark.parametrize("seed", range(8))
def test_masks_of_random_trees(lab, seed):
    """Parents come before their children, and that's the only order you can rely on."""
    rng = np.random.default_rng(seed)
    letters = ["abc.", ".abc"][seed % 2]
    texts = {"".join(rng.choice(list("abc"), size=int(rng.integers(1, 5)))) for _ in range(12)}
    language = ListedTexts(*texts, letters=letters)
    n = int(rng.integers(3, 11))
    parents = [int(rng.integers(-1, node)) if node else -1 for node in range(n)]
    check_tree(lab, language, sorted(texts)[0][: seed % 3], parents, rng.integers(0, V, n).tolist())


# Promises -------------------------------------------------------------------------------------------------


def promises(lab):
    """Return calls of functions with different answers; a draft, or a text, may be a tuple."""
    (p, q), p_rows, q_rows = rows("4310", "1124"), rows("1100", "0110", "0011"), rows("3100", "0110")
    guide, half, certain = ListedTexts("abc", "b").made(lab), [0.5, 0.5, 0, 0], np.eye(V)
    line = np.array([0, 0, END, V])[:, None] == np.arange(V)

    def countdown(n, remaining=None):
        return np.array([1 if n >= 0 else 1 << END])

    def flat(ids):
        return np.zeros(V)

    down = lab.GuideOfFunctions(1, countdown, print, lambda n, token: n - 1, print, print)
    return {
        "residual": {"of two": ((p, q), rows("3200")[0]), "of equal ones": ((p, p.copy()), p.copy())},
        "verify": {
            "that keeps all": ((p_rows[:2], q_rows, [1, 2], lambda: 0.25), [1, 2]),
            "that adds one": ((p_rows, q_rows, (1, 2), lambda: 0.25), [1, 2, 2]),
            "that keeps none": ((p_rows, q_rows, [0, 2], lambda: 0.75), [1]),
        },
        "walk_draft": {
            "through state 0": ((down, 1, [0, 0, END], V, END, 9), ([1, 0, -1], line[:3])),
            "from state 0": ((down, 0, (), V, END, 9), ([0], line[:1])),
        },
        "tree_masks": {
            "through state 0": ((down, 1, [-1, 0, 1], [0, 0, 0], V, END), line),
            "from state 0": ((down, 0, (-1,), (0,), V, END), line[1:3]),
        },
        "draft_legally": {
            "of abc": ((guide, "", flat, [], 3, END, 9, lambda: 0.0), ([0, 1, 2], np.array([half, *certain[[1, 2]]]))),
            "of b": ((guide, "", flat, (1,), 2, END, 9, lambda: 0.9), ([1, 3], np.array([half, certain[3]]))),
        },
    }


PROMISED = ("residual", "verify", "walk_draft", "draft_legally", "tree_masks")


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name)) for name in PROMISED])
def test_calls_leave_everything_else_alone(lab, name):
    """Each call gives the right answer in a new object, leaves its arguments alone, and remembers no other call."""
    check_promises(lab, name, promises(lab)[name])
