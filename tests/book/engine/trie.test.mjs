// Lab 03's trie in the page against Python's: the oracle is in $ORACLE, and trie.py writes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lookUpsWordByWord, trieOf, trieWalk } from "../../../course/play/engine/labs/trie.js";

const cases = JSON.parse(readFileSync(`${process.env.ORACLE}/oracle.json`));

test("tries, rows and look-ups are lab 03's", () => {
  assert.ok(cases.length > 100);
  for (const { words, transitions, prefixes, states } of cases) {
    const trie = trieOf(words), step = (state, char) => transitions[state][char] ?? -1;
    assert.deepEqual(trie.map(({ prefix }) => prefix).sort(), prefixes, words.join(" "));
    states.forEach(({ row, onTrie, alone }, state) => {
      const walked = trieWalk(trie, state, step);
      assert.deepEqual([...walked.row].sort((a, b) => a[0] - b[0]), row);
      assert.equal(walked.looked.length, onTrie);
      assert.equal(lookUpsWordByWord(words, state, step), alone);
    });
  }
});

test("a look-up names its node and where it leads, and nothing below a dead node is looked at", () => {
  const trie = trieOf(["ab", "abc", "b"]), step = (state, char) => char === "b" ? state + 1 : -1;
  const { looked } = trieWalk(trie, 4, step);
  assert.deepEqual(looked.map(({ node, to }) => [trie[node].prefix, to]), [["a", -1], ["b", 5]]);
});
