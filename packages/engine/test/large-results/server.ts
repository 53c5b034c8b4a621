import { createServer, type JsonObject, type Server, tool } from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";
import type { LargeResultsOptions } from "@toolwright/engine/types";

/** A server whose tools return these values, by name. */
export function serverReturning(
  values: Readonly<Record<string, unknown>>,
  largeResults: boolean | LargeResultsOptions = { budgetBytes: 1000 },
): Server {
  const tools = Object.entries(values).map(([name, value]) =>
    tool({ name, description: `Returns ${name}.`, run: () => value as string }),
  );
  return createServer({ name: "test", version: "1.0.0", largeResults, tools });
}

/** `line 1`, `line 2` and so on. */
export const manyLines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

/** The text of a result's first block. */
export function textOf(result: JsonObject): string {
  return (result["content"] as { text: string }[])[0]?.text ?? "";
}

/** The reference to a truncated result. */
export interface ResultReference {
  readonly handle?: string;
  readonly bytes: number;
  readonly lines?: number;
  readonly expiresAt?: string;
}

/** The reference in `_meta` of a truncated result; one without a handle if nothing was truncated. */
export function referenceOf(result: JsonObject): ResultReference {
  const meta = result["_meta"] as Record<string, ResultReference> | undefined;
  return meta?.["toolwright/result"] ?? { bytes: 0 };
}

/** The handle that a call of a tool returns. */
export async function handleFrom(client: TestClient, name: string): Promise<string> {
  const { handle } = referenceOf(await client.callTool(name));
  if (handle === undefined) throw new Error(`the result of ${name} has no handle`);
  return handle;
}

/** The text that `read_result` returns. */
export async function read(client: TestClient, handle: string, options: JsonObject = {}): Promise<string> {
  return textOf(await client.callTool("read_result", { handle, ...options }));
}
