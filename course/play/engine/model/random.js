// NumPy's np.random.default_rng(seed).random(), bit for bit: SeedSequence makes the state, PCG64 the numbers.
const MASK_32 = 0xffffffffn, MASK_64 = 2n ** 64n - 1n, MASK_128 = 2n ** 128n - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

export function defaultRng(seed) {
  const [seedHigh, seedLow, sequenceHigh, sequenceLow] = fourWords(BigInt(seed));
  const increment = ((((sequenceHigh << 64n) | sequenceLow) << 1n) | 1n) & MASK_128;
  let state = 0n;
  const advanced = () => (state = (state * MULTIPLIER + increment) & MASK_128);
  advanced();
  state = (state + ((seedHigh << 64n) | seedLow)) & MASK_128;
  advanced();

  // Fold the state's two halves into one and rotate it by the state's top six bits ("XSL-RR").
  function next64() {
    advanced();
    const folded = (state >> 64n) ^ (state & MASK_64), turns = state >> 122n;
    return ((folded >> turns) | (folded << (64n - turns))) & MASK_64;
  }
  return { random: () => Number(next64() >> 11n) / 2 ** 53 };
}

// SeedSequence(seed).generate_state(4, uint64). All arithmetic is modulo 2 ** 32.
function fourWords(seed) {
  if (seed < 0n) throw new RangeError(`a seed is 0 or more, not ${seed}`);
  const entropy = [];
  for (let rest = seed; rest > 0n || !entropy.length; rest >>= 32n) entropy.push(Number(rest & MASK_32));
  const pool = mixedPool(entropy), hash = hasher(0x8b51f9dd, 0x58f38ded);
  const words = Array.from({ length: 8 }, (_, n) => BigInt(hash(pool[n % 4])));
  return [0, 2, 4, 6].map((n) => words[n] | (words[n + 1] << 32n));
}

function mixedPool(entropy) {
  const hash = hasher(0x43b0d7e5, 0x931e8875);
  const pool = [0, 1, 2, 3].map((n) => hash(entropy[n] ?? 0));
  const mixInto = (place, word) => {
    const mixed = (Math.imul(0xca01f9dd, pool[place]) - Math.imul(0x4973f715, hash(word))) >>> 0;
    pool[place] = (mixed ^ (mixed >>> 16)) >>> 0;
  };
  for (let from = 0; from < 4; from++)
    for (let to = 0; to < 4; to++) if (from !== to) mixInto(to, pool[from]);
  for (const word of entropy.slice(4)) for (let to = 0; to < 4; to++) mixInto(to, word);
  return pool;
}

// A hash of 32-bit words whose constant changes with every word.
function hasher(constant, factor) {
  return (word) => {
    const crossed = word ^ constant;
    constant = Math.imul(constant, factor) >>> 0;
    const product = Math.imul(crossed, constant);
    return (product ^ (product >>> 16)) >>> 0;
  };
}
