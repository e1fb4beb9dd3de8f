// A JSON Schema as rules of its JSON texts, which call each other: one for each array or object, whatever nests in it.
// The language is that of mask_engine's reading "form", with members in the schema's order.
import { fewestOfRules } from "../guides/fewest.js";
import { fail, Refused, Work } from "../refusals.js";
import { Arrays } from "./arrays.js";
import { ArrayCase } from "./array_cases.js";
import { everything, KINDS } from "./cases.js";
import { isObject, readJson } from "./json_reader.js";
import { numbersOf } from "./texts/numbers.js";
import { ObjectCase } from "./object_cases.js";
import { Objects } from "./objects.js";
import { parsed } from "../automata/patterns.js";
import { keyOf } from "./places.js";
import { SchemaReader } from "./reader.js";
import { Few, Numeric, PASSED_OVER, Text } from "./scalars.js";
import { JsonTrees } from "./texts/spelling.js";

const MOST_WORK_OF_SCHEMA = 2e6,
  MOST_NESTED_SCHEMAS = 40,
  LEAST_INDENT = 20,
  FREE_DEPTH = 16;

// {names, bodies, trees, pointers, leftOut}: see rules.js and described.js. space: "flexible", what json.dumps writes, or "compact", none.
export function rulesOfSchema(source, space = "flexible") {
  const root = readJson(source),
    trees = new JsonTrees();
  const work = new Work(MOST_WORK_OF_SCHEMA, "the schema takes too much work for this page");
  const reader = new SchemaReader(root, trees, work),
    builder = (indent) => new SchemaRules(reader, trees, work, indent);
  try {
    let built = builder(space === "flexible" ? LEAST_INDENT : null).whole();
    // How far lines may be indented is known when all of it is read: four spaces for each level.
    if (space === "flexible" && built.indent > LEAST_INDENT) built = builder(built.indent).whole();
    if (fewestOfRules(built.bodies)[0] === Infinity) fail("no value satisfies the schema", "");
    return built;
  } catch (error) {
    if (error instanceof Refused) error.place ??= reader.place; // where it grew too large
    throw error;
  }
}

// What a picture leaves out: escapes inside strings, and lines of their own.
const ESCAPES_AND_LINES = [0x5c, 0x0a];

class SchemaRules {
  constructor(reader, trees, work, indent) {
    Object.assign(this, {
      reader,
      trees,
      work,
      space: trees.space(indent),
      nestsFreely: false,
      deepest: 0,
      heights: [],
    });
    Object.assign(this, {
      names: ["the whole"],
      bodies: [trees.nothing],
      pointers: [""],
      known: new Map(),
      open: new Map(),
    });
    const value = (child) => this.value(child);
    this.arrays = new Arrays(trees, this.space, value, (child) => reader.valuesOf(child));
    this.objects = new Objects(trees, this.space, value, reader.texts);
  }

  whole() {
    let tree = this.value([[this.reader.document.root, ""]]);
    while (tree.kind === "call" && this.bodies[tree.rule] !== tree) tree = this.bodies[tree.rule]; // no rule only calls
    this.bodies[0] = tree;
    const { names, bodies, trees, pointers } = this;
    return {
      names,
      bodies,
      trees,
      pointers,
      leftOut: ESCAPES_AND_LINES,
      indent: Math.max(4 * (this.nestsFreely ? FREE_DEPTH : this.deepest), LEAST_INDENT),
    };
  }

  rule(pointer, body) {
    this.names.push(labelOf(pointer));
    this.pointers.push(pointer ?? "");
    return this.bodies.push(body) - 1;
  }

  // The tree of the values that satisfy all schemas of a child. One that's met again within itself is a rule.
  value(given) {
    const child = this.reader.resolved(given),
      key = keyOf(child),
      pointer = child.length ? child[0][1] : null;
    if (this.known.has(key)) {
      const { tree, height } = this.known.get(key);
      this.note(height);
      return tree;
    }
    if (this.open.has(key)) {
      this.nestsFreely = true;
      if (this.open.get(key) === null) this.open.set(key, this.rule(pointer, this.trees.nothing));
      return this.trees.call(this.open.get(key));
    }
    if (this.open.size >= MOST_NESTED_SCHEMAS) fail("the schema is nested too deep", pointer ?? "");
    return this.entered(child, key, pointer);
  }

  entered(child, key, pointer) {
    this.open.set(key, null);
    this.heights.push(0);
    const { place } = this.reader;
    let tree = this.built(child, pointer);
    this.reader.place = place;
    const rule = this.open.get(key),
      height = this.heights.pop();
    this.open.delete(key);
    if (rule !== null) {
      this.bodies[rule] = tree;
      tree = this.trees.call(rule);
    }
    this.known.set(key, { tree, height });
    this.note(height);
    return tree;
  }

  // Note how deep a value is nested that is an item or a member of the one being built.
  note(height) {
    if (this.heights.length) this.heights.push(Math.max(this.heights.pop(), height + 1));
    else this.deepest = height;
  }

  built(child, pointer) {
    this.reader.place = pointer ?? "";
    const cases = this.reader.cases(child),
      all = KINDS.flatMap((kind) => cases[kind]);
    const written = all.filter(({ voice }) => voice !== PASSED_OVER);
    if (child.length && written.length === all.length && asksNothing(cases)) return this.value([]);
    const found = this.joined(written, pointer);
    return written.length === all.length || found !== this.trees.nothing ? found : this.joined(all, pointer);
  }

  joined(cases, pointer) {
    const { trees } = this,
      isConstant = (one) => one.constant !== undefined;
    const values = cases.filter(isConstant).map(({ constant }) => constant),
      nested = [],
      scalars = [];
    for (const value of values) this.heights.push(Math.max(this.heights.pop(), depthOf(value)));
    nested.push(...values.map((value) => trees.valueText(value, this.space)));
    for (const one of cases.filter((one) => !isConstant(one)))
      (one instanceof ArrayCase || one instanceof ObjectCase ? nested : scalars).push(this.caseTree(one));
    const inside = trees.oneOf(nested);
    return trees.oneOf([inside === trees.nothing ? inside : trees.call(this.rule(pointer, inside)), ...scalars]);
  }

  caseTree(one) {
    this.work.spend(100);
    const { trees, reader } = this;
    if (one.refused.length) return reader.emptiness.never(one) ? trees.nothing : fail(...one.refused[0]);
    if (one instanceof Few) return trees.oneOf(one.values.map((value) => trees.text(String(value))));
    if (one instanceof Numeric) return this.numbers(one);
    if (one instanceof Text) return reader.texts.tree(one);
    return one instanceof ArrayCase ? this.arrays.tree(one) : this.objects.tree(one);
  }

  numbers(one) {
    const { trees } = this;
    if (one.isPlainlyEmpty) return trees.nothing;
    if (one.enum)
      return trees.oneOf(one.enum.filter((value) => one.allows(value)).map((value) => trees.numberValue(value)));
    const found = numbersOf(one);
    if (found === null) return trees.nothing;
    if (typeof found === "string") return parsed(found, { most: Infinity, trees }).tree;
    return trees.automaton(found, rangeTrees(found, trees));
  }
}

const rangeTrees = (dfa, trees) =>
  dfa.table[0].map((_, each) =>
    trees.chars(dfa.bounds.flatMap((bound, n) => (dfa.classes[n] === each ? [[bound, dfa.bounds[n + 1] - 1]] : []))),
  );

function asksNothing(cases) {
  const all = everything();
  return KINDS.every(
    (kind) => cases[kind].length === 1 && (cases[kind][0].isBlank ?? sameScalar(cases[kind][0], all[kind][0])),
  );
}
const sameScalar = (one, other) => Object.assign(Object.create(one), { voice: 0 }).key === other.key;

const labelOf = (pointer) => {
  if (pointer === null) return "any value";
  return pointer ? pointer.split("/").at(-1).replace(/~1/g, "/").replace(/~0/g, "~") : "the whole";
};

// How deep arrays and objects are nested in a value.
function depthOf(value) {
  if (!Array.isArray(value) && !isObject(value)) return 0;
  return 1 + Math.max(0, ...[...value.values()].map(depthOf));
}
