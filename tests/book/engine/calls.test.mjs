// Lab 11's answers in the page against Python's: the oracle is in $ORACLE, and calls.py writes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { answerRead, joinedAutomaton, unpacked } from "../../../course/play/engine/labs/calls.js";

const { formats, cases, packed } = JSON.parse(readFileSync(`${process.env.ORACLE}/oracle.json`));

test("in every format an answer is split as lab 11 splits it", () => {
  assert.ok(cases.length > 500 && new Set(cases.map(({ format }) => format)).size === formats.length);
  for (const { format, text, sent, calls, waiting, state, accepts } of cases) {
    const joined = joinedAutomaton(formats[format]), read = answerRead(joined, text);
    const found = { sent: read.sent, calls: read.calls, waiting: read.waiting, state: read.state };
    assert.deepEqual(found, { sent, calls, waiting, state }, text);
    assert.equal(joined.accepting.has(read.state), accepts, text);
  }
});

test("each character has its mark", () => {
  const marks = (text) => answerRead(joinedAutomaton(formats[0]), text).marks.map((mark) => mark[0]).join("");
  for (const [text, expected] of [
    ["so <a", "fffhh"], ["<a>7;<<", "cccccfh"], ["<b<a>1", "ffcccc"], ["a<a>b7", "fcccdd"], ["<a>7;x", "cccccf"], ["", ""],
  ]) assert.equal(marks(text), expected, text);
});

test("what is packed is unpacked", async () => {
  const tables = await unpacked(packed);
  assert.equal(Object.keys(tables).length, formats.length - 1);
  for (const { name, rows } of formats.slice(1)) assert.equal(tables[name].rows, rows);
});
