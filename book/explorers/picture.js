// An automaton as SVG: names of characters, labels of arrows, and where everything lies.
function charName(code, bytes) {
  const known = { 9: "\\t", 10: "\\n", 13: "\\r", 32: "\u2423" }[code], char = String.fromCodePoint(code);
  if (known) return known;
  if (bytes && code > 127) return code.toString(16).toUpperCase();
  return /[\p{C}\p{M}\p{Z}]/u.test(char) ? `U+${code.toString(16).toUpperCase().padStart(4, "0")}` : char;
}
function label(ranges, bytes) {
  if (!ranges.length) return "\u03b5";
  const end = ranges[ranges.length - 1][1] === LAST, rest = end ? complement(ranges) : ranges;
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
  if (nodes.length > MOST.drawn) {
    const near = new Map([...path.slice(-2), ...lit.slice(0, MOST.drawn / 2)].map((state) => [state, 0]));
    for (const [state, far] of near) for (const { from, to } of edges) if (from === state && far < 3 && near.size < MOST.drawn / 2 && !near.has(to)) near.set(to, far + 1);
    nodes = nodes.filter((state) => near.has(state));
    edges = edges.filter(({ from, to }) => near.has(from) && near.has(to));
  }
  return { size, start, edges, nodes: nodes.map((id) => ({ id, accepts: accepts(id), inside: bytes && insideCharacter(automaton, id) })) };
}

// Layers by the distance from the first state, each in the order of what leads there.
function picture({ nodes, edges, start }, lit) {
  const R = 16, at = new Map(nodes.map((node) => [node.id, node])), layers = [], first = at.has(start) ? start : nodes[0].id;
  const esc = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  const lay = (id, layer) => { const node = at.get(id); if (node.layer === undefined) { node.layer = layer; (layers[layer] ||= []).push(node); return true; } return false; };
  const waiting = [first];
  lay(first, 0);
  for (const id of waiting) for (const { from, to } of edges) if (from === id && lay(to, at.get(id).layer + 1)) waiting.push(to);
  for (const { id } of nodes) lay(id, 0);
  const short = (text) => [...text].length > 24 ? [...text].slice(0, 23).join("") + "\u2026" : text;
  let x = 46;
  layers.forEach((layer, n) => {
    const place = (node) => { const from = edges.filter((edge) => edge.to === node.id && at.get(edge.from).layer < n).map((edge) => at.get(edge.from).y); return from.length ? from.reduce((a, b) => a + b, 0) / from.length : 0; };
    for (const node of layer) node.wish = place(node);
    layer.sort((a, b) => a.wish - b.wish || a.id - b.id).forEach((node, m) => { node.y = (m - (layer.length - 1) / 2) * 80; });
    const wide = edges.filter(({ from, to }) => at.get(from).layer === n && (at.get(to).layer === n + 1 || to === from)).map((edge) => [...short(edge.label)].length / (edge.from === edge.to ? 2 : 1));
    if (!n) x += 3.7 * Math.max(0, ...edges.filter(({ from, to }) => from === to && at.get(from).layer === 0).map((edge) => [...short(edge.label)].length - 8));
    layer.forEach((node) => { node.x = x; });
    x += Math.max(86, 7.4 * Math.max(0, ...wide) + 54);
  });
  let top = Math.min(...nodes.map(({ y }) => y)) - 20, bottom = Math.max(...nodes.map(({ y }) => y)) + 20;
  const drawn = edges.map((edge) => {
    const a = at.get(edge.from), b = at.get(edge.to);
    const there = edge.from !== edge.to && edges.some((other) => other.from === edge.to && other.to === edge.from);
    let path, tip, from, lx, ly;
    if (a === b) {
      const up = a.y > 0 ? -1 : 1;  // a loop lies on the outer side
      path = `M${a.x - 8},${a.y - 14 * up}C${a.x - 22},${a.y - 46 * up} ${a.x + 22},${a.y - 46 * up} ${a.x + 8},${a.y - 14 * up}`;
      [tip, from, lx, ly] = [[a.x + 8, a.y - 14 * up], [a.x + 15, a.y - 34 * up], a.x, a.y - 42 * up + (up < 0 ? 8 : 0)];
    } else {
      // Straight, or a little to the left where another arrow comes back; and around the states that are in its way.
      const far = Math.hypot(b.x - a.x, b.y - a.y), normal = [(b.y - a.y) / far, (a.x - b.x) / far], on = (p, c, q, t) => (1 - t) ** 2 * p + 2 * t * (1 - t) * c + t * t * q;
      let bow, cx, cy;
      for (bow of there ? [32, 80, 130, 190, 260, 340] : [0, 50, -50, 100, -100, 160, -160, 230, -230, 340]) {
        [cx, cy] = [(a.x + b.x) / 2 + normal[0] * bow, (a.y + b.y) / 2 + normal[1] * bow];
        if (nodes.every((node) => node === a || node === b || [0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85].every((t) => Math.hypot(on(a.x, cx, b.x, t) - node.x, on(a.y, cy, b.y, t) - node.y) > R + 7))) break;
      }
      const edgeOf = (node) => { const way = Math.hypot(cx - node.x, cy - node.y); return [node.x + (cx - node.x) / way * (R + 2), node.y + (cy - node.y) / way * (R + 2)]; };
      const begin = edgeOf(a), out = bow < 0 || (!bow && normal[1] > 0) ? -1 : 1;
      [tip, from] = [edgeOf(b), [cx, cy]];
      path = `M${begin.map(Math.round)}Q${Math.round(cx)},${Math.round(cy)} ${tip.map(Math.round)}`;
      // Where arrows fan out, their labels are further apart at the other end.
      const fan = edges.filter((other) => other.from === edge.from).length - edges.filter((other) => other.to === edge.to).length, where = fan > 1 ? 0.65 : fan < -1 ? 0.35 : 0.5;
      [lx, ly] = [on(a.x, cx, b.x, where) + normal[0] * out * (6 + 3.3 * [...short(edge.label)].length), on(a.y, cy, b.y, where) + normal[1] * out * 9 + 4];
    }
    top = Math.min(top, ly - 14);
    bottom = Math.max(bottom, ly + 8);
    const turn = Math.atan2(tip[1] - from[1], tip[0] - from[0]), corner = (angle) => `${(tip[0] - 8 * Math.cos(turn + angle)).toFixed(1)},${(tip[1] - 8 * Math.sin(turn + angle)).toFixed(1)}`;
    return [`<g data-from="${edge.from}" data-to="${edge.to}"><title>${edge.from} to ${edge.to}: ${esc(edge.label)}</title>` +
      `<path class="line${edge.dashed ? " dashed" : ""}" d="${path}"/><path class="head" d="M${tip}L${corner(0.4)}L${corner(-0.4)}Z"/></g>`,
      `<text class="mono label" x="${lx.toFixed(1)}" y="${ly.toFixed(1)}" text-anchor="middle">${esc(short(edge.label))}</text>`];
  });
  const circles = nodes.map(({ id, x, y, accepts, inside }) => `<g data-state="${id}"${lit.includes(id) ? ' class="current"' : ""}>` +
    `<title>state ${id}${accepts ? ", accepting" : ""}${inside ? ", within a character" : ""}</title>` +
    `<circle class="ring${inside ? " dashed" : ""}" cx="${x}" cy="${y}" r="${R}"/>` +
    `${accepts ? `<circle class="ring" cx="${x}" cy="${y}" r="${R - 4}"/>` : ""}<text x="${x}" y="${y + 4}" text-anchor="middle">${id}</text></g>`);
  const begin = at.has(start) ? `<path class="line" d="M6,${at.get(start).y}H24"/><path class="head" d="M29,${at.get(start).y}l-8,-4v8Z"/>` : "";
  // a wide automaton shrinks as long as its letters can be read; beyond that it is scrolled
  const width = Math.round(x), height = Math.round(bottom - top + 16);
  return `<svg viewBox="0 ${Math.round(top - 8)} ${width} ${height}" width="${width}" role="img" ` +
    `style="width:100%;max-width:${width}px;min-width:${Math.round(0.7 * width)}px" ` +
    `aria-label="automaton, ${nodes.length} states drawn, in state ${lit.join(", ")}">` +
    [begin, ...drawn.map((each) => each[0]), ...drawn.map((each) => each[1]), ...circles, "</svg>"].join("");
}

// Draw into a figure, light the steps from state to state, and scroll to the current state; return what was drawn.
function drawInto(figure, automaton, lit, track, steps, options) {
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
