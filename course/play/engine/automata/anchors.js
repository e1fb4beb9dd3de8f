// Anchors. A pattern here matches whole texts, so ^ at its start and $ at its end say nothing new; elsewhere they are
// refused: $ also matches before a last newline, so it must not simply be dropped.
import { fail } from "../refusals.js";

// A tree without its anchors, all of them at the ends, and without repetitions of nothing.
export function withoutAnchors(tree, trees) {
  return stripped(tree, { first: true, last: true, repeated: false }, trees);
}

// place: whether only parts without a width come before a node, and after it; and whether it may come several times.
function stripped(node, place, trees) {
  switch (node.kind) {
    case "anchor":
      return allows(place, node.source)
        ? trees.empty
        : fail(`the anchor ${node.source} inside a pattern is not supported`, node.at);
    case "concat":
      return trees.row(strippedParts(node.parts, place, trees));
    case "either":
      return trees.choice(node.options.map((option) => stripped(option, place, trees)));
    case "repeat": {
      const once = node.most !== null && node.most <= 1,
        inner = once ? place : { ...place, repeated: true };
      const body = stripped(node.body, inner, trees);
      return isEmpty(body) ? trees.empty : trees.times(body, node.least, node.most);
    }
    default:
      return node;
  }
}

const allows = ({ first, last, repeated }, source) => !repeated && (source === "^" || source === "\\A" ? first : last);

function strippedParts(parts, place, trees) {
  const solid = parts.flatMap((part, n) => (isEmpty(part) ? [] : [n]));
  const [first, last] = solid.length ? [solid[0], solid.at(-1)] : [parts.length, -1];
  return parts.map((part, n) =>
    stripped(part, { ...place, first: place.first && n <= first, last: place.last && n >= last }, trees),
  );
}

// Whether a node can match nothing but the empty text.
function isEmpty(node) {
  if (node.kind === "anchor") return true;
  if (node.kind === "concat") return node.parts.every(isEmpty);
  if (node.kind === "either") return node.options.every(isEmpty);
  return node.kind === "repeat" && (node.most === 0 || isEmpty(node.body));
}
