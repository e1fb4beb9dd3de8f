// Rules that call each other, as states over characters that are made when a text first gets there.
// {names, bodies, trees}: the name and the tree of each rule; a tree calls a rule with `trees.call(rule)`. Rule 0 is the
// whole. A state of a rule is a set of what may still be read in it; from every state the rule can end.
import { freeMoves } from "../automata/automata.js";
import { Fewest, fewestOfRules } from "./fewest.js";
import { includes } from "../automata/ranges.js";
import { fail, Work } from "../refusals.js";

const MOST_STEPS = 6e6;
const EXPLODES = "this explodes: the states on the way take too long to make in a page";

export class RuleStates {
  constructor({ names, bodies, trees }) {
    Object.assign(this, { names, bodies, trees, work: new Work(MOST_STEPS, EXPLODES) });
    this.bytes = fewestOfRules(bodies); // of each rule
    this.fewest = new Fewest((rule) => this.bytes[rule]);
    this.pairs = []; // [node, after, bytes to the end of the rule, rule]; after is such a pair's number, or ~rule: its end
    this.pairNumbers = new Map();
    this.subsets = [];
    this.numbers = new Map();
    this.rows = [];
    this.initial = bodies.map((body, rule) => this.number([this.pair(body, ~rule)]));
    this.nullable = this.findNullable();
    this.order = callOrder(
      this.initial.map((state) => this.callsBeforeReading(state)),
      names,
    );
  }

  // What is to be read, and what comes after it.
  pair(node, after) {
    const key = `${node.id},${after}`;
    if (!this.pairNumbers.has(key)) {
      this.work.spend(1);
      const rest = after < 0 ? 0 : this.pairs[after][2],
        rule = after < 0 ? ~after : this.pairs[after][3];
      this.pairNumbers.set(key, this.pairs.length);
      this.pairs.push([node, after, this.fewest.of(node) + rest, rule]);
    }
    return this.pairNumbers.get(key);
  }

  number(pairs) {
    const subset = [...new Set(pairs)]
      .filter((each) => each < 0 || this.pairs[each][2] < Infinity)
      .sort((a, b) => a - b);
    if (!subset.length) return -1;
    const key = subset.join();
    if (!this.numbers.has(key)) {
      this.work.spend(subset.length);
      this.numbers.set(key, this.subsets.length);
      this.subsets.push(subset);
    }
    return this.numbers.get(key);
  }

  // The rule of a state, and the fewest bytes that end it from there.
  ruleOf(state) {
    const [first] = this.subsets[state];
    return first < 0 ? ~first : this.pairs[first][3];
  }

  bytesToEnd(state) {
    return Math.min(...this.subsets[state].map((each) => (each < 0 ? 0 : this.pairs[each][2])));
  }

  // {bounds, targets, calls, ends}: from the code point bounds[n] on, up to the next bound, targets[n] comes next, or -1.
  row(state) {
    return (this.rows[state] ??= this.makeRow(state));
  }

  makeRow(state) {
    const reads = [],
      called = new Map();
    let ends = false;
    for (const each of this.closure(this.subsets[state])) {
      if (each < 0) {
        ends = true;
        continue;
      }
      const [node, after] = this.pairs[each];
      if (node.kind === "chars") reads.push([node.ranges, after]);
      if (node.kind === "call") called.set(node.rule, [...(called.get(node.rule) ?? []), after]);
    }
    const calls = [...called]
      .map(([rule, targets]) => [rule, this.number(targets)])
      .filter(([, target]) => target >= 0);
    return { ...this.parted(reads), calls, ends };
  }

  // The pairs that are reached without reading anything or calling a rule.
  closure(subset) {
    const found = new Set(),
      waiting = [...subset].reverse();
    while (waiting.length) {
      const each = waiting.pop();
      if (found.has(each) || (each >= 0 && this.pairs[each][2] === Infinity)) continue;
      found.add(each);
      this.work.spend(2);
      if (each >= 0) waiting.push(...this.free(each).reverse());
    }
    return found;
  }

  free(each) {
    const [node, after] = this.pairs[each],
      pair = (node, after) => this.pair(node, after);
    if (node.kind === "chars" || node.kind === "call") return [];
    if (node.kind !== "automaton") return freeMoves(node, after, pair, this.trees);
    const { dfa, spelling, state, most } = node,
      found = dfa.accepting[state] ? [after] : [];
    if (most === 0) return found;
    dfa.table[state].forEach((target, symbol) => {
      if (target < 0) return;
      const rest = this.trees.automaton(dfa, spelling, target, most === null ? null : most - 1);
      found.push(pair(spelling[symbol], pair(rest, after)));
    });
    return found;
  }

  // Part the code points where some set of them begins or ends; halves of surrogate pairs are never read.
  parted(reads) {
    const cuts = new Set([0xd800, 0xe000]);
    for (const [ranges] of reads)
      for (const [first, last] of ranges) {
        cuts.add(first);
        cuts.add(last + 1);
      }
    const bounds = [],
      targets = [];
    for (const bound of [...cuts].sort((a, b) => a - b)) {
      this.work.spend(reads.length);
      const half = bound >= 0xd800 && bound < 0xe000;
      const after = half ? [] : reads.filter(([ranges]) => includes(ranges, bound)).map(([, target]) => target);
      const target = after.length ? this.number(after) : -1;
      if (target === (targets.at(-1) ?? -1)) continue;
      bounds.push(bound);
      targets.push(target);
    }
    return { bounds, targets };
  }

  step(state, code) {
    const { bounds, targets } = this.row(state);
    return targets[lastUpTo(bounds, code)] ?? -1;
  }

  calls(state) {
    return this.row(state).calls;
  }

  // The states that are reached without reading anything, the state itself first: calls of nullable rules are passed over.
  unread(state, nullable = this.nullable) {
    const found = new Set([state]);
    if (nullable.size)
      for (const each of found)
        // it grows meanwhile
        for (const [rule, target] of this.calls(each)) if (nullable.has(rule)) found.add(target);
    return [...found];
  }

  mayEnd(state, nullable = this.nullable) {
    return this.unread(state, nullable).some((each) => this.row(each).ends);
  }

  isLast(state) {
    const { targets, calls, ends } = this.row(state);
    return ends && !calls.length && targets.every((target) => target < 0);
  }

  findNullable() {
    for (let nullable = new Set(); ;) {
      const found = this.initial.flatMap((state, rule) => (state >= 0 && this.mayEnd(state, nullable) ? [rule] : []));
      if (found.length === nullable.size) return nullable;
      nullable = new Set(found);
    }
  }

  callsBeforeReading(state) {
    return state < 0 ? [] : this.unread(state).flatMap((each) => this.calls(each).map(([rule]) => rule));
  }
}

// The place of the last bound that is not greater than a number, or -1.
export function lastUpTo(bounds, number) {
  let low = 0,
    high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle] <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The rules, each before those that it calls before it has read anything.
function callOrder(called, names) {
  const order = [],
    open = [],
    done = new Set();
  const visit = (rule) => {
    if (done.has(rule)) return;
    if (open.includes(rule)) {
      const circle = [...open.slice(open.indexOf(rule)), rule].map((each) => names[each]);
      fail(`left recursion: ${circle.join(", ")}`);
    }
    open.push(rule);
    called[rule].forEach(visit);
    open.pop();
    done.add(rule);
    order.unshift(rule);
  };
  called.forEach((_, rule) => visit(rule));
  return order;
}
