// From a schema to its cases: every keyword, and $ref, allOf, anyOf, oneOf, not and if.
import { fail } from "../refusals.js";
import { ALL_ITEMS, ArrayCase, everyItem } from "./array_cases.js";
import {
  bothCases,
  distinctCases,
  eitherCases,
  evaluatingCases,
  everything,
  KINDS,
  noCases,
  ofEachKind,
  onlyFor,
  otherwise,
  silent,
  voiced,
} from "./cases.js";
import { constantsOf } from "./constants.js";
import { Emptiness } from "./emptiness.js";
import { below, isObject, pythonText } from "./json_reader.js";
import {
  arrayCase,
  mappingOf,
  numberCase,
  objectCase,
  REFUSED_KEYWORDS,
  speaksOf,
  textCase,
  typesOf,
  valuesOf,
} from "./keywords.js";
import { absorbed, forbidden, keySet, membersOf, mergedCases, ObjectCase, present } from "./object_cases.js";
import { keyOf, Made, madeOf, plain } from "./places.js";
import { exactlyOneJoined, joinedToClauses } from "./presence.js";
import { REFERENCES, SchemaDocument } from "./references.js";
import { Few, NAMED, Numeric, PASSED_OVER, SILENT, SPOKEN_OF, Text } from "./scalars.js";
import { TextValues } from "./texts/texts.js";

const MANY = 4; // the most cases of one type that are kept without a look at whether some value satisfies each

export class SchemaReader {
  constructor(root, trees, work) {
    Object.assign(this, { document: new SchemaDocument(root), work, place: "", known: new Map(), referred: new Map() });
    this.texts = new TextValues(trees, (child) => this.cases(child));
    this.emptiness = new Emptiness((child) => this.cases(child), this.texts, work);
  }

  // The cases of the values that satisfy all schemas of a child.
  cases(child) {
    const key = keyOf(child);
    if (!this.known.has(key)) {
      const places = plain(child);
      const parts =
        places.length > 1
          ? places.map((place) => this.cases([place]))
          : places.map(([schema, pointer]) => this.read(schema, pointer, [], false));
      this.known.set(key, parts.length ? parts.reduce((one, other) => this.both(one, other)) : everything());
    }
    return this.known.get(key);
  }

  // A child with the targets of plain $refs in their places, so that equal ones have equal keys.
  resolved(child) {
    return plain(
      plain(child).flatMap(([schema, pointer]) => {
        for (
          const seen = new Set();
          isObject(schema) && schema.size === 1 && schema.has("$ref") && !seen.has(pointer);
        ) {
          seen.add(pointer);
          const target = this.document.target(schema, "$ref", pointer);
          [[schema, pointer] = [true, target.pointer]] = plain([[target.schema, target.pointer]]);
        }
        return [[schema, pointer]];
      }),
    );
  }

  // The values that satisfy a child; null if they aren't plainly few.
  valuesOf(child) {
    const cases = this.cases(child),
      found = [];
    for (const one of KINDS.flatMap((kind) => cases[kind])) {
      if (one instanceof Few) found.push(...one.values);
      else if (one.enum && !one.refused.length)
        found.push(...(one instanceof Text ? this.texts.enumValues(one) : one.enum));
      else if (!this.emptiness.never(one)) return null;
    }
    return found;
  }

  // seen: the targets of the references that led here, all at the same value. tracked: whether it matters which items and
  // members the schema speaks of.
  read(schema, pointer, seen, tracked) {
    if (typeof schema === "boolean") return schema ? everything() : noCases();
    if (!isObject(schema)) fail(`a schema is an object, true or false, not ${pythonText(schema)}`, pointer);
    this.work.spend(500);
    this.place = pointer;
    if (schema.has("$ref") && this.document.isOld) return this.follow(schema, "$ref", pointer, seen, tracked);
    const follows = tracked || schema.has("unevaluatedItems") || schema.has("unevaluatedProperties");
    const parts = [
      () => this.own(schema, pointer),
      ...this.references(schema, pointer, seen, follows),
      ...this.branchesOf(schema, "allOf", pointer, seen, follows).map((part) => () => part()),
    ];
    let found = parts.map((part) => part()).reduce((one, other) => this.both(one, other));
    found = this.alternatives(found, schema, pointer, seen, follows);
    if (schema.has("not")) {
      const place = schema instanceof Made ? pointer : below(pointer, "not");
      found = this.both(found, presenceOf(otherwise(this.read(schema.get("not"), place, seen, false))));
    }
    if (schema.has("if") && (schema.has("then") || schema.has("else") || follows))
      found = this.both(found, this.condition(schema, pointer, seen, follows));
    for (const cases of this.dependencies(schema, pointer, seen, follows)) found = this.both(found, cases);
    return withRest(schema, pointer, found);
  }

  references(schema, pointer, seen, tracked) {
    return REFERENCES.filter((keyword) => schema.has(keyword)).map(
      (keyword) => () => this.follow(schema, keyword, pointer, seen, tracked),
    );
  }

  branchesOf(schema, keyword, pointer, seen, tracked) {
    const branches = schema.has(keyword) ? schema.get(keyword) : [],
      made = schema instanceof Made;
    if (!Array.isArray(branches) || (schema.has(keyword) && !branches.length))
      fail(`${keyword} must be a list of at least one schema, not ${pythonText(branches)}`, below(pointer, keyword));
    return branches.map(
      (branch, n) => () => this.read(branch, made ? pointer : below(pointer, keyword, n), seen, tracked),
    );
  }

  alternatives(found, schema, pointer, seen, tracked) {
    for (const keyword of ["anyOf", "oneOf"]) {
      if (!schema.has(keyword)) continue;
      const branches = this.branchesOf(schema, keyword, pointer, seen, tracked).map((branch) => branch());
      found =
        keyword === "oneOf"
          ? this.exactlyOne(found, branches)
          : this.both(found, tracked ? evaluatingCases(branches) : presenceOf(eitherCases(branches)));
    }
    return found;
  }

  exactlyOne(found, branches) {
    const joined = exactlyOneJoined(branches.map((branch) => branch.object));
    if (!joined) return this.emptiness.exactlyOne(branches.map((branch) => this.both(found, branch)));
    const { object } = this.both(found, onlyFor("object", joined));
    return {
      ...this.emptiness.exactlyOne(branches.map((branch) => ({ ...this.both(found, branch), object: [] }))),
      object,
    };
  }

  // The cases of both; of many, those of which it's certain that no value satisfies them are left out.
  both(one, other) {
    const found = bothCases(one, other);
    found.object = absorbed(found.object);
    for (const kind of ["string", "array", "object"])
      if (found[kind].length > MANY) found[kind] = found[kind].filter((each) => !this.emptiness.never(each));
    found.object = mergedCases(found.object);
    this.work.spend(10 * KINDS.reduce((sum, kind) => sum + found[kind].length, 0));
    return found;
  }

  // The cases of the keywords that don't put schemas together.
  own(schema, pointer) {
    const types = typesOf(schema, pointer),
      values = valuesOf(schema, pointer);
    let found = everything();
    found.number = [numberCase(schema, pointer)];
    found.string = [textCase(schema, pointer)];
    found.array = [arrayCase(schema, pointer, this.document.draft)];
    found.object = [objectCase(schema, pointer)];
    for (const [keyword, what] of Object.entries(REFUSED_KEYWORDS))
      if (schema.has(keyword)) fail(`${keyword}, ${what}, is not supported`, below(pointer, keyword));
    if (types) {
      const kinds = new Set([...types].map((name) => (name === "integer" ? "number" : name)));
      if (types.has("integer") && !types.has("number"))
        found.number = found.number.map((one) => one.meet(new Numeric({ whole: true })));
      found = ofEachKind((kind) => (kinds.has(kind) ? found[kind] : []));
    }
    const mentions = new Set([...schema.keys()].map(speaksOf).filter(Boolean)),
      others = mentions.size ? PASSED_OVER : SILENT;
    if (values) found = this.both(found, constantsOf(values, pointer));
    const isNamed = values || types;
    return voiced(
      found,
      ofEachKind((kind) => (isNamed ? NAMED : mentions.has(kind) ? SPOKEN_OF : others)),
    );
  }

  follow(schema, keyword, pointer, seen, tracked) {
    const target = this.document.target(schema, keyword, pointer),
      key = `${tracked} ${target.pointer}`;
    if (seen.includes(target.pointer))
      fail(
        `the ${keyword} to ${target.pointer || "the root"} leads back to itself without an item or a member between`,
        below(pointer, keyword),
      );
    // What was read whole leads back to nothing, wherever it is referred to.
    if (!this.referred.has(key))
      this.referred.set(key, this.read(target.schema, target.pointer, [...seen, target.pointer], tracked));
    return this.referred.get(key);
  }

  condition(schema, pointer, seen, tracked) {
    const read = (keyword) =>
      this.read(schema.has(keyword) ? schema.get(keyword) : true, below(pointer, keyword), seen, tracked);
    const asked = read("if");
    return eitherCases([this.both(silent(asked), read("then")), this.both(otherwise(asked), read("else"))]);
  }

  // The cases of each key on which others, or a schema, depend.
  dependencies(schema, pointer, seen, tracked) {
    const found = [];
    for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"])
      for (const [key, given] of mappingOf(schema, keyword, pointer)) {
        const place = below(pointer, keyword, key),
          asked = typeof given === "string" && keyword === "dependencies" ? [given] : given;
        if (Array.isArray(asked) && keyword !== "dependentSchemas") {
          if (asked.some((name) => typeof name !== "string"))
            fail(`${keyword} must list keys, not ${pythonText(asked)}`, place);
          const clauses = [...new Set(asked)]
            .filter((name) => name !== key)
            .map((name) => [
              [key, false],
              [name, true],
            ]);
          found.push(onlyFor("object", [new ObjectCase({ clauses })]));
        } else {
          const inner = this.read(asked, place, seen, tracked).object.map((one) => present([key]).meet(one));
          found.push(onlyFor("object", [forbidden(key), ...distinctCases(inner)]));
        }
      }
    return found;
  }
}

// The cases with one of objects where they ask of nothing but which keys are there.
const presenceOf = (cases) => ({ ...cases, object: joinedToClauses(cases.object) });

// The cases with unevaluatedItems and unevaluatedProperties for what nothing else speaks of.
function withRest(schema, pointer, found) {
  const rest = (keyword) => [schema.get(keyword), below(pointer, keyword)],
    cases = { ...found };
  if (schema.has("unevaluatedItems"))
    cases.array = found.array.map((one) => restOfItems(one, ...rest("unevaluatedItems")));
  if (schema.has("unevaluatedProperties"))
    cases.object = found.object.map((one) => restOfMembers(one, ...rest("unevaluatedProperties")));
  return cases;
}

function restOfItems(one, given, place) {
  if (one.evaluated >= ALL_ITEMS) return one;
  const containing = one.containing.map((child) =>
    madeOf(
      "allOf",
      child.map(([part]) => part),
    ),
  );
  const schema = containing.length ? madeOf("anyOf", [given, ...containing]) : given;
  return one.meet(
    new ArrayCase({ every: [everyItem(one.evaluated, ALL_ITEMS, [[schema, place]])], evaluated: ALL_ITEMS }),
  );
}

function restOfMembers(one, schema, place) {
  const others = keySet({ outside: one.evaluated }),
    says = typeof schema !== "boolean" && !(isObject(schema) && !schema.size);
  return one.meet(
    new ObjectCase({
      every: [membersOf(others, [[schema, place]])],
      written: says ? [others] : [],
      evaluated: [others],
    }),
  );
}
