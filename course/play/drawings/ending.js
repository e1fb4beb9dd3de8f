// {lab, intro, examples: [[pattern, tokens, limit, [token that is written]]]}: the reader's own pattern and tokens; a model writes under the mask.
kinds.ending = (data, section) =>
  compiler(data, section, () => {
    const { compiled, symbols, walk, drawInto, refusal } = mtlTyped,
      budgets = data.lab === 5,
      MOST = 16,
      ROWS = 12,
      TOKENS = 24;
    const field = (label) => {
      const input = make("input.typed", {
        type: "text",
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        oninput: () => {
          clearTimeout(timer);
          timer = setTimeout(compile, 150);
        },
      });
      return { input, line: make("label.field", {}, make("span", {}, label), input) };
    };
    const source = field("pattern"),
      words = field(`up to ${TOKENS} tokens, with spaces between them`),
      refused = make("p.wrong", { "aria-live": "polite" });
    const range = make("input", { type: "range", min: 1, max: MOST, id: "ending-limit", oninput: () => draw() }),
      output = make("output.short", { for: range.id });
    const figure = make("div.automaton", { tabindex: 0, role: "group", "aria-label": "automaton" }),
      said = make("p", { "aria-live": "polite" }),
      view = make("div");
    const masks = choice("mask", ["lab 04's", "with the budget"], () => draw()),
      which = masks.querySelector("select");
    which.selectedIndex = 1;
    const undo = make(
      "button",
      {
        type: "button",
        onclick: () => {
          ids.pop();
          draw();
        },
      },
      "undo",
    );
    const go = make(
      "button",
      {
        type: "button",
        onclick: () => {
          while (!over() && best() !== undefined) ids.push(best());
          draw();
        },
      },
      "let the model write",
    );
    // A token's id is its place in the list, and EOS comes after the last. The table says where each token leads, or -1.
    let dfa = null,
      tokens = [],
      table,
      distance,
      ids = [],
      timer;
    const eos = () => tokens.length,
      limit = () => (budgets ? +range.value : MOST),
      over = () => ids.length >= limit() || ids.at(-1) === eos();
    const stateOf = (ids) => ids.reduce((state, id) => (id === eos() ? state : table[state][id]), 0);
    // Lab 05: how many tokens the rest takes, if this one comes now; this one and EOS are counted.
    const needs = (state, id) => (id === eos() ? 1 : distance[table[state][id]] + 2);
    function verdict(id, ids) {
      const state = stateOf(ids);
      if (id === eos() ? !dfa.accepting[state] : table[state][id] < 0) return "grammar";
      return budgets && which.selectedIndex && needs(state, id) > limit() - ids.length ? "budget" : "";
    }
    // What the model wants: the last token of the list first; lab 04's wants EOS before all of them, lab 05's after them.
    function best() {
      const wanted = tokens.map((_, id) => id).reverse();
      return (budgets ? [...wanted, eos()] : [eos(), ...wanted]).find((id) => !verdict(id, ids));
    }

    function compile() {
      dfa = null;
      try {
        dfa = compiled(3, source.input.value).dfa;
      } catch (error) {
        refused.replaceChildren(...refusal(error, source.input.value, make));
      }
      source.input.setAttribute("aria-invalid", String(!dfa));
      if (dfa) {
        const written = ids.map((id) => (id === eos() ? null : tokens[id]));
        refused.replaceChildren();
        tokens = [...new Set(words.input.value.split(/\s+/).filter(Boolean))].slice(0, TOKENS);
        ids = written.map((token) => (token === null ? eos() : tokens.indexOf(token)));
        table = dfa.table.map((_, state) =>
          tokens.map((token) => {
            const read = symbols(3, token),
              path = walk(dfa, read, state);
            return path.length > read.length ? path.at(-1) : -1;
          }),
        );
        distance = dfa.accepting.map((ends) => (ends ? 0 : Infinity));
        for (let changed = true; changed;) {
          changed = false;
          table.forEach((row, state) =>
            row.forEach((target) => {
              if (target >= 0 && distance[target] + 1 < distance[state]) {
                distance[state] = distance[target] + 1;
                changed = true;
              }
            }),
          );
        }
      }
      draw();
    }

    function draw() {
      for (const part of [figure, said, view]) part.hidden = !dfa;
      if (!dfa) return;
      // what has been written stays as far as this mask would have let it be written
      const good = ids.findIndex((id, n) => n >= limit() || id < 0 || verdict(id, ids.slice(0, n)));
      if (good >= 0) ids = ids.slice(0, good);
      const path = ids.filter((id) => id !== eos()).reduce((path, id) => [...path, table[path.at(-1)][id]], [0]),
        state = path.at(-1),
        ended = ids.at(-1) === eos();
      const steps = ids.length && !ended ? walk(dfa, symbols(3, tokens[ids.at(-1)]), path.at(-2)) : [];
      drawInto(figure, dfa, [state], path, steps, {});
      output.textContent = range.value;
      const name = (id) => (id === eos() ? "EOS" : tokens[id]),
        far = (n) => (n === Infinity ? "\u221e" : String(n)),
        left = limit() - ids.length;
      const buttons = [...tokens, null].map((_, id) => {
        const why = over() ? "over" : verdict(id, ids),
          more = why === "budget" ? ` needs ${far(needs(state, id))}` : "";
        return make(
          "button",
          {
            type: "button",
            disabled: why ? "" : null,
            "aria-label": name(id) + (why ? ", struck" : "") + more,
            onclick: (event) => {
              ids.push(id);
              draw();
              if (!event.detail) undo.focus();
            },
          },
          make("code", {}, name(id)),
          more ? make("small", {}, more) : "",
        );
      });
      const match = dfa.accepting[state],
        hopeless = budgets && which.selectedIndex && distance[0] + 1 > limit();
      said.textContent =
        hopeless && distance[0] === Infinity
          ? "Refused before the first token: these tokens can't write any match."
          : hopeless
            ? `Refused before the first token: the shortest match takes ${plural(distance[0] + 1, "token")}, EOS included.`
            : ended
              ? "The model has ended with EOS, so the text is a match, and the finish reason is stop."
              : over()
                ? `Cut: the limit strikes after ${plural(limit(), "token")}, and the finish reason is length. The text ${match ? "is a match, but nobody knows whether the model was done" : "isn't a match"}.`
                : best() === undefined
                  ? "A dead end: no token is legal, not even EOS."
                  : `In state ${state}. The text ${match ? "is a match, so EOS is legal" : "isn't a match yet, so EOS is masked"}.` +
                    (budgets
                      ? ` ${left} of ${plural(limit(), "token")} left; ${far(distance[state])} and EOS to the end.`
                      : "");
      undo.disabled = !ids.length;
      go.disabled = over() || best() === undefined;
      const states = dfa.table.slice(0, ROWS).map((_, from) => from),
        cell = (text, from) => make(from === state ? "td.now" : "td", {}, text),
        head = (text) => make("th", { scope: "col" }, text);
      const table4 = () => [
        make("tr", {}, [head("state"), ...tokens.map(head), head("EOS")]),
        states.map((from) =>
          make(
            from === state ? "tr.chosen" : "tr",
            {},
            make("th", { scope: "row" }, String(from)),
            [...table[from].map((target) => target >= 0), dfa.accepting[from]].map((bit) =>
              make(bit ? "td.leaves" : "td.strikes", {}, bit ? "1" : "0"),
            ),
          ),
        ),
      ];
      const table5 = () => [
        make("tr", {}, [head("state"), ...states.map((from) => head(String(from)))]),
        make(
          "tr",
          {},
          make("th", { scope: "row" }, "tokens to accept"),
          states.map((from) => cell(far(distance[from]), from)),
        ),
      ];
      const [top, body] = budgets ? table5() : table4();
      const keys = make("div.tokens", { role: "group", "aria-label": "tokens" }, buttons);
      oneTabStop(keys);
      view.replaceChildren(
        make("p", {}, "written: ", ids.length ? ids.map((id) => make("span.token", {}, name(id))) : "nothing yet"),
        keys,
        make(
          "div.wide",
          { tabindex: 0, role: "group", "aria-label": "table" },
          make("table", {}, make("thead", {}, top), make("tbody", {}, body)),
        ),
        dfa.table.length > ROWS ? make("p.muted", {}, `The first ${ROWS} of ${dfa.table.length} states.`) : "",
      );
    }
    const set = ([pattern, list, most, begun]) => {
      [source.input.value, words.input.value, range.value, ids] = [pattern, list, most, []];
      compile();
      ids = begun.map((token) => tokens.indexOf(token));
      draw();
    };
    section.append(
      make(
        "div.bar",
        { role: "group", "aria-label": "examples" },
        data.examples.map((example) =>
          make("button", { type: "button", onclick: () => set(example) }, make("code", {}, example[0])),
        ),
      ),
      source.line,
      words.line,
      refused,
      ...(budgets ? [make("div.bar", {}, make("label", { for: range.id }, "max_tokens"), range, output), masks] : []),
      figure,
      make("div.bar", {}, go, undo),
      said,
      view,
    );
    set(data.examples[0]);
  });
