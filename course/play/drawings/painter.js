// {names: [token], rows: [[bit]], block: columns that one instance of a kernel masks, or 0, columns: of the logits}
// 'ab' as ab, b'\xe2\x82' as E282; there is room for five letters.
function shortName(name = "") {
  const text = /^b?'(.*)'/.exec(name)?.[1].replace(/\\x(..)/g, (_, hex) => hex.toUpperCase()) ?? name;
  return [...text].length > 5 ? [...text].slice(0, 4).join("") + "\u2026" : text;
}
const BLOCKS = [32, 64, 128];

kinds.painter = (data, section) => {
  const size = data.names.length,
    stride = Math.ceil(size / 32);
  const said = make("p", { "aria-live": "polite" }),
    words = make("div"),
    shape = make("output", {});
  let block = data.block;

  function word(row, number) {
    let value = 0;
    for (let bit = 0; bit < 32; bit++) value |= (row[32 * number + bit] || 0) << bit;
    return value;
  }

  function draw(place) {
    words.replaceChildren(
      ...data.rows.flatMap((row, r) =>
        Array.from({ length: stride }, (_, n) => {
          const chosen = place && place[0] === r && place[1] >> 5 === n;
          return make(
            chosen ? "p.word.chosen" : "p.word",
            {},
            make("span.muted", {}, `row ${r}, word ${n} `),
            make("code", {}, bits(word(row, n))),
            make("span", {}, " = "),
            make("code.value", {}, word(row, n).toLocaleString("en")),
          );
        }),
      ),
    );
    for (const button of section.querySelectorAll(".bits button")) {
      const token = +button.dataset.token,
        isMine = place && +button.dataset.row === place[0] && blockOf(token) === blockOf(place[1]);
      button.classList.toggle("edge", !!block && token % block === 0 && token > 0);
      button.classList.toggle("mine", !!block && !!isMine);
    }
    said.textContent = place ? sentence(...place) : wholeSentence();
  }

  const blockOf = (token) => Math.floor(token / block);
  function wholeSentence() {
    const tail = 32 * stride - size;
    return (
      `${plural(size, "token")} need ${plural(stride, "word")} a row` +
      (tail ? `; the last ${plural(tail, "bit")} ${tail === 1 ? "stays" : "stay"} 0.` : ".")
    );
  }
  function sentence(r, token) {
    const place = `row ${r}, token ${token} ${data.names[token]}: word ${r} * ${stride} + ${token >> 5} = ${r * stride + (token >> 5)} of the array, bit ${token & 31}`;
    const sign = (token & 31) === 31 ? ": the sign bit" : "";
    if (!block) return `${place}${sign}.`;
    const first = block * blockOf(token),
      last = Math.min(data.columns, first + block) - 1;
    return `${place}${sign}. Instance (${r}, ${blockOf(token)}) of the kernel masks it, with columns ${first} to ${last}, from ${plural(block / 32, "word")}.`;
  }

  function bit(r, token) {
    const row = data.rows[r],
      name = data.names[token];
    const button = make(
      name ? "button" : "button.tail",
      {
        type: "button",
        title: name || "no token",
        disabled: name ? null : "",
        "data-token": token,
        "data-row": r,
        "aria-pressed": String(!!row[token]),
        "aria-label": `token ${token} ${name || "none"}`,
        onclick: () => {
          row[token] = row[token] ? 0 : 1;
          button.setAttribute("aria-pressed", String(!!row[token]));
          draw([r, token]);
        },
      },
      make("small", {}, String(token)),
      make("span", {}, shortName(name)),
    );
    return button;
  }
  const grids = data.rows.map((_, r) =>
    make(
      "div.bits",
      { role: "group", "aria-label": `row ${r}, arrow keys move` },
      Array.from({ length: 32 * stride }, (_, token) => bit(r, token)),
    ),
  );

  function kernel() {
    const shown = () => {
      shape.textContent = `a grid of ${data.rows.length} x ${Math.ceil(data.columns / block)} instances for ${plural(data.columns, "column")}`;
    };
    const sizes = choice("columns a block", BLOCKS, (n) => {
      block = BLOCKS[n];
      shown();
      draw();
    });
    sizes.querySelector("select").selectedIndex = BLOCKS.indexOf(block);
    shown();
    return make("div.bar", {}, sizes, shape);
  }
  section.append(
    make("h3", {}, data.title),
    make("p", {}, data.intro),
    ...(block ? [kernel()] : []),
    ...grids.flatMap((grid, r) => [make("p", {}, `row ${r}`), grid]),
    said,
    words,
  );
  for (const grid of grids) oneTabStop(grid);
  draw();
};
