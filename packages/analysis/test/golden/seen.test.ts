import { readdir, readFile } from "node:fs/promises";
import { LANGUAGES, type Language, parseSource, type SyntaxNode, type SyntaxTree } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { ANALYZERS } from "../../src/languages/analyzers.js";

const ASKED = ["functionKind", "containerName", "decision", "cognition", "logicalOperator", "calledName"] as const;
const LIMITED = (Object.keys(LANGUAGES) as Language[]).filter(
  (language) => ANALYZERS[language].metrics.isRelevant !== undefined,
);

test.each(LIMITED)("%s: the rules say nothing of a node that they are said not to see", async (language) => {
  const folder = new URL(`corpus/${language}/`, import.meta.url);
  for (const file of await readdir(folder)) {
    using tree = await parseSource(language, await readFile(new URL(file, folder), "utf8"));
    const said = nodesOf(tree)
      .filter((node) => ANALYZERS[language].metrics.isRelevant?.(node) === false)
      .flatMap((node) =>
        ASKED.filter((rule) => ANALYZERS[language].metrics[rule](node, tree) !== undefined).map(
          (rule) => `${rule} of ${node.type}`,
        ),
      );
    expect({ file, said }).toEqual({ file, said: [] });
  }
});

function nodesOf({ root }: SyntaxTree): readonly SyntaxNode[] {
  const nodes = [root];
  for (const node of nodes) nodes.push(...node.children);
  return nodes;
}
