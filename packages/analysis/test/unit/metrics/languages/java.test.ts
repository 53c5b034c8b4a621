import { parseSource } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { measure } from "../../../../src/metrics/measure.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

test("functions are named by the classes that they lie in, named or not", async () => {
  const functions = await measureJava(`class Outer<T> {
    static { run(); }
    { run(); }
    final Runnable task = () -> run();
    final Runner runner = start(() -> run());
    Outer() {}
    abstract void none();
    class Inner { void a() { new shop.Task<T>() { void b() {} }; class Local { void c() {} } } }
  }
  enum Kind { ONE { int d() { return 1; } }, TWO; Kind() {} { run(); } }
  record Pair(int a, int b) { Pair { check(); } }
  interface Face { default void e() {} static void f() {} void g(); }
  @interface Mark { int value() default 1; }`);
  expect(functions.map(({ name }) => name)).toEqual([
    "Outer.(static initialiser)",
    "Outer.(initialiser)",
    "Outer.task",
    "Outer.(anonymous)",
    "Outer.Outer",
    "Outer.Inner.a",
    "Outer.Inner.a.Task.b",
    "Outer.Inner.a.Local.c",
    "Kind.ONE.d",
    "Kind.Kind",
    "Kind.(initialiser)",
    "Pair.Pair",
    "Face.e",
    "Face.f",
  ]);
});

test("a compact constructor takes what its record takes; a receiver is no parameter", async () => {
  const functions = await measureJava(`record Pair(int a, int b) { Pair { check(); } }
  class A {
    void a(A this, final int x, String... rest) {}
    F b = x -> x;
    F c = (x, y) -> x;
    F d = (int x, int y, int z) -> x;
    F e = () -> 1;
  }`);
  expect(functions.map(({ name, parameters }) => [name, parameters])).toEqual([
    ["Pair.Pair", 2],
    ["A.a", 2],
    ["A.b", 1],
    ["A.c", 2],
    ["A.d", 3],
    ["A.e", 0],
  ]);
});

test("a label of a switch counts once, whatever it lists; default does not, in whatever form", async () => {
  const [old, arrows, patterns] = await measureMethods(`
    void old() { switch (x) { case 1: case 2: a(); break; case 3, 4: b(); default: c(); } }
    int arrows() { return switch (x) { case A, B -> 1; case C -> { yield 2; } default -> 3; }; }
    int patterns() { return switch (x) {
      case Cup(int size, var rest) when size > 1 && rest != null -> 1;
      case String text -> 2;
      case null, default -> 3;
    }; }`);
  expect(old).toMatchObject({ cyclomatic: 4, cognitive: 1, nesting: 1 });
  expect(arrows).toMatchObject({ cyclomatic: 3, cognitive: 1, nesting: 1 });
  expect(reasons(patterns, "cyclomatic").toSorted()).toEqual(["&&", "case", "case", "when"]);
});

test("every catch counts; try, finally and synchronized do not, nor do they nest", async () => {
  const [tries] = await measureMethods(`void tries() {
    try (var a = open(); b) { synchronized (this) { if (c) d(); } }
    catch (A | B e) { if (f) g(); } catch (C e) {} finally { while (h) i(); }
  }`);
  expect(tries).toMatchObject({ cyclomatic: 6, cognitive: 6, nesting: 2 });
});

test("else needs no block", async () => {
  const [branches] = await measureMethods(
    "int branches() { if (a) return 1; else if (b) if (c) return 2; else return 3; else for (;;) d(); }",
  );
  expect(reasons(branches, "cognitive").toSorted()).toEqual(["else", "else", "else if", "for", "if", "if"]);
  // if 1, else if 1, if in it 2, its else 1, else 1, for in it 2
  expect(branches).toMatchObject({ cyclomatic: 5, cognitive: 8, nesting: 2 });
});

test("jumps to a label count, plain ones and yield do not", async () => {
  const [jumps] = await measureMethods(
    "void jumps() { all: do { for (var x : xs) { if (x) continue all; break; } break all; } while (a); }",
  );
  expect(jumps).toMatchObject({ cyclomatic: 4, cognitive: 8, nesting: 3 });
});

test("lambdas count to the method around them, methods of classes inside only for the cognitive complexity", async () => {
  const functions = await measureMethods(
    "void outer() { run(x -> x ? 1 : 2); new Task() { void inner() { if (a) b(); } }; }",
  );
  expect(functions.map(({ name, cyclomatic, cognitive }) => [name, cyclomatic, cognitive])).toEqual([
    ["A.outer", 2, 4],
    ["A.outer.Task.inner", 2, 1],
  ]);
});

test("recursion is recognized by name and number of arguments, if these are unique", async () => {
  const functions = await measureMethods(`
    void a(int x) { this.a(1); }
    static void b() { A.b(); }
    void c(int x) { c(x, 1); }
    void c(int x, int y) { super.c(x, y); other.c(x, y); }
    void d(int x) { d("x"); }
    void d(String x) { d(1); }`);
  expect(functions.map(({ name, cognitive }) => [name, cognitive])).toEqual([
    ["A.a", 1],
    ["A.b", 1],
    ["A.c", 0],
    ["A.c", 0],
    ["A.d", 0],
    ["A.d", 0],
  ]);
});

test("wildcards of types are no decisions", async () => {
  const [wild] = await measureMethods("void wild(Map<?, ? extends List<? super T>> map) {}");
  expect(wild).toMatchObject({ cyclomatic: 1, parameters: 1 });
});

test("a method begins with its annotations", async () => {
  const [marked] = await measureMethods("@Override\n@Deprecated\nvoid marked() {\n}");
  expect(marked).toMatchObject({ line: 1, end_line: 4, lines: 4 });
});

test("a half-written method does not hide the others", async () => {
  const functions = await measureJava("class A { void whole() { if (a) b(); }\n void half() { while ( } }");
  expect(functions[0]).toMatchObject({ name: "A.whole", cyclomatic: 2 });
});

test("Halstead of a plain method", async () => {
  const [add] = await measureMethods("int add(int a, int b) { return a + b; }");
  // Operators: ( , { return + ; (6, 6 kinds). Operands: int add int a int b a b (8, 4 kinds).
  // Volume 14 · log2 10, difficulty 6/2 · 8/4.
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

test("Halstead of annotations, types and texts", async () => {
  const [has] = await measureMethods(
    '@Override public boolean has(List<String> all) { return all != null && all.contains("x"); }',
  );
  // Operators: @ public ( < { return != && . ( ; (11, 10 kinds). Operands: Override boolean has List String all all null all
  // contains "x" (11, 9 kinds). Volume 22 · log2 19, difficulty 10/2 · 11/9.
  expect(has?.halstead).toEqual({
    distinct_operators: 10,
    distinct_operands: 9,
    operators: 11,
    operands: 11,
    volume: 93.45,
    difficulty: 6.11,
    effort: 571.11,
  });
});

const measureMethods = (text: string): Promise<readonly FunctionMeasures[]> => measureJava(`class A {${text}}`);

async function measureJava(text: string): Promise<readonly FunctionMeasures[]> {
  using tree = await parseSource("java", text);
  return measure(tree).functions;
}

const reasons = (of: FunctionMeasures | undefined, wanted: "cyclomatic" | "cognitive"): readonly string[] =>
  of?.increments.filter(({ metric }) => metric === wanted).map(({ reason }) => reason) ?? [];
