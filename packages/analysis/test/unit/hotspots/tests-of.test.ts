import { type Language, languageOf } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";
import { testsOf } from "../../../src/hotspots/callers-and-tests.js";
import type { Manifest } from "../../../src/imports/manifests.js";
import { buildGraph } from "../../../src/imports/read-graph.js";

async function find(path: string, name: string, texts: Readonly<Record<string, string>>, manifests: Manifest[] = []) {
  const source = path.endsWith(".java") ? "package com.acme;\npublic class Stack {}" : "";
  const files = await Promise.all(
    Object.entries({ [path]: source, ...texts }).map(async ([file, text]) => {
      const language = languageOf(file) as Language;
      const wanted = ["measures", "calls", "imports", "outline"] as const;
      const { measures, calls = [], imports = [], outline = [] } = await readFacts(language, text, wanted);
      if (measures === undefined) throw new Error("nothing was measured");
      const facts = { measures, calls, imports, outline };
      return { path: file, displayPath: file, realPath: `/${file}`, language, origin: "test" as const, facts };
    }),
  );
  const links = buildGraph(files, manifests).links.filter(({ to }) => to === path);
  const importers = new Set(links.map(({ from }) => from));
  const language = languageOf(path) as Language;
  return testsOf({ name, language, importers }, files.slice(1)).map((each) => `${each.path} ${each.by}`);
}

test("a test that imports the file comes before all others, and one that only calls is the last", async () => {
  const found = await find("src/bill.ts", "Desk.bill", {
    "tests/a.test.ts": 'import { Desk } from "../src/bill.js";\nnew Desk();',
    "tests/b.test.ts": 'import { Desk } from "../src/bill.js";\nnew Desk().bill();',
    "tests/c.test.ts": 'import { other } from "../src/other.js";\nother().bill();',
  });
  expect(found).toEqual(["tests/b.test.ts imports and calls", "tests/a.test.ts imports", "tests/c.test.ts calls"]);
});

test("an alias of the project is an import as any other", async () => {
  const text = '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }';
  const found = await find(
    "src/work.ts",
    "work",
    {
      "test/a.test.ts": 'import { work } from "@/work";\nwork(1);',
      "test/b.test.ts": 'import { twice } from "../src/work";\ntwice(1);',
    },
    [{ path: "tsconfig.json", folder: "", name: "tsconfig.json", text }],
  );
  expect(found).toEqual(["test/a.test.ts imports and calls", "test/b.test.ts imports"]);
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
