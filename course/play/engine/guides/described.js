// What a page draws of a state: the automaton of the rule that is being read, and the rules that wait below it.
import { END } from "./pushdown.js";

const MOST_DRAWN_STATES = 200;

// grammar: {names, pointers, leftOut}; the last are characters that aren't drawn as long as the text has none. items: a kernel. Of several ways to read a text, the first is shown.
// {dfa, at, stack: [{label, pointer}], rule}: the automaton of the rule that is being read, its current state, the open
// rules from the outermost to this one, and its number.
// Where nothing can be read but what another rule begins with, that rule is the one that is read.
export function described({ names, pointers = [], leftOut = [] }, rules, items) {
  const [top, frame] = items.find(([each]) => each !== END) ?? [null, null],
    open = top === null ? [0] : [rules.ruleOf(top)];
  for (let below = frame; below && below.returns[0][0] !== END; below = below.returns[0][1])
    open.unshift(rules.ruleOf(below.returns[0][0]));
  let state = top;
  for (let called; (called = onlyCall(rules, state)) !== null; state = rules.initial[called]) open.push(called);
  const stack = open.map((rule) => ({ label: names[rule], pointer: pointers[rule] ?? "" })),
    rule = open.at(-1);
  return { ...automatonOf(rules, rules.initial[rule], state, names, leftOut), stack, rule };
}

// The rule that a state calls, if it can do nothing else; null for other states. No rule calls itself at once.
function onlyCall(rules, state) {
  if (state === null) return null;
  const { targets, calls, ends } = rules.row(state);
  return calls.length === 1 && !ends && targets.every((target) => target < 0) ? calls[0][0] : null;
}

// {dfa, at}: the states of a rule that are near its first one, or near the current one.
function automatonOf(rules, initial, current, names, leftOut) {
  const plain = reached(rules, initial, leftOut),
    at = current === null ? endingState(rules, plain) : current;
  const tried = [plain, reached(rules, initial, []), reached(rules, at, [])];
  return drawn(rules, [...tried.find((states) => states.has(at))], at, names);
}
const endingState = (rules, states) => [...states].find((state) => rules.row(state).ends) ?? [...states][0];

// States in the order in which they are met, without those that only some characters lead to.
function reached(rules, start, leftOut) {
  const found = new Set([start]);
  for (const state of found) {
    // it grows meanwhile
    if (found.size > MOST_DRAWN_STATES) break;
    const { bounds, targets, calls } = rules.row(state);
    targets.forEach((target, n) => target >= 0 && !leftOut.includes(bounds[n]) && found.add(target));
    for (const [, target] of calls) found.add(target);
  }
  return found;
}

// As a table over the classes of characters that some state tells apart; what calls a rule is listed beside.
function drawn(rules, states, at, names) {
  const numbers = new Map(states.map((state, number) => [state, number])),
    rows = states.map((state) => rules.row(state));
  const bounds = [...new Set(rows.flatMap((row) => row.bounds))].sort((a, b) => a - b);
  const table = rows.map((row) => {
    let place = -1;
    return bounds.map((bound) => {
      while (place + 1 < row.bounds.length && row.bounds[place + 1] <= bound) place++;
      return numbers.get(row.targets[place]) ?? -1;
    });
  });
  const called = (row, from) => row.calls.map(([rule, to]) => ({ from, to: numbers.get(to), name: names[rule] }));
  const calls = rows.flatMap(called).filter(({ to }) => to !== undefined);
  const dfa = { bounds, classes: bounds.map((_, n) => n), table, accepting: rows.map((row) => row.ends), calls };
  return { dfa, at: numbers.get(at) };
}
