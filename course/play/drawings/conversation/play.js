// The small model in the page: the reader's prompt, answered freely and under the reader's own mask.
import { count, refusal } from "../../engine/refusals.js";
import { SmallModel, readWeights } from "../../engine/model/model.js";
import { Tokenizer } from "../../engine/model/tokenizer.js";
import { vocabularyOf } from "../../engine/guides/guides.js";
import { SIDES, addressOf, askedIn } from "./address.js";
import { automatonView } from "./moving.js";
import { barsOf, candidates, leftByMask, shareOf } from "./candidates.js";
import { column } from "./columns.js";
import { questions } from "./form.js";
import { tokenName, textOf } from "./pieces.js";
import { pictureOf, savePng, saveSvg } from "./saving.js";
import { answersTo, counted, firstBreak, firstSaved, forcedFrom, guideFor, stepShown, verdictOn, write } from "./running.js";

const TITLES = { free: "without a mask", masked: "with the mask" }, PACE = 35;
const models = {};

async function modelOf(checkpoint) {
  if (!globalThis.mtlWeights?.[checkpoint]) await loaded(`weights_${checkpoint}.js`);
  return models[checkpoint] ??= new SmallModel(readWeights(mtlWeights[checkpoint]));
}
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

class Conversation {
  // section: an empty element. examples: [{name, asked}]; the first one is asked at once.
  constructor(section, { intro, examples }) {
    this.tokenizer = new Tokenizer(mtlTokens);
    this.vocabulary = vocabularyOf({ tokens: this.tokenizer.tokenBytes, eosId: this.tokenizer.eosId, specialIds: this.tokenizer.specialIds });
    this.tally = { free: { good: 0, all: 0 }, masked: { good: 0, all: 0 } };
    this.run = 0;
    this.form = questions(examples, () => this.ask(this.form.read()));
    this.said = make("p.muted", { role: "status" });
    this.columns = make("div.columns");
    this.step = make("div.step");
    this.moving = automatonView();
    this.range = make("input", { type: "range", min: 0, "aria-label": "token", oninput: () => this.look(this.asked.side, Number(this.range.value)) });
    section.append(make("p", {}, intro), this.form.element, this.columns, make("div.bar.scrub", {}, this.range, this.said), this.step, this.moving.element, this.sharing());
    addEventListener("hashchange", () => this.follow());
    if (!this.follow()) { this.form.write({ ...this.form.read(), ...examples[0].asked }); this.ask(this.form.read(), false); }
  }

  // Ask what the address asks; return whether it asks anything.
  follow() {
    const asked = askedIn(location.hash);
    if (!asked || location.hash === this.address) return Boolean(asked);
    this.form.write(asked);
    this.ask(asked);
    return true;
  }

  sharing() {
    const done = make("output.short", {});
    const copy = async () => {
      try { await navigator.clipboard.writeText(location.href); done.textContent = "copied"; }
      catch { done.textContent = "the address above is the link"; }
    };
    const button = (words, act) => make("button", { type: "button", onclick: act }, words);
    return make("div.bar.sharing", {}, button("copy a link to this", copy), button("save as SVG", () => saveSvg(this.picture())),
      button("save as PNG", () => savePng(this.picture())), done);
  }

  // Answer a question from the start. The first one of a page leaves its address alone.
  async ask(asked, remember = true) {
    const run = ++this.run;
    this.asked = asked;
    this.form.write(asked);
    this.form.refuse([]);
    this.guide = this.answers = null;
    this.guarded(() => { this.guide = guideFor(asked, this.vocabulary); });
    this.said.textContent = "reading the model's weights\u2026";
    let model;
    try { model = await modelOf(asked.checkpoint); }
    catch (name) { this.said.textContent = `The file ${name} isn't there, so there's no model to ask.`; return; }
    if (run !== this.run) return;
    try { this.answers = answersTo(asked, model, this.tokenizer, this.guide); }
    catch (error) { this.said.textContent = `The prompt can't be read: ${error.message}.`; return; }
    if (remember) this.remember();
    await this.stream(SIDES, run);
  }

  // Write both answers, a token each in turn, until both are over or another question is asked.
  async stream(sides, run) {
    const isQuick = matchMedia("(prefers-reduced-motion: reduce)").matches, going = sides.filter((side) => this.answers[side]);
    this.verdicts = {};
    this.isWriting = true;
    for (let round = 0, wrote = true; wrote; round++) {
      wrote = false;
      this.guarded(() => {
        for (const side of going) if (this.answers[side] && write(this.answers[side], this.asked.forced[side])) wrote = true;
      });
      const side = this.answers.masked ? "masked" : "free", last = this.answers[side].steps.length - 1;
      if (!isQuick || round % 16 === 0) { this.draw(side, last); await wait(isQuick ? 0 : PACE); }
      if (run !== this.run) return;
    }
    this.guarded(() => this.judge());
    counted(this.tally, this.verdicts);
    this.settle();
  }

  judge() {
    for (const side of SIDES) if (this.answers[side]) this.verdicts[side] = verdictOn(side, this.answers[side], this.guide, this.asked, this.tokenizer);
  }

  // Some patterns explode only when a text gets there. Then there's no mask, and the free answer stays.
  guarded(act) {
    try { act(); }
    catch (error) {
      this.form.refuse(refusal(error, this.asked.source, make));
      this.guide = null;
      if (this.answers) this.answers.masked = null;
    }
  }

  // After the last token: say how it went, and look at a step worth looking at.
  settle() {
    this.isWriting = false;
    const { free, masked } = this.tally, times = (n) => `${count(n)} ${n === 1 ? "answer" : "answers"}`;
    if (masked.all) this.said.textContent = `So far, without a mask ${count(free.good)} of ${times(free.all)} valid, and with it ${count(masked.good)} of ${count(masked.all)}.`;
    else this.said.textContent = "";
    if (!this.answers[this.asked.side]) this.asked.side = "free";
    const { side, at } = this.asked, answer = this.answers[side];
    this.asked.at = at === null || at >= answer.steps.length ? firstSaved(answer) : at;
    this.draw(side, this.asked.at);
  }

  look(side, at) {
    if (this.isWriting) return;
    Object.assign(this.asked, { side, at });
    this.remember();
    const isInText = this.columns.contains(document.activeElement);
    this.draw(side, at);
    if (isInText) this.columns.querySelector(".piece.chosen")?.focus();
  }

  // The reader wants another token at a step; the rest is written again.
  tap(side, number, id) {
    const answer = this.answers[side], { allowed, id: old } = answer.steps[number];
    if (id === old) return;
    if (allowed && !allowed[id]) { this.step.querySelector(".told").textContent = this.whyStruck(number, id); return; }
    this.asked.forced[side] = forcedFrom(this.asked.forced[side], number, id);
    Object.assign(this.asked, { side, at: number });
    answer.truncate(number);
    this.remember();
    this.stream([side], ++this.run);
  }
  whyStruck(number, id) {
    const name = tokenName(id, this.tokenizer), text = JSON.stringify(this.tokenizer.decode(this.answers.masked.ids.slice(0, number), { special: true }));
    return `You can't have ${name}: after ${number ? text : "nothing"}, no token that begins like that can still lead to a whole answer in the tokens that are left. That's the mask.`;
  }

  remember() {
    this.address = addressOf(this.asked);
    history.replaceState(null, "", this.address);
  }

  draw(side, at) {
    this.guarded(() => this.drawn(side, at));
    if (!this.guide && side === "masked") this.drawn("free", this.answers.free.steps.length - 1);
  }
  drawn(side, at) {
    const shown = SIDES.filter((each) => this.answers[each]);
    this.columns.replaceChildren(...shown.map((each) => column({
      title: TITLES[each], answer: this.answers[each], chosen: each === side ? at : null, verdict: this.verdicts[each],
      broke: each === "free" && this.guide ? firstBreak(this.answers.free, this.guide) : -1,
    }, this.tokenizer, (number) => this.look(each, number))));
    this.columns.querySelectorAll(".answer").forEach(oneTabStop);
    Object.assign(this.range, { max: Math.max(0, this.answers[side].steps.length - 1), value: at });
    this.range.setAttribute("aria-valuetext", `token ${at + 1} of ${this.answers[side].steps.length}, ${TITLES[side]}`);
    if (at < 0) { this.step.replaceChildren(); return; }
    this.drawStep(side, at);
  }

  drawStep(side, at) {
    const step = stepShown(this.answers[side], this.guide, at), { allowed } = step, named = (id) => tokenName(id, this.tokenizer);
    const left = allowed && leftByMask(step), verb = step.would ? "would leave" : "leaves";
    const head = make("p", {}, make("b", {}, `Token ${at + 1}, ${TITLES[side]}. `), left
      ? `The mask ${verb} ${count(left.count)} of ${count(allowed.length)} tokens, with ${shareOf(left.share)} of the probability. `
      : this.guide ? "The answer has left the mask's path, so no token could make it valid again. " : "", "Tap a token to have it instead.");
    this.step.replaceChildren(head, candidates(step, named, (id) => this.tap(side, at, id)), make("p.told", { "aria-live": "polite" }));
    oneTabStop(this.step.querySelector(".candidates"));
    this.shown = { side, at, step };
    const { id } = this.answers[side].steps[at];
    const text = id === this.tokenizer.eosId ? null : this.tokenizer.decode([id]);
    this.moving.show(this.guide, step.before, text, named(id));
  }

  picture() {
    const { side, at, step } = this.shown, style = getComputedStyle(this.columns);
    const colours = Object.fromEntries(["ink", "muted", "back", "line", "allowed", "struck"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    const told = SIDES.filter((each) => this.answers[each]).map((each) => {
      const answer = this.answers[each], broke = each === "free" && this.guide ? firstBreak(answer, this.guide) : -1;
      const verdict = this.verdicts[each] || { words: "", isGood: true };
      const place = broke < 0 ? -1 : [...this.tokenizer.decode(answer.ids.slice(0, broke), { special: true })].length;
      return { title: TITLES[each], text: textOf(answer, this.tokenizer), broke: place, verdict: verdict.words, isGood: verdict.isGood };
    });
    const rows = barsOf(step, (id) => tokenName(id, this.tokenizer));
    return pictureOf({ prompt: this.asked.prompt, form: this.asked.source.replace(/\s+/g, " ").slice(0, 110), answers: told,
      bars: { text: `token ${at + 1}, ${TITLES[side]}: what the model wants`, rows } }, colours);
  }
}

// {intro, examples: [{name, asked}]}
kinds.conversation = (data, section) => new Conversation(section, data);
