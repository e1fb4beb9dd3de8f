// From logits to a token, as labkit/small_model/generation.py does it.

// What the mask leaves of the logits: minus infinity for a struck token, which then has the probability 0.
export const maskedLogits = (logits, allowed) => logits.map((logit, id) => (allowed[id] ? logit : -Infinity));

// The greatest logit. (Math.max of so many arguments may be too much for the stack.)
const greatest = (logits) => logits.reduce((most, logit) => Math.max(most, logit), -Infinity);

// exp((logit - greatest) / temperature) in float64; the subtraction is in float32, as in NumPy.
function weightsOf(logits, temperature) {
  const most = greatest(logits);
  return Float64Array.from(logits, (logit) => Math.exp(Math.fround(logit - most) / temperature));
}

// Softmax of the logits over the temperature; at temperature 0, where nothing is drawn, at temperature 1.
export function probabilitiesOf(logits, temperature = 1) {
  const weights = weightsOf(logits, temperature || 1), total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

// Draw a token by its probability; at temperature 0, take the first of the likeliest.
export function sample(logits, temperature, rng) {
  if (temperature === 0) return logits.indexOf(greatest(logits));
  let sum = 0;
  const sums = weightsOf(logits, temperature).map((weight) => (sum += weight)), drawn = rng.random() * sum;
  // The smallest id whose sum exceeds the drawn number: it is never a token of probability 0.
  return sums.findIndex((each) => each > drawn);
}
