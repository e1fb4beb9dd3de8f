// Grammars in the page against lab 12's reader and stacks: the oracle is in $ORACLE, and grammar.py writes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { grammarOf } from "../../../course/play/engine/guides/grammar.js";
import { accepts, Stacks } from "../../../course/play/engine/guides/pushdown.js";
import { Refused } from "../../../course/play/engine/refusals.js";
import { RuleStates } from "../../../course/play/engine/guides/rules.js";
import { sharedBoxes, writtenOut } from "../../../course/play/engine/labs/stack_counts.js";

const { read, refused } = JSON.parse(readFileSync(`${process.env.ORACLE}/oracle.json`));
const codeOf = (char) => char.codePointAt(0);

for (const { source, names, texts } of read)
  test(`is read as lab 12 reads it: ${source.slice(0, 60)}`, () => {
    const grammar = grammarOf(source), stacks = new Stacks(new RuleStates(grammar));
    assert.deepEqual(grammar.names, names);
    for (const { text, ends, next, chars, stacks: count, boxes } of texts) {
      const kernel = [...text].reduce((before, char) => stacks.step(before, codeOf(char)), stacks.start);
      assert.equal(accepts(kernel), ends, text);
      assert.deepEqual(chars.filter((char) => stacks.step(kernel, codeOf(char)).length), next, text);
      const out = writtenOut(kernel);
      assert.deepEqual([Number(out.stacks), Number(out.boxes)], [count, boxes], text);
    }
  });

test("lab 12's picture: twenty letters make a million stacks in a few boxes", () => {
  const stacks = new Stacks(new RuleStates(grammarOf('root ::= x | y  x ::= "a" root "x" | "c"  y ::= "a" root "y" | "d"')));
  const after = (text) => [...text].reduce((kernel, char) => stacks.step(kernel, codeOf(char)), stacks.start);
  assert.deepEqual([writtenOut(after("aaac")), sharedBoxes(after("aaac"))], [{ stacks: 8n, boxes: 24n }, 6]);
  assert.deepEqual([writtenOut(after("a".repeat(20) + "c")).stacks, sharedBoxes(after("a".repeat(20) + "c"))], [2n ** 20n, 40]);
});

test("what lab 12 refuses is refused in its words, at its place", () => {
  for (const { source, problem, place } of refused)
    assert.throws(() => grammarOf(source), (error) => {
      assert.ok(error instanceof Refused);
      assert.deepEqual([error.message, error.place], [problem, place], source);
      return true;
    });
});

test("what would take too long is refused", () => {
  for (const source of ["x".repeat(20_001), `root ::= ${"(".repeat(101)}`, `root ::= "a"${"?".repeat(101)}`, 'root ::= "a"{100001}'])
    assert.throws(() => grammarOf(source), Refused);
  const comments = "# a".repeat(2000);
  assert.throws(() => grammarOf(`root ${comments}\n`), Refused, "a long comment is read once");
});
