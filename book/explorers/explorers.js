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

// {names: [token], rows: [[bit]], block: columns that one instance of a kernel masks, or 0, columns: of the logits}
kinds.painter = (data, section) => {
  const size = data.names.length, stride = Math.ceil(size / 32), said = make("p", { "aria-live": "polite" }), words = make("div");
  let block = data.block;
  function word(row, number) {
    let value = 0;
    for (let bit = 0; bit < 32; bit++) value |= (row[32 * number + bit] || 0) << bit;
    return value;
  }
  function draw(place) {
    const at = place && [place[0], place[1] >> 5];
    words.replaceChildren(...data.rows.flatMap((row, r) => Array.from({ length: stride }, (_, n) => make(at && at[0] === r && at[1] === n ? "p.word.chosen" : "p.word", {},
      make("span.muted", {}, `row ${r}, word ${n} `), make("code", {}, bits(word(row, n))), make("span", {}, " = "), make("code.value", {}, String(word(row, n)))))));
    for (const button of section.querySelectorAll(".bits button")) {
      const i = +button.dataset.token;
      button.classList.toggle("edge", !!block && i % block === 0 && i > 0);
      button.classList.toggle("mine", !!(block && place && Math.floor(i / block) === Math.floor(place[1] / block) && +button.dataset.row === place[0]));
    }
    const tail = 32 * stride - size, first = `${size} tokens need ${stride} words a row` + (tail ? `; the last ${tail} bits stay 0` : "");
    if (!place) { said.textContent = first; return; }
    const [r, i] = place;
    said.textContent = `row ${r}, token ${i} ${data.names[i]}: word ${r} * ${stride} + ${i >> 5} = ${r * stride + (i >> 5)} of the array, bit ${i & 31}` +
      ((i & 31) === 31 ? ": the sign bit" : "") +
      (block ? `. Instance (${r}, ${Math.floor(i / block)}) of the kernel masks it, with columns ${block * Math.floor(i / block)} to ${Math.min(data.columns, block * (Math.floor(i / block) + 1)) - 1}, from ${block / 32} ${block === 32 ? "word" : "words"}` : "");
  }
  const grids = data.rows.map((row, r) => make("div.bits", { role: "group", "aria-label": `row ${r}` }, Array.from({ length: 32 * stride }, (_, i) => {
    const name = data.names[i], button = make(name ? "button" : "button.tail", { type: "button", title: name || "no token", disabled: name ? null : "", "data-token": i, "data-row": r, "aria-pressed": String(!!row[i]), "aria-label": `token ${i} ${name || "none"}` }, String(i));
    button.addEventListener("click", () => { row[i] = row[i] ? 0 : 1; button.setAttribute("aria-pressed", String(!!row[i])); draw([r, i]); });
    return button;
  })));
  const grid = () => `a grid of ${data.rows.length} x ${Math.ceil(data.columns / block)} instances for ${data.columns} columns`;
  const shape = make("output", {});
  const sizes = [32, 64, 128], blocks = data.block ? [choice("columns a block", sizes, (n) => { block = sizes[n]; shape.textContent = grid(); draw(); }), shape] : [];
  if (data.block) { blocks[0].querySelector("select").selectedIndex = sizes.indexOf(block); shape.textContent = grid(); }
  section.append(make("h3", {}, data.title), make("p.muted", {}, "Tap a token to allow it or to take it away."), ...(blocks.length ? [make("div.bar", {}, blocks)] : []),
    ...grids.flatMap((grid, r) => [make("p", {}, `row ${r}`), grid]), said, words);
  draw();
};
