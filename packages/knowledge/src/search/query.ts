import { eachToken, type WordForm } from "./terms.js";

/** A condition on passages: a tree of terms and phrases. */
export type Condition =
  | { readonly kind: "term"; readonly term: string }
  | { readonly kind: "phrase"; readonly keys: readonly string[]; readonly terms: readonly string[] }
  /** Symbols without a word, such as an emoji. */
  | { readonly kind: "signs"; readonly signs: string }
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition };

/** A parsed query. */
export interface Query {
  /** The query as it was parsed, for display. */
  readonly shown: string;
  /** The text without operators, for the embedder. */
  readonly text: string;
  /** The terms to search, with their weights. The parts of a name together weigh as much as the name. */
  readonly terms: ReadonlyMap<string, number>;
  /** What a passage must match. Undefined: any term is enough. */
  readonly condition: Condition | undefined;
  /** Why operators in the query were ignored. */
  readonly warnings: readonly string[];
}

/** A part of a query during parsing. */
interface Piece {
  readonly condition: Condition | undefined;
  /** A condition that the index cannot check, such as a stop word or symbols. Used if nothing else is required. */
  readonly bare: Condition | undefined;
  readonly shown: string;
  readonly text: string;
  readonly terms: ReadonlyMap<string, number>;
  /** Whether it requires more than "any of these words". */
  readonly isStrict: boolean;
}

/** Parses a query: words, "phrases", AND, OR, NOT, + and - before a word, and parentheses. An invalid expression is searched as plain words. */
export function readQuery(source: string): Query {
  const plain = source.trim();
  try {
    const { condition, shown, text, terms, isStrict } = new QueryReader(lexemesOf(source)).read();
    if (!isStrict) return { shown, text: plain, terms, condition: undefined, warnings: [] };
    return { shown, text, terms, condition, warnings: [] };
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error;
    const warning = `The query was searched as plain words: ${error.message}.`;
    return { shown: plain, text: plain, terms: weigh(formsOf(source)), condition: undefined, warnings: [warning] };
  }
}

class QueryReader {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  read(): Piece {
    const piece = this.#either();
    const left = this.#lexemes[this.#at];
    if (left !== undefined) throw new InvalidExpression(`the ")" at character ${left.at + 1} closes nothing`);
    if (piece.isStrict && piece.condition !== undefined && isOnlyNegative(piece.condition))
      throw new InvalidExpression("as an expression it would only exclude words");
    return piece;
  }

  #either(): Piece {
    const pieces = [this.#both()];
    while (this.#takes("OR")) pieces.push(this.#both("OR"));
    return pieces.length === 1 ? (pieces[0] as Piece) : join(pieces, "any", " OR ");
  }

  #both(after?: string): Piece {
    const pieces = [this.#sequence(after)];
    while (this.#takes("AND")) pieces.push(this.#sequence("AND"));
    return pieces.length === 1 ? (pieces[0] as Piece) : join(pieces.map(demand), "all", " AND ");
  }

  /** Adjacent words. Words with + and phrases are required, words with - are excluded, and any of the others is enough. */
  #sequence(after?: string): Piece {
    const [must, may]: [Piece[], Piece[]] = [[], []];
    const start = this.#at;
    for (;;) {
      const next = this.#lexemes[this.#at];
      if (next === undefined || next.sign === ")" || next.sign === "AND" || next.sign === "OR") break;
      this.#at += 1;
      if (next.sign === "+") must.push({ ...demand(this.#one(next)), isStrict: true });
      else if (next.sign === "-" || next.sign === "NOT") must.push(negate(demand(this.#one(next))));
      else {
        this.#at -= 1;
        const piece = this.#one(next);
        (next.sign === undefined && next.isPhrase && piece.isStrict ? must : may).push(piece);
      }
    }
    if (this.#at === start) this.#rejectEmpty(after);
    return toSequence(must, may);
  }

  #rejectEmpty(after: string | undefined): void {
    const found = this.#lexemes[this.#at];
    if (after !== undefined) throw new InvalidExpression(`there is nothing after ${after}`);
    if (found === undefined) return;
    const position = found.sign === ")" ? "in the parentheses" : `before the ${found.sign}`;
    throw new InvalidExpression(`there is nothing ${position} at character ${found.at + 1}`);
  }

  #one(after: Lexeme): Piece {
    const next = this.#lexemes[this.#at];
    if (next === undefined || (next.sign !== undefined && next.sign !== "("))
      throw new InvalidExpression(`there is nothing after the ${after.sign} at character ${after.at + 1}`);
    this.#at += 1;
    if (next.sign === undefined) return next.isPhrase ? toPhrase(next.text) : toWord(next.text);
    const inner = this.#either();
    if (!this.#takes(")")) throw new InvalidExpression(`the "(" at character ${next.at + 1} is not closed`);
    return inner.isStrict ? { ...inner, shown: `(${inner.shown})` } : inner;
  }

  #takes(sign: Sign): boolean {
    const isNext = this.#lexemes[this.#at]?.sign === sign;
    if (isNext) this.#at += 1;
    return isNext;
  }
}

function isOnlyNegative(condition: Condition): boolean {
  if (condition.kind === "not") return true;
  if (condition.kind === "any") return condition.of.some(isOnlyNegative);
  return condition.kind === "all" && condition.of.every(isOnlyNegative);
}

function toSequence(must: readonly Piece[], may: readonly Piece[]): Piece {
  const hasWanted = must.some(({ condition }) => condition !== undefined && !isOnlyNegative(condition));
  const some = join(may, "any", " ");
  if (must.length === 0) return some;
  const needed = hasWanted || some.condition === undefined ? must : [...must, some];
  return {
    ...join([...must, ...may], "all", " "),
    condition: group(
      "all",
      needed.map(({ condition }) => condition),
    ),
    isStrict: true,
  };
}

function join(pieces: readonly Piece[], kind: "all" | "any", between: string): Piece {
  const terms = new Map<string, number>();
  for (const piece of pieces)
    for (const [term, weight] of piece.terms) terms.set(term, (terms.get(term) ?? 0) + weight);
  return {
    condition: group(
      kind,
      pieces.map(({ condition }) => condition),
    ),
    bare: group(
      kind,
      pieces.map(({ bare }) => bare),
    ),
    shown: pieces
      .map(({ shown }) => shown)
      .filter(Boolean)
      .join(between),
    text: pieces
      .map(({ text }) => text)
      .filter(Boolean)
      .join(" "),
    terms,
    isStrict: kind === "all" || pieces.some(({ isStrict }) => isStrict),
  };
}

function group(kind: "all" | "any", conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const of = conditions.filter((each) => each !== undefined);
  return of.length > 1 ? { kind, of } : of[0];
}

/** Makes a piece required. Stop words are ignored among other words, but searched if they are the only required ones. */
const demand = (piece: Piece): Piece => ({ ...piece, condition: piece.condition ?? piece.bare });

const negate = (piece: Piece): Piece => ({
  condition: piece.condition && { kind: "not", of: piece.condition },
  bare: undefined,
  shown: `-${piece.shown}`,
  text: "",
  terms: new Map(),
  isStrict: true,
});

function formsOf(text: string): WordForm[] {
  const forms: WordForm[] = [];
  eachToken(text, (_start, _end, form, kind) => {
    if (kind !== "single") forms.push(form);
  });
  return forms;
}

function weigh(forms: readonly WordForm[]): Map<string, number> {
  const terms = new Map<string, number>();
  for (const form of forms)
    for (const [index, term] of form.terms.entries())
      terms.set(term, (terms.get(term) ?? 0) + (index === 0 ? 1 : 1 / (form.terms.length - 1)));
  return terms;
}

function toWord(text: string): Piece {
  const forms = formsOf(text);
  const of = forms.flatMap(({ terms: [term] }) => (term === undefined ? [] : [{ kind: "term", term } as const]));
  const bare = bareOf(text, forms);
  return { condition: group("all", of), bare, shown: text, text, terms: weigh(forms), isStrict: false };
}

function bareOf(text: string, forms: readonly WordForm[]): Condition | undefined {
  if (forms.length > 0) return { kind: "phrase", keys: forms.map(({ key }) => key), terms: [] };
  const signs = text.trim();
  return signs === "" ? undefined : { kind: "signs", signs };
}

function toPhrase(text: string): Piece {
  const forms = formsOf(text);
  const terms = forms.flatMap(({ terms: [term] }) => term ?? []);
  const bare = bareOf(text, forms);
  const [first] = terms;
  // A phrase of one word is a term. A phrase of stop words or symbols only is not in the index.
  const indexed: Condition | undefined =
    first === undefined
      ? undefined
      : forms.length === 1
        ? { kind: "term", term: first }
        : { kind: "phrase", keys: forms.map(({ key }) => key), terms };
  const condition = indexed ?? bare;
  return { condition, bare, shown: `"${text}"`, text, terms: weigh(forms), isStrict: condition !== undefined };
}

/** An operator. */
type Sign = "(" | ")" | "AND" | "OR" | "NOT" | "+" | "-";
/** An operator, a word or a phrase, with its offset. */
type Lexeme =
  | { readonly sign: Sign; readonly at: number }
  | { readonly sign: undefined; readonly at: number; readonly text: string; readonly isPhrase: boolean };

/** More than any reasonable query has. Protects against queries that are made to be slow. */
const MAX_LEXEMES = 2000;
const QUOTES = new Map([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
]);

/** The query is not a valid expression. */
class InvalidExpression extends Error {
  override readonly name = "InvalidExpression";
}

/** What may follow + and -. A - before a number or a single letter is plain text, such as -40 or `tar -x`. */
const WANTED = /^["“„«(\p{L}\p{N}_]/u;
const UNWANTED = /^(?:["“„«(]|(?![A-Za-z](?![\p{L}\p{N}_]))[\p{L}_])/u;

/** Splits a query into lexemes. Throws `InvalidExpression` if a quotation mark is not closed. */
function lexemesOf(source: string): Lexeme[] {
  const found: Lexeme[] = [];
  let depth = 0;
  for (let at = 0; at < source.length; ) {
    const character = source[at] as string;
    const closing = QUOTES.get(character);
    if (/\s/.test(character)) at += 1;
    else if (closing !== undefined) {
      const end = source.indexOf(closing, at + 1);
      if (end === -1) throw new InvalidExpression(`the quotation mark at character ${at + 1} is not closed`);
      found.push({ sign: undefined, at, text: source.slice(at + 1, end), isPhrase: true });
      at = end + 1;
    } else if (character === "(" || (character === ")" && depth > 0)) {
      depth += character === "(" ? 1 : -1;
      found.push({ sign: character, at });
      at += 1;
    } else if ((character === "+" || character === "-") && isSign(source, at)) {
      found.push({ sign: character, at });
      at += 1;
    } else {
      const end = wordEnd(source, at, depth > 0);
      const text = source.slice(at, end);
      if (text === "AND" || text === "OR" || text === "NOT") found.push({ sign: text, at });
      else found.push({ sign: undefined, at, text, isPhrase: false });
      at = end;
    }
  }
  if (found.length > MAX_LEXEMES) throw new InvalidExpression(`it has more than ${MAX_LEXEMES} words and signs`);
  return found;
}

/** Whether a + or - is at the start of a word. */
function isSign(source: string, at: number): boolean {
  const isStart = at === 0 || /[\s(]/.test(source[at - 1] as string);
  return isStart && (source[at] === "+" ? WANTED : UNWANTED).test(source.slice(at + 1, at + 5));
}

/** The end of a word. Parentheses inside a word are part of it: `call(x)`. */
function wordEnd(source: string, start: number, isInside: boolean): number {
  let [at, open] = [start, 0];
  for (; at < source.length; at += 1) {
    const character = source[at] as string;
    if (/\s/.test(character)) break;
    if (character === "(") open += 1;
    else if (character === ")") {
      if (open === 0 && isInside) break;
      open -= 1;
    }
  }
  return at;
}
