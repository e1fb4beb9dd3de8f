// The two answers and the bars as a picture of its own, in the colours of the page.
import { escaped } from "../shown_text.js";
import { barsOf, shareOf } from "./candidates.js";
import { textOf, tokenName } from "./pieces.js";

const PAPER = { wide: 900, line: 20, letter: 7.9, edge: 24 }, MOST_OF_FORM = 105;
const MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";

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

// {prompt, form, how, answers: [{title, text, broke, verdict, isGood}], bars: null or {text, rows: [{name, wanted, left, isStruck}]}}
function pictureOf({ prompt, form, how, answers, bars }, colours) {
  const parts = [], { ink, muted, back, line, allowed, struck } = colours;
  const text = (x, y, content, fill = ink, more = "") =>
    parts.push(`<text x="${x}" y="${y}" fill="${fill}" ${more}>${escaped(content)}</text>`);
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
    `<text x="${PAPER.wide - PAPER.edge}" y="${high - 12}" text-anchor="end" fill="${muted}" font-size="12">Mask the Logits \u00b7 ${escaped(how)}</text></svg>`;
}

function drawBars({ text: after, rows }, top, { text, parts, mono, colours }) {
  const { ink, muted, allowed, struck } = colours, start = 230, most = Math.max(...rows.map(({ wanted }) => wanted));
  text(PAPER.edge, top, after, muted, 'font-size="14"');
  rows.forEach(({ name, wanted, left, isStruck }, n) => {
    const y = top + (n + 1) * 24, fill = isStruck ? struck : allowed;
    text(PAPER.edge, y, name, isStruck ? struck : ink, isStruck ? `${mono} text-decoration="line-through"` : mono);
    parts.push(`<rect x="${start}" y="${y - 11}" width="${Math.max(1, 360 * wanted / most).toFixed(1)}" height="13" rx="2" fill="${fill}"/>`);
    if (isStruck) parts.push(`<path d="M${start},${y - 4.5}h${(360 * wanted / most).toFixed(1)}" stroke="${colours.back}" stroke-width="2"/>`);
    text(start + 376, y, shareOf(wanted), muted, mono);
    text(start + 460, y, isStruck ? "struck" : left === null ? "" : `${shareOf(left)} under the mask`, fill, mono);
  });
  return top + (rows.length + 1) * 24;
}

// The picture of what the page shows; `style` has its colours.
export function drawnAnswers(asked, answers, { step, title }, tokenizer, style) {
  const colours = Object.fromEntries(["ink", "muted", "back", "line", "allowed", "struck"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const told = answers.map(({ answer, broke, verdict, ...rest }) => {
    const place = broke < 0 ? -1 : [...tokenizer.decode(answer.ids.slice(0, broke), { special: true })].length;
    return { ...rest, text: textOf(answer, tokenizer), broke: place, verdict: verdict.words, isGood: verdict.isGood };
  });
  const form = asked.source.replace(/\s+/g, " "), short = form.length > MOST_OF_FORM ? `${form.slice(0, MOST_OF_FORM - 1)}\u2026` : form;
  const bars = { text: title, rows: barsOf(step, (id) => tokenName(id, tokenizer)) };
  const how = `${asked.checkpoint === "early" ? "half-trained, " : ""}temperature ${asked.temperature}, seed ${asked.seed}`;
  return pictureOf({ prompt: asked.prompt, form: short, how, answers: told, bars }, colours);
}

// Buttons that copy the address, and save the picture.
export function sharing(picture) {
  const done = make("span.muted", { role: "status" }), say = (words) => { done.textContent = words; setTimeout(() => { done.textContent = ""; }, 6000); };
  const copied = location.protocol === "file:" ? "copied; whoever gets it needs this file, too" : "copied";
  const copy = () => navigator.clipboard.writeText(location.href).then(() => say(copied), () => say("the address above is the link"));
  const button = (words, act) => make("button", { type: "button", onclick: act }, words);
  return make("div.bar.sharing", {}, button("copy a link to this", copy), button("save as SVG", () => saveSvg(picture())),
    button("save as PNG", () => savePng(picture())), done);
}

function download(name, url) {
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

function saveSvg(svg) {
  download("mask-the-logits.svg", URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })));
}

function savePng(svg) {
  const [, width, height] = /width="(\d+)" height="([\d.]+)"/.exec(svg), image = new Image(), SCALE = 2;
  image.onload = () => {
    const canvas = make("canvas", { width: SCALE * width, height: SCALE * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download("mask-the-logits.png", URL.createObjectURL(blob)));
  };
  image.src = `data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(svg)))}`;
}
