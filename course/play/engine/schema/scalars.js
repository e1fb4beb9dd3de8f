// Cases of scalars: conjunctions of what is asked of a null or boolean, a number, or a string.
import { equalValues } from "./json_reader.js";
import { Decimal } from "./texts/decimals.js";

// How loud a schema asks for a type: it says nothing of any; only of others; it has a keyword for it; it names it. Of
// several schemas the loudest counts. Values of a type that is passed over aren't written, as in lab 08.
export const SILENT = 0,
  PASSED_OVER = 1,
  SPOKEN_OF = 2,
  NAMED = 3;

// Make another case with some changes.
export const changed = (one, changes) => Object.assign(Object.create(Object.getPrototypeOf(one)), one, changes);
export const least = (one, other) => (one === null ? other : other === null ? one : Math.min(one, other));
// The items without those that have the key of an earlier one.
export function distinctBy(items, key) {
  const found = new Map();
  for (const item of items) if (!found.has(key(item))) found.set(key(item), item);
  return [...found.values()];
}

// The values that are in both lists; null is every value.
export function meetEnums(one, other) {
  if (one === null || other === null) return one ?? other;
  return one.filter((value) => other.some((also) => equalValues(value, also)));
}

// A null or a boolean: which of every value may come.
export class Few {
  constructor(values, every) {
    Object.assign(this, { values, every, refused: [], voice: SILENT });
  }
  meet(other) {
    const values = this.values.filter((value) => other.values.includes(value));
    return changed(this, {
      values,
      refused: [...this.refused, ...other.refused],
      voice: Math.max(this.voice, other.voice),
    });
  }
  negate() {
    return [
      new Few(
        this.every.filter((value) => !this.values.includes(value)),
        this.every,
      ),
    ];
  }
  get key() {
    return [this.values, this.voice].join();
  }
  get isPlainlyEmpty() {
    return !this.values.length;
  }
}

// A number: bounds {value, open}, whether it's whole (null: either), divisors that must and must not divide it, values.
export class Numeric {
  constructor(rest = {}) {
    const nothing = { low: null, high: null, whole: null, multiples: [], others: [], enum: null, empty: false };
    Object.assign(this, nothing, { refused: [], voice: SILENT }, rest);
  }
  meet(other) {
    const wholes = new Set([this.whole, other.whole].filter((each) => each !== null)),
      same = (one) => String(one);
    const found = new Numeric({
      low: tightest([this.low, other.low], 1),
      high: tightest([this.high, other.high], -1),
      whole: wholes.size ? [...wholes][0] : null,
      empty: this.empty || other.empty || wholes.size === 2,
      multiples: distinctBy([...this.multiples, ...other.multiples], same),
      others: distinctBy([...this.others, ...other.others], same),
      enum: meetEnums(this.enum, other.enum),
      refused: [...this.refused, ...other.refused],
      voice: Math.max(this.voice, other.voice),
    });
    if (found.enum) found.enum = found.enum.filter((value) => found.allows(value));
    return found;
  }
  // Whether a number satisfies all but enum.
  allows(value) {
    const exact = Decimal.of(value),
      { low, high } = this,
      beyond = (bound, order) =>
        bound && (exact.compare(bound.value) === order || (bound.open && exact.equals(bound.value)));
    if (beyond(low, -1) || beyond(high, 1) || (this.whole !== null && this.whole !== exact.isWhole)) return false;
    return this.multiples.every((by) => divides(by, exact)) && !this.others.some((by) => divides(by, exact));
  }
  get isPlainlyEmpty() {
    if (this.empty || this.enum?.length === 0) return true;
    const { low, high } = this;
    if (!low || !high) return false;
    if (low.value.equals(high.value)) return low.open || high.open || this.whole === !low.value.isWhole;
    return low.value.compare(high.value) > 0;
  }
  negate() {
    if (this.empty) return [new Numeric()];
    const found = [],
      { low, high } = this;
    if (low) found.push(new Numeric({ high: { value: low.value, open: !low.open } }));
    if (high) found.push(new Numeric({ low: { value: high.value, open: !high.open } }));
    if (this.whole !== null) found.push(new Numeric({ whole: !this.whole }));
    found.push(
      ...this.multiples.map((by) => new Numeric({ others: [by] })),
      ...this.others.map((by) => new Numeric({ multiples: [by] })),
    );
    if (this.enum) {
      // between, below and above the values
      const values = distinctBy(this.enum.map(Decimal.of), String).sort((a, b) => a.compare(b));
      const points = [null, ...values.map((value) => ({ value, open: true })), null];
      for (let n = 0; n + 1 < points.length; n++) found.push(new Numeric({ low: points[n], high: points[n + 1] }));
    }
    return [...found, ...this.refused.map((problem) => new Numeric({ refused: [problem] }))];
  }
  get key() {
    const bound = (each) => (each ? `${each.value}${each.open}` : "");
    const values = this.enum && this.enum.map((value) => `${typeof value}${value}`);
    const lists = [this.multiples, this.others, this.refused].map((each) => each.join());
    return [bound(this.low), bound(this.high), this.whole, values, this.empty, this.voice, ...lists].join(";");
  }
}

// The tightest bound; sign is 1 for lower bounds, -1 for upper ones.
export function tightest(bounds, sign) {
  return bounds.filter(Boolean).reduce((best, bound) => {
    const order = best ? sign * bound.value.compare(best.value) : 1;
    return order > 0 || (order === 0 && bound.open) ? bound : best;
  }, null);
}

function divides(divisor, value) {
  const exponent = Math.min(divisor.exponent, value.exponent),
    scaled = (one) => one.digits * 10n ** BigInt(one.exponent - exponent);
  return scaled(value) % scaled(divisor) === 0n;
}

// A pattern or a format, and the place that asks for it; whether texts must match it, or must not.
export const named = (name, place, must = true) => ({ name, place, must });
export const nameKey = ({ name, must }) => `${must}${name}`;

// A string: lengths, patterns, formats, values, and values that are excluded.
export class Text {
  constructor(rest = {}) {
    const nothing = { least: 0, most: null, patterns: [], formats: [], enum: null, excluded: [] };
    Object.assign(this, nothing, { refused: [], voice: SILENT }, rest);
  }
  meet(other) {
    return new Text({
      least: Math.max(this.least, other.least),
      most: least(this.most, other.most),
      patterns: distinctBy([...this.patterns, ...other.patterns], nameKey),
      formats: distinctBy([...this.formats, ...other.formats], nameKey),
      enum: meetEnums(this.enum, other.enum),
      excluded: [...new Set([...this.excluded, ...other.excluded])].sort(),
      refused: [...this.refused, ...other.refused],
      voice: Math.max(this.voice, other.voice),
    });
  }
  negate() {
    const found = this.patterns.map(({ name, place, must }) => new Text({ patterns: [named(name, place, !must)] }));
    if (this.least) found.push(new Text({ most: this.least - 1 }));
    if (this.most !== null) found.push(new Text({ least: this.most + 1 }));
    // A format leaves out what validators disagree on, so what it doesn't match is no certain no.
    for (const { name, place } of this.formats)
      found.push(new Text({ refused: [[`the negation of the format '${name}' is not supported`, place]] }));
    if (this.enum) found.push(new Text({ excluded: [...this.enum].sort() }));
    found.push(...this.excluded.map((value) => new Text({ enum: [value] })));
    return [...found, ...this.refused.map((problem) => new Text({ refused: [problem] }))];
  }
  get key() {
    const lists = [this.patterns.map(nameKey), this.formats.map(nameKey), this.enum, this.excluded, this.refused];
    return JSON.stringify([this.least, this.most, this.voice, ...lists]);
  }
  get isPlainlyEmpty() {
    if (this.enum) return this.enum.every((text) => this.excluded.includes(text));
    return this.most !== null && this.most < this.least;
  }
}
