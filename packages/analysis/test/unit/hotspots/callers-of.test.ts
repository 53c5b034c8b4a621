import type { Language } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";
import { callersOf } from "../../../src/hotspots/callers-and-tests.js";

async function callers(language: Language, text: string, name: string) {
  const { measures, calls = [] } = await readFacts(language, text, ["measures", "calls"]);
  const named = measures?.functions.find((each) => each.name === name);
  if (measures === undefined || named === undefined) throw new Error(`there is no ${name}`);
  return callersOf({ language, facts: { measures, calls } }, named).map(({ caller, line }) => `${caller}:${line}`);
}

const CLASS = `export function find(a) { return a; }
class K {
  find(a) { return a; }
  own() { return this.find(1) + this.find(2); }
  top() { return find(1); }
  list(rows) { return rows.find(1); }
}
class L extends K {
  more() { return this.find(1); }
}
find(2);
function outer() {
  function find() {}
  find();
}`;

test("a call on this means the method of the class, and a bare one the function", async () => {
  expect(await callers("typescript", CLASS, "find")).toEqual(["K.top:5", "(top level):11"]);
  expect(await callers("typescript", CLASS, "outer.find")).toEqual(["outer:14"]);
});

test("a caller that calls twice in a line is there once, and what is inherited counts", async () => {
  expect(await callers("typescript", CLASS, "K.find")).toEqual(["K.own:4", "K.list:6", "L.more:9"]);
});

test.each<[Language, string, string, string[]]>([
  ["java", "class A {\n void f() {}\n void g() { f(); }\n void h() { this.f(); }\n}", "A.f", ["A.g:3", "A.h:4"]],
  ["python", "def f(): pass\nclass A:\n  def f(self): pass\n  def g(self):\n    self.f()\n    f()\n", "f", ["A.g:6"]],
  ["python", "def f(): pass\nclass A:\n  def f(self): pass\n  def g(self):\n    self.f()\n    f()\n", "A.f", ["A.g:5"]],
  ["php", "<?php\nfunction f() {}\nclass A {\n function f() {}\n function g() { $this->f(); }\n}", "f", []],
  ["kotlin", 'fun String.f() {}\nfun g() { "".f() }', "String.f", ["g:2"]],
])("in %s a receiver tells who is meant: %j, %s", async (language, text, name, found) => {
  expect(await callers(language, text, name)).toEqual(found);
});
