// What a page asks a guide beside its masks, which crosscheck.py compares with Python's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { grammarGuide, regexGuide, schemaGuide, vocabularyOf } from "../../../course/play/engine/guides/guides.js";

const encoder = new TextEncoder();
const words = ["ab", '{"', '":', "true", "é", "</s>"].map((word) => encoder.encode(word));
const tokens = [...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), ...words, encoder.encode("<tool>")];
const eosId = tokens.length - 2, vocabulary = vocabularyOf({ tokens, eosId, specialIds: [eosId, tokens.length - 1] });
const after = (guide, text) => [...encoder.encode(text)].reduce((state, byte) => guide.advance(state, byte), guide.initial);

const FOLDER = `{"type": "object", "properties": {"name": {"type": "string"},
  "folders": {"type": "array", "items": {"$ref": "#"}}}, "required": ["name"]}`;

test("the open rules of a schema are named, from the outermost on, each with its place", () => {
  const guide = schemaGuide(FOLDER, vocabulary), opened = guide.describe(after(guide, '{"name": "a", "folders": [{'));
  assert.deepEqual(opened.stack.map(({ label }) => label), ["the whole", "folders", "the whole"]);
  assert.deepEqual(opened.stack.map(({ pointer }) => pointer), ["", "/properties/folders", ""]);
  assert.equal(guide.describe(after(guide, '{"name": "a", "folders": [{"name": ""}')).stack.length, 2);
});

test("where only another rule can be read, that rule is described", () => {
  const guide = schemaGuide(FOLDER, vocabulary, "compact"), { stack, dfa, at } = guide.describe(after(guide, '{"name":"","folders":'));
  assert.deepEqual([stack.map(({ label }) => label), at], [["the whole", "folders"], 0]);
  assert.ok(dfa.bounds.some((bound, n) => bound === 0x5b && dfa.table[0][n] >= 0)); // it reads the bracket
});

test("what is drawn is the automaton of the innermost rule, with its calls", () => {
  const guide = schemaGuide(FOLDER, vocabulary, "compact"), text = '{"name":"x"', { dfa, at } = guide.describe(after(guide, text));
  const classOf = (char) => dfa.classes[dfa.bounds.findLastIndex((bound) => bound <= char.codePointAt(0))];
  const walked = [...text].reduce((state, char) => dfa.table[state][classOf(char)], 0);
  assert.equal(walked, at);
  assert.deepEqual(dfa.calls.map(({ name }) => name), ["folders"]);
  assert.equal(dfa.accepting[dfa.table[at][classOf("}")]], true);
});

test("within an escape, which the picture leaves out, the state is drawn all the same", () => {
  const guide = schemaGuide('{"type": "string"}', vocabulary), { dfa, at } = guide.describe(after(guide, '"\\u00'));
  assert.ok(at >= 0 && at < dfa.table.length && dfa.table[at].some((target) => target >= 0));
});

test("a picture leaves out new lines and escapes of JSON, and nothing of a pattern", () => {
  const sizes = (guide, text) => guide.describe(after(guide, text)).dfa.table.length;
  const flexible = schemaGuide(FOLDER, vocabulary), pattern = regexGuide("a\\n\\\\b", vocabulary);
  assert.ok(sizes(flexible, "{") < sizes(flexible, "{\n") && sizes(flexible, "{") < 40);
  assert.equal(sizes(pattern, "a"), 5);
});

test("a struck token, EOS and a special token lead nowhere", () => {
  const guide = regexGuide("(ab)*é", vocabulary), [ab, eacute] = [256, 260];
  assert.deepEqual([99, eosId, eosId + 1].map((id) => guide.advance(guide.initial, id)), [null, null, null]);
  const half = guide.advance(guide.advance(guide.initial, ab), 0xc3);
  assert.deepEqual([guide.isAccepting(half), guide.advance(half, 0xa9) === guide.advance(guide.initial, eacute)], [false, true]);
  assert.equal(guide.mask(guide.advance(half, 0xa9))[eosId], 1);
});

test("the fewest tokens to an end are counted in tokens, and a budget knows them", () => {
  const guide = schemaGuide('{"type": "object", "properties": {"ab": {"const": true}}, "required": ["ab"]}', vocabulary);
  assert.equal(guide.tokensToAccept(guide.initial), 5); // {" ab ": true }
  assert.deepEqual([5, 6].map((most) => guide.mask(guide.initial, most).some((bit) => bit)), [false, true]);
});

for (const [name, make, source, problem, place] of [
  ["a schema", schemaGuide, '{"properties": {"a/b": {"type": "x"}}}', /unknown type 'x'/, "/properties/a~1b/type"],
  ["a schema without values", schemaGuide, "false", /no value satisfies/, ""],
  ["a pattern", regexGuide, "я(a", /missing \)/, 1],
  ["a pattern that matches nothing", regexGuide, "[^\\x00-\\U0010ffff]", /no text/, null],
  ["a grammar", grammarGuide, 'root ::= "a" root', /no text/, null],
])
  test(`${name} is refused in words, with the place`, () => {
    assert.throws(() => make(source, vocabulary), (error) => problem.test(error.message) && error.place === place);
  });
