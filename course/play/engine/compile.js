// Patterns as lab 02, 03, 06 and 07 compile them, all in the page. The build puts the tokens at the end, as mtlTyped.tokens.
const LAST = 0x10ffff, MOST = { pattern: 1000, written: 100000, deep: 100, nfa: 5000, dfa: 1000, work: 4e6, drawn: 40 };
class Refused extends Error {
  constructor(problem, place) { super(problem); this.place = place; }
}
const fail = (problem, place) => { throw new Refused(problem, place); };
// A refusal as the page shows it, with the place in the source marked.
function refusal(error, source, make) {
  if (!(error instanceof Refused)) throw error;
  const { place, message } = error, chars = [...source];
  const marked = () => [chars.slice(0, place).join(""), make("mark", {}, chars[place] ?? "end"), chars.slice(place + 1).join("")];
  const where = place === null ? [] : typeof place === "number" ? [`, at position ${place}: `, make("code", {}, marked())] : [`, at ${place || "the root of the schema"}`];
  return [make("b", {}, "refused "), message, ...where];
}
const count = (number) => number.toLocaleString("en");
const explodes = (what, most) => fail(`this pattern explodes: it needs more than ${count(most)} ${what}`, null);

// Sets of code points are ranges, as in lab 06: ascending, no two of them overlap or touch.
function merged(ranges) {
  const out = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0]))
    if (out.length && first <= out[out.length - 1][1] + 1) out[out.length - 1][1] = Math.max(out[out.length - 1][1], last);
    else out.push([first, last]);
  return out;
}
function complement(ranges) {
  const out = [];
  let start = 0;
  for (const [first, last] of ranges) { if (start < first) out.push([start, first - 1]); start = last + 1; }
  if (start <= LAST) out.push([start, LAST]);
  return out;
}

// Lab 06: a tree, in which equal nodes are one object, so that equal states get one number.
function parsed(pattern, most) {
  const chars = [...pattern], seen = new Map(), opened = [];
  if (chars.length > most) fail(`the pattern has ${count(chars.length)} characters; this page reads ${count(most)}`, null);
  const node = (kind, rest, key) => {
    if (!seen.has(kind + key)) seen.set(kind + key, { kind, id: seen.size, empty: false, ...rest });
    return seen.get(kind + key);
  };
  const set = (ranges) => node("chars", { ranges }, ranges.join());
  const concat = (parts) => node("concat", { parts, empty: parts.every((part) => part.empty) }, parts.map((part) => part.id).join());
  const either = (options) => node("either", { options, empty: options.every((each) => each.empty) }, options.map((each) => each.id).join());
  const repeat = (body, least, most) => node("repeat", { body, least, most, empty: most === 0 }, [body.id, least, most].join());
  const groups = [[[]]], close = () => either(groups.pop().map(concat));
  let at = 0, anchor = false;

  function escape(inside) {
    const start = at, letter = chars[at + 1], rest = chars.slice(at + 2, at + 10).join("");
    at += 2;
    if (letter === undefined) fail("bad escape (end of pattern)", start);
    const shorthand = { d: [[48, 57]], w: [[48, 57], [65, 90], [95, 95], [97, 122]], s: [[9, 13], [32, 32]] };
    if (letter in shorthand) return shorthand[letter];
    if ("DWS".includes(letter)) return complement(shorthand[letter.toLowerCase()]);
    const control = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11, ...(inside ? { b: 8 } : {}) }[letter];
    if (control) return [[control, control]];
    const digits = { x: 2, u: 4, U: 8 }[letter];
    if (digits) {
      const found = /^[0-9a-fA-F]*/.exec(rest.slice(0, digits))[0], code = parseInt(found, 16);
      if (found.length < digits) fail(`incomplete escape \\${letter}${found}`, start);
      if (code > LAST) fail(`bad escape \\${letter}${found}`, start);
      at += digits;
      return [[code, code]];
    }
    if ("bB".includes(letter) && !inside) fail(`the word boundary \\${letter} is not supported`, start);
    if (/[1-9]/.test(letter) && !inside) fail(`the backreference \\${letter} is not supported`, start);
    if (/[0-9N]/.test(letter)) fail(`the escape \\${letter} is not supported on this page`, start);
    if (/[a-zA-Z]/.test(letter)) fail(`bad escape \\${letter}`, start);
    return [[letter.codePointAt(0), letter.codePointAt(0)]];
  }
  const one = (inside) => chars[at] === "\\" ? escape(inside) : [[chars[at].codePointAt(0), chars[at++].codePointAt(0)]];
  const single = (ranges) => ranges.length === 1 && ranges[0][0] === ranges[0][1];
  function bracket() {
    const start = at++, negated = chars[at] === "^", ranges = [];
    if (negated) at++;
    for (const first = at; at === first || chars[at] !== "]";) {
      if (at >= chars.length) fail("unterminated character set", start);
      const from = at, low = one(true);
      if (chars[at] !== "-" || chars[at + 1] === "]") { ranges.push(...low); continue; }
      if (++at >= chars.length) fail("unterminated character set", start);
      const high = one(true);
      if (!single(low) || !single(high) || high[0][0] < low[0][0]) fail(`bad character range ${chars.slice(from, at).join("")}`, from);
      ranges.push([low[0][0], high[0][0]]);
    }
    at++;
    return negated ? complement(merged(ranges)) : merged(ranges);
  }
  function quantifier() {
    const start = at, sign = { "*": [0, null], "+": [1, null], "?": [0, 1] }[chars[at]];
    const counts = sign ? null : /^\{(\d*)(,(\d*))?\}$/.exec(chars.slice(at, chars.indexOf("}", at) + 1).join(""));
    if (!sign && (!counts || counts[0] === "{}")) return false;
    const [least, most] = sign || [+counts[1], counts[2] ? counts[3] ? +counts[3] : null : +counts[1]];
    at += sign ? 1 : counts[0].length;
    if (most !== null && most < least) fail("min repeat greater than max repeat", start + 1);
    const parts = groups[groups.length - 1][groups[groups.length - 1].length - 1], last = parts[parts.length - 1];
    if (!last || anchor) fail("nothing to repeat", start);
    if (last.kind === "repeat" || last.repeated) fail("multiple repeat", start);
    if (chars[at] === "+") fail(`the possessive quantifier ${chars.slice(start, at + 1).join("")} is not supported`, start);
    if (chars[at] === "?") at++;
    const body = parts.pop();
    parts.push(body.empty ? { ...concat([]), repeated: true } : repeat(body, least, most));
    return true;
  }
  while (at < chars.length) {
    const char = chars[at], options = groups[groups.length - 1], parts = options[options.length - 1], rest = chars.slice(at, at + 4).join("");
    if ("*+?{".includes(char) && quantifier()) { anchor = false; continue; }
    anchor = "^$".includes(char) || /^\\[AZ]/.test(rest);
    if (anchor) {
      const source = char === "\\" ? rest.slice(0, 2) : char, first = source === "^" || source === "\\A";
      if (first ? at : at + source.length < chars.length) fail(`the anchor ${source} inside a pattern is not supported`, at);
      at += source.length;
      parts.push(concat([]));
    } else if (char === "|") { options.push([]); at++; }
    else if (char === "(") {
      const refused = { "(?=": "lookahead (?=...)", "(?!": "lookahead (?!...)", "(?<=": "lookbehind (?<=...)", "(?<!": "lookbehind (?<!...)", "(?>": "atomic group (?>...)" };
      for (const start in refused) if (rest.startsWith(start)) fail(`the ${refused[start]} is not supported`, at);
      if (rest.startsWith("(?") && rest[2] !== ":") fail(`the group ${rest.slice(0, 3)} is not supported on this page; write (?:...) or (...)`, at);
      if (opened.length >= MOST.deep) fail("the group is nested too deep", at);
      opened.push(at);
      groups.push([[]]);
      at += rest.startsWith("(?:") ? 3 : 1;
    } else if (char === ")") {
      if (!opened.length) fail("unbalanced parenthesis", at);
      opened.pop();
      at++;
      const group = close(), around = groups[groups.length - 1];
      around[around.length - 1].push(group);
    } else if (char === "[") parts.push(set(bracket()));
    else if (char === ".") { at++; parts.push(set(complement([[10, 10]]))); }
    else parts.push(set(one(false)));
  }
  if (opened.length) fail("missing ), unterminated subpattern", opened[opened.length - 1]);
  return { tree: close(), repeat };
}

// Lab 06's states: what is still to be read, and the state to continue in.
function unfolded({ tree, repeat }) {
  const moves = [[]], epsilon = [[]], pairs = [null], numbers = new Map();
  const state = (node, after) => {
    const key = `${node.id},${after}`;
    if (!numbers.has(key)) { numbers.set(key, pairs.length); pairs.push([node, after]); }
    if (pairs.length > MOST.nfa) explodes("NFA states", MOST.nfa);
    return numbers.get(key);
  };
  state(tree, 0);
  for (let n = 1; n < pairs.length; n++) {
    const [node, after] = pairs[n];
    moves.push(node.kind === "chars" ? [[node.ranges, after]] : []);
    let to = [];
    if (node.kind === "concat") to = [node.parts.reduceRight((next, part) => state(part, next), after)];
    if (node.kind === "either") to = node.options.map((option) => state(option, after));
    if (node.kind === "repeat") {
      const { body, least, most } = node;
      const again = most === 0 || most === 1 ? after : state(repeat(body, Math.max(least - 1, 0), most === null ? null : most - 1), after);
      to = most === 0 ? [after] : [state(body, again), ...(least ? [] : [after])];
    }
    epsilon.push(to);
  }
  return { moves, epsilon, initial: 1, accepting: 0 };
}

function closure(nfa, states) {
  const found = new Set(), waiting = [...states].reverse();
  while (waiting.length) {
    const state = waiting.pop();
    if (!found.has(state)) { found.add(state); waiting.push(...[...nfa.epsilon[state]].reverse()); }
  }
  return found;
}

// Lab 06: each state is a set of NFA states, those that a character leads to.
function determinised(nfa) {
  const sets = new Map(), changes = new Map();
  for (const [ranges] of nfa.moves.flat()) if (!sets.has(ranges.join())) sets.set(ranges.join(), { number: sets.size, ranges, classes: [] });
  const flip = (place, number) => changes.set(place, [...(changes.get(place) || []), number]);
  for (const { number, ranges } of sets.values()) for (const [first, last] of ranges) { flip(first, number); flip(last + 1, number); }
  const bounds = [...changes.keys()].sort((a, b) => a - b), inside = new Set(), names = new Map(), list = [...sets.values()];
  const classes = bounds.map((bound) => {
    for (const number of changes.get(bound)) if (!inside.delete(number)) inside.add(number);
    const key = [...inside].sort((a, b) => a - b).join();
    if (!key) return -1;
    if (!names.has(key)) { for (const number of inside) list[number].classes.push(names.size); names.set(key, names.size); }
    return names.get(key);
  });
  const moves = nfa.moves.map((row) => row.map(([ranges, target]) => [sets.get(ranges.join()).classes, target]));
  const numbers = new Map([[String(nfa.initial), 0]]), subsets = [[nfa.initial]], table = [], accepting = [];
  let work = 0;
  for (let n = 0; n < subsets.length; n++) {
    const met = new Map(), closed = closure(nfa, subsets[n]);  // classes in the order in which moves name them
    for (const state of closed) for (const [read, target] of moves[state]) for (const each of read) { if (met.has(each)) met.get(each).push(target); else met.set(each, [target]); work++; }
    work += closed.size;
    if (work > MOST.work) fail("this pattern explodes: its automaton takes too long to make in a page", null);
    accepting.push(closed.has(nfa.accepting));
    const row = new Array(names.size).fill(-1);
    for (const [each, targets] of met) {
      const subset = [...new Set(targets)].sort((a, b) => a - b), key = subset.join();
      if (!numbers.has(key)) { numbers.set(key, subsets.length); subsets.push(subset); }
      if (subsets.length > MOST.dfa) explodes("states", MOST.dfa);
      row[each] = numbers.get(key);
    }
    table.push(row);
  }
  return { bounds, classes, table, accepting, subsets };
}

// The smallest automaton: states with different distances to an end differ, and blocks are split until none changes.
function minimal(dfa, merge = true) {
  const distance = dfa.accepting.map((ends) => ends ? 0 : -1), before = dfa.table.map(() => []);
  dfa.table.forEach((row, state) => row.forEach((target) => target >= 0 && before[target].push(state)));
  const waiting = dfa.accepting.flatMap((ends, state) => ends ? [state] : []);
  for (const state of waiting) for (const each of before[state]) if (distance[each] < 0) { distance[each] = distance[state] + 1; waiting.push(each); }
  let block = merge ? distance : distance.map((far, state) => far < 0 ? -1 : state), blocks = new Set(block).size;
  while (merge) {
    const names = new Map(), next = dfa.table.map((row, state) => {
      if (distance[state] < 0) return -1;
      const key = block[state] + ":" + row.map((target) => target < 0 ? -1 : block[target]).join();
      if (!names.has(key)) names.set(key, names.size);
      return names.get(key);
    });
    const found = new Set(next).size;
    block = next;
    if (found === blocks) break;
    blocks = found;
  }
  if (block[0] < 0) return { bounds: dfa.bounds, classes: dfa.classes.map(() => -1), table: [[]], accepting: [false] };
  const number = new Map(), first = [];
  block.forEach((each, state) => { if (each >= 0 && !number.has(each)) { number.set(each, first.length); first.push(state); } });
  const table = first.map((state) => dfa.table[state].map((target) => target < 0 || block[target] < 0 ? -1 : number.get(block[target])));
  return { bounds: dfa.bounds, classes: dfa.classes, table, accepting: first.map((state) => dfa.accepting[state]) };
}

function step(dfa, state, symbol) {
  let low = 0, high = dfa.bounds.length;
  while (low < high) { const middle = (low + high) >> 1; if (dfa.bounds[middle] <= symbol) low = middle + 1; else high = middle; }
  const each = low ? dfa.classes[low - 1] : -1;
  return each < 0 ? -1 : dfa.table[state][each];
}
// The states on the way, as far as it is alive.
function walk(dfa, symbols, start = 0) {
  const path = [start];
  for (const symbol of symbols) {
    const next = step(dfa, path[path.length - 1], symbol);
    if (next < 0) break;
    path.push(next);
  }
  return path;
}

// How many symbols the automaton survives.
function survived(dfa, symbols, state) {
  for (let n = 0; n < symbols.length; n++) if ((state = step(dfa, state, symbols[n])) < 0) return n;
  return symbols.length;
}

// [{from, to, ranges}], one for each pair of states; the same for both kinds of automata.
function arrows(automaton) {
  const found = new Map();
  const add = (from, to, ranges) => {
    const key = `${from},${to}`;
    if (!found.has(key)) found.set(key, { from, to, ranges: [] });
    found.get(key).ranges.push(...ranges);
  };
  if (automaton.moves) automaton.moves.forEach((row, from) => {
    for (const [ranges, to] of row) add(from, to, ranges);
    for (const to of automaton.epsilon[from]) add(from, to, []);
  });
  else automaton.table.forEach((row, from) => automaton.classes.forEach((each, n) => {
    if (each >= 0 && row[each] >= 0) add(from, row[each], [[automaton.bounds[n], (automaton.bounds[n + 1] ?? LAST + 1) - 1]]);
  }));
  for (const arrow of found.values()) arrow.ranges = merged(arrow.ranges);
  return [...found.values()];
}

// Lab 07: ranges of code points as sequences of ranges of bytes.
const utf8 = (code) => [...new TextEncoder().encode(String.fromCodePoint(code))];
function sequences(first, last) {
  const out = [];
  for (const [low, high] of [[0, 0x7f], [0x80, 0x7ff], [0x800, 0xd7ff], [0xe000, 0xffff], [0x10000, LAST]])
    for (let start = Math.max(first, low), end = Math.min(last, high), stop; start <= end; start = stop + 1) {
      let size = 1;
      if (end < 0x80) stop = end;
      else {
        while (start % (size * 64) === 0 && start + size * 64 - 1 <= end) size *= 64;
        stop = Math.min(start + size * 64 - 1 - (start % (size * 64)), start + Math.floor((end - start + 1) / size) * size - 1);
      }
      const bytes = utf8(stop);
      out.push(utf8(start).map((byte, n) => [byte, bytes[n]]));
    }
  return out;
}
function overBytes(dfa) {
  const end = dfa.table.length, moves = Array.from({ length: end + 1 }, () => []), inner = new Map();
  for (const { from, to, ranges } of arrows(dfa)) for (const [first, last] of ranges) for (const boxes of sequences(first, last)) {
    let target = to;
    for (let place = boxes.length - 1; place > 0; place--) {  // characters that end alike share their states
      const key = `${target},${boxes[place]}`;
      if (!inner.has(key)) { inner.set(key, moves.length); moves.push([[[boxes[place]], target]]); }
      target = inner.get(key);
    }
    moves[from].push([[boxes[0]], target]);
  }
  const epsilon = moves.map((_, state) => dfa.accepting[state] ? [end] : []);
  return minimal(determinised({ moves, epsilon, initial: 0, accepting: end }));
}
const insideCharacter = (dfa, state) => {
  const read = dfa.classes.flatMap((each, n) => each >= 0 && dfa.table[state][each] >= 0 ? [dfa.bounds[n]] : []);
  return read.length > 0 && read.every((byte) => byte >= 0x80 && byte < 0xc0);
};

// Lab 02's own language: atoms, each perhaps with a plus. What it refuses, it refuses with lab 02's words.
function atoms(pattern) {
  const chars = [...pattern], refused = {
    "*": "repetition by '*'", "?": "the optional '?'", "{": "counted repetition '{'", "(": "a group '('", ")": "a group's end ')'",
    "|": "the choice '|'", ".": "the dot (for a full stop write '\\.')", "^": "the anchor '^'", $: "the anchor '$'",
  };
  const moves = [[]];
  let before = null;
  if (chars.length > MOST.pattern) fail(`the pattern has ${count(chars.length)} characters`, null);
  const single = (at) => {
    if (chars[at] !== "\\") return [chars[at], at + 1];
    if (at + 1 === chars.length) fail("a backslash with nothing after it", at);
    const char = chars[at + 1], control = { n: "\n", r: "\r", t: "\t" }[char];
    if (!control && /[a-zA-Z0-9]/.test(char)) fail(`the escape '\\${char}'`, at);
    return [control || char, at + 2];
  };
  for (let at = 0; at < chars.length;) {
    const start = at, ranges = [];
    if (chars[at] === "+") fail(before ? "'+' after '+'" : "'+' with nothing to repeat", at);
    if (chars[at] in refused) fail(refused[chars[at]], at);
    if (chars[at] !== "[") { const [char, after] = single(at); ranges.push([char.codePointAt(0), char.codePointAt(0)]); at = after; }
    else {
      if (chars[++at] === "^") fail("a negated class '[^'", start);
      while (chars[at] !== "]") {
        if (at >= chars.length) fail("this class is never closed", start);
        const [first, after] = single(at), isRange = chars[after] === "-" && after + 1 < chars.length && chars[after + 1] !== "]";
        const [last, end] = isRange ? single(after + 1) : [first, after];
        if (last.codePointAt(0) < first.codePointAt(0)) fail(`the range '${first}' to '${last}' runs backwards`, at);
        ranges.push([first.codePointAt(0), last.codePointAt(0)]);
        at = end;
      }
      if (!ranges.length) fail("this class is empty (for the bracket itself write '\\]')", start);
      at++;
    }
    const atom = { plus: chars[at] === "+", ranges: merged(ranges) };
    if (atom.plus) at++;
    if (atom.ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0) > 4096) fail("a class of more than 4,096 characters", start);
    atom.source = chars.slice(start, at).join("");
    const common = before && before.plus && atom.ranges.flatMap(([a, b]) => before.ranges.flatMap(([c, d]) => Math.max(a, c) <= Math.min(b, d) ? [Math.max(a, c)] : []));
    if (common && common.length) fail(`'${before.source}' and then '${atom.source}': both take '${String.fromCodePoint(Math.min(...common))}'`, start);
    moves[moves.length - 1].push([atom.ranges, moves.length]);
    moves.push(atom.plus ? [[atom.ranges, moves.length]] : []);
    before = atom;
  }
  return determinised({ moves, epsilon: moves.map(() => []), initial: 0, accepting: moves.length - 1 });
}

// One compiler for all labs: what the reader wrote, in the language of that lab.
function compiled(lab, source) {
  if (lab === 2) return { dfa: minimal(atoms(source)) };
  const schema = lab === 8 ? read(source) : null, pattern = schema ? expression(schema) : source;
  const nfa = unfolded(parsed(pattern, schema ? MOST.written : MOST.pattern)), whole = determinised(nfa), dfa = minimal(whole, lab !== 3);
  const drawn = schema && minimal(determinised(unfolded(parsed(expression(schema, true), MOST.written))));
  return { nfa, whole, schema, pattern, drawn, dfa: lab === 7 ? overBytes(dfa) : dfa };
}
const symbols = (lab, text) => lab === 7 ? [...new TextEncoder().encode(text)] : [...text].map((char) => char.codePointAt(0));

// The mask of a state: the tokens that survive; and of the others those that got furthest.
function masked(dfa, state, tokens) {
  const allowed = [], refused = [];
  tokens.forEach(({ symbols }, id) => {
    if (!symbols) return;
    const alive = survived(dfa, symbols, state);
    if (alive === symbols.length) allowed.push(id);
    else if (alive) refused.push([alive, id]);
  });
  return { allowed, refused: refused.sort((a, b) => b[0] - a[0]).map(([, id]) => id) };
}
