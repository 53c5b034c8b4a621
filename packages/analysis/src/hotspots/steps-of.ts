import { decodeText, type FileAccess, formOf } from "@toolwright/kit/files";
import { type Language, ParseTimeout, parseSource, type SyntaxNode, type SyntaxTree } from "@toolwright/kit/syntax";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { Rules } from "../metrics/rules.js";
import { RULES } from "../metrics/rules-of.js";
import { readSource } from "../project/read-source.js";
import { blocksOf } from "./blocks.js";
import { chooseSteps } from "./choose-steps.js";
import type { Step } from "./hotspots.js";

/** Says what to take out of a function first; nothing where its file has changed since it was measured. */
export async function stepsOf(
  reach: FileAccess,
  { place, language }: { readonly place: string; readonly language: Language },
  { line, end_line, cognitive }: FunctionMeasures,
  mostBytes: number,
): Promise<readonly Step[]> {
  const { bytes } = await readSource(reach, { place }, mostBytes);
  const form = bytes && formOf(bytes);
  if (bytes === undefined || form === undefined) return [];
  try {
    using tree = await parseSource(language, decodeText(bytes.subarray(form.bomBytes), form.encoding));
    const rules = RULES[language];
    const node = functionAt(rules, tree, line, end_line);
    return node === undefined ? [] : chooseSteps(cognitive, blocksOf(rules, tree, node));
  } catch (error) {
    if (error instanceof ParseTimeout) return [];
    throw error;
  }
}

function functionAt(rules: Rules, tree: SyntaxTree, line: number, endLine: number): SyntaxNode | undefined {
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.line === line && rules.functionKind(node, tree) !== undefined && tree.endLine(node) === endLine)
      return node;
    for (const child of node.children.toReversed())
      if (child.line <= line && tree.endLine(child) >= line) open.push(child);
  }
  return undefined;
}
