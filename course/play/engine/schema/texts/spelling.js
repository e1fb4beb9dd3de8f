// JSON's trees: how a string's characters, its values and numbers are written. One of it for each schema.
import { classRanges } from "../../automata/dfas.js";
import { includes, merged, without } from "../../automata/ranges.js";
import { Trees } from "../../automata/trees.js";
import { isNumber, isObject, numberText } from "../json_reader.js";

const NEVER_RAW = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0xd800, 0xdfff],
];
const SHORT = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const FOUR_DIGITS = [
  [0, 0x7f],
  [0x80, 0xd7ff],
  [0xe000, 0xffff],
];
const HEX_DIGITS = [..."0123456789", "aA", "bB", "cC", "dD", "eE", "fF"];
const ONE_OF_ALL = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

export class JsonTrees extends Trees {
  constructor() {
    super();
    this.kept = new Map();
  }

  // Make what has a name only once.
  once(name, make) {
    if (!this.kept.has(name)) this.kept.set(name, make());
    return this.kept.get(name);
  }

  quotes(inside) {
    return this.row([this.char('"'), inside, this.char('"')]);
  }

  // A string of so many characters, in whatever form.
  string(least, most) {
    return most !== null && most < least
      ? this.nothing
      : this.quotes(this.times(this.characters(ONE_OF_ALL), least, most));
  }

  // The strings of an automaton's values, or of a tree's; of at most so many characters.
  stringOf(values, most = null) {
    return this.quotes(this.spelled(values, most));
  }

  spelled(values, most = null) {
    if (values.table)
      return this.automaton(
        values,
        classRanges(values).map((ranges) => this.characters(ranges)),
        0,
        most,
      );
    switch (values.kind) {
      case "chars":
        return this.characters(values.ranges);
      case "concat":
        return this.row(values.parts.map((part) => this.spelled(part)));
      case "either":
        return this.choice(values.options.map((option) => this.spelled(option)));
      case "automaton":
        return this.spelled(values.dfa);
      default:
        return this.times(this.spelled(values.body), values.least, values.most);
    }
  }

  // One of some characters, in each form that JSON allows.
  characters(ranges) {
    return this.once(`characters ${ranges.join()}`, () => {
      const raw = without(ranges, NEVER_RAW);
      const letters = Object.entries(SHORT).filter(([, char]) => includes(ranges, char.codePointAt(0)));
      const short = merged(letters.map(([letter]) => [letter.codePointAt(0), letter.codePointAt(0)]));
      const escapes = this.oneOf([this.some(short), this.row([this.char("u"), this.units(ranges)])]);
      return this.oneOf([this.some(raw), this.row([this.char("\\"), escapes])]);
    });
  }

  some(ranges) {
    return ranges.length ? this.chars(ranges) : this.nothing;
  }

  // The digits after \u; beyond U+FFFF a character is a pair of halves.
  units(ranges) {
    const found = [];
    for (const [first, last] of ranges) {
      for (const [start, end] of FOUR_DIGITS)
        if (first <= end && last >= start) found.push(this.hex(Math.max(first, start), Math.min(last, end), 4));
      if (last > 0xffff) found.push(...this.pairs(Math.max(first, 0x10000) - 0x10000, last - 0x10000));
    }
    return this.oneOf(found);
  }

  // 20 bits, of which each half has ten.
  pairs(first, last) {
    let [high, low, lastHigh, lastLow] = [first >> 10, first & 0x3ff, last >> 10, last & 0x3ff];
    if (high === lastHigh) return [this.halves(high, high, low, lastLow)];
    const found = [];
    if (low) found.push(this.halves(high, high++, low, 0x3ff));
    if (lastLow < 0x3ff) found.push(this.halves(lastHigh, lastHigh--, 0, lastLow));
    return high <= lastHigh ? [...found, this.halves(high, lastHigh, 0, 0x3ff)] : found;
  }

  halves(high, lastHigh, low, lastLow) {
    const lower = this.hex(0xdc00 + low, 0xdc00 + lastLow, 4);
    return this.row([this.hex(0xd800 + high, 0xd800 + lastHigh, 4), this.text("\\u"), lower]);
  }

  // The hexadecimal numbers between two, of so many digits, each letter in either case.
  hex(first, last, width) {
    if (width === 1) return this.digits(first, last);
    const size = 16 ** (width - 1),
      options = [];
    let start = Math.floor(first / size),
      end = Math.floor(last / size);
    const [rest, lastRest] = [first % size, last % size];
    if (start === end) return this.row([this.digits(start, start), this.hex(rest, lastRest, width - 1)]);
    if (rest) options.push(this.row([this.digits(start, start++), this.hex(rest, size - 1, width - 1)]));
    if (lastRest < size - 1) options.push(this.row([this.digits(end, end--), this.hex(0, lastRest, width - 1)]));
    const free = () => this.times(this.digits(0, 15), width - 1, width - 1);
    if (start <= end) options.push(this.row([this.digits(start, end), free()]));
    return this.oneOf(options);
  }

  digits(first, last) {
    const codes = [...HEX_DIGITS.slice(first, last + 1).join("")].map((char) => char.codePointAt(0));
    return this.chars(merged(codes.map((code) => [code, code])));
  }

  // One given character, in the forms that JSON writers use.
  spelledCharacter(char) {
    if (char === "/") return this.row([this.optional(this.char("\\")), this.char("/")]);
    const plain = this.text(JSON.stringify(char).slice(1, -1));
    if (/^[ -~]$/.test(char)) return plain;
    const units = char
      .split("")
      .map((unit) => this.row([this.text("\\u"), this.hex(unit.charCodeAt(0), unit.charCodeAt(0), 4)]));
    return this.oneOf([plain, this.row(units)]);
  }

  spelledText(text) {
    return this.row([...text].map((char) => this.spelledCharacter(char)));
  }

  quoted(text) {
    return this.once(`quoted ${text}`, () => this.quotes(this.spelledText(text)));
  }

  // One given value. A whole number may have .0 after it, since that's the same value.
  valueText(value, space) {
    if (typeof value === "string") return this.quoted(value);
    if (isNumber(value)) return this.numberValue(value);
    if (Array.isArray(value)) {
      const inside = value.flatMap((item) => [space.comma, this.valueText(item, space)]).slice(1);
      return this.row([this.char("["), space.edge, ...inside, ...(value.length ? [space.edge] : []), this.char("]")]);
    }
    if (!isObject(value)) return this.text(String(value));
    const members = [...value].map(([key, item]) => [this.member(key, this.valueText(item, space), space), true]);
    return this.object(members, space);
  }

  numberValue(value) {
    const whole =
      typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e16 ? BigInt(value) : value;
    const text = this.text(numberText(whole));
    return typeof whole === "bigint" ? this.row([text, this.optional(this.text(".0"))]) : text;
  }

  member(key, value, space) {
    return this.row([this.quoted(key), space.colon, value]);
  }

  // Lab 08's array: least to most items.
  array(item, least, most, space) {
    if (most !== null && most < least) return this.nothing;
    if (most === 0) return this.row([this.char("["), space.edge, this.char("]")]);
    const more = this.times(this.row([space.comma, item]), Math.max(least, 1) - 1, most === null ? null : most - 1);
    const items = this.row([item, more, space.edge]);
    return this.row([this.char("["), space.edge, least ? items : this.optional(items), this.char("]")]);
  }

  // Lab 08's object: members are pairs of a tree and whether it must be there, in their order.
  object(members, space) {
    let starts = [],
      after = space.edge; // what comes after a member: later members, each with its comma
    for (const [member, required] of [...members].reverse()) {
      if (required) starts = [];
      starts.push(this.row([member, after]));
      const next = this.row([space.comma, member]);
      after = this.row([required ? next : this.optional(next), after]);
    }
    if (!members.some(([, required]) => required)) starts.push(this.empty);
    return this.row([this.char("{"), space.edge, this.oneOf(starts), this.char("}")]);
  }

  // White space: none, or what json.dumps writes, with lines indented by at most so many spaces.
  space(indent) {
    const [comma, colon] = [this.char(","), this.char(":")];
    if (indent === null) return { edge: this.empty, comma, colon };
    const blank = this.char(" "),
      line = this.row([this.char("\n"), this.times(blank, 0, indent)]);
    const edge = this.optional(this.oneOf([blank, line]));
    return { edge, comma: this.row([comma, edge]), colon: this.row([colon, this.optional(blank)]) };
  }
}
