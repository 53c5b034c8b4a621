import {
  createServer,
  type JsonObject,
  type Server,
  type ServerOptions,
  type ToolDefinition,
  tool,
} from "@toolwright/engine";
import { expect } from "vitest";

type ToolLimits = Partial<Pick<ToolDefinition<never, never>, "calls" | "rate" | "taskSupport">>;

/** A tool whose calls run until the test ends them. */
export function createBlockingTool(name = "blocking", limits: ToolLimits = {}) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    /** The calls that have started, in order. */
    started,
    /** Ends the call that has run longest. */
    next: (): void => ends.shift()?.(),
    /** Ends this many calls, one after the other. */
    drain: async (total: number): Promise<void> => {
      for (let done = 0; done < total; done += 1) {
        await expect.poll(() => ends.length, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
        ends.shift()?.();
      }
    },
    tool: tool({
      name,
      description: "Waits until the test ends the call.",
      input: { type: "object", properties: { id: { type: "string" } } },
      ...limits,
      run: ({ id = "anonymous" }) =>
        new Promise<string>((resolve) => {
          started.push(id);
          ends.push(() => resolve(`${id} is done`));
        }),
    }),
  };
}

/** A server without log output. */
export const serverWith = (options: Partial<ServerOptions>): Server =>
  createServer({ name: "test", version: "1.0.0", log: () => undefined, ...options });

/** The parameters of a call of the blocking tool. */
export const blockingCall = (id: string, meta?: JsonObject, name = "blocking"): JsonObject => ({
  name,
  arguments: { id },
  ...(meta && { _meta: meta }),
});

/** The text of the response to a call. */
export function textOf(answer: JsonObject): string {
  const { content } = answer["result"] as unknown as { content: readonly { text: string }[] };
  return content.map(({ text }) => text).join("\n");
}
