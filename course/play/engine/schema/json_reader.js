// JSON as Python reads it: objects are Maps in the order of the text, whatever their keys; integers are BigInts, numbers
// with a point or an exponent are Numbers.
import { count, fail } from "../refusals.js";

const MOST_NESTED = 200,
  MOST_DIGITS = 1000,
  MOST_SCHEMA_TEXT = 200_000;
const JSON_BLANKS = /[ \t\n\r]*/y,
  WRITTEN_NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y,
  WORD = /true|false|null/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS = { true: true, false: false, null: null };

export function readJson(text) {
  if (text.length > MOST_SCHEMA_TEXT) fail(`the schema has ${count(text.length)} characters`);
  return new JsonReader(text).whole();
}

class JsonReader {
  constructor(text) {
    Object.assign(this, { text, at: 0 });
  }

  whole() {
    const value = this.value(0);
    this.matched(JSON_BLANKS);
    if (this.at < this.text.length) this.wrong("it goes on after its end");
    return value;
  }

  wrong(problem) {
    const line = this.text.slice(0, this.at).split("\n").length;
    fail(`this is no JSON yet: ${problem}, in line ${line}`);
  }

  matched(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  // Whether a sign comes next, which is then read.
  skip(sign) {
    this.matched(JSON_BLANKS);
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  value(depth) {
    if (depth > MOST_NESTED) fail("the schema is nested too deep");
    if (this.skip("{")) return this.object(depth);
    if (this.skip("[")) return this.array(depth);
    if (this.text[this.at] === '"') return this.string();
    const word = this.matched(WORD);
    if (word) return WORDS[word[0]];
    const number = this.matched(WRITTEN_NUMBER);
    return number ? this.number(number) : this.wrong("a value is missing");
  }

  number([written, fraction, exponent]) {
    if (fraction || exponent)
      return Number.isFinite(Number(written)) ? Number(written) : this.wrong(`${written} is no number`);
    if (written.length > MOST_DIGITS) fail("a number of the schema has too many digits");
    return BigInt(written);
  }

  string() {
    const found = this.matched(STRING) ?? this.wrong("a text isn't right or has no end");
    const value = JSON.parse(found[0]),
      half = /\p{Surrogate}/u.exec(value);
    if (half) fail(`a text of the schema holds half a surrogate pair at ${half.index}`);
    return value;
  }

  object(depth) {
    const found = new Map();
    if (this.skip("}")) return found;
    do {
      this.matched(JSON_BLANKS);
      const key = this.string();
      if (!this.skip(":")) this.wrong("a colon is missing");
      found.set(key, this.value(depth + 1));
    } while (this.skip(","));
    return this.skip("}") ? found : this.wrong("a comma or a brace is missing");
  }

  array(depth) {
    const found = [];
    if (this.skip("]")) return found;
    do found.push(this.value(depth + 1));
    while (this.skip(","));
    return this.skip("]") ? found : this.wrong("a comma or a bracket is missing");
  }
}

export const isObject = (value) => value instanceof Map;
export const isNumber = (value) => typeof value === "bigint" || typeof value === "number";
export const isWhole = (value) => typeof value === "bigint" || Number.isInteger(value);
// The type of a value; number for every number.
export function typeOf(value) {
  if (value === null) return "null";
  if (isObject(value)) return "object";
  return Array.isArray(value) ? "array" : isNumber(value) ? "number" : typeof value;
}

// Whether two values are equal to JSON Schema: 1 and 1.0 are, 1 and true aren't.
export function equalValues(one, other) {
  if (typeOf(one) !== typeOf(other)) return false;
  if (isObject(one))
    return (
      one.size === other.size && [...one].every(([key, value]) => other.has(key) && equalValues(value, other.get(key)))
    );
  if (Array.isArray(one)) return one.length === other.length && one.every((value, n) => equalValues(value, other[n]));
  return isNumber(one) ? one == other : one === other; // subtle: == compares a BigInt and a Number by value
}

// A number as Python's repr and json.dumps write it.
export function numberText(value) {
  if (typeof value === "bigint") return String(value);
  const [digits, power] = value.toExponential().split("e"),
    exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${digits}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (Object.is(value, -0)) return "-0.0";
  const plain = exponent < 0 ? value.toFixed(digits.replace(/[-.]/g, "").length - 1 - exponent) : String(value);
  return plain.includes(".") ? plain : `${plain}.0`;
}

// A value as JSON, by which schemas are compared.
const texts = new WeakMap();
export function jsonText(value) {
  if (isNumber(value)) return numberText(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (!texts.has(value)) {
    const members = isObject(value)
      ? [...value].map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item)}`)
      : value.map(jsonText);
    texts.set(value, isObject(value) ? `{${members.join(", ")}}` : `[${members.join(", ")}]`);
  }
  return texts.get(value);
}

// A value in a refusal, as Python shows it.
export function pythonText(value) {
  if (isObject(value))
    return `{${[...value].map(([key, item]) => `${pythonText(key)}: ${pythonText(item)}`).join(", ")}}`.slice(0, 80);
  if (Array.isArray(value)) return `[${value.map(pythonText).join(", ")}]`.slice(0, 80);
  if (typeof value === "string") return `'${value.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`.slice(0, 80);
  return value === null
    ? "None"
    : typeof value === "boolean"
      ? value
        ? "True"
        : "False"
      : numberText(value).slice(0, 80);
}

export const below = (pointer, ...steps) =>
  pointer + steps.map((each) => `/${String(each).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
