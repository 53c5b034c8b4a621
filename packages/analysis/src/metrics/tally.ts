import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Halstead } from "./measures.js";
import type { Rules } from "./rules.js";

/** Counts words: even numbers are operators, odd ones operands. One for each text, with room for its distinct words. */
export class WordCounts {
  /** In which count each word was met last: functions lie in each other, so that a word is counted often. */
  readonly #metIn: Uint32Array;
  #count = 0;

  constructor(distinct: number) {
    this.#metIn = new Uint32Array(distinct * 2);
  }

  /** What Halstead makes of the words from one to before another. */
  halstead(words: readonly number[], from: number, to: number): Halstead {
    this.#count += 1;
    let [operands, distinct, distinctOperands] = [0, 0, 0];
    for (let at = from; at < to; at++) {
      const word = words[at] ?? 0;
      const isOperand = word % 2;
      operands += isOperand;
      if (this.#metIn[word] === this.#count) continue;
      this.#metIn[word] = this.#count;
      distinct += 1;
      distinctOperands += isOperand;
    }
    return fromCounts(distinct - distinctOperands, distinctOperands, to - from - operands, operands);
  }
}

/** Halstead's formulas; where nothing was counted they give nothing. */
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

/** The words and lines of a text, gone through once: what each function has of them is then told without the tree. */
export class Tally {
  readonly commentLines: number;
  /** How many lines have code on them, up to and with each line. */
  readonly #codeUpTo: Uint32Array;
  /** Where each operator and operand begins, in the order of the text, and its word: even numbers are operators, odd ones operands. */
  readonly #starts: readonly number[];
  readonly #words: readonly number[];
  readonly #counts: WordCounts;

  constructor(rules: Rules, tree: SyntaxTree) {
    const { starts, words, code, comments, distinct } = goThrough(rules, tree);
    this.#codeUpTo = new Uint32Array(code.length);
    for (let line = 1; line < code.length; line++)
      this.#codeUpTo[line] = (this.#codeUpTo[line - 1] ?? 0) + (code[line] ?? 0);
    this.commentLines = comments.reduce((all, one) => all + one, 0);
    this.#starts = starts;
    this.#words = words;
    this.#counts = new WordCounts(distinct);
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
  const [starts, words]: [number[], number[]] = [[], []];
  const numbers = new WordNumbers();
  // One for each line that has some.
  const lines = tree.lineAt(tree.text.length) + 1;
  const [code, comments] = [new Uint8Array(lines), new Uint8Array(lines)];
  const open = [tree.root];
  // Below what counts as one, only the lines are of interest.
  let countedUpTo = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const token = node.start < countedUpTo ? "inside" : rules.token(node);
    if (token !== "inside") countedUpTo = node.end;
    if (token === "operator" || token === "operand") {
      starts.push(node.start);
      words.push(numbers.of(wordOf(tree, node), token));
    }
    if (node.isComment) addLines(comments, tree, node);
    else if (node.children.length === 0) addLines(code, tree, node);
    else for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
  return { starts, words, code, comments, distinct: numbers.distinct };
}

/** What stands there. Of keywords and punctuation that is their type, and no new text has to be made. */
function wordOf(tree: SyntaxTree, node: SyntaxNode): string {
  const isType =
    !node.isNamed && node.end - node.start === node.type.length && tree.text.startsWith(node.type, node.start);
  return isType ? node.type : tree.textOf(node);
}

/** Numbers for words, the same for the same word. */
class WordNumbers {
  readonly #operators = new Map<string, number>();
  readonly #operands = new Map<string, number>();

  get distinct(): number {
    return this.#operators.size + this.#operands.size;
  }

  of(word: string, token: "operator" | "operand"): number {
    const isOperand = token === "operand";
    const numbers = isOperand ? this.#operands : this.#operators;
    const known = numbers.get(word);
    if (known !== undefined) return known;
    const number = this.distinct * 2 + (isOperand ? 1 : 0);
    numbers.set(word, number);
    return number;
  }
}

function addLines(lines: Uint8Array, tree: SyntaxTree, node: SyntaxNode): void {
  // What the parser has put in takes no room.
  if (node.end === node.start) return;
  const last = tree.endLine(node);
  for (let line = node.line; line <= last; line++) lines[line] = 1;
}
