// Sets of code points as ranges [first, last], as in lab 06: ascending, and no two of them overlap or touch.
export const LAST = 0x10ffff;

export function merged(ranges) {
  const out = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = out.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else out.push([first, last]);
  }
  return out;
}

export function complement(ranges) {
  const out = [];
  let start = 0;
  for (const [first, last] of ranges) {
    if (start < first) out.push([start, first - 1]);
    start = last + 1;
  }
  if (start <= LAST) out.push([start, LAST]);
  return out;
}

// What is in one set and not in the other.
export const without = (ranges, others) => complement(merged([...complement(ranges), ...others]));

export const includes = (ranges, code) => ranges.some(([first, last]) => first <= code && code <= last);

// The characters of a text as ranges of one each.
export const codesOf = (text) => [...text].map((char) => char.codePointAt(0));
