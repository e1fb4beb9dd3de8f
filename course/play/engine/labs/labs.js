// One compiler for all labs: what the reader wrote, in the language of that lab.
import { atoms } from "./atoms.js";
import { determinised, minimal, survived, unfolded } from "../automata/automata.js";
import { overBytes, utf8 } from "../automata/bytes.js";
import { CharacterStates } from "../guides/characters.js";
import { described } from "../guides/described.js";
import { NumberedStates } from "../guides/numbered.js";
import { parsed } from "../automata/patterns.js";
import { codesOf } from "../automata/ranges.js";
import { rulesOfSchema } from "../schema/compiler.js";
import { isObject, readJson } from "../schema/json_reader.js";

export function compiled(lab, source) {
  if (lab === 2) return { dfa: minimal(atoms(source)) };
  if (lab === 8) return compiledSchema(source);
  const nfa = unfolded(parsed(source)),
    whole = determinised(nfa),
    dfa = minimal(whole, lab !== 3);
  return { nfa, whole, dfa: lab === 7 ? overBytes(dfa) : dfa };
}

// Lab 08's policy of white space is the compact one. describe(state) is what the page draws; members are the keys of the
// schema's own object, in order, and those that it requires.
function compiledSchema(source) {
  const rules = rulesOfSchema(source, "compact"),
    characters = new CharacterStates(rules),
    dfa = new NumberedStates(characters);
  const describe = (state) => described(rules, characters.rules, dfa.states[state].items);
  return { dfa, describe, members: membersOfRoot(readJson(source)), rules: rules.bodies.length };
}

function membersOfRoot(schema) {
  const [properties, required] = isObject(schema) ? [schema.get("properties"), schema.get("required")] : [];
  return {
    keys: isObject(properties) ? [...properties.keys()] : [],
    required: Array.isArray(required) ? required : [],
  };
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
