import { answerRead, joinedAutomaton, unpacked } from "../engine/labs/calls.js";
// {intro, tools, formats: [{name, aliases, triggers, example, why, tokens, start}], packed: the automata by name}. The
// first format is small, so it has its automaton's tables and a drawing of it.
const MARKS = { free: "free text", held: "held back", call: "inside a call", dead: "dead" };

kinds.calls = (data, section) => {
  const answer = textField("an answer, yours", () => draw(), { rows: 2, "aria-label": "answer" });
  const view = make("p.typed-text", { "aria-label": "the text, character by character" });
  const said = make("p", { "aria-live": "polite" }),
    parts = make("div"),
    about = make("div"),
    figure = make("div");
  const keys = make("div.tokens", { role: "group", "aria-label": "tokens" });
  const usable = make(
    "div",
    {},
    figure,
    answer.line,
    view,
    said,
    parts,
    make("p", {}, "or append a token:"),
    keys,
    make(
      "p.muted",
      {},
      "Grey is free text. Boxed in yellow is held back, because it may be a prefix of a trigger. Blue " +
        "is a call. Red and struck is what comes after the automaton has died.",
    ),
  );
  let format, joined, drawing, tables;

  function draw() {
    const read = answerRead(joined, answer.input.value),
      chars = [...answer.input.value];
    const spans = chars.map((char, n) =>
      make(
        `span.char.${read.marks[n]}`,
        { title: MARKS[read.marks[n]] },
        char === " " ? "\u00a0" : char === "\n" ? "\u21b5" : char,
      ),
    );
    view.replaceChildren(...(spans.length ? spans : ["\u00a0"]));
    if (drawing) drawing.light(read.state < 0 ? [] : format.numbers[read.state]);
    said.textContent = sentence(read, chars);
    const fact = (name, texts) =>
      row(name, ...(texts.length ? texts.map((text) => make("code.token", {}, text)) : ["nothing yet"]));
    parts.replaceChildren(
      make(
        "dl",
        {},
        ...[
          fact("sent on", read.sent ? [read.sent] : []),
          fact("calls", read.calls),
          fact("held back", read.waiting ? [read.waiting] : []),
        ].flat(),
      ),
    );
    for (const button of keys.children) {
      button.disabled = [...button.value].reduce(joined.after, read.state) < 0;
      button.setAttribute("aria-label", button.value + (button.disabled ? ", struck" : ""));
    }
    oneTabStop(keys);
  }

  function sentence({ state, marks, waiting }, chars) {
    const dead = marks.indexOf("dead"),
      ends = joined.accepting.has(state);
    if (dead >= 0)
      return `${JSON.stringify(chars[dead])} breaks the call: the mask would never have let it be written.`;
    if (!joined.isFree(state)) return `Inside a call. EOS is ${ends ? "legal" : "not legal"}.`;
    return (
      (waiting ? `Free text, and ${JSON.stringify(waiting)} may become a trigger.` : "Free text.") +
      (ends ? " EOS is legal." : "")
    );
  }

  function append(token, byKey) {
    answer.input.value += token;
    draw();
    if (byKey) (keys.querySelector("button:enabled[tabindex='0']") || answer.input).focus();
  }

  // The automata are unpacked when the first one is asked for.
  async function automatonOf(chosen) {
    if (chosen.rows) return chosen;
    tables ??= unpacked(data.packed);
    return (await tables)[chosen.name];
  }

  function start(number) {
    format = data.formats[number];
    const listed = (texts) => texts.flatMap((text, n) => [n ? ", " : "", make("code", {}, text)]);
    about.replaceChildren(
      make(
        "p",
        {},
        format.triggers.length === 1 ? "Trigger: " : "Triggers: ",
        ...listed(format.triggers),
        ...(format.aliases.length ? ["; also called ", ...listed(format.aliases)] : []),
        ".",
      ),
      make(
        "p",
        {},
        "A call: ",
        make("code", {}, format.example.trim()),
        ". ",
        ...(number ? ["The tools: ", ...listed(data.tools), "."] : []),
      ),
      ...(format.why ? [make("p.note", {}, `This format has no automaton: ${format.why}.`)] : []),
    );
    usable.hidden = true;
    if (format.why) return;
    const chosen = format;
    automatonOf(chosen).then((found) => chosen === format && begin(found));
  }

  function begin(found) {
    usable.hidden = false;
    joined = joinedAutomaton(found);
    drawing = format.automaton && automaton(format.automaton);
    figure.replaceChildren(...(drawing ? [drawing.figure] : []));
    answer.input.value = format.start;
    const button = (token) =>
      make(
        "button",
        { type: "button", value: token, onclick: (event) => append(token, !event.detail) },
        visible(token),
      );
    keys.replaceChildren(...format.tokens.map(button));
    draw();
  }
  section.append(
    make("h3", {}, data.title),
    make("p", {}, data.intro),
    choice(
      "format",
      data.formats.map((each) => each.name),
      start,
    ),
    about,
    usable,
  );
  start(0);
};
