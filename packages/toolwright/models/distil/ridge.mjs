// The table whose means of rows come nearest to what the teacher says of texts: least squares, held to what it says of tokens.
import { toUnit } from "./teacher.mjs";

/** The most tokens of a text that count: as many as the teacher reads. */
const MOST_TOKENS = 126;

/** The tokens of all texts in a row, and where each text starts. */
export function rowsOf(pieces, texts) {
  const all = texts.map((text) => pieces.read(text).slice(0, MOST_TOKENS));
  const starts = new Uint32Array(texts.length + 1);
  for (const [text, tokens] of all.entries()) starts[text + 1] = starts[text] + tokens.length;
  const tokens = new Uint16Array(starts[texts.length]);
  for (const [text, some] of all.entries()) tokens.set(some, starts[text]);
  return { starts, tokens };
}

/** Solves |XW - (Y - mean)|² + hold · |W - P|² → least by conjugate gradients, every column with steps of its own. */
export function solveRidge(rows, { ofTexts, ofTokens, vocabulary, dimension }, { hold, rounds, say }) {
  const prior = centred(ofTokens, vocabulary.length, dimension);
  const mean = meanOf(ofTexts, dimension);
  const solved = new Float32Array(prior.length);
  const rest = new Float32Array(prior.length);
  spread(
    rows,
    dimension,
    rest,
    (text, sum) => {
      for (let index = 0; index < dimension; index++)
        sum[index] = ofTexts[text * dimension + index] - mean[index] - sum[index];
    },
    prior,
  );
  const way = rest.slice();
  const image = new Float32Array(prior.length);
  let squares = columnProducts(rest, rest, dimension);
  for (let round = 0; round < rounds; round++) {
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
    const next = columnProducts(rest, rest, dimension);
    const turns = next.map((square, column) => square / (squares[column] + 1e-12));
    for (let index = 0; index < way.length; index++) way[index] = rest[index] + turns[index % dimension] * way[index];
    squares = next;
    if (round % 10 === 9) say(`round ${round + 1} of ${rounds}`);
  }
  for (let index = 0; index < solved.length; index++) solved[index] += prior[index];
  return solved;
}

/** Adds Xᵀ f(X · table) to `into`: a text's mean, changed by `change`, goes back to each of its tokens. */
function spread({ starts, tokens }, dimension, into, change, table) {
  const sum = new Float64Array(dimension);
  for (let text = 0; text + 1 < starts.length; text++) {
    const weight = 1 / (starts[text + 1] - starts[text]);
    meanRow(table, tokens, starts[text], starts[text + 1], dimension, sum);
    change?.(text, sum);
    for (let place = starts[text]; place < starts[text + 1]; place++) {
      const row = tokens[place] * dimension;
      for (let index = 0; index < dimension; index++) into[row + index] += weight * sum[index];
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

function columnProducts(one, other, dimension) {
  const products = new Float64Array(dimension);
  for (let row = 0; row < one.length; row += dimension)
    for (let index = 0; index < dimension; index++) products[index] += one[row + index] * other[row + index];
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
