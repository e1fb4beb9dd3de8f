// References inside one document: $ref to a place, an anchor, or the document's own name.
import { fail } from "../refusals.js";
import { isOld } from "./keywords.js";
import { below, isObject, pythonText } from "./json_reader.js";

export const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];
const OF_SCHEMAS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
const SCHEMA_OR_LIST = `allOf anyOf oneOf not if then else propertyNames contains items prefixItems additionalItems
  unevaluatedItems contentSchema additionalProperties unevaluatedProperties`.split(/\s+/);

export class SchemaDocument {
  constructor(root) {
    this.root = root;
    this.draft = isObject(root) && typeof root.get("$schema") === "string" ? root.get("$schema") : "";
    this.isOld = isOld(this.draft);
    this.own = isObject(root) ? ([root.get("$id"), root.get("id")].find((each) => typeof each === "string") ?? "") : "";
    this.anchors = new Map();
    this.inner = null; // where a schema inside has a name of its own
    this.index(root, "");
  }

  index(schema, pointer) {
    if (!isObject(schema)) return;
    const counts = !(pointer && this.isOld && schema.has("$ref")),
      id = /draft-0[34]/.test(this.draft) ? "id" : "$id";
    for (const keyword of ["$anchor", "$dynamicAnchor"])
      if (typeof schema.get(keyword) === "string") this.name(schema.get(keyword), pointer);
    const own = counts && pointer && typeof schema.get(id) === "string" ? schema.get(id) : "";
    if (own.startsWith("#") && own.length > 1) this.name(decoded(own.slice(1)), pointer);
    else if (own) this.inner ??= below(pointer, id);
    for (const [steps, inside] of insideOf(schema)) this.index(inside, below(pointer, ...steps));
  }

  name(anchor, pointer) {
    const places = this.anchors.get(anchor) ?? [];
    if (places.at(-1) !== pointer) this.anchors.set(anchor, [...places, pointer]);
  }

  // What a reference means: {schema, pointer}.
  target(schema, keyword, pointer) {
    const reference = schema.get(keyword),
      place = below(pointer, keyword);
    if (typeof reference !== "string") fail(`${keyword} is ${pythonText(reference)}, not a text`, place);
    if (this.inner !== null)
      fail("references beside a schema with an $id of its own are not supported on this page", this.inner);
    const [uri, written = ""] = reference.split("#"),
      fragment = decoded(written),
      [own] = this.own.split("#");
    if (uri && uri !== own && uri !== own.split("/").at(-1))
      fail(`the ${keyword} ${pythonText(reference)} to another document is not supported`, place);
    const found = fragment && !fragment.startsWith("/") ? this.anchored(fragment, reference, keyword, place) : fragment;
    return { schema: this.at(found, reference, place), pointer: found };
  }

  anchored(anchor, reference, keyword, place) {
    const places = this.anchors.get(anchor) ?? [];
    if (!places.length) fail(`the ${keyword} ${pythonText(reference)} leads nowhere: there is no such anchor`, place);
    return places.length > 1
      ? fail(`there are several anchors ${pythonText(anchor)}, which is not supported`, place)
      : places[0];
  }

  at(pointer, reference, place) {
    let current = this.root;
    for (const step of pointer.split("/").slice(1)) {
      const name = step.replace(/~1/g, "/").replace(/~0/g, "~");
      if (isObject(current) && current.has(name)) current = current.get(name);
      else if (Array.isArray(current) && /^[0-9]+$/.test(name) && Number(name) < current.length)
        current = current[Number(name)];
      else fail(`the $ref ${pythonText(reference)} leads nowhere: there is no ${pythonText(name)}`, place);
    }
    return current;
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
    if (OF_SCHEMAS.includes(keyword) && isObject(value))
      for (const [key, inner] of value) yield [[keyword, key], inner];
    else if (SCHEMA_OR_LIST.includes(keyword) && Array.isArray(value))
      for (const [n, inner] of value.entries()) yield [[keyword, n], inner];
    else if (SCHEMA_OR_LIST.includes(keyword)) yield [[keyword], value];
  }
}
