// The two answers side by side, a button for each token; a tap or an arrow key looks at the step that chose it.

// What each token adds to the text. A token within a character adds nothing until its last byte is there.
export function piecesOf(ids, tokenBytes) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return ids.map((id) => decoder.decode(tokenBytes[id], { stream: true }));
}

// Where a free answer first leaves what was asked for: the number of its step, or -1.
export function firstBreak(guide, steps, eosId) {
  let state = guide.initial;
  for (const [number, { id }] of steps.entries()) {
    if (id === eosId) return guide.isAccepting(state) ? -1 : number;
    state = guide.advance(state, id);
    if (state === null) return number;
  }
  return -1;
}

const endOf = (answer) => ({ stop: "end", length: "cut off" })[answer.reason];

// {title, answer: {steps, reason}, broke, chosen: number of the step or null, look(number), tokenBytes, eosId}
export function column({ title, answer, broke, chosen, look, tokenBytes, eosId, verdict }) {
  const pieces = piecesOf(answer.steps.map(({ id }) => id === eosId ? 0 : id), tokenBytes);
  const tokens = answer.steps.map((step, number) => {
    const ends = step.id === eosId, classes = [
      broke >= 0 && number >= broke ? "broken" : "", step.saved ? "saved" : "", step.only ? "only" : "",
      step.isForced ? "forced" : "", number === chosen ? "chosen" : "", ends ? "end" : "",
    ].filter(Boolean);
    return make(["button.piece", ...classes].join("."), {
      type: "button", "data-step": number, "aria-pressed": String(number === chosen), onclick: () => look(number),
      title: step.saved ? "the model's favourite was struck here" : step.only ? "the mask left one token" : null,
    }, ends ? endOf(answer) : pieces[number] || hexOf(tokenBytes[step.id]));
  });
  if (broke >= 0) tokens.splice(broke, 0, make("span.breaks", { role: "img", "aria-label": "breaks here" }, "\u2038"));
  return make("div.column", {}, make("h4", {}, title),
    make("div.answer", { role: "group", "aria-label": `${title}: the tokens` }, tokens),
    make("p.verdict", { "aria-live": "polite" }, verdict));
}

const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
