import type { JsonObject } from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";

/** What a tool said of its failure. */
export interface Failed {
  readonly code: unknown;
  readonly text: string;
  readonly details: JsonObject;
}

/** Calls tools, and tells a failure from a result. */
export interface ToolCalls {
  /** Calls a tool and gives its structured content. Throws where it failed. */
  readonly call: (name: string, args?: JsonObject) => Promise<JsonObject>;
  /** Calls a tool that must fail. */
  readonly fail: (name: string, args?: JsonObject) => Promise<Failed>;
}

/** Calls the tools of a server through a client of it. */
export const toolCallsOf = (client: Pick<TestClient, "callTool">): ToolCalls => ({
  async call(name, args = {}) {
    const result = await client.callTool(name, args);
    if (result["isError"] === true) throw new Error(`${name} failed: ${textOf(result)}`);
    return result["structuredContent"] as JsonObject;
  },
  async fail(name, args = {}) {
    const result = await client.callTool(name, args);
    if (result["isError"] !== true) throw new Error(`${name} did not fail: ${textOf(result)}`);
    const meta = result["_meta"] as JsonObject | undefined;
    const failure = (meta?.["toolwright/failure"] ?? result["structuredContent"] ?? {}) as JsonObject;
    const error = (failure["error"] ?? failure) as JsonObject;
    return { code: error["code"], text: textOf(result), details: error };
  },
});

/** The text of a result. */
export const textOf = (result: JsonObject): string =>
  (result["content"] as readonly { readonly text?: string }[]).map(({ text }) => text ?? "").join("\n");
