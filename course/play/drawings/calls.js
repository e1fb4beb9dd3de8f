// {formats: [{name, tools, bounds, classes, rows, initial, accepting, held, automaton or null, tokens, start}]}
// The first held.length states read free text, and held says how much of it may still become a trigger.
kinds.calls = (data, section) => {
  const view = make("p.typed-text", { "aria-label": "the text, character by character" }), figure = make("div"), parts = make("div"), said = make("p", { "aria-live": "polite" });
  const input = make("input.typed", { type: "text", "aria-label": "answer", autocomplete: "off", autocapitalize: "off", spellcheck: "false", oninput: () => draw() });
  const keys = make("div.tokens", { role: "group", "aria-label": "tokens" }), about = make("p");
  let format, drawing;

  function classOf(char) {
    const code = char.codePointAt(0);
    let low = 0, high = format.bounds.length;
    while (low < high) { const middle = (low + high) >> 1; if (format.bounds[middle] <= code) low = middle + 1; else high = middle; }
    return format.classes[low - 1];
  }
  const step = (state, char) => { const at = classOf(char); return state < 0 || at === undefined || at < 0 ? -1 : format.rows[state][at]; };
  const free = (state) => state >= 0 && state < format.held.length;

  function draw() {
    let state = format.initial, held = "", sent = "";
    const seen = [], spans = [], blocks = [];
    for (const char of input.value) {
      const was = free(state);
      state = step(state, char);
      held += char;
      seen.push(char);
      if (free(state) && was) { const settled = held.length - format.held[state]; sent += held.slice(0, settled); held = held.slice(settled); }
      else if (free(state)) { blocks.push(held); held = ""; }
      // what is held back may still become a call; a character of a complete call is one for good
      spans.push(state < 0 ? "dead" : free(state) ? (was ? "free" : "call") : "call");
      if (!was && free(state)) for (let n = 0; n < [...blocks[blocks.length - 1]].length; n++) spans[spans.length - 1 - n] = "call";
      if (was && state >= 0 && !free(state)) for (let n = 0; n < [...held].length; n++) spans[spans.length - 1 - n] = "call";
    }
    if (free(state)) for (let n = 0; n < [...held].length; n++) spans[spans.length - 1 - n] = "held";
    const dead = spans.indexOf("dead");
    view.replaceChildren(...(seen.length ? seen.map((char, n) => make(`span.char.${spans[n]}`, { title: { free: "free text", held: "held back", call: "inside a call", dead: "dead" }[spans[n]] }, char === " " ? "\u00a0" : char)) : ["\u00a0"]));
    if (drawing) drawing.light(state < 0 ? [] : format.numbers[state]);
    said.textContent = dead >= 0 ? `${JSON.stringify(seen[dead])} breaks the call: the mask would never have let it be written`
      : free(state) ? (held ? `free text, and ${JSON.stringify(held)} may become a trigger` : "free text") + (format.accepting.includes(state) ? "; EOS is legal" : "")
      : "inside a call; EOS is not legal";
    const fact = (name, texts) => row(name, ...(texts.length ? texts.map((text) => make("code.token", {}, text)) : ["nothing yet"]));
    parts.replaceChildren(make("dl", {}, ...[fact("sent on", sent ? [sent] : []), fact("calls", blocks), fact("held back", held ? [held] : [])].flat()));
    for (const button of keys.children) {
      button.disabled = [...button.value].reduce(step, state) < 0;
      button.setAttribute("aria-label", button.value + (button.disabled ? ", struck" : ""));
    }
  }
  function start(number) {
    format = data.formats[number];
    drawing = format.automaton && automaton(format.automaton);
    figure.replaceChildren(...(drawing ? [drawing.figure] : []));
    about.replaceChildren(...format.about.map((text, n) => n % 2 ? make("code", {}, text) : text));
    input.value = format.start;
    keys.replaceChildren(...format.tokens.map((token) => make("button", { type: "button", value: token, onclick: () => { input.value += token; draw(); } }, token)));
    draw();
  }
  section.append(make("h3", {}, data.title), choice("format", data.formats.map((each) => each.name), start), about, figure,
    make("label.field", {}, "an answer, yours ", input), view, said, parts, make("p", {}, "or append a token:"), keys,
    make("p.muted", {}, "Grey is free text. Yellow is held back, because it may be a prefix of a trigger. Blue is a call. Red is where the automaton dies."));
  start(0);
};
