// The two answers side by side. Each token can be tapped, or reached by the arrow keys, to look at the step that chose it.
import { hexOf } from "../shown_text.js";
import { piecesOf } from "./pieces.js";
import { isOnly, isSaved } from "./running.js";

// {title, answer, broke: number of the step that breaks or -1, chosen: of the one that is looked at or null, verdict}
export function column({ title, answer, broke, chosen, verdict }, tokenizer, look) {
  const pieces = piecesOf(answer.steps.filter(({ eos }) => !eos).map(({ id }) => id), tokenizer.tokenBytes);
  const tokens = answer.steps.map((step) => {
    const kinds = {
      broken: broke >= 0 && step.n >= broke, saved: isSaved(step), only: isOnly(step), forced: step.forced,
      chosen: step.n === chosen, end: step.eos, part: !step.eos && !pieces[step.n],
    };
    const bytes = hexOf(tokenizer.tokenBytes[step.id]), text = step.eos ? "end" : pieces[step.n];
    // A button would be a box of its own; a token has to break where the text does.
    return make(["span.piece", ...Object.keys(kinds).filter((kind) => kinds[kind])].join("."), {
      role: "button", "aria-pressed": String(kinds.chosen), title: titleOf(kinds, bytes), "aria-label": labelOf(kinds, text, bytes),
      onclick: () => look(step.n), onfocus: () => kinds.chosen || look(step.n),
    }, text);
  });
  if (broke >= 0) tokens.splice(broke, 0, make("span.breaks", {}, "breaks here"));
  return make("div.column", {}, make("h2", {}, title),
    make("div.answer", { role: "group", "aria-label": `${title}: the tokens`, "aria-busy": String(!answer.reason) }, tokens),
    make(`p.verdict${verdict ? verdict.isGood ? ".good" : ".bad" : ""}`, {}, verdict ? verdict.words : "\u00a0"));
}
const titleOf = ({ forced, saved, only, part }, bytes) =>
  forced ? "your own token" : saved ? "here the mask struck the model's favourite" : only ? "here the mask left one token" : part ? `part of a character: ${bytes}` : null;
const labelOf = ({ broken, part }, text, bytes) => part ? `part of a character, ${bytes}` : broken ? `${text}, after the break` : null;
