// The small model in the page: the reader's prompt, answered freely and under the reader's own mask.
import { count, refusal } from "../../engine/refusals.js";
import { SmallModel, readWeights } from "../../engine/model/model.js";
import { Tokenizer } from "../../engine/model/tokenizer.js";
import { vocabularyOf } from "../../engine/guides/guides.js";
import { SIDES, addressOf, askedIn } from "./address.js";
import { automatonView } from "./moving.js";
import { candidates, leftByMask, shareOf } from "./candidates.js";
import { column } from "./columns.js";
import { questions } from "./form.js";
import { tokenName, textOf } from "./pieces.js";
import { drawnAnswers, sharing } from "./saving.js";
import { answersTo, firstBreak, firstSaved, forcedFrom, guideFor, stepShown, Tally, verdictOn, whyStruck, write } from "./running.js";

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
    section.classList.add("conversation");
    section.removeAttribute("tabindex");  // no key moves it as a whole
    this.tokenizer = new Tokenizer(mtlTokens);
    this.vocabulary = vocabularyOf({ tokens: this.tokenizer.tokenBytes, eosId: this.tokenizer.eosId, specialIds: this.tokenizer.specialIds });
    this.tally = new Tally();
    this.run = 0;
    this.form = questions(examples, () => this.ask(this.form.read()), () => this.age());
    this.said = make("p.muted");
    this.heard = make("p.heard", { role: "status" });
    this.stop = make("button", { type: "button", hidden: "", onclick: () => { this.run++; this.settle(); } }, "stop");
    this.columns = make("div.columns");
    this.step = make("div.step");
    this.moving = automatonView();
    this.range = make("input", { type: "range", min: 0, "aria-label": "token", oninput: () => this.look(this.asked.side, Number(this.range.value)) });
    section.append(make("p", {}, intro), this.form.element, this.columns, make("div.bar.scrub", {}, this.range, this.stop, this.said),
      this.heard, this.step, this.moving.element, sharing(() => this.picture()));
    addEventListener("hashchange", () => this.follow());
    if (!this.follow()) { this.form.write({ ...this.form.read(), ...examples[0].asked }); this.ask(this.form.read(), false); }
  }

  // Ask what the address asks; return whether it asks anything.
  follow() {
    const asked = askedIn(location.hash);
    if (!asked || location.hash === this.address) return Boolean(asked);
    this.ask(asked, false);
    return true;
  }

  // The fields have changed, so what is below belongs to the question before.
  age() {
    this.columns.classList.add("aged");
    this.said.textContent = "These are the answers to the question before. Ask again.";
  }

  // Answer a question from the start. One that the page or an address asks leaves the address alone.
  async ask(asked, remember = true) {
    const run = ++this.run;
    this.asked = asked;
    this.form.write(asked);
    this.form.refuse([]);
    this.columns.classList.remove("aged");
    this.guide = this.answers = null;
    this.guarded(() => { this.guide = guideFor(asked, this.vocabulary); });
    if (!globalThis.mtlWeights?.[asked.checkpoint]) this.said.textContent = "reading the model's weights\u2026";
    try {
      const model = await modelOf(asked.checkpoint);
      if (run !== this.run) return;
      this.answers = answersTo(asked, model, this.tokenizer, this.guide);
    } catch (problem) { this.empty(problem); return; }
    if (remember) this.remember();
    const { top } = this.columns.getBoundingClientRect();
    if (remember && top > innerHeight - 150) this.columns.scrollIntoView();  // a phone, with the fields open
    await this.stream(SIDES, run);
  }

  // There's no answer: a script isn't there, or the prompt is too long.
  empty(problem) {
    const words = typeof problem === "string" ? `The file ${problem} isn't there, so there's no model to ask.` : `The prompt can't be read: ${problem.message}.`;
    this.form.refuse([words]);
    this.said.textContent = "";
    for (const part of [this.columns, this.step]) part.replaceChildren();
    this.moving.element.hidden = true;
  }

  // Write both answers, a token each in turn, until both are over or another question is asked.
  async stream(sides, run) {
    const isQuick = matchMedia("(prefers-reduced-motion: reduce)").matches, going = sides.filter((side) => this.answers[side]);
    this.verdicts = {};
    this.stop.hidden = false;
    this.said.textContent = "writing\u2026";
    for (let round = 0, wrote = true; wrote; round++) {
      wrote = false;
      this.guarded(() => {
        for (const side of going) if (this.answers[side] && write(this.answers[side], this.asked.forced[side])) wrote = true;
      });
      if (!isQuick || round % 16 === 0) { this.drawNewest(); await wait(isQuick ? 0 : PACE); }
      if (run !== this.run) return;
    }
    this.guarded(() => {
      for (const side of SIDES) if (this.answers[side]) this.verdicts[side] = verdictOn(this.answers[side], this.guide, this.asked, this.tokenizer);
    });
    for (const side of sides) this.tally.add(side, this.asked, this.verdicts[side]);
    this.settle();
  }

  // While it's written, look at the newest token, unless the reader looks at another one.
  drawNewest() {
    const newest = this.answers.masked ? "masked" : "free", { side, at } = this.asked, last = (each) => this.answers[each].steps.length - 1;
    if (at !== null && this.answers[side] && at <= last(side)) this.draw(side, at);
    else this.draw(newest, last(newest));
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
    this.stop.hidden = true;
    this.said.textContent = this.tally.words();
    if (!this.answers) return;
    if (!this.answers[this.asked.side]) this.asked.side = "free";
    const { side, at } = this.asked, answer = this.answers[side];
    this.asked.at = at === null || at >= answer.steps.length ? firstSaved(answer) : at;
    this.draw(side, this.asked.at);
    this.heard.textContent = SIDES.filter((each) => this.verdicts[each]).map((each) =>
      `${TITLES[each]}: ${textOf(this.answers[each], this.tokenizer)}, ${this.verdicts[each].words}.`).join(" ");
  }

  look(side, at) {
    Object.assign(this.asked, { side, at });
    if (this.stop.hidden) this.remember();
    this.draw(side, at);
  }

  // The reader wants another token at a step; the rest is written again.
  tap(side, number, id) {
    const answer = this.answers[side], { allowed, id: old } = answer.steps[number];
    if (id === old) return;
    if (allowed && !allowed[id]) { this.step.querySelector(".told").textContent = whyStruck(answer, number, id, this.tokenizer); return; }
    this.asked.forced[side] = forcedFrom(this.asked.forced[side], number, id);
    Object.assign(this.asked, { side, at: number });
    answer.truncate(number);
    this.remember();
    this.stream([side], ++this.run);
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
    const focused = document.activeElement, inText = this.columns.contains(focused), inBars = this.step.contains(focused);
    const shown = SIDES.filter((each) => this.answers[each]);
    this.columns.replaceChildren(...shown.map((each) => column({
      title: TITLES[each], answer: this.answers[each], chosen: each === side ? at : null, verdict: this.verdicts[each],
      broke: this.breakOf(each),
    }, this.tokenizer, (number) => this.look(each, number))));
    this.columns.querySelectorAll(".answer").forEach(oneTabStop);
    Object.assign(this.range, { max: Math.max(0, this.answers[side].steps.length - 1), value: at });
    this.range.setAttribute("aria-valuetext", `token ${at + 1} of ${this.answers[side].steps.length}, ${TITLES[side]}`);
    if (at < 0) { this.step.replaceChildren(); return; }
    this.drawStep(side, at);
    // What had the keyboard was replaced.
    if (inText) this.columns.querySelector(".piece.chosen")?.focus();
    if (inBars) (this.step.querySelector(`[data-id="${focused.dataset.id}"]`) || this.step.querySelector(".candidate.chosen"))?.focus();
  }

  breakOf(side) {
    return side === "free" && this.guide ? firstBreak(this.answers.free, this.guide) : -1;
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
    const answers = SIDES.filter((each) => this.answers[each]).map((each) => ({
      title: TITLES[each], answer: this.answers[each], broke: this.breakOf(each), verdict: this.verdicts[each] || { words: "", isGood: true },
    }));
    const { side, at, step } = this.shown;
    return drawnAnswers(this.asked, answers, { step, title: `token ${at + 1}, ${TITLES[side]}: what the model wants` }, this.tokenizer, getComputedStyle(this.columns));
  }
}

// {intro, examples: [{name, asked}]}
kinds.conversation = (data, section) => new Conversation(section, data);
