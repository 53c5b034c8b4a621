import {
  createServer,
  type JsonObject,
  type Server,
  type ServerOptions,
  type ToolDefinition,
  tool,
} from "@toolwright/engine";
import { expect } from "vitest";

type Traits = Partial<Pick<ToolDefinition<never, never>, "calls" | "rate" | "long">>;

/** A tool whose calls end one by one, when the test says so. */
export function createTurnstile(name = "turnstile", traits: Traits = {}) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    /** The calls that have begun, in order. */
    begun,
    /** Lets the call end that has run longest. */
    next: (): void => ends.shift()?.(),
    /** Lets call after call end until as many have begun as there will be. */
    drain: async (total: number): Promise<void> => {
      for (let done = 0; done < total; done += 1) {
        await expect.poll(() => ends.length, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
        ends.shift()?.();
      }
    },
    tool: tool({
      name,
      description: "Lets one pass at a time.",
      input: { type: "object", properties: { id: { type: "string" } } },
      ...traits,
      run: ({ id = "somebody" }) =>
        new Promise<string>((resolve) => {
          begun.push(id);
          ends.push(() => resolve(`${id} has passed`));
        }),
    }),
  };
}

/** A server whose own log is quiet. */
export const serverWith = (options: Partial<ServerOptions>): Server =>
  createServer({ name: "test", version: "1.0.0", log: () => undefined, ...options });

/** The parameters of a call of a turnstile. */
export const pass = (id: string, meta?: JsonObject, name = "turnstile"): JsonObject => ({
  name,
  arguments: { id },
  ...(meta && { _meta: meta }),
});

/** The text of an answer to a call. */
export function textOf(answer: JsonObject): string {
  const { content } = answer["result"] as unknown as { content: readonly { text: string }[] };
  return content.map(({ text }) => text).join("\n");
}
