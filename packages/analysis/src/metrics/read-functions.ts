import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Increment } from "./measures.js";
import type { Cognition, Rules } from "./rules.js";

/** A cognitive increment, before it is known of which function it is told. */
export interface Counted {
  readonly frame: Frame;
  readonly line: number;
  readonly reason: string;
  /** How many levels deep it lies in the text; undefined = it adds one wherever it lies. */
  readonly level?: number;
}

/** A function or lambda while a text is gone through, and what was found in it. */
export class Frame {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly around: Frame | undefined;
  /** What its decisions count to: itself, if it is measured on its own. */
  readonly owner: Frame;
  /** The level in the text at which its own code begins. */
  readonly base: number;
  /** How it would be called by itself. */
  readonly selfCall: string | undefined;
  readonly decisions: Increment[] = [];
  readonly own: Counted[] = [];
  /** Where among all that was counted that of it and of functions inside begins and ends. */
  readonly from: number;
  to = 0;
  recurses = false;
  #hasStructure = false;
  #nesting = 0;
  #innerNesting = 0;

  constructor(given: Pick<Frame, "node" | "name" | "around" | "base" | "selfCall" | "from"> & { isMeasured: boolean }) {
    this.node = given.node;
    this.name = given.name;
    this.around = given.around;
    this.owner = given.isMeasured ? this : (given.around?.owner ?? this);
    this.base = given.base;
    this.selfCall = given.selfCall;
    this.from = given.from;
  }

  /** Notes a control structure: that there is one, and how deep it lies. */
  note({ adds, nests }: Cognition, structures: number): void {
    if (adds === "structure") this.#hasStructure = true;
    if (nests.length > 0) this.#nesting = Math.max(this.#nesting, structures + 1);
  }

  /** Ends it: nothing more is found in it. */
  end(counted: number): void {
    this.to = counted;
    if (this.around !== undefined)
      this.around.#innerNesting = Math.max(this.around.#innerNesting, this.#innerNesting, this.#nesting);
  }

  /** What makes it hard to follow, and how deep its control structures lie; without the functions inside, if it only declares them. */
  cognitive(all: readonly Counted[], mayDeclare: boolean): Cognitive {
    const own = this.own.map((each) => this.#tell(each));
    if (mayDeclare && !this.#hasStructure) return { increments: own, nesting: this.#nesting };
    for (let at = this.from; at < this.to; at++) {
      const each = all[at];
      if (each !== undefined && each.frame !== this) own.push(this.#tell(each));
    }
    return { increments: own, nesting: Math.max(this.#nesting, this.#innerNesting) };
  }

  #tell({ line, reason, level = this.base }: Counted): Increment {
    const nesting = level - this.base;
    return { metric: "cognitive", line, adds: 1 + nesting, reason, ...(nesting > 0 && { nesting }) };
  }
}

/** What makes a function hard to follow, and how deep its control structures lie in each other. */
interface Cognitive {
  readonly increments: readonly Increment[];
  readonly nesting: number;
}

/** A function that is measured on its own, with all that makes it complex. */
export interface ReadFunction {
  readonly node: SyntaxNode;
  /** With the names of what it lies in. */
  readonly name: string;
  readonly decisions: readonly Increment[];
  readonly cognitive: readonly Increment[];
  readonly nesting: number;
}

/** Where a node lies. */
interface Place {
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
  reading.goThrough(root);
  return reading.functions();
}

class Reading {
  readonly #rules: Rules;
  readonly #tree: SyntaxTree;
  readonly #measured: Frame[] = [];
  readonly #counted: Counted[] = [];
  /** The functions that are being gone through, by the name of a call to themselves. */
  readonly #open = new Map<string, Frame[]>();
  /** What is still to be gone through, the next one last. */
  readonly #steps: (SyntaxNode | Frame)[] = [];
  /** Where each of the steps lies; most that lie beside each other share one. */
  readonly #places: Place[] = [];

  constructor(rules: Rules, tree: SyntaxTree) {
    this.#rules = rules;
    this.#tree = tree;
  }

  goThrough(root: SyntaxNode): void {
    this.#push(root, { frame: undefined, path: "", level: 0, structures: 0 });
    for (let next = this.#steps.pop(); next !== undefined; next = this.#steps.pop()) {
      const place = this.#places.pop() as Place;
      if (next instanceof Frame) this.#leave(next);
      else if (this.#isSeen(next)) this.#visit(next, place);
      else this.#pushAll(next.children, place);
    }
  }

  #push(step: SyntaxNode | Frame, place: Place): void {
    this.#steps.push(step);
    this.#places.push(place);
  }

  #pushAll(nodes: readonly SyntaxNode[], place: Place): void {
    for (const node of nodes) if (node.children.length > 0 || this.#isSeen(node)) this.#push(node, place);
  }

  #isSeen(node: SyntaxNode): boolean {
    return this.#rules.isSeen === undefined || this.#rules.isSeen(node);
  }

  #visit(node: SyntaxNode, around: Place): void {
    const kind = this.#rules.functionKind(node, this.#tree);
    const own = kind === undefined ? this.#rules.containerName(node, this.#tree) : this.#rules.nameOf(node, this.#tree);
    const path = own === undefined ? around.path : join(around.path, own);
    const frame =
      kind === undefined
        ? around.frame
        : this.#enter(node, around, kind, own === undefined ? join(path, NO_NAME) : path);
    if (kind !== undefined && frame !== undefined) this.#push(frame, around);
    const counted = frame && this.#count(node, frame, around);
    const level = kind === undefined ? around.level : (frame?.base ?? 0);
    const structures = kind === "function" ? 0 : around.structures;
    const place = { frame, path, level, structures };
    if (counted === undefined || counted.nests.length === 0) return this.#pushAll(node.children, place);
    const deeper = { frame, path, level: level + 1, structures: structures + 1 };
    for (const child of node.children) this.#push(child, counted.nests.includes(child) ? deeper : place);
  }

  #enter(node: SyntaxNode, { frame: around, level }: Place, kind: "function" | "lambda", name: string): Frame {
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

  #leave(frame: Frame): void {
    frame.end(this.#counted.length);
    if (frame.selfCall !== undefined) this.#open.get(frame.selfCall)?.pop();
  }

  #count(node: SyntaxNode, frame: Frame, { level, structures }: Place): Cognition | undefined {
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

/** The sequences of like operators that begin in an expression: `a && b && c` is one, `a && b || c` are two. */
export function sequencesAt(rules: Rules, tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  if (rules.logicalOperator(node, tree) === undefined || isPartOfSequence(rules, tree, node)) return [];
  const operators = operatorsIn(rules, tree, node);
  return operators.filter((operator, index) => operator !== operators[index - 1]);
}

function isPartOfSequence(rules: Rules, tree: SyntaxTree, node: SyntaxNode): boolean {
  let { parent } = node;
  while (parent !== undefined && isTransparent(rules, parent)) ({ parent } = parent);
  return parent !== undefined && rules.logicalOperator(parent, tree) !== undefined;
}

/** The operators of an expression as they are read. Generated ones have thousands, so nothing here calls itself. */
function operatorsIn(rules: Rules, tree: SyntaxTree, root: SyntaxNode): readonly string[] {
  const operators: string[] = [];
  const open: (SyntaxNode | string)[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      operators.push(next);
      continue;
    }
    const operator = rules.logicalOperator(next, tree);
    const parts = isTransparent(rules, next) ? next.named : operator === undefined ? [] : next.children;
    for (const part of parts.toReversed()) open.push(part.type === operator ? part.type : part);
  }
  return operators;
}

const isTransparent = (rules: Rules, node: SyntaxNode): boolean =>
  rules.isTransparent?.(node) ?? node.type === "parenthesized_expression";
