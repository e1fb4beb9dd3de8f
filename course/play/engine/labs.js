// One compiler for all labs: what the reader wrote, in the language of that lab.
import { atoms } from "./atoms.js";
import { determinised, minimal, survived, unfolded } from "./automata.js";
import { overBytes, utf8 } from "./bytes.js";
import { parsed } from "./patterns.js";
import { codesOf } from "./ranges.js";
import { expression, MOST_WRITTEN, read } from "./schemas.js";

export function compiled(lab, source) {
  if (lab === 2) return { dfa: minimal(atoms(source)) };
  if (lab === 8) return compiledSchema(source);
  const nfa = unfolded(parsed(source)),
    whole = determinised(nfa),
    dfa = minimal(whole, lab !== 3);
  return { nfa, whole, dfa: lab === 7 ? overBytes(dfa) : dfa };
}

function compiledSchema(source) {
  const schema = read(source),
    pattern = expression(schema);
  const automatonOf = (written) => minimal(determinised(unfolded(parsed(written, { most: MOST_WRITTEN }))));
  return { schema, pattern, drawn: automatonOf(expression(schema, true)), dfa: automatonOf(pattern) };
}

// A text as the symbols that a lab's automaton reads.
export const symbols = (lab, text) => (lab === 7 ? utf8(text) : codesOf(text));

// The mask of a state: the tokens that survive; and of the others those that got furthest.
export function masked(dfa, state, tokens) {
  const allowed = [],
    refused = [];
  tokens.forEach(({ symbols: read }, id) => {
    if (!read) return;
    const alive = survived(dfa, read, state);
    if (alive === read.length) allowed.push(id);
    else if (alive) refused.push([alive, id]);
  });
  return { allowed, refused: refused.sort((a, b) => b[0] - a[0]).map(([, id]) => id) };
}
