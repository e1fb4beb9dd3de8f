// Lab 11: an answer read by a joined automaton, {bounds, classes, rows, initial, accepting, held}. Its first
// held.length states read free text, and held says how much of it may still become a trigger. A row is its usual
// target, then pairs of a class and another target.

export function joinedAutomaton({ bounds, classes, rows, initial, accepting, held }) {
  const others = rows.map(([, ...pairs]) => {
    const found = new Map();
    for (let n = 0; n < pairs.length; n += 2) found.set(pairs[n], pairs[n + 1]);
    return found;
  });
  function classOf(code) {
    let low = 0, high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bounds[middle] <= code) low = middle + 1;
      else high = middle;
    }
    return low ? classes[low - 1] : -1;
  }
  function after(state, char) {
    const read = classOf(char.codePointAt(0));
    return state < 0 || read < 0 ? -1 : others[state].get(read) ?? rows[state][0];
  }
  return { initial, held, accepting: new Set(accepting), after, isFree: (state) => state >= 0 && state < held.length };
}

// What a text is to a client: {state, marks, sent, calls, waiting}. Each character has a mark: `free`, `held` (it may be
// a prefix of a trigger), `call`, or `dead` from where the automaton died.
export function answerRead(joined, text) {
  const marks = [], calls = [];
  let { initial: state } = joined, sent = "", waiting = [];
  const mark = (count, as) => marks.fill(as, marks.length - count);
  for (const char of text) {
    const wasFree = joined.isFree(state);
    state = joined.after(state, char);
    waiting.push(char);
    marks.push(state < 0 ? "dead" : "call");
    if (!joined.isFree(state)) {
      // the trigger is complete: all of it is a part of the call
      if (wasFree && state >= 0) mark(waiting.length, "call");
      continue;
    }
    if (!wasFree) {
      calls.push(waiting.join(""));
      waiting = [];
      continue;
    }
    marks[marks.length - 1] = "free";
    sent += waiting.splice(0, waiting.length - joined.held[state]).join("");
  }
  if (joined.isFree(state)) mark(waiting.length, "held");
  return { state, marks, sent, calls, waiting: waiting.join("") };
}
