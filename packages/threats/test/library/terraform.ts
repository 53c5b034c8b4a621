import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";

/** Loads Terraform's grammar. Returns a function that finds the first line with a syntax error, or undefined. */
export async function terraformReader(): Promise<(text: string) => number | undefined> {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve(
    "@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm",
  );
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (text) => {
    const tree = parser.parse(text);
    if (tree === null) return 1;
    const nodes = [tree.rootNode];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.isError || node.isMissing) return node.startPosition.row + 1;
      if (node.hasError) nodes.push(...node.children.filter((child) => child !== null).toReversed());
    }
    return undefined;
  };
}
