import { expect, test } from "vitest";
import { readFacts } from "../../../../src/facts/read-facts.js";
import type { FunctionMeasures } from "../../../../src/metrics/measures.js";

const functionsIn = async (text: string): Promise<readonly FunctionMeasures[]> =>
  (await readFacts("cpp", text, ["measures"])).measures?.functions ?? [];

const namesIn = async (text: string): Promise<readonly string[]> => (await functionsIn(text)).map(({ name }) => name);

test("Halstead's counts of a function in C++", async () => {
  // Operators: :: ( 2 const { return . > ; are 8, together 9. Operands: bool Stack has int id 2 ids_ count 0 are 8, together 9.
  // Volume 18 · log2(16), difficulty 8/2 · 9/8.
  const [has] = await functionsIn("bool Stack::has(int id) const { return ids_.count(id) > 0; }\n");
  expect(has?.halstead).toEqual({
    distinct_operators: 8,
    distinct_operands: 8,
    operators: 9,
    operands: 9,
    volume: 72,
    difficulty: 4.5,
    effort: 324,
  });
});

test("names have namespaces and classes, without parameters of templates", async () => {
  expect(
    await namesIn(`namespace a::b { namespace { int free() { return 1; } } }
template <class K, class V> V& Map<K, std::vector<V>>::at(K key) { return all[key]; }
Map<int, int>::~Map() {}
Map<int, int>::operator bool() const { return true; }
bool operator==(const A& a, const B& b) { return true; }
std::ostream& operator<<(std::ostream& out, const A& a) { return out; }
void* A::operator new(size_t size) { return 0; }
int operator""_km(long double value) { return 1; }
`),
  ).toEqual([
    "a.b.free",
    "Map.at",
    "Map.~Map",
    "Map.operator bool",
    "operator==",
    "operator<<",
    "A.operator new",
    'operator""_km',
  ]);
});

test("deleted, defaulted and pure functions are none", async () => {
  expect(await namesIn("struct A { A() = default; A(const A&) = delete; virtual int size() = 0; };\n")).toEqual([]);
});

test("a class behind a macro keeps its name and its methods", async () => {
  expect(
    await namesIn(
      "class SHOP_EXPORT Cart : public Base {\n public:\n  Cart() : size_(0) {}\n  int size() { return 1; }\n};\n",
    ),
  ).toEqual(["Cart.Cart", "Cart.size"]);
});

test("a method calls itself by its name, through this and through its class, but not that of its base", async () => {
  const functions = await functionsIn(`int A::one(int n) { return one(n - 1); }
int A::two(int n) { return this->two(n - 1); }
int A::three(int n) { return A::three(n - 1); }
int A::four(int n) { return Base::four(n - 1); }
int A::five(int n) { return other.five(n - 1); }
int A::six(int n) { return six(n, 1); }
struct B { int seven(int n = 1) { return B::seven(); } };
`);
  expect(functions.map(({ cognitive }) => cognitive)).toEqual([1, 1, 1, 0, 0, 0, 1]);
});

test("a body that is a try is a body", async () => {
  const functions = await functionsIn(`Stack::Stack(int x) try : size(x) { if (x) {} } catch (...) { }
struct Queue { Queue(int x) try : size(x) { if (x) {} } catch (...) { } };
`);
  expect(functions.map(({ name, cyclomatic, cognitive }) => [name, cyclomatic, cognitive])).toEqual([
    ["Stack.Stack", 3, 2],
    ["Queue.Queue", 3, 2],
  ]);
});
