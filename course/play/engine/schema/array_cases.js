// Cases of arrays: what is asked of the items of a range, and how many of them must satisfy something.
import { jsonText } from "./json_reader.js";
import { keyOf, negated, plain } from "./places.js";
import { distinctBy, least, SILENT } from "./scalars.js";

export const ALL_ITEMS = 2 ** 30; // more items than any array has

// Each item from start up to stop satisfies child; of `some`, at least least and at most most of them do.
export const everyItem = (start, stop, child) => ({ start, stop, child });
export const someItems = (start, stop, child, least = 1, most = null) => ({ start, stop, child, least, most });
const partKey = ({ start, stop, child, least: low, most }) => `${start} ${stop} ${low} ${most} ${keyOf(child)}`;

export class ArrayCase {
  constructor(rest = {}) {
    const nothing = { every: [], some: [], least: 0, most: null, unique: [], evaluated: 0, containing: [] };
    Object.assign(this, nothing, { refused: [], voice: SILENT, constant: undefined }, rest);
  }
  get isBlank() {
    const lists = [this.every, this.some, this.unique, this.refused];
    return lists.every((each) => !each.length) && !this.least && this.most === null;
  }
  meet(other) {
    return new ArrayCase({
      every: distinctBy([...this.every, ...other.every], partKey),
      some: distinctBy([...this.some, ...other.some], partKey),
      least: Math.max(this.least, other.least),
      most: least(this.most, other.most),
      unique: [...this.unique, ...other.unique],
      evaluated: Math.max(this.evaluated, other.evaluated),
      containing: [...this.containing, ...other.containing],
      refused: [...this.refused, ...other.refused],
      voice: Math.max(this.voice, other.voice),
      constant: other.isBlank ? this.constant : this.isBlank ? other.constant : undefined,
    });
  }
  negate() {
    const found = this.every.map(
      ({ start, stop, child }) => new ArrayCase({ some: [someItems(start, stop, negated(child))] }),
    );
    for (const { start, stop, child, least: low, most } of this.some) {
      if (low) found.push(new ArrayCase({ some: [someItems(start, stop, child, 0, low - 1)] }));
      if (most !== null) found.push(new ArrayCase({ some: [someItems(start, stop, child, most + 1)] }));
    }
    if (this.least) found.push(new ArrayCase({ most: this.least - 1 }));
    if (this.most !== null) found.push(new ArrayCase({ least: this.most + 1 }));
    const problem = "the negation of uniqueItems is not supported";
    found.push(...this.unique.map((place) => new ArrayCase({ least: 2, refused: [[problem, place]] })));
    return [...found, ...this.refused.map((each) => new ArrayCase({ refused: [each] }))];
  }
  // What is asked of one item.
  item(index) {
    return plain(this.every.filter(({ start, stop }) => start <= index && index < stop).flatMap(({ child }) => child));
  }
  // The ranges of indices within which all items are treated alike.
  get cuts() {
    const points = [...this.every, ...this.some].flatMap(({ start, stop }) => [start, stop]);
    const sorted = [...new Set([0, ALL_ITEMS, ...points])].sort((a, b) => a - b);
    return sorted.slice(1).map((stop, n) => [sorted[n], stop]);
  }
  get key() {
    const parts = [this.every.map(partKey), this.some.map(partKey), this.containing.map(keyOf)];
    const constant = this.constant === undefined ? "" : jsonText(this.constant);
    return JSON.stringify([
      ...parts,
      this.least,
      this.most,
      this.unique,
      this.evaluated,
      this.refused,
      this.voice,
      constant,
    ]);
  }
  get isPlainlyEmpty() {
    return this.most !== null && this.most < this.least;
  }
}
