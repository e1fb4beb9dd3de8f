// What a page writes for a reader who has just typed a pattern: the start of a text that fits it.
import { arrows } from "../automata/automata.js";
import { includes, merged } from "../automata/ranges.js";

const READABLE = [..."a1A_-. "].map((char) => char.codePointAt(0));

// A character of a set that a reader knows; surrogates are none.
export function anyOf(ranges) {
  const known = READABLE.find((code) => includes(ranges, code));
  if (known) return known;
  const [first, last] = ranges.find(([, end]) => end >= 0x20) ?? ranges[0];
  const printed = Math.max(first, Math.min(0x21, last));
  return printed >= 0xd800 && printed <= 0xdfff ? Math.min(0xe000, last) : printed;
}

// The code points of a shortest text that the automaton accepts, or null.
export function shortestMatch(dfa) {
  if (dfa.arrowsFrom) return nearestEnd(dfa);
  const texts = new Map([[0, []]]),
    moves = dfa.table.map(() => []);
  for (const { from, to, ranges } of arrows(dfa)) moves[from].push([to, ranges]);
  for (const [state, text] of texts) {
    if (dfa.accepting[state]) return text;
    for (const [to, ranges] of moves[state]) if (!texts.has(to)) texts.set(to, [...text, anyOf(ranges)]);
  }
  return null;
}

// The same over states that are made on demand: each step leads nearer to an end.
function nearestEnd(states) {
  const found = [];
  for (let state = 0; !states.accepting[state];) {
    const nearest = states
      .arrowsFrom(state)
      .reduce((best, arrow) => (best && !states.isNearer(arrow.to, best.to) ? best : arrow), null);
    found.push(anyOf(merged(nearest.ranges)));
    state = nearest.to;
  }
  return found;
}

// Half of a shortest match, so that something is left to write.
export function begunText(dfa, most = 12) {
  const text = shortestMatch(dfa) ?? [];
  return String.fromCodePoint(...text.slice(0, Math.min(Math.ceil(text.length / 2), most)));
}
