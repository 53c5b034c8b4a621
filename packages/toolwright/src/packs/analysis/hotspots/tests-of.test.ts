import { expect, test } from "vitest";
import { type Language, languageOf } from "../../../syntax/languages.js";
import { readFacts } from "../facts/read-facts.js";
import { testsOf } from "./tests-of.js";

async function find(path: string, name: string, files: Readonly<Record<string, string>>) {
  const tests = await Promise.all(
    Object.entries(files).map(async ([file, text]) => {
      const language = languageOf(file) as Language;
      const { measures, calls = [], imports = [] } = await readFacts(language, text, ["measures", "calls", "imports"]);
      if (measures === undefined) throw new Error("nothing was measured");
      const facts = { measures, calls, imports };
      return { path: file, shown: file, place: `/${file}`, language, origin: "test" as const, facts };
    }),
  );
  return testsOf({ path, language: languageOf(path) as Language, name }, tests).map(
    (each) => `${each.path} ${each.by}`,
  );
}

test("a test that imports the file comes before all others, and one that only calls is then left out", async () => {
  const found = await find("src/bill.ts", "Desk.bill", {
    "tests/a.test.ts": 'import { Desk } from "../src/bill.js";\nnew Desk();',
    "tests/b.test.ts": 'import { Desk } from "../src/bill.js";\nnew Desk().bill();',
    "tests/c.test.ts": 'import { other } from "../src/other.js";\nother().bill();',
  });
  expect(found).toEqual(["tests/b.test.ts imports and calls", "tests/a.test.ts imports"]);
});

test("without imports a call counts, unless the test has such a function itself or is in another language", async () => {
  const found = await find("stack/stack.go", "Push", {
    "stack/stack_test.go": "package stack\nfunc TestPush() { Push(1) }",
    "stack/own_test.go": "package stack\nfunc Push(a int) {}\nfunc TestOwn() { Push(1) }",
    "stack/stack_test.py": "Push(1)",
  });
  expect(found).toEqual(["stack/stack_test.go calls"]);
});

test.each([
  ["app/stack.py", "tests/test_a.py", "from app.stack import push\npush(1)"],
  ["src/stack/index.ts", "tests/a.test.ts", 'import { push } from "../src/stack";\npush(1);'],
  [
    "src/main/java/com/acme/Stack.java",
    "src/test/java/com/acme/StackTest.java",
    "import com.acme.Stack;\nclass StackTest { void a() { push(1); } }",
  ],
])("an import of %s is known by its path", async (path, file, text) => {
  expect(await find(path, "push", { [file]: text })).toEqual([`${file} imports and calls`]);
});
