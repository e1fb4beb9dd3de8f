// What this page can't compile, it refuses in words, with the place in the source.
export class Refused extends Error {
  // place: a position in a pattern or grammar, a JSON pointer into a schema, or null.
  constructor(problem, place = null) {
    super(problem);
    this.place = place;
  }
}
export const fail = (problem, place = null) => { throw new Refused(problem, place); };
export const count = (number) => number.toLocaleString("en");

// A refusal as the page shows it, with the place in the source marked; `make` makes elements.
export function refusal(error, source, make) {
  if (!(error instanceof Refused)) throw error;
  const { place, message } = error, chars = [...source];
  // of a source with several lines only the one with the place
  const before = chars.slice(0, place).join("").replace(/^.*\n/s, ""), after = chars.slice(place + 1).join("").replace(/\n.*$/s, "");
  const marked = () => make("code", {}, before, make("mark", {}, chars[place] ?? "end"), after);
  const line = chars.slice(0, place).filter((char) => char === "\n").length + 1;
  const named = chars.includes("\n") ? `line ${line}, column ${[...before].length + 1}` : `position ${place}`;
  const position = () => [`, at ${named}: `, marked()], pointer = () => [`, at ${place || "the root of the schema"}`];
  const where = place === null ? [] : typeof place === "number" ? position() : pointer();
  return [make("b", {}, "refused "), message, ...where];
}

// Counts work, so that no source can make a page hang: beyond the most, it is refused.
export class Work {
  constructor(most, problem) {
    Object.assign(this, { most, problem, done: 0 });
  }
  spend(amount) {
    this.done += amount;
    if (this.done > this.most) fail(this.problem);
  }
}
