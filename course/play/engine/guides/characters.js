// Rules and their stacks as one automaton over characters, whose states are made when a text first gets there.
import { accepts, END, nameOf, Stacks } from "./pushdown.js";
import { lastUpTo, RuleStates } from "./rules.js";

export class CharacterStates {
  // grammar: {names, bodies, trees}; see rules.js.
  constructor(grammar) {
    this.rules = new RuleStates(grammar);
    this.known = new Map();
    this.frameBytes = new Map();
    const hasText = this.rules.initial[0] >= 0;
    this.stacks = hasText ? new Stacks(this.rules) : null;
    this.initial = hasText ? this.stateOf(this.stacks.start) : null; // null if there is no text at all
  }

  // {items, accepts}, and what is found out about it later; null if there are no items.
  stateOf(items) {
    if (!items.length) return null;
    const key = items.map(nameOf).join(" ");
    if (!this.known.has(key)) this.known.set(key, { items, accepts: accepts(items), row: null, bytes: null });
    return this.known.get(key);
  }

  after(state, code) {
    const row = this.rowOf(state);
    return this.target(state, lastUpTo(row.bounds, code));
  }

  // The states after the characters from one to another, null for those that can't come; each as often as it likes.
  between(state, first, last) {
    const { bounds } = this.rowOf(state),
      start = lastUpTo(bounds, first),
      found = [this.target(state, start)];
    for (let place = start + 1; place < bounds.length && bounds[place] <= last; place++)
      found.push(this.target(state, place));
    return found;
  }

  // From the character bounds[n] on, up to the next bound, targets[n] comes next, once somebody has asked.
  rowOf(state) {
    if (state.row) return state.row;
    const cuts = new Set();
    for (const [each] of this.stacks.callClosure(state.items))
      for (const bound of this.rules.row(each).bounds) cuts.add(bound);
    return (state.row = { bounds: [...cuts].sort((a, b) => a - b), targets: [] });
  }

  target(state, place) {
    if (place < 0) return null;
    const { bounds, targets } = state.row;
    if (targets[place] === undefined) {
      this.rules.work.spend(10 * state.items.length);
      targets[place] = this.stateOf(this.stacks.step(state.items, bounds[place]));
    }
    return targets[place];
  }

  // The fewest bytes to an end. They are never too few, so a search may trust them.
  bytesToEnd(state) {
    return (state.bytes ??= Math.min(...state.items.map(([each, frame]) => this.itemBytes(each, frame))));
  }

  itemBytes(state, frame) {
    return state === END ? 0 : this.rules.bytesToEnd(state) + this.bytesBelow(frame);
  }

  bytesBelow(frame) {
    if (!this.frameBytes.has(frame)) {
      const found = frame.returns.map(([state, below]) => this.itemBytes(state, below));
      this.frameBytes.set(frame, Math.min(...found));
    }
    return this.frameBytes.get(frame);
  }
}
