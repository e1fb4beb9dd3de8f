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
