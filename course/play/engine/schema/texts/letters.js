// Letters that stand for trees in an automaton that is made first: the order and the number of an array's or an object's
// parts. A letter is a code beyond all characters.
import { classRanges, dfaOf, intersection, NO_TEXT } from "../../automata/dfas.js";
import { LAST, merged } from "../../automata/ranges.js";

const LAST_LETTER = 2 * LAST,
  EVERY_CODE = [[0, LAST_LETTER]];

export class Letters {
  constructor(trees) {
    Object.assign(this, { trees, meant: [] });
  }

  // A new letter for a tree.
  add(tree) {
    this.meant.push(tree);
    return LAST + this.meant.length;
  }

  among(letters) {
    return this.trees.chars(merged(letters.map((letter) => [letter, letter])));
  }

  allBut(letters) {
    return this.trees.chars(others(letters));
  }

  dfa(tree) {
    return dfaOf(tree, this.trees);
  }

  // The texts over letters in which some of them come so often.
  countOf(letters, least, most) {
    const { trees } = this,
      some = trees.chars(EVERY_CODE);
    if (!letters.length || (most !== null && most < least))
      return least === 0 ? this.dfa(trees.times(some, 0, null)) : NO_TEXT;
    const between = trees.times(this.allBut(letters), 0, null),
      one = trees.row([between, this.among(letters)]);
    return this.dfa(trees.row([trees.times(one, least, most), between]));
  }

  // The texts with one of some letters, and after the first of them none, or any.
  holding(letters, onlyOnce) {
    const { trees } = this,
      before = trees.times(this.allBut(letters), 0, null);
    const after = onlyOnce ? before : trees.times(trees.chars(EVERY_CODE), 0, null);
    return this.dfa(trees.row([before, this.among(letters), after]));
  }

  // The tree of an automaton over letters and characters.
  putInto(skeletons) {
    const { trees } = this,
      skeleton = intersection(skeletons);
    if (!skeleton.accepting.some(Boolean)) return trees.nothing;
    const spelling = classRanges(skeleton).map((ranges) => {
      const held = this.meant.filter((_, n) =>
        ranges.some(([first, last]) => first <= LAST + 1 + n && LAST + 1 + n <= last),
      );
      const characters = ranges
        .filter(([first]) => first <= LAST)
        .map(([first, last]) => [first, Math.min(last, LAST)]);
      return trees.oneOf([...held, ...(characters.length ? [trees.chars(characters)] : [])]);
    });
    return trees.automaton(skeleton, spelling);
  }
}

// All codes but some letters.
function others(letters) {
  const out = [];
  let start = 0;
  for (const [first, last] of merged(letters.map((letter) => [letter, letter]))) {
    if (start < first) out.push([start, first - 1]);
    start = last + 1;
  }
  return [...out, [start, LAST_LETTER]];
}
