import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";
import { type Counted, Frame } from "./frames.js";
import type { Increment } from "./measures.js";
import type { Cognition, Rules } from "./rules.js";
import { sequencesAt } from "./sequences.js";

/** A function that is measured on its own, with all that makes it complex. */
export interface ReadFunction {
  readonly node: SyntaxNode;
  /** With the names of what it lies in. */
  readonly name: string;
  readonly decisions: readonly Increment[];
  readonly cognitive: readonly Increment[];
  readonly nesting: number;
}

/** A node on the way through a text. */
interface Step {
  readonly node: SyntaxNode;
  readonly frame: Frame | undefined;
  /** The names of what it lies in. */
  readonly path: string;
  readonly level: number;
  /** How many control structures of its function it lies in. */
  readonly structures: number;
}

/**
 * Reads the functions of a text, in the order of the text. McCabe's number is one, and one for each decision; what lies in functions of
 * their own counts there. The cognitive complexity is as its authors define it: functions inside a function count in it, one level
 * deeper. The text is gone through once, for there are some with thousands of functions in each other. `root` is for a part of it.
 */
export function readFunctions(rules: Rules, tree: SyntaxTree, root: SyntaxNode = tree.root): readonly ReadFunction[] {
  const reading = new Reading(rules, tree);
  const open: (Step | Frame)[] = [{ node: root, frame: undefined, path: "", level: 0, structures: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next instanceof Frame) reading.leave(next);
    else reading.visit(next, open);
  }
  return reading.functions();
}

class Reading {
  readonly #rules: Rules;
  readonly #tree: SyntaxTree;
  readonly #measured: Frame[] = [];
  readonly #counted: Counted[] = [];
  /** The functions that are being gone through, by the name of a call to themselves. */
  readonly #open = new Map<string, Frame[]>();

  constructor(rules: Rules, tree: SyntaxTree) {
    this.#rules = rules;
    this.#tree = tree;
  }

  visit(step: Step, open: (Step | Frame)[]): void {
    const { node } = step;
    const kind = this.#rules.functionKind(node, this.#tree);
    const own = kind === undefined ? this.#rules.containerName(node, this.#tree) : this.#rules.nameOf(node, this.#tree);
    const path = own === undefined ? step.path : join(step.path, own);
    const frame =
      kind === undefined ? step.frame : this.#enter(step, kind, own === undefined ? join(path, NO_NAME) : path);
    if (kind !== undefined && frame !== undefined) open.push(frame);
    const counted = frame && this.#count(node, frame, step);
    const level = kind === undefined ? step.level : (frame?.base ?? 0);
    const structures = kind === "function" ? 0 : step.structures;
    for (const child of node.children) {
      const deeper = counted?.nests.includes(child) === true ? 1 : 0;
      open.push({ node: child, frame, path, level: level + deeper, structures: structures + deeper });
    }
  }

  #enter({ node, frame: around, level }: Step, kind: "function" | "lambda", name: string): Frame {
    const rules = this.#rules;
    const isMeasured = kind === "function" || around === undefined;
    const selfCall = !isMeasured
      ? undefined
      : rules.ownCall === undefined
        ? rules.nameOf(node, this.#tree)
        : rules.ownCall(node, this.#tree);
    const base = level + (rules.isWrapped?.(node) === true ? 0 : 1);
    const frame = new Frame({ node, name, around, base, selfCall, isMeasured, from: this.#counted.length });
    if (isMeasured) this.#measured.push(frame);
    if (selfCall !== undefined) {
      const same = this.#open.get(selfCall);
      if (same === undefined) this.#open.set(selfCall, [frame]);
      else same.push(frame);
    }
    return frame;
  }

  leave(frame: Frame): void {
    frame.end(this.#counted.length);
    if (frame.selfCall !== undefined) this.#open.get(frame.selfCall)?.pop();
  }

  #count(node: SyntaxNode, frame: Frame, { level, structures }: Step): Cognition | undefined {
    const { line } = node;
    const decision = this.#rules.decision(node, this.#tree);
    if (decision !== undefined) frame.owner.decisions.push({ metric: "cyclomatic", line, adds: 1, reason: decision });
    const counted = this.#rules.cognition(node, this.#tree);
    if (counted !== undefined) {
      const { adds, reason } = counted;
      frame.note(counted, structures);
      if (adds !== "nothing") this.#add({ frame, line, reason, ...(adds === "structure" && { level }) });
    }
    for (const reason of sequencesAt(this.#rules, this.#tree, node)) this.#add({ frame, line, reason });
    const called = this.#open.size === 0 ? undefined : this.#rules.calledName(node, this.#tree);
    if (called !== undefined) this.#noteCall(called, line);
    return counted;
  }

  #add(counted: Counted): void {
    counted.frame.own.push(counted);
    this.#counted.push(counted);
  }

  /** Each function that calls itself counts that once, and not in those around it. */
  #noteCall(called: string, line: number): void {
    const same = this.#open.get(called) ?? [];
    for (let at = same.length - 1; at >= 0; at--) {
      const frame = same[at];
      // Where one has been called, so have those around it.
      if (frame === undefined || frame.recurses) return;
      frame.recurses = true;
      frame.own.push({ frame, line, reason: "recursion" });
    }
  }

  functions(): readonly ReadFunction[] {
    const mayDeclare = this.#rules.outerMayDeclare === true;
    return this.#measured
      .toSorted((one, other) => one.node.start - other.node.start)
      .map((frame) => {
        const { increments, nesting } = frame.cognitive(this.#counted, mayDeclare);
        return { node: frame.node, name: frame.name, decisions: frame.decisions, cognitive: increments, nesting };
      });
  }
}

const NO_NAME = "(anonymous)";
const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);
