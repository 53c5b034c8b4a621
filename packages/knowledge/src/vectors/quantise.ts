/** A vector with one byte per component: component i is about `bytes[i] * scale`. */
export interface QuantisedVector {
  readonly bytes: Int8Array;
  readonly scale: number;
}

/** The largest magnitude of a component. -128 has no positive counterpart. */
const MAX_BYTE = 127;

/** Quantises a vector to 8 bits. Keeps its length exact, so that cosines stay correct. */
export function quantise(vector: Float32Array): QuantisedVector {
  const bytes = new Int8Array(vector.length);
  const scale = quantiseInto(vector, MAX_BYTE, bytes);
  return { bytes, scale };
}

/** Writes a vector as integers with a magnitude of at most `max`. Returns the scale. */
export function quantiseInto(vector: Float32Array, max: number, into: Int8Array | Int16Array): number {
  let largest = 0;
  let squares = 0;
  for (let index = 0; index < vector.length; index++) {
    const component = vector[index] as number;
    if (!Number.isFinite(component))
      throw new RangeError(`Cannot quantise a vector: component ${index} is ${component}`);
    largest = Math.max(largest, Math.abs(component));
    squares += component * component;
  }
  if (largest === 0) {
    into.fill(0);
    return 0;
  }
  const steps = max / largest;
  let packedSquares = 0;
  for (let index = 0; index < vector.length; index++) {
    const packed = Math.round((vector[index] as number) * steps);
    into[index] = packed;
    packedSquares += packed * packed;
  }
  return Math.sqrt(squares / packedSquares);
}

/** Returns an approximation of the vector that was quantised. */
export function restore({ bytes, scale }: QuantisedVector): Float32Array {
  return Float32Array.from(bytes, (byte) => byte * scale);
}
