// {models: [{name, mask, bent, asks, share, rows: [[[token, target, probability]]]}]}; the target of EOS is -1.
// A row holds only what the mask allows. In the row `bent`, `share` is what the model wanted to write and may not.
kinds.fair = (data, section) => {
  const figure = make("div.fair"), said = make("p", { "aria-live": "polite" }), rules = make("p");
  let model, wanted, flows = false;
  const range = (label, max, changed) => make("input", { type: "range", min: 0, max, "aria-label": label, oninput: changed });
  const share = range("what the model wants and the mask forbids", 99, () => { wanted = share.value / 100; draw(); });
  const blend = range("from masked to fair", 100, () => draw());
  const asks = make("label", { for: (share.id = "fair-share") }), amount = make("output.short", { for: share.id }), between = make("output.short", {});
  const flow = make("button", { type: "button", onclick: () => { flows = true; draw(); flows = false; } }, "let the weights flow back");

  // Every text as a row, every prefix as a node: {text, odds: probability of the edge, weight, below: [node]}.
  function tree(node, text = "", odds = 1) {
    const scale = node === model.bent ? (1 - wanted) / (1 - model.share) : 1;
    const below = [], made = { text, odds, below };
    let end = 0;
    for (const [token, target, p] of model.rows[node])
      if (target < 0) end = p * scale;
      else below.push(tree(target, text + token, p * scale));
    made.weight = end + below.reduce((sum, each) => sum + each.odds * each.weight, 0);
    if (end && !below.length) made.end = end;
    return made;
  }
  // A step to a child is taken with its probability, times its weight to the power of lean, normalised.
  function spread(node, lean, chance = 1) {
    if (!node.below.length) return [[node, chance]];
    const parts = node.below.map((each) => each.odds * each.weight ** lean), sum = parts.reduce((a, b) => a + b, 0);
    return node.below.flatMap((each, n) => spread(each, lean, chance * parts[n] / sum));
  }
  const digits = (x) => String(+x.toPrecision(2));

  function draw() {
    const lean = blend.value / 100, root = tree(0), now = spread(root, lean), ends = [spread(root, 0), spread(root, 1)];
    const width = Math.max(300, section.clientWidth - 34), row = now.length > 6 ? 22 : 44, tall = row * now.length + 20;
    const bars = width * 0.46, room = width - bars - 52, most = Math.max(...ends.flat().map(([, chance]) => chance));
    const lines = now.map(([node], n) => { node.y = row * (n + 0.5) + 18; return node.y; }), deepest = root.below.some((each) => each.below.length) ? 2 : 1;
    const parts = [];
    function place(node, depth) {
      node.below.forEach((each) => place(each, depth + 1));
      if (node.below.length) node.y = node.below.reduce((sum, each) => sum + each.y, 0) / node.below.length;
      node.x = 24 + depth * (bars - (row > 30 ? 78 : 60)) / deepest;
      const late = `style="animation-delay:${0.7 * (deepest - depth)}s"`;
      for (const each of node.below) parts.unshift(`<path class="line${flows ? " flow" : ""}" ${late} pathLength="1" d="M${each.x},${each.y}L${node.x},${node.y}"/>`);
      const r = row > 30 || node.below.length ? 19 : 10;
      parts.push(`<g class="${flows ? "late" : ""}" ${late}><circle class="ring" cx="${node.x}" cy="${node.y}" r="${r}"/>` +
        (r > 10 ? `<text x="${node.x}" y="${node.y + 4}" text-anchor="middle">${digits(node.weight)}</text>` : "") + "</g>");
    }
    place(root, 0);
    now.forEach(([node, chance], n) => {
      const y = lines[n], size = (x) => (room * x / most).toFixed(1), high = row > 30 ? 20 : 14;
      parts.push(`<text class="mono" x="${bars - 6}" y="${y + 4}" text-anchor="end">${node.text}</text>` +
        `<rect class="bar-now" x="${bars}" y="${y - high / 2}" height="${high}" width="${size(chance)}"/>` +
        ends.map((all, which) => `<path class="mark${which}" d="M${bars + +size(all[n][1])},${y - high / 2 - 2}v${high + 4}"/>`).join("") +
        `<text x="${bars + +size(Math.max(chance, ends[0][n][1], ends[1][n][1])) + 5}" y="${y + 4}">${percent(chance)}</text>`);
    });
    figure.innerHTML = `<svg viewBox="0 0 ${width} ${tall}" width="${width}" height="${tall}" role="img" aria-label="texts with their weights and how often each is written">` +
      `<text x="4" y="11">weights</text><text x="${bars}" y="11">how often</text>${parts.join("")}</svg>`;
    amount.textContent = percent(wanted);
    between.textContent = lean === 0 ? "masked" : lean === 1 ? "fair" : `${blend.value}% of the way`;
    share.value = Math.round(100 * wanted);
    const gap = ends[0].reduce((sum, [, chance], n) => sum + Math.abs(chance - ends[1][n][1]), 0) / 2;
    said.textContent = `Left alone, the model writes a legal text with probability ${digits(root.weight)}. ` +
      (gap < 5e-4 ? "Every text keeps the same share here, so masking is fair." : `Masking moves ${percent(gap)} of the probability to other texts.`);
  }
  function start(number) {
    model = data.models[number];
    wanted = model.share;
    asks.textContent = model.asks;
    rules.replaceChildren("mask ", make("code", {}, model.mask));
    draw();
  }
  section.append(make("h3", {}, data.title), choice("model", data.models.map((each) => each.name), start), rules,
    make("div.bar", {}, asks, share, amount), make("div.bar", {}, make("span", {}, "masked"), blend, make("span", {}, "fair"), between),
    figure, said, make("div.bar", {}, flow),
    make("p.muted", {}, "The red mark is where masking puts a text, the green one where it should be. A weight is what the model would still finish legally from there; a step to a node is fair when it is multiplied by the node's weight."));
  blend.value = 0;
  start(0);
  let seen = section.clientWidth;
  addEventListener("resize", () => { if (seen !== section.clientWidth) { seen = section.clientWidth; draw(); } });
};
