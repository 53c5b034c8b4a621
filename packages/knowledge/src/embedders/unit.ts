/** Makes a vector's length 1, in place; one of zeros stays. */
export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] as number) ** 2;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] as number) * factor;
  return vector;
}
