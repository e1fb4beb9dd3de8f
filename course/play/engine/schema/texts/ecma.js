// The keyword pattern: a regular expression of ECMA-262, with the flag u, that matches somewhere in a text.
import { matching } from "../../automata/unicode.js";
import { complement, LAST, merged, without } from "../../automata/ranges.js";
import { fail } from "../../refusals.js";
import { pythonText } from "../json_reader.js";

const HALVES = [[0xd800, 0xdfff]],
  ALL_CHARACTERS = [
    [0, 0xd7ff],
    [0xe000, LAST],
  ];
const LINE_ENDS = [
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ],
  ECMA_NAMED = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };
const WHITE_SPACE = merged([
  [9, 13],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
const ECMA_SETS = {
  d: [[0x30, 0x39]],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  s: WHITE_SPACE,
};
const CATEGORIES = new Set(
  `L Letter LC Cased_Letter Lu Uppercase_Letter Ll Lowercase_Letter Lt Titlecase_Letter Lm
Modifier_Letter Lo Other_Letter M Mark Combining_Mark Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark N Number Nd
Decimal_Number digit Nl Letter_Number No Other_Number P Punctuation punct Pc Connector_Punctuation Pd Dash_Punctuation Ps
Open_Punctuation Pe Close_Punctuation Pi Initial_Punctuation Pf Final_Punctuation Po Other_Punctuation S Symbol Sm
Math_Symbol Sc Currency_Symbol Sk Modifier_Symbol So Other_Symbol Z Separator Zs Space_Separator Zl Line_Separator Zp
Paragraph_Separator C Other Cc Control cntrl Cf Format Cs Surrogate Co Private_Use Cn Unassigned`.split(/\s+/),
);
const ESCAPE = new RegExp(
  String.raw`\\(?:(?<border>[bB])|(?<reference>[1-9][0-9]*|k<[^>]*>)|(?<set>[dDsSwW])` +
    String.raw`|(?<property>[pP])(?:\{(?<name>[A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?)\})?` +
    String.raw`|u(?<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?<low>[dD][c-fC-F][0-9a-fA-F]{2})|u(?<four>[0-9a-fA-F]{4})` +
    String.raw`|u\{(?<braced>[0-9a-fA-F]+)\}|x(?<two>[0-9a-fA-F]{2})|(?<named>[tnvfr]|0(?![0-9]))|c(?<letter>[A-Za-z])` +
    String.raw`|(?<itself>[^A-Za-z0-9]))`,
  "yu",
);
const GROUP = /\((?:(?<look>\?<?[=!])|\?<[\p{L}_$][\p{L}\p{N}_$]*>|\?:|(?<flags>\?[a-z]*-?[a-z]*[:)])|(?<bad>\?))?/uy;
const ECMA_SIGNS = { "*": [0, null], "+": [1, null], "?": [0, 1] },
  MOST_DEEP = 100,
  ENDLESS = 1e9;

// A tree of all texts in which a pattern matches somewhere. Its refusals name the place in the schema.
export function searchTree(pattern, place, trees) {
  const { options } = new EcmaParser(pattern, place, trees).whole(),
    every = trees.times(trees.chars(ALL_CHARACTERS), 0, null);
  const search = (parts) => {
    const starts = isAnchor(parts[0], "^"),
      rest = starts ? parts.slice(1) : parts,
      ends = isAnchor(rest.at(-1), "$");
    const inside = ends ? rest.slice(0, -1) : rest;
    if (inside.some(hasAnchor))
      fail(`the pattern is not supported on this page: an anchor inside of it (${pythonText(pattern)})`, place);
    let body = trees.row(inside);
    if (!starts) body = trees.row([every, shortened(body, 0, trees)]);
    return ends ? body : trees.row([shortened(body, -1, trees), every]);
  };
  return trees.oneOf(options.map(search));
}

const isAnchor = (node, source) => node?.kind === "anchor" && node.source === source;
const hasAnchor = (node) =>
  node.kind === "anchor" || (node.parts ?? node.options ?? [node.body]).some((each) => each && hasAnchor(each));

// A tree without optional parts at one end, the first (0) or the last (-1): a search needs none of them.
function shortened(node, end, trees) {
  if (node.kind === "either") return trees.choice(node.options.map((option) => shortened(option, end, trees)));
  if (node.kind === "repeat") return node.least ? trees.times(node.body, node.least, node.least) : trees.empty;
  if (node.kind !== "concat") return node;
  for (let parts = node.parts; parts.length;) {
    const shorter = shortened(parts.at(end), end, trees);
    parts = end ? parts.slice(0, -1) : parts.slice(1);
    if (shorter !== trees.empty) return trees.row(end ? [...parts, shorter] : [shorter, ...parts]);
  }
  return trees.empty;
}

class EcmaParser {
  constructor(pattern, place, trees) {
    Object.assign(this, { pattern, place, trees, at: 0, depth: 0 });
  }

  malformed(problem) {
    fail(`the pattern is malformed: ${problem} (${pythonText(this.pattern)})`, this.place);
  }

  unsupported(construct) {
    fail(`the pattern is not supported: ${construct} is not supported (${pythonText(this.pattern)})`, this.place);
  }

  matched(expression) {
    expression.lastIndex = this.at;
    const found = expression.exec(this.pattern);
    if (found) this.at = expression.lastIndex;
    return found;
  }

  get ended() {
    return this.at >= this.pattern.length;
  }

  skip(sign) {
    const found = this.pattern.startsWith(sign, this.at);
    if (found) this.at += sign.length;
    return found;
  }

  // {options}: for each alternative its parts.
  whole() {
    const options = this.alternatives();
    if (!this.ended) this.malformed("no group is open that this could close");
    return { options };
  }

  alternatives() {
    const options = [[]];
    while (!this.ended && this.pattern[this.at] !== ")") {
      if (this.skip("|")) options.push([]);
      else this.part(options.at(-1));
    }
    return options;
  }

  part(parts) {
    const counts = this.quantifier();
    if (counts) {
      const last = parts.pop();
      if (!last || last.kind === "anchor" || last.repeated) this.malformed("there is nothing to repeat");
      parts.push({ ...this.trees.times(last, ...counts), repeated: true });
    } else parts.push(this.operand());
  }

  operand() {
    const sign = this.pattern[this.at];
    if (sign === "(") return this.group();
    if (sign === "[") return this.trees.chars(this.bracket());
    if (sign === "^" || sign === "$") return this.trees.node("anchor", this.pattern[this.at++], { source: sign });
    if (!this.skip(".")) return this.trees.chars(characters(this.single(false)));
    return this.trees.chars(without(ALL_CHARACTERS, LINE_ENDS));
  }

  group() {
    const found = this.matched(GROUP),
      { look, flags, bad } = found.groups;
    if (look) this.unsupported(`the look${look.includes("<") ? "behind" : "ahead"} ${found[0]}...)`);
    if (flags) this.unsupported(`the group ${found[0]} with flags`);
    if (bad) this.malformed("(? starts no group that ECMA-262 knows");
    if (++this.depth > MOST_DEEP) fail("the groups of the pattern are nested too deep", this.place);
    const options = this.alternatives();
    if (!this.skip(")")) this.malformed("this group is never closed");
    this.depth--;
    return this.trees.choice(options.map((parts) => this.trees.row(parts)));
  }

  // [least, most], lazy or not; null for a brace that means itself.
  quantifier() {
    if (this.matched(/\{,[0-9]+\}/y))
      this.unsupported("a quantifier without a lower bound, which engines read differently,");
    const counts = this.matched(/\{([0-9]+)(,([0-9]*))?\}/y),
      sign = !counts && ECMA_SIGNS[this.pattern[this.at]];
    if (!counts && !sign) return null;
    if (sign) this.at++;
    const number = (digits) => Math.min(Number(digits), ENDLESS);
    const [least, most] = sign || [
      number(counts[1]),
      counts[2] ? (counts[3] ? number(counts[3]) : null) : number(counts[1]),
    ];
    if (most !== null && least > most) this.malformed("this quantifier is reversed");
    this.skip("?");
    return [least, most];
  }

  bracket() {
    this.at++;
    const negated = this.skip("^"),
      ranges = [];
    while (!this.skip("]")) {
      if (this.ended) this.malformed("this class is never closed");
      ranges.push(...this.member());
    }
    return negated ? without(ALL_CHARACTERS, merged(ranges)) : characters(merged(ranges));
  }

  // A character, a shorthand or a range; a - beside a shorthand is a character.
  member() {
    const low = this.single(true),
      next = this.pattern[this.at + 1];
    if (this.pattern[this.at] !== "-" || next === "]" || next === undefined) return low;
    this.at++;
    const high = this.single(true),
      isOne = (ranges) => ranges.length === 1 && ranges[0][0] === ranges[0][1];
    if (!isOne(low) || !isOne(high)) return [...low, [45, 45], ...high];
    if (low[0][0] > high[0][0]) this.malformed("this range is reversed");
    return [[low[0][0], high[0][0]]];
  }

  // A character or an escape, as ranges.
  single(inClass) {
    if (this.pattern[this.at] !== "\\") {
      const code = this.pattern.codePointAt(this.at);
      this.at += code > 0xffff ? 2 : 1;
      return [[code, code]];
    }
    const start = this.at,
      found = this.matched(ESCAPE),
      code = found && codeOfEscape(found.groups);
    if (!found) return this.noEscape(start);
    const { border, reference, set, property, name } = found.groups;
    if (border === "b" && inClass) return [[8, 8]];
    if (border && !inClass) this.unsupported(`the word boundary ${found[0]}`);
    if (reference && !inClass) this.unsupported(`the backreference ${found[0]}`);
    if (set) return set < "a" ? complement(ECMA_SETS[set.toLowerCase()]) : ECMA_SETS[set];
    if (property) return this.property(property, name);
    return code === null ? this.noEscape(start) : [[code, code]];
  }

  property(letter, name) {
    if (!name) this.malformed("a property needs braces, as in \\p{L}");
    const value = name.replace(/^(General_Category|gc)=/, "");
    if (!CATEGORIES.has(value) && !["Any", "ASCII", "Assigned"].includes(name))
      this.unsupported(`the property \\p{${name}}`);
    const ranges = matching(new RegExp(`\\p{${name}}`, "u"));
    return letter === "P" ? complement(ranges) : ranges;
  }

  noEscape(start) {
    if (this.pattern.startsWith("\\u", start))
      this.malformed("\\u needs four hexadecimal digits, or braces around up to 10FFFF");
    this.malformed(`${this.pattern.slice(start, start + 2)} is no escape of ECMA-262 with the flag u`);
  }
}

// The code point of an escape of one character, or null.
function codeOfEscape({ high, low, four, two, braced, named, letter, itself }) {
  if (low) return 0x10000 + ((parseInt(high, 16) - 0xd800) << 10) + (parseInt(low, 16) - 0xdc00);
  const digits = four ?? two ?? braced;
  if (digits) return parseInt(digits, 16) <= LAST ? parseInt(digits, 16) : null;
  if (named) return ECMA_NAMED[named];
  if (letter) return letter.codePointAt(0) % 32;
  return itself ? itself.codePointAt(0) : null;
}

const characters = (ranges) => without(ranges, HALVES);
