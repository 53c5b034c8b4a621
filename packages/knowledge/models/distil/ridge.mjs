// The table whose sums of rows come nearest to what the teacher says of texts: least squares, held to what it says of tokens.
import { toUnit } from "./teacher.mjs";

/** The most tokens of a text that count: as many as the teacher reads. */
const MOST_TOKENS = 126;
/** A text of so many tokens is the measure of the others. */
const USUAL = 20;

/** The tokens of all texts in a row, and where each text starts. */
export function rowsOf(pieces, texts) {
  const all = texts.map((text) => pieces.read(text).slice(0, MOST_TOKENS));
  const starts = new Uint32Array(texts.length + 1);
  for (const [text, tokens] of all.entries()) starts[text + 1] = starts[text] + tokens.length;
  const tokens = new Uint16Array(starts[texts.length]);
  for (const [text, some] of all.entries()) tokens.set(some, starts[text]);
  return { starts, tokens };
}

/**
 * Solves Σ |sum of a text's rows / USUAL - √(tokens / USUAL) · (Y - mean)|² + hold · |W - P|² → least. Long texts so count more than
 * short ones, and need not be as long as they would be if all their tokens said the same: a sum of unlike things grows with the root of
 * their number. By conjugate gradients, every column with steps of its own, every row in the measure of how often its token occurs.
 */
export function solveRidge(rows, { ofTexts, ofTokens, vocabulary, dimension }, { hold, rounds, say }) {
  const prior = centred(ofTokens, vocabulary.length, dimension);
  const mean = meanOf(ofTexts, dimension);
  const measures = measuresOf(rows, vocabulary.length, hold);
  const solved = new Float32Array(prior.length);
  const rest = new Float32Array(prior.length);
  spread(
    rows,
    dimension,
    rest,
    (text, sum, count) => {
      const length = Math.sqrt(count / USUAL);
      for (let index = 0; index < dimension; index++)
        sum[index] = length * (ofTexts[text * dimension + index] - mean[index]) - sum[index];
    },
    prior,
  );
  const way = rest.map((value, index) => value * measures[Math.floor(index / dimension)]);
  const image = new Float32Array(prior.length);
  let squares = columnProducts(rest, rest, dimension, measures);
  for (let round = 1; round <= rounds; round++) {
    image.fill(0);
    spread(rows, dimension, image, undefined, way);
    for (let index = 0; index < image.length; index++) image[index] += hold * way[index];
    const products = columnProducts(way, image, dimension);
    const steps = products.map((product, column) => squares[column] / (product + 1e-12));
    for (let index = 0; index < solved.length; index++) {
      const step = steps[index % dimension];
      solved[index] += step * way[index];
      rest[index] -= step * image[index];
    }
    const next = columnProducts(rest, rest, dimension, measures);
    const turns = next.map((square, column) => square / (squares[column] + 1e-12));
    for (const [token, measure] of measures.entries())
      for (let index = token * dimension, column = 0; column < dimension; index++, column++)
        way[index] = measure * rest[index] + turns[column] * way[index];
    squares = next;
    say(`round ${round} of ${rounds}`);
  }
  for (let index = 0; index < solved.length; index++) solved[index] += prior[index];
  return solved;
}

/** One over what stands on the diagonal of the equations: without it a token that is seldom would need many more rounds than "the". */
function measuresOf({ starts, tokens }, count, hold) {
  const diagonal = new Float64Array(count).fill(hold);
  for (let text = 0; text + 1 < starts.length; text++) {
    const times = new Map();
    for (const token of tokens.subarray(starts[text], starts[text + 1])) times.set(token, (times.get(token) ?? 0) + 1);
    for (const [token, some] of times) diagonal[token] += (some / USUAL) ** 2;
  }
  return diagonal.map((value) => 1 / value);
}

/** Adds Xᵀ f(X · table) to `into`: a text's sum, changed by `change`, goes back to each of its tokens. */
function spread({ starts, tokens }, dimension, into, change, table) {
  const sum = new Float64Array(dimension);
  for (let text = 0; text + 1 < starts.length; text++) {
    const count = starts[text + 1] - starts[text];
    meanRow(table, tokens, starts[text], starts[text + 1], dimension, sum);
    for (let index = 0; index < dimension; index++) sum[index] *= count / USUAL;
    change?.(text, sum, count);
    for (let place = starts[text]; place < starts[text + 1]; place++) {
      const row = tokens[place] * dimension;
      for (let index = 0; index < dimension; index++) into[row + index] += sum[index] / USUAL;
    }
  }
}

/** Writes the mean of the rows of some tokens to `sum`. */
export function meanRow(table, tokens, start, end, dimension, sum) {
  sum.fill(0);
  for (let place = start; place < end; place++) {
    const row = tokens[place] * dimension;
    for (let index = 0; index < dimension; index++) sum[index] += table[row + index];
  }
  for (let index = 0; index < dimension; index++) sum[index] /= Math.max(1, end - start);
}

/** The product of each column with its like; a row counts as much as `measures` says. */
function columnProducts(one, other, dimension, measures) {
  const products = new Float64Array(dimension);
  for (let token = 0, row = 0; row < one.length; token++, row += dimension) {
    const measure = measures?.[token] ?? 1;
    for (let index = 0; index < dimension; index++) products[index] += measure * one[row + index] * other[row + index];
  }
  return products;
}

function meanOf(vectors, dimension) {
  const mean = new Float64Array(dimension);
  for (let index = 0; index < vectors.length; index++) mean[index % dimension] += vectors[index];
  return mean.map((sum) => sum / (vectors.length / dimension));
}

function centred(vectors, count, dimension) {
  const mean = meanOf(vectors, dimension);
  const result = vectors.map((value, index) => value - mean[index % dimension]);
  for (let row = 0; row < count; row++) toUnit(result.subarray(row * dimension, (row + 1) * dimension));
  return result;
}
