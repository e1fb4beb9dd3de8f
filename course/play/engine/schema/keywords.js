// The keywords of one schema that don't put schemas together: a case of each type.
import { fail } from "../refusals.js";
import { ALL_ITEMS, ArrayCase, everyItem, someItems } from "./array_cases.js";
import { Decimal } from "./texts/decimals.js";
import { FORMATS, HOST_FORMATS, UNCOVERED_FORMATS } from "./texts/formats.js";
import { below, isNumber, isObject, isWhole, pythonText } from "./json_reader.js";
import { keySet, membersOf, ObjectCase, oneKey } from "./object_cases.js";
import { NEVER } from "./places.js";
import { meetEnums, named, Numeric, Text, tightest } from "./scalars.js";

const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
const words = (text) => text.split(/\s+/);
const BY_TYPE = {
  number: words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
  string: words("minLength maxLength pattern format"),
  array: words(`items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains
    unevaluatedItems`),
  object: words(`properties required additionalProperties minProperties maxProperties patternProperties propertyNames
    dependentRequired dependentSchemas dependencies unevaluatedProperties`),
};
export const REFUSED_KEYWORDS = {
  extends: "an inheritance of draft 3",
  disallow: "a negation of draft 3",
  divisibleBy: "a divisor of draft 3",
};
// The type to which a keyword applies, or undefined.
export const speaksOf = (keyword) => Object.keys(BY_TYPE).find((kind) => BY_TYPE[kind].includes(keyword));

const MOST_COUNT = 2 ** 31;
function countOf(value, place) {
  if (!isNumber(value) || !isWhole(value) || value < 0)
    fail(`${pythonText(value)} is no count: it must be a whole number, 0 or more`, place);
  return Math.min(Number(value), MOST_COUNT);
}
const counted = (schema, keyword, pointer) =>
  schema.has(keyword) ? countOf(schema.get(keyword), below(pointer, keyword)) : null;
const childOf = (schema, keyword, pointer) =>
  schema.has(keyword) ? [[schema.get(keyword), below(pointer, keyword)]] : null;

function listed(schema, keyword, pointer) {
  const found = schema.has(keyword) ? schema.get(keyword) : [];
  return Array.isArray(found) ? found : fail(`${keyword} must be a list, not ${pythonText(found)}`, below(pointer, keyword));
}
export function mappingOf(schema, keyword, pointer) {
  const found = schema.has(keyword) ? schema.get(keyword) : new Map();
  return isObject(found) ? found : fail(`${keyword} must be an object, not ${pythonText(found)}`, below(pointer, keyword));
}

// The types that a schema names, as a set; null if it has no type.
export function typesOf(schema, pointer) {
  if (!schema.has("type")) return null;
  const names = Array.isArray(schema.get("type")) ? schema.get("type") : [schema.get("type")];
  for (const name of names)
    if (!TYPES.includes(name))
      fail(`unknown type ${pythonText(name)}; the types are ${TYPES.join(", ")}`, below(pointer, "type"));
  return new Set(names.includes("number") ? [...names, "integer"] : names);
}

// The values of enum, of const, or of both; null if there's neither.
export function valuesOf(schema, pointer) {
  const one = schema.has("enum") ? listed(schema, "enum", pointer) : null;
  return meetEnums(one, schema.has("const") ? [schema.get("const")] : null);
}

const decimalAt = (value, place) =>
  isNumber(value) ? Decimal.of(value) : fail(`${pythonText(value)} is not a finite number`, place);

// In draft 4 an exclusive bound is true or false and modifies the plain one.
function boundOf(schema, pointer, keyword, exclusive, sign) {
  const strict = schema.get(exclusive),
    found = [],
    value = (word) => decimalAt(schema.get(word), below(pointer, word));
  if (schema.has(keyword)) found.push({ value: value(keyword), open: strict === true });
  if (strict !== undefined && strict !== null && typeof strict !== "boolean")
    found.push({ value: value(exclusive), open: true });
  return tightest(found, sign);
}

export function numberCase(schema, pointer) {
  const low = boundOf(schema, pointer, "minimum", "exclusiveMinimum", 1);
  const high = boundOf(schema, pointer, "maximum", "exclusiveMaximum", -1);
  if (!schema.has("multipleOf")) return new Numeric({ low, high });
  const place = below(pointer, "multipleOf"),
    divisor = decimalAt(schema.get("multipleOf"), place);
  if (divisor.sign <= 0) fail(`multipleOf must be more than 0, not ${pythonText(schema.get("multipleOf"))}`, place);
  return new Numeric({ low, high, multiples: [divisor] });
}

export function textCase(schema, pointer) {
  for (const keyword of ["pattern", "format"])
    if (schema.has(keyword) && typeof schema.get(keyword) !== "string")
      fail(`${keyword} must be a text, not ${pythonText(schema.get(keyword))}`, below(pointer, keyword));
  const known = (name) =>
    Object.hasOwn(FORMATS, name) || Object.hasOwn(HOST_FORMATS, name) || UNCOVERED_FORMATS.includes(name);
  const asked = (keyword) => [named(schema.get(keyword), below(pointer, keyword))];
  return new Text({
    least: counted(schema, "minLength", pointer) ?? 0,
    most: counted(schema, "maxLength", pointer),
    patterns: schema.has("pattern") ? asked("pattern") : [],
    formats: known(schema.get("format")) ? asked("format") : [],
  });
}

// Until 2019 prefixItems was a list of items.
export function arrayCase(schema, pointer, draft) {
  const old = Array.isArray(schema.get("items")),
    [first, further] = old ? ["items", "additionalItems"] : ["prefixItems", "items"];
  const items = listed(schema, first, pointer),
    rest = childOf(schema, further, pointer);
  const every = items.map((each, n) => everyItem(n, n + 1, [[each, below(pointer, first, n)]]));
  if (rest) every.push(everyItem(items.length, ALL_ITEMS, rest));
  const child = childOf(schema, "contains", pointer),
    some = [],
    containing = [];
  if (child) {
    const counts = isOld(draft) ? new Map() : schema,
      low = counts.has("minContains") ? counted(counts, "minContains", pointer) : 1;
    const most = (counts.get("maxContains") ?? null) === null ? null : counted(counts, "maxContains", pointer);
    some.push(someItems(0, ALL_ITEMS, child, low, most));
    if (!draft.includes("2019-09")) containing.push(child);
  }
  return new ArrayCase({
    every,
    some,
    containing,
    least: counted(schema, "minItems", pointer) ?? 0,
    most: counted(schema, "maxItems", pointer),
    unique: schema.get("uniqueItems") === true ? [below(pointer, "uniqueItems")] : [],
    evaluated: rest ? ALL_ITEMS : items.length,
  });
}
// The drafts in which other keywords beside a $ref don't count.
export const isOld = (draft) => ["draft-03", "draft-04", "draft-06", "draft-07"].some((name) => draft.includes(name));

export function objectCase(schema, pointer) {
  const declared = mappingOf(schema, "properties", pointer),
    patterns = mappingOf(schema, "patternProperties", pointer);
  const every = [...declared].map(([key, child]) =>
    membersOf(oneKey(key), [[child, below(pointer, "properties", key)]]),
  );
  for (const [pattern, child] of patterns) {
    const place = below(pointer, "patternProperties", pattern);
    every.push(membersOf(keySet({ patterns: [named(pattern, place)] }), [[child, place]]));
  }
  const evaluated = every.map(({ keys }) => keys),
    others = childOf(schema, "additionalProperties", pointer);
  if (others) {
    evaluated.push(keySet({ outside: [keySet({ names: [...declared.keys()] }), ...evaluated.slice(declared.size)] }));
    every.push(membersOf(evaluated.at(-1), others));
  }
  const names = childOf(schema, "propertyNames", pointer);
  if (names) every.push(membersOf(keySet({ outside: [keySet({ child: names })] }), NEVER));
  return new ObjectCase({
    declared: [...declared.keys()],
    every,
    some: requiredKeys(schema, pointer).map((key) => membersOf(oneKey(key), [])),
    least: counted(schema, "minProperties", pointer) ?? 0,
    most: counted(schema, "maxProperties", pointer),
    written: evaluated.slice(declared.size),
    evaluated,
  });
}

function requiredKeys(schema, pointer) {
  const required = schema.has("required") ? schema.get("required") : [];
  if (typeof required === "boolean") return []; // draft 3 wrote it into the member
  if (!Array.isArray(required) || required.some((key) => typeof key !== "string"))
    fail(`required must be a list of keys, not ${pythonText(required)}`, below(pointer, "required"));
  return [...new Set(required)];
}
