import { expect, test } from "vitest";
import type { Fact } from "../../src/facts/facts.js";
import type { Project } from "../../src/project/project.js";
import { openProject } from "./open-project.js";

const FILES = {
  "cart.h": "namespace shop {\nclass Cart {\n public:\n  int size() { return 1; }\n};\n}\n",
  "list.h": "static inline int size(void) { return 1; }\n",
  "odd.c": "int run(int n)\n{\n  switch (n) {\n  public: return 1;\n  }\n  return 2;\n}\n",
};

const languagesIn = ({ files }: Project<Fact>) =>
  files.map(({ path, language, facts }) => [path, language, facts.measures?.language]);

test("a header is of the language that its text is in, when it is read and when it is known", async () => {
  const project = await openProject({ files: FILES });
  const expected = [
    ["cart.h", "cpp", "cpp"],
    ["list.h", "c", "c"],
    ["odd.c", "c", "c"],
  ];
  expect(languagesIn(await project.read())).toEqual(expected);
  expect(languagesIn(await project.settle())).toEqual(expected);
});

test("a header is chosen by the language that its text is in", async () => {
  const project = await openProject({ files: FILES });
  const chosen = async () => [
    languagesIn(await project.read({ languages: ["cpp"] })).map(([path]) => path),
    languagesIn(await project.read({ languages: ["c"] })).map(([path]) => path),
  ];
  const expected = [["cart.h"], ["list.h", "odd.c"]];
  expect(await chosen()).toEqual(expected);
  await project.settle();
  expect(await chosen()).toEqual(expected);
});

test("omitted code is reported", async () => {
  const { files, skipped } = await (
    await openProject({
      files: { "a.c": "#if A\nint f(int a) {\n#else\nint f(void) {\n#endif\n  return 1;\n}\n" },
    })
  ).read();
  expect(files).toHaveLength(1);
  expect(skipped).toEqual([
    {
      path: "a.c",
      line: 4,
      reason: "unbalanced brackets in the branches of #if from line 4 on; only the first branch is measured",
    },
  ]);
});
