// Schemas at places: what a value must satisfy, all together. A child is a list of places [schema, pointer].
import { isObject, jsonText } from "./json_reader.js";

const ANNOTATIONS = new Set(
  `$schema $id id $comment $defs definitions $anchor $dynamicAnchor $vocabulary
$recursiveAnchor title description default examples example deprecated readOnly writeOnly contentMediaType contentEncoding
contentSchema`.split(/\s+/),
);

// A schema that is in no document; the pointer with it is that of the schema inside.
export class Made extends Map {}
export const madeOf = (keyword, value) => new Made([[keyword, value]]);

export const NEVER = [[false, ""]];

const bared = new WeakMap();
function bare(schema) {
  if (!bared.has(schema)) {
    const kept = [...schema].filter(([keyword]) => !ANNOTATIONS.has(keyword));
    const same = kept.length === schema.size,
      made = schema instanceof Made;
    bared.set(schema, kept.length ? (same ? schema : made ? new Made(kept) : new Map(kept)) : true);
  }
  return bared.get(schema);
}

// A child without schemas that say nothing, without annotations, and each schema once.
export function plain(child) {
  const found = new Map();
  for (const [given, pointer] of child) {
    const schema = isObject(given) ? bare(given) : given;
    if (schema === false) return [[false, pointer]];
    if (schema !== true && !found.has(jsonText(schema))) found.set(jsonText(schema), [schema, pointer]);
  }
  return [...found.values()];
}

// What is equal for children that mean the same.
export const keyOf = (child) =>
  plain(child)
    .map(([schema]) => jsonText(schema))
    .sort()
    .join("\n");

const notOf = (schema) => {
  if (typeof schema === "boolean") return !schema;
  return isObject(schema) && schema.size === 1 && schema.has("not") ? schema.get("not") : madeOf("not", schema);
};

// A schema of the values that don't satisfy all schemas of a child.
export function negated(child) {
  const places = plain(child);
  if (!places.length) return NEVER;
  const parts = places.map(([schema]) => notOf(schema));
  return plain([[parts.length === 1 ? parts[0] : madeOf("anyOf", parts), places[0][1]]]);
}

// Whether a child asks for a schema and for its negation.
export function contradicts(child) {
  const places = plain(child),
    texts = new Set(places.map(([schema]) => jsonText(schema)));
  return places.some(([schema]) => schema === false || texts.has(jsonText(notOf(schema))));
}

// A child that holds for the same values, and has nothing to say about which types are written.
export const ofAnyType = (child) =>
  plain(child).map(([schema, pointer]) => [madeOf("not", madeOf("not", schema)), pointer]);
