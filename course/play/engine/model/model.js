// The small model, a Llama of 922,752 weights, as labkit/small_model/transformer.py runs it: one token at a time.
export const SIZES = { vocabulary: 1024, width: 128, layers: 4, heads: 4, inner: 344, positions: 1024 };
const HEAD = SIZES.width / SIZES.heads, ROPE_THETA = 10000, NORM_EPS = 1e-5;

// Decode base64 of float16 numbers. Their bits, moved to where float32 has its own, are 2 ** 112 times too small,
// because the two exponents start from 15 and from 127; and then numbers below the normal ones come out right, too.
export function readWeights(base64) {
  const text = atob(base64), bits = new Uint32Array(text.length / 2);
  for (let n = 0; n < bits.length; n++) {
    const half = text.charCodeAt(2 * n) | (text.charCodeAt(2 * n + 1) << 8);
    bits[n] = ((half & 0x8000) << 16) | ((half & 0x7fff) << 13);
  }
  const floats = new Float32Array(bits.buffer);
  return floats.map((small) => small * 2 ** 112);
}

export class SmallModel {
  // weights: all of them in one Float32Array, in the order of Python's weight_shapes. A matrix is [out, in].
  constructor(weights) {
    let at = 0;
    const take = (count) => weights.subarray(at, (at += count));
    const { vocabulary, width, inner } = SIZES;
    this.embedding = take(vocabulary * width);
    this.layers = Array.from({ length: SIZES.layers }, () => ({
      attentionNorm: take(width),
      query: take(width * width),
      key: take(width * width),
      value: take(width * width),
      out: take(width * width),
      mlpNorm: take(width),
      gate: take(inner * width),
      up: take(inner * width),
      down: take(width * inner),
    }));
    this.norm = take(width);
    if (at !== weights.length) throw new RangeError(`the model has ${at} weights, not ${weights.length}`);
  }

  // One text that grows, with the keys and values of its tokens.
  session() {
    return new Session(this);
  }
}

class Session {
  constructor(model) {
    this.model = model;
    this.length = 0;
    const room = () => new Float32Array(SIZES.positions * SIZES.width);
    this.caches = model.layers.map(() => ({ keys: room(), values: room() }));
  }

  // Read the ids after those read before; return the logits of what may come next.
  forward(ids) {
    if (!ids.length) throw new RangeError("the model needs a token to read");
    if (this.length + ids.length > SIZES.positions) throw new RangeError(`the model has ${SIZES.positions} positions`);
    let x;
    for (const id of ids) x = this.through(id, this.length++);
    return multiply(this.model.embedding, normed(x, this.model.norm));
  }

  // Forget the tokens from this length on, as if they had never been there.
  truncate(length) {
    if (!(length >= 0 && length <= this.length)) throw new RangeError(`${this.length} tokens can't become ${length}`);
    this.length = length;
  }

  // One token through all layers: each adds to x what attention found in earlier tokens, and what the MLP makes of it.
  through(id, position) {
    const { embedding, layers } = this.model, x = embedding.slice(id * SIZES.width, (id + 1) * SIZES.width);
    layers.forEach((layer, n) => {
      addTo(x, this.attention(layer, normed(x, layer.attentionNorm), this.caches[n], position));
      addTo(x, mlp(layer, normed(x, layer.mlpNorm)));
    });
    return x;
  }

  attention(layer, x, { keys, values }, position) {
    const query = multiply(layer.query, x), key = multiply(layer.key, x);
    rotate(query, position);
    rotate(key, position);
    keys.set(key, position * SIZES.width);
    values.set(multiply(layer.value, x), position * SIZES.width);
    const mixed = new Float32Array(SIZES.width);
    for (let start = 0; start < SIZES.width; start += HEAD) attend(query, keys, values, position, start, mixed);
    return multiply(layer.out, mixed);
  }
}

// One head: the mean of the values so far, weighted by the softmax of how well their keys match the query.
function attend(query, keys, values, position, start, mixed) {
  const scores = new Float64Array(position + 1);
  for (let p = 0; p <= position; p++)
    for (let n = start; n < start + HEAD; n++) scores[p] += query[n] * keys[p * SIZES.width + n];
  const most = scores.reduce((a, b) => Math.max(a, b));
  const shares = scores.map((score) => Math.exp((score - most) / Math.sqrt(HEAD)));
  const total = shares.reduce((a, b) => a + b);
  for (let p = 0; p <= position; p++)
    for (let n = start; n < start + HEAD; n++) mixed[n] += (shares[p] / total) * values[p * SIZES.width + n];
}

// SwiGLU: down(silu(gate(x)) * up(x)), where silu(g) = g / (1 + exp(-g)).
function mlp(layer, x) {
  const gate = multiply(layer.gate, x), up = multiply(layer.up, x);
  return multiply(layer.down, gate.map((g, n) => (g / (1 + Math.exp(-g))) * up[n]));
}

// RMSNorm: x over the root of its mean square, times a learned scale.
function normed(x, scale) {
  let squares = 0;
  for (const each of x) squares += each * each;
  const root = Math.sqrt(squares / x.length + NORM_EPS);
  return x.map((each, n) => (each / root) * scale[n]);
}

// Rotary positions: position p turns number j of each head and the number half a head further by p * frequency[j].
const FREQUENCIES = Float32Array.from({ length: HEAD / 2 }, (_, j) => ROPE_THETA ** ((-2 * j) / HEAD));
function rotate(x, position) {
  for (let j = 0; j < HEAD / 2; j++) {
    const angle = Math.fround(position * FREQUENCIES[j]), cos = Math.cos(angle), sin = Math.sin(angle);
    for (let n = j; n < x.length; n += HEAD) {
      const first = x[n], second = x[n + HEAD / 2];
      x[n] = first * cos - second * sin;
      x[n + HEAD / 2] = second * cos + first * sin;
    }
  }
}

function addTo(x, change) {
  for (let n = 0; n < x.length; n++) x[n] += change[n];
}

// A matrix [out, in] times a vector. Four sums, because each addition to one sum would wait for the addition before.
function multiply(matrix, x) {
  const width = x.length, out = new Float32Array(matrix.length / width);
  for (let row = 0, at = 0; row < out.length; row++) {
    let a = 0, b = 0, c = 0, d = 0;
    for (let n = 0; n < width; n += 4, at += 4) {
      a += matrix[at] * x[n];
      b += matrix[at + 1] * x[n + 1];
      c += matrix[at + 2] * x[n + 2];
      d += matrix[at + 3] * x[n + 3];
    }
    out[row] = a + b + c + d;
  }
  return out;
}
