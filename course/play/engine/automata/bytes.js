// Lab 07: characters as bytes of UTF-8.
import { arrows, determinised, minimal } from "./automata.js";
import { LAST } from "./ranges.js";

export const utf8 = (text) => [...new TextEncoder().encode(text)];
const bytesOf = (code) => utf8(String.fromCodePoint(code));

// Code points by the number of their bytes; halves of surrogate pairs are none.
export const BYTE_BLOCKS = [
  [0, 0x7f],
  [0x80, 0x7ff],
  [0x800, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, LAST],
];

// A range of code points as sequences of ranges of bytes.
function sequences(first, last) {
  const out = [];
  for (const [low, high] of BYTE_BLOCKS)
    for (let start = Math.max(first, low), end = Math.min(last, high); start <= end;) {
      const stop = endOfRun(start, end),
        bytes = bytesOf(stop);
      out.push(bytesOf(start).map((byte, n) => [byte, bytes[n]]));
      start = stop + 1;
    }
  return out;
}

// The last code point up to which each byte's range is independent of the other bytes.
function endOfRun(start, end) {
  if (end < 0x80) return end;
  let size = 1;
  while (start % (size * 64) === 0 && start + size * 64 - 1 <= end) size *= 64;
  const block = start + size * 64 - 1 - (start % (size * 64));
  return Math.min(block, start + Math.floor((end - start + 1) / size) * size - 1);
}

// The automaton over bytes of one over characters. Characters that end alike share their states.
export function overBytes(dfa) {
  const end = dfa.table.length,
    moves = Array.from({ length: end + 1 }, () => []),
    inner = new Map();
  const before = (box, target) => {
    const key = `${target},${box}`;
    if (!inner.has(key)) {
      inner.set(key, moves.length);
      moves.push([[[box], target]]);
    }
    return inner.get(key);
  };
  for (const { from, to, ranges } of arrows(dfa))
    for (const boxes of ranges.flatMap(([first, last]) => sequences(first, last)))
      moves[from].push([[boxes[0]], boxes.slice(1).reduceRight((target, box) => before(box, target), to)]);
  const epsilon = moves.map((_, state) => (dfa.accepting[state] ? [end] : []));
  return minimal(determinised({ moves, epsilon, initial: 0, accepting: end }));
}

// Whether a state of an automaton over bytes is within a character.
export function insideCharacter(dfa, state) {
  const read = dfa.classes.flatMap((each, n) => (each >= 0 && dfa.table[state][each] >= 0 ? [dfa.bounds[n]] : []));
  return read.length > 0 && read.every((byte) => byte >= 0x80 && byte < 0xc0);
}
