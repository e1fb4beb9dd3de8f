import { arrows } from "../engine/automata/automata.js";
import { insideCharacter } from "../engine/automata/bytes.js";
import { escaped } from "./shown_text.js";
import { complement, LAST, merged } from "../engine/automata/ranges.js";

// Viz.js, once it is loaded, and the most states that are drawn.
export const graphviz = { instance: null }, MOST_DRAWN = 40;

// Code points that no text has, so no label speaks of them.
const HALVES_OF_PAIRS = [0xd800, 0xdfff];

// An automaton as SVG: names of characters, labels of arrows, and where everything lies.
export function charName(code, bytes) {
  const known = { 9: "\\t", 10: "\\n", 13: "\\r", 32: "\u2423" }[code], char = String.fromCodePoint(code);
  if (known) return known;
  if (bytes && code > 127) return code.toString(16).toUpperCase();
  return /[\p{C}\p{M}\p{Z}]/u.test(char) ? `U+${code.toString(16).toUpperCase().padStart(4, "0")}` : char;
}
export function label(ranges, bytes) {
  if (!ranges.length) return "\u03b5";
  const end = ranges[ranges.length - 1][1] === LAST, rest = end ? complement(merged([...ranges, HALVES_OF_PAIRS])) : ranges;
  const named = rest.flatMap(([first, last]) => {
    if (first === 0 && last === 31) return ["controls"];
    const ends = [...new Set([first, last])].map((code) => charName(code, bytes));
    return last - first > 1 ? [ends.join("-")] : ends;
  });
  return end ? named.length ? `not ${named.join(" ")}` : "any" : named.join(" ");
}

// What is drawn: all states, or those around the lit ones; chains of single characters as one arrow, where asked for.
function shown(automaton, lit, path, { bytes, chains }) {
  let edges = arrows(automaton).map((arrow) => ({ from: arrow.from, to: arrow.to, label: label(arrow.ranges, bytes), dashed: !arrow.ranges.length }));
  // Where a rule of a schema or a grammar calls another one, which waits for that one's end.
  for (const { from, to, name } of automaton.calls ?? []) edges.push({ from, to, label: `\u2039${name}\u203a`, dashed: true });
  const size = automaton.table ? automaton.table.length : automaton.moves.length, start = automaton.initial ?? 0;
  const accepts = (state) => automaton.table ? automaton.accepting[state] : state === automaton.accepting;
  let nodes = Array.from({ length: size }, (_, state) => state);
  if (chains) {
    const into = nodes.map(() => []), out = nodes.map(() => []);
    for (const edge of edges) { into[edge.to].push(edge); out[edge.from].push(edge); }
    const single = (edges) => edges.length === 1 && [...edges[0].label].length === 1;
    const keep = nodes.map((state) => state === start || accepts(state) || lit.includes(state) || !single(into[state]) || !single(out[state]));
    edges = edges.filter((edge) => keep[edge.from]).map((edge) => {
      let { to, label } = edge;
      while (!keep[to]) { label += out[to][0].label; to = out[to][0].to; }
      return { ...edge, to, label };
    });
    nodes = nodes.filter((state) => keep[state]);
  }
  if (nodes.length > MOST_DRAWN) {
    const near = new Map([...path.slice(-2), ...lit.slice(0, MOST_DRAWN / 2)].map((state) => [state, 0]));
    for (const [state, far] of near) for (const { from, to } of edges) if (from === state && far < 3 && near.size < MOST_DRAWN / 2 && !near.has(to)) near.set(to, far + 1);
    nodes = nodes.filter((state) => near.has(state));
    edges = edges.filter(({ from, to }) => near.has(from) && near.has(to));
  }
  return { size, start, edges, nodes: nodes.map((id) => ({ id, accepts: accepts(id), inside: bytes && insideCharacter(automaton, id) })) };
}

// How many arrows away from a state each state is that can be reached from there.
function distances(edges, start) {
  const far = new Map([[start, 0]]);
  for (const [state, steps] of far) for (const { from, to } of edges) if (from === state && !far.has(to)) far.set(to, steps + 1);
  return far;
}

// What Graphviz makes of it, in JSON. The sizes are ours, so no font has a say; an arrow that leads back may take any
// way round, so that the others are straight; and of many arrows the labels get no room, which would take seconds.
const R = 16, ROOMY = 40, short = (text) => [...text].length > 24 ? [...text].slice(0, 23).join("") + "\u2026" : text;
let laid = {};
function layout({ nodes, edges, start }) {
  const far = distances(edges, start), after = new Map(nodes.map(({ id }) => [id, distances(edges, id)]));
  const back = ({ from, to }) => (far.get(to) ?? 0) <= (far.get(from) ?? 0) && after.get(to).has(from);
  const room = (text) => `label=<<table border="0" fixedsize="true" width="${Math.round(7.3 * [...text].length + 6)}" height="20"><tr><td></td></tr></table>>`;
  const dot = ['digraph { graph [rankdir=LR nodesep=0.3 ranksep=0.3] node [label="" shape=circle fixedsize=true] edge [arrowsize=0.9]',
    ...nodes.map(({ id }) => `${id} [width=${2 * R / 72}]`),
    ...(after.has(start) ? ["start [width=0.01]", `start -> ${start}`] : []),
    ...edges.map((edge, n) => `${edge.from} -> ${edge.to} [id=${n} weight=${back(edge) ? 0 : 1} ${edges.length > ROOMY ? "" : room(short(edge.label))}]`), "}"].join("\n");
  if (laid.dot !== dot) laid = { dot, json: JSON.parse(graphviz.instance.renderString(dot, { format: "json0" })) };
  return laid.json;
}

function picture(graph, lit) {
  const { nodes, edges } = graph, { bb, objects, edges: lines = [] } = layout(graph), [, , wide, high] = bb.split(",").map(Number);
  const point = (pair) => { const [x, y] = pair.split(",").map(Number); return [x, high - y]; };  // its axis points upwards
  const at = new Map(objects.map(({ name, pos }) => [name, point(pos)])), told = new Map(lines.map((line) => [line.id, line]));
  const drawn = (line, dashed) => {
    const [tip, first, ...rest] = line.pos.replace("e,", "").split(" ").map(point), [x, y] = rest.at(-1), size = Math.hypot(tip[0] - x, tip[1] - y);
    const [over, down] = [4 * (y - tip[1]) / size, 4 * (tip[0] - x) / size];
    return { middle: line.lp ? point(line.lp) : rest[(rest.length >> 1) - 1],
      path: `<path class="line${dashed ? " dashed" : ""}" d="M${first}C${rest.join(" ")}"/><path class="head" d="M${tip}L${x + over},${y + down}L${x - over},${y - down}Z"/>` };
  };
  const arrows = edges.map((edge, n) => {
    const { path, middle: [x, y] } = drawn(told.get(String(n)), edge.dashed);
    return [`<g data-from="${edge.from}" data-to="${edge.to}"><title>${edge.from} to ${edge.to}: ${escaped(edge.label)}</title>${path}</g>`,
      `<text class="mono label" x="${x}" y="${y + 4}" text-anchor="middle">${escaped(short(edge.label))}</text>`];
  });
  const circles = nodes.map(({ id, accepts, inside }) => {
    const [x, y] = at.get(String(id));
    return `<g data-state="${id}"${lit.includes(id) ? ' class="current"' : ""}>` +
      `<title>state ${id}${accepts ? ", accepting" : ""}${inside ? ", within a character" : ""}</title>` +
      `<circle class="ring${inside ? " dashed" : ""}" cx="${x}" cy="${y}" r="${R}"/>` +
      `${accepts ? `<circle class="ring" cx="${x}" cy="${y}" r="${R - 4}"/>` : ""}<text x="${x}" y="${y + 4}" text-anchor="middle">${id}</text></g>`;
  });
  const begin = lines.filter(({ id }) => id === undefined).map((line) => drawn(line).path);
  // a wide automaton shrinks as long as its letters can be read; beyond that it is scrolled
  const width = Math.round(wide + 12);
  return `<svg viewBox="-6 -6 ${width} ${Math.round(high + 12)}" width="${width}" role="img" ` +
    `style="width:100%;max-width:${width}px;min-width:${Math.round(0.7 * width)}px" ` +
    `aria-label="automaton, ${nodes.length} states drawn, in state ${lit.join(", ")}">` +
    [...begin, ...arrows.map((each) => each[0]), ...arrows.map((each) => each[1]), ...circles, "</svg>"].join("");
}

// Draw into a figure, light the steps from state to state, and scroll to the current state; return what was drawn.
export function drawInto(figure, automaton, lit, track, steps, options) {
  const graph = shown(automaton, lit, track, options);
  figure.innerHTML = picture(graph, lit);
  for (const edge of figure.querySelectorAll("[data-from]")) edge.classList.toggle("lit", steps.some((from, n) => from === +edge.dataset.from && steps[n + 1] === +edge.dataset.to));
  const current = figure.querySelector(".current");
  if (current) {
    const there = current.getBoundingClientRect(), here = figure.getBoundingClientRect();
    figure.scrollLeft += there.left + there.width / 2 - here.left - here.width / 2;
    figure.scrollTop += there.top - here.top - here.height / 2;
  }
  return graph;
}
