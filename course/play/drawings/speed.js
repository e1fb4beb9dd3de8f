// {runs: [{name, policy, share, cost, ratio}], claim: [from, to]}: measured runs beside Amdahl's law.
kinds.speed = (data, section) => {
  const figure = make("div"),
    said = make("p", { "aria-live": "polite" }),
    TOP = 8;
  let picked = null;
  const range = (id, label, max, value) => {
    const input = make("input", {
        type: "range",
        min: 0,
        max,
        value,
        id,
        oninput: () => {
          picked = null;
          list.querySelector("select").selectedIndex = 0;
          draw();
        },
      }),
      output = make("output.short", { for: id });
    return { input, output, bar: make("div.bar", {}, make("label", { for: id }, label), input, output) };
  };
  const share = range("speed-share", "forced tokens", 100, 40),
    cost = range("speed-cost", "cost of one, in passes", 100, 10);
  const names = data.runs.map((run) => `${run.name}, ${run.policy}`);
  const list = choice("a real run", ["none", ...names], (number) => {
    picked = data.runs[number - 1] || null;
    if (picked)
      [share.input.value, cost.input.value] = [
        Math.round(100 * picked.share),
        Math.round(100 * Math.min(1, picked.cost)),
      ];
    draw();
  });
  const times = (f, c) => 1 / (1 - f + f * c);
  function draw() {
    const f = picked ? picked.share : share.input.value / 100,
      c = picked ? picked.cost : cost.input.value / 100,
      speed = times(f, c);
    const width = Math.max(300, Math.min(620, section.clientWidth - 34)),
      height = 260,
      left = 34,
      low = height - 40;
    const x = (part) => (left + part * (width - left - 26)).toFixed(1),
      y = (n) => (low - (Math.min(n, TOP) / TOP) * (low - 12)).toFixed(1);
    const curve = Array.from({ length: 101 }, (_, n) => n / 100)
      .filter((part) => times(part, c) <= TOP)
      .map((part) => `${x(part)},${y(times(part, c))}`);
    const ticks =
      [1, 2, 4, 6, 8]
        .map(
          (n) =>
            `<text x="${left - 6}" y="${+y(n) + 4}" text-anchor="end">${n}x</text><path class="grid" d="M${left},${y(n)}H${x(1)}"/>`,
        )
        .join("") +
      [0, 25, 50, 75, 100]
        .map((n) => `<text x="${x(n / 100)}" y="${low + 16}" text-anchor="middle">${n}%</text>`)
        .join("");
    const dots = data.runs
      .map(
        (run, n) =>
          `<circle class="${run === picked ? "lit" : "other"}" data-run="${n}" cx="${x(run.share)}" cy="${y(run.ratio)}" r="${run === picked ? 6 : 4}"><title>${names[n]}: ${run.ratio.toFixed(2)}x</title></circle>`,
      )
      .join("");
    figure.innerHTML =
      `<svg class="chart" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="times faster by the share of forced tokens">` +
      `<rect class="claim" x="${x(data.claim[0])}" y="12" width="${x(data.claim[1]) - x(data.claim[0])}" height="${low - 12}"/>${ticks}<path class="line" d="M${left},12V${low}H${x(1)}"/>` +
      `<path class="curve" d="M${curve.join("L")}"/>${dots}<path class="cross" d="M${x(f)},${low}V${y(speed)}H${left}"/><circle class="here" cx="${x(f)}" cy="${y(speed)}" r="5"/>` +
      `<text x="${x(0.5)}" y="${height - 6}" text-anchor="middle">share of tokens that needed no pass</text></svg>`;
    share.output.textContent = percent(f);
    cost.output.textContent = c.toFixed(2);
    said.textContent =
      `1 / (1 - ${f.toFixed(2)} + ${f.toFixed(2)} · ${c.toFixed(2)}) = ${speed < 1000 ? speed.toFixed(2) : "infinitely many"} times faster` +
      (picked ? `; measured: ${picked.ratio.toFixed(2)}` : speed > TOP ? ", above the picture" : "");
  }
  figure.addEventListener("click", ({ target }) => {
    if (!target.dataset.run) return;
    const select = list.querySelector("select");
    select.selectedIndex = +target.dataset.run + 1;
    select.dispatchEvent(new Event("change"));
  });
  section.append(
    make("h3", {}, data.title),
    make("p", {}, data.intro),
    make("div.sliders", {}, share.bar, cost.bar),
    list,
    figure,
    said,
    make(
      "p.muted",
      {},
      `The circles are measured runs of the small model; tap one, or pick it from the list. The yellow band is the 25 to 40% that one page calls typical, with a promise of 1.5 to 2 times the speed: how much of that does the curve give you, even where a forced token costs nothing? A run whose forced tokens cost more than a pass each is slower than no jump at all.`,
    ),
  );
  list.querySelector("select").selectedIndex = 0;
  draw();
  onWidth(section, draw);
};
