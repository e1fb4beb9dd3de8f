import { fail } from "./refusals.js";

export const MOST_WRITTEN = 100000;

// Lab 08: an expression for a schema's values as compact JSON. What it refuses has lab 08's words, and a JSON pointer.
const NOTHING = "[^\\x00-\\U0010ffff]", LAB_TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
const LAB_ANNOTATIONS = ["$schema", "$id", "id", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];
const quoted = (text) => text.replace(/[\x00-\x2f:-@[-^`{-\x7f]/g, "\\$&");
// For the picture: every escape as one plain character, and of one that isn't whole nothing.
export const unescaped = (text) => text.replace(/\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u[0-9a-fA-F]{4}|\\[^u]/g, (found) => {
  const char = JSON.parse(`"${found}"`);
  return /["\\\x00-\x1f]/.test(char) ? "x" : char;
}).replace(/\\.*$/, "");
function literal(value, plain) {
  if (plain || typeof value !== "string") return quoted(plain ? unescaped(JSON.stringify(value)) : JSON.stringify(value));
  return `"${[...value].map((char) => {
    const plain = char === "/" ? "\\\\?/" : quoted(JSON.stringify(char).slice(1, -1));
    if (/^[ -~]$/.test(char)) return plain;
    const units = char.split("").map((unit) => "\\\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0").replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`));
    return `(?:${plain}|${units.join("")})`;
  }).join("")}"`;
}
const times = (least, most) => `{${least},${most ?? ""}}`;
export function expression(schema, plain, pointer = "") {
  const below = (...steps) => pointer + steps.map((each) => "/" + String(each).replace(/~/g, "~0").replace(/\//g, "~1")).join("");
  if (typeof schema === "boolean") fail(`the schema ${schema}, for ${schema ? "any JSON value" : "no value"}, is not supported here`, pointer);
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) fail(`a schema is an object, not ${JSON.stringify(schema)}`, pointer);
  const has = (keyword) => Object.hasOwn(schema, keyword), type = schema.type;
  if (has("type") && Array.isArray(type)) fail("a list of types is not supported here", below("type"));
  if (has("type") && !LAB_TYPES.includes(type)) fail(`unknown type ${JSON.stringify(type)}; the types are ${LAB_TYPES.join(", ")}`, below("type"));
  const own = { object: ["properties", "required"], array: ["items", "minItems", "maxItems"], string: ["minLength", "maxLength"] }[type] || [];
  for (const keyword in schema)
    if (!LAB_ANNOTATIONS.includes(keyword) && !["type", ...(has("enum") ? ["enum"] : own)].includes(keyword)) fail(`the keyword '${keyword}' is not supported here`, below(keyword));
  const size = (keyword, otherwise) => {
    if (has(keyword) && !(Number.isSafeInteger(schema[keyword]) && schema[keyword] >= 0)) fail(`${JSON.stringify(schema[keyword])} is no count: it must be a whole number, 0 or more`, below(keyword));
    return has(keyword) ? schema[keyword] : otherwise;
  };
  if (has("enum")) {
    if (!Array.isArray(schema.enum)) fail(`enum must be a list, not ${JSON.stringify(schema.enum)}`, below("enum"));
    schema.enum.forEach((value, n) => value !== null && typeof value === "object" && fail("an array or an object among the values of enum is not supported here", below("enum", n)));
    const is = (value) => type === (value === null ? "null" : typeof value) || (type === "integer" && Number.isInteger(value));
    const values = schema.enum.filter((value) => !has("type") || is(value));
    return values.length ? `(?:${values.map((value) => literal(value, plain)).join("|")})` : NOTHING;
  }
  if (!has("type")) fail("any JSON value may stand here, which no regular expression describes; let type or enum say which", pointer);
  if (type === "boolean") return "(?:true|false)";
  if (type === "null") return "null";
  if (type === "integer") return "(?:0|-?[1-9][0-9]*)";
  if (type === "number") return "(?:-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)";
  if (type === "string") {
    const least = size("minLength", 0), most = size("maxLength", null), hex = "[0-9a-fA-F]";
    const char = `(?:[^"\\\\\\x00-\\x1f\\ud800-\\udfff]|\\\\["\\\\/bfnrt]|\\\\u(?:[0-9a-cA-CefEF]${hex}|[dD][0-7])${hex}{2}|\\\\u[dD][89abAB]${hex}{2}\\\\u[dD][c-fC-F]${hex}{2})`;
    return most !== null && most < least ? NOTHING : `"${plain ? '[^"\\\\\\x00-\\x1f]' : char}${times(least, most)}"`;
  }
  if (type === "array") {
    if (!has("items")) fail("the items may be any JSON value, which no regular expression describes; let items say which", pointer);
    const item = expression(schema.items, plain, below("items")), least = size("minItems", 0), most = size("maxItems", null);
    if (most !== null && most < least) return NOTHING;
    const items = `(?:${item})(?:,(?:${item}))${times(Math.max(least, 1) - 1, most === null ? null : most - 1)}`;
    return most === 0 ? "\\[\\]" : `\\[${least ? items : `(?:${items})?`}\\]`;
  }
  const { properties, required = [] } = schema;
  if (!has("properties")) fail("the members may be any JSON value, which no regular expression describes; let properties say which", pointer);
  if (properties === null || typeof properties !== "object" || Array.isArray(properties)) fail(`properties must be an object, not ${JSON.stringify(properties)}`, below("properties"));
  if (!Array.isArray(required)) fail(`required must be a list, not ${JSON.stringify(required)}`, below("required"));
  for (const key of required) if (!Object.hasOwn(properties, key)) fail(`the required key '${key}' is not declared, so any JSON value may stand there`, below("required"));
  const keys = Object.keys(properties);
  for (const key of keys) if (/^(0|[1-9]\d{0,9})$/.test(key)) fail(`JavaScript would move the key '${key}' to the front, so this page leaves it out`, below("properties", key));
  const members = keys.map((key) => memberOf(schema, key, plain, below("properties", key))), rows = [];
  for (const [n, key] of keys.entries()) {
    rows.push(`(?:${members[n]})` + members.slice(n + 1).map((other, m) => `(?:,(?:${other}))${required.includes(keys[n + 1 + m]) ? "" : "?"}`).join(""));
    if (required.includes(key)) return `\\{(?:${rows.join("|")})\\}`;
  }
  return `\\{(?:${[...rows, ""].join("|")})\\}`;
}
export function memberOf({ properties }, key, plain, pointer) { return `${literal(key, plain)}:(?:${expression(properties[key], plain, pointer)})`; }
export function read(source) {
  const spelt = source.replace(/"(?:\\.|[^"\\])*"/g, '""').match(/-?\d[\d.eE+-]*/g) || [];
  let schema;
  try { schema = JSON.parse(source); } catch (error) { fail(`this is no JSON yet: ${error.message}`, null); }
  for (const number of spelt) if (JSON.stringify(Number(number)) !== number) fail(`write the number ${number} as ${JSON.stringify(Number(number))}`, null);
  return schema;
}
