import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";

const halsteadOf = async (text: string) =>
  (await readFacts("typescript", text, ["measures"])).measures?.functions[0]?.halstead;

test("keywords, punctuation and the first of two brackets are operators; names and types are operands", async () => {
  const text = `function area(width: number, height: number): number {
  return width * height;
}`;
  // Operators: function ( : : : , { return * ; = 10, of them 8 distinct (":" three times).
  // Operands: area width width height height number number number = 8, of them 4 distinct.
  // Volume 18 · log2 12 = 64.53; difficulty 8/2 · 8/4 = 8; effort 516.23.
  expect(await halsteadOf(text)).toEqual({
    distinct_operators: 8,
    distinct_operands: 4,
    operators: 10,
    operands: 8,
    volume: 64.53,
    difficulty: 8,
    effort: 516.23,
  });
});

test("a template counts by its parts: texts are operands, insertions are code", async () => {
  const text = 'const greet = (name?: string) => `Hello ${name ?? "you"}!`;';
  // Operators: ( ? : => ${ ?? = 6, all distinct.
  // Operands: name name string [Hello ] "you" [!] = 6, of them 5 distinct.
  // Volume 12 · log2 11 = 41.51; difficulty 6/2 · 6/5 = 3.6; effort 149.45.
  expect(await halsteadOf(text)).toEqual({
    distinct_operators: 6,
    distinct_operands: 5,
    operators: 6,
    operands: 6,
    volume: 41.51,
    difficulty: 3.6,
    effort: 149.45,
  });
});

test("comments are neither", async () => {
  const text = `function last(list: string[]): string | undefined {
  // nothing in an empty list
  return list.length === 0 ? undefined : list[list.length - 1];
}`;
  // Operators: function ( : : : [ [ | { return . . === ? - ; = 16, of them 12 distinct.
  // Operands: last list×4 string×2 undefined×2 length×2 0 1 = 13, of them 7 distinct.
  // Volume 29 · log2 19 = 123.19; difficulty 12/2 · 13/7 = 11.14; effort 1372.69.
  expect(await halsteadOf(text)).toEqual({
    distinct_operators: 12,
    distinct_operands: 7,
    operators: 16,
    operands: 13,
    volume: 123.19,
    difficulty: 11.14,
    effort: 1372.69,
  });
});
