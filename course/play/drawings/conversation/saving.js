// The two answers and the bars as a picture of its own, in the colours of the page.
const PAPER = { wide: 900, line: 20, letter: 7.9, edge: 24 };
const MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";

const inXml = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

// Lines of at most `most` characters: [[text, whether it's from the broken part]].
export function folded(text, broke, most) {
  const lines = [[]];
  for (const [place, char] of [...text].entries()) {
    if (char === "\n" || lines.at(-1).length === most) lines.push([]);
    if (char !== "\n") lines.at(-1).push([char, broke >= 0 && place >= broke]);
  }
  return lines.map((line) => {
    const cut = line.findIndex(([, isBroken]) => isBroken), whole = line.map(([char]) => char).join("");
    return cut < 0 ? [whole, ""] : [whole.slice(0, cut), whole.slice(cut)];
  });
}

// {prompt, form, answers: [{title, text, broke, verdict, isGood}], bars: null or {text, rows: [{name, wanted, left, isStruck}]}}
export function pictureOf({ prompt, form, answers, bars }, colours) {
  const parts = [], { ink, muted, back, line, allowed, struck } = colours;
  const text = (x, y, content, fill = ink, more = "") =>
    parts.push(`<text x="${x}" y="${y}" fill="${fill}" ${more}>${inXml(content)}</text>`);
  const mono = `font-family="${MONO}" font-size="13" xml:space="preserve"`;
  text(PAPER.edge, 38, prompt, ink, 'font-size="17" font-weight="600"');
  text(PAPER.edge, 60, form, muted, mono);
  const column = (PAPER.wide - 3 * PAPER.edge) / 2, most = Math.floor(column / PAPER.letter);
  let bottom = 0;
  answers.forEach(({ title, text: answer, broke, verdict, isGood }, n) => {
    const x = PAPER.edge + n * (column + PAPER.edge);
    let y = 96;
    text(x, y, title, muted, 'font-size="14"');
    for (const [good, bad] of folded(answer, broke, most)) {
      y += PAPER.line;
      text(x, y, good, ink, mono);
      if (bad) text(x + [...good].length * PAPER.letter, y, bad, struck, `${mono} text-decoration="line-through"`);
    }
    text(x, y += PAPER.line + 6, verdict, isGood ? allowed : struck, 'font-size="14" font-weight="600"');
    bottom = Math.max(bottom, y);
  });
  if (bars) bottom = drawBars(bars, bottom + 44, { text, parts, mono, colours });
  const high = bottom + 36;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PAPER.wide} ${high}" width="${PAPER.wide}" height="${high}" ` +
    `font-family="system-ui,sans-serif"><rect width="${PAPER.wide}" height="${high}" fill="${back}"/>` +
    `<path d="M${PAPER.edge},74H${PAPER.wide - PAPER.edge}" stroke="${line}"/>${parts.join("")}` +
    `<text x="${PAPER.wide - PAPER.edge}" y="${high - 12}" text-anchor="end" fill="${muted}" font-size="12">Mask the Logits</text></svg>`;
}

function drawBars({ text: after, rows }, top, { text, parts, mono, colours }) {
  const { ink, muted, allowed, struck } = colours, start = 230, most = Math.max(...rows.map(({ wanted }) => wanted));
  text(PAPER.edge, top, after, muted, 'font-size="14"');
  rows.forEach(({ name, wanted, left, isStruck }, n) => {
    const y = top + (n + 1) * 24, fill = isStruck ? struck : allowed;
    text(PAPER.edge, y, name, isStruck ? struck : ink, isStruck ? `${mono} text-decoration="line-through"` : mono);
    parts.push(`<rect x="${start}" y="${y - 11}" width="${Math.max(1, 360 * wanted / most).toFixed(1)}" height="13" rx="2" fill="${fill}"/>`);
    if (isStruck) parts.push(`<path d="M${start},${y - 4.5}h${(360 * wanted / most).toFixed(1)}" stroke="${colours.back}" stroke-width="2"/>`);
    text(start + 376, y, percent(wanted), muted, mono);
    text(start + 460, y, isStruck ? "struck" : `${percent(left)} under the mask`, fill, mono);
  });
  return top + (rows.length + 1) * 24;
}

function download(name, url) {
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

export function saveSvg(svg) {
  download("mask-the-logits.svg", URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })));
}

export function savePng(svg) {
  const [, width, height] = /width="(\d+)" height="([\d.]+)"/.exec(svg), image = new Image(), SCALE = 2;
  image.onload = () => {
    const canvas = make("canvas", { width: SCALE * width, height: SCALE * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download("mask-the-logits.png", URL.createObjectURL(blob)));
  };
  image.src = `data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(svg)))}`;
}
