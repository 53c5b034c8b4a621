import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import { ANALYZERS, type LanguageAnalyzer } from "../languages/analyzers.js";
import type { CallSite } from "./facts.js";

/** The fields with the last of several names: `c` of `a.b.c`. */
const LAST_NAMES = ["property", "attribute", "field", "name", "suffix", "function", "type"] as const;

/** Names with type arguments: the called name is the first child, not the last. */
const FIRST_COUNTS = new Set(["generic_type", "generic_name", "user_type", "parenthesized_expression"]);
const NO_NAMES = new Set([
  "call",
  "call_expression",
  "invocation_expression",
  "function_call_expression",
  "subscript_expression",
  "super",
  "variable_name",
  "import",
]);

/** Reads the calls of a file, with the function around each. */
export function readCalls(tree: SyntaxTree): readonly CallSite[] {
  const { metrics: rules, calls: forms } = ANALYZERS[tree.language];
  const calls: CallSite[] = [];
  const open: { node: SyntaxNode; names: readonly string[]; caller: string | undefined }[] = [
    { node: tree.root, names: [], caller: undefined },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, names, caller } = next;
    const kind = rules.functionKind(node, tree);
    const isMeasured = kind === "function" || (kind === "lambda" && caller === undefined);
    const own = kind === undefined ? rules.containerName(node, tree) : rules.nameOf(node, tree);
    const path = own === undefined ? names : [...names, own];
    const around = isMeasured ? [...names, own ?? "(anonymous)"].join(".") : caller;
    for (const site of calledAt(tree, node, forms))
      calls.push(around === undefined ? site : { ...site, caller: around });
    for (let index = node.children.length - 1; index >= 0; index--)
      open.push({ node: node.children[index] as SyntaxNode, names: path, caller: around });
  }
  return calls;
}

function calledAt(tree: SyntaxTree, node: SyntaxNode, forms: LanguageAnalyzer["calls"]): readonly CallSite[] {
  if (node.type === "token_tree") return calledInMacro(tree, node);
  if (!Object.hasOwn(forms, node.type)) return [];
  const role = forms[node.type];
  const called = role === undefined ? node.named[0] : node.field(role);
  const last = called && lastName(tree, called);
  if (last === undefined) return [];
  const name = tree.textOf(last);
  // In JSX a lower-case name is an element of the page.
  return node.type.startsWith("jsx") && !/^\p{Lu}/u.test(name) ? [] : [toSite(tree, name, node, last)];
}

const toSite = (tree: SyntaxTree, called: string, { start, line }: SyntaxNode, name: SyntaxNode): CallSite => {
  const receiver = receiverOf(tree.text.slice(start, name.start));
  return { called, line, ...(receiver !== undefined && { receiver }) };
};

/** The receiver by the text before the name. */
function receiverOf(before: string): CallSite["receiver"] {
  if (!/(?:\.|->|::)\s*$/.test(before)) return undefined;
  return /^(?:this|\$this|self|Self|static|cls)\s*[?!]*(?:\.|->|::)\s*$/.test(before) ? "self" : "other";
}

/** The grammar of Rust does not parse the arguments of a macro: a name before a bracket is read as a call. */
function calledInMacro(tree: SyntaxTree, { children }: SyntaxNode) {
  return children
    .filter(({ type }, index) => {
      const after = children[index + 1];
      return type === "identifier" && after?.type === "token_tree" && tree.text[after.start] === "(";
    })
    .map((node) => ({ called: tree.textOf(node), line: node.line, ...receiverInMacro(tree, node) }));
}

function receiverInMacro(tree: SyntaxTree, { start }: SyntaxNode): Pick<CallSite, "receiver"> {
  const [before = ""] = /(?:[\w\])]+\s*)?(?:\.|::)\s*$/.exec(tree.text.slice(Math.max(0, start - 80), start)) ?? [];
  const receiver = receiverOf(before);
  return receiver === undefined ? {} : { receiver };
}

function lastName(tree: SyntaxTree, called: SyntaxNode): SyntaxNode | undefined {
  let node: SyntaxNode | undefined = called;
  while (node !== undefined && node.named.length > 0) {
    if (NO_NAMES.has(node.type)) return undefined;
    const parts: readonly SyntaxNode[] = node.named;
    const here: SyntaxNode = node;
    node = FIRST_COUNTS.has(here.type)
      ? parts[0]
      : (LAST_NAMES.map((role) => here.field(role)).find((part) => part !== undefined) ?? parts.at(-1));
  }
  if (node === undefined || NO_NAMES.has(node.type)) return undefined;
  return /^[\p{L}_$]/u.test(tree.textOf(node)) ? node : undefined;
}
