// The directions in which texts differ most: the first eigenvectors of the covariance of their vectors.
import { meanRow } from "./ridge.mjs";

/** Every fourth text is enough to see them. */
const EVERY = 4;
const SWEEPS = 30;

/** `count` directions, each of `dimension` components, the one that says most first. */
export function principalDirections(table, rows, dimension, count) {
  const { values, vectors } = eigen(covariance(table, rows, dimension), dimension);
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a]);
  return order
    .slice(0, count)
    .map((column) => Float64Array.from({ length: dimension }, (_, row) => vectors[row * dimension + column]));
}

function covariance(table, { starts, tokens }, dimension) {
  const products = new Float64Array(dimension * dimension);
  const mean = new Float64Array(dimension);
  const sum = new Float64Array(dimension);
  let count = 0;
  for (let text = 0; text + 1 < starts.length; text += EVERY, count++) {
    meanRow(table, tokens, starts[text], starts[text + 1], dimension, sum);
    for (let row = 0; row < dimension; row++) {
      mean[row] += sum[row];
      for (let column = row; column < dimension; column++) products[row * dimension + column] += sum[row] * sum[column];
    }
  }
  for (let row = 0; row < dimension; row++)
    for (let column = row; column < dimension; column++) {
      const value = products[row * dimension + column] / count - (mean[row] / count) * (mean[column] / count);
      products[row * dimension + column] = value;
      products[column * dimension + row] = value;
    }
  return products;
}

/** The eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations. */
function eigen(matrix, size) {
  const vectors = new Float64Array(size * size);
  for (let index = 0; index < size; index++) vectors[index * size + index] = 1;
  for (let sweep = 0; sweep < SWEEPS && offDiagonal(matrix, size) > 1e-22; sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, vectors, size, p, q);
  return { values: Float64Array.from({ length: size }, (_, index) => matrix[index * size + index]), vectors };
}

function rotate(matrix, vectors, size, p, q) {
  const off = matrix[p * size + q];
  if (off === 0) return;
  const ratio = (matrix[q * size + q] - matrix[p * size + p]) / (2 * off);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turn = (values, one, other) => {
    const [a, b] = [values[one], values[other]];
    values[one] = cosine * a - sine * b;
    values[other] = sine * a + cosine * b;
  };
  for (let row = 0; row < size; row++) turn(matrix, row * size + p, row * size + q);
  for (let column = 0; column < size; column++) turn(matrix, p * size + column, q * size + column);
  for (let row = 0; row < size; row++) turn(vectors, row * size + p, row * size + q);
}

function offDiagonal(matrix, size) {
  let sum = 0;
  for (let row = 0; row < size; row++)
    for (let column = 0; column < row; column++) sum += matrix[row * size + column] ** 2;
  return sum;
}
