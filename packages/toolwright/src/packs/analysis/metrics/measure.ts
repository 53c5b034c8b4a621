import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";
import { cognitive } from "./cognitive.js";
import { cyclomatic } from "./cyclomatic.js";
import { maintainability } from "./maintainability.js";
import type { FileMeasures, FunctionMeasures, Increment } from "./measures.js";
import type { Rules } from "./rules.js";
import { RULES } from "./rules-of.js";
import { Tally } from "./tally.js";

/** Measures a text and each function in it. */
export function measure(tree: SyntaxTree): FileMeasures {
  const rules = RULES[tree.language];
  const tally = new Tally(rules, tree);
  const functions = functionsIn(rules, tree).map(({ node, name }) => measureFunction(rules, tree, tally, node, name));
  const lines = tree.text === "" ? 0 : tree.lineAt(tree.text.length - 1);
  const code = tally.codeLines(1, lines);
  const counts = tally.halstead(tree.root);
  const decisions = functions.reduce((all, each) => all + each.cyclomatic, 0);
  const error = tree.firstError();
  return {
    language: tree.language,
    lines,
    code_lines: code,
    comment_lines: tally.commentLines,
    halstead: counts,
    maintainability: maintainability(counts.volume, decisions, code),
    functions,
    ...(error !== undefined && { error_line: error.line }),
  };
}

function measureFunction(
  rules: Rules,
  tree: SyntaxTree,
  tally: Tally,
  node: SyntaxNode,
  name: string,
): FunctionMeasures {
  const decisions = cyclomatic(rules, tree, node);
  const { increments, nesting } = cognitive(rules, tree, node);
  const counts = tally.halstead(node);
  const endLine = tree.endLine(node);
  const code = tally.codeLines(node.line, endLine);
  return {
    name,
    line: node.line,
    end_line: endLine,
    cyclomatic: 1 + decisions.length,
    cognitive: total(increments),
    nesting,
    parameters: rules.parametersOf(node, tree),
    lines: endLine - node.line + 1,
    code_lines: code,
    halstead: counts,
    maintainability: maintainability(counts.volume, 1 + decisions.length, code),
    increments: [...decisions, ...increments].toSorted((one, other) => one.line - other.line),
  };
}

const total = (increments: readonly Increment[]): number => increments.reduce((all, { adds }) => all + adds, 0);

/** The functions that are measured on their own, in the order of the text, with their whole names. */
function functionsIn(rules: Rules, tree: SyntaxTree): readonly { readonly node: SyntaxNode; readonly name: string }[] {
  const found: { node: SyntaxNode; name: string }[] = [];
  const open: { node: SyntaxNode; names: readonly string[]; isInside: boolean }[] = [
    { node: tree.root, names: [], isInside: false },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, names, isInside } = next;
    const kind = rules.functionKind(node, tree);
    const isMeasured = kind === "function" || (kind === "lambda" && !isInside);
    const own = kind === undefined ? rules.containerName(node, tree) : rules.nameOf(node, tree);
    const path = own === undefined ? names : [...names, own];
    if (isMeasured)
      found.push({ node, name: own === undefined ? [...names, "(anonymous)"].join(".") : path.join(".") });
    for (let index = node.children.length - 1; index >= 0; index--)
      open.push({ node: node.children[index] as SyntaxNode, names: path, isInside: isInside || isMeasured });
  }
  return found;
}
