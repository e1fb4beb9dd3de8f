// The automaton of what is being written, with the current state lit, and the stack of rules that wait below it.
import { walk } from "../../engine/automata/automata.js";
import { codesOf } from "../../engine/automata/ranges.js";
import { Refused } from "../../engine/refusals.js";
import { drawInto, graphviz } from "../picture.js";

// {element, show(guide, state, text of the token that comes next or null, its name)}
export function automatonView() {
  const figure = make("div.automaton", { tabindex: 0, role: "group", "aria-label": "automaton" }), where = make("p.where");
  const element = make("div.moving", { hidden: "" }, where, figure);
  let asked = 0;

  async function show(guide, state, text, name) {
    const number = ++asked;
    element.hidden = !guide || !state;
    if (element.hidden) return;
    graphviz.instance ??= await loaded("vendor/viz.js").then(() => Viz.instance());
    if (number !== asked) return;  // another step is looked at by now
    const described = describedBy(guide, state);
    element.hidden = !described;
    if (!described) return;
    const { dfa, at, stack } = described, path = walk(dfa, codesOf(text ?? ""), at);
    const rules = stack.flatMap(({ label }, n) => [n ? " \u203a " : "", make("span.member", {}, label)]);
    const next = text === null ? ["; here the text ends"] : ["; next comes ", make("code", {}, name)];
    where.replaceChildren("Where the mask is: ", ...rules, `, in state ${at}`, ...next);
    drawInto(figure, dfa, [at], path, path, { chains: true });
  }
  return { element, show };
}

// Null if the automaton is too large to be drawn.
function describedBy(guide, state) {
  try { return guide.describe(state); }
  catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}
