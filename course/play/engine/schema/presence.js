// What is asked about which keys are there, as clauses: of each one literal [key, there] must hold. `not: {required:
// [a, b]}` is the clause "no a, or no b"; cases would list the 2 ** n ways to satisfy n of them.
import { clauseKey, ObjectCase } from "./object_cases.js";
import { distinctBy } from "./scalars.js";

const MOST_CLAUSES = 200;
const holdsOpposite = (clause) =>
  clause.some(([key, there]) => clause.some(([other, also]) => other === key && also !== there));
const joinedTo = (one, other) => distinctBy([...one, ...other], JSON.stringify);

// Clauses that hold where all literals of at least one choice do; null if there are too many.
function clausesOf(choices) {
  let found = [[]];
  for (const choice of choices) {
    if (found.length * choice.length > MOST_CLAUSES ** 2) return null;
    const wider = found.flatMap((clause) => choice.map((literal) => joinedTo(clause, [literal])));
    found = smallest(
      distinctBy(
        wider.filter((clause) => !holdsOpposite(clause)),
        clauseKey,
      ),
    );
    if (found.length > MOST_CLAUSES) return null;
  }
  return found;
}

const includesAll = (clause, other) =>
  other.every((literal) => clause.some((each) => String(each) === String(literal)));
function smallest(clauses) {
  const found = [];
  for (const clause of [...clauses].sort((a, b) => a.length - b.length))
    if (!found.some((other) => includesAll(clause, other))) found.push(clause);
  return found;
}

// Clauses that hold where the literals of no two choices do.
function atMostOne(choices) {
  const not = ([key, there]) => [key, !there],
    found = [];
  choices.forEach((one, n) =>
    choices.slice(n + 1).forEach((other) => found.push(joinedTo(one.map(not), other.map(not)))),
  );
  return found.filter((clause) => !holdsOpposite(clause));
}

// What is left of clauses when it is known whether a key is there; an empty clause can't be satisfied.
export const afterKey = (clauses, key, there) =>
  distinctBy(
    clauses
      .filter((clause) => !clause.some(([name, yes]) => name === key && yes === there))
      .map((clause) => clause.filter(([name]) => name !== key)),
    clauseKey,
  );

function choicesOf(cases) {
  const found = cases.map((one) => one.literals);
  return found.length && found.every(Boolean) && new Set(cases.map(({ voice }) => voice)).size === 1 ? found : null;
}

// One case with clauses for several that ask of nothing but which keys are there; others as they are.
export function joinedToClauses(cases) {
  const choices = cases.length < 2 ? null : choicesOf(cases),
    clauses = choices && clausesOf(choices);
  return clauses ? [new ObjectCase({ clauses, voice: cases[0].voice })] : cases;
}

// One case for exactly one of several branches that ask of nothing but which keys are there; else null.
export function exactlyOneJoined(branches) {
  const cases = branches.flat(),
    choices = branches.every(({ length }) => length === 1) ? choicesOf(cases) : null;
  const clauses = choices && clausesOf(choices);
  return (
    clauses && [
      new ObjectCase({ clauses: distinctBy([...clauses, ...atMostOne(choices)], clauseKey), voice: cases[0].voice }),
    ]
  );
}
