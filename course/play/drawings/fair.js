import { escaped } from "./shown_text.js";
import { prefixTree, textsOf, withForbidden, written } from "../engine/labs/fairness.js";
// {intro, examples: [[name, pattern, texts]]}: the reader's own mask, and a model as a list of weighted texts.
const MOST_TEXTS = 40;

kinds.fair = (data, section) =>
  compiler(
    data,
    section,
    () => {
      const { compiled, walk, symbols, refusal } = mtlTyped;
      const pattern = textField("the mask: a pattern", paused(read));
      const model = textField(
        "the model: in each line how often it writes a text, and the text's tokens",
        paused(read),
        { rows: 4 },
      );
      const refused = make("p.wrong", { "aria-live": "polite" }),
        said = make("p", { "aria-live": "polite" });
      const figure = make("div.fair"),
        shown = make("div");
      const forbidden = range("how often the model, left alone, writes what the mask forbids", 99);
      const blend = range("from masked to fair", 100);
      const flow = make("button", { type: "button", onclick: () => draw(true) }, "let the weights flow back");
      let texts = [],
        isViable,
        isLegal,
        share = 0; // of what the model writes and the mask forbids

      function range(label, max) {
        const input = make("input", {
          type: "range",
          min: 0,
          max,
          "aria-label": label,
          oninput: () => {
            share = forbidden.input === input ? input.value / 100 : share;
            draw();
          },
        });
        return { input, output: make("output.short", {}) };
      }

      function read() {
        let dfa;
        refused.replaceChildren();
        texts = textsOf(model.input.value);
        try {
          ({ dfa } = compiled(1, pattern.input.value));
        } catch (error) {
          refused.replaceChildren(...refusal(error, pattern.input.value, make));
        }
        const many =
          texts.length > MOST_TEXTS ? `${plural(texts.length, "text")} are too many; up to ${MOST_TEXTS} fit here` : "";
        if (dfa && (texts.problem || many))
          refused.replaceChildren(make("b", {}, "refused "), many || `${texts.problem}, in line ${texts.line}`);
        pattern.input.setAttribute("aria-invalid", String(!dfa));
        model.input.setAttribute("aria-invalid", String(!!(texts.problem || many)));
        shown.hidden = !dfa || !!texts.problem || !!many;
        if (shown.hidden) return;
        const pathOf = (text) => walk(dfa, symbols(1, text));
        isViable = (text) => pathOf(text).length > [...text].length;
        isLegal = (text) => isViable(text) && dfa.accepting[pathOf(text).at(-1)];
        const left = prefixTree(texts, isViable, isLegal).weight;
        forbidden.input.disabled = left === 0 || left > 1 - 1e-9;
        share = 1 - left;
        forbidden.input.value = Math.round(100 * share);
        draw();
      }

      function draw(flows = false) {
        const lean = blend.input.value / 100;
        const tree = prefixTree(
          forbidden.input.disabled ? texts : withForbidden(texts, isLegal, share),
          isViable,
          isLegal,
        );
        const rows = fairRows(tree, lean);
        forbidden.output.textContent = percent(share);
        blend.output.textContent = lean === 0 ? "" : lean === 1 ? "all the way" : `${blend.input.value}% of the way`;
        figure.innerHTML = fairDrawing(tree, rows, Math.max(300, section.clientWidth - 34), flows);
        said.textContent = verdict(tree, rows);
      }

      function verdict(tree, rows) {
        const alone = `Left alone, the model writes a legal text with probability ${+tree.weight.toPrecision(3)}. `;
        if (!tree.weight) return `${alone}There is nothing to be fair to.`;
        const stuck = rows.filter((each) => each.stuck).reduce((sum, { masked }) => sum + masked, 0);
        const moved = rows.reduce((sum, { masked, fair }) => sum + Math.abs(masked - fair), 0) / 2;
        if (stuck)
          return `${alone}Under the mask ${percent(stuck)} of its texts get stuck, where this model gives no legal token any probability.`;
        return (
          alone +
          (moved < 5e-4
            ? "Every text keeps the same share here, so masking is fair."
            : `Masking moves ${percent(moved)} of the probability to other texts.`)
        );
      }

      const set = ([, mask, list]) => {
        [pattern.input.value, model.input.value, blend.input.value] = [mask, list, 0];
        model.input.rows = list.split("\n").length + 1;
        read();
      };
      shown.append(
        make("div.bar", {}, make("span", {}, "what the mask forbids"), forbidden.input, forbidden.output),
        make("div.bar", {}, make("span", {}, "masked"), blend.input, make("span", {}, "fair"), blend.output),
        figure,
        said,
        make("div.bar", {}, flow),
        make(
          "p.muted",
          {},
          "Two bars for each text: the solid one says how often masking writes it, the outlined one how often " +
            "would be fair, and the upright mark is where your slider is. A circle is a prefix, with its weight: how likely the " +
            "model, left alone from there, ends legally. A fair step multiplies by the weight of where it leads.",
        ),
      );
      section.append(
        exampleButtons(data.examples, ([name]) => name, set),
        make("div.halves", {}, pattern.line, model.line),
        refused,
        shown,
      );
      set(data.examples[0]);
      onWidth(section, () => shown.hidden || draw());
    },
    { graphs: false },
  );

const roundedTo2 = (x) => String(+x.toPrecision(2));

// A row for each text: masked, fair, and now, which is somewhere between.
function fairRows(tree, lean) {
  const [masked, fair, now] = [0, 1, lean].map((each) => new Map(written(tree, each).map((row) => [row.text, row])));
  const chance = (all, text) => all.get(text)?.chance ?? 0;
  return [...masked.values()].map(({ text, legal, stuck }) => ({
    text,
    legal,
    stuck,
    masked: chance(masked, text),
    fair: tree.weight ? chance(fair, text) : 0,
    now: chance(now, text),
  }));
}

function fairDrawing(tree, rows, width, flows) {
  const TALL = 30,
    TOP = 20,
    label = Math.min(150, Math.max(...rows.map(({ text }) => [...text].length)) * 7.3 + 14);
  const left = Math.round(width * (width < 400 ? 0.56 : 0.46)),
    room = width - left - 54,
    most = Math.max(...rows.flatMap(({ masked, fair }) => [masked, fair])) || 1;
  const size = (chance) => ((room * chance) / most).toFixed(1),
    yOf = new Map(rows.map(({ text }, n) => [text, TOP + TALL * (n + 0.5)]));
  const bars = rows.map((each) => {
    const y = yOf.get(each.text),
      end = left + +size(Math.max(each.masked, each.fair, each.now));
    const name = `<text class="mono${each.legal ? "" : " struck"}" x="${left - 8}" y="${y + 4}" text-anchor="end">${escaped(each.text)}${each.stuck ? " \u2026" : ""}</text>`;
    if (!each.legal && !each.stuck) return name;
    const mark = `<path class="mark-now" d="M${left + +size(each.now)},${y - 13}v26"/><text x="${end + 5}" y="${y + 4}">${percent(each.now)}</text>`;
    return (
      name +
      `<rect class="masked" x="${left}" y="${y - 11}" height="10" width="${size(each.masked)}"/>` +
      `<rect class="fair" x="${left}" y="${y + 1}" height="10" width="${size(each.fair)}"/>${mark}`
    );
  });
  const spoken = rows
    .filter(({ legal }) => legal)
    .map(({ text, masked, fair }) => `${text}: masked ${percent(masked)}, fair ${percent(fair)}`);
  return (
    `<svg viewBox="0 0 ${width} ${TOP + TALL * rows.length + 4}" width="${width}" role="img" aria-label="${escaped(spoken.join("; "))}">` +
    `<text x="4" y="12">weights</text><text x="${left}" y="12">how often</text>` +
    prefixDrawing(tree, yOf, left - label - 10, flows) +
    bars.join("") +
    "</svg>"
  );
}

// The tree of prefixes, from the left to the texts' names at `right`; what the mask forbids is dashed.
function prefixDrawing(tree, yOf, right, flows) {
  const heightOf = (node) => Math.max(0, ...node.below.map((each) => heightOf(each) + 1)),
    deepest = Math.max(heightOf(tree), 1);
  const gap = (right - 38) / deepest,
    r = Math.min(14, gap / 2 - 2),
    lines = [],
    circles = [];
  function place(node, depth) {
    node.x = 20 + gap * depth;
    const under = node.below.map((each) => place(each, depth + 1)),
      own = yOf.has(node.text) ? [yOf.get(node.text)] : [];
    node.y = [...own, ...under].reduce((sum, y) => sum + y, 0) / (own.length + under.length || 1);
    const style = `class="late" style="animation-delay:${0.5 * (deepest - depth)}s"`,
      late = flows ? style : "";
    const line = (x, y, forbidden) =>
      lines.push(
        `<path class="line${forbidden ? " dashed" : ""}${flows ? " flow" : ""}"${flows ? ' pathLength="1"' : ""} d="M${x},${y}L${node.x},${node.y}"/>`,
      );
    for (const each of node.below) line(each.x, each.y, !each.viable);
    for (const y of own) line(right + 4, y, !node.legal);
    circles.push(
      `<g ${late}><title>${escaped(JSON.stringify(node.text))} weighs ${roundedTo2(node.weight)}</title>` +
        `<circle class="ring" cx="${node.x}" cy="${node.y}" r="${Math.max(r, 4)}"/>` +
        (r > 12
          ? `<text class="small" x="${node.x}" y="${node.y + 4}" text-anchor="middle">${roundedTo2(node.weight)}</text>`
          : "") +
        "</g>",
    );
    return node.y;
  }
  place(tree, 0);
  return lines.join("") + circles.join("");
}
