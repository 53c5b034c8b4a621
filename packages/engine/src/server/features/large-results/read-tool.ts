import { ToolError } from "../../../protocol/outcome.js";
import type { Call } from "../../call.js";
import { type Tool, tool } from "../../definitions/tool.js";
import { resolveJsonPointer, summarizeJson } from "./json-structure.js";
import { READ_RESULT_TOOL } from "./options.js";
import { normalizeHandle, type ResultStore, type StoredResult } from "./result-store.js";
import { countNewlines, findLineStart, readText } from "./text-range.js";

const MAX_MATCHES = 50;
const MAX_PATTERN_LENGTH = 1000;
/** How much of a line is shown before and after a match, and of the match itself. */
const CONTEXT_CHARS = 200;

/** The arguments of the tool, without the handle. */
interface ReadOptions {
  readonly from_line?: number;
  readonly to_line?: number;
  readonly from_byte?: number;
  readonly bytes?: number;
  readonly search?: string;
  readonly ignore_case?: boolean;
  readonly pointer?: string;
}

type TextResult = StoredResult & { readonly lines: number };

/** Formats arguments of the tool so that a model can copy them. */
export const exampleArguments = ({ handle }: StoredResult, options: ReadOptions): string =>
  JSON.stringify({ handle, ...options });

/** Reads numbered lines, as many as the budget allows. */
function readLines(result: TextResult, options: ReadOptions, budgetBytes: number): string {
  const { from_line: first = 1, to_line: last = result.lines } = options;
  const start = startOffset(result, options);
  if (last < first) throw invalidExample(`to_line ${last} is before from_line ${first}.`, result, { from_line: first });
  const { text, end } = readText(result.bytes, start, budgetBytes);
  const lines = text.split("\n");
  // The last line may be incomplete.
  if (end < result.bytes.length) lines.pop();
  const numbered: string[] = [];
  let remainingBytes = budgetBytes;
  for (const line of lines.slice(0, Math.min(last, result.lines) - first + 1)) {
    const formatted = `${first + numbered.length}: ${line}`;
    remainingBytes -= Buffer.byteLength(formatted) + 1;
    if (remainingBytes < 0) break;
    numbered.push(formatted);
  }
  if (numbered.length === 0) return readBytes(result, { from_byte: start }, budgetBytes);
  const next = first + numbered.length;
  const title = `Lines ${first} to ${next - 1} of ${result.lines}:`;
  return joinLines(title, numbered.join("\n"), next > result.lines ? END : nextHint(result, { from_line: next }));
}

/** Reads a range of bytes, adjusted to complete characters. */
function readBytes(result: TextResult, options: ReadOptions, budgetBytes: number): string {
  const { length } = result.bytes;
  const maxBytes = Math.min(options.bytes ?? budgetBytes, budgetBytes);
  const { text, start, end } = readText(result.bytes, startOffset(result, options), maxBytes);
  const line = countNewlines(result.bytes, 0, start) + 1;
  const title = `Bytes ${start} to ${end - 1} of ${length}, from line ${line} on:`;
  return joinLines(title, text, end >= length ? END : nextHint(result, { from_byte: end }));
}

/** Returns each matching line with its number, or the context of each match in a long line. */
function searchResult(result: TextResult, options: ReadOptions, budgetBytes: number): string {
  const { search = "", ignore_case = false } = options;
  const { bytes } = result;
  const pattern = compilePattern(search, ignore_case);
  // The position of the last excerpt: in bytes, in lines, and in characters after the start.
  let offset = startOffset(result, options);
  let line = countNewlines(bytes, 0, offset) + 1;
  let index = 0;
  const text = bytes.toString("utf8", offset);
  const lines: string[] = [];
  let end = END;
  let remainingBytes = budgetBytes;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const excerpt = createExcerpt(text, match);
    const start = offset + Buffer.byteLength(text.slice(index, excerpt.index));
    line += countNewlines(bytes, offset, start);
    index = excerpt.index;
    offset = start;
    // The conversion replaces surrogates that are split.
    const shown = Buffer.from(excerpt.text).toString();
    const formatted = excerpt.isWholeLine ? `${line}: ${shown}` : `${line} (byte ${offset}): ${shown}`;
    remainingBytes -= Buffer.byteLength(formatted) + 1;
    if (lines.length === MAX_MATCHES || (remainingBytes < 0 && lines.length > 0)) {
      end = nextHint(result, { search, ...(ignore_case && { ignore_case }), from_byte: offset });
      break;
    }
    lines.push(formatted);
    pattern.lastIndex = excerpt.end;
  }
  const count = lines.length === 0 ? "No" : String(lines.length);
  const title = `${count} ${lines.length === 1 ? "match" : "matches"} for ${JSON.stringify(search)}:`;
  return joinLines(title, lines.join("\n"), end);
}

/** A pattern for the literal text: the search takes linear time. */
function compilePattern(search: string, ignoreCase: boolean): RegExp {
  if (search === "") throw invalidArguments("search is empty: set it to the text to find.");
  if (search.length > MAX_PATTERN_LENGTH)
    throw invalidArguments(`search has ${search.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed.`);
  return new RegExp(search.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), ignoreCase ? "gi" : "g");
}

/** A match and what surrounds it in its line. */
interface Excerpt {
  readonly text: string;
  readonly isWholeLine: boolean;
  /** Where the line starts, or the match if only a part of the line is shown. */
  readonly index: number;
  /** Where the search continues, so that nothing is shown twice. */
  readonly end: number;
}

function createExcerpt(text: string, { 0: matched, index }: RegExpExecArray): Excerpt {
  const before = text.slice(Math.max(0, index - CONTEXT_CHARS), index);
  const after = text.slice(index, index + Math.min(matched.length, CONTEXT_CHARS) + CONTEXT_CHARS);
  const lineStart = before.lastIndexOf("\n") + 1;
  const newline = after.indexOf("\n");
  const isStartShown = lineStart > 0 || index <= CONTEXT_CHARS;
  const isEndShown = newline !== -1 || index + after.length === text.length;
  const shown = before.slice(lineStart) + (newline === -1 ? after : after.slice(0, newline));
  const start = index - before.length + lineStart;
  const isWholeLine = isStartShown && isEndShown;
  return {
    text: `${isStartShown ? "" : "…"}${shown}${isEndShown ? "" : "…"}`,
    isWholeLine,
    index: isWholeLine ? start : index,
    end: start + shown.length + (isEndShown ? 1 : 0),
  };
}

/** Reads the value that a JSON pointer refers to, or its start and its structure. */
function readPointerValue(result: TextResult, pointer: string, budgetBytes: number): string {
  if (result.mimeType !== "application/json")
    throw invalidArguments("The result is not JSON: read it by lines or bytes, or search it.");
  const text = result.bytes.toString();
  const location = resolveJsonPointer(text, pointer);
  const value = text.slice(location.start, location.end);
  const size = Buffer.byteLength(value);
  const name = JSON.stringify(pointer);
  if (size <= budgetBytes) return `${name}:\n${value}`;
  const start = Buffer.byteLength(text.slice(0, location.start));
  const excerpt = readText(result.bytes, start, budgetBytes);
  const { description = "", examplePointer = "" } = summarizeJson(value) ?? {};
  return joinLines(
    `${name} is too large to show: ${size} bytes. Structure: ${description}. The first ${excerpt.end - start} bytes:`,
    excerpt.text,
    nextHint(result, { from_byte: excerpt.end, bytes: Math.min(start + size - excerpt.end, budgetBytes) }),
    examplePointer === "" ? "" : `Inside: ${example(result, { pointer: pointer + examplePointer })}`,
  );
}

/** The offset at which the arguments say to start. Throws `ToolError` if it is after the end. */
function startOffset(result: TextResult, { from_line, from_byte }: ReadOptions): number {
  const { bytes, lines } = result;
  if (from_line !== undefined && from_line > lines)
    throw invalidExample(`There is no line ${from_line}: the result has ${lines}.`, result, { from_line: lines });
  const offset = from_byte ?? findLineStart(bytes, from_line ?? 1);
  if (offset >= bytes.length)
    throw invalidExample(`There is no byte ${offset}: the result has ${bytes.length}.`, result, { from_byte: 0 });
  return offset;
}

const END = "End of the result.";

const example = (result: StoredResult, options: ReadOptions): string =>
  `${READ_RESULT_TOOL} ${exampleArguments(result, options)}`;

const nextHint = (result: StoredResult, options: ReadOptions): string => `Next: ${example(result, options)}`;

const joinLines = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");

const invalidArguments = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENTS" });

/** The error for arguments that cannot be combined or are out of range, with an example of valid ones. */
const invalidExample = (message: string, result: StoredResult, options: ReadOptions): ToolError =>
  invalidArguments(`${message} Try ${example(result, options)}`);

const integerProperty = (minimum: number, description: string) => ({ type: "integer", minimum, description }) as const;

const INPUT = {
  type: "object",
  properties: {
    handle: { type: "string", description: "result://… of the truncated result" },
    from_line: integerProperty(1, "First line, from 1"),
    to_line: integerProperty(1, "Last line"),
    from_byte: integerProperty(0, "First byte, from 0"),
    bytes: integerProperty(1, "How many bytes"),
    search: { type: "string", description: "Shows the lines with this text" },
    ignore_case: { type: "boolean", description: "For search" },
    pointer: { type: "string", description: "JSON pointer such as /items/0/name" },
  },
  required: ["handle"],
  additionalProperties: false,
} as const;

/** Creates the tool that reads truncated results. */
export function createReadTool(store: ResultStore, budgetBytes: number): Tool {
  return tool({
    name: READ_RESULT_TOOL,
    title: "Read a truncated result",
    description:
      "Reads on in a result that was too large to show at once: by lines, bytes, search, or for JSON by pointer.",
    input: INPUT,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budgetBytes: Number.POSITIVE_INFINITY,
    run({ handle, ...options }: ReadOptions & { handle: string }, call: Call) {
      const result = findTextResult(store, handle, call.principal);
      const mode = readMode(options);
      const allowed: readonly string[] = ARGUMENTS_BY_MODE[mode];
      const other = Object.keys(options).find((name) => !allowed.includes(name));
      if (other !== undefined)
        throw invalidExample(`${other} cannot be used when reading by ${mode}.`, result, { from_line: 1 });
      if (mode === "pointer") return readPointerValue(result, options.pointer ?? "", budgetBytes);
      if (mode === "search") return searchResult(result, options, budgetBytes);
      return mode === "bytes" ? readBytes(result, options, budgetBytes) : readLines(result, options, budgetBytes);
    },
  });
}

/** What can be read, and the arguments that select the part. */
const ARGUMENTS_BY_MODE = {
  pointer: ["pointer"],
  search: ["search", "ignore_case", "from_line", "from_byte"],
  bytes: ["from_byte", "bytes"],
  lines: ["from_line", "to_line"],
} as const;

function readMode({ pointer, search, from_byte, bytes }: ReadOptions): keyof typeof ARGUMENTS_BY_MODE {
  if (pointer !== undefined) return "pointer";
  if (search !== undefined) return "search";
  return (from_byte ?? bytes) === undefined ? "lines" : "bytes";
}

function findTextResult(store: ResultStore, handle: string, principal: string | undefined): TextResult {
  if (normalizeHandle(handle) === undefined)
    throw invalidArguments(
      `${JSON.stringify(handle.slice(0, 100))} is not a handle: expected result:// and 32 hexadecimal digits, ` +
        "as in the truncated result.",
    );
  const result = store.find(handle, principal);
  if (result === undefined)
    throw new ToolError(
      `There is no result ${handle}: it has expired, was evicted, or never existed. Call the tool that returned it again.`,
      { code: "RESULT_NOT_FOUND" },
    );
  const { lines, bytes, mimeType } = result;
  if (lines !== undefined) return { ...result, lines };
  throw invalidArguments(
    `This result is binary (${mimeType}, ${bytes.length} bytes) and cannot be read by lines, bytes, search or pointer. ` +
      `Read it as the resource ${handle}.`,
  );
}
