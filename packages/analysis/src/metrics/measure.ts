import type { SyntaxTree } from "@toolwright/kit/syntax";
import { ANALYZERS } from "../languages/analyzers.js";
import type { FileMeasures, FunctionMeasures, Increment } from "./measures.js";
import { type ReadFunction, readFunctions } from "./read-functions.js";
import type { MetricRules } from "./rules.js";
import { TokenIndex } from "./token-index.js";

/** Measures a text and each function in it. */
export function measure(tree: SyntaxTree): FileMeasures {
  const rules = ANALYZERS[tree.language].metrics;
  const tokens = new TokenIndex(rules, tree);
  const functions = readFunctions(rules, tree).map((each) => measureFunction(rules, tree, tokens, each));
  const lines = tree.text === "" ? 0 : tree.lineAt(tree.text.length - 1);
  const code = tokens.codeLines(1, lines);
  const counts = tokens.halstead(tree.root);
  const decisions = functions.reduce((all, each) => all + each.cyclomatic, 0);
  const error = tree.firstError();
  return {
    language: tree.language,
    lines,
    code_lines: code,
    comment_lines: tokens.commentLines,
    halstead: counts,
    maintainability: maintainability(counts.volume, decisions, code),
    functions,
    ...(error !== undefined && { error_line: error.line }),
    ...(tree.leftOutLine !== undefined && { left_out_line: tree.leftOutLine }),
  };
}

function measureFunction(
  rules: MetricRules,
  tree: SyntaxTree,
  tokens: TokenIndex,
  { node, name, decisions, cognitive, nesting }: ReadFunction,
): FunctionMeasures {
  const counts = tokens.halstead(node);
  const endLine = tree.endLine(node);
  const code = tokens.codeLines(node.line, endLine);
  return {
    name,
    line: node.line,
    end_line: endLine,
    cyclomatic: 1 + decisions.length,
    cognitive: total(cognitive),
    nesting,
    parameters: rules.parametersOf(node, tree),
    lines: endLine - node.line + 1,
    code_lines: code,
    halstead: counts,
    maintainability: maintainability(counts.volume, 1 + decisions.length, code),
    increments: [...decisions, ...cognitive].toSorted((one, other) => one.line - other.line),
  };
}

const total = (increments: readonly Increment[]): number => increments.reduce((all, { adds }) => all + adds, 0);

/** The maintainability index, in the common form from 0 to 100. */
function maintainability(volume: number, cyclomatic: number, codeLines: number): number {
  const index = 171 - 5.2 * Math.log(Math.max(1, volume)) - 0.23 * cyclomatic - 16.2 * Math.log(Math.max(1, codeLines));
  return Math.round(Math.min(100, Math.max(0, (index * 100) / 171)) * 100) / 100;
}
