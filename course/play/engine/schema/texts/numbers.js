// Lab 08's numbers: all of them, and those between two exact bounds, compared digit by digit.
import { minimal } from "../../automata/automata.js";
import { dfaOf, difference, intersection, isEmptyDfa, NO_TEXT } from "../../automata/dfas.js";
import { parsed } from "../../automata/patterns.js";
import { fail } from "../../refusals.js";
import { Trees } from "../../automata/trees.js";
import { Decimal } from "./decimals.js";

const MOST_PLACES = 1500,
  MOST_DIGITS_IN_TREE = 60,
  MOST_REMAINDERS = 10_000;
const EXPONENT = "([eE][+-]?[0-9]+)?",
  ZERO = `0(\\.0+)?${EXPONENT}`;
const POSITIVE = `([1-9][0-9]*(\\.[0-9]+)?|0\\.[0-9]*[1-9][0-9]*)${EXPONENT}`,
  MANTISSA = "[1-9](\\.[0-9]+)?";
// Exponents below 300: further out a reader's float is 0 or infinite.
const FLOAT = "[^eE]*([eE][+-]?0*[12]?[0-9]{1,2})?",
  PLAIN = "-?(0|[1-9][0-9]*)(\\.[0-9]+)?";
const INTEGER = "0|-?[1-9][0-9]*",
  NUMBER = "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?";
const FRACTION = "-?(0|[1-9][0-9]*)\\.[0-9]*[1-9][0-9]*|-?[1-9](\\.[0-9]+)?[eE]-0*([1-9]|[1-9][0-9]|[12][0-9]{2})";
const LARGEST = "[1-9](\\.[0-9]{1,16})?[eE]\\+?0*30[0-7]|1(\\.[0-6][0-9]{0,15})?[eE]\\+?0*308";

const trees = new Trees(),
  automata = new Map();
const treeOf = (pattern) => parsed(pattern, { most: Infinity, trees }).tree;
function automatonOfPattern(pattern) {
  if (!automata.has(pattern)) automata.set(pattern, dfaOf(treeOf(pattern), trees));
  return automata.get(pattern);
}
// The automaton of a tree of these trees, in which automata are leaves.
const made = (tree) => dfaOf(tree, trees);
const leaf = (dfa) =>
  trees.automaton(
    dfa,
    rangesOf(dfa).map((ranges) => trees.chars(ranges)),
  );
const rangesOf = ({ bounds, classes, table }) =>
  table[0].map((_, each) => bounds.flatMap((bound, n) => (classes[n] === each ? [[bound, bounds[n + 1] - 1]] : [])));

// The numbers of a case (scalars.js), as a pattern's source or as an automaton; null if there are none.
export function numbersOf(one) {
  const { low, high, whole, multiples, others } = one,
    bounds = low || high;
  if (bounds && whole && !multiples.length && !others.length) {
    const [least, most] = [firstInteger(low), lastInteger(high)];
    if ([least, most].every((each) => each === null || String(each).length <= MOST_DIGITS_IN_TREE))
      return least !== null && most !== null && most < least ? null : integerBetween(least, most);
  }
  if (!bounds && !multiples.length && !others.length && whole !== false) return whole ? INTEGER : NUMBER;
  const found = restricted(one);
  return isEmptyDfa(found) ? null : found;
}

function restricted({ low, high, whole, multiples, others }) {
  let found = intersection([bounded(low, high, whole), ...multiples.map(multiplesOf)]);
  if (whole === false) found = intersection([found, automatonOfPattern(FRACTION)]);
  if (others.length) found = intersection([found, automatonOfPattern(PLAIN)]);
  return others.reduce((left, divisor) => difference(left, multiplesOf(divisor)), found);
}

function bounded(low, high, whole) {
  if (!low && !high) return automatonOfPattern(whole === true ? INTEGER : NUMBER);
  if (whole !== true) return intersection([numberBetween(low, high), automatonOfPattern(FLOAT)]);
  const bound = (value) => value !== null && { value: new Decimal(value, 0), open: false };
  return intersection([
    numberBetween(bound(firstInteger(low)), bound(lastInteger(high)), true),
    automatonOfPattern(INTEGER),
  ]);
}

function firstInteger(bound) {
  if (!bound) return null;
  const first = bound.value.ceil;
  return bound.open && bound.value.isWhole ? first + 1n : first;
}
function lastInteger(bound) {
  if (!bound) return null;
  const last = bound.value.floor;
  return bound.open && bound.value.isWhole ? last - 1n : last;
}

// A pattern of the integers from one to another, null for no bound.
function integerBetween(low, high) {
  const options = [],
    greater = (a, b) => (a > b ? a : b);
  if (high === null || high >= 0n) options.push(withoutSign(greater(low ?? 0n, 0n), high));
  if (low === null || low < 0n)
    options.push(`-(?:${withoutSign(high === null ? 1n : greater(-high, 1n), low === null ? null : -low)})`);
  return options.join("|");
}

function withoutSign(low, high) {
  const first = String(low),
    last = high === null ? null : String(high),
    options = [];
  for (let length = first.length; length <= (last ?? first).length; length++) {
    const start = length === first.length ? first : `1${"0".repeat(length - 1)}`;
    options.push(digitsBetween(start, last && length === last.length ? last : "9".repeat(length)));
  }
  if (last === null) options.push(`[1-9][0-9]{${first.length},}`);
  return options.join("|");
}

// A pattern of the digits from one text to another of the same length.
function digitsBetween(first, last) {
  if (!first) return "";
  const [rest, lastRest] = [first.slice(1), last.slice(1)],
    options = [];
  let [low, high] = [Number(first[0]), Number(last[0])];
  if (low === high) return `${low}(?:${digitsBetween(rest, lastRest)})`;
  if (/[^0]/.test(rest)) options.push(`${low++}(?:${digitsBetween(rest, "9".repeat(rest.length))})`);
  if (/[^9]/.test(lastRest)) options.push(`${high--}(?:${digitsBetween("0".repeat(rest.length), lastRest)})`);
  if (low <= high) options.push(`[${low}-${high}]${rest ? `[0-9]{${rest.length}}` : ""}`);
  return options.join("|");
}

// The automaton of the numbers between two bounds, {value, open} or null; of plain decimals only, where asked for.
function numberBetween(low, high, integer = false) {
  const sides = [];
  if (low) sides.push([low.value, low.open ? [1] : [0, 1]]);
  if (high) sides.push([high.value, high.open ? [-1] : [-1, 0]]);
  if (!sides.length) sides.push([null, []]);
  const positive = intersection(sides.map(([bound, orders]) => comparedTo(bound, orders, integer)));
  // After a minus sign, below a bound is above its opposite.
  const mirrored = ([bound, orders]) =>
    comparedTo(
      bound && bound.negative,
      orders.map((order) => -order),
      integer,
    );
  const negative = intersection(sides.map(mirrored));
  return made(trees.choice([leaf(positive), trees.row([trees.char("-"), leaf(negative)])]));
}

// The unsigned texts whose order to a bound is one of some; all without a bound.
function comparedTo(bound, orders, integer) {
  if (!bound) return automatonOfPattern(`${ZERO}|${POSITIVE}`);
  if (Math.max(Math.abs(bound.leading), Math.abs(bound.exponent), bound.text.length) > MOST_PLACES)
    fail("a bound has too many digits");
  if (bound.sign <= 0) {
    const found =
      bound.sign === 0
        ? [orders.includes(0) && ZERO, orders.includes(1) && POSITIVE]
        : [orders.includes(1) && `${ZERO}|${POSITIVE}`];
    const some = found.filter(Boolean);
    return some.length ? automatonOfPattern(some.join("|")) : NO_TEXT;
  }
  const plain = compareDigits(bound.plain, orders);
  return integer ? plain : made(trees.choice([leaf(plain), ...scientific(bound, orders)]));
}

// One digit that isn't 0 before the point, and an exponent: by the exponent, then by what's before it.
function scientific(bound, orders) {
  const { text, leading } = bound,
    [first, rest] = [text[0], text.slice(1)];
  const mantissa = intersection([
    compareDigits(rest ? `${first}.${rest}` : first, orders),
    automatonOfPattern(MANTISSA),
  ]);
  const further = [
    orders.includes(-1) && exponents(null, leading - 1),
    orders.includes(1) && exponents(leading + 1, null),
  ];
  const equal = trees.row([leaf(mantissa), treeOf(`[eE](?:${exponents(leading, leading)})`)]);
  const other = further.filter(Boolean).join("|");
  return other ? [equal, treeOf(`${MANTISSA}[eE](?:${other})`)] : [equal];
}

// A pattern of the integers between two bounds, with a sign or without, and with any zeros first.
function exponents(low, high) {
  const found = [],
    big = (number) => (number === null ? null : BigInt(number));
  if (high === null || high >= 0) found.push(`\\+?0*(?:${integerBetween(big(Math.max(low ?? 0, 0)), big(high))})`);
  if (low === null || low <= 0)
    found.push(`-0*(?:${integerBetween(big(Math.max(-(high ?? 0), 0)), low === null ? null : big(-low))})`);
  return found.join("|");
}

// An automaton whose states are texts: `step` returns the next one, or null for none.
function explored(initial, step, accepts, alphabet) {
  const codes = [...alphabet].map((char) => char.codePointAt(0)).sort((a, b) => a - b);
  const numbers = new Map([[initial.join(), 0]]),
    states = [initial],
    table = [];
  for (const state of states)
    // it grows meanwhile
    table.push(
      codes.map((code) => {
        const target = step(state, String.fromCodePoint(code));
        if (!target) return -1;
        if (!numbers.has(target.join())) numbers.set(target.join(), states.push(target) - 1);
        return numbers.get(target.join());
      }),
    );
  const bounds = [...new Set(codes.flatMap((code) => [code, code + 1]))];
  return { bounds, classes: bounds.map((bound) => codes.indexOf(bound)), table, accepting: states.map(accepts) };
}

// The plain decimals whose order to a bound is one of some. A state: the part of the number, the digits read in it, and
// the order of the first ones that differ.
function compareDigits(bound, orders) {
  const [whole, fraction = ""] = bound.split(".");
  const step = ([part, count, order], char) => {
    if (char === ".") return part === "whole" ? ["fraction", 0, Math.sign(count - whole.length) || order] : null;
    const digits = part === "whole" ? whole : fraction,
      expected = digits[count] ?? "0";
    return [part, Math.min(count + 1, digits.length + 1), order || Math.sign(char - expected)];
  };
  const accepts = (state) => {
    const [, count, order] = state[0] === "fraction" ? state : step(state, ".");
    return orders.includes(order || (count < fraction.length ? -1 : 0));
  };
  const compared = explored(["whole", 0, 0], step, accepts, "0123456789.");
  return intersection([compared, automatonOfPattern("(0|[1-9][0-9]*)(\\.[0-9]+)?")]);
}

// The multiples of a number, by remainders; large ones in scientific notation where floats agree.
function multiplesOf(divisor) {
  const places = Math.max(0, -divisor.exponent),
    modulus = Number(divisor.digits * 10n ** BigInt(divisor.exponent + places));
  if (!(modulus * (places + 1) <= MOST_REMAINDERS)) fail("a divisor has too many remainders");
  const shift = (remainder, char) => (10 * remainder + Number(char)) % modulus;
  const step = ([part, remainder, done], char) => {
    if (char === "-") return part === "start" ? ["sign", 0, 0] : null;
    if (char === ".") return part === "zero" || part === "integer" ? ["point", remainder, 0] : null;
    if (char === "0" && (part === "start" || part === "sign")) return ["zero", 0, 0];
    if (["start", "sign", "integer"].includes(part)) return ["integer", shift(remainder, char), 0];
    if (part === "zero") return null;
    return done < places
      ? ["fraction", shift(remainder, char), done + 1]
      : char === "0"
        ? ["fraction", remainder, done]
        : null;
  };
  const accepts = ([part, remainder, done]) =>
    ["zero", "integer", "fraction"].includes(part) &&
    (BigInt(remainder) * 10n ** BigInt(places - done)) % BigInt(modulus) === 0n;
  const plain = explored(["start", 0, 0], step, accepts, "-.0123456789");
  const large = largeMultiples(divisor);
  return large ? made(trees.choice([leaf(minimal(plain)), treeOf(large)])) : minimal(plain);
}

// Only of divisors whose numerator is a power of two is the nearest float of a large multiple surely one too.
function largeMultiples({ digits, exponent }) {
  let [numerator, denominator] =
    exponent < 0 ? [digits, 10n ** BigInt(-exponent)] : [digits * 10n ** BigInt(exponent), 1n];
  for (const prime of [2n, 5n])
    while (numerator % prime === 0n && denominator % prime === 0n)
      [numerator, denominator] = [numerator / prime, denominator / prime];
  const power = numerator.toString(2).length - 1;
  if (numerator !== 2n ** BigInt(power) || power > 307 - 16) return null;
  return `-?[1-9](\\.[0-9]{1,16})?[eE]\\+?0*(?:${integerBetween(BigInt(16 + power), 307n)})|-?(${LARGEST})`;
}
