import type { Json } from "@toolwright/engine";
import type { Document, Node, Pair, YAMLError, YAMLMap } from "yaml";
import type { FieldPath } from "./diagnostics.js";
import type { TextDiagnostic } from "./read-pattern.js";

/** Where a part stands. */
export type Place = Pick<TextDiagnostic, "line" | "column">;

/** What a text of YAML says, where each part of it stands, and what is wrong with the writing. */
export interface ReadYaml {
  readonly value: Json;
  /** The place of a part, or of what holds it where it is not there. */
  readonly placeOf: (path: FieldPath, isOfKey: boolean) => Place;
  readonly diagnostics: readonly TextDiagnostic[];
  /** Whether the faults leave nothing that could be looked at further. */
  readonly isBroken: boolean;
}

/** Reads one document of YAML 1.2. Aliases and tags are refused: no pattern needs them, and some grow without end. */
export async function readYaml(text: string): Promise<ReadYaml> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const positionAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const broken = (offset: number, message: string, suggestion: string): ReadYaml => ({
    value: null,
    placeOf: () => ({ line: 1, column: 1 }),
    diagnostics: [{ ...positionAt(offset), message, suggestion }],
    isBroken: true,
  });

  const { tooComplex, unclosed } = scanTokens(new yaml.Lexer().lex(text));
  if (tooComplex !== undefined) {
    lines.addNewLine(0);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
    return broken(
      tooComplex,
      "It is nested too deeply, or has too many parts.",
      "Close the brackets; put each pattern into a file of its own.",
    );
  }
  const documents = yaml.parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: "error",
  });
  const [document, second] = [...documents] as (Document.Parsed | undefined)[];
  if (document === undefined)
    return broken(0, "The file contains only comments.", "Start with threat_pattern: and its fields.");
  const [wrong] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (wrong !== undefined && unclosed !== undefined)
    return broken(
      unclosed,
      "This quote or bracket is not closed.",
      `Add the missing ${CLOSERS[text[unclosed] ?? ""]}.`,
    );
  // What follows the first fault is mostly its doing.
  if (wrong !== undefined) return broken(wrong.pos[0], ...describeYamlError(wrong));
  if (second !== undefined) {
    const at = second.contents?.range[0] ?? document.range[2];
    return broken(at, "The file contains a second document.", "Put each pattern into a file of its own.");
  }

  const diagnostics: TextDiagnostic[] = [];
  let alias: number | undefined;
  yaml.visit(document, {
    Alias(_, node) {
      alias ??= (node as Node).range?.[0] ?? 0;
      return yaml.visit.BREAK;
    },
    Map(_, map) {
      for (const pair of repeated(map))
        diagnostics.push({
          ...positionAt((pair.key as Node).range?.[0] ?? 0),
          message: `${String(pair.key)} is a duplicate.`,
          suggestion: "Keep one of them.",
        });
    },
  });
  if (alias !== undefined) return broken(alias, "The file contains an alias.", "Repeat the text instead.");
  return {
    value: (document.toJS() ?? null) as Json,
    placeOf: (path, isOfKey) => positionAt(offsetOf(document, path, isOfKey)),
    diagnostics,
    isBroken: false,
  };

  function repeated(map: YAMLMap): readonly Pair[] {
    const seen = new Set<string>();
    return map.items.filter(({ key }) => {
      const name = yaml.isScalar(key) ? String(key.value) : undefined;
      if (name === undefined) return false;
      const isAgain = seen.has(name);
      seen.add(name);
      return isAgain;
    });
  }

  function offsetOf(from: Document.Parsed, path: FieldPath, isOfKey: boolean): number {
    let node: unknown = from.contents;
    let offset = from.contents?.range[0] ?? 0;
    for (const [at, step] of path.entries()) {
      const isLast = at === path.length - 1;
      if (yaml.isMap(node)) {
        const pair = node.items.findLast(({ key }) => yaml.isScalar(key) && String(key.value) === step);
        if (pair === undefined) return offset;
        const key = (pair.key as Node).range?.[0] ?? offset;
        const value = yaml.isScalar(pair.value) ? pair.value.range?.[0] : undefined;
        // What is below a key is shown by the key: people look for the name.
        offset = isLast && !isOfKey ? (value ?? key) : key;
        node = pair.value;
      } else if (yaml.isSeq(node)) {
        const item: unknown = node.items[step as number];
        if (!yaml.isNode(item)) return offset;
        offset = item.range?.[0] ?? offset;
        node = item;
      } else return offset;
    }
    return offset;
  }
}

const WORDS: Readonly<Record<string, readonly [message: string, suggestion: string]>> = {
  TAB_AS_INDENT: ["The line is indented with a tab.", "Indent with spaces."],
  BAD_INDENT: ["The indentation differs from the lines around it.", "Indent by two spaces for each level."],
  MISSING_CHAR: [
    "A quote or bracket is not closed, or a colon is missing.",
    "Close the quotes or brackets, or write name: value.",
  ],
  BLOCK_AS_IMPLICIT_KEY: ["The line contains a second colon.", "Put the value in quotes."],
  MULTILINE_IMPLICIT_KEY: [
    "A field name spans several lines.",
    "Write name: value in one line, and long text after >- or |.",
  ],
  BAD_SCALAR_START: ["A value cannot start with this character.", "Put the value in quotes."],
  BAD_DQ_ESCAPE: [
    "The double-quoted text contains an unknown escape.",
    "Write \\\\ for a backslash, or use single quotes.",
  ],
  TAG_RESOLVE_FAILED: ["The file contains a tag.", "Remove the word with the exclamation mark."],
  BAD_DIRECTIVE: ["The file contains an unknown directive.", "Remove the line with the percent sign."],
};

function describeYamlError({ code, message }: YAMLError): readonly [message: string, suggestion: string] {
  const said = `Invalid YAML: ${message.split("\n")[0] ?? ""}.`;
  return WORDS[code] ?? [said, "ScanResult at the line and the one above it."];
}

const CLOSERS: Readonly<Record<string, string>> = { "[": "]", "{": "}", '"': '"', "'": "'" };

/** More than any pattern has. */
const MAX_DEPTH = 32;
const MAX_COLUMN = 256;
/** Some faults take the composer a time that grows with the square of this. */
const MAX_FRAGMENTS = 30_000;

/** The marks that the lexer puts between pieces; they are no part of the text. */
const MARKS = new Set(["\u0002", "\u0018", "\u001f"]);
/** The mark that ends unclosed brackets. */
const BROKEN_OFF = "\u0018";

/** What can be told of a text before it is composed. */
interface Scan {
  /** Where it is nested deeper than a pattern can be, or has more parts. */
  readonly tooComplex?: number;
  /** Where a quote or bracket opens that nothing closes. */
  readonly unclosed?: number;
}

/**
 * Looks at the pieces of the lexer. The composer of the library goes down one call a level: ten thousand brackets end the process, and
 * nothing can catch that. And what is not closed, it complains of where it ends, not where it begins.
 */
function scanTokens(tokens: Iterable<string>): Scan {
  const open: number[] = [];
  let offset = 0;
  let lineStart = 0;
  let inLine = 0;
  let count = 0;
  let unclosed: number | undefined;
  for (const token of tokens) {
    if (token === BROKEN_OFF) unclosed ??= open.pop();
    if (MARKS.has(token)) continue;
    if (token === "[" || token === "{") open.push(offset);
    else if (token === "]" || token === "}") open.pop();
    else if (open.length === 0 && (token === "-" || token === "?" || token === ":")) {
      inLine++;
      if (offset - lineStart > MAX_COLUMN) return { tooComplex: offset };
    } else if (isOpenQuote(token)) unclosed ??= offset;
    count++;
    if (open.length > MAX_DEPTH || inLine > MAX_DEPTH || count > MAX_FRAGMENTS) return { tooComplex: offset };
    offset += token.length;
    if (token.includes("\n")) {
      lineStart = offset - (token.length - 1 - token.lastIndexOf("\n"));
      inLine = 0;
    }
  }
  unclosed ??= open.at(-1);
  return unclosed === undefined ? {} : { unclosed };
}

const isOpenQuote = (token: string): boolean =>
  /^["']/.test(token) && (token.length === 1 || !token.endsWith(token[0] ?? ""));
