import { ToolError } from "../../protocol/outcome.js";
import type { Call } from "../call.js";
import { type Tool, tool } from "../tool.js";
import { type Kept, readHandle } from "./kept.js";
import type { Lines } from "./lines.js";
import { READ_TOOL } from "./options.js";
import { readBytes, readLines, readPointer, search, type Wish, wrong } from "./read.js";
import type { ResultStore } from "./store.js";

const whole = (minimum: number, description: string) => ({ type: "integer", minimum, description }) as const;

const INPUT = {
  type: "object",
  properties: {
    handle: { type: "string", description: "result://… of the cut result" },
    from_line: whole(1, "First line, from 1"),
    to_line: whole(1, "Last line"),
    from_byte: whole(0, "First byte, from 0"),
    bytes: whole(1, "How many bytes"),
    search: { type: "string", description: "Shows the lines with this text" },
    regex: { type: "boolean", description: "search is a regular expression" },
    ignore_case: { type: "boolean", description: "For search" },
    most: { ...whole(1, "Most places of a search; 50 by default"), maximum: 1000 },
    pointer: { type: "string", description: "JSON pointer such as /items/0/name" },
  },
  required: ["handle"],
  additionalProperties: false,
} as const;

/** The one tool that reads on in results that were cut. */
export function createReadTool(store: ResultStore, budgetBytes: number): Tool {
  return tool({
    name: READ_TOOL,
    title: "Read a cut result",
    description:
      "Reads on in a result that was too large to show at once: by lines, bytes, search, or for JSON by pointer.",
    input: INPUT,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budgetBytes: Number.POSITIVE_INFINITY,
    async run({ handle, ...wish }: Wish & { handle: string }, call: Call) {
      const kept = find(store, handle, call.principal);
      checkWish(kept, wish);
      const body = await store.body(kept);
      if (body === undefined) throw notFound(handle);
      try {
        const opened = { kept, body, budgetBytes, signal: call.signal };
        if (wish.pointer !== undefined) return await readPointer(opened, wish.pointer);
        if (wish.search !== undefined) return await search(opened, { ...wish, search: wish.search });
        const isByBytes = wish.from_byte !== undefined || wish.bytes !== undefined;
        return await (isByBytes ? readBytes(opened, wish) : readLines(opened, wish));
      } finally {
        await body.close();
      }
    },
  });
}

function find(store: ResultStore, handle: string, principal: string | undefined): Kept & { readonly lines: Lines } {
  const id = readHandle(handle);
  if (id === undefined) {
    const form = "a handle is result:// and 32 digits of 0-9 and a-f, as the cut result gave it";
    throw new ToolError(`${JSON.stringify(handle.slice(0, 100))} is no handle: ${form}.`, {
      code: "INVALID_ARGUMENTS",
    });
  }
  const kept = store.find(id, principal);
  if (kept === undefined) throw notFound(handle);
  const { lines, bytes, mimeType } = kept;
  if (lines !== undefined) return { ...kept, lines };
  throw new ToolError(
    `This result is binary (${mimeType}, ${bytes} bytes) and cannot be read by lines, bytes, search or pointer. ` +
      `Read it whole, as the resource ${handle}.`,
    { code: "INVALID_ARGUMENTS" },
  );
}

function notFound(handle: string): ToolError {
  return new ToolError(
    `There is no result ${handle}: it has expired, had to make room, or never was. Call the tool that gave it again.`,
    { code: "RESULT_NOT_FOUND" },
  );
}

/** The ways to read, and what goes along with each. */
function checkWish(kept: Kept, wish: Wish): void {
  const { from_line, to_line, from_byte, bytes, search: text, regex, ignore_case, most, pointer } = wish;
  const given = { from_line, to_line, from_byte, bytes, search: text, regex, ignore_case, most };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  if (pointer !== undefined && named.length > 0)
    throw wrong(`pointer goes alone, without ${named.map(([name]) => name).join(", ")}.`, kept, { pointer });
  if (text === undefined && (regex ?? ignore_case ?? most) !== undefined)
    throw wrong("regex, ignore_case and most belong to search, which is missing.", kept, { search: "text" });
  if (text !== undefined && bytes !== undefined)
    throw wrong("bytes does not go with search; bound a search with to_line or most.", kept, { search: text });
  if (from_line !== undefined && (from_byte ?? bytes) !== undefined)
    throw wrong("Give lines or bytes, not both.", kept, { from_line });
  if (text === undefined && to_line !== undefined && (from_byte ?? bytes) !== undefined)
    throw wrong("Give lines or bytes, not both.", kept, { from_byte: from_byte ?? 0 });
}
