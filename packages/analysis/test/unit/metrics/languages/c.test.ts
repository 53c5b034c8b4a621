import { languageOfHeader } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

const functionsIn = async (text: string): Promise<readonly FunctionMeasures[]> =>
  (await readFacts("c", text, ["measures"])).measures?.functions ?? [];

test("Halstead's counts of a function in C", async () => {
  // Operators: ( , { return + ; are 6, each once. Operands: int 3, add 1, a 2, b 2 are 4, together 8.
  // Volume 14 · log2(10), difficulty 6/2 · 8/4, effort the product.
  const [add] = await functionsIn("int add(int a, int b) { return a + b; }\n");
  expect(add?.halstead).toEqual({
    distinct_operators: 6,
    distinct_operands: 4,
    operators: 6,
    operands: 8,
    volume: 46.51,
    difficulty: 6,
    effort: 279.04,
  });
});

test("a declaration without a body is no function", async () => {
  expect(await functionsIn("int add(int a, int b);\nextern int (*table[3])(void);\n")).toEqual([]);
});

test("a function before and one behind a line of unknown macros are found", async () => {
  const functions = await functionsIn(
    `MODULE_LICENSE("GPL")
EXPORT_API static int first(int a) { return a ? 1 : 0; }
BEGIN_DECLS
int second(void) { return 1; }
END_DECLS
`,
  );
  expect(functions.map(({ name, cyclomatic, parameters }) => [name, cyclomatic, parameters])).toEqual([
    ["first", 2, 1],
    ["second", 1, 0],
  ]);
});

test("a loop macro is ignored, its body counts", async () => {
  const [walk] = await functionsIn("void walk(void) {\n  list_for_each(p, all) {\n    if (p->used) free(p);\n  }\n}\n");
  expect(walk).toMatchObject({ name: "walk", line: 1, end_line: 5, cyclomatic: 2, cognitive: 1 });
});

test("of branches that do not fit together the first is read, and the functions behind are found", async () => {
  const functions = await functionsIn(
    `#ifdef WIDE
int open_file(const wchar_t *path) {
#else
int open_file(const char *path) {
#endif
  if (path == 0) return -1;
  return 0;
}

int close_file(int file) { return file > 0 && close(file); }
`,
  );
  expect(functions.map(({ name, line, end_line, cyclomatic }) => [name, line, end_line, cyclomatic])).toEqual([
    ["open_file", 2, 8, 2],
    ["close_file", 10, 10, 2],
  ]);
});

test("what the preprocessor asks is no decision", async () => {
  const [run] = await functionsIn(
    "int run(int a) {\n#if defined(A) && (B || !C)\n  a++;\n#elif D && E\n  a--;\n#endif\n  return a && 1;\n}\n",
  );
  expect(run).toMatchObject({ cyclomatic: 2, cognitive: 1 });
});

test("a function is found by its name behind pointers and brackets", async () => {
  const functions = await functionsIn("char **names(void) { return 0; }\nint (*pick(int kind))(char) { return 0; }\n");
  expect(functions.map(({ name, parameters }) => [name, parameters])).toEqual([
    ["names", 0],
    ["pick", 1],
  ]);
});

test("a conditional that does not fit does not affect the others, and is reported as omitted", async () => {
  const { measures } = await readFacts(
    "c",
    `#ifdef WIDE
int size(long n) {
#else
int size(int n) { // "{"
#endif
  return n > 0 ? n : '{';
}
#if A
int one(void) { return 1; }
#elif B
int other(void) { if (x) return 1; return 2; }
#else
int third(void) { return 3; }
#endif
`,
    ["measures"],
  );
  expect(measures).toMatchObject({ left_out_line: 4 });
  expect(measures?.error_line).toBeUndefined();
  expect(measures?.functions.map(({ name, line, cyclomatic }) => [name, line, cyclomatic])).toEqual([
    ["size", 2, 2],
    ["one", 9, 1],
    ["other", 11, 2],
    ["third", 13, 1],
  ]);
});

test("an #if inside a branch is left out with it, and else it stands for its first branch", async () => {
  const functions = await functionsIn(`int run(int a) {
#if X
#if Y
  if (a) {
#else
  if (b) {
#endif
    a++;
  }
#else
  a--;
#endif
  return a;
}
int last(void) { return 1; }
`);
  expect(functions.map(({ name, cyclomatic }) => [name, cyclomatic])).toEqual([
    ["run", 2],
    ["last", 1],
  ]);
});

test("a header with C++ in it is C++", () => {
  const header =
    "#pragma once\nnamespace shop {\nclass Cart {\n public:\n  int size() const { return size_; }\n};\n}\n";
  expect(languageOfHeader(header)).toBe("cpp");
});

test("a header of C that C++ may include too stays C", async () => {
  const header = `/* A class of shapes:
class by class, see template. */
#ifdef __cplusplus
extern "C" {
#endif
struct shape { int sides; };
static inline int sides(struct shape *class) { return class->sides; }
#ifdef __cplusplus
}
#endif
`;
  expect(languageOfHeader(header)).toBe("c");
  expect((await functionsIn(header)).map(({ name }) => name)).toEqual(["sides"]);
});
