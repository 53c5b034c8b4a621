import type { TokenRun } from "./facts.js";

/** The class of a token: keywords must be equal in copies, the others can be renamed. */
export type TokenClass = "word" | "name" | "number" | "string";

const CLASSES: readonly TokenClass[] = ["word", "name", "number", "string"];

/** The lowest bits of a code are the class, the others a hash of the text. */
const CLASS_BITS = 2;
const CLASS_MASK = (1 << CLASS_BITS) - 1;

/** The code of a token: equal for equal texts of one class. */
export function codeOf(kind: TokenClass, text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The class replaces the low bits, so their information is mixed into the others.
  hash ^= hash >>> 15;
  return ((hash << CLASS_BITS) | CLASSES.indexOf(kind)) >>> 0;
}

/** The class of a code; 0 = a keyword, which is never renamed. */
export const classOf = (code: number): number => code & CLASS_MASK;

/** Whether a code is of an identifier. */
export const isName = (code: number): boolean => classOf(code) === CLASSES.indexOf("name");

/** Packs tokens into two short strings. */
export function packTokens(codes: readonly number[], lines: readonly number[]): TokenRun {
  const steps: number[] = [];
  let last = 0;
  for (const line of lines) {
    for (let step = line - last; ; step >>>= 7) {
      steps.push(step > 127 ? (step & 127) | 128 : step);
      if (step <= 127) break;
    }
    last = line;
  }
  const bytes = Buffer.alloc(codes.length * 4);
  for (const [index, code] of codes.entries()) bytes.writeUInt32LE(code, index * 4);
  return { count: codes.length, codes: bytes.toString("base64"), lines: Buffer.from(steps).toString("base64") };
}

/** The codes and lines of the tokens of many files. */
export interface TokenTable {
  readonly codes: Uint32Array;
  readonly lines: Uint32Array;
}

/** Unpacks the tokens of a file into a table, from a position on. */
export function unpackTokens(run: TokenRun, { codes, lines }: TokenTable, at: number): void {
  const bytes = Buffer.from(run.codes, "base64");
  for (let index = 0; index < run.count; index++) codes[at + index] = bytes.readUInt32LE(index * 4);
  const steps = Buffer.from(run.lines, "base64");
  let [line, from] = [0, 0];
  for (let index = 0; index < run.count; index++) {
    for (let shift = 0; ; shift += 7) {
      const step = steps[from++] ?? 0;
      line += (step & 127) << shift;
      if (step < 128) break;
    }
    lines[at + index] = line;
  }
}
