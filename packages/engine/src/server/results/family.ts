import { ToolError } from "../../protocol/outcome.js";
import type { Limits } from "../limits.js";
import { type ResourceTemplate, type ResourceValue, resourceTemplate } from "../resource.js";
import { handleOf, type Kept, readHandle } from "./kept.js";
import { READ_TOOL } from "./options.js";
import type { ResultStore } from "./store.js";

/** What an answer needs besides the result in it. */
const AROUND = 4096;

/** The kept results as resources: read whole where a message can hold them, never listed. */
export function createFamily(store: ResultStore, limits: Limits): ResourceTemplate {
  return resourceTemplate({
    uri: "result://{id}",
    name: "result",
    title: "Cut results",
    description: `The whole of a tool's result that was too large to show; parts of it are read with the tool ${READ_TOOL}.`,
    async read({ id }: { id: string }, call): Promise<ResourceValue> {
      const { messageBytes } = limits;
      const known = readHandle(id);
      const kept = known === undefined ? undefined : store.find(known, call.principal);
      const body = kept && (await store.body(kept));
      if (kept === undefined || body === undefined) return undefined;
      try {
        // Base64 takes four characters for three bytes; text takes at least as many bytes as it has.
        if (leastOnWire(kept) > messageBytes) throw tooLarge(kept, messageBytes);
        const bytes = await body.read(0, kept.bytes);
        if (kept.lines === undefined) return { blob: bytes, mimeType: kept.mimeType };
        const text = bytes.toString();
        if (Buffer.byteLength(JSON.stringify(text)) + AROUND > messageBytes) throw tooLarge(kept, messageBytes);
        return { text, mimeType: kept.mimeType };
      } finally {
        await body.close();
      }
    },
  });
}

const leastOnWire = ({ bytes, lines }: Kept): number =>
  (lines === undefined ? Math.ceil(bytes / 3) * 4 : bytes) + AROUND;

function tooLarge(kept: Kept, most: number): ToolError {
  const how =
    kept.lines === undefined
      ? "It is binary, and there is no way to read a part of it: call the tool for less at once."
      : `Read it in parts with the tool ${READ_TOOL}: ${JSON.stringify({ handle: handleOf(kept), from_line: 1 })}`;
  return new ToolError(`The result has ${kept.bytes} bytes; a message holds ${most}. ${how}`, {
    code: "RESULT_TOO_LARGE",
    details: { limit: "messageBytes", bytes: kept.bytes, most },
  });
}
