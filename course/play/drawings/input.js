import { arrowsFrom, closure, minimal, survived, walk } from "../engine/automata/automata.js";
import { insideCharacter } from "../engine/automata/bytes.js";
import { compiled, masked, symbols } from "../engine/labs/labs.js";
import { begunText, shortestMatch } from "../engine/labs/proposals.js";
import { count, refusal, Refused } from "../engine/refusals.js";
import { hexOf, repr } from "./shown_text.js";
import { charName, drawInto, graphviz, label } from "./picture.js";

// The reader's own input: a pattern or a schema, its automaton, a text, and the mask over some thousand tokens.
// Where a text is in its schema: for each member of the object whether it is written, being written, next, or left out.
function members({ keys, required }, text) {
  const written = [];
  let depth = 0, string = false, escaped = false, key = null, current = null, expects = false;
  for (const char of text) {
    if (string) {
      if (key !== null) key += char;
      if (!escaped && char === '"') { string = false; if (key !== null) { current = JSON.parse(key); key = null; expects = false; } }
      escaped = !escaped && char === "\\";
    } else if (char === '"') { string = true; if (depth === 1 && expects) key = char; }
    else if ("{[".includes(char)) { depth++; if (depth === 1) expects = true; }
    else if ("}]".includes(char)) { depth--; if (!depth && current !== null) { written.push(current); current = null; } }
    else if (char === "," && depth === 1) { written.push(current); current = null; expects = true; }
  }
  const last = current === null ? keys.indexOf(written[written.length - 1]) : keys.indexOf(current), over = !depth && text !== "";
  let open = depth === 1 && expects;
  return keys.map((name, n) => {
    const needed = required.includes(name), fits = JSON.stringify(name).startsWith(key ?? ""), next = open && n > last;
    if (next && needed) open = false;
    return { name, needed, is: name === current ? "now" : written.includes(name) ? "written" : n < last || over ? "left out" : next && fits ? "next" : "" };
  });
}

function section(data, section, { make, choice, oneTabStop, plural }) {
  const { lab } = data, code = (text) => make("code", {}, text);
  const tokens = mtlTyped.tokens.map((each) => {
    const whole = typeof each === "string" ? each : null, bytes = whole === null ? each : [...new TextEncoder().encode(whole)];
    return { text: whole, bytes, name: whole === null ? hexOf(bytes) : repr(whole), symbols: lab === 7 ? bytes : whole === null ? null : symbols(lab, whole) };
  });
  const options = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
  const source = lab === 8 ? make("textarea.typed", { rows: 9, ...options }) : make("input.typed", { type: "text", ...options });
  const text = make("textarea.typed", { rows: 1, ...options }), refused = make("p.wrong", { "aria-live": "polite" }), view = make("div");
  const said = make("p", { "aria-live": "polite" }), figure = make("div.automaton", { tabindex: 0, role: "group", "aria-label": "automaton" });
  const caption = make("p.muted"), changed = make("p.note", { "aria-live": "polite" });
  // What the reader has written; the field may show something else while that doesn't fit the pattern.
  let own = "";
  let made = null, stage = "dfa", pending = [], walked = null, timer, rows = null;
  const stages = { nfa: "NFA", whole: "DFA", dfa: "minimal DFA" };
  const pick = lab === 6 ? choice("drawn:", Object.values(stages), (n) => { stage = Object.keys(stages)[n]; show(); }) : null;
  if (pick) pick.querySelector("select").selectedIndex = 2;

  function compile() {
    made = null;
    walked = rows = null;
    try {
      made = compiled(lab, source.value);
      refused.replaceChildren();
    } catch (error) { refused.replaceChildren(...refusal(error, source.value, make)); }
    source.setAttribute("aria-invalid", String(!made));
    if (made) proposeText();
    show();
  }

  // A text that the new pattern can't have is replaced by the start of one that it can; and comes back if it fits again.
  function proposeText() {
    const read = symbols(lab, own), fits = walk(made.dfa, read).length > read.length;
    const wanted = fits ? own : begunText(lab === 7 ? minimal(made.whole) : made.dfa);
    if (text.value !== wanted) [text.value, pending] = [wanted, []];
    changed.replaceChildren(...(fits ? [] : ["Your text, ", code(repr(own)), ", doesn't fit this. Here's the start of one that does."]));
  }

  function tap(id, event) {
    const token = tokens[id], { dfa } = made, state = stateOf().path.at(-1), path = walk(dfa, token.symbols, state);
    walked = { token, path };
    if (path.length > token.symbols.length) {
      const bytes = [...pending, ...token.bytes];
      let cut = bytes.length;
      while (utf8Text(bytes.slice(0, cut)) === null) cut--;
      text.value += utf8Text(bytes.slice(0, cut));
      pending = bytes.slice(cut);
      own = text.value;
      changed.replaceChildren();
    }
    show();
    if (!event.detail) (view.querySelector(".tokens button") || text).focus();  // by a key: the button is gone
  }
  const utf8Text = (bytes) => { try { return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes)); } catch { return null; } };
  function stateOf() {
    const read = [...symbols(lab, text.value), ...pending], path = walk(made.dfa, read);
    return { read, path, dead: path.length <= read.length };
  }

  function show() {
    for (const part of [figure, caption, changed, said, view]) part.hidden = !made;
    if (!made) return;
    const { dfa } = made, { read, path, dead } = stateOf(), state = path.at(-1), accepts = !dead && dfa.accepting[state], alive = [...text.value].slice(0, path.length - 1).join("");
    const now = made.describe?.(state), drawn = now?.dfa ?? (stage === "dfa" ? dfa : made[stage]);
    let lit = [state], track = path;
    if (now) [lit, track] = [[now.at], stepWithin(now, path)];
    if (stage === "nfa") {
      const after = (states, symbol) => [...states].flatMap((from) => drawn.moves[from].filter(([ranges]) => ranges.some(([a, b]) => a <= symbol && symbol <= b)).map(([, to]) => to));
      const now = read.slice(0, path.length - 1).reduce((states, symbol) => closure(drawn, after(states, symbol)), closure(drawn, [drawn.initial]));
      [lit, track] = [[...now].sort((a, b) => a - b), []];
    }
    if (stage === "whole") { track = walk(drawn, read); lit = [track.at(-1)]; }
    if (lab > 1) {
      const graph = drawInto(figure, drawn, lit, track, walked && !now && stage === "dfa" ? walked.path : track.slice(-2), { bytes: lab === 7, chains: lab === 8 });
      caption.textContent = lab === 8 ? "An arrow may read several characters, and a dashed one a whole array or object. Escapes inside strings are left out."
        : graph.nodes.length < graph.size ? `${graph.nodes.length} of ${count(graph.size)} states are drawn, those around the current one.` : "";
    }
    const name = (symbol) => charName(symbol, lab === 7), unit = lab === 7 ? "byte" : "character";
    const many = lit.length > 1, inside = lab === 7 && insideCharacter(dfa, state) ? ", within a character" : "";
    const stuck = lab === 1 ? ": whatever follows, the text can't become a match." : many ? ": none of the states has a transition for it." : `: state ${lit[0]} has no transition for it.`;
    said.replaceChildren(...(pending.length ? ["After the text comes ", code(hexOf(pending)), ", part of a character. "] : []),
      ...(dead ? [`Dead at ${unit} ${path.length}, `, code(name(read[path.length - 1])), stuck]
        : [lab === 1 ? "" : `In ${many ? `${lit.length} states at once: ` : "state "}${lit.join(", ")}${inside}. `, accepts ? "The text is a match, so EOS is allowed." : "The text isn't a match yet, so EOS is masked."]));
    const parts = [];
    if (now) parts.push(make("p", {}, "Open: ", make("span.stack", {}, now.stack.flatMap(({ label, pointer }, n) => [n ? " \u203a " : "", make("span.rule", { title: pointer || "the root" }, label)]))));
    const boxes = made.members ? members(made.members, dead ? alive : text.value) : [];
    const member = ({ name, needed, is }) => make(`span.member${is ? "." + is.replace(" ", "-") : ""}`, {}, code(name + (needed ? "" : "?")), is ? ` ${is}` : "");
    if (boxes.length) parts.push(make("div.tokens", { role: "group", "aria-label": "members" }, boxes.map(member)));
    const next = arrowsFrom(dfa, state).map(({ ranges }) => make("span.token", {}, label(ranges, lab === 7)));
    if (lab > 1 && !dead) parts.push(make("p", {}, "Next may come: ", next.length ? next : `nothing${accepts ? ", only EOS" : ""}.`));
    parts.push(...maskParts(dfa, state, dead, accepts, read));
    view.replaceChildren(...parts);
    view.querySelectorAll(".tokens:has(button)").forEach(oneTabStop);
  }

  // The last step in the drawn automaton, if it was one within the same rule.
  function stepWithin(now, path) {
    const before = path.length > 1 && made.describe(path.at(-2)), same = before && before.rule === now.rule && before.dfa.table.length === now.dfa.table.length;
    return same ? [before.at, now.at] : [now.at];
  }

  function maskParts(dfa, state, dead, accepts, read) {
    const { allowed, refused } = dead ? { allowed: [], refused: [] } : masked(dfa, state, tokens), withText = tokens.filter((token) => token.symbols);
    const chip = (struck) => (id) => make(struck ? "button.struck" : "button", { type: "button", "aria-label": `${tokens[id].name}${struck ? ", refused" : ""}`, onclick: (event) => tap(id, event) }, tokens[id].name);
    const parts = [make("p", {}, make("b", {}, `${count(allowed.length)} of ${count(tokens.length)} tokens`), ` may come next${accepts ? ", and EOS" : "; EOS may not"}.`, allowed.length ? " Tap one to write it:" : "")];
    // Longer tokens first, and what can be read before what can't; a few of one symbol among them. A field has no \r.
    const strange = (id) => tokens[id].name.includes("\\") ? 2 : tokens[id].text === null ? 1 : 0, best = allowed.filter((id) => !tokens[id].bytes.includes(13)).sort((a, b) => strange(a) - strange(b));
    const long = best.filter((id) => tokens[id].symbols.length > 1), shown = [...long.slice(0, 12), ...best.filter((id) => tokens[id].symbols.length === 1), ...long.slice(12)].slice(0, 16);
    if (allowed.length) parts.push(make("div.tokens", { role: "group", "aria-label": "allowed tokens" }, shown.map(chip(false)), allowed.length > 16 ? make("span.muted", {}, `and ${count(allowed.length - 16)} more`) : ""));
    if (refused.length) parts.push(make("p", {}, "Refused after a good start:"), make("div.tokens", { role: "group", "aria-label": "refused tokens" }, refused.slice(0, 6).map(chip(true))));
    const cost = (from) => withText.reduce((sum, token) => sum + Math.min(survived(dfa, token.symbols, from) + 1, token.symbols.length), 0);
    if (lab !== 2 && lab !== 8 && /\\[dswDSW]/.test(source.value)) parts.push(make("p.muted", {}, "On this page \\d, \\s and \\w mean ASCII's."));
    if (lab === 1) parts.push(make("p.muted", {}, `For this one mask ${count(withText.length)} texts were tested, ${plural(withText.reduce((sum, token) => sum + read.length + token.symbols.length, 0), "character")} in all.`));
    if (lab === 2 && !dead) parts.push(make("p.muted", {}, `For this one mask all tokens were walked from state ${state}, with ${plural(cost(state), "look-up")}.`));
    if (lab === 6) parts.push(make("p.muted", {}, `${plural(made.nfa.moves.length, "state")} in the NFA, ${count(made.whole.table.length)} in the DFA, ${count(dfa.table.length)} in the minimal one.`));
    if (walked && lab > 1) {
      const { token, path } = walked, over = path.length <= token.symbols.length;
      const read = (n) => lab === 7 ? charName(token.symbols[n], true) : `'${charName(token.symbols[n])}'`;
      const steps = path.slice(1).map((to, n) => ` --${read(n)}--> ${to}`).join("") + (over ? ` --${read(path.length - 1)}--> dead` : "");
      const alive = path.slice(1).map((_, n) => read(n)).join(" "), told = lab === 8 ? [`${alive}${over ? ` and then ${read(path.length - 1)}, which is dead` : ""}`] : [path[0] + steps];
      parts.splice(1, 0, make("p", {}, "The walk of ", code(token.name), ": ", code(told)));
    } else if (walked && walked.path.length <= walked.token.symbols.length) parts.splice(1, 0, make("p", {}, code(repr(text.value + walked.token.text)), " can't become a match."));
    if (lab === 3) {
      rows ||= { lookups: dfa.table.reduce((sum, _, from) => sum + cost(from), 0), ends: dfa.table.slice(0, 12).map((_, from) => {
        const ends = new Map();
        for (const token of withText) { const path = walk(dfa, token.symbols, from); if (path.length > token.symbols.length) ends.set(path.at(-1), (ends.get(path.at(-1)) || 0) + 1); }
        return [...ends].sort((a, b) => a[0] - b[0]);
      }) };
      const heads = ["state", "allowed", "of these lead to"].map((head) => make("th", { scope: "col" }, head));
      const row = (ends, from) => make(from === state ? "tr.chosen" : "tr", {}, make("th", { scope: "row" }, String(from)),
        make("td", {}, count(ends.reduce((sum, [, n]) => sum + n, 0))), make("td", {}, ends.map(([to, n]) => `state ${to}: ${count(n)}`).join(", ")));
      parts.push(make("div.wide", { tabindex: 0, role: "group", "aria-label": "table" }, make("table", {}, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows.ends.map(row)))),
        make("p.muted", {}, `The table was made once, with ${plural(rows.lookups, "look-up")}. Each mask since then is one of its rows.`));
    }
    return parts;
  }

  const set = (example) => { [source.value, own] = example; text.value = own; pending = []; compile(); };
  source.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(compile, 150); });
  text.addEventListener("input", () => { own = text.value; changed.replaceChildren(); pending = []; walked = null; show(); });
  section.append(make("div.bar", { role: "group", "aria-label": "examples" }, data.examples.map((example, n) => make("button", { type: "button", onclick: () => set(example) }, lab === 8 ? `schema ${n + 1}` : code(example[0])))),
    make("label.field", {}, make("span", {}, lab === 8 ? "schema" : "pattern"), source), refused,
    ...(pick ? [pick] : []), ...(lab > 1 ? [figure, caption] : []), make("label.field", {}, make("span", {}, "text"), text), changed, said, view);
  set(data.examples[0]);
}
Object.assign(section, { compiled, symbols, masked, walk, drawInto, refusal, Refused, graphviz, begunText, shortestMatch });
