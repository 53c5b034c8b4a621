/** A vector in a byte a component: `bytes[i] * scale` is about what component i was. */
export interface QuantisedVector {
  readonly bytes: Int8Array;
  readonly scale: number;
}

/** The largest magnitude of a byte: -128 has no positive counterpart. */
const MAX_BYTE = 127;

/** Packs a vector into a fourth of its size. Its length stays exactly as it was, so that cosines do. */
export function quantise(vector: Float32Array): QuantisedVector {
  const bytes = new Int8Array(vector.length);
  const scale = quantiseInto(vector, MAX_BYTE, bytes);
  return { bytes, scale };
}

/** Writes a vector as whole numbers up to `most` in magnitude; gives what to multiply them by. */
export function quantiseInto(vector: Float32Array, max: number, into: Int8Array | Int16Array): number {
  let largest = 0;
  let squares = 0;
  for (let index = 0; index < vector.length; index++) {
    const component = vector[index] as number;
    if (!Number.isFinite(component)) throw new RangeError(`Cannot pack a vector: component ${index} is ${component}`);
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

/** The vector that `quantise` has packed, nearly. */
export function restore({ bytes, scale }: QuantisedVector): Float32Array {
  return Float32Array.from(bytes, (byte) => byte * scale);
}
