import { accepts, END, Stacks } from "../engine/pushdown.js";

// {grammars: [{name, rules, chars, initial: [state], order: [rule], step: {state: {char: state}}, calls: {state: [[rule, target]]},
//   unread: {state: [state]}, ends: [state], last: [state], reads: {state: label}, start}]}: lab 12's `Rules` as plain tables.

// Plain tables as what `Stacks` asks rules.
const asked = ({ initial, order, step, calls, unread, ends, last }) => ({
  initial,
  order,
  step: (state, char) => step[state]?.[char] ?? -1,
  calls: (state) => calls[state] ?? [],
  unread: (state) => unread[state],
  mayEnd: (state) => unread[state].some((each) => ends.includes(each)),
  isLast: (state) => last.includes(state),
});

kinds.stacks = (data, section) => {
  const view = make("div.view"), said = make("p", { "aria-live": "polite" }), refused = make("p.bad", { role: "status" }), keys = make("div.tokens", { role: "group", "aria-label": "characters" });
  const input = make("input.typed", { type: "text", maxlength: 14, "aria-label": "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", oninput: () => draw() });
  const undo = make("button", { type: "button", onclick: () => { input.value = input.value.slice(0, -1); draw(); } }, "undo");
  const rules = make("pre");
  let grammar, machine;

  function below(kernel) {
    const seen = new Set(), waiting = kernel.map(([, frame]) => frame).filter(Boolean);
    while (waiting.length) { const frame = waiting.pop(); if (!seen.has(frame)) { seen.add(frame); waiting.push(...frame.returns.map(([, each]) => each).filter(Boolean)); } }
    return seen;
  }
  const paths = (kernel) => {  // how many stacks, and how many boxes they have written out
    const memo = new Map();
    const count = (frame) => {
      if (!frame) return [1n, 0n];
      if (!memo.has(frame)) memo.set(frame, add(frame.returns));
      return memo.get(frame);
    };
    const add = (items) => items.reduce(([n, boxes], [state, frame]) => { const [m, more] = count(frame); return [n + m, boxes + more + (state === END ? 0n : m)]; }, [0n, 0n]);
    return add(kernel);
  };

  function draw() {
    let kernel = machine.start, before = [], good = 0;
    for (const char of input.value) { const next = machine.step(kernel, char); if (!next.length) break; before = kernel; kernel = next; good++; }
    const wrong = good < input.value.length;
    refused.textContent = wrong ? `${JSON.stringify(input.value[good])} cannot come here; the picture stops before it` : "";
    if (wrong) before = [];
    const frames = below(kernel), gone = [...below(before)].filter((frame) => !frames.has(frame)), old = below(before);
    const rows = [];
    const put = (depth, box) => (rows[depth] = rows[depth] || []).push(box);
    for (const frame of frames) put(frame.depth, { frame, cells: frame.returns, kind: old.has(frame) || !before.length ? "" : " pushed" });
    const highest = rows.length;
    for (const frame of gone) if (frame.depth >= highest) put(frame.depth, { frame, cells: frame.returns, kind: " popped" });
    const tops = kernel.filter(([state]) => state !== END);
    for (const item of tops) put(item[1].depth + 1, { cells: [item], kind: " top" });
    const wide = 74, tall = 40, gap = 26, place = new Map();
    const width = Math.max(...rows.map((row) => row.reduce((sum, box) => sum + box.cells.length * wide + gap, 0)), 240), height = rows.length * (tall + 14) + 6;
    rows.forEach((row, depth) => {
      let x = (width - row.reduce((sum, box) => sum + box.cells.length * wide + gap, -gap)) / 2;
      for (const box of row) { box.x = x; box.y = height - (depth + 1) * (tall + 14) + 6; if (box.frame) place.set(box.frame, box); x += box.cells.length * wide + gap; }
    });
    const label = (state) => state === END ? "end" : grammar.reads[state];
    const parts = rows.flat().map((box) => `<g class="frame${box.kind}"><rect x="${box.x}" y="${box.y}" rx="5" width="${box.cells.length * wide}" height="${tall}"/>` +
      box.cells.map(([state, frame], n) => {
        const middle = box.x + (n + 0.5) * wide, under = frame && place.get(frame);
        const there = under ? `<path class="line" d="M${middle},${box.y + tall}L${under.x + under.cells.length * wide / 2},${under.y}"/>` : "";
        return (n ? `<path class="line" d="M${box.x + n * wide},${box.y}v${tall}"/>` : "") + there +
          `<text class="mono" x="${middle}" y="${box.y + 25}" text-anchor="middle">${label(state)}</text>`;
      }).join("") + "</g>");
    view.innerHTML = `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${frames.size} frames">${parts.join("")}</svg>`;
    const [stacks, boxes] = paths(kernel), own = tops.length + [...frames].reduce((sum, frame) => sum + frame.returns.filter(([state]) => state !== END).length, 0);
    said.textContent = `${stacks} ${stacks === 1n ? "stack" : "stacks"}; written out ${boxes} boxes, shared ${own}. ` + (accepts(kernel) ? "The text may end here." : "The text cannot end here yet.");
    for (const button of keys.children) {
      button.disabled = wrong || input.value.length >= 14 || !machine.step(kernel, button.textContent).length;
      button.setAttribute("aria-label", button.textContent + (button.disabled ? ", struck" : ""));
    }
    undo.disabled = !input.value;
  }
  function start(number) {
    grammar = data.grammars[number];
    machine = new Stacks(asked(grammar));
    rules.textContent = grammar.rules;
    input.value = grammar.start;
    keys.replaceChildren(...[...grammar.chars].map((char) => make("button", { type: "button", onclick: () => { input.value += char; draw(); } }, char)));
    draw();
  }
  section.append(make("h3", {}, data.title), choice("grammar", data.grammars.map((each) => each.name), start), rules,
    make("div.bar", {}, make("label", {}, "text ", input), undo), keys, refused, make("div.wide", { tabindex: 0, role: "group", "aria-label": "stacks" }, view), said,
    make("p.muted", {}, "A box says what is read next once it is on top. Blue boxes are where you are now; the others wait for a return. A frame with several cells has several callers, and each way down is one stack."));
  start(0);
};
