import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";

const halsteadOf = async (text: string) =>
  (await readFacts("python", text, ["measures"])).measures?.functions[0]?.halstead;

test("keywords, punctuation and the first of two brackets are operators; names are operands", async () => {
  const text = `def area(width, height):
    return width * height
`;
  // Operators: def ( , : return * = 6, all distinct.
  // Operands: area width width height height = 5, of them 3 distinct.
  // Volume 11 · log2 9 = 34.87; difficulty 6/2 · 5/3 = 5; effort 174.35.
  expect(await halsteadOf(text)).toEqual({
    distinct_operators: 6,
    distinct_operands: 3,
    operators: 6,
    operands: 5,
    volume: 34.87,
    difficulty: 5,
    effort: 174.35,
  });
});

test("a formatted string counts by its parts: texts are operands, insertions are code", async () => {
  const text = `def greet(name=None):
    return f"Hello {name or 'you'}!"
`;
  // Operators: def ( = : return { or = 7, all distinct.
  // Operands: greet name name None [Hello ] 'you' [!] = 7, of them 6 distinct.
  // Volume 14 · log2 13 = 51.81; difficulty 7/2 · 7/6 = 4.08; effort 211.54.
  expect(await halsteadOf(text)).toEqual({
    distinct_operators: 7,
    distinct_operands: 6,
    operators: 7,
    operands: 7,
    volume: 51.81,
    difficulty: 4.08,
    effort: 211.54,
  });
});

test("a documentation string is one operand, a comment is nothing", async () => {
  const text = `def last(values):
    """The last one, or nothing."""
    if not values:
        return None  # nothing in an empty list
    return values[-1]
`;
  // Operators: def ( : : if not return return [ - = 10, of them 8 distinct.
  // Operands: last values values values """…""" None 1 = 7, of them 5 distinct.
  // Volume 17 · log2 13 = 62.91; difficulty 8/2 · 7/5 = 5.6; effort 352.28.
  expect(await halsteadOf(text)).toEqual({
    distinct_operators: 8,
    distinct_operands: 5,
    operators: 10,
    operands: 7,
    volume: 62.91,
    difficulty: 5.6,
    effort: 352.28,
  });
});
