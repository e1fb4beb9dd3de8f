// Arrays of a case as trees.
import { fail } from "../refusals.js";
import { equalValues } from "./json_reader.js";
import { Letters } from "./texts/letters.js";
import { negated, ofAnyType } from "./places.js";

const MOST_KINDS_OF_ITEMS = 64,
  MOST_DIFFERENT = 8,
  MOST_PLACES_OF_ITEMS = 500;

export class Arrays {
  // value: gives the tree of an item. valuesOf: gives the values of a child, null if they aren't few.
  constructor(trees, space, value, valuesOf) {
    Object.assign(this, { trees, space, value, valuesOf });
  }

  tree(one) {
    if (one.most !== null && one.most < one.least) return this.trees.nothing;
    const longest = one.cuts.at(-1)[0];
    if (longest > MOST_PLACES_OF_ITEMS) fail("an array with so many kinds of items is too large for this page");
    if (one.unique.length && (one.most === null || one.most > 1)) return this.allDifferent(one, longest);
    return one.some.length ? this.containing(one, longest) : this.plainArray(one, longest);
  }

  // Arrays whose items are asked for by their places alone.
  plainArray(one, length) {
    const { trees } = this,
      first = [];
    let { most } = one,
      rest = trees.nothing;
    for (let index = 0; index < Math.min(length, one.most ?? length); index++) {
      const item = this.value(one.item(index));
      if (item === trees.nothing) {
        most = index; // nothing can come here, so the array ends before
        break;
      }
      first.push(item);
    }
    if (most === null || most > length) rest = this.value(one.item(length));
    if (rest === trees.nothing) most = most === null ? first.length : Math.min(most, first.length);
    return this.bracketed(first, rest, one.least, most, this.space);
  }

  // Some first items, of which a short array has fewer, and then the rest.
  bracketed(first, rest, least, most, space) {
    const { trees } = this;
    if (most !== null && least > most) return trees.nothing;
    if (!first.length) return trees.array(rest, least, most, space);
    let tail = trees.empty;
    if (most === null || most > first.length) {
      const more = most === null ? null : most - first.length;
      tail = trees.times(trees.row([space.comma, rest]), Math.max(least - first.length, 0), more);
    }
    for (let index = first.length - 1; index > 0; index--) {
      tail = trees.row([space.comma, first[index], tail]);
      if (index >= least) tail = trees.optional(tail);
    }
    const inside = trees.row([first[0], tail, space.edge]);
    return trees.row([trees.char("["), space.edge, least > 0 ? inside : trees.optional(inside), trees.char("]")]);
  }

  // Arrays whose items all differ, where each item has few values: each value is a letter, which comes at most once.
  allDifferent(one, length) {
    const problem = "uniqueItems, items that all differ, is not supported",
      place = one.unique[0],
      values = [],
      places = [];
    if (one.some.length) fail("uniqueItems is not supported beside contains", place);
    for (let index = 0; index < (one.most === null || one.most > length ? length + 1 : one.most); index++) {
      const found = this.valuesOf(one.item(index)) ?? fail(`${problem} where an item has many values`, place);
      for (const value of found) if (!values.some((also) => equalValues(value, also))) values.push(value);
      places.push(found);
    }
    if (values.length > MOST_DIFFERENT)
      fail(`${problem} where an item has many values: here ${values.length} of at most ${MOST_DIFFERENT}`, place);
    const top = one.most === null ? values.length : Math.min(one.most, values.length);
    if (top < one.least) return this.trees.nothing;
    const letters = new Letters(this.trees);
    const names = values.map((value) => letters.add(this.value([[new Map([["const", value]]), place]])));
    const options = places.map((found) => names.filter((_, n) => found.some((value) => equalValues(value, values[n]))));
    const rest = places.length > length ? options.pop() : [];
    const shape = this.shape(letters, options, rest, one.least, top);
    return letters.putInto([shape, ...names.map((name) => letters.countOf([name], 0, 1))]);
  }

  // The automaton over letters of arrays with some first items, each of some letters, and then the rest.
  shape(letters, first, rest, least, given) {
    const { trees } = this,
      gap = (tree) => letters.among([letters.add(tree)]);
    const space = { edge: gap(this.space.edge), comma: gap(this.space.comma), colon: trees.empty };
    const closed = first.findIndex((options) => !options.length),
      places = closed < 0 ? first : first.slice(0, closed);
    const more = closed < 0 && rest.length ? letters.among(rest) : trees.nothing;
    let most = closed < 0 ? given : given === null ? closed : Math.min(given, closed);
    if (more === trees.nothing) most = most === null ? places.length : Math.min(most, places.length);
    return letters.dfa(
      this.bracketed(
        places.slice(0, most ?? places.length).map((each) => letters.among(each)),
        more,
        least,
        most,
        space,
      ),
    );
  }

  // Arrays some of whose items must satisfy something. An item is one of several letters, which say what it satisfies.
  containing(one, length) {
    if (2 ** one.some.length > MOST_KINDS_OF_ITEMS) fail("an array in which so many kinds of items are counted");
    const letters = new Letters(this.trees),
      satisfied = new Map(),
      { cuts } = one;
    const options = cuts.map(([start]) => this.options(one, start, letters, satisfied));
    const places = Array.from({ length }, (_, n) => options[cuts.findIndex(([start, stop]) => start <= n && n < stop)]);
    const rest = options.at(-1),
      most = rest.length || one.most === null ? one.most : Math.min(one.most, length);
    const counts = one.some.map(({ least, most }, number) => {
      const yes = [...satisfied].filter(([, numbers]) => numbers.includes(number)).map(([letter]) => letter);
      return letters.countOf(yes, least, most);
    });
    return letters.putInto([this.shape(letters, places, rest, one.least, most), ...counts]);
  }

  // The letters of an item from this index on; `satisfied` gets what each of them satisfies.
  options(one, index, letters, satisfied) {
    const here = one.some.flatMap(({ start, stop }, number) => (start <= index && index < stop ? [number] : [])),
      found = [];
    for (let chosen = 0; chosen < 2 ** here.length; chosen++) {
      const taken = here.filter((_, n) => !((chosen >> n) & 1)),
        child = [...one.item(index)];
      for (const number of here) {
        const { child: asked, most } = one.some[number];
        if (taken.includes(number)) child.push(...ofAnyType(asked));
        else if (most !== null) child.push(...negated(asked));
      }
      const tree = this.value(child);
      if (tree === this.trees.nothing) continue;
      const letter = letters.add(tree);
      satisfied.set(letter, taken);
      found.push(letter);
    }
    return found;
  }
}
