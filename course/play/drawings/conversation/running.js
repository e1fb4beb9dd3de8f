// A question's two answers, and what is known about each; no element of the page is touched here.
import { Answer, MAX_TOKENS } from "../../engine/model/answers.js";
import { regexGuide, schemaGuide } from "../../engine/guides/guides.js";
import { count, fail } from "../../engine/refusals.js";
import { piecesOf, textOf, tokenName } from "./pieces.js";
import { SIDES, addressOf } from "./address.js";

// Refused, too, if no answer fits into the tokens that one may have.
export function guideFor({ kind, source }, vocabulary) {
  const guide = kind === "schema" ? schemaGuide(source, vocabulary) : regexGuide(source, vocabulary);
  if (guide.tokensToAccept(guide.initial) + 1 > MAX_TOKENS) fail(`no answer fits: here one may have ${MAX_TOKENS} tokens, its end included`);
  return guide;
}

// {free, masked}: two answers with the same random numbers. Without a guide there's only the free one.
export function answersTo(asked, model, tokenizer, guide) {
  const { seed, temperature } = asked, prompt = tokenizer.prompt(asked.prompt);
  const answer = (options) => new Answer(model.session(), prompt, tokenizer.eosId, { seed, temperature, ...options });
  return { free: answer({}), masked: guide && answer({ guide, withinBudget: true }) };
}

// Write one token, the reader's own where there is one; return whether there was one to write.
export function write(answer, forced) {
  const id = forced[answer.steps.length];
  if (answer.reason) return false;
  if (id === undefined || (answer.ahead.allowed && !answer.ahead.allowed[id])) answer.step();
  else answer.force(id);
  return true;
}

// Forget the reader's tokens from a step on, and put this one there.
export function forcedFrom(forced, number, id) {
  const earlier = Object.entries(forced).filter(([step]) => Number(step) < number);
  return { ...Object.fromEntries(earlier), [number]: id };
}

// Where a free answer first leaves what was asked for: the number of its step, or -1.
export function firstBreak(answer, guide) {
  let state = guide.initial;
  for (const { n, id, eos } of answer.steps) {
    if (eos) return guide.isAccepting(state) ? -1 : n;
    state = guide.advance(state, id);
    if (state === null) return n;
  }
  return answer.reason === "length" ? answer.steps.length : -1;
}

// What the bars of a step show. Of a free answer too we say what the mask would strike, as long as it's still whole.
export function stepShown(answer, guide, number) {
  const { probabilities, allowed, id } = answer.steps[number];
  if (allowed || !guide) return { probabilities, allowed, id, before: answer.steps[number].before, would: false };
  const before = answer.steps.slice(0, number).reduce((state, { id: read }) => state && guide.advance(state, read), guide.initial);
  return { probabilities, allowed: before && guide.mask(before), id, before, would: true };
}

// The step to look at first: where the mask first struck the model's favourite; else the last.
export function firstSaved(answer) {
  const number = answer.steps.findIndex(isSaved);
  return number < 0 ? answer.steps.length - 1 : number;
}
// Of a step: whether the mask struck the model's favourite, and whether it left one token. Found out once, since each
// token is drawn with every token after it.
export const isSaved = (step) => step.saved ??= Boolean(step.allowed) && !step.allowed[favouriteOf(step)];
export const isOnly = (step) => step.only ??= Boolean(step.allowed) && step.allowed.reduce((sum, each) => sum + each, 0) === 1;
const favouriteOf = ({ probabilities }) => probabilities.indexOf(Math.max(...probabilities));

// {isGood, words}: what became of an answer. Valid ones are read once more by the browser's own JSON or RegExp.
export function verdictOn(answer, guide, asked, tokenizer) {
  if (!answer.reason || !guide) return null;
  const broke = firstBreak(answer, guide), text = textOf(answer, tokenizer);
  if (answer.reason === "struck") return { isGood: false, words: "stuck: no token may come next" };
  if (broke === answer.steps.length) return { isGood: false, words: `cut off after ${count(broke)} tokens` };
  if (broke >= 0) return { isGood: false, words: `not valid: ${brokenAt(answer, broke, tokenizer)}` };
  const { yes, other } = WORDS[asked.kind], browser = readByBrowser(asked, text);
  return { isGood: browser !== false || asked.kind === "pattern", words: browser === null ? yes : `${yes}; ${browser ? "your browser agrees" : other}` };
}
const WORDS = {
  schema: { yes: "fits the schema", other: "we say, but your browser can't read it as JSON" },
  // In Python, \d and \w are those of all scripts.
  pattern: { yes: "matches the pattern", other: "that is, as Python reads it: your browser reads it otherwise" },
};
function brokenAt(answer, broke, tokenizer) {
  const { id, eos } = answer.steps[broke], before = tokenizer.decode(answer.ids.slice(0, broke), { special: true });
  if (eos) return "it ends too early";
  const piece = JSON.stringify(piecesOf([id], tokenizer.tokenBytes)[0]);
  return before ? `${piece} can't come after ${JSON.stringify(before.slice(-12))}` : `it can't begin with ${piece}`;
}
// Null where the browser has no word in it: its patterns are other ones than ours.
function readByBrowser({ kind, source }, text) {
  try {
    if (kind === "pattern") return new RegExp(`^(?:${source})$`, "u").test(text);
  } catch { return null; }
  try { JSON.parse(text); return true; } catch { return false; }
}

// How many answers were valid; the same one counts once, and one with the reader's own tokens not at all.
export class Tally {
  constructor() {
    this.counts = Object.fromEntries(SIDES.map((side) => [side, { good: 0, all: 0 }]));
    this.seen = new Set();
  }
  add(side, asked, verdict) {
    const key = side + addressOf({ ...asked, forced: { free: {}, masked: {} }, at: null });
    if (!verdict || Object.keys(asked.forced[side]).length || this.seen.has(key)) return;
    this.seen.add(key);
    this.counts[side].all++;
    if (verdict.isGood) this.counts[side].good++;
  }
  words() {
    const { free, masked } = this.counts, of = ({ good, all }) => `${count(good)} of ${count(all)}`;
    return masked.all ? `Valid so far: ${of(free)} without the mask, ${of(masked)} with it.` : "";
  }
}

// Why the reader can't have a token under the mask: no text goes on like that, or too few tokens would be left to finish.
export function whyStruck(answer, number, id, tokenizer) {
  const { before } = answer.steps[number], name = tokenName(id, tokenizer);
  const after = number ? `After ${JSON.stringify(tokenizer.decode(answer.ids.slice(0, number), { special: true }).slice(-24))}` : "At the start";
  const why = answer.guide.mask(before)[id] ? `there'd be too few tokens left to finish after ${name}` : `${name} can't lead to what you asked for`;
  return `You can't have that one. ${after}, ${why}. That's the mask.`;
}
