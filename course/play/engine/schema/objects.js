// Objects of a case as trees: declared members in their order, then others under the keys that may be written.
import { ANY_TEXT, difference, intersection, isEmptyDfa, wordsDfa } from "../automata/dfas.js";
import { count, fail } from "../refusals.js";
import { Letters } from "./texts/letters.js";
import { EVERY_KEY, expanded, keysKey, membersOf, nameOfKeys, oneKey } from "./object_cases.js";
import { contradicts, ofAnyType, plain } from "./places.js";
import { afterKey } from "./presence.js";
import { changed, distinctBy } from "./scalars.js";

const MOST_CLASSES = 64,
  MOST_FREE = 6,
  MOST_CHOICES = 64,
  MOST_PAIRS = 60_000,
  MOST_PRESENCE = 2000;

export class Objects {
  // value: gives the tree of a child. texts: knows sets of keys (texts.js).
  constructor(trees, space, value, texts) {
    Object.assign(this, { trees, space, texts, parted: new Map(), holds: (keys, name) => texts.holds(keys, name) });
    this.value = (child) => (contradicts(child) ? trees.nothing : value(child));
  }

  tree(one) {
    if (one.most !== null && one.most < one.least) return this.trees.nothing;
    const known = new Set([...one.declared, ...(one.declared.length ? one.required : [])]);
    const read = one.clauses.every((clause) => clause.every(([key]) => known.has(key)));
    const ways = (read ? [one] : expanded(one)).flatMap((each) => this.ways(each));
    return this.trees.oneOf(ways.map(([way, others]) => this.withNames(way, others)));
  }

  // The ways to satisfy `some`: by declared members, in their order, or by others, in any order.
  ways(one) {
    const required = one.required,
      isNamed = ({ keys }) => nameOfKeys(keys) !== undefined;
    const every = [...one.every, ...one.some.filter(isNamed)]; // what some member under a key satisfies, every one does
    const inOrder = one.declared.length || required.length > MOST_FREE;
    const declared = inOrder ? [...new Set([...one.declared, ...required])] : [];
    const free = required.filter((name) => !declared.includes(name)).map((name) => membersOf(oneKey(name), []));
    const some = required.filter((name) => declared.includes(name)).map((name) => membersOf(oneKey(name), []));
    let ways = [[changed(one, { declared, every, some }), free]];
    for (const each of one.some.filter((each) => !isNamed(each))) {
      const keys = declared.filter((key) => this.holds(each.keys, key));
      const byDeclared = ([way, others]) =>
        keys.map((key) => [
          changed(way, { some: [...way.some, membersOf(oneKey(key), ofAnyType(each.child))] }),
          others,
        ]);
      ways = [...ways.map(([way, others]) => [way, [...others, each]]), ...ways.flatMap(byDeclared)];
      if (ways.length > MOST_CHOICES) fail("an object in which so many members must be somewhere");
    }
    return ways;
  }

  // The objects whose known members are the names of a case; others must be among those without a known name.
  withNames(one, others) {
    const { trees } = this,
      needed = new Set(one.required);
    const values = new Map(one.declared.map((key) => [key, this.value(one.askedOf(key, this.holds))]));
    if ([...needed].some((key) => values.get(key) === trees.nothing)) return trees.nothing;
    const alive = [...values].filter(([, value]) => value !== trees.nothing);
    const members = alive.map(([key, value]) => [trees.member(key, value, this.space), needed.has(key)]);
    const classes = this.classes(one, others, members.length >= one.least),
      kinds = this.otherMembers(classes, others);
    const isCounted = others.length || one.clauses.length || one.least > needed.size || one.most !== null;
    if (isCounted)
      return this.counted(
        one,
        alive.map(([key]) => key),
        members,
        others,
        kinds,
      );
    if (kinds.length) {
      const other = trees.oneOf(kinds.flatMap(({ found }) => found));
      members.push([this.several(other, this.space), false]);
    }
    return trees.object(members, this.space);
  }

  // One or more members.
  several(member, space) {
    return this.trees.row([member, this.trees.times(this.trees.row([space.comma, member]), 0, null)]);
  }

  // Objects whose members are counted: an automaton over letters is made first.
  counted(one, keys, members, others, kinds) {
    const { trees } = this,
      letters = new Letters(trees),
      gap = (tree) => letters.among([letters.add(tree)]);
    const own = members.map(([tree]) => letters.add(tree)),
      held = kinds.map(({ found }) => letters.add(trees.oneOf(found)));
    const space = { edge: gap(this.space.edge), comma: gap(this.space.comma), colon: trees.empty };
    const parts = members.map(([, required], n) => [letters.among([own[n]]), required]);
    const pairs = neighbours(members);
    if (pairs > MOST_PAIRS)
      fail(`an object of ${parts.length} members, of which ${count(pairs)} pairs may be neighbours`);
    if (held.length) parts.push([this.several(letters.among(held), space), false]);
    const asked = [letters.dfa(trees.object(parts, space))];
    for (const [number, each] of others.entries()) {
      const holding = held.filter((_, n) => kinds[n].numbers.includes(number));
      if (!holding.length) return trees.nothing;
      asked.push(letters.holding(holding, nameOfKeys(each.keys) !== undefined));
    }
    if (one.clauses.length)
      asked.push(
        presenceDfa(
          keys.map((key, n) => [key, own[n]]),
          one.clauses,
        ),
      );
    asked.push(letters.countOf([...own, ...held], one.least, one.most));
    return letters.putInto(asked);
  }

  // The keys without a known name, in classes [automaton, what is asked of their values, which of others they may be].
  classes(one, others, enough) {
    const names = one.declared,
      free = !names.length || !enough || others.length,
      written = free ? [EVERY_KEY] : one.written;
    if (!written.length || one.most === 0) return [];
    const unnamed = [...one.every, ...others]
      .map(({ keys }) => keys)
      .filter((keys) => !names.includes(nameOfKeys(keys)));
    const isIn = (within, keys) => within.has(keysKey(keys)),
      found = [];
    for (const [dfa, within] of this.parts(names, written, distinctBy(unnamed, keysKey))) {
      const child = plain(one.every.filter(({ keys }) => isIn(within, keys)).flatMap((each) => each.child));
      const held = others.flatMap(({ keys }, n) => (isIn(within, keys) ? [n] : []));
      if (!contradicts(child)) found.push([dfa, child, held]);
    }
    return found;
  }

  // The keys that are none of some names, in parts: each with the sets of keys that it is within.
  parts(names, written, sets) {
    const name = JSON.stringify([names, written.map(keysKey), sets.map(keysKey)]);
    if (!this.parted.has(name)) this.parted.set(name, this.findParts(names, written, sets));
    return this.parted.get(name);
  }

  findParts(names, written, sets) {
    const start = names.length ? difference(ANY_TEXT, wordsDfa(names)) : ANY_TEXT;
    let parts = [[start, new Set()]];
    for (const keys of distinctBy([...written, ...sets], keysKey)) {
      const dfa = this.texts.keys(keys),
        inside = ([own, within]) => [intersection([own, dfa]), new Set([...within, keysKey(keys)])];
      const outside = ([own, within]) => [difference(own, dfa), within];
      parts = parts.flatMap((part) => [inside(part), outside(part)]).filter(([own]) => !isEmptyDfa(own));
      if (parts.length > MOST_CLASSES) fail("an object whose patterns divide the keys into many classes");
    }
    return parts.filter(([, within]) => written.some((keys) => within.has(keysKey(keys))));
  }

  // The members that aren't declared, by the set of those of others that they are: [{numbers, found}].
  otherMembers(classes, others) {
    const { trees } = this,
      groups = new Map();
    for (const [keys, child, held] of classes) {
      const free = held.filter((number) => nameOfKeys(others[number].keys) === undefined);
      for (let chosen = 0; chosen < 2 ** free.length; chosen++) {
        const taken = free.filter((_, n) => (chosen >> n) & 1);
        const value = this.value(plain([...child, ...taken.flatMap((number) => ofAnyType(others[number].child))]));
        if (value === trees.nothing) continue;
        const numbers = [...taken, ...held.filter((number) => !free.includes(number))].sort(),
          name = numbers.join();
        const member = trees.row([trees.stringOf(keys), this.space.colon, value]);
        groups.set(name, { numbers, found: [...(groups.get(name)?.found ?? []), member] });
      }
      if (groups.size > MOST_CHOICES) fail("an object in which so many members must be somewhere");
    }
    return [...groups.values()];
  }
}

// How many pairs of members may follow each other, where some may be left out.
function neighbours(members) {
  let pairs = 0,
    followers = 0;
  for (const [, required] of [...members].reverse()) {
    followers = required ? 1 : followers + 1;
    pairs += followers;
  }
  return pairs;
}

// The automaton over letters in which members come in their order and satisfy clauses. A state is a place among the
// members, and what is left of the clauses there. members: pairs of a key and its letter.
function presenceDfa(members, given) {
  const names = new Set(members.map(([key]) => key)),
    isEmpty = (clauses) => clauses.some((clause) => !clause.length);
  let clauses = given;
  for (const [key] of given.flat()) if (!names.has(key)) clauses = afterKey(clauses, key, false);
  const states = [[0, clauses]],
    numbers = new Map([[JSON.stringify(states[0]), 0]]),
    table = [],
    accepting = [];
  for (const [place, open] of states) {
    // it grows meanwhile
    const row = [table.length, ...members.map(() => -1)];
    let left = open;
    for (let index = place; index < members.length && !isEmpty(left); index++) {
      const target = [index + 1, afterKey(left, members[index][0], true)],
        name = JSON.stringify(target);
      if (!isEmpty(target[1])) {
        if (!numbers.has(name)) numbers.set(name, states.push(target) - 1);
        row[index + 1] = numbers.get(name);
      }
      left = afterKey(left, members[index][0], false);
    }
    if (states.length > MOST_PRESENCE) fail("an object in which so many keys depend on each other");
    table.push(row);
    accepting.push(!left.length);
  }
  return { ...classesOfLetters(members.map(([, letter]) => letter)), table, accepting };
}

// Class 0 is every code but the letters, each of which has the class after its place in the list.
function classesOfLetters(letters) {
  const bounds = [...new Set([0, ...letters.flatMap((letter) => [letter, letter + 1])])].sort((a, b) => a - b);
  return { bounds, classes: bounds.map((bound) => letters.indexOf(bound) + 1) };
}
