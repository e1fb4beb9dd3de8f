// The small model in the page against Python's: the oracle is in $ORACLE, and model.py writes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInThisContext } from "node:vm";
import { Answer } from "../../../course/play/engine/model/answers.js";
import { readWeights, SmallModel } from "../../../course/play/engine/model/model.js";
import { defaultRng } from "../../../course/play/engine/model/random.js";
import { Tokenizer } from "../../../course/play/engine/model/tokenizer.js";

const file = (name) => readFileSync(`${process.env.ORACLE}/${name}`);
const oracle = JSON.parse(file("oracle.json"));
for (const name of ["tokens", "final", "early"]) runInThisContext(file(`${name}.js`).toString());
const tokenizer = new Tokenizer(mtlTokens);
const modelOf = (name) => new SmallModel(readWeights(mtlWeights[name]));
const models = { final: modelOf("final"), early: modelOf("early") };

// A guide whose masks are known in advance, one for each step.
const given = (masks) => masks && {
  initial: 0,
  mask: (step) => Uint8Array.from({ length: 1024 }, (_, id) => +masks[step].includes(id)),
  advance: (step) => step + 1,
};
function answerTo(model, { prompt, seed, temperature, max, budget, masks }) {
  const options = { seed, temperature, maxTokens: max, withinBudget: budget, guide: given(masks) };
  return new Answer(model.session(), prompt, tokenizer.eosId, options);
}
function written(answer) {
  while (answer.step());
  return answer;
}

test("the tokenizer's ids and bytes are Python's", () => {
  assert.equal(tokenizer.eosId, oracle.eos);
  assert.deepEqual([...tokenizer.specialIds], oracle.special);
  assert.deepEqual(tokenizer.tokenBytes.map((bytes) => [...bytes]), oracle.tokens);
  for (const { text, ids, prompt } of oracle.texts) {
    assert.deepEqual(tokenizer.encode(text), ids, text);
    assert.deepEqual(tokenizer.prompt(text), prompt, text);
    assert.equal(tokenizer.decode(ids), text);
  }
});

test("what isn't UTF-8 is decoded as in Python", () => {
  for (const [ids, plain, special] of oracle.decoded) {
    assert.equal(tokenizer.decode(ids), plain);
    assert.equal(tokenizer.decode(ids, { special: true }), special);
  }
});

test("half a surrogate pair is refused, with its place", () => {
  assert.throws(() => tokenizer.encode("😀ab\ud83d"), /half a surrogate pair, U\+D83D, at position 3/);
});

test("random numbers are NumPy's, bit for bit", () => {
  for (const [seed, numbers] of oracle.random) {
    const rng = defaultRng(BigInt(seed));
    assert.deepEqual(numbers.map(() => rng.random()), numbers, seed);
  }
});

for (const [name, model] of Object.entries(models))
  test(`the answers of ${name} are Python's, and so are the logits`, () => {
    const logits = new Float32Array(new Uint8Array(file(`${name}.logits`)).buffer);
    let at = 0;
    oracle.answers[name].forEach((expected, n) => {
      const answer = written(answerTo(model, expected));
      const found = [tokenizer.decode(answer.ids, { special: true }), answer.ids, answer.reason];
      assert.deepEqual(found, [expected.text, expected.ids, expected.reason], `answer ${n}`);
      if (n >= oracle.texts.length) return; // the first answers are the greedy ones, whose logits are known
      for (const step of answer.steps) {
        const off = step.logits.reduce((most, logit) => Math.max(most, Math.abs(logit - logits[at++])), 0);
        assert.ok(off < 1e-3, `answer ${n}, step ${step.n}: off by ${off}`);
      }
    });
    assert.equal(at, logits.length);
  });

const [free, masked] = [(each) => !each.masks, (each) => each.masks && each.ids.length > 5].map((kind) =>
  oracle.answers.final.find((each) => each.temperature > 0 && kind(each)));

for (const [name, asked] of Object.entries({ free, masked }))
  test(`taken back and continued, a ${name} answer is the same again`, () => {
    const answer = written(answerTo(models.final, asked));
    answer.truncate(2);
    assert.deepEqual([answer.ids, answer.reason], [asked.ids.slice(0, 2), null]);
    assert.deepEqual([answer.force(asked.ids[2]).forced, answer.step().forced], [true, false]);
    assert.deepEqual(written(answer).ids, asked.ids);
  });

test("another token changes what the model sees, and nothing that it was", () => {
  const answer = written(answerTo(models.final, free)), other = free.ids[2] === 65 ? 66 : 65;
  answer.truncate(2);
  answer.force(other);
  assert.deepEqual(answer.ids, [...free.ids.slice(0, 2), other]);
  const fresh = models.final.session().forward([...free.prompt, ...answer.ids]);
  assert.deepEqual(answer.step().logits, fresh);
  answer.truncate(0);
  assert.deepEqual(written(answer).ids, free.ids);
});

test("a struck token can't be forced, and EOS ends an answer", () => {
  const answer = answerTo(models.final, { ...masked, masks: [[65], [66, tokenizer.eosId], []] });
  assert.throws(() => answer.force(66), /the mask strikes token 66/);
  const first = answer.step();
  assert.deepEqual([first.n, first.id, first.before, first.after, first.eos], [0, 65, 0, 1, false]);
  assert.equal(answer.force(tokenizer.eosId).eos, true);
  assert.deepEqual([answer.ids, answer.reason, answer.step()], [[65], "stop", null]);
  assert.throws(() => answer.force(66), /over/);
  answer.truncate(1);
  answer.force(66);
  assert.deepEqual([answer.reason, answer.step()], ["struck", null]);
});

test("probabilities are the model's before the mask, and add up to 1", () => {
  const { probabilities, allowed } = answerTo(models.final, masked).ahead;
  const sum = (numbers) => numbers.reduce((a, b) => a + b);
  assert.ok(Math.abs(sum(probabilities) - 1) < 1e-9);
  assert.ok(sum(probabilities.filter((_, id) => !allowed[id])) > 0);
});

test("a prompt that leaves no room for the answer is refused", () => {
  assert.throws(() => new Answer(models.final.session(), Array(1000).fill(65), tokenizer.eosId), /1128 tokens/);
});
