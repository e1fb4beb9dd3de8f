// What Python's \d, \s and \w are, and which characters differ in case only.
import { includes, LAST, merged } from "./ranges.js";

const ASCII = { d: ["09"], w: ["09", "AZ", "__", "az"], s: ["\t\r", "  "] };
const UNICODE = { d: /\p{Nd}/u, s: /(?!\ufeff)[\s\x1c-\x1f\x85]/u, w: /[\p{L}\p{N}_]/u };
const known = new Map();
const once = (name, make) => known.get(name) ?? known.set(name, make()).get(name);

// The characters of \d, \s or \w, by its letter.
export function shorthand(letter, ascii) {
  if (!ascii) return once(letter, () => matching(UNICODE[letter]));
  return ASCII[letter].map(([first, last]) => [first.charCodeAt(0), last.charCodeAt(0)]);
}

// The code points that an expression matches, as ranges.
export function matching(expression) {
  const found = [];
  for (let code = 0, open = false; code <= LAST + 1; code++) {
    const yes = code <= LAST && !(code >= 0xd800 && code < 0xe000) && expression.test(String.fromCodePoint(code));
    if (yes && !open) found.push([code, code]);
    else if (yes) found.at(-1)[1] = code;
    open = yes;
  }
  return found;
}

const LAST_CASED = 0x1ffff; // no letter beyond it has a case
const hasCase = (char) => char.toLowerCase() !== char || char.toUpperCase() !== char;
const cased = () =>
  once("cased", () => {
    const codes = Array.from({ length: LAST_CASED + 1 }, (_, code) => code).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    );
    return codes.filter((code) => hasCase(String.fromCodePoint(code)));
  });

// To Python, each of these is the others in another case; to JavaScript it isn't.
const DOTS = [0x49, 0x69, 0x130, 0x131];

// Some characters and those that differ from one of them in case only.
export function withCases(ranges, ascii) {
  const spell = (code) => `\\u{${code.toString(16)}}`;
  const set = new RegExp(`[${ranges.map(([first, last]) => `${spell(first)}-${spell(last)}`).join("")}]`, "iu");
  const codes = ascii ? cased().filter((code) => code < 0x80) : cased();
  const known = ascii ? ranges.filter(([first]) => first < 0x80) : ranges;
  const also = codes.filter((code) => set.test(String.fromCodePoint(code)) && (!ascii || known.length));
  const dots = !ascii && DOTS.some((code) => includes(ranges, code)) ? DOTS : [];
  return merged([...ranges, ...[...also, ...dots].map((code) => [code, code])]);
}
