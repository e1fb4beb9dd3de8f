"""Guides through grammars: exact masks, depth, memory, budgets, and grammars that are refused."""

import gc
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from labkit.errors import InvalidGrammar, LimitExceeded, TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_12_pushdown import solution
from labs.lab_12_pushdown.given import gbnf, stacks
from labs.lab_12_pushdown.given import guide as pushdown
from mask_engine import compile_guide
from tests.labs.lab_12.oracle import accepts, viable
from tests.labs.lab_12.oracle import gbnf as written
from tests.walks import ids_of

TOKENS = [*b"a b c ab ba cc abc bb aab cab bcb".split(), b"", b"ccc", b"aaaa", "é".encode()]
SMALL = Vocabulary([*TOKENS, b"</s>"], eos_id=len(TOKENS))
JSON = (Path(solution.__file__).parent / "given" / "grammars" / "json.gbnf").read_text()
BRACKETS = Vocabulary([b"[", b"]", b"[[", b"]]", b"]]]", b"</s>"], eos_id=5)
NESTED = 'root ::= "[" root? "]"'


def bits(mask):
    return {*ids_of(mask)}


def productive(productions):
    """Return a grammar without the rules that have no text."""
    found = set()
    while True:
        more = {
            rule
            for rule, alternatives in productions.items()
            if any(all(part not in productions or part in found for part in each) for each in alternatives)
        }
        if more == found:
            break
        found = more
    kept = {r: [a for a in productions[r] if all(p not in productions or p in found for p in a)] for r in found}
    return kept


def random_grammar(rnd):
    """Return a grammar of one to four rules over a, b and c: ambiguous, nullable and useless rules are common."""
    names = ["root", "x", "y", "z"][: rnd.randint(1, 4)]
    symbols = [*names, *"abcabc"]
    return {
        r: [[rnd.choice(symbols) for _ in range(rnd.randint(0, 4))] for _ in range(rnd.randint(1, 3))] for r in names
    }


@pytest.mark.parametrize("seed", range(90))
def test_masks_are_exact_bit_for_bit(seed, monkeypatch):
    """Every token is judged by Earley's algorithm, along random walks; so are EOS, the bytes, and what is refused.

    With tables at once, with tables for what is met twice, and on stacks alone. Budgets: ``test_exact_budgets.py``.
    """
    monkeypatch.setattr(pushdown, "OFTEN", [0, 1, 16][seed % 3])
    rnd = random.Random(seed)
    productions = random_grammar(rnd)
    try:
        guide = compile_guide(SMALL, grammar=written(productions))
    except InvalidGrammar as error:
        assert "left recursion" in str(error) or "root" not in productive(productions)
        return
    productions = productive(productions)
    for _ in range(3):
        state, text = guide.initial, ""
        for _ in range(5):
            wanted = {i for i, token in enumerate(TOKENS) if token and viable(productions, text + token.decode())}
            found = bits(guide.mask(state))
            assert found == wanted | ({SMALL.eos_id} if accepts(productions, text) else set()), (productions, text)
            assert set(guide.next_bytes(state)) == {ord(char) for char in "abc" if viable(productions, text + char)}
            assert (guide.tokens_to_accept(state) == 0) == (SMALL.eos_id in found)
            for token_id in set(range(len(TOKENS))) - wanted:
                with pytest.raises(TokenNotAllowed):
                    guide.advance(state, token_id)
            if not wanted:
                break
            chosen = rnd.choice(sorted(wanted))
            state, text = guide.advance(state, chosen), text + TOKENS[chosen].decode()


@pytest.mark.parametrize("often", [0, 16])
@pytest.mark.parametrize("depth", [10_000])
def test_deep_stacks_are_searched_and_freed_without_recursion(depth, often, monkeypatch):
    """A mask, the cost of closing, a bracket up, a guide that forgets, and everything is freed."""
    monkeypatch.setattr(pushdown, "OFTEN", often)
    guide = compile_guide(BRACKETS, grammar=NESTED)
    before, state = len(stacks._frames), guide.initial
    for _ in range(depth):
        state = guide.after_byte(state, ord("["))
    assert bits(guide.mask(state)) == {0, 1, 2, 3, 4} and depth / 3 <= guide.tokens_to_accept(state) <= depth
    assert {1, 3, 4} <= bits(guide.mask(state, remaining=depth + 1))
    above = guide.advance(state, 1)
    guide._fsm.forget()
    assert not guide.is_accepting(above) and guide.tokens_to_accept(above) < depth
    assert (bits(guide.mask(state)), bits(guide.mask(above))) == ({0, 1, 2, 3, 4}, {1, 3, 4})
    del state, above
    guide._fsm.forget()
    gc.collect()
    assert len(stacks._frames) - before < 10


def test_tekken_tokens_one_by_one(monkeypatch):
    """Spot checks with 131,072 tokens: a sample of them is fed byte by byte; most are decided without the stack."""
    monkeypatch.setattr(pushdown, "OFTEN", 0)
    tekken = Vocabulary.tekken()
    guide = compile_guide(tekken, grammar=JSON)
    rnd = random.Random(5)
    state = guide.initial
    for byte in b'{"k": [{"a": 12, "b": "x':
        state = guide.after_byte(state, byte)
        allowed = bits(guide.mask(state))
        for token_id in rnd.sample(range(len(tekken)), 150) + rnd.sample(sorted(allowed), min(60, len(allowed))):
            token, after = tekken.token_bytes[token_id], state
            for each in token:
                after = guide.after_byte(after, each) if after is not None and each in guide.next_bytes(after) else None
            legal = after is not None and bool(token) and token_id not in tekken.special_ids
            assert (token_id in allowed) == legal, token
    fsm = guide._fsm.fsm
    shares = [table.decided(len(tekken)) for table in fsm._tables.values()]
    assert min(shares) > 0.99


# Grammars that are refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("", 1, 1, "there is no rule root"),
        ('x ::= "a"', 1, 1, "there is no rule root"),
        ("root ::= x", 1, 10, "there is no rule x"),
        ('root ::= "a"\nroot ::= "b"', 2, 1, "the rule root is there already"),
        ('root ::= "a', 1, 10, "this text is never closed"),
        ("root ::= [a", 1, 10, "this class is never closed"),
        ("root ::= []", 1, 10, "this class matches no character"),
        ("root ::= [z-a]", 1, 10, "runs backwards"),
        ('root ::= ("a"', 1, 10, "this group is never closed"),
        ('root ::= "a")', 1, 13, ") closes nothing"),
        ("root ::= *", 1, 10, "there is nothing to repeat"),
        ('root ::= "a"{3,2}', 1, 13, "a repetition from 3 to 2 times"),
        ('root ::= "a"{x}', 1, 13, "no repetition"),
        (r'root ::= "\q"', 1, 11, r"there is no escape \q"),
        (r'root ::= "\x4"', 1, 11, r"\x needs 2 hexadecimal digits"),
        (r'root ::= "\uD800"', 1, 11, "is no character"),
        ('root ::= "a" ;', 1, 14, "';' means nothing here"),
        ('"a" root ::= "a"', 1, 1, "a rule begins with its name and ::="),
        ('# so far\nroot ::= "a" |\n   (b)', 3, 5, "there is no rule b"),
    ],
)
def test_what_is_malformed_is_named_with_its_place(text, line, column, problem):
    with pytest.raises(InvalidGrammar) as caught:
        gbnf.read_gbnf(text)
    assert (caught.value.line, caught.value.column) == (line, column) and problem in caught.value.problem


@pytest.mark.parametrize(
    "text",
    [
        "root ::= " + "(" * 200 + '"a"' + ")" * 200,
        'root ::= ("a"{9999}){9999}',
        'root ::= "a"{100001}',
        'root ::= "a"' + "?" * 100_000,
        'root ::= "x" | "(" root ")"\n' + "#" * gbnf.MAX_TEXT,
        "root ::= r0\n" + "\n".join(f'r{n} ::= "a" r{n} | "b" r{n + 1}' for n in range(1100)) + '\nr1100 ::= "c"',
        "root ::= [ab]* [a] [ab]{24}",
    ],
)
def test_what_explodes_meets_a_limit(text):
    with pytest.raises(LimitExceeded):
        compile_guide(SMALL, grammar=text)


def test_a_long_chain_of_rules():
    """A thousand rules, each of which needs the next to have a text and to end: found without recursion."""
    chain = "\n".join(f'r{n} ::= "a" r{n} "b" | r{n + 1}' for n in range(1000))
    guide = compile_guide(SMALL, grammar=f'root ::= r0 "c"\n{chain}\nr1000 ::= "c"')
    assert bits(guide.mask(guide.initial)) == {0, 2, 5, 13}
    assert guide.tokens_to_accept(guide.initial) == 1  # a token is all of it
    with pytest.raises(InvalidGrammar, match="no text"):
        compile_guide(SMALL, grammar=f'root ::= r0 "c"\n{chain}\nr1000 ::= "c" r1000')


# Work, counted ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ['{"a": [1, {"b": "x', "[" * 50 + "1", '{"a": 1'])
def test_a_mask_in_a_new_state_takes_few_steps(monkeypatch, text):
    """Once the tables are made, only rests meet the stack: counted in steps of the grammar, and the masks are equal."""
    monkeypatch.setattr(pushdown, "OFTEN", 0)
    words = [
        a + b
        for a in ("", '"', "]", "}", "x", "1", " ")
        for b in (",", ":", "]", '"', '",', "]]", "}]", "xy", "12", "{", "[")
    ]
    pieces = sorted({word.encode() for word in words} | {bytes([byte]) for byte in range(32, 127)})
    vocabulary = Vocabulary([*pieces, b"</s>"], eos_id=len(pieces))
    counted = [0]
    real = solution.step

    def step(*arguments):
        counted[0] += 1
        return real(*arguments)

    monkeypatch.setattr(solution, "step", step)
    guide = compile_guide(vocabulary, grammar=JSON)
    state = guide.initial
    for byte in text.encode():
        state = guide.after_byte(state, byte)
    guide.mask(state)
    # The same tables, one level deeper: a new state whose mask is made from what is known.
    state = guide.initial
    for byte in b"[" + text.encode():
        state = guide.after_byte(state, byte)
    counted[0] = 0
    mask = guide.mask(state)
    with_tables = counted[0]
    monkeypatch.setattr(pushdown, "OFTEN", 10**9)
    guide = compile_guide(vocabulary, grammar=JSON)
    state = guide.initial
    for byte in b"[" + text.encode():
        state = guide.after_byte(state, byte)
    counted[0] = 0
    assert (mask == guide.mask(state)).all()
    assert 4 * with_tables <= counted[0] and counted[0] > 4, (with_tables, counted[0])


def test_each_step_of_a_walk_is_taken_once():
    """Hundreds of nodes need a few steps: the letters a to j are alike, and nothing happens below what's dead."""
    letters = range(ord("a"), ord("k"))
    tokens = [bytes(each) for each in product(letters, letters)]
    tokens += [bytes([a, b, *b"ab", c]) for a in letters for b in b"xy" for c in letters]
    alike = np.array([ord("j") if byte in letters else byte for byte in range(256)])
    text, over = (solution.State(stacks.items_of([(n, stacks.END)])) for n in range(2))
    moves, asked = {(text, ord("j")): text, (text, ord("x")): over, (over, ord("j")): over}, []

    def read(state, byte):
        asked.append((state, byte))
        return moves.get((state, byte))

    numbers, states = solution.walk_vocabulary(solution.build_byte_trie(tokens), alike, text, read)
    assert sorted({*numbers.tolist()}) == [0, 1, 2] and states == [None, text, over]
    steps = {(text, ord("j")), (text, ord("x")), (text, ord("y")), (over, ord("j")), (None, ord("j"))}
    assert len(asked) == len({*asked}) and {*asked} <= steps


def test_a_state_of_a_rule_gets_its_table_once_it_has_been_walked_often():
    """The first stacks are walked; from then on only rests meet the stack, and the masks are the same."""
    guide = compile_guide(BRACKETS, grammar=NESTED)
    state, tables = guide.advance(guide.initial, 0), guide._fsm.fsm._tables
    for depth in range(1, 2 * pushdown.OFTEN):
        assert bool(tables) == (depth > pushdown.OFTEN + 1), depth
        assert bits(guide.mask(state)) == {0, 1, 2} | {3, 4} & {*range(3, depth + 2)}
        state = guide.advance(state, 0)
