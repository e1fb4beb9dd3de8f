// States that are made when a text first gets there, by number, to be walked like a table's; state 0 is the initial one.
export class NumberedStates {
  constructor(characters) {
    Object.assign(this, { characters, states: [], accepting: [], numbers: new Map() });
    this.number(characters.initial);
  }

  number(state) {
    if (!this.numbers.has(state)) {
      this.numbers.set(state, this.states.push(state) - 1);
      this.accepting.push(state.accepts);
    }
    return this.numbers.get(state);
  }

  step(number, code) {
    this.characters.rules.work.done = 0; // each step may take so much
    const target = this.characters.after(this.states[number], code);
    return target ? this.number(target) : -1;
  }

  // [{to, ranges}]: the states that a character leads to, each with the characters that do.
  arrowsFrom(number) {
    const state = this.states[number],
      { bounds } = this.characters.rowOf(state),
      found = new Map();
    bounds.forEach((bound, place) => {
      const target = this.characters.target(state, place);
      if (!target) return;
      const to = this.number(target);
      if (!found.has(to)) found.set(to, { from: number, to, ranges: [] });
      found.get(to).ranges.push([bound, bounds[place + 1] - 1]);
    });
    return [...found.values()];
  }

  // Whether a state needs fewer bytes to an end than another one.
  isNearer(number, other) {
    const [one, two] = [this.states[number], this.states[other]];
    return this.characters.bytesToEnd(one) < this.characters.bytesToEnd(two);
  }
}
