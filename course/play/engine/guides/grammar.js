// Lab 12: a grammar in GBNF, the syntax that llama.cpp and xgrammar share, as rules that call each other. What lab 12's
// reader refuses is refused here, in its words and at its place; this page reads shorter grammars.
import { complement, LAST, merged } from "../automata/ranges.js";
import { count, fail } from "../refusals.js";
import { Trees } from "../automata/trees.js";

const MOST_TEXT = 20_000,
  MOST_DEPTH = 100,
  MOST_TIMES = 100_000,
  MOST_RULES = 200;
// A rule that calls nothing recursive, of at most so many characters and classes, is written into its callers.
const MOST_INLINE = 200;
const SURROGATES = [0xd800, 0xdfff];

const SPACE = String.raw`(?:\s|#[^\n]*(?:\n|$))`;
const PIECE = new RegExp(
  [
    `(?<space>${SPACE}+)`,
    `(?<name>[A-Za-z0-9_-]+)(?<defines>${SPACE}*::=)?`,
    String.raw`(?<text>"(?:\\.|[^"\\])*")`,
    String.raw`(?<class>\[(?:\\.|[^\]\\])*\])`,
    String.raw`(?<repeat>[?*+]|\{\s*\d+\s*(?:,\s*\d*\s*)?\})`,
    "(?<sign>[()|.])",
  ].join("|"),
  "suy",
);
const CHAR = /\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)|[^\\]/suy;
// What llama.cpp or xgrammar reads after a backslash, beside hexadecimal digits.
const ESCAPES = new Map([..."\\\"'?/[]-"].map((char) => [char, char]));
for (const [letter, char] of Object.entries({
  n: "\n",
  r: "\r",
  t: "\t",
  f: "\f",
  v: "\v",
  b: "\b",
  a: "\x07",
  0: "\0",
  e: "\x1b",
}))
  ESCAPES.set(letter, char);

// {names, bodies, trees}: the name and the tree of each rule that the first one, root, needs.
export function grammarOf(source) {
  if (source.length > MOST_TEXT)
    fail(`a grammar of ${count(source.length)} characters; this page reads ${count(MOST_TEXT)}`);
  const reader = new GrammarReader(source),
    { trees } = reader;
  let rules = reader.rules();
  if (!rules.has("root")) fail("there is no rule root", 0);
  rules = new Map([...rules].map(([name, tree]) => [name, withoutLeftRecursion(trees, name, tree)]));
  rules = inlined(trees, rules);
  const names = needed(rules),
    calls = new Map(names.map((name, rule) => [name, trees.call(rule)]));
  if (names.length > MOST_RULES)
    fail(`a grammar of ${count(names.length)} rules; this page reads ${count(MOST_RULES)}`);
  return { names, bodies: names.map((name) => replaced(trees, rules.get(name), calls)), trees };
}

// A recursive descent over the pieces of a text. The name of a rule in a right-hand side becomes a node of its own.
class GrammarReader {
  constructor(source) {
    Object.assign(this, { source, trees: new Trees(), at: 0, depth: 0, named: [] });
    this.pieces = [...this.split()];
  }

  // Positions are counted in characters, not in JavaScript's units.
  fail(problem, unit) {
    fail(problem, [...this.source.slice(0, unit)].length);
  }

  *split() {
    const { source } = this;
    PIECE.lastIndex = 0;
    for (let at = 0; at < source.length;) {
      PIECE.lastIndex = at;
      const found = PIECE.exec(source);
      if (!found) this.fail(notAPiece(String.fromCodePoint(source.codePointAt(at))), at);
      const { space, name, defines } = found.groups;
      const kind = defines
        ? "rule"
        : ["name", "text", "class", "repeat", "sign"].find((each) => found.groups[each] !== undefined);
      if (space === undefined) yield { kind, text: name ?? found[0], position: at };
      at += found[0].length;
    }
    yield { kind: "end", text: "", position: source.length };
  }

  get next() {
    return this.pieces[this.at];
  }

  isSign(sign) {
    return this.next.kind === "sign" && this.next.text === sign;
  }

  // All rules in their order, by name.
  rules() {
    const found = new Map();
    while (this.next.kind !== "end") {
      const { kind, text, position } = this.next;
      if (kind !== "rule") this.fail("a rule begins with its name and ::=", position);
      if (found.has(text)) this.fail(`the rule ${text} is there already`, position);
      this.at++;
      found.set(text, this.alternatives());
      if (!["rule", "end"].includes(this.next.kind)) this.fail(`${this.next.text} closes nothing`, this.next.position);
    }
    for (const { text, position } of this.named) if (!found.has(text)) this.fail(`there is no rule ${text}`, position);
    return found;
  }

  alternatives() {
    const options = [this.sequence()];
    while (this.isSign("|")) {
      this.at++;
      options.push(this.sequence());
    }
    return options.length === 1 ? options[0] : this.trees.choice(options);
  }

  sequence() {
    const parts = [];
    for (let inARow = 0; ;) {
      const piece = this.next;
      inARow = piece.kind === "repeat" ? inARow + 1 : 0;
      if (inARow > MOST_DEPTH) this.fail(`${inARow} repetitions of each other`, piece.position);
      if (["end", "rule"].includes(piece.kind) || this.isSign("|") || this.isSign(")")) return this.trees.row(parts);
      this.at++;
      if (piece.kind !== "repeat") parts.push(this.part(piece));
      else if (!parts.length) this.fail("there is nothing to repeat", piece.position);
      else parts.push(this.repeated(parts.pop(), piece));
    }
  }

  part(piece) {
    const { trees } = this;
    if (piece.kind === "name") {
      this.named.push(piece);
      return trees.node("name", piece.text, { name: piece.text });
    }
    if (piece.kind === "text") return trees.row([...this.chars(piece)].map(({ code }) => trees.chars([[code, code]])));
    if (piece.kind === "class") return trees.chars(this.classOf(piece));
    if (piece.text === ".") return trees.chars(complement([SURROGATES]));
    return this.group(piece);
  }

  group({ position }) {
    if (++this.depth > MOST_DEPTH) this.fail(`groups ${this.depth} deep`, position);
    const body = this.alternatives();
    if (!this.isSign(")")) this.fail("this group is never closed", position);
    this.at++;
    this.depth--;
    return body;
  }

  repeated(body, { text, position }) {
    const signs = { "?": [0, 1], "*": [0, null], "+": [1, null] },
      bounds = text
        .slice(1, -1)
        .split(",")
        .map((bound) => bound.trim());
    const first = Number(bounds[0]),
      second = bounds.length === 1 ? first : bounds[1] ? Number(bounds[1]) : null;
    const [least, most] = signs[text] ?? [first, second];
    if (most !== null && most < least) this.fail(`a repetition from ${least} to ${most} times`, position);
    if (Math.max(least, most ?? 0) > MOST_TIMES)
      this.fail(`a repetition of ${count(Math.max(least, most ?? 0))} times`, position);
    return this.trees.times(body, least, most);
  }

  // The characters of a text or class, each with how it is written.
  *chars({ position, text }) {
    const end = position + text.length - 1;
    for (let at = position + 1; at < end;) {
      CHAR.lastIndex = at;
      const [written, escaped] = CHAR.exec(this.source);
      const code = escaped === undefined ? written.codePointAt(0) : this.escape(escaped, at);
      if (code > LAST || (code >= SURROGATES[0] && code <= SURROGATES[1])) this.fail(`${written} is no character`, at);
      yield { code, written };
      at += written.length;
    }
  }

  escape(escaped, at) {
    if (escaped.length > 1 && "xuU".includes(escaped[0])) return parseInt(escaped.slice(1), 16);
    if ("xuU".includes(escaped)) this.fail(`\\${escaped} needs ${2 << "xuU".indexOf(escaped)} hexadecimal digits`, at);
    if (!ESCAPES.has(escaped)) this.fail(`there is no escape \\${escaped}`, at);
    return ESCAPES.get(escaped).codePointAt(0);
  }

  classOf(piece) {
    const all = [...this.chars(piece)],
      negated = all[0]?.written === "^",
      chars = negated ? all.slice(1) : all,
      found = [];
    for (let at = 0; at < chars.length; at++) {
      const first = chars[at].code;
      if (at + 2 < chars.length && chars[at + 1].written === "-") at += 2;
      const last = chars[at].code;
      if (last < first) this.fail(`the range ${inAscii(first)}-${inAscii(last)} runs backwards`, piece.position);
      found.push([first, last]);
    }
    // surrogates go, whichever side they are on
    const ranges = merged(found),
      others = negated ? ranges : complement(ranges),
      kept = complement(merged([...others, SURROGATES]));
    if (!kept.length) this.fail("this class matches no character", piece.position);
    return kept;
  }
}

function notAPiece(sign) {
  const open = { '"': "this text is never closed", "[": "this class is never closed", "{": "no repetition" };
  return open[sign] ?? `${inAscii(sign.codePointAt(0))} means nothing here`;
}

// As Python's ascii() writes a character.
function inAscii(code) {
  const known = { 9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\" }[code],
    digits = code.toString(16);
  if (code === 39) return `"'"`;
  if (known || (code >= 32 && code < 127)) return `'${known ?? String.fromCodePoint(code)}'`;
  return `'${code < 256 ? `\\x${digits.padStart(2, "0")}` : code < 65536 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`}'`;
}

// Trees ---------------------------------------------------------------------------------------------------------------

const partsOf = (node) => node.parts ?? node.options ?? (node.body ? [node.body] : []);

// The names of rules in a tree, each once.
function namesIn(node, found = new Set(), seen = new Set()) {
  if (seen.has(node)) return found;
  seen.add(node);
  if (node.kind === "name") found.add(node.name);
  for (const part of partsOf(node)) namesIn(part, found, seen);
  return found;
}

// base (rest)* for name ::= name rest | base; other trees as they are.
function withoutLeftRecursion(trees, name, tree) {
  const options = tree.options ?? [tree],
    base = [],
    rests = [];
  for (const option of options) {
    const [head, ...rest] = option.parts ?? [option];
    if (head?.kind !== "name" || head.name !== name) base.push(option);
    else if (rest.length) rests.push(trees.row(rest));
  }
  if (base.length === options.length || !base.length) return tree;
  const first = trees.choice(base);
  return rests.length ? trees.row([first, trees.times(trees.choice(rests), 0, null)]) : first;
}

function replaced(trees, node, by) {
  if (node.kind === "name") return by.get(node.name) ?? node;
  const parts = partsOf(node).map((part) => replaced(trees, part, by));
  if (node.parts) return trees.row(parts);
  if (node.options) return trees.choice(parts);
  return node.body ? trees.times(parts[0], node.least, node.most) : node;
}

// How many leaves a tree has, repetitions written out, and how deep it is.
function sizeOf(node) {
  const sizes = partsOf(node).map(sizeOf),
    leaves = sizes.reduce((sum, each) => sum + each.leaves, 0);
  const times = node.body ? Math.max(1, node.most || 1, node.least) : 1;
  return { leaves: Math.max(leaves * times, 1), depth: 1 + Math.max(0, ...sizes.map((each) => each.depth)) };
}

// Small rules are written into their callers, those that call no others first.
function inlined(trees, rules) {
  const small = new Map(),
    waiting = new Map(rules),
    all = new Map(rules);
  for (;;) {
    const ready = [...waiting].filter(
      ([name, tree]) => name !== "root" && [...namesIn(tree)].every((each) => small.has(each)),
    );
    if (!ready.length) break;
    for (const [name, tree] of ready) {
      const whole = replaced(trees, tree, small),
        { leaves, depth } = sizeOf(whole);
      waiting.delete(name);
      if (leaves <= MOST_INLINE && depth <= MOST_DEPTH) small.set(name, whole);
      all.set(name, whole);
    }
  }
  return new Map(
    [...all].filter(([name]) => !small.has(name)).map(([name, tree]) => [name, replaced(trees, tree, small)]),
  );
}

function needed(rules) {
  const found = new Set(["root"]);
  for (const name of found) for (const each of namesIn(rules.get(name))) found.add(each); // it grows meanwhile
  return [...found];
}
