// Cases: for each type a list of conjunctions. A value satisfies a schema if it satisfies one of its type's.
import { fail } from "../refusals.js";
import { ArrayCase } from "./array_cases.js";
import { ObjectCase } from "./object_cases.js";
import { changed, distinctBy, Few, Numeric, SILENT, Text } from "./scalars.js";

export const KINDS = ["null", "boolean", "number", "string", "array", "object"];
const MOST_CASES = 400,
  TOO_MANY = "the schema falls into too many cases";

export const everything = () => ({
  null: [new Few([null], [null])],
  boolean: [new Few([false, true], [false, true])],
  number: [new Numeric()],
  string: [new Text()],
  array: [new ArrayCase()],
  object: [new ObjectCase()],
});
export const ofEachKind = (make) => Object.fromEntries(KINDS.map((kind) => [kind, make(kind)]));
export const noCases = () => ofEachKind(() => []);
export const onlyFor = (kind, cases) => ({ ...everything(), [kind]: cases });

// The cases that aren't plainly empty, each once.
export function distinctCases(cases) {
  const found = distinctBy(
    cases.filter((one) => !one.isPlainlyEmpty),
    (one) => one.key,
  );
  return found.length > MOST_CASES ? fail(TOO_MANY) : found;
}

function bothOf(one, other) {
  if (one.length * other.length > MOST_CASES * 10) fail(TOO_MANY);
  return distinctCases(one.flatMap((first) => other.map((second) => first.meet(second))));
}
export const bothCases = (one, other) => ofEachKind((kind) => bothOf(one[kind], other[kind]));
export const eitherCases = (branches) =>
  ofEachKind((kind) => distinctCases(branches.flatMap((branch) => branch[kind])));

// `eitherCases`, with a case for each set of branches that a value may satisfy together: it's evaluated by all of them.
export function evaluatingCases(branches) {
  const found = eitherCases(branches);
  for (const kind of ["array", "object"]) {
    found[kind] = [];
    for (const branch of branches)
      found[kind] = distinctCases([...found[kind], ...branch[kind], ...bothOf(found[kind], branch[kind])]);
  }
  return found;
}

// The cases of the values that satisfy none of these.
export const otherwise = (cases) =>
  ofEachKind((kind) => cases[kind].reduce((found, one) => bothOf(found, one.negate()), everything()[kind]));

export const voiced = (cases, voices) =>
  ofEachKind((kind) => cases[kind].map((one) => changed(one, { voice: voices[kind] })));
export const silent = (cases) =>
  voiced(
    cases,
    ofEachKind(() => SILENT),
  );
