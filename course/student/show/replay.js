// Draws what Python has recorded. A section with data-kind holds its data as JSON; kinds[kind](data, parts) draws it.
const kinds = {};

// make("p.muted", {title: "x"}, "text", otherElement): an element with classes, attributes and children.
function make(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes || {}))
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// A slider with buttons beside it; keys on the whole section (on the page, where there is nothing else) move it.
function slider(section, label, draw) {
  const output = make("output", { "aria-live": "polite" });
  const range = make("input", { type: "range", min: 0, value: 0, "aria-label": label, oninput: () => show(+range.value) });
  const back = make("button", { type: "button", "aria-label": "back", onclick: () => show(at - 1) }, "\u2190");
  const next = make("button", { type: "button", "aria-label": "next", onclick: () => show(at + 1) }, "\u2192");
  let at = 0, last = 0;
  function show(wanted) {
    at = Math.max(0, Math.min(last, wanted));
    range.value = at;
    back.disabled = at === 0;
    next.disabled = at === last;
    const said = draw(at) || `${at + 1} of ${last + 1}`;
    output.textContent = said;
    range.setAttribute("aria-valuetext", said);
  }
  const moves = { ArrowRight: () => at + 1, " ": () => at + 1, ArrowLeft: () => at - 1, Home: () => 0, End: () => last };
  const listens = document.body.classList.contains("mtl-page") ? document : section;
  listens.addEventListener("keydown", (event) => {
    if (!moves[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("select, textarea, input:not([type=range])")) return;
    event.stopPropagation();  // the book's own keys turn pages
    if (event.key === " " && event.target.closest("button, summary")) return;
    event.preventDefault();
    show(moves[event.key]());
  });
  return {
    bar: make("div.bar", {}, back, range, next, output),
    set(count, place = 0) { last = count - 1; range.max = last; show(place); },
    show,
  };
}

// A choice from a list, with its label.
function choice(label, names, chosen) {
  const list = make("select", { "aria-label": label, onchange: () => chosen(list.selectedIndex) },
    names.map((name) => make("option", {}, name)));
  return make("label.choice", {}, label, " ", list);
}

// One Tab stop for many buttons; arrow keys, Home and End move among them, up and down by a line of them.
function oneTabStop(group) {
  const buttons = [...group.querySelectorAll("button:enabled, [role=button]")];
  const stopAt = (current) => buttons.forEach((button) => { button.tabIndex = button === current ? 0 : -1; });
  stopAt(buttons.find((button) => button.getAttribute("aria-pressed") === "true") || buttons[0]);
  group.onkeydown = (event) => {
    const at = buttons.indexOf(document.activeElement), line = buttons.filter(({ offsetTop }) => offsetTop === buttons[0].offsetTop).length;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + line, ArrowUp: at - line, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, to))];
    stopAt(next);
    next.focus();
  };
}

// The picture of an automaton as a figure; light(state) marks the state.
function automaton(data) {
  const figure = make("div.automaton", { tabindex: 0, role: "group", "aria-label": "automaton" });
  figure.innerHTML = data.svg;
  // a wide automaton shrinks as long as its letters can be read; beyond that it is scrolled
  const svg = figure.querySelector("svg"), width = parseFloat(svg.getAttribute("width"));
  svg.setAttribute("style", `width:100%;max-width:${width}px;min-width:${Math.round(0.7 * width)}px`);
  function centre(part) {
    if (!part) return;
    const there = part.getBoundingClientRect(), here = figure.getBoundingClientRect();
    figure.scrollLeft += there.left + there.width / 2 - here.left - here.width / 2;
    figure.scrollTop += there.top + there.height / 2 - here.top - here.height / 2;
  }
  function light(states) {
    for (const node of figure.querySelectorAll("[data-state]"))
      node.classList.toggle("current", [states].flat().includes(+node.dataset.state));
    centre(figure.querySelector(".current"));
  }
  return { figure, light, centre };
}

// A number with its unit: 1 look-up, 2,000 look-ups.
function plural(number, one, many = `${one}s`) { return `${number.toLocaleString("en")} ${number === 1 ? one : many}`; }

function percent(share) { return `${(100 * share).toFixed(1)}%`; }

function shareBar(share, kind) {
  return make(`td.share.${kind}`, {}, make("span", { style: `width:calc(${share.toFixed(3)} * var(--bar))` }), percent(share));
}

function row(label, ...content) { return [make("dt", {}, label), make("dd", {}, ...content)]; }

// The bits of one 32-bit word, highest first.
function bits(word) { return (word >>> 0).toString(2).padStart(32, "0").replace(/(.{8})(?=.)/g, "$1 "); }

function stepView(trace, step) {
  const names = trace.vocabulary.names, name = (id) => names[id] ?? `#${id}`, mask = step.mask;
  const tokens = step.ids.length ? step.ids.map((id) => make("span.token", { title: `id ${id}` }, name(id))) : ["none yet"];
  const facts = [
    row("text", make("code", {}, step.text || "\u00a0")), row("tokens", ...tokens),
    step.state === undefined ? [] : row("state", step.state || "not known"),
    row("mask", mask ? `${mask.count.toLocaleString("en")} of ${plural(trace.vocabulary.size, "token")}, ${percent(mask.share)} of the probability; EOS ${mask.eos ? "legal" : "not legal"}` : "not known"),
    step.distance === null || step.distance === undefined ? [] : row("budget", `${step.remaining} left; ${step.distance} and EOS to accept`),
    (step.packed || []).length > 4 || !step.packed ? [] : row("words", ...step.packed.map((word) => make("div", {}, make("code", {}, `${bits(word)} = ${word}`)))),
    step.forced ? row("forced", make("code", {}, step.forced.text), ` in ${plural(step.forced.ids.length, "token")}`) : [],
  ];
  const rows = step.tokens.map((token) => make(token.id === step.chosen ? "tr.chosen" : "tr", {},
    make(token.struck ? "th.struck" : "th", { scope: "row", title: `id ${token.id}` }, name(token.id)),
    shareBar(token.wanted, "wanted"),
    token.struck && !token.left ? make("td.why", {}, token.struck === "grammar" ? "struck" : `struck: ${token.struck}`)
      : token.left === null ? make("td", {}) : shareBar(token.left, "left")));
  const said = [["wrong", step.objection], ["stop", step.stop], ["", step.hint], ["note", step.remark], ["cost", step.cost], ["end", step.end]];
  return [
    make("dl", {}, facts.flat(2)),
    make("table", {}, make("thead", {}, make("tr", {}, ...["token", "the model wants", "the mask leaves"].map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, rows)),
    ...said.filter(([, text]) => text).map(([label, text]) => make(`p.said.${label || "hint"}`, {}, label ? make("b", {}, `${label} `) : "", text)),
  ];
}

// One run, step by step: traces.py says what a trace holds.
kinds.replay = (trace, section) => {
  const { scene, steps } = trace, view = make("div.view"), drawing = trace.automaton && automaton(trace.automaton);
  const bar = slider(section, "step", (at) => {
    if (drawing && steps[at].at !== null) drawing.light(steps[at].at);
    view.replaceChildren(...stepView(trace, steps[at]));
    return `step ${at + 1} of ${steps.length}`;
  });
  section.append(make("p", {}, `${scene.kind} `, make("code", {}, scene.grammar)),
    ...(scene.prompt ? [make("p", {}, "prompt ", make("code", {}, scene.prompt))] : []),
    ...(drawing ? [drawing.figure] : []), bar.bar, view);
  bar.set(steps.length);
};
//# the end: sections are drawn once all kinds are known; those further down the page, once they are there
function drawSections() {
  for (const section of document.querySelectorAll("section.mtl:not([data-ready])")) {
    if (!kinds[section.dataset.kind]) continue;
    section.dataset.ready = "";
    kinds[section.dataset.kind](JSON.parse(section.querySelector("script").textContent), section);
    // What opens a page comes right after its title, so its heading is one of the second order.
    const before = [...document.querySelectorAll("h1, h2")].filter((each) => each.compareDocumentPosition(section) & 4).pop();
    if (before?.tagName === "H1") for (const heading of section.querySelectorAll("h3")) heading.ariaLevel = "2";
  }
}
drawSections();
document.addEventListener("DOMContentLoaded", drawSections);
