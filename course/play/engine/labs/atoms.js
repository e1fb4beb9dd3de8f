// Lab 02's own language: atoms, each perhaps with a plus. What it refuses, it refuses with lab 02's words.
import { determinised } from "../automata/automata.js";
import { MOST_CHARACTERS } from "../automata/patterns.js";
import { merged } from "../automata/ranges.js";
import { count, fail } from "../refusals.js";

const MOST_IN_CLASS = 4096,
  CONTROL = { n: "\n", r: "\r", t: "\t" };
const NO_ATOM = {
  "*": "repetition by '*'",
  "?": "the optional '?'",
  "{": "counted repetition '{'",
  "(": "a group '('",
  ")": "a group's end ')'",
  "|": "the choice '|'",
  ".": "the dot (for a full stop write '\\.')",
  "^": "the anchor '^'",
  $: "the anchor '$'",
};

// The automaton of a pattern: state n is after the first n atoms.
export function atoms(pattern) {
  const chars = [...pattern],
    moves = [[]];
  if (chars.length > MOST_CHARACTERS) fail(`the pattern has ${count(chars.length)} characters`);
  let before = null;
  for (let at = 0; at < chars.length;) {
    const atom = readAtom(chars, at, before);
    moves.at(-1).push([atom.ranges, moves.length]);
    moves.push(atom.plus ? [[atom.ranges, moves.length]] : []);
    [before, at] = [atom, atom.end];
  }
  return determinised({ moves, epsilon: moves.map(() => []), initial: 0, accepting: moves.length - 1 });
}

function readAtom(chars, start, before) {
  const char = chars[start];
  if (char === "+") fail(before ? "'+' after '+'" : "'+' with nothing to repeat", start);
  if (char in NO_ATOM) fail(NO_ATOM[char], start);
  const { ranges, end } = char === "[" ? readClass(chars, start) : readSingle(chars, start);
  const plus = chars[end] === "+",
    atom = { ranges: merged(ranges), plus, end: end + plus };
  const size = atom.ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (size > MOST_IN_CLASS) fail(`a class of more than ${count(MOST_IN_CLASS)} characters`, start);
  atom.source = chars.slice(start, atom.end).join("");
  checkApart(before, atom, start);
  return atom;
}

// After an atom with a plus, another one that takes the same character would need a choice.
function checkApart(before, atom, start) {
  if (!before?.plus) return;
  const common = atom.ranges.flatMap(([a, b]) =>
    before.ranges.flatMap(([c, d]) => (Math.max(a, c) <= Math.min(b, d) ? [Math.max(a, c)] : [])),
  );
  const shared = common.length && String.fromCodePoint(Math.min(...common));
  if (shared) fail(`'${before.source}' and then '${atom.source}': both take '${shared}'`, start);
}

function readSingle(chars, at) {
  const [char, end] = character(chars, at),
    code = char.codePointAt(0);
  return { ranges: [[code, code]], end };
}

// A character, perhaps after a backslash, and the position after it.
function character(chars, at) {
  if (chars[at] !== "\\") return [chars[at], at + 1];
  if (at + 1 === chars.length) fail("a backslash with nothing after it", at);
  const char = chars[at + 1];
  if (!CONTROL[char] && /[a-zA-Z0-9]/.test(char)) fail(`the escape '\\${char}'`, at);
  return [CONTROL[char] || char, at + 2];
}

function readClass(chars, start) {
  const ranges = [];
  let at = start + 1;
  if (chars[at] === "^") fail("a negated class '[^'", start);
  while (chars[at] !== "]") {
    if (at >= chars.length) fail("this class is never closed", start);
    const [first, after] = character(chars, at);
    const isRange = chars[after] === "-" && after + 1 < chars.length && chars[after + 1] !== "]";
    const [last, end] = isRange ? character(chars, after + 1) : [first, after];
    if (last.codePointAt(0) < first.codePointAt(0)) fail(`the range '${first}' to '${last}' runs backwards`, at);
    ranges.push([first.codePointAt(0), last.codePointAt(0)]);
    at = end;
  }
  if (!ranges.length) fail("this class is empty (for the bracket itself write '\\]')", start);
  return { ranges, end: at + 1 };
}
