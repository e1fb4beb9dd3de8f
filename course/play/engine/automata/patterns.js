// Lab 06's patterns: a parser from their text to a tree.
import { withoutAnchors } from "./anchors.js";
import { complement, LAST, merged } from "./ranges.js";
import { count, fail } from "../refusals.js";
import { Trees } from "./trees.js";
import { shorthand, withCases } from "./unicode.js";

export const MOST_CHARACTERS = 1000,
  MOST_GROUPS = 100;

const CONTROLS = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const DIGITS = { x: 2, u: 4, U: 8 };
const SIGNS = { "*": [0, null], "+": [1, null], "?": [0, 1] };
const GROUPS = {
  "(?=": "lookahead (?=...)",
  "(?!": "lookahead (?!...)",
  "(?<=": "lookbehind (?<=...)",
  "(?<!": "lookbehind (?<!...)",
  "(?>": "atomic group (?>...)",
  "(?(": "conditional (?(...)...)",
  "(?P=": "backreference (?P=...)",
};
const FLAGS = /^\(\?([aimsux]*)(?:-([imsx]+))?([:)])/;

// {tree, trees}: the tree of a pattern, and what makes more nodes of it. In ASCII, so are \d, \s and \w.
export function parsed(pattern, { most = MOST_CHARACTERS, trees = new Trees(), ascii = true } = {}) {
  const chars = [...pattern];
  if (chars.length > most) fail(`the pattern has ${count(chars.length)} characters; this page reads ${count(most)}`);
  return { tree: new Parser(chars, trees, ascii).parse(), trees };
}

const single = (ranges) => ranges.length === 1 && ranges[0][0] === ranges[0][1];
const one = (code) => [[code, code]];

class Parser {
  constructor(chars, trees, ascii) {
    Object.assign(this, { chars, trees, at: 0, afterAnchor: false, isAnchored: false });
    this.opened = []; // where the groups begin that are open
    this.groups = [[[]]]; // for the pattern and each open group its alternatives so far, each a list of nodes
    this.flags = [new Set(ascii ? "a" : "")]; // of the pattern and of each open group
  }

  has(flag) {
    return this.flags.at(-1).has(flag);
  }

  get parts() {
    return this.groups.at(-1).at(-1);
  }

  ahead(count) {
    return this.chars.slice(this.at, this.at + count).join("");
  }

  parse() {
    while (this.at < this.chars.length) {
      if (this.has("x") && this.skipSpace()) continue;
      if ("*+?{".includes(this.chars[this.at]) && this.quantifier()) this.afterAnchor = false;
      else this.item();
    }
    if (this.opened.length) fail("missing ), unterminated subpattern", this.opened.at(-1));
    return this.isAnchored ? withoutAnchors(this.closed(), this.trees) : this.closed();
  }

  closed() {
    return this.trees.choice(this.groups.pop().map((parts) => this.trees.row(parts)));
  }

  item() {
    const char = this.chars[this.at];
    this.afterAnchor = "^$".includes(char) || /^\\[AZ]/.test(this.ahead(2));
    if (this.afterAnchor) this.anchor(char);
    else if (char === "|") this.alternative();
    else if (char === "(") this.open();
    else if (char === ")") this.close();
    else this.parts.push(this.trees.chars(this.set(char)));
  }

  // Whether an anchor is where a whole match begins or ends anyway is known when the pattern is read.
  anchor(char) {
    const source = char === "\\" ? this.ahead(2) : char,
      { at } = this;
    this.isAnchored = true;
    this.parts.push(this.trees.node("anchor", source + at, { source, at, empty: true }));
    this.at += source.length;
  }

  // White space and comments, which a verbose pattern may have.
  skipSpace() {
    const found = /^([ \t\n\r\v\f]+|#[^\n]*\n?)/.exec(this.chars.slice(this.at).join(""));
    this.at += found ? [...found[0]].length : 0;
    return found;
  }

  alternative() {
    this.groups.at(-1).push([]);
    this.at++;
  }

  open() {
    const start = this.ahead(4);
    for (const [sign, name] of Object.entries(GROUPS))
      if (start.startsWith(sign)) fail(`the ${name} is not supported`, this.at);
    if (start.startsWith("(?#")) return this.comment();
    const { length, flags, alone } = this.opening(start);
    if (alone) return this.setFlags(length, flags);
    if (this.opened.length >= MOST_GROUPS) fail("the group is nested too deep", this.at);
    this.opened.push(this.at);
    this.groups.push([[]]);
    this.flags.push(flags);
    this.at += length;
  }

  // {length, flags, alone}: of how a group begins, and whether it's nothing but flags for the whole pattern.
  opening(start) {
    const flags = new Set(this.flags.at(-1)),
      rest = this.ahead(80);
    if (!start.startsWith("(?")) return { length: 1, flags };
    const name = /^\(\?P<([A-Za-z_]\w*)>/.exec(rest),
      asked = FLAGS.exec(rest);
    if (name) return { length: [...name[0]].length, flags };
    if (!asked) fail(`the group ${start.slice(0, 3)} is not supported on this page; write (?:...) or (...)`, this.at);
    const twice = [...(asked[2] ?? "")].some((flag) => asked[1].includes(flag));
    if (twice) fail("bad inline flags: flag turned on and off", this.at + asked[0].length - 1);
    for (const flag of asked[1]) flag === "u" ? flags.delete("a") : flags.add(flag);
    for (const flag of asked[2] ?? "") flags.delete(flag);
    return { length: asked[0].length, flags, alone: asked[3] === ")" };
  }

  setFlags(length, flags) {
    if (this.at) fail("global flags not at the start of the expression", this.at);
    this.flags = [flags];
    this.at += length;
  }

  comment() {
    const end = this.chars.indexOf(")", this.at);
    if (end < 0) fail("missing ), unterminated comment", this.at);
    this.at = end + 1;
  }

  close() {
    if (!this.opened.length) fail("unbalanced parenthesis", this.at);
    this.opened.pop();
    this.flags.pop();
    this.at++;
    const group = this.closed();
    this.parts.push(group);
  }

  set(char) {
    if (char === "[") return this.bracket();
    if (char !== ".") return this.cased(this.character(false));
    this.at++;
    return complement(this.has("s") ? [] : one(10));
  }

  cased(ranges) {
    return this.has("i") ? withCases(ranges, this.has("a")) : ranges;
  }

  character(inside) {
    return this.chars[this.at] === "\\" ? this.escape(inside) : one(this.chars[this.at++].codePointAt(0));
  }

  escape(inside) {
    const start = this.at,
      letter = this.chars[start + 1];
    this.at += 2;
    if (letter === undefined) fail("bad escape (end of pattern)", start);
    if ("dws".includes(letter)) return shorthand(letter, this.has("a"));
    if ("DWS".includes(letter)) return complement(shorthand(letter.toLowerCase(), this.has("a")));
    const control = letter === "b" && inside ? 8 : CONTROLS[letter];
    if (control) return one(control);
    if (letter in DIGITS) return one(this.codePoint(letter, start));
    if ("bB".includes(letter) && !inside) fail(`the word boundary \\${letter} is not supported`, start);
    const digits = /^[0-9]{0,3}/.exec(this.chars.slice(start + 1, start + 4).join(""))[0];
    if (/^(0|[0-7]{3}$)/.test(digits) || (inside && /^[0-7]/.test(digits))) return one(this.octal(start));
    if (digits && !inside) fail(`the backreference \\${digits.slice(0, 2)} is not supported`, start);
    if (letter === "N") fail(`the escape \\${letter} is not supported on this page`, start);
    if (digits) fail(`bad escape \\${letter}`, start);
    if (/[a-zA-Z]/.test(letter)) fail(`bad escape \\${letter}`, start);
    return one(letter.codePointAt(0));
  }

  octal(start) {
    const digits = /^[0-7]{1,3}/.exec(this.chars.slice(start + 1, start + 4).join(""))[0],
      code = parseInt(digits, 8);
    if (code > 0o377) fail(`octal escape value \\${digits} outside of range 0-0o377`, start);
    this.at = start + 1 + digits.length;
    return code;
  }

  codePoint(letter, start) {
    const digits = /^[0-9a-fA-F]*/.exec(this.ahead(DIGITS[letter]))[0],
      code = parseInt(digits, 16);
    if (digits.length < DIGITS[letter]) fail(`incomplete escape \\${letter}${digits}`, start);
    if (code > LAST) fail(`bad escape \\${letter}${digits}`, start);
    this.at += digits.length;
    return code;
  }

  bracket() {
    const start = this.at++,
      negated = this.chars[this.at] === "^",
      ranges = [];
    if (negated) this.at++;
    for (const first = this.at; this.at === first || this.chars[this.at] !== "]";) ranges.push(...this.member(start));
    this.at++;
    const set = this.cased(merged(ranges));
    return negated ? complement(set) : set;
  }

  // A character, a shorthand or a range of a class that begins at a position.
  member(bracket) {
    const ended = () => this.at >= this.chars.length && fail("unterminated character set", bracket);
    ended();
    const start = this.at,
      low = this.character(true);
    if (this.chars[this.at] !== "-" || this.chars[this.at + 1] === "]") return low;
    this.at++;
    ended();
    const high = this.character(true);
    if (!single(low) || !single(high) || high[0][0] < low[0][0])
      fail(`bad character range ${this.chars.slice(start, this.at).join("")}`, start);
    return [[low[0][0], high[0][0]]];
  }

  // Repeat the last part; return whether there is a quantifier, since a brace may also mean itself.
  quantifier() {
    const start = this.at,
      counts = this.counts();
    if (!counts) return false;
    const [least, most] = counts,
      last = this.parts.at(-1);
    if (most !== null && most < least) fail("min repeat greater than max repeat", start + 1);
    if (!last || this.afterAnchor) fail("nothing to repeat", start);
    if (last.kind === "repeat" || last.repeated) fail("multiple repeat", start);
    const source = this.chars.slice(start, this.at + 1).join("");
    if (this.chars[this.at] === "+") fail(`the possessive quantifier ${source} is not supported`, start);
    if (this.chars[this.at] === "?") this.at++;
    this.parts.pop();
    // What matches nothing but the empty text is the same once and many times.
    const nothing = last.empty && !this.isAnchored;
    this.parts.push(nothing ? { ...this.trees.row([]), repeated: true } : this.trees.times(last, least, most));
    return true;
  }

  // Read [least, most] of a quantifier, with null for no limit.
  counts() {
    const sign = SIGNS[this.chars[this.at]];
    if (sign) this.at++;
    if (sign) return sign;
    const found = /^\{(\d*)(,(\d*))?\}/.exec(this.chars.slice(this.at, this.chars.indexOf("}", this.at) + 1).join(""));
    if (!found || found[0] === "{}") return null;
    this.at += found[0].length;
    const least = Number(found[1]);
    return [least, found[2] ? (found[3] ? Number(found[3]) : null) : least];
  }
}
