// The book's own kinds of drawing, beside replay.js, whose functions they use.

// {name, choices: [{name, slides: [{label, html}]}]}
kinds.slides = (data, section) => {
  const view = make("div.view");
  let slides;
  const bar = slider(section, data.name, (at) => { view.innerHTML = slides[at].html; return slides[at].label; });
  const start = (number) => { slides = data.choices[number].slides; bar.set(slides.length); };
  section.append(make("h3", {}, data.title),
    ...(data.choices.length > 1 ? [choice(data.name, data.choices.map((each) => each.name), start)] : []), bar.bar, view);
  start(0);
};

// {pattern, automaton, nodes: [[node, prefix, tokens]], walks: [{state, looked: [[node, alive]], naive}]}
kinds.trie = (data, section) => {
  const view = make("div.trie", { role: "group", "aria-label": "nodes of the trie" }), said = make("p", { "aria-live": "polite" });
  const drawing = automaton(data.automaton);
  let walk;
  const boxes = new Map(data.nodes.map(([node, prefix, tokens]) => [node, make(tokens ? "span.token.whole" : "span.token", { title: `${tokens} tokens end here` }, prefix)]));
  view.append(...boxes.values());
  const bar = slider(section, "look-ups", (at) => {
    for (const box of boxes.values()) box.classList.remove("alive", "struck");
    for (const [node, alive] of walk.looked.slice(0, at)) boxes.get(node).classList.add(alive ? "alive" : "struck");
    said.textContent = `${at} look-ups over the trie of ${walk.looked.length}; token by token it would be ${walk.naive}`;
    return `${at} of ${walk.looked.length} look-ups`;
  });
  const start = (number) => { walk = data.walks[number]; bar.set(walk.looked.length + 1); drawing.light(walk.state); };
  section.append(make("h3", {}, data.title), make("p", {}, "pattern ", make("code", {}, data.pattern), "; a bold prefix is a token, green is alive, struck ends its branch"),
    choice("from state", data.walks.map((each) => each.state), start), drawing.figure, bar.bar, said, view);
  start(0);
};

// {schema: [[line, key]], pattern: [[text, key]], automaton, arrows: [[from, to, key]]}
kinds.keyed = (data, section) => {
  const drawing = automaton(data.automaton);
  const part = ([text, key], end = "") => key ? make("span.key", { "data-key": key, tabindex: 0, role: "button", "aria-pressed": "false" }, text) : text + end;
  const schema = make("pre", {}, data.schema.flatMap(([line, key]) => [part([line, key]), "\n"]));
  const pattern = make("pre", {}, data.pattern.map((each) => part(each)));
  function show(key) {
    for (const span of section.querySelectorAll(".key")) {
      span.classList.toggle("on", span.dataset.key === key);
      span.setAttribute("aria-pressed", String(span.dataset.key === key));
    }
    const lit = data.arrows.filter((arrow) => arrow[2] === key);
    for (const edge of drawing.figure.querySelectorAll("[data-from]"))
      edge.classList.toggle("lit", lit.some(([from, to]) => from === +edge.dataset.from && to === +edge.dataset.to));
    drawing.centre(drawing.figure.querySelector(".lit"));
  }
  for (const event of ["mouseover", "focusin", "click"])
    section.addEventListener(event, ({ target }) => { const key = target.closest(".key"); if (key) show(key.dataset.key); });
  section.append(make("h3", {}, data.title), make("p.muted", {}, "Point at a key, or reach it with Tab."), schema, pattern, drawing.figure);
};

// {names: [token], rows: [[bit]]}
kinds.painter = (data, section) => {
  const size = data.names.length, stride = Math.ceil(size / 32), said = make("p", { "aria-live": "polite" }), words = make("table");
  function word(row, number) {
    let value = 0;
    for (let bit = 0; bit < 32; bit++) value |= (row[32 * number + bit] || 0) << bit;
    return value;
  }
  function draw(place) {
    words.replaceChildren(...data.rows.flatMap((row, r) => Array.from({ length: stride }, (_, n) => make("tr", {},
      make("th", { scope: "row" }, `row ${r}, word ${n}`), make("td", {}, make("code", {}, bits(word(row, n)))), make("td", {}, make("code", {}, String(word(row, n))))))));
    if (!place) { said.textContent = `${size} tokens need ${stride} words a row; the last ${32 * stride - size} bits stay 0`; return; }
    const [r, i] = place;
    said.textContent = `row ${r}, token ${i}: word ${r} * ${stride} + ${i >> 5} = ${r * stride + (i >> 5)} of the array, bit ${i & 31}` +
      ((i & 31) === 31 ? ": the sign bit" : "");
  }
  const grids = data.rows.map((row, r) => make("div.bits", { role: "group", "aria-label": `row ${r}` }, Array.from({ length: 32 * stride }, (_, i) => {
    const name = data.names[i], button = make(name ? "button" : "button.tail", { type: "button", title: name || "no token", disabled: name ? null : "", "aria-pressed": String(!!row[i]), "aria-label": `token ${i} ${name || "none"}` }, String(i));
    button.addEventListener("click", () => { row[i] = row[i] ? 0 : 1; button.setAttribute("aria-pressed", String(!!row[i])); draw([r, i]); });
    return button;
  })));
  section.append(make("h3", {}, data.title), ...grids.flatMap((grid, r) => [make("p", {}, `row ${r}`), grid]), said, make("div.wide", {}, words));
  draw();
};
