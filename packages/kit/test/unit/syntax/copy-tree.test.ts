import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Node, Parser } from "web-tree-sitter";
import { copyTree } from "../../../src/syntax/copy-tree.js";
import { grammarOf } from "../../../src/syntax/grammars.js";
import { LANGUAGES, type Language } from "../../../src/syntax/languages.js";
import type { SyntaxNode } from "../../../src/syntax/syntax-node.js";

const CORPUS = fileURLToPath(new URL("../../../../analysis/test/golden/corpus/", import.meta.url));

/** Leaves that are longer than what the parser holds beside their name, and those that lie behind letters of two units. */
const LONG = `"${"word ".repeat(100)}"`;
const WIDE = `"\u{1F600} \u00E9"`;

test.each(Object.keys(LANGUAGES) as Language[])("a copy says what the parser says: %s", async (language) => {
  const grammar = await grammarOf(language);
  const texts = readdirSync(CORPUS + language).map((name) => readFileSync(`${CORPUS}${language}/${name}`, "utf8"));
  for (const text of [...texts, "", LONG, `${WIDE} ${LONG}`, "} ( broken"]) {
    const tree = new Parser().setLanguage(grammar).parse(text);
    if (tree === null) throw new Error("not parsed");
    expect(differencesOf(copyTree(tree, text), tree.rootNode)).toEqual([]);
    tree.delete();
  }
});

function differencesOf(copied: SyntaxNode, parsed: Node): readonly string[] {
  const found: string[] = [];
  const open: (readonly [SyntaxNode, Node])[] = [[copied, parsed]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [copy, node] = next;
    const [one, other] = [wordsOf(copy, copy.start, copy.end), wordsOf(node, node.startIndex, node.endIndex)];
    if (one !== other) found.push(`${one}, not ${other}`);
    // A keyword of several words is one.
    const parts = copy.isNamed ? node.children : [];
    if (copy.children.length !== parts.length) found.push(`${one} has ${copy.children.length}, not ${parts.length}`);
    for (const [at, child] of copy.children.entries()) {
      const part = parts[at];
      if (part) open.push([child, part]);
    }
  }
  return found;
}

const wordsOf = ({ type, isNamed }: Pick<SyntaxNode, "type" | "isNamed">, start: number, end: number): string =>
  `${isNamed ? "named " : ""}${JSON.stringify(type)} from ${start} to ${end}`;
