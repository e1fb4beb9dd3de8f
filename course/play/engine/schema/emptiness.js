// Proofs that no value satisfies a case, and oneOf by them. Without a proof a case may still be empty.
import { ArrayCase } from "./array_cases.js";
import { distinctCases, KINDS, ofEachKind } from "./cases.js";
import { absorbed, isNever, keysKey, nameOfKeys, ObjectCase } from "./object_cases.js";
import { contradicts, keyOf, plain } from "./places.js";
import { afterKey } from "./presence.js";
import { Text } from "./scalars.js";

const MOST_LOOK = 4; // how deep into members and items a proof looks

export class Emptiness {
  constructor(casesOf, texts, work) {
    Object.assign(this, { casesOf, texts, work, known: new Map() });
  }

  holds(keys, name) {
    return this.texts.holds(keys, name);
  }

  never(one, look = MOST_LOOK) {
    this.work.spend(200);
    if (one.isPlainlyEmpty) return true;
    if (one instanceof Text) return this.texts.hasNone(one);
    if (one instanceof ArrayCase) return this.neverArray(one, look);
    return one instanceof ObjectCase && this.neverObject(one, look);
  }

  // Whether it's certain that no value satisfies all schemas of a child.
  neverChild(child, look = MOST_LOOK) {
    if (contradicts(child)) return true;
    if (look <= 0 || !plain(child).length) return false;
    const key = `${look} ${keyOf(child)}`;
    if (!this.known.has(key)) {
      this.known.set(key, false); // what meets itself again meanwhile proves nothing
      const cases = this.casesOf(child);
      this.known.set(
        key,
        KINDS.every((kind) => cases[kind].every((one) => this.never(one, look - 1))),
      );
    }
    return this.known.get(key);
  }

  neverArray(one, look) {
    const shared = Math.min(one.least, Math.max(0, ...one.every.map(({ start }) => start + 1)));
    for (let index = 0; index < shared; index++) if (this.neverChild(one.item(index), look)) return true;
    const wanted = one.some.filter(({ least }) => least);
    if (wanted.some(({ least, most }) => most !== null && most < least)) return true;
    if (one.most !== null && wanted.some(({ start, least }) => start + least > one.most)) return true;
    const everywhere = one.every.filter(({ start }) => start === 0);
    return wanted.some(({ child, stop }) => {
      const asked = everywhere.filter((also) => also.stop >= stop).flatMap((also) => also.child);
      return this.neverChild([...child, ...asked], look);
    });
  }

  neverObject(one, look) {
    for (const { keys, child } of one.some) {
      const name = nameOfKeys(keys),
        same = one.every.filter((also) => keysKey(also.keys) === keysKey(keys));
      const asked =
        name === undefined
          ? [...child, ...same.flatMap((also) => also.child)]
          : one.askedOf(name, this.holds.bind(this));
      if (this.neverChild(asked, look)) return true;
    }
    let left = one.clauses;
    for (const key of one.required) left = afterKey(left, key, true);
    for (const { keys, child } of one.every)
      if (nameOfKeys(keys) !== undefined && (isNever(child) || contradicts(child)))
        left = afterKey(left, nameOfKeys(keys), false);
    return left.some((clause) => !clause.length) || (one.most !== null && one.required.length > one.most);
  }

  // Whether a member that one of two objects needs shows that no object is both; a quick look.
  apart(one, other) {
    if (!(one instanceof ObjectCase && other instanceof ObjectCase)) return false;
    const namesOf = ({ every, some }) => new Set([...every, ...some].map(({ keys }) => nameOfKeys(keys))),
      holds = this.holds.bind(this);
    const [mine, theirs] = [namesOf(one), namesOf(other)];
    const needed = [...new Set([...one.required, ...other.required])].filter((key) => mine.has(key) && theirs.has(key));
    return needed.some((key) => this.neverChild(plain([...one.askedOf(key, holds), ...other.askedOf(key, holds)]), 1));
  }

  // The cases of the values that satisfy exactly one branch. A case stays as it is beside another branch's with which it
  // certainly has no value in common; otherwise the other one's negation is joined to it.
  exactlyOne(branches) {
    return ofEachKind((kind) =>
      distinctCases(
        branches.flatMap((branch, index) => {
          const others = branches.filter((_, n) => n !== index).flatMap((other) => other[kind]);
          return branch[kind].flatMap((one) => this.without(one, others));
        }),
      ),
    );
  }

  without(one, others) {
    let kept = [one];
    for (const other of others) {
      const parts = kept.flatMap((each) => {
        this.work.spend(500);
        if (this.apart(each, other) || this.never(each.meet(other))) return [each];
        return other
          .negate()
          .map((part) => each.meet(part))
          .filter((part) => !this.never(part));
      });
      kept = distinctCases(parts);
      if (one instanceof ObjectCase) kept = absorbed(kept);
    }
    return kept;
  }
}
