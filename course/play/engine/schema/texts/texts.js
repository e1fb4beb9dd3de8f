// Strings as automata and trees of their values, not of how JSON writes them.
import {
  ANY_TEXT,
  dfaOf,
  difference,
  haveCommonText,
  intersection,
  lengthsOf,
  matchesText,
  NO_TEXT,
  union,
  wordsDfa,
} from "../../automata/dfas.js";
import { Fewest } from "../../guides/fewest.js";
import { parsed } from "../../automata/patterns.js";
import { fail } from "../../refusals.js";
import { searchTree } from "./ecma.js";
import { FORMATS, HOST_FORMATS, NO_HOST } from "./formats.js";
import { keysKey } from "../object_cases.js";
import { nameKey, Text } from "../scalars.js";

// From a greater minLength on it isn't decided whether some text satisfies a case.
const MOST_DECIDED = 500;

export class TextValues {
  // trees: the schema's. casesOf: gives the cases of a child, for sets of keys that a schema describes.
  constructor(trees, casesOf) {
    Object.assign(this, { trees, casesOf, automata: new Map() });
  }

  once(name, make) {
    if (!this.automata.has(name)) this.automata.set(name, make());
    return this.automata.get(name);
  }

  pattern(source) {
    return parsed(source, { most: Infinity, trees: this.trees }).tree;
  }

  // The tree of the texts in which a pattern matches.
  patternTree({ name, place }) {
    return this.once(`tree ${name}`, () => searchTree(name, place, this.trees));
  }

  patternDfa(one) {
    return this.once(nameKey(one), () => {
      const found = dfaOf(this.patternTree(one), this.trees);
      return one.must ? found : difference(ANY_TEXT, found);
    });
  }

  formatTree({ name, place }) {
    if (Object.hasOwn(FORMATS, name)) return this.pattern(FORMATS[name]);
    if (!Object.hasOwn(HOST_FORMATS, name)) fail(`the format '${name}' is not supported`, place);
    return this.once(`format ${name}`, () => this.hosts(HOST_FORMATS[name]));
  }

  hosts({ local, host }) {
    const { trees } = this,
      of = (source) => dfaOf(this.pattern(source), trees),
      names = difference(of(host), of(NO_HOST));
    const after = trees.automaton(names, classTrees(names, trees));
    if (!local) return after;
    const before = intersection([of(local), of(".{1,64}")]);
    return trees.row([trees.automaton(before, classTrees(before, trees)), trees.char("@"), after]);
  }

  formatDfa(one) {
    return this.once(`format dfa ${one.name}`, () => dfaOf(this.formatTree(one), this.trees));
  }

  // The automata of all that is asked of a case's values but their lengths.
  asked({ patterns, formats, excluded }) {
    const found = [...patterns.map((each) => this.patternDfa(each)), ...formats.map((each) => this.formatDfa(each))];
    return excluded.length ? [...found, this.allBut(excluded)] : found;
  }

  allBut(texts) {
    return difference(ANY_TEXT, wordsDfa(texts));
  }

  unbounded(one) {
    const asked = this.asked(one);
    return asked.length ? intersection(asked) : ANY_TEXT;
  }

  enumValues(one) {
    const free = this.unbounded(one),
      length = (text) => [...text].length;
    const fits = (text) => length(text) >= one.least && (one.most === null || length(text) <= one.most);
    return one.enum.filter((text) => fits(text) && matchesText(free, text));
  }

  // The automaton of a case's values.
  values(one) {
    if (one.enum) return wordsDfa(this.enumValues(one));
    const free = this.unbounded(one),
      [least, most] = neededLengths(free, one.least, one.most);
    if (most !== null && least > most) return NO_TEXT;
    return least === 0 && most === null ? free : intersection([free, this.counted(least, most)]);
  }

  counted(least, most) {
    const { trees } = this,
      any = trees.chars([
        [0, 0xd7ff],
        [0xe000, 0x10ffff],
      ]);
    return this.once(`counted ${least} ${most}`, () => dfaOf(trees.times(any, least, most), trees));
  }

  // Whether no string satisfies a case; false where that isn't decided.
  hasNone(given) {
    const one = new Text({ ...given, refused: [] });
    if (one.enum) return !this.enumValues(one).length;
    if (one.most !== null && one.most < one.least) return true;
    if (one.least > MOST_DECIDED || (this.alone(one) && one.formats.length)) return false;
    const asked = this.asked(one);
    if (!asked.length) return false;
    const found = intersection(one.least ? [...asked, this.counted(one.least, null)] : asked);
    return !found.accepting.some(Boolean) || (one.most !== null && lengthsOf(found)[0] > one.most);
  }

  // The pattern or format that is all that is asked but enum, or null.
  alone(one) {
    const asked = [...one.patterns, ...one.formats];
    return asked.length === 1 && one.least === 0 && one.most === null && !one.excluded.length && !one.refused.length
      ? asked[0]
      : null;
  }

  // The JSON strings of a case, as a tree.
  tree(one) {
    const { trees } = this;
    if (one.enum) return trees.oneOf(this.enumValues(one).map((text) => trees.quoted(text)));
    if (one.most !== null && one.most < one.least) return trees.nothing;
    const alone = this.alone(one);
    if (alone?.must) return this.stringOrNothing(one.formats.length ? this.formatTree(alone) : this.patternTree(alone));
    if (!this.asked(one).length) return trees.string(one.least, one.most);
    const free = this.unbounded(one),
      [least, most] = neededLengths(free, one.least, one.most);
    if (most !== null && least > most) return trees.nothing;
    if (least === 0) return this.stringOrNothing(free, most);
    return this.stringOrNothing(intersection([free, this.counted(least, most)]));
  }

  stringOrNothing(values, most = null) {
    const { trees } = this,
      found = trees.stringOf(values, most);
    return new Fewest().of(found) === Infinity ? trees.nothing : found;
  }

  // The automaton of a set of keys.
  keys(keys) {
    return this.once(`keys ${keysKey(keys)}`, () => {
      if (keys.outside) return difference(ANY_TEXT, union(keys.outside.map((part) => this.keys(part))));
      const parts = keys.patterns.map((each) => this.patternDfa(each));
      if (keys.names.length) parts.push(wordsDfa(keys.names));
      if (keys.child) parts.push(...this.casesOf(keys.child).string.map((one) => this.values(one)));
      return union(parts);
    });
  }

  // Whether a set of keys has one.
  holds(keys, name) {
    if (keys.outside) return !keys.outside.some((part) => this.holds(part, name));
    if (keys.names.includes(name) || keys.patterns.some((each) => matchesText(this.patternDfa(each), name)))
      return true;
    return Boolean(keys.child) && this.casesOf(keys.child).string.some((one) => matchesText(this.values(one), name));
  }

  share(one, other) {
    return haveCommonText([one, other]);
  }
}

const classTrees = (dfa, trees) => {
  const found = dfa.table[0].map(() => []);
  dfa.classes.forEach((each, n) => each >= 0 && found[each].push([dfa.bounds[n], dfa.bounds[n + 1] - 1]));
  return found.map((ranges) => trees.chars(ranges));
};

// The bounds of a length without those that hold for all texts of an automaton anyway.
function neededLengths(dfa, least, most) {
  const [shortest, longest] = lengthsOf(dfa);
  return [least <= shortest ? 0 : least, most !== null && longest <= most ? null : most];
}
