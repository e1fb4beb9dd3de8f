"""What the reader types, in a browser: the page's compiler against Python's, and the page in use."""

import json
import re
from random import Random

import numpy as np
import pytest
import regex
from axe_playwright_python.sync_playwright import Axe

from course.play.typed import TYPED, typed_script
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern, token_mask
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, nfa_to_dfa, parse_regex
from labs.lab_07_bytes_and_vocabularies.solution import TokenFSM, TokenVocabularyIndex
from mask_engine import compile_guide
from tests.book.driven import settle
from tests.book.test_crosscheck import ORDINARY


def split(text):
    """The patterns of a list."""
    return re.split(r"\n| \| ", text)


MASK = """([lab, source, text]) => {
  const tokens = mtlTyped.tokens.map((each) => typeof each === "string" ? { symbols: mtlTyped.symbols(lab, each) }
    : { symbols: lab === 7 ? each : null });
  const { dfa } = mtlTyped.compiled(lab, source), path = mtlTyped.walk(dfa, mtlTyped.symbols(lab, text));
  const state = path.at(-1), { allowed } = mtlTyped.masked(dfa, state, tokens);
  return { path, states: dfa.table?.length, accepts: dfa.accepting[state], allowed };
}"""
REFUSED = """([lab, source]) => {
  try { mtlTyped.compiled(lab, source); }
  catch (error) { if (error instanceof mtlTyped.Refused) return [error.message, error.place]; throw error; }
}"""

ATOMS = ["0x[0-9a-f]+", "[A-Z]+-[0-9]+\\.", "a", "", "[a-]+x", "[--a]+", r"\n[\]\\]", "π+😀", "[д-я]+ ", r"[\t ]+[^]"]
PATTERNS = split("""([0-9]+)?\\.[0-9]+ | (a|b)*a(a|b){4} | a{2,5} | (ab|a)* | a??b | ()*x | (a*)* | (?:) |  | a|
[^a-c] | []a]+ | [a\\]-] | x{} | x{a} | x{,3} | x{,} | \\x41\\u00e9 | \\d+\\s\\w* | [\\d.-] | ^a+$ | \\Aab\\Z
. | .*b | π+ | 日本|語 | 😀{2} | [д-я]+ | a{0} | (a{0})*b | (a|)+ | ((a|b)c?)+d | { | } | ] | a-b | \\.\\*
[\\n\\t] | [^\\W\\d] | (|a)(|b) | (a?){3} | [\\b] | [^\\x00-\\U0010ffff] | a[^\\x00-\\U0010ffff]|b
yes|no|yesterday | (GET|POST) /[a-z]* | the( [a-z]+)+ | -?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?
#[0-9a-f]{6} | (in|an|the)+""")
FLAGS_AND_ANCHORS = split("""(?i)a[b-d]k | (?P<year>\\d+)y | \\07\\101[\\0x] | (?s).. | ^a$|b$ | (?x) a b # c | (?m)^a
(?i:ab)c | (?i)[^x] | (?s:.(?-s:.)) | a(?#note)b | (^a)?b | (a$)""")
BYTES = ["caf[éè]", "[д-я]+", '[^"]*', ".", "日本|語", "😀+", "[ -ÿ]*", "[^a-z]+", "é{2}x", "\\x7f[\\u0080-\\uffff]"]
WRONG = split("""a** | *a | (a | ((a | a) | [a | [ | [] | [z-a] | [\\w-z] | [a-\\d] | \\ | [\\ | a{3,2} | \\q | \\b
(?=a) | (?!a) | (?<=a) | (?<!a) | (?>a) | a*+ | a{2}{3} | a^b | a$b | \\x4 | \\u12 | [a- | (*a) | |* | ^* | a+*
a|b)c | я(я | (?s-s:.) | (a(?i)b) | 😀** | [é-a] | (?:a | ab\\B | x{2}+ | [a-\\q]""")
WRONG_ATOMS = split("""a* | b? | a{2} | (a | a) | a|b | . | ^a | a$ | + | a++ | [a | [] | [^a] | [^ | [z-a] | \\ | a\\
\\d | \\1 | [\\w] | [0-9]+[89] | a+a | я+[д-я] | 😀+😀 | x[é-a] | [a\\""")
NAME, COUNT, POINT = {"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "number"}}
SCHEMAS = [
    *({"type": kind} for kind in ("string", "integer", "number", "boolean", "null")),
    {"type": "string", "minLength": 2, "maxLength": 3},
    {"type": "string", "maxLength": 0, "title": "nothing"},
    {"enum": ["new", 'ol"d', "é\n/", "😀", 3, -1.5, True, None, ""]},
    {"enum": [1, "1", True, 2.5], "type": "integer"},
    POINT,
    *({**POINT, "minItems": low, "maxItems": high} for low, high in ((0, 0), (0, 1), (1, 1), (2, 4))),
    {"type": "object", "properties": {}},
    *(
        {"type": "object", "properties": {"a": COUNT, 'b"é': NAME, "c": {"enum": [1]}}, "required": required}
        for required in ([], ["a"], ['b"é'], ["c"], ["a", "c"], ["a", 'b"é', "c"])
    ),
    {"type": "object", "properties": {"p": {**POINT, "items": {"type": "object", "properties": {"x/~": NAME}}}}},
]


@pytest.fixture(scope="module")
def compiler(browser):
    """A page that has the script and nothing else."""
    page = browser.new_page()
    page.add_script_tag(content=typed_script())
    yield page
    page.close()


@pytest.fixture(scope="module")
def vocabulary(compiler):
    """The page's tokens, which are Tekken's."""
    whole = Vocabulary.tekken()
    tokens = [each.encode() if isinstance(each, str) else bytes(each) for each in compiler.evaluate("mtlTyped.tokens")]
    assert len(tokens) == 4096 and tokens == list(whole.token_bytes[1000 : 1000 + len(tokens)])
    return Vocabulary([*tokens, b"</s>"], eos_id=len(tokens))


def walks(pattern, rng, count=3):
    """Texts that a pattern may lead to: each grows by characters after which a match is still possible."""
    tried = sorted({*pattern, *"ab0.x é"})
    for _ in range(count):
        text = ""
        for _ in range(rng.randrange(7)):
            alive = [text + char for char in tried if regex.fullmatch(pattern, text + char, regex.ASCII, partial=True)]
            text = rng.choice(alive) if alive else text
        yield text


def random_pattern(rng, depth=3):
    kind = rng.randrange(7 if depth else 3)
    if kind < 3:
        return rng.choice(["a", "b", "[ab]", "c", "[^a]", r"\.", "é", "."])
    inner = [random_pattern(rng, depth - 1) for _ in range(rng.randrange(1, 4))]
    if kind < 5:
        return "".join(inner)
    return f"({'|'.join(inner)}){rng.choice(['', '*', '+', '?', '{2}', '{1,3}', '{2,}'])}"


@pytest.mark.parametrize("lab", [1, 3, 6])
def test_a_mask_is_what_a_partial_match_says(compiler, vocabulary, lab):
    rng = Random(lab)
    # the package loses partial matches after an empty group that may be repeated
    patterns = [each for each in PATTERNS if each not in ("(a*)*", "(|a)(|b)", "()*x", "(a|)+", "(?:)")]
    for pattern in rng.sample(patterns, 12):
        for text in walks(pattern, rng, 1):
            found = compiler.evaluate(MASK, [lab, pattern, text])
            match = regex.compile(pattern, regex.ASCII)
            expected = [
                i for i, each in enumerate(vocabulary.texts()) if each and match.fullmatch(text + each, partial=True)
            ]
            if "x00" not in pattern:  # a dead end after a character is alive for the package
                assert found["allowed"] == expected, (pattern, text)
            assert found["accepts"] == bool(re.fullmatch(pattern, text, re.ASCII)), (pattern, text)


def test_each_automaton_is_the_labs(compiler):
    rng, cases = Random(6), 0
    for pattern in [*PATTERNS, *FLAGS_AND_ANCHORS, *(random_pattern(rng) for _ in range(120))]:
        made = compiler.evaluate("(pattern) => mtlTyped.compiled(6, pattern)", pattern)
        nfa = parse_regex(pattern, ascii_only=True)
        whole = nfa_to_dfa(nfa)
        moves = [[[[*map(list, ranges)], to] for ranges, to in row] for row in nfa.moves]
        assert [made["nfa"]["moves"], made["nfa"]["epsilon"]] == [moves, nfa.epsilon], pattern
        assert len(made["whole"]["table"]) == len(whole), pattern
        smallest, dfa = minimize_dfa(whole), made["dfa"]
        assert len(dfa["table"]) == len(smallest), pattern
        alphabet = sorted({*dfa["bounds"], *map(int, smallest.bounds)} - {0x110000})

        def step(state, symbol, dfa=dfa):
            place = int(np.searchsorted(dfa["bounds"], symbol, side="right")) - 1
            each = dfa["classes"][place] if place >= 0 else -1
            return dfa["table"][state][each] if each >= 0 else -1

        pairs = {(0, smallest.initial)}
        waiting = list(pairs)
        for one, other in waiting:  # it grows meanwhile
            assert dfa["accepting"][one] == smallest.accepting[other], pattern
            for symbol in alphabet:
                after = step(one, symbol), smallest.step(other, symbol)
                assert (after[0] < 0) == (after[1] < 0), pattern
                if after[0] >= 0 and after not in pairs:
                    pairs.add(after)
                    waiting.append(after)
        assert len(pairs) == len(smallest), pattern
        cases += 1
    assert cases > 160


def test_atoms_are_lab_02s(compiler, vocabulary):
    for pattern in ATOMS[:-1]:
        fsm = compile_pattern(pattern)
        for text in ("", *walks(re.sub(r"\[--", r"[\--", pattern), Random(2), 4)):
            found = compiler.evaluate(MASK, [2, pattern, text])
            state = found["path"][-1]
            assert found["states"] == len(fsm) and found["accepts"] == (state in fsm.accepting)
            assert found["allowed"] == np.flatnonzero(token_mask(fsm, state, vocabulary.texts())).tolist()


def test_masks_over_bytes_are_lab_07s(compiler, vocabulary):
    index = TokenVocabularyIndex(vocabulary)
    for pattern in BYTES:
        fsm = TokenFSM(compile_dfa(pattern, ascii_only=True), index)
        for text in ("", *walks(pattern, Random(7), 3)):
            state = fsm.initial_state
            for byte in text.encode():
                state = fsm.next_state(state, vocabulary.token_bytes.index(bytes([byte])))
            found = compiler.evaluate(MASK, [7, pattern, text])
            assert {*found["allowed"]} == fsm.allowed_tokens(state) - {vocabulary.eos_id}, (pattern, text)
            assert found["accepts"] == fsm.is_terminal(state), (pattern, text)


@pytest.mark.parametrize("schema", [*SCHEMAS, *ORDINARY.values()], ids=json.dumps)
def test_masks_of_a_schema_are_the_engines(compiler, vocabulary, schema):
    guide, rng = compile_guide(vocabulary, json_schema=schema, whitespace="compact"), Random(8)
    state, text = guide.initial, ""
    for _ in range(6):
        packed = guide.mask(state).view(np.uint8)
        bits = np.unpackbits(packed, bitorder="little", count=len(vocabulary)).astype(bool)
        expected = [i for i in np.flatnonzero(bits[:-1]).tolist() if vocabulary.texts()[i] is not None]
        found = compiler.evaluate(MASK, [8, json.dumps(schema), text])
        assert found["allowed"] == expected and found["accepts"] == bits[-1], text
        if expected:
            chosen = rng.choice(expected)
            state, text = guide.advance(state, chosen), text + vocabulary.texts()[chosen]


@pytest.mark.parametrize(
    ("lab", "source", "compile_it"),
    [
        *((lab, pattern, lambda p: parse_regex(p, ascii_only=True)) for pattern in WRONG for lab in (1, 6)),
        *((2, pattern, compile_pattern) for pattern in WRONG_ATOMS),
    ],
)
def test_a_refusal_has_the_labs_words_and_names_the_place(compiler, lab, source, compile_it):
    with pytest.raises(ValueError) as refused:
        compile_it(source)
    problem, place = compiler.evaluate(REFUSED, [lab, source])
    theirs = refused.value.problem
    assert place == refused.value.position
    assert re.sub("[\"']|(?i:true)", "", problem) == re.sub("[\"']|(?i:true)", "", theirs.replace("\\\\", "\\"))


@pytest.mark.parametrize(
    ("lab", "source", "words"),
    [
        *[(6, "(a|b)*a(a|b){20}", "explodes: it needs more than 1,000 states"), (7, "(.{30}){30}", "explodes")],
        *[(6, "((a{1000}){1000}){1000}", "explodes: it needs more than 5,000 NFA states"), (1, "(" * 500, "too deep")],
        *[(3, "a{99999999999}", "explodes"), (2, "a" * 1001, "1,001 characters")],
        (6, "\\N{DIGIT ONE}", "not supported on this page"),
        *[(8, '{"type": ', "no JSON yet"), (8, '{"type": "string", "pattern": "a(?=b)"}', "is not supported")],
    ],
)
def test_what_the_page_leaves_out_it_refuses(compiler, lab, source, words):
    assert words in compiler.evaluate(REFUSED, [lab, source])[0]


def open_typed(visit, number, **options):
    page = visit(number, **options)
    section = page.locator("section[data-kind=typed]")
    section.scroll_into_view_if_needed()
    section.locator(".typed").first.wait_for()
    return page, section


def write(page, section, pattern, text=None):
    section.locator(".typed").nth(0).fill(pattern)
    settle(page)
    if text is not None:
        section.get_by_label("text", exact=True).fill(text)


@pytest.mark.parametrize("number", TYPED)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_example_works_on_a_phone_and_axe_finds_nothing(visit, number, scheme):
    page, section = open_typed(visit, number, width=390, color_scheme=scheme)
    for button in section.get_by_role("group", name="examples").get_by_role("button").all():
        button.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert (section.locator("svg").count() == 1) == (number > 1)
        assert section.locator("mark").count() or "of 4,096 tokens" in section.inner_text()
        found = Axe().run(page, {"include": ["section[data-kind=typed]"]}).response["violations"]
        assert not [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def test_a_tapped_token_is_written_and_its_walk_is_lit(visit):
    page, section = open_typed(visit, 3)
    write(page, section, "(ab|c)+", "c")
    section.get_by_role("button", name="'ab'", exact=True).click()
    assert section.get_by_label("text", exact=True).input_value() == "cab"
    assert section.locator("g.lit").count() == 2 and "2 --'a'--> 1 --'b'--> 2" in section.inner_text()
    section.get_by_role("button", name="'able', refused").press("Enter")
    assert page.evaluate("document.activeElement.matches('.tokens button')")
    assert section.get_by_label("text", exact=True).input_value() == "cab" and "--'l'--> dead" in section.inner_text()
    write(page, section, "(a|\\n)+", "a")
    section.get_by_role("button", name=r"'\n\n'", exact=True).click()
    assert section.get_by_label("text", exact=True).input_value() == "a\n\n", "line ends are kept"


def test_a_refusal_marks_the_place_and_the_next_pattern_heals_it(visit):
    page, section = open_typed(visit, 2)
    write(page, section, "я+[д-я]")
    assert section.locator("mark").inner_text() == "[" and "both take 'я', at position 2" in section.inner_text()
    assert section.locator(".typed").first.get_attribute("aria-invalid") == "true"
    assert not section.locator("svg").is_visible()
    write(page, section, "я+[д-ю]", "яж")
    assert section.locator(".current").get_attribute("data-state") == "2" and "EOS is allowed" in section.inner_text()


def test_a_pattern_that_explodes_says_so_and_the_page_goes_on(visit):
    page, section = open_typed(visit, 6)
    write(page, section, "(a|b)*a(a|b){20}")
    assert "explodes" in section.inner_text()
    write(page, section, "(a|b)*a(a|b){6}", "ab")
    section.get_by_label("drawn:").select_option("NFA")
    assert "states at once" in section.inner_text() and "states are drawn" in section.inner_text()
    section.get_by_label("drawn:").select_option("DFA")
    assert "In state " in section.inner_text() and section.locator("g.current").count() == 1


@pytest.mark.parametrize("number", [1, 2, 3, 6, 7])
def test_a_new_pattern_has_a_text_that_fits_and_brings_the_readers_back(visit, number):
    page, section = open_typed(visit, number)
    text = section.get_by_label("text", exact=True)
    write(page, section, "a+b", "aaa")
    for pattern, shown in (("[0-9]+x[a-z]+", "1x"), ("é\\[[д-я]+", "é["), ("aaac", "aaa"), ("b", "b")):
        write(page, section, pattern)
        assert text.input_value() == shown and "Dead" not in section.inner_text()
        assert ("Your text, 'aaa', doesn't fit" in section.inner_text()) == (pattern != "aaac")
    section.get_by_label("text", exact=True).fill("bb")
    assert "Dead at" in section.inner_text(), "what the reader types stays, dead or not"
    write(page, section, "b+")
    assert text.input_value() == "bb" and "doesn't fit" not in section.inner_text()


@pytest.mark.parametrize("pattern", [each for each in PATTERNS if each not in ("[^\\x00-\\U0010ffff]", "a|")])
def test_a_proposed_text_is_half_of_a_match(compiler, pattern):
    made = "const { shortestMatch, begunText, compiled } = mtlTyped, { dfa } = compiled(3, pattern)"
    codes, begun = compiler.evaluate(f"pattern => {{ {made}; return [shortestMatch(dfa), begunText(dfa)]; }}", pattern)
    whole = "".join(map(chr, codes))
    assert re.fullmatch(pattern, whole, re.ASCII) and whole.startswith(begun)
    assert len(begun) == min(12, -(-len(whole) // 2))
    shorter = compile_dfa(pattern, ascii_only=True)
    assert len(whole) == shortest(shorter)


def shortest(dfa):
    """How many characters the shortest match of an automaton has."""
    states, length = {int(dfa.initial)}, 0
    while not any(dfa.accepting[state] for state in states):
        states = {int(to) for state in states for to in dfa.transitions[state] if to >= 0}
        length += 1
    return length


def test_half_a_character_is_a_state(visit):
    _, section = open_typed(visit, 7)
    section.get_by_role("button", name="C3", exact=True).click()
    assert "within a character" in section.inner_text() and section.locator(".current .dashed").count()
    section.get_by_role("button", name="A9", exact=True).click()
    assert section.get_by_label("text", exact=True).input_value() == "café"
    assert "EOS is allowed" in section.inner_text()


def test_members_follow_the_text(visit):
    _, section = open_typed(visit, 8)

    def members(text):
        section.get_by_label("text", exact=True).fill(text)
        return section.locator(".member").all_inner_texts()

    assert members("{") == ["name next", "age?", "tags?"]
    assert members('{"name":"a,{\\"') == ["name now", "age?", "tags?"]
    assert members('{"name":"",') == ["name written", "age? next", "tags? next"]
    assert members('{"name":"","t') == ["name written", "age?", "tags? next"]
    assert members('{"name":"","tags":"new"}') == ["name written", "age? left out", "tags? written"]
    assert "EOS is allowed" in section.inner_text()


def test_open_rules_follow_the_text_and_a_refusal_names_the_place(visit):
    page, section = open_typed(visit, 8)
    section.get_by_role("button", name="schema 3").click()
    for text, rules in (
        ('{"name":"a","folders":[{', "the whole \u203a folders \u203a the whole"),
        ('{"name":"a"', "the whole"),
    ):
        section.get_by_label("text", exact=True).fill(text)
        assert section.locator(".stack").inner_text() == rules
    write(page, section, '{"type": "object", "properties": {"a/b": {"type": "strin"}}}')
    assert ", at /properties/a~1b/type" in section.locator(".wrong").inner_text()


@pytest.mark.parametrize("text", ["мир", "שלום", "日本語", "👩‍👩‍👧", "a\u0301", "\u202eabc", "\x00", "<b>&amp;"])
@pytest.mark.parametrize("number", TYPED)
def test_text_in_any_script(visit, number, text):
    page, section = open_typed(visit, number)
    pattern = re.escape(text) if number != 8 else json.dumps({"enum": [text]}, ensure_ascii=False)
    write(page, section, pattern, text if number != 8 else json.dumps(text, ensure_ascii=False))
    assert "EOS is allowed" in section.inner_text()
