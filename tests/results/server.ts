import {
  createServer,
  type JsonObject,
  type LogEntry,
  type ResultsOptions,
  type Server,
  tool,
} from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";

/** A server whose tools give these values, by name; its log goes into `entries`. */
export function giving(
  values: Readonly<Record<string, unknown>>,
  results: boolean | ResultsOptions = { budgetBytes: 1000 },
  entries: LogEntry[] = [],
): Server {
  const tools = Object.entries(values).map(([name, value]) =>
    tool({ name, description: `Gives ${name}.`, run: () => value as string }),
  );
  return createServer({ name: "test", version: "1.0.0", log: (entry) => void entries.push(entry), results, tools });
}

/** `line 1` … with so many lines. */
export const manyLines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

/** The text of a result's first block. */
export function textOf(result: JsonObject): string {
  return (result["content"] as { text: string }[])[0]?.text ?? "";
}

/** What a result tells programs of what was cut. */
export interface CutNote {
  readonly handle?: string;
  readonly bytes: number;
  readonly lines?: number;
  readonly expiresAt?: string;
}

/** What a result tells programs of what was cut; an empty note where nothing was. */
export function cutOf(result: JsonObject): CutNote {
  const meta = result["_meta"] as Record<string, CutNote> | undefined;
  return meta?.["toolwright/result"] ?? { bytes: 0 };
}

/** The handle that a call of a tool gives. */
export async function handleFrom(client: TestClient, name: string): Promise<string> {
  const { handle } = cutOf(await client.callTool(name));
  if (handle === undefined) throw new Error(`the result of ${name} has no handle`);
  return handle;
}

/** What the reading tool says. */
export async function read(client: TestClient, handle: string, wish: JsonObject = {}): Promise<string> {
  return textOf(await client.callTool("read_result", { handle, ...wish }));
}
