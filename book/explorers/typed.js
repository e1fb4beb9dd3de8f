// The reader's own input: a pattern or a schema, its automaton, a text, and the mask over some thousand tokens.
// Everything is made in the page. The build puts the tokens at the end, as mtlTyped.tokens.
var mtlTyped = (() => {
  const LAST = 0x10ffff, MOST = { pattern: 1000, written: 100000, deep: 100, nfa: 5000, dfa: 1000, work: 4e6, drawn: 40 };
  class Refused extends Error {
    constructor(problem, place) { super(problem); this.place = place; }
  }
  const fail = (problem, place) => { throw new Refused(problem, place); };
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

  // Lab 08: an expression for a schema's values as compact JSON. What it refuses has lab 08's words, and a JSON pointer.
  const NOTHING = "[^\\x00-\\U0010ffff]", TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
  const ANNOTATIONS = ["$schema", "$id", "id", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];
  const quoted = (text) => text.replace(/[\x00-\x2f:-@[-^`{-\x7f]/g, "\\$&");
  // For the picture: every escape as one plain character, and of one that isn't whole nothing.
  const unescaped = (text) => text.replace(/\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u[0-9a-fA-F]{4}|\\[^u]/g, (found) => {
    const char = JSON.parse(`"${found}"`);
    return /["\\\x00-\x1f]/.test(char) ? "x" : char;
  }).replace(/\\.*$/, "");
  function literal(value, plain) {
    if (plain || typeof value !== "string") return quoted(plain ? unescaped(JSON.stringify(value)) : JSON.stringify(value));
    return `"${[...value].map((char) => {
      const plain = char === "/" ? "\\\\?/" : quoted(JSON.stringify(char).slice(1, -1));
      if (/^[ -~]$/.test(char)) return plain;
      const units = char.split("").map((unit) => "\\\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0").replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`));
      return `(?:${plain}|${units.join("")})`;
    }).join("")}"`;
  }
  const times = (least, most) => `{${least},${most ?? ""}}`;
  function expression(schema, plain, pointer = "") {
    const below = (...steps) => pointer + steps.map((each) => "/" + String(each).replace(/~/g, "~0").replace(/\//g, "~1")).join("");
    if (typeof schema === "boolean") fail(`the schema ${schema}, for ${schema ? "any JSON value" : "no value"}, is not supported here`, pointer);
    if (schema === null || typeof schema !== "object" || Array.isArray(schema)) fail(`a schema is an object, not ${JSON.stringify(schema)}`, pointer);
    const has = (keyword) => Object.hasOwn(schema, keyword), type = schema.type;
    if (has("type") && Array.isArray(type)) fail("a list of types is not supported here", below("type"));
    if (has("type") && !TYPES.includes(type)) fail(`unknown type ${JSON.stringify(type)}; the types are ${TYPES.join(", ")}`, below("type"));
    const own = { object: ["properties", "required"], array: ["items", "minItems", "maxItems"], string: ["minLength", "maxLength"] }[type] || [];
    for (const keyword in schema)
      if (!ANNOTATIONS.includes(keyword) && !["type", ...(has("enum") ? ["enum"] : own)].includes(keyword)) fail(`the keyword '${keyword}' is not supported here`, below(keyword));
    const size = (keyword, otherwise) => {
      if (has(keyword) && !(Number.isSafeInteger(schema[keyword]) && schema[keyword] >= 0)) fail(`${JSON.stringify(schema[keyword])} is no count: it must be a whole number, 0 or more`, below(keyword));
      return has(keyword) ? schema[keyword] : otherwise;
    };
    if (has("enum")) {
      if (!Array.isArray(schema.enum)) fail(`enum must be a list, not ${JSON.stringify(schema.enum)}`, below("enum"));
      schema.enum.forEach((value, n) => value !== null && typeof value === "object" && fail("an array or an object among the values of enum is not supported here", below("enum", n)));
      const is = (value) => type === (value === null ? "null" : typeof value) || (type === "integer" && Number.isInteger(value));
      const values = schema.enum.filter((value) => !has("type") || is(value));
      return values.length ? `(?:${values.map((value) => literal(value, plain)).join("|")})` : NOTHING;
    }
    if (!has("type")) fail("any JSON value may stand here, which no regular expression describes; let type or enum say which", pointer);
    if (type === "boolean") return "(?:true|false)";
    if (type === "null") return "null";
    if (type === "integer") return "(?:0|-?[1-9][0-9]*)";
    if (type === "number") return "(?:-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)";
    if (type === "string") {
      const least = size("minLength", 0), most = size("maxLength", null), hex = "[0-9a-fA-F]";
      const char = `(?:[^"\\\\\\x00-\\x1f\\ud800-\\udfff]|\\\\["\\\\/bfnrt]|\\\\u(?:[0-9a-cA-CefEF]${hex}|[dD][0-7])${hex}{2}|\\\\u[dD][89abAB]${hex}{2}\\\\u[dD][c-fC-F]${hex}{2})`;
      return most !== null && most < least ? NOTHING : `"${plain ? '[^"\\\\\\x00-\\x1f]' : char}${times(least, most)}"`;
    }
    if (type === "array") {
      if (!has("items")) fail("the items may be any JSON value, which no regular expression describes; let items say which", pointer);
      const item = expression(schema.items, plain, below("items")), least = size("minItems", 0), most = size("maxItems", null);
      if (most !== null && most < least) return NOTHING;
      const items = `(?:${item})(?:,(?:${item}))${times(Math.max(least, 1) - 1, most === null ? null : most - 1)}`;
      return most === 0 ? "\\[\\]" : `\\[${least ? items : `(?:${items})?`}\\]`;
    }
    const { properties, required = [] } = schema;
    if (!has("properties")) fail("the members may be any JSON value, which no regular expression describes; let properties say which", pointer);
    if (properties === null || typeof properties !== "object" || Array.isArray(properties)) fail(`properties must be an object, not ${JSON.stringify(properties)}`, below("properties"));
    if (!Array.isArray(required)) fail(`required must be a list, not ${JSON.stringify(required)}`, below("required"));
    for (const key of required) if (!Object.hasOwn(properties, key)) fail(`the required key '${key}' is not declared, so any JSON value may stand there`, below("required"));
    const keys = Object.keys(properties);
    for (const key of keys) if (/^(0|[1-9]\d{0,9})$/.test(key)) fail(`JavaScript would move the key '${key}' to the front, so this page leaves it out`, below("properties", key));
    const members = keys.map((key) => `${literal(key, plain)}:(?:${expression(properties[key], plain, below("properties", key))})`), rows = [];
    for (const [n, key] of keys.entries()) {
      rows.push(`(?:${members[n]})` + members.slice(n + 1).map((other, m) => `(?:,(?:${other}))${required.includes(keys[n + 1 + m]) ? "" : "?"}`).join(""));
      if (required.includes(key)) return `\\{(?:${rows.join("|")})\\}`;
    }
    return `\\{(?:${[...rows, ""].join("|")})\\}`;
  }
  function read(source) {
    const spelt = source.replace(/"(?:\\.|[^"\\])*"/g, '""').match(/-?\d[\d.eE+-]*/g) || [];
    let schema;
    try { schema = JSON.parse(source); } catch (error) { fail(`this is no JSON yet: ${error.message}`, null); }
    for (const number of spelt) if (JSON.stringify(Number(number)) !== number) fail(`write the number ${number} as ${JSON.stringify(Number(number))}`, null);
    return schema;
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

  function charName(code, bytes) {
    const known = { 9: "\\t", 10: "\\n", 13: "\\r", 32: "\u2423" }[code], char = String.fromCodePoint(code);
    if (known) return known;
    if (bytes && code > 127) return code.toString(16).toUpperCase();
    return /[\p{C}\p{M}\p{Z}]/u.test(char) ? `U+${code.toString(16).toUpperCase().padStart(4, "0")}` : char;
  }
  function label(ranges, bytes) {
    if (!ranges.length) return "\u03b5";
    const end = ranges[ranges.length - 1][1] === LAST, rest = end ? complement(ranges) : ranges;
    const named = rest.flatMap(([first, last]) => {
      if (first === 0 && last === 31) return ["controls"];
      const ends = [...new Set([first, last])].map((code) => charName(code, bytes));
      return last - first > 1 ? [ends.join("-")] : ends;
    });
    return end ? named.length ? `not ${named.join(" ")}` : "any" : named.join(" ");
  }

  // What is drawn: all states, or those around the lit ones; chains of single characters as one arrow, where asked for.
  function shown(automaton, lit, path, { bytes, chains }) {
    let edges = arrows(automaton).map((arrow) => ({ from: arrow.from, to: arrow.to, label: label(arrow.ranges, bytes), dashed: !arrow.ranges.length }));
    const size = automaton.table ? automaton.table.length : automaton.moves.length, start = automaton.initial ?? 0;
    const accepts = (state) => automaton.table ? automaton.accepting[state] : state === automaton.accepting;
    let nodes = Array.from({ length: size }, (_, state) => state);
    if (chains) {
      const into = nodes.map(() => []), out = nodes.map(() => []);
      for (const edge of edges) { into[edge.to].push(edge); out[edge.from].push(edge); }
      const single = (edges) => edges.length === 1 && [...edges[0].label].length === 1;
      const keep = nodes.map((state) => state === start || accepts(state) || lit.includes(state) || !single(into[state]) || !single(out[state]));
      edges = edges.filter((edge) => keep[edge.from]).map((edge) => {
        let { to, label } = edge;
        while (!keep[to]) { label += out[to][0].label; to = out[to][0].to; }
        return { ...edge, to, label };
      });
      nodes = nodes.filter((state) => keep[state]);
    }
    if (nodes.length > MOST.drawn) {
      const near = new Map([...path.slice(-2), ...lit.slice(0, MOST.drawn / 2)].map((state) => [state, 0]));
      for (const [state, far] of near) for (const { from, to } of edges) if (from === state && far < 3 && near.size < MOST.drawn / 2 && !near.has(to)) near.set(to, far + 1);
      nodes = nodes.filter((state) => near.has(state));
      edges = edges.filter(({ from, to }) => near.has(from) && near.has(to));
    }
    return { size, start, edges, nodes: nodes.map((id) => ({ id, accepts: accepts(id), inside: bytes && insideCharacter(automaton, id) })) };
  }

  // Layers by the distance from the first state, each in the order of what leads there.
  function picture({ nodes, edges, start }, lit) {
    const R = 16, at = new Map(nodes.map((node) => [node.id, node])), layers = [], first = at.has(start) ? start : nodes[0].id;
    const esc = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
    const lay = (id, layer) => { const node = at.get(id); if (node.layer === undefined) { node.layer = layer; (layers[layer] ||= []).push(node); return true; } return false; };
    const waiting = [first];
    lay(first, 0);
    for (const id of waiting) for (const { from, to } of edges) if (from === id && lay(to, at.get(id).layer + 1)) waiting.push(to);
    for (const { id } of nodes) lay(id, 0);
    const short = (text) => [...text].length > 24 ? [...text].slice(0, 23).join("") + "\u2026" : text;
    let x = 46;
    layers.forEach((layer, n) => {
      const place = (node) => { const from = edges.filter((edge) => edge.to === node.id && at.get(edge.from).layer < n).map((edge) => at.get(edge.from).y); return from.length ? from.reduce((a, b) => a + b, 0) / from.length : 0; };
      for (const node of layer) node.wish = place(node);
      layer.sort((a, b) => a.wish - b.wish || a.id - b.id).forEach((node, m) => { node.y = (m - (layer.length - 1) / 2) * 80; });
      const wide = edges.filter(({ from, to }) => at.get(from).layer === n && (at.get(to).layer === n + 1 || to === from)).map((edge) => [...short(edge.label)].length / (edge.from === edge.to ? 2 : 1));
      if (!n) x += 3.7 * Math.max(0, ...edges.filter(({ from, to }) => from === to && at.get(from).layer === 0).map((edge) => [...short(edge.label)].length - 8));
      layer.forEach((node) => { node.x = x; });
      x += Math.max(86, 7.4 * Math.max(0, ...wide) + 54);
    });
    let top = Math.min(...nodes.map(({ y }) => y)) - 20, bottom = Math.max(...nodes.map(({ y }) => y)) + 20;
    const drawn = edges.map((edge) => {
      const a = at.get(edge.from), b = at.get(edge.to);
      const there = edge.from !== edge.to && edges.some((other) => other.from === edge.to && other.to === edge.from);
      let path, tip, from, lx, ly;
      if (a === b) {
        const up = a.y > 0 ? -1 : 1;  // a loop lies on the outer side
        path = `M${a.x - 8},${a.y - 14 * up}C${a.x - 22},${a.y - 46 * up} ${a.x + 22},${a.y - 46 * up} ${a.x + 8},${a.y - 14 * up}`;
        [tip, from, lx, ly] = [[a.x + 8, a.y - 14 * up], [a.x + 15, a.y - 34 * up], a.x, a.y - 42 * up + (up < 0 ? 8 : 0)];
      } else {
        // Straight, or a little to the left where another arrow comes back; and around the states that are in its way.
        const far = Math.hypot(b.x - a.x, b.y - a.y), normal = [(b.y - a.y) / far, (a.x - b.x) / far], on = (p, c, q, t) => (1 - t) ** 2 * p + 2 * t * (1 - t) * c + t * t * q;
        let bow, cx, cy;
        for (bow of there ? [32, 80, 130, 190, 260, 340] : [0, 50, -50, 100, -100, 160, -160, 230, -230, 340]) {
          [cx, cy] = [(a.x + b.x) / 2 + normal[0] * bow, (a.y + b.y) / 2 + normal[1] * bow];
          if (nodes.every((node) => node === a || node === b || [0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85].every((t) => Math.hypot(on(a.x, cx, b.x, t) - node.x, on(a.y, cy, b.y, t) - node.y) > R + 7))) break;
        }
        const edgeOf = (node) => { const way = Math.hypot(cx - node.x, cy - node.y); return [node.x + (cx - node.x) / way * (R + 2), node.y + (cy - node.y) / way * (R + 2)]; };
        const begin = edgeOf(a), out = bow < 0 || (!bow && normal[1] > 0) ? -1 : 1;
        [tip, from] = [edgeOf(b), [cx, cy]];
        path = `M${begin.map(Math.round)}Q${Math.round(cx)},${Math.round(cy)} ${tip.map(Math.round)}`;
        // Where arrows fan out, their labels are further apart at the other end.
        const fan = edges.filter((other) => other.from === edge.from).length - edges.filter((other) => other.to === edge.to).length, where = fan > 1 ? 0.65 : fan < -1 ? 0.35 : 0.5;
        [lx, ly] = [on(a.x, cx, b.x, where) + normal[0] * out * (6 + 3.3 * [...short(edge.label)].length), on(a.y, cy, b.y, where) + normal[1] * out * 9 + 4];
      }
      top = Math.min(top, ly - 14);
      bottom = Math.max(bottom, ly + 8);
      const turn = Math.atan2(tip[1] - from[1], tip[0] - from[0]), corner = (angle) => `${(tip[0] - 8 * Math.cos(turn + angle)).toFixed(1)},${(tip[1] - 8 * Math.sin(turn + angle)).toFixed(1)}`;
      return [`<g data-from="${edge.from}" data-to="${edge.to}"><title>${edge.from} to ${edge.to}: ${esc(edge.label)}</title>` +
        `<path class="line${edge.dashed ? " dashed" : ""}" d="${path}"/><path class="head" d="M${tip}L${corner(0.4)}L${corner(-0.4)}Z"/></g>`,
        `<text class="mono label" x="${lx.toFixed(1)}" y="${ly.toFixed(1)}" text-anchor="middle">${esc(short(edge.label))}</text>`];
    });
    const circles = nodes.map(({ id, x, y, accepts, inside }) => `<g data-state="${id}"${lit.includes(id) ? ' class="current"' : ""}>` +
      `<title>state ${id}${accepts ? ", accepting" : ""}${inside ? ", within a character" : ""}</title>` +
      `<circle class="ring${inside ? " dashed" : ""}" cx="${x}" cy="${y}" r="${R}"/>` +
      `${accepts ? `<circle class="ring" cx="${x}" cy="${y}" r="${R - 4}"/>` : ""}<text x="${x}" y="${y + 4}" text-anchor="middle">${id}</text></g>`);
    const begin = at.has(start) ? `<path class="line" d="M6,${at.get(start).y}H24"/><path class="head" d="M29,${at.get(start).y}l-8,-4v8Z"/>` : "";
    const width = Math.round(x), height = Math.round(bottom - top + 16);
    return `<svg viewBox="0 ${Math.round(top - 8)} ${width} ${height}" width="${width}" style="max-width:none" role="img" ` +
      `aria-label="automaton, ${nodes.length} states drawn, in state ${lit.join(", ")}">` +
      [begin, ...drawn.map((each) => each[0]), ...drawn.map((each) => each[1]), ...circles, "</svg>"].join("");
  }

  // Where a text is in its schema: for each member of the object whether it is written, being written, next, or left out.
  function members(schema, text) {
    if (!schema.properties || schema.enum) return [];
    const keys = Object.keys(schema.properties), required = schema.required || [], written = [];
    let depth = 0, string = false, escaped = false, key = null, current = null, expects = false;
    for (const char of text) {
      if (string) {
        if (key !== null) key += char;
        if (!escaped && char === '"') { string = false; if (key !== null) { current = JSON.parse(key); key = null; expects = false; } }
        escaped = !escaped && char === "\\";
      } else if (char === '"') { string = true; if (depth === 1 && expects) key = char; }
      else if ("{[".includes(char)) { depth++; if (depth === 1) expects = true; }
      else if ("}]".includes(char)) { depth--; if (!depth && current !== null) { written.push(current); current = null; } }
      else if (char === "," && depth === 1) { written.push(current); current = null; expects = true; }
    }
    const last = current === null ? keys.indexOf(written[written.length - 1]) : keys.indexOf(current), over = !depth && text !== "";
    let open = depth === 1 && expects;
    return keys.map((name, n) => {
      const needed = required.includes(name), fits = JSON.stringify(name).startsWith(key ?? ""), next = open && n > last;
      if (next && needed) open = false;
      return { name, needed, is: name === current ? "now" : written.includes(name) ? "written" : n < last || over ? "left out" : next && fits ? "next" : "" };
    });
  }

  function repr(text) {
    const inner = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"');
    return inner.includes("'") && !inner.includes('"') ? `"${inner}"` : `'${inner.replace(/'/g, "\\'")}'`;
  }

  function section(data, section, { make, choice }) {
    const { lab } = data, code = (text) => make("code", {}, text), hex = (bytes) => bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
    const tokens = mtlTyped.tokens.map((each) => {
      const whole = typeof each === "string" ? each : null, bytes = whole === null ? each : [...new TextEncoder().encode(whole)];
      return { text: whole, bytes, name: whole === null ? hex(bytes) : repr(whole), symbols: lab === 7 ? bytes : whole === null ? null : symbols(lab, whole) };
    });
    const options = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
    const source = lab === 8 ? make("textarea.typed", { rows: 9, ...options }) : make("input.typed", { type: "text", ...options });
    const text = make("textarea.typed", { rows: 1, ...options }), refusal = make("p.wrong", { "aria-live": "polite" }), view = make("div");
    const said = make("p", { "aria-live": "polite" }), figure = make("div.automaton", { tabindex: 0, role: "group", "aria-label": "automaton" });
    const caption = make("p.muted");
    let made = null, stage = "dfa", pending = [], walked = null, timer, rows = null;
    const stages = { nfa: "NFA", whole: "DFA", dfa: "minimal DFA" };
    const pick = lab === 6 ? choice("drawn:", Object.values(stages), (n) => { stage = Object.keys(stages)[n]; show(); }) : null;
    if (pick) pick.querySelector("select").selectedIndex = 2;

    function compile() {
      made = null;
      walked = rows = null;
      const written = [...source.value];
      try {
        made = compiled(lab, source.value);
        refusal.replaceChildren();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { place } = error, marked = () => [written.slice(0, place).join(""), make("mark", {}, written[place] ?? "end"), written.slice(place + 1).join("")];
        const where = place === null ? [] : typeof place === "number" ? [`, at position ${place}: `, make("code", {}, marked())] : [`, at ${place || "the root of the schema"}`];
        refusal.replaceChildren(make("b", {}, "refused "), error.message, ...where);
      }
      source.setAttribute("aria-invalid", String(!made));
      show();
    }

    function tap(id, event) {
      const token = tokens[id], { dfa } = made, state = stateOf().path.at(-1), path = walk(dfa, token.symbols, state);
      walked = { token, path };
      if (path.length > token.symbols.length) {
        const bytes = [...pending, ...token.bytes];
        let cut = bytes.length;
        while (utf8Text(bytes.slice(0, cut)) === null) cut--;
        text.value += utf8Text(bytes.slice(0, cut));
        pending = bytes.slice(cut);
      }
      show();
      if (!event.detail) (view.querySelector(".tokens button") || text).focus();  // by a key: the button is gone
    }
    const utf8Text = (bytes) => { try { return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes)); } catch { return null; } };
    function stateOf() {
      const read = [...symbols(lab, text.value), ...pending], path = walk(made.dfa, read);
      return { read, path, dead: path.length <= read.length };
    }

    function show() {
      for (const part of [figure, caption, said, view]) part.hidden = !made;
      if (!made) return;
      const { dfa } = made, { read, path, dead } = stateOf(), state = path.at(-1), accepts = !dead && dfa.accepting[state], alive = [...text.value].slice(0, path.length - 1).join("");
      const drawn = made.drawn || (stage === "dfa" ? dfa : made[stage]);
      let lit = [state], track = path;
      if (made.drawn) { track = walk(drawn, symbols(lab, unescaped(dead ? alive : text.value))); lit = [track.at(-1)]; }
      if (stage === "nfa") {
        const after = (states, symbol) => [...states].flatMap((from) => drawn.moves[from].filter(([ranges]) => ranges.some(([a, b]) => a <= symbol && symbol <= b)).map(([, to]) => to));
        const now = read.slice(0, path.length - 1).reduce((states, symbol) => closure(drawn, after(states, symbol)), closure(drawn, [drawn.initial]));
        [lit, track] = [[...now].sort((a, b) => a - b), []];
      }
      if (stage === "whole") { track = walk(drawn, read); lit = [track.at(-1)]; }
      if (lab > 1) {
        const graph = shown(drawn, lit, track, { bytes: lab === 7, chains: lab === 8 });
        figure.innerHTML = picture(graph, lit);
        caption.textContent = lab === 8 ? "An arrow may read several characters. The picture leaves out escapes inside strings."
          : graph.nodes.length < graph.size ? `${graph.nodes.length} of ${count(graph.size)} states are drawn, those around the current one.` : "";
        const steps = walked && stage === "dfa" ? walked.path : track.slice(-2);
        for (const edge of figure.querySelectorAll("[data-from]")) edge.classList.toggle("lit", steps.some((from, n) => from === +edge.dataset.from && steps[n + 1] === +edge.dataset.to));
        const current = figure.querySelector(".current");
        if (current) {
          const there = current.getBoundingClientRect(), here = figure.getBoundingClientRect();
          figure.scrollLeft += there.left + there.width / 2 - here.left - here.width / 2;
          figure.scrollTop += there.top - here.top - here.height / 2;
        }
      }
      const name = (symbol) => charName(symbol, lab === 7), unit = lab === 7 ? "byte" : "character";
      const many = lit.length > 1, inside = lab === 7 && insideCharacter(dfa, state) ? ", within a character" : "";
      const stuck = lab === 1 ? ": whatever follows, the text can't become a match." : many ? ": none of the states has a transition for it." : `: state ${lit[0]} has no transition for it.`;
      said.replaceChildren(...(pending.length ? ["After the text comes ", code(hex(pending)), ", part of a character. "] : []),
        ...(dead ? [`Dead at ${unit} ${path.length}, `, code(name(read[path.length - 1])), stuck]
          : [lab === 1 ? "" : `In ${many ? `${lit.length} states at once: ` : "state "}${lit.join(", ")}${inside}. `, accepts ? "The text is a match, so EOS is allowed." : "The text isn't a match yet, so EOS is masked."]));
      const parts = [];
      const boxes = made.schema ? members(made.schema, dead ? alive : text.value) : [];
      const member = ({ name, needed, is }) => make(`span.member${is ? "." + is.replace(" ", "-") : ""}`, {}, code(name + (needed ? "" : "?")), is ? ` ${is}` : "");
      if (boxes.length) parts.push(make("div.tokens", { role: "group", "aria-label": "members" }, boxes.map(member)));
      const next = arrows(dfa).filter(({ from }) => from === state).map(({ ranges }) => make("span.token", {}, label(ranges, lab === 7)));
      if (lab > 1 && !dead) parts.push(make("p", {}, "Next may come: ", next.length ? next : `nothing${accepts ? ", only EOS" : ""}.`));
      parts.push(...maskParts(dfa, state, dead, accepts, read));
      view.replaceChildren(...parts);
    }

    function maskParts(dfa, state, dead, accepts, read) {
      const { allowed, refused } = dead ? { allowed: [], refused: [] } : masked(dfa, state, tokens), withText = tokens.filter((token) => token.symbols);
      const chip = (struck) => (id) => make(struck ? "button.struck" : "button", { type: "button", "aria-label": `${tokens[id].name}${struck ? ", refused" : ""}`, onclick: (event) => tap(id, event) }, tokens[id].name);
      const parts = [make("p", {}, make("b", {}, `${count(allowed.length)} of ${count(tokens.length)} tokens`), ` may come next${accepts ? ", and EOS" : "; EOS may not"}.`, allowed.length ? " Tap one to write it:" : "")];
      // Longer tokens first, and what can be read before what can't; a few of one symbol among them. A field has no \r.
      const strange = (id) => tokens[id].name.includes("\\") ? 2 : tokens[id].text === null ? 1 : 0, best = allowed.filter((id) => !tokens[id].bytes.includes(13)).sort((a, b) => strange(a) - strange(b));
      const long = best.filter((id) => tokens[id].symbols.length > 1), shown = [...long.slice(0, 12), ...best.filter((id) => tokens[id].symbols.length === 1), ...long.slice(12)].slice(0, 16);
      if (allowed.length) parts.push(make("div.tokens", { role: "group", "aria-label": "allowed tokens" }, shown.map(chip(false)), allowed.length > 16 ? make("span.muted", {}, `and ${count(allowed.length - 16)} more`) : ""));
      if (refused.length) parts.push(make("p", {}, "Refused after a good start:"), make("div.tokens", { role: "group", "aria-label": "refused tokens" }, refused.slice(0, 6).map(chip(true))));
      const cost = (from) => withText.reduce((sum, token) => sum + Math.min(survived(dfa, token.symbols, from) + 1, token.symbols.length), 0);
      if (lab !== 2 && lab !== 8 && /\\[dswDSW]/.test(source.value)) parts.push(make("p.muted", {}, "On this page \\d, \\s and \\w mean ASCII's."));
      if (lab === 1) parts.push(make("p.muted", {}, `For this one mask ${count(withText.length)} texts were tested, ${count(withText.reduce((sum, token) => sum + read.length + token.symbols.length, 0))} characters in all.`));
      if (lab === 2 && !dead) parts.push(make("p.muted", {}, `For this one mask all tokens were walked from state ${state}, with ${count(cost(state))} look-ups.`));
      if (lab === 6) parts.push(make("p.muted", {}, `${count(made.nfa.moves.length)} states in the NFA, ${count(made.whole.table.length)} in the DFA, ${count(dfa.table.length)} in the minimal one.`));
      if (lab === 8) parts.push(make("details", {}, make("summary", {}, `The expression: ${count(made.pattern.length)} characters, ${count(dfa.table.length)} states`), make("pre", {}, made.pattern)));
      if (walked && lab > 1) {
        const { token, path } = walked, over = path.length <= token.symbols.length;
        const read = (n) => lab === 7 ? charName(token.symbols[n], true) : `'${charName(token.symbols[n])}'`;
        const steps = path.slice(1).map((to, n) => ` --${read(n)}--> ${to}`).join("") + (over ? ` --${read(path.length - 1)}--> dead` : "");
        parts.splice(1, 0, make("p", {}, "The walk of ", code(token.name), ": ", code(path[0] + steps)));
      } else if (walked && walked.path.length <= walked.token.symbols.length) parts.splice(1, 0, make("p", {}, code(repr(text.value + walked.token.text)), " can't become a match."));
      if (lab === 3) {
        rows ||= { lookups: dfa.table.reduce((sum, _, from) => sum + cost(from), 0), ends: dfa.table.slice(0, 12).map((_, from) => {
          const ends = new Map();
          for (const token of withText) { const path = walk(dfa, token.symbols, from); if (path.length > token.symbols.length) ends.set(path.at(-1), (ends.get(path.at(-1)) || 0) + 1); }
          return [...ends].sort((a, b) => a[0] - b[0]);
        }) };
        const heads = ["state", "allowed", "of these lead to"].map((head) => make("th", { scope: "col" }, head));
        const row = (ends, from) => make(from === state ? "tr.chosen" : "tr", {}, make("th", { scope: "row" }, String(from)),
          make("td", {}, count(ends.reduce((sum, [, n]) => sum + n, 0))), make("td", {}, ends.map(([to, n]) => `state ${to}: ${count(n)}`).join(", ")));
        parts.push(make("div.wide", { tabindex: 0, role: "group", "aria-label": "table" }, make("table", {}, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows.ends.map(row)))),
          make("p.muted", {}, `The table was made once, with ${count(rows.lookups)} look-ups. Each mask since then is one of its rows.`));
      }
      return parts;
    }

    const set = (example) => { [source.value, text.value] = example; pending = []; compile(); };
    source.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(compile, 150); });
    text.addEventListener("input", () => { pending = []; walked = null; show(); });
    section.append(make("div.bar", { role: "group", "aria-label": "examples" }, data.examples.map((example, n) => make("button", { type: "button", onclick: () => set(example) }, lab === 8 ? `schema ${n + 1}` : code(example[0])))),
      make("label.field", {}, make("span", {}, lab === 8 ? "schema" : "pattern"), source), refusal,
      ...(pick ? [pick] : []), ...(lab > 1 ? [figure, caption] : []), make("label.field", {}, make("span", {}, "text"), text), said, view);
    set(data.examples[0]);
  }
  return Object.assign(section, { compiled, symbols, masked, walk, members, Refused });
})();
