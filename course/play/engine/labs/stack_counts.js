// Lab 12: how much the shared stacks save.
import { END, nameOf } from "../guides/pushdown.js";

// How many different stacks a kernel holds, and how many boxes they have, written out; as BigInt, for there may be many.
export function writtenOut(kernel) {
  const known = new Map();
  // A stack may be reached on two ways down, so frames below equal states count together.
  function counted(items) {
    const key = items.map(nameOf).sort().join(" ");
    if (!known.has(key)) known.set(key, sumOf(items));
    return known.get(key);
  }
  function sumOf(items) {
    const byState = new Map();
    for (const [state, frame] of items)
      byState.set(state, [...(byState.get(state) ?? []), ...(frame ? frame.returns : [])]);
    let stacks = 0n,
      boxes = 0n;
    for (const [state, returns] of byState) {
      const below =
        state === END
          ? { stacks: 1n, boxes: 0n }
          : counted([...new Map(returns.map((item) => [nameOf(item), item])).values()]);
      stacks += below.stacks;
      boxes += below.boxes + (state === END ? 0n : below.stacks);
    }
    return { stacks, boxes };
  }
  return counted(kernel);
}

// The frames below a kernel, each once.
export function framesBelow(kernel) {
  const found = new Set(kernel.map(([, frame]) => frame).filter(Boolean));
  for (const frame of found) for (const [, each] of frame.returns) if (each) found.add(each); // it grows meanwhile
  return found;
}

// How many boxes are drawn when all stacks share what they can.
export function sharedBoxes(kernel) {
  const boxes = (items) => items.filter(([state]) => state !== END).length;
  return [...framesBelow(kernel)].reduce((sum, { returns }) => sum + boxes(returns), boxes(kernel));
}
