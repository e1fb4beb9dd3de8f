// Lab 11: an answer read by a joined automaton, {bounds, classes, rows, initial, accepting, held}. Its first
// held.length states read free text, and held says how much of it may still become a trigger.
import { classOf } from "../automata/automata.js";

// A row is written as its usual target and "=", if that isn't the dead state, and then each class of another target, with
// ":" and the target, if that isn't the next state.
function rowRead(text, state) {
  const [others, usual = "-1"] = text.split("=").reverse();
  const pairs = others
    .split(",")
    .filter(Boolean)
    .map((pair) => pair.split(":").map(Number));
  return { usual: Number(usual), others: new Map(pairs.map(([read, to = state + 1]) => [read, to])) };
}

export function joinedAutomaton({ bounds, classes, rows, initial, accepting, held }) {
  const table = rows.split(" ").map(rowRead);
  function after(state, char) {
    const read = classOf({ bounds, classes }, char.codePointAt(0));
    return state < 0 || read < 0 ? -1 : (table[state].others.get(read) ?? table[state].usual);
  }
  return { initial, held, accepting: new Set(accepting), after, isFree: (state) => state >= 0 && state < held.length };
}

// What a text is to a client: {state, marks, sent, calls, waiting}. Each character has a mark: `free`, `held` (it may be
// a prefix of a trigger), `call`, or `dead` from where the automaton died.
export function answerRead(joined, text) {
  const marks = [],
    calls = [];
  let { initial: state } = joined,
    sent = "",
    waiting = [];
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

// What Python has packed, base64 of gzip of JSON.
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
