// What a page draws of a state: the automaton of the rule that is being read, and the rules that wait below it.
import { END } from "./pushdown.js";

const MOST_DRAWN_STATES = 200,
  BACKSLASH = 0x5c;

// grammar: {names, pointers}. items: a kernel. Of several ways to read a text, the one with the most rules is shown.
export function described({ names, pointers = [] }, rules, items) {
  const open = items.filter(([state]) => state !== END),
    [state, frame] = open[0] ?? [rules.initial[0], null];
  const found = [],
    seen = (each) => found.push(rules.ruleOf(each));
  if (open.length) seen(state);
  for (let below = frame; below && below.returns[0][0] !== END; below = below.returns[0][1]) seen(below.returns[0][0]);
  if (!found.length) found.push(0);
  const stack = found.reverse().map((rule) => ({ label: names[rule], pointer: pointers[rule] ?? "" }));
  const ended = !open.length;
  return { ...automatonOf(rules, rules.initial[found.at(-1)], ended ? null : state, names), stack };
}

// {dfa, at}: the states of a rule that are near its first one, or near the current one.
function automatonOf(rules, initial, current, names) {
  const plain = reached(rules, initial, false),
    at = current === null ? endOf(rules, plain) : current;
  const states = plain.has(at)
    ? plain
    : reached(rules, initial, true).has(at)
      ? reached(rules, initial, true)
      : reached(rules, at, true);
  return drawn(rules, [...states], at, names);
}
const endOf = (rules, states) => [...states].find((state) => rules.row(state).ends) ?? [...states][0];

// States in the order in which they are met; without escapes, no backslash is read.
function reached(rules, start, escapes) {
  const found = new Set([start]);
  for (const state of found) {
    // it grows meanwhile
    if (found.size > MOST_DRAWN_STATES) break;
    const { bounds, targets, calls } = rules.row(state);
    targets.forEach((target, n) => target >= 0 && (escapes || bounds[n] !== BACKSLASH) && found.add(target));
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
