// Lab 06's trees of regular expressions. Equal nodes are one object, so that equal states get one number.
export class Trees {
  constructor() {
    this.known = new Map();
    this.automata = new Map(); // each with its number
    this.empty = this.row([]);
    this.nothing = this.choice([]);
  }

  // empty: whether a node matches nothing but the empty text, as far as its shape shows.
  node(kind, key, rest) {
    const name = `${kind} ${key}`;
    if (!this.known.has(name)) this.known.set(name, { kind, id: this.known.size, empty: false, ...rest });
    return this.known.get(name);
  }

  chars(ranges) {
    return this.node("chars", ranges.join(), { ranges });
  }

  // Any text of a rule: rules are {names, bodies, trees}, with a name and a tree for each; rule 0 is the whole.
  call(rule) {
    return this.node("call", rule, { rule });
  }

  // The texts that lead from a state of an automaton to an accepting one, where each class of characters is spelled by
  // a tree; most is how many characters may still come, or null. From each state an accepting one can be reached.
  automaton(dfa, spelling, state = 0, most = null) {
    if (!this.automata.has(dfa)) this.automata.set(dfa, this.automata.size);
    const key = [this.automata.get(dfa), ids(spelling), state, most].join(":");
    return this.node("automaton", key, { dfa, spelling, state, most });
  }

  // One part after the other.
  row(parts) {
    return this.node("concat", ids(parts), { parts, empty: parts.every((part) => part.empty) });
  }

  choice(options) {
    return this.node("either", ids(options), {
      options,
      empty: options.length > 0 && options.every((each) => each.empty),
    });
  }

  // A choice without options that have no text; a single option is itself.
  oneOf(options) {
    const found = [...new Set(options)].filter((each) => each !== this.nothing);
    return found.length === 1 ? found[0] : this.choice(found);
  }

  optional(body) {
    return this.times(body, 0, 1);
  }

  char(text) {
    const code = text.codePointAt(0);
    return this.chars([[code, code]]);
  }

  text(text) {
    return this.row([...text].map((char) => this.char(char)));
  }

  // most: null for any number.
  times(body, least, most) {
    return this.node("repeat", [body.id, least, most], { body, least, most, empty: most === 0 });
  }
}

const ids = (nodes) => nodes.map((node) => node.id).join();
