// References inside one document: $ref to a place, an anchor, or a schema's name, each found as the way from the root.
import { fail } from "../refusals.js";
import { isOld } from "./keywords.js";
import { below, isObject, pythonText } from "./json_reader.js";

export const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];
const OF_SCHEMAS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
const SCHEMA_OR_LIST = `allOf anyOf oneOf not if then else propertyNames contains items prefixItems additionalItems
  unevaluatedItems contentSchema additionalProperties unevaluatedProperties`.split(/\s+/);
// What names that are no whole addresses are relative to, and how a rewritten reference begins: then comes the pointer.
const BASE = "http://root.invalid/",
  REWRITTEN = "root:#";

export class SchemaDocument {
  constructor(root) {
    this.written = root;
    this.draft = isObject(root) && typeof root.get("$schema") === "string" ? root.get("$schema") : "";
    this.isOld = isOld(this.draft);
    this.named = new Map(); // by name of a schema, and by name#anchor, the pointers to it
    this.resources = new Map([["", ""]]); // by pointer the names of the schemas that have one of their own
    this.index(root, "", "");
    this.isSimple = this.resources.size === 1;
    this.root = this.isSimple ? root : this.rewritten(root, "");
  }

  // Note the names of a schema and of those inside it; base is the name to which theirs are relative.
  index(schema, pointer, base) {
    if (!isObject(schema)) return;
    const own = this.identified(schema, pointer, base);
    for (const keyword of ["$anchor", "$dynamicAnchor"])
      if (typeof schema.get(keyword) === "string") this.name(`${own}#${schema.get(keyword)}`, pointer);
    for (const [steps, inside] of insideOf(schema)) this.index(inside, below(pointer, ...steps), own);
  }

  identified(schema, pointer, base) {
    const words = pointer ? [/draft-0[34]/.test(this.draft) ? "id" : "$id"] : ["$id", "id"];
    const counts = !(pointer && this.isOld && schema.has("$ref"));
    const id = counts ? words.map((word) => schema.get(word)).find((each) => typeof each === "string") : undefined;
    const [uri, anchor = ""] = joined(base, id ?? "").split("#");
    if (anchor) this.name(`${uri}#${decoded(anchor)}`, pointer); // until draft 7 an $id was an anchor too
    if (uri === base && pointer) return uri;
    this.name(uri, pointer);
    this.resources.set(pointer, uri);
    const draft = schema.has("$schema") ? String(schema.get("$schema")) : this.draft;
    if (draft.replace(/#$/, "") !== this.draft.replace(/#$/, ""))
      fail(`a schema of another draft, '${draft}', inside this one is not supported`, below(pointer, "$schema"));
    return uri;
  }

  name(uri, pointer) {
    const places = this.named.get(uri) ?? [];
    if (places.at(-1) !== pointer) this.named.set(uri, [...places, pointer]);
  }

  // The name of the innermost schema with one that a place is in.
  resourceOf(pointer) {
    while (!this.resources.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf("/"));
    return this.resources.get(pointer);
  }

  // A copy in which references are ways from the root, so that equal texts mean the same. One without a meaning stays,
  // and is refused where it's followed.
  rewritten(schema, pointer) {
    if (!isObject(schema)) return schema;
    const found = new Map([...schema].map(([keyword, value]) => [keyword, copied(value)]));
    for (const [steps, inside] of insideOf(schema)) put(found, steps, this.rewritten(inside, below(pointer, ...steps)));
    for (const keyword of REFERENCES)
      if (schema.has(keyword)) found.set(keyword, this.wayFor(schema, keyword, pointer));
    return found;
  }

  wayFor(schema, keyword, pointer) {
    const reference = schema.get(keyword);
    if (keyword !== "$ref")
      fail(`${keyword} beside a schema with a name of its own is not supported on this page`, below(pointer, keyword));
    const found = typeof reference === "string" ? this.find(reference, pointer, () => null) : null;
    return found === null ? reference : REWRITTEN + found;
  }

  // What a reference means: {schema, pointer}.
  target(schema, keyword, pointer) {
    const reference = schema.get(keyword),
      place = below(pointer, keyword);
    if (typeof reference !== "string") fail(`${keyword} is ${pythonText(reference)}, not a text`, place);
    if (reference.startsWith(REWRITTEN)) return this.found(reference.slice(REWRITTEN.length));
    const refused = (problem) => fail(problem.replace("the $ref", `the ${keyword}`), place);
    return this.found(this.find(reference, pointer, refused));
  }

  found(pointer) {
    return { schema: stepsOf(pointer).reduce(inner, this.root), pointer };
  }

  // The pointer to what a reference at a place means; or what `refused` returns.
  find(reference, pointer, refused) {
    const text = pythonText(reference),
      [uri, written = ""] = joined(this.resourceOf(pointer), reference).split("#");
    const fragment = decoded(written),
      isAnchor = fragment && !fragment.startsWith("/"),
      places = this.named.get(isAnchor ? `${uri}#${fragment}` : uri) ?? [];
    if (!this.named.has(uri)) return refused(`the $ref ${text} to another document is not supported`);
    if (!places.length) return refused(`the $ref ${text} leads nowhere: there is no such anchor`);
    const what = isAnchor ? `anchors ${pythonText(fragment)}` : `schemas with the $id ${pythonText(uri)}`;
    if (places.length > 1) return refused(`there are several ${what}, which is not supported`);
    const found = isAnchor ? places[0] : places[0] + fragment,
      missing = this.missingStep(found);
    return missing === null ? found : refused(`the $ref ${text} leads nowhere: there is no ${pythonText(missing)}`);
  }

  missingStep(pointer) {
    let current = this.written;
    for (const name of stepsOf(pointer)) {
      const next = inner(current, name);
      if (next === undefined) return name;
      current = next;
    }
    return null;
  }
}

const stepsOf = (pointer) =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));

function inner(value, name) {
  if (isObject(value)) return value.get(name);
  return Array.isArray(value) && /^[0-9]+$/.test(name) ? value[Number(name)] : undefined;
}

const copied = (value) => (isObject(value) ? new Map(value) : Array.isArray(value) ? [...value] : value);
function put(schema, [keyword, step], value) {
  const holder = step === undefined ? schema : schema.get(keyword);
  if (Array.isArray(holder)) holder[step] = value;
  else holder.set(step ?? keyword, value);
}

// A reference as an address; the base may be a URN too.
function joined(base, reference) {
  if (!reference || reference.startsWith("#")) return base + reference;
  try {
    return new URL(reference, new URL(base, BASE)).href;
  } catch {
    return reference; // half an address
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The schemas in a schema's keywords, each with the steps to it. What other keywords hold is no schema.
function* insideOf(schema) {
  for (const [keyword, value] of schema) {
    if (OF_SCHEMAS.includes(keyword) && isObject(value)) for (const [key, each] of value) yield [[keyword, key], each];
    else if (SCHEMA_OR_LIST.includes(keyword) && Array.isArray(value))
      for (const [n, each] of value.entries()) yield [[keyword, n], each];
    else if (SCHEMA_OR_LIST.includes(keyword)) yield [[keyword], value];
  }
}
