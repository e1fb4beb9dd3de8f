// What the reader fills in: a prompt, what the answer has to be, and how the model draws its tokens.
const KINDS = ["schema", "pattern"], CHECKPOINTS = ["final", "early"];
const PLAIN = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };

// {element, read() -> what is asked, write(asked), refuse(parts)}; ask() is called for each new question.
export function questions(examples, ask) {
  const prompt = make("textarea.typed", { rows: 3, ...PLAIN, maxlength: 1000 });
  const source = make("textarea.typed", { rows: 7, ...PLAIN, "aria-label": "what the answer has to be" });
  const refused = make("p.wrong", { "aria-live": "polite" });
  const kind = choice("the answer has to be", ["JSON of this schema", "a match of this pattern"], () => source.focus());
  const seed = make("input.typed.short", { type: "number", min: 0, max: 2 ** 32, value: 0, "aria-label": "seed" });
  const heat = make("input", { type: "range", min: 0, max: 3, step: 0.1, value: 1, "aria-label": "temperature" });
  const heatSaid = make("output.short", {}), model = choice("model", ["trained", "early in its training"], () => ask());
  const listOf = (label) => label.querySelector("select");
  const say = () => { heatSaid.textContent = Number(heat.value).toFixed(1); };

  const read = () => ({
    prompt: prompt.value, kind: KINDS[listOf(kind).selectedIndex], source: source.value, seed: Number(seed.value) || 0,
    temperature: Number(heat.value), checkpoint: CHECKPOINTS[listOf(model).selectedIndex],
    forced: { free: {}, masked: {} }, side: "masked", at: null,
  });
  function write(shown) {
    prompt.value = shown.prompt;
    listOf(kind).selectedIndex = KINDS.indexOf(shown.kind);
    source.value = shown.source;
    seed.value = shown.seed;
    heat.value = shown.temperature;
    listOf(model).selectedIndex = CHECKPOINTS.indexOf(shown.checkpoint);
    say();
    asked.textContent = `\u201c${shown.prompt}\u201d`;
  }
  function refuse(parts) {
    refused.replaceChildren(...parts);
    source.setAttribute("aria-invalid", String(parts.length > 0));
  }

  // Enter asks; in a schema, which has lines, Ctrl or Command and Enter.
  for (const field of [prompt, source]) field.addEventListener("keydown", (event) => {
    const asks = event.ctrlKey || event.metaKey || (!event.shiftKey && (field === prompt || listOf(kind).selectedIndex === 1));
    if (event.key !== "Enter" || !asks) return;
    event.preventDefault();
    ask();
  });
  heat.addEventListener("input", say);
  for (const field of [heat, seed]) field.addEventListener("change", () => ask());
  const button = (name, words, act) => make(name, { type: "button", onclick: act }, words);
  const tryThis = ({ name, asked }) => button("button", name, () => { write({ ...read(), temperature: 1, ...asked }); ask(); });
  // On a phone the fields are folded away, so that the answers are on the first screen.
  const isWide = matchMedia("(min-width: 40em)").matches, asked = make("p.prompted", {});
  const element = make("div.questions", {},
    make("div.bar.examples", { role: "group", "aria-label": "examples" }, "Try ", examples.map(tryThis)),
    make("details", { open: isWide ? "" : null }, make("summary", {}, "or a prompt and a form of your own"), make("div.asked", {},
      make("div", {}, make("label.field", {}, make("span", {}, "your prompt"), prompt),
        make("div.bar", {}, button("button.ask", "Ask", () => ask()), make("label.choice", {}, "seed ", seed),
          button("button", "another seed", () => { seed.value = Number(seed.value) + 1; ask(); })),
        make("div.bar", {}, make("label.choice.heat", {}, "temperature ", heat), heatSaid), make("div.bar", {}, model)),
      make("div.field", {}, kind, source))),
    asked, refused);
  return { element, read, write, refuse };
}
