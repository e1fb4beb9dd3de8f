// Lab 06's patterns: a parser from their text to a tree.
import { complement, LAST, merged } from "./ranges.js";
import { count, fail } from "./refusals.js";
import { Trees } from "./trees.js";

export const MOST_CHARACTERS = 1000,
  MOST_GROUPS = 100;

const SHORTHANDS = {
  d: [[48, 57]],
  w: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  s: [
    [9, 13],
    [32, 32],
  ],
};
const CONTROLS = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const DIGITS = { x: 2, u: 4, U: 8 };
const SIGNS = { "*": [0, null], "+": [1, null], "?": [0, 1] };
const GROUPS = {
  "(?=": "lookahead (?=...)",
  "(?!": "lookahead (?!...)",
  "(?<=": "lookbehind (?<=...)",
  "(?<!": "lookbehind (?<!...)",
  "(?>": "atomic group (?>...)",
};

// {tree, trees}: the tree of a pattern, and what makes more nodes of it. In ASCII, so are \d, \s and \w.
export function parsed(pattern, { most = MOST_CHARACTERS, trees = new Trees(), ascii = true } = {}) {
  const chars = [...pattern];
  if (chars.length > most) fail(`the pattern has ${count(chars.length)} characters; this page reads ${count(most)}`);
  return { tree: new Parser(chars, trees, ascii).parse(), trees };
}

// What Python's \d, \s and \w are beyond ASCII.
const UNICODE = { d: /\p{Nd}/u, s: /(?!\ufeff)[\s\x1c-\x1f\x85]/u, w: /[\p{L}\p{N}_]/u };
const unicode = {};
function unicodeShorthand(letter) {
  if (!unicode[letter]) unicode[letter] = matching(UNICODE[letter]);
  return unicode[letter];
}

// The code points that an expression matches, as ranges.
export function matching(expression) {
  const found = [];
  for (let code = 0, open = false; code <= LAST + 1; code++) {
    const yes = code <= LAST && !(code >= 0xd800 && code < 0xe000) && expression.test(String.fromCodePoint(code));
    if (yes && !open) found.push([code, code]);
    else if (yes) found.at(-1)[1] = code;
    open = yes;
  }
  return found;
}

const single = (ranges) => ranges.length === 1 && ranges[0][0] === ranges[0][1];
const one = (code) => [[code, code]];

class Parser {
  constructor(chars, trees, ascii) {
    const shorthand = (letter) => (ascii ? SHORTHANDS[letter] : unicodeShorthand(letter));
    Object.assign(this, { chars, trees, shorthand, at: 0, afterAnchor: false });
    this.opened = []; // where the groups begin that are open
    this.groups = [[[]]]; // for the pattern and each open group its alternatives so far, each a list of nodes
  }

  get parts() {
    return this.groups.at(-1).at(-1);
  }

  ahead(count) {
    return this.chars.slice(this.at, this.at + count).join("");
  }

  parse() {
    while (this.at < this.chars.length) {
      if ("*+?{".includes(this.chars[this.at]) && this.quantifier()) this.afterAnchor = false;
      else this.item();
    }
    if (this.opened.length) fail("missing ), unterminated subpattern", this.opened.at(-1));
    return this.closed();
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

  // An anchor where a whole match begins or ends anyway; anywhere else it's refused.
  anchor(char) {
    const source = char === "\\" ? this.ahead(2) : char,
      first = source === "^" || source === "\\A";
    const misplaced = first ? this.at > 0 : this.at + source.length < this.chars.length;
    if (misplaced) fail(`the anchor ${source} inside a pattern is not supported`, this.at);
    this.at += source.length;
    this.parts.push(this.trees.row([]));
  }

  alternative() {
    this.groups.at(-1).push([]);
    this.at++;
  }

  open() {
    const start = this.ahead(4);
    for (const [sign, name] of Object.entries(GROUPS))
      if (start.startsWith(sign)) fail(`the ${name} is not supported`, this.at);
    if (start.startsWith("(?") && start[2] !== ":")
      fail(`the group ${start.slice(0, 3)} is not supported on this page; write (?:...) or (...)`, this.at);
    if (this.opened.length >= MOST_GROUPS) fail("the group is nested too deep", this.at);
    this.opened.push(this.at);
    this.groups.push([[]]);
    this.at += start.startsWith("(?:") ? 3 : 1;
  }

  close() {
    if (!this.opened.length) fail("unbalanced parenthesis", this.at);
    this.opened.pop();
    this.at++;
    const group = this.closed();
    this.parts.push(group);
  }

  set(char) {
    if (char === "[") return this.bracket();
    if (char !== ".") return this.character(false);
    this.at++;
    return complement(one(10));
  }

  character(inside) {
    return this.chars[this.at] === "\\" ? this.escape(inside) : one(this.chars[this.at++].codePointAt(0));
  }

  escape(inside) {
    const start = this.at,
      letter = this.chars[start + 1];
    this.at += 2;
    if (letter === undefined) fail("bad escape (end of pattern)", start);
    if (letter in SHORTHANDS) return this.shorthand(letter);
    if ("DWS".includes(letter)) return complement(this.shorthand(letter.toLowerCase()));
    const control = letter === "b" && inside ? 8 : CONTROLS[letter];
    if (control) return one(control);
    if (letter in DIGITS) return one(this.codePoint(letter, start));
    if ("bB".includes(letter) && !inside) fail(`the word boundary \\${letter} is not supported`, start);
    if (/[1-9]/.test(letter) && !inside) fail(`the backreference \\${letter} is not supported`, start);
    if (/[0-9N]/.test(letter)) fail(`the escape \\${letter} is not supported on this page`, start);
    if (/[a-zA-Z]/.test(letter)) fail(`bad escape \\${letter}`, start);
    return one(letter.codePointAt(0));
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
    return negated ? complement(merged(ranges)) : merged(ranges);
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
    this.parts.push(last.empty ? { ...this.trees.row([]), repeated: true } : this.trees.times(last, least, most));
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
