// {target, drafter, illegal, length}: the target's probability of yes, the drafter's among yes and no, and of maybe.
kinds.drafts = (data, section) => {
  const figure = make("div.fair"),
    said = make("p", { "aria-live": "polite" });
  const slider = (text, value, max = 100, min = 0) => {
    const input = make("input", {
      type: "range",
      min,
      max,
      "aria-label": text,
      id: `drafts-${text.replace(/\W+/g, "-")}`,
      oninput: () => draw(),
    });
    input.value = value;
    input.shown = make("output.short", { for: input.id });
    input.line = make("div.bar", {}, make("label", { for: input.id }, text), input, input.shown);
    return input;
  };
  const wanted = slider("the target wants yes", 100 * data.target);
  const says = slider("the drafter prefers yes", 100 * data.drafter);
  const illegal = slider("the drafter says maybe", 100 * data.illegal);
  const length = slider("tokens in a draft", data.length, 8, 1);
  const ways = ["reject it, and draw what is owed", "cut it off, and let the target draw", "mask the drafter too"];
  let way = 0;

  function draw() {
    const p = [wanted.value / 100, 1 - wanted.value / 100],
      maybe = way === 2 ? 0 : illegal.value / 100;
    const q = [says.value / 100, 1 - says.value / 100].map((each) => each * (1 - maybe));
    const kept = p.map((each, n) => Math.min(each, q[n])),
      overlap = kept[0] + kept[1];
    const owed = p.map((each, n) => each - kept[n]),
      sum = owed[0] + owed[1];
    const cut = way === 1 ? maybe : 0,
      replaced = 1 - overlap - cut;
    const replacements = p.map((each, n) => (sum > 1e-12 ? (replaced * owed[n]) / sum : 0) + cut * each);
    const width = Math.max(300, section.clientWidth - 34),
      room = width - 110;
    const rows = ["yes", "no"].map((name, n) => {
      const y = 44 * n + 22,
        size = (x) => (room * x).toFixed(1),
        all = kept[n] + replacements[n];
      return (
        `<text class="mono" x="34" y="${y + 4}" text-anchor="end">${name}</text>` +
        `<rect class="bar-now" x="42" y="${y - 10}" height="20" width="${size(kept[n])}"/>` +
        `<rect class="bar-now" opacity="0.45" x="${42 + +size(kept[n])}" y="${y - 10}" height="20" width="${size(replacements[n])}"/>` +
        `<path class="mark1" d="M${42 + +size(p[n])},${y - 12}v24"/>` +
        `<text x="${42 + +size(Math.max(all, p[n])) + 5}" y="${y + 4}">${percent(all)}</text>`
      );
    });
    figure.innerHTML = `<svg viewBox="0 0 ${width} 92" width="${width}" height="92" role="img" aria-label="how often yes and no are written">${rows.join("")}</svg>`;
    for (const each of [wanted, says, illegal]) each.shown.textContent = `${each.value}%`;
    length.shown.textContent = length.value;
    illegal.disabled = way === 2;
    let tokens = 0;
    for (let n = 0; n <= length.value; n++) tokens += overlap ** n;
    const off = Math.abs(kept[0] + replacements[0] - p[0]);
    said.textContent =
      `${percent(overlap)} of the drafted tokens are kept. If that goes on, a pass of the target gives ${tokens.toFixed(2)} tokens. ` +
      (off < 5e-4
        ? "Yes and no come as often as the target wants."
        : `Yes is off by ${percent(off)}, and no text shows it.`);
  }
  section.append(
    make("h3", {}, data.title),
    make("p", {}, data.intro),
    make("div.sliders", {}, wanted.line, says.line, illegal.line, length.line),
    choice("if it says maybe", ways, (number) => {
      way = number;
      draw();
    }),
    figure,
    said,
    make(
      "p.muted",
      {},
      "The target is masked, so it never says maybe. The dark part of a bar was drafted and kept; the light one came from the target. The mark across it is what the target wants.",
    ),
  );
  draw();
  onWidth(section, draw);
};
