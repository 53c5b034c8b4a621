import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";
import { WordCounts } from "./halstead.js";
import type { Halstead } from "./measures.js";
import type { Rules } from "./rules.js";

/** The words and lines of a text, gone through once: what each function has of them is then told without the tree. */
export class Tally {
  readonly commentLines: number;
  /** How many lines have code on them, up to and with each line. */
  readonly #codeUpTo: readonly number[];
  /** Where each operator and operand begins, in the order of the text, and its word: even numbers are operators, odd ones operands. */
  readonly #starts: readonly number[];
  readonly #words: readonly number[];
  readonly #counts: WordCounts;

  constructor(rules: Rules, tree: SyntaxTree) {
    const { starts, words, code, comments, numbers } = goThrough(rules, tree);
    const upTo = [0];
    for (let line = 1; line <= tree.lineAt(tree.text.length); line++)
      upTo.push((upTo[line - 1] ?? 0) + (code.has(line) ? 1 : 0));
    this.commentLines = comments.size;
    this.#codeUpTo = upTo;
    this.#starts = starts;
    this.#words = words;
    this.#counts = new WordCounts(numbers.size);
  }

  /** How many lines from one to another have code on them. */
  codeLines(from: number, to: number): number {
    return (this.#codeUpTo[to] ?? 0) - (this.#codeUpTo[from - 1] ?? 0);
  }

  /** Halstead's counts of what lies in a node. */
  halstead({ start, end }: Pick<SyntaxNode, "start" | "end">): Halstead {
    return this.#counts.halstead(this.#words, this.#indexAt(start), this.#indexAt(end));
  }

  /** The first word that begins at an offset or behind it. */
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

function goThrough(rules: Rules, tree: SyntaxTree) {
  const found = { starts: [] as number[], words: [] as number[], code: new Set<number>(), comments: new Set<number>() };
  const numbers = new Map<string, number>();
  const open = [tree.root];
  // Below what counts as one, only the lines are of interest.
  let countedUpTo = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const token = node.start < countedUpTo ? "inside" : rules.token(node);
    if (token !== "inside") countedUpTo = node.end;
    if (token === "operator" || token === "operand") {
      found.starts.push(node.start);
      found.words.push(numberOf(numbers, tree.textOf(node), token === "operand"));
    }
    if (node.isComment) addLines(found.comments, tree, node);
    else if (node.children.length === 0) addLines(found.code, tree, node);
    else for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
  return { ...found, numbers };
}

/** A number for a word, the same for the same word. */
function numberOf(numbers: Map<string, number>, text: string, isOperand: boolean): number {
  const key = isOperand ? text : `\0${text}`;
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const number = numbers.size * 2 + (isOperand ? 1 : 0);
  numbers.set(key, number);
  return number;
}

function addLines(lines: Set<number>, tree: SyntaxTree, node: SyntaxNode): void {
  // What the parser has put in takes no room.
  if (node.end === node.start) return;
  const last = tree.endLine(node);
  for (let line = node.line; line <= last; line++) lines.add(line);
}
