// Whole automata of trees, and what can be made of several.
import { classOf, minimal, splitAlphabet, walk } from "./automata.js";
import { codesOf, LAST } from "./ranges.js";
import { fail } from "../refusals.js";
import { RuleStates } from "../guides/rules.js";
import { Trees } from "./trees.js";

const MOST_STATES = 4000,
  BEYOND = 2 * LAST + 1; // letters, which stand for trees, are codes beyond all characters
const tooLarge = () => fail("an automaton of this schema grows too large for this page");

export const ANY_TEXT = {
  bounds: [0, 0xd800, 0xe000, LAST + 1],
  classes: [0, -1, 0, -1],
  table: [[0]],
  accepting: [true],
};
export const NO_TEXT = { bounds: [0], classes: [-1], table: [[]], accepting: [false] };

// The smallest automaton of a tree that calls no rules.
export function dfaOf(tree, trees) {
  const rules = new RuleStates({ names: ["the whole"], bodies: [tree], trees });
  if (rules.initial[0] < 0) return NO_TEXT;
  const states = new Set([rules.initial[0]]);
  for (const state of states) {
    // it grows meanwhile
    for (const target of rules.row(state).targets) if (target >= 0) states.add(target);
    if (states.size > MOST_STATES) tooLarge();
  }
  const numbers = new Map([...states].map((state, number) => [state, number]));
  return minimal(
    tabled(
      [...states].map((state) => rules.row(state)),
      (target) => numbers.get(target) ?? -1,
    ),
  );
}

// Rows of bounds and targets as one table over classes of characters.
function tabled(rows, numberOf) {
  const sets = new Map();
  const targetsOf = rows.map(({ bounds, targets }) => {
    const of = new Map();
    targets.forEach(
      (target, n) =>
        target >= 0 && of.set(target, [...(of.get(target) ?? []), [bounds[n], (bounds[n + 1] ?? BEYOND) - 1]]),
    );
    for (const ranges of of.values()) sets.set(ranges.join(), ranges);
    return of;
  });
  const { bounds, classes, size, of } = splitAlphabet([...sets.values()]);
  const table = targetsOf.map((row) => {
    const found = new Array(size).fill(-1);
    for (const [target, ranges] of row) for (const each of of.get(ranges.join())) found[each] = numberOf(target);
    return found;
  });
  return { bounds, classes, table, accepting: rows.map((row) => row.ends) };
}

// Both automata at once; `accepts` says of which pairs of states a text may end in, -1 for dead ones.
function product(one, other, accepts) {
  const bounds = [...new Set([...one.bounds, ...other.bounds])].sort((a, b) => a - b),
    names = new Map(),
    pairsOf = [];
  const classes = bounds.map((bound) => {
    const pair = [classOf(one, bound), classOf(other, bound)],
      key = pair.join();
    if (!names.has(key)) {
      names.set(key, pairsOf.length);
      pairsOf.push(pair);
    }
    return names.get(key);
  });
  const numbers = new Map([["0,0", 0]]),
    states = [[0, 0]],
    table = [];
  const after = (dfa, state, each) => (state < 0 || each < 0 ? -1 : dfa.table[state][each]);
  for (const [a, b] of states) {
    // it grows meanwhile
    table.push(
      pairsOf.map(([first, second]) => {
        const target = [after(one, a, first), after(other, b, second)],
          key = target.join();
        if (key === "-1,-1") return -1;
        if (!numbers.has(key)) numbers.set(key, states.push(target) - 1);
        return numbers.get(key);
      }),
    );
    if (states.length > MOST_STATES) tooLarge();
  }
  const ends = (dfa, state) => state >= 0 && dfa.accepting[state];
  return { bounds, classes, table, accepting: states.map(([a, b]) => accepts(ends(one, a), ends(other, b))) };
}

const bySize = (dfas) => [...dfas].sort((a, b) => a.table.length - b.table.length);
export const intersection = (dfas) =>
  bySize(dfas).reduce((one, other) => minimal(product(one, other, (a, b) => a && b)));
export const union = (dfas) =>
  dfas.length ? bySize(dfas).reduce((one, other) => minimal(product(one, other, (a, b) => a || b))) : NO_TEXT;
export const difference = (one, other) => minimal(product(one, other, (a, b) => a && !b));
export const isEmptyDfa = (dfa) => !dfa.accepting.some(Boolean); // all states can end
export const haveCommonText = (dfas) => !isEmptyDfa(intersection(dfas));

export function matchesText(dfa, text) {
  const codes = codesOf(text),
    path = walk(dfa, codes);
  return path.length > codes.length && dfa.accepting[path.at(-1)];
}

// The automaton of some texts.
export function wordsDfa(texts) {
  const trees = new Trees();
  return dfaOf(
    trees.choice(texts.map((text) => trees.row(codesOf(text).map((code) => trees.chars([[code, code]]))))),
    trees,
  );
}

// The characters of each class, as ranges.
export function classRanges({ bounds, classes, table }) {
  const found = Array.from({ length: table[0].length }, () => []);
  classes.forEach((each, n) => each >= 0 && found[each].push([bounds[n], (bounds[n + 1] ?? BEYOND) - 1]));
  return found;
}

// The lengths of a shortest and of a longest text of an automaton whose states can all end; Infinity if there is none.
export function lengthsOf(dfa) {
  const targets = dfa.table.map((row) => [...new Set(row)].filter((target) => target >= 0));
  return [shortestLength(dfa, targets), longestLength(targets)];
}

function shortestLength(dfa, targets) {
  let level = [0],
    length = 0;
  for (const seen = new Set(level); level.length; length++) {
    if (level.some((state) => dfa.accepting[state])) return length;
    level = level.flatMap((state) => targets[state]).filter((state) => !seen.has(state) && seen.add(state));
  }
  return 0;
}

function longestLength(targets) {
  const incoming = targets.map(() => 0),
    length = targets.map(() => 0);
  for (const target of targets.flat()) incoming[target]++;
  const ready = incoming.flatMap((number, state) => (number ? [] : [state]));
  for (const state of ready)
    // it grows meanwhile
    for (const target of targets[state]) {
      length[target] = Math.max(length[target], length[state] + 1);
      if (!--incoming[target]) ready.push(target);
    }
  return ready.length === targets.length ? Math.max(...length) : Infinity;
}
