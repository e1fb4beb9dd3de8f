// What several explorers have: a field to type into, buttons with examples, and a wait until the reader pauses.
const TYPED_AS_IT_IS = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
const PAUSE = 150;

// {input, line}: the line has the label above the field.
function textField(label, changed, { rows = 0, ...more } = {}) {
  const attributes = { ...TYPED_AS_IT_IS, ...more, oninput: changed };
  const input = rows
    ? make("textarea.typed", { rows, ...attributes })
    : make("input.typed", { type: "text", ...attributes });
  return { input, line: make("label.field", {}, make("span", {}, label), input) };
}

function paused(action) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, PAUSE);
  };
}

// A button for each example; `name` says what is on it.
function exampleButtons(examples, name, chosen) {
  const button = (example) => make("button", { type: "button", onclick: () => chosen(example) }, name(example));
  return make("div.bar", { role: "group", "aria-label": "examples" }, examples.map(button));
}

// Draw again when the width of a section has changed.
function onWidth(section, draw) {
  let seen = section.clientWidth;
  addEventListener("resize", () => {
    if (seen === section.clientWidth) return;
    seen = section.clientWidth;
    draw();
  });
}

// Blanks and line ends as signs.
const visible = (token) =>
  token
    .replaceAll("\n", "\u21b5")
    .replaceAll("\r", "\u240d")
    .replaceAll("\t", "\u21e5")
    .replace(/^ +$/, (blank) => "\u2423".repeat(blank.length));
