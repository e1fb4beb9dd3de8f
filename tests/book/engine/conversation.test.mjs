// What the conversation with the small model knows: its address, its tokens as text, and which bars it shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, askedIn } from "../../../course/play/drawings/conversation/address.js";
import { barsOf, leftByMask, shownTokens } from "../../../course/play/drawings/conversation/candidates.js";
import { piecesOf } from "../../../course/play/drawings/conversation/pieces.js";
import { firstBreak, forcedFrom } from "../../../course/play/drawings/conversation/running.js";
import { folded } from "../../../course/play/drawings/conversation/saving.js";

const asked = {
  prompt: "50% & more? #1 é😀\n", kind: "pattern", source: "a=b&c#[d]+\\.", seed: 7, temperature: 0.3, checkpoint: "early",
  forced: { free: { 0: 12 }, masked: { 3: 45, 10: 6 } }, side: "free", at: 4,
};

test("an address holds all that was asked", () => {
  for (const each of [asked, { ...asked, kind: "schema", seed: 0, temperature: 1, checkpoint: "final", at: null, side: "masked" }])
    assert.deepEqual(askedIn(addressOf(each)), each);
  assert.deepEqual(askedIn(addressOf({ ...asked, prompt: "" })).prompt, "");
});

test("an address that somebody has spoilt is read as far as it goes, or not at all", () => {
  for (const hash of ["", "#", "#start-with-lab-01", "#prompt=x", "#schema={}"]) assert.equal(askedIn(hash), null);
  const read = askedIn("#prompt=x&schema={}&seed=-5&temperature=1e9&model=huge&free=zzz,1.2,9&at=north.x");
  assert.deepEqual(read, {
    prompt: "x", kind: "schema", source: "{}", seed: 0, temperature: 3, checkpoint: "final",
    forced: { free: { 1: 2 }, masked: {} }, side: "masked", at: null,
  });
});

test("a token in place of another forgets those after it", () => {
  assert.deepEqual(forcedFrom({ 1: 5, 4: 6, 9: 7 }, 4, 8), { 1: 5, 4: 8 });
});

test("a token within a character adds nothing until the character is whole", () => {
  const bytes = { 1: [0x61], 2: [0xc3], 3: [0xa9, 0x62], 4: [0xff] };
  const tokenBytes = Object.fromEntries(Object.entries(bytes).map(([id, each]) => [id, Uint8Array.from(each)]));
  assert.deepEqual(piecesOf([1, 2, 3], tokenBytes), ["a", "", "éb"]);
  assert.deepEqual(piecesOf([4, 1], tokenBytes), ["\ufffd", "a"]);
});

test("a free answer breaks at the first token that leads nowhere, or where it ends too early or not at all", () => {
  const EOS = 9, guide = { initial: 0, advance: (state, id) => id === state ? state + 1 : null, isAccepting: (state) => state === 2 };
  const answer = (ids, reason) => ({ reason, steps: ids.map((id, n) => ({ n, id, eos: id === EOS })) });
  assert.equal(firstBreak(answer([0, 1, EOS], "stop"), guide), -1);
  assert.equal(firstBreak(answer([0, 7, 1], null), guide), 1);
  assert.equal(firstBreak(answer([0, EOS], "stop"), guide), 1);
  assert.equal(firstBreak(answer([0, 1], "length"), guide), 2);
  assert.equal(firstBreak(answer([0, 1], null), guide), -1);
});

test("the bars are the favourites, what the mask left, and the token that was chosen", () => {
  const probabilities = Float64Array.from({ length: 20 }, (_, id) => 2 ** -(id + 1)), allowed = new Uint8Array(20);
  for (const id of [10, 12, 14, 16, 19]) allowed[id] = 1;
  const step = { probabilities, allowed, id: 19 };
  assert.deepEqual(shownTokens(step), [0, 1, 2, 3, 4, 5, 10, 12, 14, 19]);
  assert.equal(leftByMask(step).count, 5);
  const bars = barsOf(step, String), left = bars.filter(({ isStruck }) => !isStruck);
  assert.deepEqual(left.map(({ id }) => id), [10, 12, 14, 19]);
  assert.ok(Math.abs(left[0].left - 2 ** -11 / (2 ** -11 + 2 ** -13 + 2 ** -15 + 2 ** -17 + 2 ** -20)) < 1e-12);
  assert.deepEqual(barsOf({ ...step, allowed: null }, String).map(({ left: each }) => each), Array(7).fill(null));
});

test("a saved answer is folded, and its broken part is apart", () => {
  assert.deepEqual(folded("abcdef", 4, 3), [["abc", ""], ["d", "ef"]]);
  assert.deepEqual(folded("a\nb", -1, 9), [["a", ""], ["b", ""]]);
  assert.deepEqual(folded("ab", 0, 9), [["", "ab"]]);
});
