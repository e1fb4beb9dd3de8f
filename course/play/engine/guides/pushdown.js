// Lab 12: stacks that share what's below. The rules are given by what they can be asked, for states of any kind of number:
//   initial          for each rule its first state; rule 0 is the whole
//   order            the rules, each before those that it calls before it has read anything
//   step(state, c)   the state after a character within the rule, or -1
//   calls(state)     pairs [rule, state after the call]
//   unread(state)    the states that are reached without reading anything, the state itself first
//   mayEnd(state)    whether the rule may end there
//   isLast(state)    whether nothing can follow but the end of the rule
// A reader of grammars or schemas makes {names, bodies, trees} (see trees.js), and `RuleStates` in rules.js the states.
import { fail } from "../refusals.js";

// The state at the very bottom of a stack: the text is whole.
export const END = -2;
const MOST_ITEMS = 2000;

// A frame holds all callers of a rule at one place in the text, {id, returns: [[state, frame]], depth}; equal frames are
// one object. A kernel is a list of items [state, frame], sorted by state: what a text has led to.
export class Stacks {
  constructor(rules) {
    Object.assign(this, { rules, frames: new Map() });
    this.start = this.settled([[rules.initial[0], this.frameOf([[END, null]])]]);
  }

  frameOf(items) {
    const own = new Map(items.map((item) => [nameOf(item), item])),
      key = [...own.keys()].sort().join(" ");
    if (own.size > MOST_ITEMS) fail("this text can be read in too many ways at once");
    if (!this.frames.has(key)) {
      const returns = [...own.values()].sort((a, b) => a[0] - b[0]);
      const depth = Math.max(...returns.map(([, frame]) => (frame ? frame.depth + 1 : 0)));
      this.frames.set(key, { id: this.frames.size + 1, returns, depth });
    }
    return this.frames.get(key);
  }

  // All items that could read the next character: those of a kernel, and those of every rule that is called. All callers
  // of a rule share one frame; one with nothing left to read after the call hands over to its own callers.
  callClosure(kernel) {
    const { rules } = this,
      items = [],
      callers = new Map();
    const enter = (state, frame) => {
      for (const each of rules.unread(state)) {
        items.push([each, frame]);
        for (const [rule, target] of rules.calls(each)) {
          const returns = rules.isLast(target) ? frame.returns : [[target, frame]];
          callers.set(rule, [...(callers.get(rule) ?? []), ...returns]);
        }
      }
    };
    for (const [state, frame] of kernel) if (state !== END) enter(state, frame);
    if (callers.size)
      for (const rule of rules.order)
        if (callers.has(rule)) enter(rules.initial[rule], this.frameOf(callers.get(rule)));
    return items;
  }

  // The kernel after a character; an empty list if nothing reads it.
  step(kernel, char) {
    const moved = [];
    for (const [state, frame] of this.callClosure(kernel)) {
      const after = this.rules.step(state, char);
      if (after >= 0) moved.push([after, frame]);
    }
    return this.settled(moved);
  }

  // Some items, and those that continue where a rule may end, without those that have nothing left to read.
  settled(items) {
    const { rules } = this,
      found = new Map(),
      merged = new Map();
    const waiting = [];
    const add = (item) => {
      if (found.has(nameOf(item))) return;
      found.set(nameOf(item), item);
      waiting.push(item);
    };
    items.forEach(add);
    while (waiting.length) {
      const [state, frame] = waiting.pop();
      if (state !== END && rules.mayEnd(state)) frame.returns.forEach(add);
    }
    for (const [state, frame] of found.values()) {
      if (state !== END && rules.isLast(state)) continue;
      const other = merged.get(state); // a state that is there twice becomes one, with the callers of both
      merged.set(state, other && other !== frame ? this.frameOf([...other.returns, ...frame.returns]) : frame);
    }
    return [...merged].sort((a, b) => a[0] - b[0]);
  }
}

export const accepts = (kernel) => kernel.some(([state]) => state === END);
export const nameOf = ([state, frame]) => `${state}:${frame ? frame.id : ""}`;
