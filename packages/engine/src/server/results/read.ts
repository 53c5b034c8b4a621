import { ToolError } from "../../protocol/outcome.js";
import { type Body, readText } from "./body.js";
import { handleOf, type Kept } from "./kept.js";
import { type Lines, lineAt, startOfLine } from "./lines.js";
import { READ_TOOL } from "./options.js";
import { createFinder, type Sought } from "./pattern.js";
import { findPointer, notJson } from "./pointer.js";
import { searchText } from "./search.js";
import { shapeOf } from "./shape.js";

const DEFAULT_HITS = 50;

/** What the reading tool takes, besides the handle. */
export interface Wish extends Partial<Sought> {
  readonly from_line?: number;
  readonly to_line?: number;
  readonly from_byte?: number;
  readonly bytes?: number;
  readonly pointer?: string;
  readonly most?: number;
}

/** A text result that is open to be read. */
export interface Opened {
  readonly kept: Kept & { readonly lines: Lines };
  readonly body: Body;
  /** The most that one answer may hold. */
  readonly budgetBytes: number;
  readonly signal: AbortSignal;
}

/** Arguments of the reading tool as a model can copy them. */
export const example = (kept: Pick<Kept, "id">, wish: Wish): string =>
  JSON.stringify({ handle: handleOf(kept), ...wish });

/** Lines with their numbers, as many as the budget allows. */
export async function readLines({ kept, body, budgetBytes }: Opened, wish: Wish): Promise<string> {
  const { count } = kept.lines;
  const from = wish.from_line ?? 1;
  const to = Math.min(wish.to_line ?? count, count);
  if (from > count) throw behindEnd(kept, `line ${from}`, linesOf(count), { from_line: Math.max(1, count - 99) });
  if (to < from) throw wrong(`to_line ${to} lies before from_line ${from}.`, kept, { from_line: to, to_line: from });
  const start = await startOfLine(body, kept.lines, from);
  const passage = await readText(body, start, budgetBytes);
  const shown: string[] = [];
  let room = budgetBytes;
  let line = from;
  const texts = passage.text.split("\n");
  const isWhole = passage.to === body.bytes;
  for (const text of isWhole ? texts : texts.slice(0, -1)) {
    const numbered = `${line}: ${text}`;
    const cost = Buffer.byteLength(numbered) + 1;
    if (line > to || cost > room) break;
    shown.push(numbered);
    room -= cost;
    line += 1;
  }
  if (shown.length === 0) return readBytes({ kept, body, budgetBytes, signal: NEVER }, { from_byte: start });
  const title = `Lines ${from} to ${line - 1} of ${count}:`;
  return join(title, shown.join("\n"), line > count ? "This is the end." : next(kept, { from_line: line }));
}

/** A range of bytes, moved to where characters begin and end. */
export async function readBytes({ kept, body, budgetBytes }: Opened, wish: Wish): Promise<string> {
  const from = wish.from_byte ?? 0;
  if (from >= body.bytes)
    throw behindEnd(kept, `byte ${from}`, `${body.bytes} bytes`, { from_byte: Math.max(0, body.bytes - budgetBytes) });
  const passage = await readText(body, from, Math.min(wish.bytes ?? budgetBytes, budgetBytes));
  const line = await lineAt(body, kept.lines, passage.from);
  const title = `Bytes ${passage.from} to ${passage.to - 1} of ${body.bytes}, from line ${line} on:`;
  return join(
    title,
    passage.text,
    passage.to >= body.bytes ? "This is the end." : next(kept, { from_byte: passage.to }),
  );
}

/** The lines in which something is found, with their numbers. */
export async function search(opened: Opened, wish: Wish & Sought): Promise<string> {
  const { kept, body, budgetBytes, signal } = opened;
  const { count } = kept.lines;
  const { from_line, from_byte, pointer: _, bytes: __, ...rest } = wish;
  const { to_line, most = DEFAULT_HITS, ...sought } = rest;
  if ((from_line ?? 1) > count) throw behindEnd(kept, `line ${from_line}`, linesOf(count), { search: sought.search });
  if ((from_byte ?? 0) >= body.bytes)
    throw behindEnd(kept, `byte ${from_byte}`, `${body.bytes} bytes`, { search: sought.search });
  const from = from_byte ?? (await startOfLine(body, kept.lines, from_line ?? 1));
  const to = to_line === undefined || to_line >= count ? body.bytes : await startOfLine(body, kept.lines, to_line + 1);
  const line = await lineAt(body, kept.lines, from);
  const find = createFinder(sought);
  const hits = await searchText(body, find, { from, to, line }, { most, budgetBytes, signal });
  const what = JSON.stringify(sought.search);
  const onward = hits.next === undefined ? undefined : next(kept, { ...rest, from_byte: hits.next });
  const stopped = hits.isOutOfTime ? "The search was stopped because it takes long; it has not reached the end." : "";
  if (hits.lines.length === 0) return join(stopped || `Nothing has ${what} from line ${line} on.`, onward ?? "");
  const title = `${hits.lines.length} ${hits.lines.length === 1 ? "place has" : "places have"} ${what}:`;
  return join(title, hits.lines.join("\n"), stopped, onward ?? "There are no more.");
}

/** The value to which a JSON pointer leads, or its beginning and its shape. */
export async function readPointer({ kept, body, budgetBytes }: Opened, pointer: string): Promise<string> {
  if (!kept.isJson) throw notJson();
  const { kind, from, to, members } = await findPointer(body, pointer);
  const what = kind === "object" ? `object with ${members} keys` : kind === "array" ? `array of ${members}` : kind;
  const title = `${JSON.stringify(pointer)} is ${/^[aeiou]/.test(what) ? "an" : "a"} ${what}`;
  if (to - from <= budgetBytes) return join(`${title}:`, (await readText(body, from, to - from)).text);
  const part: Body = {
    ...body,
    bytes: to - from,
    read: (at, length) => body.read(from + at, Math.min(length, to - from - at)),
  };
  const shape = await shapeOf(part);
  const passage = await readText(body, from, budgetBytes);
  const inside = shape === undefined || shape.pointer === "" ? "" : next(kept, { pointer: pointer + shape.pointer });
  return join(
    `${title}, too large to show (${to - from} bytes). Its shape: ${shape?.words ?? kind}. Its first ${passage.to - from} bytes:`,
    passage.text,
    next(kept, { from_byte: passage.to, bytes: Math.min(to - passage.to, budgetBytes) }),
    inside.replace("Next", "Inside"),
  );
}

const NEVER = new AbortController().signal;

const next = (kept: Kept, wish: Wish): string => `Next: ${READ_TOOL} ${example(kept, wish)}`;

const linesOf = (count: number): string => `${count} ${count === 1 ? "line" : "lines"}`;

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");

/** Arguments that cannot be served, with ones that can. */
export function wrong(message: string, kept: Kept, wish: Wish): ToolError {
  return new ToolError(`${message} Try ${READ_TOOL} ${example(kept, wish)}`, { code: "INVALID_ARGUMENTS" });
}

function behindEnd(kept: Kept, what: string, all: string, wish: Wish): ToolError {
  return wrong(`There is no ${what}: the result has ${all}.`, kept, wish);
}
