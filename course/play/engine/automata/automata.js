// Lab 06: from a tree to an NFA, to a DFA, and to the smallest DFA.
// A DFA is {bounds, classes, table, accepting}: bounds[n] is the first symbol of a range, classes[n] the range's class or
// -1, and table[state][class] the next state or -1. State 0 is the initial one.
import { LAST, merged } from "./ranges.js";
import { count, fail, Work } from "../refusals.js";

const MOST_NFA = 5000,
  MOST_DFA = 1000,
  MOST_WORK = 4e6;
const explodes = (what, most) => fail(`this pattern explodes: it needs more than ${count(most)} ${what}`);

// A state is what is still to be read, and the state to continue in. State 0 accepts, state 1 is the initial one.
export function unfolded({ tree, trees }) {
  const moves = [[]],
    epsilon = [[]],
    pairs = [null],
    numbers = new Map();
  const state = (node, after) => {
    const key = `${node.id},${after}`;
    if (!numbers.has(key)) {
      numbers.set(key, pairs.length);
      pairs.push([node, after]);
      if (pairs.length > MOST_NFA) explodes("NFA states", MOST_NFA);
    }
    return numbers.get(key);
  };
  state(tree, 0);
  for (let n = 1; n < pairs.length; n++) {
    // the list grows meanwhile
    const [node, after] = pairs[n];
    moves.push(node.kind === "chars" ? [[node.ranges, after]] : []);
    epsilon.push(node.kind === "chars" ? [] : freeMoves(node, after, state, trees));
  }
  return { moves, epsilon, initial: 1, accepting: 0 };
}

// The states that a node leads to without reading anything; `state` numbers a node and what comes after it.
export function freeMoves(node, after, state, trees) {
  if (node.kind === "concat") return [node.parts.reduceRight((next, part) => state(part, next), after)];
  if (node.kind === "either") return node.options.map((option) => state(option, after));
  const { body, least, most } = node;
  if (most === 0) return [after];
  const rest = () => trees.times(body, Math.max(least - 1, 0), most === null ? null : most - 1);
  const again = most === 1 ? after : state(rest(), after);
  return [state(body, again), ...(least ? [] : [after])];
}

export function closure(nfa, states) {
  const found = new Set(),
    waiting = [...states].reverse();
  while (waiting.length) {
    const state = waiting.pop();
    if (found.has(state)) continue;
    found.add(state);
    waiting.push(...[...nfa.epsilon[state]].reverse());
  }
  return found;
}

// Split the symbols into classes that none of some sets tells apart: {bounds, classes, size, of}, where `of` gives the
// classes within a set, by the text of its ranges.
export function splitAlphabet(sets) {
  const distinct = [...new Map(sets.map((ranges) => [ranges.join(), ranges])).entries()];
  const changes = new Map(),
    of = new Map(distinct.map(([key]) => [key, []]));
  const flip = (place, key) => changes.set(place, [...(changes.get(place) ?? []), key]);
  for (const [key, ranges] of distinct)
    for (const [first, last] of ranges) {
      flip(first, key);
      flip(last + 1, key);
    }
  const bounds = [...changes.keys()].sort((a, b) => a - b),
    inside = new Set(),
    names = new Map();
  const classes = bounds.map((bound) => {
    for (const key of changes.get(bound)) if (!inside.delete(key)) inside.add(key);
    const name = [...inside].sort().join(";");
    if (!name) return -1;
    if (!names.has(name)) {
      for (const key of inside) of.get(key).push(names.size);
      names.set(name, names.size);
    }
    return names.get(name);
  });
  return { bounds, classes, size: names.size, of };
}

// Each state of the DFA is a set of NFA states, those that a text leads to.
export function determinised(nfa) {
  const { bounds, classes, size, of } = splitAlphabet(nfa.moves.flat().map(([ranges]) => ranges));
  const moves = nfa.moves.map((row) => row.map(([ranges, target]) => [of.get(ranges.join()), target]));
  const numbers = new Map([[String(nfa.initial), 0]]),
    subsets = [[nfa.initial]],
    table = [],
    accepting = [];
  const work = new Work(MOST_WORK, "this pattern explodes: its automaton takes too long to make in a page");
  const numberOf = (targets) => {
    const subset = [...new Set(targets)].sort((a, b) => a - b),
      key = subset.join();
    if (!numbers.has(key)) {
      numbers.set(key, subsets.length);
      subsets.push(subset);
      if (subsets.length > MOST_DFA) explodes("states", MOST_DFA);
    }
    return numbers.get(key);
  };
  for (let n = 0; n < subsets.length; n++) {
    // the list grows meanwhile
    const closed = closure(nfa, subsets[n]),
      row = new Array(size).fill(-1);
    for (const [each, targets] of targetsByClass(moves, closed, work)) row[each] = numberOf(targets);
    accepting.push(closed.has(nfa.accepting));
    table.push(row);
  }
  return { bounds, classes, table, accepting, subsets };
}

function targetsByClass(moves, states, work) {
  const met = new Map(); // classes in the order in which moves name them
  for (const state of states)
    for (const [read, target] of moves[state]) {
      work.spend(read.length);
      for (const each of read) {
        if (met.has(each)) met.get(each).push(target);
        else met.set(each, [target]);
      }
    }
  work.spend(states.size);
  return met;
}

// For each state the fewest steps to an accepting one, or -1.
function distancesToEnd(dfa) {
  const distance = dfa.accepting.map((ends) => (ends ? 0 : -1)),
    before = dfa.table.map(() => []);
  dfa.table.forEach((row, state) => row.forEach((target) => target >= 0 && before[target].push(state)));
  const waiting = dfa.accepting.flatMap((ends, state) => (ends ? [state] : []));
  for (const state of waiting)
    // it grows meanwhile
    for (const each of before[state])
      if (distance[each] < 0) {
        distance[each] = distance[state] + 1;
        waiting.push(each);
      }
  return distance;
}

// The block of each state: states with different distances to an end differ, and blocks are split until none changes.
function equalStates(dfa, distance) {
  let block = distance,
    size = new Set(block).size;
  for (;;) {
    const names = new Map();
    const next = dfa.table.map((row, state) => {
      if (distance[state] < 0) return -1;
      const key = `${block[state]}:${row.map((target) => (target < 0 ? -1 : block[target]))}`;
      if (!names.has(key)) names.set(key, names.size);
      return names.get(key);
    });
    const found = new Set(next).size;
    if (found === size) return next;
    [block, size] = [next, found];
  }
}

// The smallest automaton; without merge, only the states from which no text can end are gone.
export function minimal(dfa, merge = true) {
  const { bounds, classes } = dfa,
    distance = distancesToEnd(dfa);
  const block = merge ? equalStates(dfa, distance) : distance.map((far, state) => (far < 0 ? -1 : state));
  if (block[0] < 0) return { bounds, classes: classes.map(() => -1), table: [[]], accepting: [false] };
  const number = new Map(),
    first = [];
  block.forEach((each, state) => {
    if (each < 0 || number.has(each)) return;
    number.set(each, first.length);
    first.push(state);
  });
  const after = (target) => (target < 0 || block[target] < 0 ? -1 : number.get(block[target]));
  const table = first.map((state) => dfa.table[state].map(after));
  return { bounds, classes, table, accepting: first.map((state) => dfa.accepting[state]) };
}

export function classOf({ bounds, classes }, symbol) {
  let low = 0,
    high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle] <= symbol) low = middle + 1;
    else high = middle;
  }
  return low ? classes[low - 1] : -1;
}

// States that are made on demand know their steps themselves.
export function step(dfa, state, symbol) {
  if (dfa.step) return dfa.step(state, symbol);
  const each = classOf(dfa, symbol);
  return each < 0 ? -1 : dfa.table[state][each];
}

// The states on the way, as far as it is alive.
export function walk(dfa, symbols, start = 0) {
  const path = [start];
  for (const symbol of symbols) {
    const next = step(dfa, path.at(-1), symbol);
    if (next < 0) break;
    path.push(next);
  }
  return path;
}

// How many symbols the automaton survives.
export function survived(dfa, symbols, state) {
  for (let n = 0; n < symbols.length; n++) if ((state = step(dfa, state, symbols[n])) < 0) return n;
  return symbols.length;
}

// [{from, to, ranges}], one for each pair of states; the same for NFAs, whose epsilon transitions have no ranges.
export function arrows(automaton) {
  const found = new Map();
  const add = (from, to, ranges) => {
    const key = `${from},${to}`;
    if (!found.has(key)) found.set(key, { from, to, ranges: [] });
    found.get(key).ranges.push(...ranges);
  };
  if (automaton.moves) nfaArrows(automaton, add);
  else dfaArrows(automaton, add);
  for (const arrow of found.values()) arrow.ranges = merged(arrow.ranges);
  return [...found.values()];
}

export const arrowsFrom = (dfa, state) =>
  dfa.arrowsFrom ? dfa.arrowsFrom(state) : arrows(dfa).filter(({ from }) => from === state);

function nfaArrows({ moves, epsilon }, add) {
  moves.forEach((row, from) => {
    for (const [ranges, to] of row) add(from, to, ranges);
    for (const to of epsilon[from]) add(from, to, []);
  });
}

function dfaArrows({ bounds, classes, table }, add) {
  table.forEach((row, from) =>
    classes.forEach((each, n) => {
      if (each >= 0 && row[each] >= 0) add(from, row[each], [[bounds[n], (bounds[n + 1] ?? LAST + 1) - 1]]);
    }),
  );
}
