// Cases of objects: what is asked of the members under a set of keys, and which members must be there.
import { fail } from "../refusals.js";
import { jsonText } from "./json_reader.js";
import { keyOf, NEVER, negated, plain } from "./places.js";
import { changed, distinctBy, least, nameKey, SILENT } from "./scalars.js";

// A set of keys: some names, those that match a pattern, and those that satisfy a schema; or with outside, all keys that
// are in none of those sets.
export const keySet = ({ names = [], patterns = [], child = null, outside = null }) => ({
  names,
  patterns,
  child,
  outside,
});
export const oneKey = (name) => keySet({ names: [name] });
export const EVERY_KEY = keySet({ outside: [] });
export const keysKey = ({ names, patterns, child, outside }) =>
  JSON.stringify([names, patterns.map(nameKey), child && keyOf(child), outside && outside.map(keysKey)]);
// The one key of a set of one name, or undefined.
export const nameOfKeys = ({ names, patterns, child, outside }) =>
  names.length === 1 && !patterns.length && !child && !outside ? names[0] : undefined;

// In `every`: each member under one of the keys satisfies child. In `some`: at least one does.
export const membersOf = (keys, child) => ({ keys, child: plain(child) });
const membersKey = ({ keys, child }) => `${keysKey(keys)} ${keyOf(child)}`;
export const isNever = (child) => child.length === 1 && child[0][0] === false;

// declared: the keys of properties, in order. written: sets of undeclared keys that a schema speaks of. evaluated: the
// keys that schemas speak of. clauses: lists of literals [key, there], of each of which one must hold.
export class ObjectCase {
  constructor(rest = {}) {
    const nothing = {
      declared: [],
      every: [],
      some: [],
      least: 0,
      most: null,
      written: [],
      clauses: [],
      evaluated: [],
    };
    Object.assign(this, nothing, { refused: [], voice: SILENT, constant: undefined }, rest);
  }
  get isBlank() {
    const lists = [this.declared, this.every, this.some, this.written, this.clauses, this.refused];
    return lists.every((each) => !each.length) && !this.least && this.most === null;
  }
  meet(other) {
    return new ObjectCase({
      declared: [...new Set([...this.declared, ...other.declared])],
      every: distinctBy([...this.every, ...other.every], membersKey),
      some: distinctBy([...this.some, ...other.some], membersKey),
      least: Math.max(this.least, other.least),
      most: least(this.most, other.most),
      written: distinctBy([...this.written, ...other.written], keysKey),
      clauses: distinctBy([...this.clauses, ...other.clauses], clauseKey),
      evaluated: distinctBy([...this.evaluated, ...other.evaluated], keysKey),
      refused: [...this.refused, ...other.refused],
      voice: Math.max(this.voice, other.voice),
      constant: other.isBlank ? this.constant : this.isBlank ? other.constant : undefined,
    });
  }
  negate() {
    const found = this.every.map(({ keys, child }) => new ObjectCase({ some: [membersOf(keys, negated(child))] }));
    found.push(...this.some.map(({ keys, child }) => new ObjectCase({ every: [membersOf(keys, negated(child))] })));
    if (this.least) found.push(new ObjectCase({ most: this.least - 1 }));
    if (this.most !== null) found.push(new ObjectCase({ least: this.most + 1 }));
    for (const clause of this.clauses) found.push(holding(clause.map(([key, there]) => [key, !there])));
    return [...found, ...this.refused.map((problem) => new ObjectCase({ refused: [problem] }))];
  }
  // What is asked of the member under a key; `holds` says whether a set of keys has one.
  askedOf(name, holds) {
    const own = [...this.every, ...this.some].filter(({ keys }) => nameOfKeys(keys) === name);
    const others = this.every.filter(({ keys }) => nameOfKeys(keys) === undefined && holds(keys, name));
    return plain([...own, ...others].flatMap(({ child }) => child));
  }
  get required() {
    return [...new Set(this.some.map(({ keys }) => nameOfKeys(keys)).filter((name) => name !== undefined))];
  }
  // The keys that must and must not be there; null if anything else is asked.
  get literals() {
    const there = this.some.map(({ keys, child }) => [nameOfKeys(keys), true, !child.length]);
    const found = [...there, ...this.every.map(({ keys, child }) => [nameOfKeys(keys), false, isNever(child)])];
    const more = changed(this, { every: [], some: [] });
    if (!more.isBlank || this.evaluated.length || found.some(([name, , plainly]) => name === undefined || !plainly))
      return null;
    const literals = distinctBy(
      found.map(([name, yes]) => [name, yes]),
      JSON.stringify,
    );
    return literals.length === found.length ? literals : null;
  }
  // What is asked, part by part, and what must be equal in a case that takes this one's place.
  get parts() {
    const every = this.every.map((one) => `every ${membersKey(one)}`),
      some = this.some.map((one) => `some ${membersKey(one)}`);
    return new Set([...every, ...some, ...this.clauses.map(clauseKey)]);
  }
  get rest() {
    const constant = this.constant === undefined ? "" : jsonText(this.constant),
      sets = [this.written, this.evaluated];
    const lists = [this.declared, this.refused, ...sets.map((each) => each.map(keysKey))];
    return JSON.stringify([...lists, this.least, this.most, this.voice, constant]);
  }
  get key() {
    return JSON.stringify([
      this.every.map(membersKey),
      this.some.map(membersKey),
      this.clauses.map(clauseKey).sort(),
      this.rest,
    ]);
  }
  get isPlainlyEmpty() {
    return this.most !== null && this.most < this.least;
  }
}

export const clauseKey = (clause) =>
  JSON.stringify([...clause].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1])));
export const forbidden = (key) => new ObjectCase({ every: [membersOf(oneKey(key), NEVER)] });
export const present = (keys) => new ObjectCase({ some: keys.map((key) => membersOf(oneKey(key), [])) });
const holding = (literals) =>
  literals.reduce((found, [key, there]) => found.meet(there ? present([key]) : forbidden(key)), new ObjectCase());

const MOST_WAYS = 400;
// Cases without clauses, one for each way to satisfy them.
export function expanded(one) {
  let found = [changed(one, { clauses: [] })];
  for (const clause of one.clauses) {
    if (found.length * clause.length > MOST_WAYS) fail("an object in which so many keys depend on each other");
    found = absorbed(found.flatMap((each) => clause.map((literal) => each.meet(holding([literal])))));
  }
  return found;
}

// The cases without those that ask for all that another one asks for, and for more.
export function absorbed(cases) {
  if (cases.length < 2) return cases;
  const asked = cases.map((one) => ({ parts: one.parts, rest: one.rest })),
    kept = [];
  const order = cases.map((_, n) => n).sort((a, b) => asked[a].parts.size - asked[b].parts.size || a - b);
  const within = (one, other) => one.rest === other.rest && [...one.parts].every((part) => other.parts.has(part));
  for (const n of order) if (!kept.some((other) => within(asked[other], asked[n]))) kept.push(n);
  return kept.sort((a, b) => a - b).map((n) => cases[n]);
}

// Fewer cases: without a key, or with it and a schema for it, is an optional key with that schema.
export function mergedCases(cases) {
  const found = [...cases];
  for (let n = 0; n < found.length; n++) {
    // it grows meanwhile
    const one = found[n];
    if (!one) continue;
    const needed = one.some.map(({ keys }) => keysKey(keys));
    for (const { keys, child } of one.every) {
      if (nameOfKeys(keys) === undefined || !isNever(child) || needed.includes(keysKey(keys))) continue;
      const rest = apart(one, keys)[0];
      const other = found.findIndex(
        (each, m) =>
          m !== n &&
          each?.some.some((each) => keysKey(each.keys) === keysKey(keys)) &&
          apart(each, keys)[0].key === rest.key,
      );
      if (other < 0) continue;
      const asked = apart(found[other], keys)[1];
      found[n] = found[other] = null;
      found.push(changed(rest, { every: [...rest.every, membersOf(keys, asked)] }));
      break;
    }
  }
  return found.filter(Boolean);
}

// A case without what it asks for under a key, and that.
function apart(one, keys) {
  const same = (each) => keysKey(each.keys) === keysKey(keys),
    asked = [...one.every, ...one.some].filter(same);
  const without = (list) => list.filter((each) => !same(each));
  return [changed(one, { every: without(one.every), some: without(one.some) }), asked.flatMap(({ child }) => child)];
}
