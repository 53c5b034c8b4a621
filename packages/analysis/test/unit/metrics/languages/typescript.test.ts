import type { Language } from "@toolwright/kit/syntax";
import { describe, expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";

const functionsOf = async (text: string, language: Language = "typescript") =>
  (await readFacts(language, text, ["measures"])).measures?.functions ?? [];

const namesOf = async (text: string, language?: Language) =>
  (await functionsOf(text, language)).map(({ name }) => name);

const numbersOf = async (text: string) =>
  (await functionsOf(text)).map(({ cyclomatic, cognitive }) => [cyclomatic, cognitive]);

describe("names", () => {
  test("members are named with their class, accessors as the language names them", async () => {
    const text = `class Box {
      static { run(); }
      #secret = (x: number) => x;
      handler = async () => {};
      get value() { return 1; }
      set value(to) {}
      ["x" + 1]() {}
      'quoted name'() {}
      static async *all() {}
    }`;
    expect(await namesOf(text)).toEqual([
      "Box.(static)",
      "Box.#secret",
      "Box.handler",
      "Box.get value",
      "Box.set value",
      'Box.["x" + 1]',
      "Box.quoted name",
      "Box.all",
    ]);
  });

  test("what is assigned is named by what it is assigned to", async () => {
    const text = `
      const one = function () {};
      let two; two ??= () => 1;
      const three = (() => 1) as unknown;
      const api = { load() {}, deep: { save: () => 1 } };
      const Stack = class { push() {} };
      handlers["open"] = () => 1;
      find().it = () => 1;
      const { four = () => 1 } = api;`;
    expect(await namesOf(text)).toEqual([
      "one",
      "two",
      "three",
      "api.load",
      "api.deep.save",
      "Stack.push",
      "open",
      "it",
      "four",
    ]);
  });

  test("exports and prototypes are left out of names", async () => {
    const text = `
      module.exports.a = function () {};
      exports.b = () => 1;
      module.exports = function () {};
      Stack.prototype.push = function () {};
      this.c = () => 1;`;
    expect(await namesOf(text, "javascript")).toEqual(["a", "b", "exports", "Stack.push", "c"]);
  });

  test("a default export without a name is called default", async () => {
    expect(await namesOf("export default () => 1;")).toEqual(["default"]);
    expect(await namesOf("export default class { run() {} }")).toEqual(["default.run"]);
  });

  test("a function given to a call has no name", async () => {
    expect(await namesOf("class A { run() { list.map((x) => x); } }")).toEqual(["A.run", "A.run.(anonymous)"]);
  });
});

test("signatures, abstract methods and types are no functions", async () => {
  const text = `
    declare function far(a: string): void;
    function near(a: string): void;
    function near(a: unknown): void {}
    abstract class Shape { abstract area(): number; }
    interface Named { name(): string; }
    type Call = (a: number) => void;
    type Kind<T> = T extends string ? 1 : T extends number ? 2 : 3;`;
  expect(await namesOf(text)).toEqual(["near"]);
});

test("parameters are what a caller writes", async () => {
  const text =
    "const f = (a, { b, c }, [d] = [], ...rest) => a; const g = x => x; function h(this: Window, y?: number) {}";
  expect((await functionsOf(text)).map(({ parameters }) => parameters)).toEqual([4, 1, 1]);
});

test("a decorated method begins at its own line", async () => {
  const [method] = await functionsOf("class A {\n  @logged\n  @timed(1)\n  run() {\n    go();\n  }\n}");
  expect(method).toMatchObject({ name: "A.run", line: 4, end_line: 6 });
});

test("a method calls itself with `this`, a function by its name", async () => {
  expect(await numbersOf("class A { close() { close(); } }")).toEqual([[1, 0]]);
  expect(await numbersOf("class A { close() { this.close(); } }")).toEqual([[1, 1]]);
  expect(await numbersOf("function close() { this.close(); }")).toEqual([[1, 0]]);
  expect(await numbersOf("const close = () => close();")).toEqual([[1, 1]]);
});

test("`??` and logical assignments are decisions, but not hard to read; `?.` and default values are neither", async () => {
  expect(await numbersOf("function f(a = 1) { a ??= 2; return a?.b?.() ?? a; }")).toEqual([[3, 0]]);
});

test("a negation begins a new sequence of operators, parentheses do not", async () => {
  expect(await numbersOf("const f = () => a && (b && c) && d;")).toEqual([[4, 1]]);
  expect(await numbersOf("const f = () => a && !(b && c) && d;")).toEqual([[4, 2]]);
  expect(await numbersOf("const f = () => a && b || c && d;")).toEqual([[4, 3]]);
  expect(await numbersOf("const f = () => (a && b) ?? (c && d);")).toEqual([[4, 2]]);
});

test("a function that only declares others does not take their complexity, one with a structure of its own does", async () => {
  const inner = "const g = () => { if (b) c(); };";
  expect(await numbersOf(`function f() { ${inner} return g; }`)).toEqual([
    [1, 0],
    [2, 1],
  ]);
  expect(await numbersOf(`function f() { ${inner} if (a) return g; }`)).toEqual([
    [2, 3],
    [2, 1],
  ]);
});

test("comparisons that look like type arguments are still comparisons", async () => {
  expect(await numbersOf("const f = () => { while (a < b.c && d > (e.f as number)) a++; };")).toEqual([[3, 2]]);
  expect(await numbersOf("const f = (x: A & B | C): (| D | E) => g<A & B>(x);")).toEqual([[1, 0]]);
});

test("what is half written is measured as far as it goes", async () => {
  const { measures } = await readFacts("typescript", "function f(a) {\n  if (a) b();\n}\nconst g = (\n", ["measures"]);
  expect(measures?.functions[0]).toMatchObject({ name: "f", cyclomatic: 2, cognitive: 1, end_line: 3 });
  expect(measures?.error_line).toBe(4);
});

test("a mark at the beginning and line ends of Windows change nothing", async () => {
  const [one] = await functionsOf("\ufefffunction f(a) {\r\n  if (a) {\r\n    return 1;\r\n  }\r\n}\r\n");
  expect(one).toMatchObject({ name: "f", line: 1, end_line: 5, cyclomatic: 2, code_lines: 5 });
});

test("a text in brackets is a name like any other", async () => {
  expect(await namesOf("const o = { ['k']: () => 1, [key]: () => 2, ['m']() {} };\n")).toEqual([
    "o.k",
    "o.[key]",
    "o.m",
  ]);
});
