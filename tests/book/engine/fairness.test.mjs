// Lab 13's masked and fair chances in the page against Python's: the oracle is in $ORACLE, and fairness.py writes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { prefixTree, textsOf, withForbidden, written } from "../../../course/play/engine/labs/fairness.js";

const cases = JSON.parse(readFileSync(`${process.env.ORACLE}/oracle.json`));
const near = (found, expected, said) => assert.ok(Math.abs(found - expected) < 1e-9, `${said}: ${found}, not ${expected}`);

function treeOf({ viable, legal }, texts) {
  const [may, is] = [new Set(viable), new Set(legal)];
  return prefixTree(texts, (text) => may.has(text), (text) => is.has(text));
}

test("weights, masked chances and fair ones are lab 13's", () => {
  assert.ok(cases.length > 80 && cases.some(({ fair }) => !fair) && cases.some(({ masked }) => Object.keys(masked).some((text) => text.endsWith(" stuck"))));
  for (const each of cases) {
    const tree = treeOf(each, each.texts.map(([tokens, weight]) => ({ tokens, weight })));
    (function visit(node) {
      near(node.weight, each.weights[node.text], `the weight of ${node.text}`);
      node.below.filter(({ viable }) => viable).forEach(visit);
    })(tree);
    for (const [expected, lean] of [[each.masked, 0], [each.fair, 1]]) {
      if (!expected) continue;
      const found = written(tree, lean).filter(({ chance }) => chance > 0);
      assert.equal(found.length, Object.keys(expected).length);
      for (const { text, chance, stuck } of found) near(chance, expected[text + (stuck ? " stuck" : "")], text);
    }
  }
});

test("a source has its texts, and what can't be read has its line", () => {
  for (const { source, texts } of cases.filter(({ source }) => source))
    assert.deepEqual(textsOf(source).map(({ tokens, weight }) => [tokens, weight]), texts);
  for (const [source, problem, line] of [
    ["1 a\nmuch b", "much is no weight", 2], ["\n\n3", "this line has a weight and no text", 3], ["-1 a", "-1 is no weight", 1],
    ["", "no text has a weight above 0", 1], ["0 a", "no text has a weight above 0", 1], ["Infinity a", "Infinity is no weight", 1],
  ]) assert.deepEqual(textsOf(source), { problem, line });
});

test("illegal texts get a share, and the legal ones keep their odds", () => {
  const texts = [{ tokens: ["a"], weight: 6 }, { tokens: ["b"], weight: 2 }, { tokens: ["c"], weight: 2 }];
  const [a, b, c] = withForbidden(texts, (text) => text !== "c", 0.6).map(({ weight }) => weight);
  near(a, 0.3, "a"), near(b, 0.1, "b"), near(c, 0.6, "c");
  assert.equal(withForbidden(texts, () => true, 0.6), texts);
});
