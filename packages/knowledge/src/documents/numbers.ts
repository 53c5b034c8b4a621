import { bufferSize } from "../large-buffer.js";

/** A growable list of unsigned integers that takes less memory than an array. */
export class Uint32List {
  length = 0;
  #values: Uint32Array;

  constructor(values = new Uint32Array(16)) {
    this.#values = values;
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(bufferSize(this.length * 8) / 4);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Counts the values that are at most `value`. The list must be ascending. */
  countUpTo(value: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#values[middle] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Encodes numbers as variable-length integers of seven bits per byte. */
export class NumberWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  write(value: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes ascending numbers as differences. */
  writeAscending(numbers: Uint32List): void {
    this.write(numbers.length);
    let last = 0;
    for (let index = 0; index < numbers.length; index += 1) {
      this.write(numbers.at(index) - last);
      last = numbers.at(index);
    }
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Reads the output of `NumberWriter`. */
export class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
  }

  readAscending(): Uint32List {
    const count = this.read();
    const values = new Uint32List(new Uint32Array(Math.max(1, Math.min(count, this.#bytes.length))));
    let last = 0;
    for (let index = 0; index < count && this.#at < this.#bytes.length; index += 1) values.push((last += this.read()));
    return values;
  }
}
