import { escaped } from "./shown_text.js";
import { lookUpsWordByWord, trieOf, trieWalk } from "../engine/labs/trie.js";
// {intro, examples: [[pattern, words, state]]}: the reader's own words in a trie, and a walk from any state.
const MOST_WORDS = 40;

kinds.trie = (data, section) =>
  compiler(data, section, () => {
    const { compiled, walk, drawInto, refusal } = mtlTyped;
    const pattern = textField("pattern", paused(compile));
    const words = textField(`up to ${MOST_WORDS} words, with spaces between them`, paused(compile));
    const refused = make("p.wrong", { "aria-live": "polite" }),
      said = make("p", { "aria-live": "polite" });
    const figure = make("div.automaton", { tabindex: 0, role: "group", "aria-label": "automaton" });
    const tree = make("div.wide", { tabindex: 0, role: "group", "aria-label": "trie" }),
      row = make("p");
    const states = make("select", { "aria-label": "from state", onchange: () => restart() });
    let dfa = null,
      list = [],
      trie,
      walked,
      alone;

    const step = (state, char) => walk(dfa, [char.codePointAt(0)], state)[1] ?? -1;
    const bar = slider(section, "look-ups", draw);
    const shown = make(
      "div",
      {},
      make("div.bar", {}, make("label.choice", {}, "from state ", states)),
      figure,
      bar.bar,
      said,
      tree,
      row,
    );

    function compile() {
      dfa = null;
      try {
        dfa = compiled(3, pattern.input.value).dfa;
      } catch (error) {
        refused.replaceChildren(...refusal(error, pattern.input.value, make));
      }
      pattern.input.setAttribute("aria-invalid", String(!dfa));
      shown.hidden = !dfa;
      if (!dfa) return;
      refused.replaceChildren();
      list = [...new Set(words.input.value.split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS);
      trie = trieOf(list);
      const before = Math.min(states.selectedIndex, dfa.table.length - 1);
      states.replaceChildren(...dfa.table.map((_, state) => make("option", {}, String(state))));
      states.selectedIndex = Math.max(before, 0);
      restart();
    }

    // The slider starts at the end: the walk is done, and can be taken back.
    function restart() {
      const state = states.selectedIndex;
      walked = trieWalk(trie, state, step);
      alone = lookUpsWordByWord(list, state, step);
      drawInto(figure, dfa, [state], [state], [], {});
      bar.set(walked.looked.length + 1, walked.looked.length);
    }

    function draw(at) {
      const verdicts = new Map(walked.looked.slice(0, at).map(({ node, to }) => [node, to]));
      tree.innerHTML = trieDrawing(trie, verdicts, at ? walked.looked[at - 1].node : 0);
      const all = walked.looked.length,
        never = trie.length - 1 - all,
        done = at === all;
      said.textContent =
        `${plural(at, "look-up")} of ${all.toLocaleString("en")} over the trie. Word by word it would be ` +
        `${plural(alone, "look-up")}.` +
        (done && never
          ? ` ${plural(never, "node")} below a dead one ${never === 1 ? "was" : "were"} never looked at.`
          : "");
      const allowed = list.flatMap((word, id) =>
        walked.row.has(id) ? [make("span.token", {}, `${word} \u2192 ${walked.row.get(id)}`), " "] : [],
      );
      row.hidden = !done;
      row.replaceChildren(
        `The row of state ${states.selectedIndex}: `,
        ...(allowed.length ? allowed : ["no word survives."]),
      );
      return plural(at, "look-up");
    }

    const set = ([source, texts, state]) => {
      [pattern.input.value, words.input.value] = [source, texts];
      states.replaceChildren();
      compile();
      states.selectedIndex = state;
      restart();
    };
    section.append(
      exampleButtons(data.examples, ([source]) => make("code", {}, source), set),
      pattern.line,
      words.line,
      refused,
      shown,
      make(
        "p.muted",
        {},
        "A double ring is the end of a word. A tick is alive; a " +
          "cross is dead, since the automaton has no transition; dashed has not been looked at.",
      ),
    );
    set(data.examples[0]);
  });

// The trie from left to right, a row for each leaf. `verdicts` has the state after each node that was looked at, or -1.
function trieDrawing(trie, verdicts, latest) {
  const WIDE = 58,
    TALL = 34,
    R = 12,
    at = [];
  let rows = 0;
  function place(node, depth) {
    const below = [...trie[node].children.values()];
    below.forEach((each) => place(each, depth + 1));
    const y = below.length ? (at[below[0]].y + at[below.at(-1)].y) / 2 : TALL * (rows++ + 0.5);
    at[node] = { x: R + 6 + WIDE * depth, y };
  }
  place(0, 0);
  const kind = (node) =>
    !node ? "alive" : !verdicts.has(node) ? "unvisited" : verdicts.get(node) < 0 ? "dead" : "alive";
  const parts = trie.map((_, node) =>
    trieNode(trie, node, at, kind(node), verdicts.get(node), node && node === latest),
  );
  const width = Math.max(...at.map(({ x }) => x)) + R + 34,
    height = TALL * rows;
  return (
    `<svg class="trie" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ` +
    `aria-label="trie of ${plural(trie.length - 1, "node")}">${parts.join("")}</svg>`
  );
}

function trieNode(trie, node, at, kind, state, latest) {
  const { x, y } = at[node],
    R = 12,
    { ids, prefix, children } = trie[node];
  const edges = [...children].map(([char, below]) => {
    const end = at[below]; // the character stands beside its node, where no two meet
    return (
      `<path class="line" d="M${x + R},${y}L${end.x - R},${end.y}"/>` +
      `<text class="mono bold label" x="${end.x - R - 9}" y="${end.y + 4}" text-anchor="middle">${escaped(char)}</text>`
    );
  });
  const sign = { alive: state === undefined ? "" : String(state), dead: "\u2715", unvisited: "" }[kind];
  const tick =
    kind === "alive" && state !== undefined ? `<text class="tick" x="${x + R + 1}" y="${y - 7}">\u2713</text>` : "";
  const said = `${JSON.stringify(prefix)}: ${kind === "alive" ? `state ${state ?? "of the start"}` : kind}${ids.length ? ", a word" : ""}`;
  return (
    edges.join("") +
    `<g class="node ${kind}${latest ? " latest" : ""}" data-node="${node}"><title>${escaped(said)}</title>` +
    `<circle cx="${x}" cy="${y}" r="${R}"/>${ids.length ? `<circle cx="${x}" cy="${y}" r="${R - 3}"/>` : ""}` +
    `<text x="${x}" y="${y + 4}" text-anchor="middle">${sign}</text>${tick}</g>`
  );
}
