import { createServer, type JsonObject } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { onTestFinished } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../../tests/support/tool-calls.js";
import type { Mitigation, ThreatPattern } from "../../src/format/pattern.js";
import { createThreatsPack } from "../../src/index.js";
import { toListed } from "../../src/library/listed-pattern.js";
import { createPack } from "../kit.js";

/** Returns a minimal pattern with the given fields. */
export function madePattern(id: string, more: Partial<ThreatPattern> = {}): ThreatPattern {
  return {
    id,
    name: "A pattern",
    tier: "B",
    category: "authz",
    severity: "high",
    likelihood: "medium",
    description: "It goes wrong.",
    agent_summary: { threat: "It happens.", check: "Is it checked?", fix: "Check it." },
    mitigations: [{ id: "MIT-1", description: "Check it.", effectiveness: "high" }],
    ...more,
  };
}

/** Returns a mitigation with a line of code for each stack, such as `python/flask`. */
export const shownIn = (...stacks: readonly string[]): Mitigation => ({
  id: "MIT-1",
  description: "Check it.",
  effectiveness: "high",
  code_examples: stacks.map((stack) => {
    const [language = "", framework = "any"] = stack.split("/");
    return { language, framework, vulnerable_code: `risky("${stack}")`, secure_code: `safe("${stack}")` };
  }),
});

/** Opens the pack with the given patterns, and connects a client. Both are closed when the test ends. */
export async function openWith(
  patterns: readonly ThreatPattern[],
  settings: JsonObject = {},
): Promise<ToolCalls & { readonly client: TestClient }> {
  const corpus = {
    index: async () => patterns.map(toListed),
    pattern: async (id: string) => patterns.find((pattern) => pattern.id === id) as ThreatPattern,
  };
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createPack(settings, undefined, createThreatsPack(corpus))],
    log: () => undefined,
  });
  const client = await connectTestClient(server, { revision: "2025-11-25" });
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  return { client, ...toolCallsOf(client) };
}
