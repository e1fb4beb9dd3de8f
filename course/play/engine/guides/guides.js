// Guides through the tokens of a vocabulary: which may come next, and where each leads.
import { CharacterStates } from "./characters.js";
import { described } from "./described.js";
import { grammarOf } from "./grammar.js";
import { parsed } from "../automata/patterns.js";
import { LAST } from "../automata/ranges.js";
import { fail } from "../refusals.js";
import { rulesOfSchema } from "../schema/compiler.js";

const MOST_IN_PATTERN = 20_000; // the characters of a pattern

// A vocabulary as a trie of the tokens' bytes, which a guide walks once for each state.
// tokens: a Uint8Array for each id. specialIds: those that are never text; the end, eosId, is one of them.
export function vocabularyOf({ tokens, eosId, specialIds = [] }) {
  const special = new Set([...specialIds, eosId]),
    root = newNode();
  tokens.forEach((bytes, id) => !special.has(id) && bytes.length && add(root, bytes, id));
  const written = tokens.filter((_, id) => !special.has(id)),
    single = written.filter((bytes) => bytes.length === 1);
  const longest = written.reduce((most, { length }) => Math.max(most, length), 1);
  return { tokens, eosId, root, longest, hasAllBytes: new Set(single.map(([byte]) => byte)).size === 256 };
}

// {children: byte to node, ids: of the tokens that end here}
const newNode = () => ({ children: new Map(), ids: [] });

function add(root, bytes, id) {
  let node = root;
  for (const byte of bytes) {
    if (!node.children.has(byte)) node.children.set(byte, newNode());
    node = node.children.get(byte);
  }
  node.ids.push(id);
}

// A guide for the whole matches of a pattern.
export function regexGuide(pattern, vocabulary) {
  const { tree, trees } = parsed(pattern, { most: MOST_IN_PATTERN, ascii: false });
  return new Guide({ names: ["pattern"], bodies: [tree], trees }, vocabulary);
}

// The first byte of a character of several bytes: how many follow, and the first character of so many bytes.
const LEADS = [
  { from: 0xc2, to: 0xdf, base: 0xc0, bytes: 1, least: 0x80 },
  { from: 0xe0, to: 0xef, base: 0xe0, bytes: 2, least: 0x800 },
  { from: 0xf0, to: 0xf4, base: 0xf0, bytes: 3, least: 0x10000 },
];
const leadOf = (byte) => LEADS.find(({ from, to }) => from <= byte && byte <= to);

// How many states of a level a search goes on from, after how many in all it gives up, or all searches for one mask (or
// after how much work), and how many tokens are as good as infinitely many.
const WIDTHS = [1, 8, Infinity],
  MOST_SEEN = 5000,
  MOST_SEEN_AT_ONCE = 20_000,
  MOST_SPENT_AT_ONCE = 4e6,
  FAR = 1e15;

// States are opaque, and never change: {chars, bytes, low, least, only}, the state after the last whole character and,
// within a character, how many bytes it still needs, the first character that it may be, and the least of its length;
// or only, the state after whatever it becomes. The rest is what has been found out about it.
export class Guide {
  // grammar: {names, bodies, trees}, and perhaps pointers; see rules.js. vocabulary: of `vocabularyOf`.
  constructor(grammar, vocabulary) {
    Object.assign(this, { grammar, vocabulary, characters: new CharacterStates(grammar), known: new Map(), spent: 0 });
    if (!this.characters.initial) fail("no text satisfies it");
    this.initial = this.stateOf(this.characters.initial);
  }

  stateOf(chars, bytes = 0, low = 0, least = 0, only = null) {
    if (!chars) return null;
    if (!this.known.has(chars)) this.known.set(chars, new Map());
    const inside = this.known.get(chars),
      key = `${bytes} ${low}`,
      found = { steps: new Map(), needed: null, enough: null };
    if (!inside.has(key)) inside.set(key, { ...found, chars, bytes, low, least, only, targets: null });
    return inside.get(key);
  }

  // Whether the text so far is a whole match.
  isAccepting({ chars, bytes }) {
    return !bytes && chars.accepts;
  }

  // The state after a token, or null if it may not come next. EOS leads nowhere.
  advance(state, id) {
    return this.targetsOf(state)[id] ?? null;
  }

  // Which tokens may come next: a byte for each, 1 for yes. Within a budget, this token and EOS included, a token is
  // allowed only if the text can still be finished after it.
  mask(state, remaining = Infinity) {
    const mask = new Uint8Array(this.vocabulary.tokens.length),
      targets = this.targetsOf(state);
    const near = remaining < Infinity && this.within(new Set(targets.filter(Boolean)), remaining - 2);
    targets.forEach((target, id) => (mask[id] = Number(!near || near.has(target))));
    mask[this.vocabulary.eosId] = Number(this.isAccepting(state));
    return mask;
  }

  // For each token that may come next the state after it, in a sparse list: one walk over the trie of all tokens.
  targetsOf(state) {
    if (state.targets) return state.targets;
    this.characters.rules.work.done = 0; // each step may take so much
    const found = [],
      waiting = [[this.vocabulary.root, state]];
    while (waiting.length) {
      const [node, here] = waiting.pop();
      for (const id of node.ids) found[id] = here;
      for (const [byte, below] of node.children) {
        const after = this.afterByte(here, byte);
        if (after) waiting.push([below, after]);
      }
    }
    this.spent += this.characters.rules.work.done;
    return (state.targets = found);
  }

  afterByte(state, byte) {
    if (!state.steps.has(byte))
      state.steps.set(byte, state.bytes ? this.inCharacter(state, byte) : this.begun(state, byte));
    return state.steps.get(byte);
  }

  begun({ chars }, byte) {
    if (byte < 0x80) return this.stateOf(this.characters.after(chars, byte));
    const lead = leadOf(byte);
    return lead ? this.inside(chars, lead.bytes, (byte - lead.base) << (6 * lead.bytes), lead.least) : null;
  }

  inCharacter({ chars, bytes, low, least, only }, byte) {
    if (byte < 0x80 || byte > 0xbf) return null;
    if (only) return bytes > 1 ? this.stateOf(only, bytes - 1, -1, 0, only) : this.stateOf(only);
    const first = low + ((byte & 0x3f) << (6 * (bytes - 1)));
    if (bytes > 1) return this.inside(chars, bytes - 1, first, least);
    return first < least || first > LAST ? null : this.stateOf(this.characters.after(chars, first));
  }

  // The state within a character, if one that begins so may come. Where all of them lead to the same state, there's one
  // state for each number of bytes before it, whatever has been read: a search would meet thousands otherwise.
  inside(chars, bytes, low, least) {
    const last = low + (1 << (6 * bytes)) - 1,
      ways = this.ways(chars, bytes, low, least);
    if (!ways.length) return null;
    const whole = low >= least && last <= LAST && ways.every((each) => each === ways[0]);
    return whole ? this.stateOf(ways[0], bytes, -1, 0, ways[0]) : this.stateOf(chars, bytes, low, least);
  }

  // The states after the characters that a character may still become, null for those that may not come.
  ways(chars, bytes, low, least) {
    const last = Math.min(low + (1 << (6 * bytes)) - 1, LAST);
    const found = last < least ? [] : this.characters.between(chars, Math.max(low, least), last);
    return found.some(Boolean) ? found : [];
  }

  bytesToEnd({ chars, bytes, low, least, only }) {
    if (!bytes || only) return bytes + this.characters.bytesToEnd(chars);
    const ways = this.ways(chars, bytes, low, least).filter(Boolean);
    return bytes + Math.min(...ways.map((each) => this.characters.bytesToEnd(each)));
  }

  // The fewest tokens to the end of a whole text, without EOS; more, if a search for fewer takes too long.
  tokensToAccept(state) {
    [this.mostSeen, this.spent] = [MOST_SEEN_AT_ONCE, 0];
    WIDTHS.forEach((width) => this.search(state, Infinity, width));
    return this.atMost(state);
  }

  // Which of some states are within so many tokens of an end. What is found out fast is found out about all of them first.
  within(states, most) {
    [this.mostSeen, this.spent] = [MOST_SEEN_AT_ONCE, 0];
    const sorted = [...states].sort((a, b) => this.atMost(a) - this.atMost(b));
    for (const width of WIDTHS) for (const state of sorted) this.search(state, most, width);
    return new Set(sorted.filter((state) => this.atMost(state) <= most));
  }

  // Each token covers no more bytes than the longest one has; where every byte is a token, there is one for each byte.
  atLeast(state) {
    return (state.needed ??= Math.ceil(this.bytesToEnd(state) / this.vocabulary.longest));
  }

  atMost(state) {
    if (state.enough === null)
      state.enough = this.isAccepting(state) ? 0 : this.vocabulary.hasAllBytes ? this.bytesToEnd(state) : Infinity;
    return state.enough;
  }

  // Look a token at a time for an end within so many, and note what is found out. Of each level, the search goes on from
  // so many states, those that are nearest to an end as far as we know.
  search(start, most, width) {
    const before = new Map([[start, start]]);
    let level = [start];
    for (let steps = 1; level.length && !(this.atMost(start) <= most && most < Infinity); steps++) {
      const limit = Math.min(this.atMost(start) - 1, most, FAR) - steps + 1,
        found = new Map();
      for (const state of level.filter((each) => this.atLeast(each) <= limit).slice(0, width))
        for (const target of new Set(this.targetsOf(state).values()))
          if (target && !before.has(target) && !found.has(target)) found.set(target, state);
      for (const [target, state] of found) before.set(target, state);
      level = [...found.keys()].sort((a, b) => this.atMost(a) - this.atMost(b));
      level.forEach((state) => this.noteWay(state, before));
      this.mostSeen -= found.size;
      if (before.size > MOST_SEEN || this.mostSeen < 0 || this.spent > MOST_SPENT_AT_ONCE) return;
    }
    if (!level.length && width === Infinity)
      start.needed = Math.max(this.atLeast(start), Math.min(this.atMost(start), most + 1));
  }

  // Note what is enough on the way to a state, as long as it's better than what we knew.
  noteWay(state, before) {
    for (let enough = this.atMost(state) + 1; this.atMost(before.get(state)) > enough; enough++) {
      state = before.get(state);
      state.enough = enough;
    }
  }

  // What a page draws: {dfa, at, stack: [{label, pointer}]}, the automaton of the rule that is being read, its state,
  // and the rules from the outermost to this one.
  describe(state) {
    return described(this.grammar, this.characters.rules, state.chars.items);
  }
}

// A guide for the JSON texts of a schema's values. space: "flexible", what json.dumps writes, or "compact".
export function schemaGuide(source, vocabulary, space) {
  return new Guide(rulesOfSchema(source, space), vocabulary);
}

// A guide for the texts of a grammar in GBNF.
export function grammarGuide(source, vocabulary) {
  return new Guide(grammarOf(source), vocabulary);
}
