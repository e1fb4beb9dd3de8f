import { escaped } from "./shown_text.js";
import { grammarOf } from "../engine/guides/grammar.js";
import { anyOf } from "../engine/labs/proposals.js";
import { accepts, END, Stacks } from "../engine/guides/pushdown.js";
import { codesOf, includes } from "../engine/automata/ranges.js";
import { fail, refusal } from "../engine/refusals.js";
import { RuleStates } from "../engine/guides/rules.js";
import { framesBelow, sharedBoxes, writtenOut } from "../engine/labs/stack_counts.js";
import { label } from "./picture.js";
// {intro, examples: [[name, grammar, text]]}: the reader's own grammar, and the stacks that a text leads to.
const BLANKS = /^\s+$/,
  MOST_LETTERS = 60,
  MOST_KEYS = 36;

kinds.stacks = (data, section) => {
  const source = textField("grammar, in GBNF", paused(compile), { rows: 4 });
  const text = textField(
    `text, up to ${MOST_LETTERS} letters`,
    () => {
      own = text.input.value;
      draw();
    },
    { rows: 1 },
  );
  const undo = make("button", { type: "button", onclick: () => write(codesOf(own).slice(0, -1)) }, "undo");
  const refused = make("p.wrong", { "aria-live": "polite" }),
    stopped = make("p.bad", { role: "status" });
  const keys = make("div.tokens", { role: "group", "aria-label": "characters" }),
    said = make("p", { "aria-live": "polite" });
  const view = make("div.wide.stacks", { tabindex: 0, role: "group", "aria-label": "stacks" });
  const usable = make(
    "div",
    {},
    text.line,
    make("div.bar", {}, undo),
    keys,
    stopped,
    view,
    said,
    make(
      "p.muted",
      {},
      "A box says what is read next once it is on top. Blue boxes are where you are now; the others wait for a " +
        "return. A frame with several cells has several callers, and each way down is one stack.",
    ),
  );
  let stacks = null,
    letters = [],
    own = "";

  function compile() {
    try {
      const grammar = grammarOf(source.input.value),
        rules = new RuleStates(grammar);
      if (rules.initial[0] < 0) fail("no text of this grammar can ever end");
      stacks = new Stacks(rules);
      letters = lettersOf(grammar).slice(0, MOST_KEYS);
      refused.replaceChildren();
    } catch (error) {
      stacks = null;
      refused.replaceChildren(...refusal(error, source.input.value, make));
    }
    source.input.setAttribute("aria-invalid", String(!stacks));
    usable.hidden = !stacks;
    if (!stacks) return;
    keys.replaceChildren(
      ...letters.map((code) => {
        const char = String.fromCodePoint(code),
          shown = visible(char);
        return make("button", { type: "button", value: char, onclick: (event) => press(code, !event.detail) }, shown);
      }),
    );
    text.input.value = !own || firstFits() ? own : begun();
    draw();
  }
  const firstFits = () => stacks.step(stacks.start, codesOf(own)[0]).length > 0;

  // Where a text leads: the kernel before each character and after the last that can be read.
  function read(written) {
    const codes = codesOf(written).slice(0, MOST_LETTERS),
      kernels = [stacks.start];
    for (const code of codes) {
      const next = stacks.step(kernels.at(-1), code);
      if (!next.length) break;
      kernels.push(next);
    }
    return { codes, kernels };
  }

  // Three letters that fit, in place of a text of which nothing does.
  function begun() {
    let { start: kernel } = stacks,
      found = "";
    while (found.length < 3) {
      const code = letters.find((each) => stacks.step(kernel, each).length);
      if (code === undefined) break;
      found += String.fromCodePoint(code);
      kernel = stacks.step(kernel, code);
    }
    return found;
  }

  function write(codes) {
    own = text.input.value = String.fromCodePoint(...codes);
    draw();
  }
  function press(code, byKey) {
    write([...codesOf(text.input.value), code]);
    if (byKey) (keys.querySelector("button[tabindex='0']") || undo).focus();
  }

  function draw() {
    try {
      show(read(text.input.value));
    } catch (error) {
      stopped.replaceChildren(...refusal(error, "", make));
    }
  }

  function show({ codes, kernels }) {
    const kernel = kernels.at(-1),
      dead = kernels.length <= codes.length,
      left = codesOf(text.input.value).length - codes.length;
    stopped.textContent = dead
      ? deadSentence(codes[kernels.length - 1])
      : left
        ? `Only the first ${MOST_LETTERS} letters are read; ${plural(left, "letter")} after them ${left === 1 ? "is" : "are"} left out.`
        : "";
    view.innerHTML = stacksDrawing(stacks.rules, kernel, dead ? [] : (kernels.at(-2) ?? []));
    const { stacks: count, boxes } = writtenOut(kernel),
      counted = (number, one, many) => `${number.toLocaleString("en")} ${number === 1n ? one : many}`;
    said.textContent =
      `${counted(count, "stack", "stacks")}; written out ${counted(boxes, "box", "boxes")}, shared ${sharedBoxes(kernel).toLocaleString("en")}. ` +
      (accepts(kernel) ? "The text may end here." : "The text can't end here yet.");
    for (const button of keys.children) {
      button.disabled = dead || codes.length >= MOST_LETTERS || !stacks.step(kernel, codesOf(button.value)[0]).length;
      button.setAttribute("aria-label", button.textContent + (button.disabled ? ", struck" : ""));
    }
    oneTabStop(keys);
    undo.disabled = !text.input.value;
  }

  function deadSentence(code) {
    const known = [...stacks.rules.trees.known.values()].some(({ ranges }) => ranges && includes(ranges, code));
    return `${JSON.stringify(String.fromCodePoint(code))} can't come here${known ? "" : ": no rule of this grammar reads it at all"}. The picture stops before it.`;
  }

  const set = ([, grammar, start]) => {
    [source.input.value, own] = [grammar, start];
    source.input.rows = Math.min(grammar.split("\n").length + 1, 10);
    compile();
  };
  section.append(
    make("h3", {}, data.title),
    make(
      "p",
      {},
      data.intro.split("`").map((part, n) => (n % 2 ? make("code", {}, part) : part)),
    ),
    exampleButtons(data.examples, ([name]) => name, set),
    source.line,
    refused,
    usable,
  );
  set(data.examples[0]);
};

// Characters to tap: those that a grammar spells, and some of each longer class, in its order.
function lettersOf({ bodies }) {
  const found = new Set(),
    seen = new Set();
  (function visit(node) {
    if (seen.has(node)) return;
    seen.add(node);
    for (const part of node.parts ?? node.options ?? (node.body ? [node.body] : [])) visit(part);
    if (!node.ranges) return;
    const size = node.ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    if (size > 4) found.add(anyOf(node.ranges));
    else for (const [first, last] of node.ranges) for (let code = first; code <= last; code++) found.add(code);
  })({ parts: bodies });
  return [...found];
}

// What a state reads next: characters, and the rules that it calls.
function readsNext(rules, state) {
  if (state === END) return "end";
  const ranges = [],
    called = [];
  for (const each of rules.unread(state)) {
    const { bounds, targets } = rules.row(each);
    bounds.forEach((bound, n) => {
      if (targets[n] >= 0) ranges.push([bound, (bounds[n + 1] ?? 0x110000) - 1]);
    });
    called.push(...rules.calls(each).map(([rule]) => rules.names[rule]));
  }
  const blank = ranges.filter(([first, last]) => BLANKS.test(String.fromCodePoint(first, last)));
  const others = ranges.filter((range) => !blank.includes(range)).sort((a, b) => a[0] - b[0]);
  const chars = [...(others.length ? [label(others)] : []), ...(blank.length ? ["\u2423"] : [])];
  return [...chars, ...new Set(called)].join(" ") || "end";
}

// The frames of a kernel, deepest at the bottom; what the last step has pushed, and what it has popped.
function stacksDrawing(rules, kernel, before) {
  const WIDE = 84,
    TALL = 36,
    UP = 50,
    GAP = 24,
    rows = [],
    place = new Map();
  const frames = framesBelow(kernel),
    old = framesBelow(before);
  const put = (depth, box) => (rows[depth] ??= []).push(box);
  for (const frame of frames)
    put(frame.depth, { frame, cells: frame.returns, kind: old.has(frame) || !before.length ? "" : " pushed" });
  const highest = rows.length;
  for (const frame of old)
    if (!frames.has(frame) && frame.depth >= highest)
      put(frame.depth, { frame, cells: frame.returns, kind: " popped" });
  for (const item of kernel) if (item[0] !== END) put(item[1].depth + 1, { cells: [item], kind: " top" });
  const widthOf = (row) => row.reduce((sum, { cells }) => sum + cells.length * WIDE + GAP, -GAP);
  const width = Math.max(240, ...rows.map(widthOf)) + 4,
    height = rows.length * UP + 6;
  rows.forEach((row, depth) => {
    let x = (width - widthOf(row)) / 2;
    for (const box of row) {
      Object.assign(box, { x, y: height - (depth + 1) * UP + 8 });
      if (box.frame) place.set(box.frame, box);
      x += box.cells.length * WIDE + GAP;
    }
  });
  const boxes = rows.flat().map((box) => stackBox(rules, box, place, WIDE, TALL));
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${plural(frames.size, "frame")}">${boxes.join("")}</svg>`;
}

function stackBox(rules, { x, y, cells, kind }, place, wide, tall) {
  const drawn = cells.map(([state, frame], n) => {
    const middle = x + (n + 0.5) * wide,
      under = frame && place.get(frame),
      reads = readsNext(rules, state);
    const down = under
      ? `<path class="line" d="M${middle},${y + tall}L${under.x + (under.cells.length * wide) / 2},${under.y}"/>`
      : "";
    const short = [...reads].length > 10 ? [...reads].slice(0, 9).join("") + "\u2026" : reads;
    return (
      (n ? `<path class="line" d="M${x + n * wide},${y}v${tall}"/>` : "") +
      down +
      `<g><title>${escaped(reads)}</title><text class="mono" x="${middle}" y="${y + tall / 2 + 4}" text-anchor="middle">${escaped(short)}</text></g>`
    );
  });
  return `<g class="frame${kind}"><rect x="${x}" y="${y}" rx="5" width="${cells.length * wide}" height="${tall}"/>${drawn.join("")}</g>`;
}
