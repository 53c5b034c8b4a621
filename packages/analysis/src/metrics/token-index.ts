import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Halstead } from "./measures.js";
import type { MetricRules } from "./rules.js";

/** Counts tokens: even numbers are operators, odd ones operands. One for each text. */
class TokenCounter {
  /** The number of the count in which each token was seen last. Functions are nested, so a token is counted several times. */
  readonly #seenIn: Uint32Array;
  #count = 0;

  constructor(distinct: number) {
    this.#seenIn = new Uint32Array(distinct * 2);
  }

  /** Halstead's measures of a range of tokens. */
  halstead(tokens: readonly number[], from: number, to: number): Halstead {
    this.#count += 1;
    let [operands, distinct, distinctOperands] = [0, 0, 0];
    for (let at = from; at < to; at++) {
      const id = tokens[at] ?? 0;
      const isOperand = id % 2;
      operands += isOperand;
      if (this.#seenIn[id] === this.#count) continue;
      this.#seenIn[id] = this.#count;
      distinct += 1;
      distinctOperands += isOperand;
    }
    return fromCounts(distinct - distinctOperands, distinctOperands, to - from - operands, operands);
  }
}

/** Halstead's formulas; zero if nothing was counted. */
function fromCounts(n1: number, n2: number, total1: number, total2: number): Halstead {
  const vocabulary = n1 + n2;
  const volume = vocabulary === 0 ? 0 : (total1 + total2) * Math.log2(vocabulary);
  const difficulty = n2 === 0 ? 0 : (n1 / 2) * (total2 / n2);
  return {
    distinct_operators: n1,
    distinct_operands: n2,
    operators: total1,
    operands: total2,
    volume: round(volume),
    difficulty: round(difficulty),
    effort: round(volume * difficulty),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** The tokens and lines of a text. They are counted once, so that the numbers of each function need no further pass. */
export class TokenIndex {
  readonly commentLines: number;
  /** The number of lines with code, up to and including each line. */
  readonly #codeUpTo: Uint32Array;
  /** The offset and the number of each token, in the order of the text: even numbers are operators, odd ones operands. */
  readonly #starts: readonly number[];
  readonly #tokens: readonly number[];
  readonly #counts: TokenCounter;

  constructor(rules: MetricRules, tree: SyntaxTree) {
    const { starts, tokens, code, comments, distinct } = indexTokens(rules, tree);
    this.#codeUpTo = new Uint32Array(code.length);
    for (let line = 1; line < code.length; line++)
      this.#codeUpTo[line] = (this.#codeUpTo[line - 1] ?? 0) + (code[line] ?? 0);
    this.commentLines = comments.reduce((all, one) => all + one, 0);
    this.#starts = starts;
    this.#tokens = tokens;
    this.#counts = new TokenCounter(distinct);
  }

  /** The number of lines with code in a range. */
  codeLines(from: number, to: number): number {
    return (this.#codeUpTo[to] ?? 0) - (this.#codeUpTo[from - 1] ?? 0);
  }

  /** Halstead's measures of a node. */
  halstead({ start, end }: Pick<SyntaxNode, "start" | "end">): Halstead {
    return this.#counts.halstead(this.#tokens, this.#indexAt(start), this.#indexAt(end));
  }

  /** The first token at or after an offset. */
  #indexAt(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function indexTokens(rules: MetricRules, tree: SyntaxTree) {
  const [starts, tokens]: [number[], number[]] = [[], []];
  const numbers = new TokenNumbers();
  // One flag for each line.
  const lines = tree.lineAt(tree.text.length) + 1;
  const [code, comments] = [new Uint8Array(lines), new Uint8Array(lines)];
  const open = [tree.root];
  // Below a node that counts as one token, only the lines matter.
  let countedUpTo = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const token = node.start < countedUpTo ? "inside" : rules.token(node);
    if (token !== "inside") countedUpTo = node.end;
    if (token === "operator" || token === "operand") {
      starts.push(node.start);
      tokens.push(numbers.of(tokenText(tree, node), token));
    }
    if (node.isComment) addLines(comments, tree, node);
    else if (node.children.length === 0) addLines(code, tree, node);
    else for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
  return { starts, tokens, code, comments, distinct: numbers.distinct };
}

/** The text of a token. Keytokens and punctuation are their own type, which saves a substring. */
function tokenText(tree: SyntaxTree, node: SyntaxNode): string {
  const isType =
    !node.isNamed && node.end - node.start === node.type.length && tree.text.startsWith(node.type, node.start);
  return isType ? node.type : tree.textOf(node);
}

/** Numbers for tokens, equal for equal tokens. */
class TokenNumbers {
  readonly #operators = new Map<string, number>();
  readonly #operands = new Map<string, number>();

  get distinct(): number {
    return this.#operators.size + this.#operands.size;
  }

  of(text: string, token: "operator" | "operand"): number {
    const isOperand = token === "operand";
    const numbers = isOperand ? this.#operands : this.#operators;
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const number = this.distinct * 2 + (isOperand ? 1 : 0);
    numbers.set(text, number);
    return number;
  }
}

function addLines(lines: Uint8Array, tree: SyntaxTree, node: SyntaxNode): void {
  // The parser inserts missing tokens, which are empty.
  if (node.end === node.start) return;
  const last = tree.endLine(node);
  for (let line = node.line; line <= last; line++) lines[line] = 1;
}
