import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Increment } from "./measures.js";
import type { Cognition, MetricRules } from "./rules.js";

/** A cognitive increment, before its functions are known. */
interface CountedIncrement {
  readonly frame: Frame;
  readonly line: number;
  readonly reason: string;
  /** The nesting level in the text; undefined = it adds one at any level. */
  readonly level?: number;
}

/** A function or lambda during the traversal, with its increments. */
class Frame {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly around: Frame | undefined;
  /** The function that its decisions count for: itself, if it is measured on its own. */
  readonly owner: Frame;
  /** The nesting level of its own code. */
  readonly base: number;
  /** The name of a recursive call. */
  readonly selfCall: string | undefined;
  readonly decisions: Increment[] = [];
  readonly own: CountedIncrement[] = [];
  /** The range of its increments, and those of nested functions, in the list of all. */
  readonly from: number;
  to = 0;
  recurses = false;
  #hasStructure = false;
  #nesting = 0;
  #innerNesting = 0;

  constructor(
    options: Pick<Frame, "node" | "name" | "around" | "base" | "selfCall" | "from"> & { isMeasured: boolean },
  ) {
    this.node = options.node;
    this.name = options.name;
    this.around = options.around;
    this.owner = options.isMeasured ? this : (options.around?.owner ?? this);
    this.base = options.base;
    this.selfCall = options.selfCall;
    this.from = options.from;
  }

  /** Records a control structure and its nesting. */
  addStructure({ adds, nests }: Cognition, structures: number): void {
    if (adds === "structure") this.#hasStructure = true;
    if (nests.length > 0) this.#nesting = Math.max(this.#nesting, structures + 1);
  }

  /** Ends the frame. */
  end(counted: number): void {
    this.to = counted;
    if (this.around !== undefined)
      this.around.#innerNesting = Math.max(this.around.#innerNesting, this.#innerNesting, this.#nesting);
  }

  /** Its cognitive increments and nesting, without nested functions if it only declares them. */
  cognitive(all: readonly CountedIncrement[], mayDeclare: boolean): Cognitive {
    const own = this.own.map((each) => this.#toIncrement(each));
    if (mayDeclare && !this.#hasStructure) return { increments: own, nesting: this.#nesting };
    for (let at = this.from; at < this.to; at++) {
      const each = all[at];
      if (each !== undefined && each.frame !== this) own.push(this.#toIncrement(each));
    }
    return { increments: own, nesting: Math.max(this.#nesting, this.#innerNesting) };
  }

  #toIncrement({ line, reason, level = this.base }: CountedIncrement): Increment {
    const nesting = level - this.base;
    return { metric: "cognitive", line, adds: 1 + nesting, reason, ...(nesting > 0 && { nesting }) };
  }
}

/** The cognitive increments of a function, and its nesting. */
interface Cognitive {
  readonly increments: readonly Increment[];
  readonly nesting: number;
}

/** A measured function with its increments. */
export interface ReadFunction {
  readonly node: SyntaxNode;
  /** Qualified with the names of its containers. */
  readonly name: string;
  readonly decisions: readonly Increment[];
  readonly cognitive: readonly Increment[];
  readonly nesting: number;
}

/** The position of a node. */
interface Position {
  readonly frame: Frame | undefined;
  /** The names of its containers. */
  readonly path: string;
  readonly level: number;
  /** The number of control structures around it in its function. */
  readonly structures: number;
}

/**
 * Reads the functions of a text, in the order of the text. The cyclomatic complexity (McCabe) is one, and one for each decision outside of
 * nested functions that are measured on their own. The cognitive complexity follows its definition: nested functions count for the function
 * around them, one level deeper. The text is traversed once, since some texts have thousands of nested functions. `root` selects a part.
 */
export function readFunctions(
  rules: MetricRules,
  tree: SyntaxTree,
  root: SyntaxNode = tree.root,
): readonly ReadFunction[] {
  const reader = new FunctionReader(rules, tree);
  reader.read(root);
  return reader.functions();
}

class FunctionReader {
  readonly #rules: MetricRules;
  readonly #tree: SyntaxTree;
  readonly #measured: Frame[] = [];
  readonly #counted: CountedIncrement[] = [];
  /** The functions around the current node, by the name of a recursive call. */
  readonly #open = new Map<string, Frame[]>();
  /** The nodes and frames to visit, the next one last. */
  readonly #steps: (SyntaxNode | Frame)[] = [];
  /** The position of each step; siblings share one. */
  readonly #positions: Position[] = [];

  constructor(rules: MetricRules, tree: SyntaxTree) {
    this.#rules = rules;
    this.#tree = tree;
  }

  read(root: SyntaxNode): void {
    this.#push(root, { frame: undefined, path: "", level: 0, structures: 0 });
    for (let next = this.#steps.pop(); next !== undefined; next = this.#steps.pop()) {
      const position = this.#positions.pop() as Position;
      if (next instanceof Frame) this.#leave(next);
      else if (this.#isRelevant(next)) this.#visit(next, position);
      else this.#pushAll(next.children, position);
    }
  }

  #push(step: SyntaxNode | Frame, position: Position): void {
    this.#steps.push(step);
    this.#positions.push(position);
  }

  #pushAll(nodes: readonly SyntaxNode[], position: Position): void {
    for (const node of nodes) if (node.children.length > 0 || this.#isRelevant(node)) this.#push(node, position);
  }

  #isRelevant(node: SyntaxNode): boolean {
    return this.#rules.isRelevant === undefined || this.#rules.isRelevant(node);
  }

  #visit(node: SyntaxNode, around: Position): void {
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
    const position = { frame, path, level, structures };
    if (counted === undefined || counted.nests.length === 0) return this.#pushAll(node.children, position);
    const deeper = { frame, path, level: level + 1, structures: structures + 1 };
    for (const child of node.children) this.#push(child, counted.nests.includes(child) ? deeper : position);
  }

  #enter(node: SyntaxNode, { frame: around, level }: Position, kind: "function" | "lambda", name: string): Frame {
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

  #count(node: SyntaxNode, frame: Frame, { level, structures }: Position): Cognition | undefined {
    const { line } = node;
    const decision = this.#rules.decision(node, this.#tree);
    if (decision !== undefined) frame.owner.decisions.push({ metric: "cyclomatic", line, adds: 1, reason: decision });
    const counted = this.#rules.cognition(node, this.#tree);
    if (counted !== undefined) {
      const { adds, reason } = counted;
      frame.addStructure(counted, structures);
      if (adds !== "nothing") this.#add({ frame, line, reason, ...(adds === "structure" && { level }) });
    }
    for (const reason of sequencesAt(this.#rules, this.#tree, node)) this.#add({ frame, line, reason });
    const called = this.#open.size === 0 ? undefined : this.#rules.calledName(node, this.#tree);
    if (called !== undefined) this.#countRecursion(called, line);
    return counted;
  }

  #add(counted: CountedIncrement): void {
    counted.frame.own.push(counted);
    this.#counted.push(counted);
  }

  /** Recursion counts once for each function, and not for those around it. */
  #countRecursion(called: string, line: number): void {
    const same = this.#open.get(called) ?? [];
    for (let at = same.length - 1; at >= 0; at--) {
      const frame = same[at];
      // If it is already recursive, so are those around it.
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

/** The sequences of equal operators that begin at an expression: `a && b && c` is one, `a && b || c` are two. */
function sequencesAt(rules: MetricRules, tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  if (rules.logicalOperator(node, tree) === undefined || isPartOfSequence(rules, tree, node)) return [];
  const operators = operatorsIn(rules, tree, node);
  return operators.filter((operator, index) => operator !== operators[index - 1]);
}

function isPartOfSequence(rules: MetricRules, tree: SyntaxTree, node: SyntaxNode): boolean {
  let { parent } = node;
  while (parent !== undefined && isTransparent(rules, parent)) ({ parent } = parent);
  return parent !== undefined && rules.logicalOperator(parent, tree) !== undefined;
}

/** The operators of an expression in reading order, without recursion: generated expressions have thousands. */
function operatorsIn(rules: MetricRules, tree: SyntaxTree, root: SyntaxNode): readonly string[] {
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

const isTransparent = (rules: MetricRules, node: SyntaxNode): boolean =>
  rules.isTransparent?.(node) ?? node.type === "parenthesized_expression";
