// What the reader fills in: a prompt, what the answer has to be, and how the model draws its tokens.
const KINDS = ["schema", "pattern"], CHECKPOINTS = ["final", "early"];
const PLAIN = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };

// {element, read() -> what is asked, write(asked), refuse(parts)}; ask() is called for each new question, and changed()
// when the reader has begun one.
export function questions(examples, ask, changed) {
  const prompt = make("textarea.typed", { rows: 3, ...PLAIN });
  const source = make("textarea.typed", { rows: 7, ...PLAIN, "aria-label": "what the answer has to be" });
  const refused = make("p.wrong", { "aria-live": "polite" });
  const seed = make("input.typed.short", { type: "number", min: 0, max: 2 ** 32, value: 0, "aria-label": "seed" });
  const heat = make("input", { type: "range", min: 0, max: 3, step: 0.1, value: 1, "aria-label": "temperature" });
  const heatSaid = make("span.muted", {}), model = choice("model", ["trained", "half-trained"], () => ask());
  const kind = choice("the answer has to be", ["JSON of this schema", "a match of this pattern"], () => turn());
  const listOf = (label) => label.querySelector("select"), kindOf = () => KINDS[listOf(kind).selectedIndex];
  // Each kind keeps its own text; at first it's that of an example.
  const texts = Object.fromEntries(KINDS.map((each) => [each, examples.find(({ asked }) => asked.kind === each).asked.source]));
  let last = KINDS[0];

  function turn() {
    texts[last] = source.value;
    last = kindOf();
    source.value = texts[last];
    changed();
  }
  const read = () => ({
    prompt: prompt.value, kind: kindOf(), source: source.value, seed: Math.max(0, Math.floor(Number(seed.value)) || 0),
    temperature: Number(heat.value), checkpoint: CHECKPOINTS[listOf(model).selectedIndex],
    forced: { free: {}, masked: {} }, side: "masked", at: null,
  });
  function write(shown) {
    for (const [field, value] of [[prompt, shown.prompt], [source, shown.source]]) if (field.value !== value) field.value = value;
    last = shown.kind;
    listOf(kind).selectedIndex = KINDS.indexOf(shown.kind);
    seed.value = shown.seed;
    heat.value = shown.temperature;
    listOf(model).selectedIndex = CHECKPOINTS.indexOf(shown.checkpoint);
    say();
    prompted.textContent = `\u201c${shown.prompt}\u201d`;
    const isThis = ({ asked }) => Object.keys(asked).every((key) => asked[key] === shown[key]);
    buttons.forEach((each, n) => each.setAttribute("aria-pressed", String(isThis(examples[n]))));
  }
  const say = () => { heatSaid.textContent = Number(heat.value).toFixed(1); };
  function refuse(parts) {
    refused.replaceChildren(...parts);
    source.setAttribute("aria-invalid", String(parts.length > 0));
  }

  // Enter asks; in a schema, which has lines, Ctrl or Command and Enter.
  for (const field of [prompt, source]) {
    field.addEventListener("input", changed);
    field.addEventListener("keydown", (event) => {
      const asks = event.ctrlKey || event.metaKey || (!event.shiftKey && (field === prompt || kindOf() === "pattern"));
      if (event.key !== "Enter" || !asks) return;
      event.preventDefault();
      ask();
    });
  }
  heat.addEventListener("input", say);
  for (const field of [heat, seed]) field.addEventListener("change", () => ask());
  const button = (name, words, act) => make(name, { type: "button", onclick: act }, words);
  const buttons = examples.map(({ name, asked }) => button("button", name, () => { write({ ...read(), temperature: 1, ...asked }); ask(); }));
  // On a phone the fields are folded away, so that the answers are on the first screen.
  const isWide = matchMedia("(min-width: 40em)").matches, prompted = make("p.prompted", {});
  const element = make("div.questions", {},
    make("div.bar.examples", { role: "group", "aria-label": "examples" }, "Try ", buttons),
    make("details", { open: isWide ? "" : null }, make("summary", {}, "or a prompt and a schema or pattern of your own"), make("div.asked", {},
      make("div", {}, make("label.field", {}, make("span", {}, "your prompt"), prompt),
        make("div.bar", {}, button("button.ask", "Ask", () => ask()), make("label.choice", {}, "seed ", seed),
          button("button", "another seed", () => { seed.value = read().seed + 1; ask(); })),
        make("div.bar", {}, make("label.choice.heat", {}, "temperature ", heat), heatSaid), make("div.bar", {}, model)),
      make("div.field", {}, kind, source))),
    prompted, refused);
  return { element, read, write, refuse };
}
