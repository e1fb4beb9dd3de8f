// How few bytes the texts of a tree have: Infinity if it has none. Nothing else decides whether a state is dead.
import { BYTE_BLOCKS } from "../automata/bytes.js";
import { LAST } from "../automata/ranges.js";

// Beyond the last character are letters that stand for other trees.
const LENGTHS = [1, 2, 3, 3, 4, 1],
  BLOCKS_AND_LETTERS = [...BYTE_BLOCKS, [LAST + 1, Infinity]];
const shortest = (ranges) =>
  BLOCKS_AND_LETTERS.reduce((least, [low, high], n) => {
    const met = ranges.some(([first, last]) => first <= high && last >= low);
    return met ? Math.min(least, LENGTHS[n]) : least;
  }, Infinity);

// rules: the bytes of each rule that trees may call; a function from the number of a rule.
export class Fewest {
  constructor(rules = () => Infinity) {
    Object.assign(this, { rules, known: new Map(), ways: new Map() });
  }

  of(node) {
    if (!this.known.has(node)) this.known.set(node, this.find(node));
    return this.known.get(node);
  }

  find(node) {
    switch (node.kind) {
      case "chars":
        return shortest(node.ranges);
      case "concat":
        return node.parts.reduce((sum, part) => sum + this.of(part), 0);
      case "either":
        return node.options.reduce((least, option) => Math.min(least, this.of(option)), Infinity);
      case "repeat":
        return node.least ? node.least * this.of(node.body) : 0;
      case "call":
        return this.rules(node.rule);
      default:
        return this.ofAutomaton(node);
    }
  }

  // The cheapest way to an accepting state; if only so many characters may come, there must be a way that short.
  ofAutomaton({ dfa, spelling, state, most }) {
    const costs = spelling.map((each) => this.of(each)),
      key = `${costs}`;
    if (!this.ways.has(dfa)) this.ways.set(dfa, new Map());
    const ways = this.ways.get(dfa);
    if (!ways.has(key)) ways.set(key, waysToEnd(dfa, costs));
    const { steps, bytes } = ways.get(key);
    return most !== null && steps[state] > most ? Infinity : bytes[state];
  }
}

function waysToEnd(dfa, costs) {
  const within = costs.map((cost) => (cost < Infinity ? 1 : Infinity));
  return { steps: cheapest(dfa, within), bytes: cheapest(dfa, costs) };
}

// What the cheapest way from each state to an accepting one costs, by rounds, until no way gets cheaper.
function cheapest(dfa, costs) {
  const cost = dfa.accepting.map((ends) => (ends ? 0 : Infinity));
  for (let changed = true; changed;) {
    changed = false;
    for (let state = dfa.table.length - 1; state >= 0; state--)
      dfa.table[state].forEach((target, each) => {
        if (target < 0 || cost[target] + costs[each] >= cost[state]) return;
        cost[state] = cost[target] + costs[each];
        changed = true;
      });
  }
  return cost;
}

// The fewest bytes of rules that call each other: a text of a rule within itself is never its shortest.
export function fewestOfRules(bodies) {
  const known = bodies.map(() => Infinity);
  for (let changed = true; changed;) {
    const fewest = new Fewest((rule) => known[rule]);
    const found = bodies.map((body) => fewest.of(body));
    changed = found.some((each, rule) => each < known[rule]);
    found.forEach((each, rule) => (known[rule] = each));
  }
  return known;
}
