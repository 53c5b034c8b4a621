import type { Check, Node } from "./node.js";

/** Compiles the keywords that join other schemas about the same value. */
export function compileLogic(node: Node, compile: (node: Node) => Check): Check[] {
  const checks = node.list("allOf").map(compile);
  if (node.schema["anyOf"] !== undefined) checks.push(any(node.list("anyOf").map(compile)));
  if (node.schema["oneOf"] !== undefined) checks.push(exactlyOne(node.list("oneOf").map(compile)));
  const not = node.one("not");
  if (not) checks.push(negate(compile(not)));
  const condition = compileCondition(node, compile);
  if (condition) checks.push(condition);
  return checks;
}

/** Joins checks that must all hold. */
export function all(checks: readonly Check[]): Check {
  const [first, second] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) && second(value);
  return (value) => checks.every((check) => check(value));
}

function any(checks: readonly Check[]): Check {
  const [first, second] = checks as [Check, Check | undefined];
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) || second(value);
  return (value) => checks.some((check) => check(value));
}

function exactlyOne(checks: readonly Check[]): Check {
  return (value) => {
    let count = 0;
    for (const check of checks) if (check(value) && ++count > 1) return false;
    return count === 1;
  };
}

function negate(check: Check): Check {
  return (value) => !check(value);
}

function compileCondition(node: Node, compile: (node: Node) => Check): Check | undefined {
  const condition = node.one("if");
  const [yes, no] = [node.one("then"), node.one("else")];
  if (!condition || (!yes && !no)) return undefined;
  const test = compile(condition);
  const checkYes = yes && compile(yes);
  const checkNo = no && compile(no);
  return (value) => (test(value) ? (checkYes?.(value) ?? true) : (checkNo?.(value) ?? true));
}
