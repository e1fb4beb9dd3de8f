// One answer of the model, token by token; it can be taken back to any step and continued with another token.
import { SIZES } from "./model.js";
import { defaultRng } from "./random.js";
import { maskedLogits, probabilitiesOf, sample } from "./sampling.js";

// The most tokens an answer may have, EOS included, as in `python3 -m course demo`.
export const MAX_TOKENS = 128;

export class Answer {
  // session: an unused session of the model. prompt: the ids that it reads first. eosId: the id that ends an answer.
  // guide: {initial, mask(state, remaining), advance(state, id)}, or null for a free answer.
  // withinBudget: whether the mask has to keep enough of maxTokens to finish; if not, the answer may be cut off.
  constructor(session, prompt, eosId, options = {}) {
    const { guide = null, seed = 0, temperature = 1, maxTokens = MAX_TOKENS, withinBudget = false } = options;
    const longest = prompt.length + maxTokens, most = SIZES.positions;
    if (longest > most) throw new RangeError(`prompt and answer together are ${longest} tokens; the context is ${most}`);
    Object.assign(this, { session, prompt, eosId, guide, temperature, maxTokens, withinBudget });
    this.rng = defaultRng(seed);
    this.numbers = [];
    this.steps = [];
  }

  // The written ids, without EOS.
  get ids() {
    return this.steps.filter((step) => !step.eos).map((step) => step.id);
  }

  // Why the answer is over: "stop" after EOS, "length" if the tokens ran out, "struck" if the mask allows no token (the
  // vocabulary may lack a byte of the pattern); null if it isn't over.
  get reason() {
    if (this.steps.at(-1)?.eos) return "stop";
    if (this.steps.length >= this.maxTokens) return "length";
    return this.ahead.allowed?.includes(1) === false ? "struck" : null;
  }

  // What is known before the next token is chosen: {logits, probabilities, allowed, before}. The probabilities are the
  // model's own, before the mask; allowed is null for a free answer; before is the guide's state.
  get ahead() {
    return (this.known ??= this.look());
  }

  look() {
    const { session, guide, steps } = this, read = [...this.prompt, ...steps.map((step) => step.id)];
    const logits = session.forward(read.slice(session.length));
    const before = steps.length ? steps.at(-1).after : (guide?.initial ?? null);
    const remaining = this.withinBudget ? this.maxTokens - steps.length : Infinity;
    const allowed = guide && guide.mask(before, remaining);
    return { logits, probabilities: probabilitiesOf(logits, this.temperature), allowed, before };
  }

  // Write the token that the model chooses, and return its step: {n, id, eos, forced, after} and all that was known
  // before it; null if the answer is over. EOS leaves the guide's state as it was.
  step() {
    if (this.reason) return null;
    const { logits, allowed } = this.ahead, number = this.numberAt(this.steps.length);
    const weighed = allowed ? maskedLogits(logits, allowed) : logits;
    return this.write(sample(weighed, this.temperature, { random: () => number }), false);
  }

  // Write this token instead of the model's choice. Only a token that the mask allows.
  force(id) {
    if (this.reason) throw new RangeError("the answer is over");
    if (this.ahead.allowed && !this.ahead.allowed[id]) throw new RangeError(`the mask strikes token ${id}`);
    return this.write(id, true);
  }

  write(id, forced) {
    const { before } = this.ahead, eos = id === this.eosId;
    const after = eos || !this.guide ? before : this.guide.advance(before, id);
    this.steps.push({ n: this.steps.length, id, eos, forced, after, ...this.ahead });
    this.known = null;
    return this.steps.at(-1);
  }

  // Forget the steps from number n on, so that the next step is number n again.
  truncate(n) {
    if (n >= this.steps.length) return;
    const { logits, probabilities, allowed, before } = this.steps[n];
    this.known = { logits, probabilities, allowed, before };
    this.steps.length = n;
    this.session.truncate(Math.min(this.session.length, this.prompt.length + n));
  }

  // The random number of step n is always the seed's n-th, whether or not earlier tokens were forced: a forced token
  // throws its number away. So taking an answer back and writing the same token again gives the same text as before,
  // and after another token the rest is drawn with the numbers that it would have been drawn with anyway.
  numberAt(n) {
    while (this.numbers.length <= n) this.numbers.push(this.rng.random());
    return this.numbers[n];
  }
}
