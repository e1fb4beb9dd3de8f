// Exact decimal numbers, digits * 10 ** exponent: 0.1 is one tenth, unlike the float.
import { numberText } from "../json_reader.js";

export class Decimal {
  constructor(digits, exponent) {
    while (digits !== 0n && digits % 10n === 0n) {
      digits /= 10n;
      exponent++;
    }
    Object.assign(this, { digits, exponent: digits === 0n ? 0 : exponent });
  }

  // Of a number of JSON, as it is written: a BigInt or a Number.
  static of(value) {
    const [, sign, whole, fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(
      numberText(value),
    );
    return new Decimal(BigInt(sign + whole + fraction), Number(power) - fraction.length);
  }

  compare(other) {
    const least = Math.min(this.exponent, other.exponent);
    const [one, two] = [this, other].map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - least));
    return one < two ? -1 : one > two ? 1 : 0;
  }

  equals(other) {
    return this.digits === other.digits && this.exponent === other.exponent;
  }

  get negative() {
    return new Decimal(-this.digits, this.exponent);
  }

  get sign() {
    return this.digits < 0n ? -1 : this.digits > 0n ? 1 : 0;
  }

  get isWhole() {
    return this.exponent >= 0;
  }

  get floor() {
    if (this.isWhole) return this.digits * 10n ** BigInt(this.exponent);
    const size = 10n ** BigInt(-this.exponent),
      whole = this.digits / size;
    return this.digits < 0n ? whole - 1n : whole;
  }

  get ceil() {
    return this.isWhole ? this.floor : this.floor + 1n;
  }

  // The digits without their sign, as text, and the exponent of the first of them.
  get text() {
    return String(this.digits).replace("-", "");
  }

  get leading() {
    return this.text.length - 1 + this.exponent;
  }

  // Written out without a sign, an exponent and needless zeros.
  get plain() {
    if (this.isWhole) return this.text + (this.digits ? "0".repeat(this.exponent) : "");
    const digits = this.text.padStart(1 - this.exponent, "0");
    return `${digits.slice(0, this.exponent)}.${digits.slice(this.exponent)}`;
  }

  toString() {
    return `${this.digits}e${this.exponent}`;
  }
}
