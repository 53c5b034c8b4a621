import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createServer, type JsonObject, type Server, tool } from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { expect, test } from "vitest";
import { createJudge } from "../../packages/engine/test/judges/official-schema.js";
import { leaks } from "../../packages/engine/test/judges/revision-words.js";

const folder = fileURLToPath(new URL("../../../shared/transcripts/", import.meta.url));
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
if (files.length === 0) console.warn("skipped: the captured transcripts (../shared/transcripts) are not here");

const STATELESS = "2026-07-28";
const name = { type: "object", properties: { name: { type: "string" } } } as const;

/** A server with the tools that the captured clients call. */
function createReplayServer(): Server {
  const plain = ["echo", "test_simple_text", "test_sampling", "trigger-sampling-request"].map((called) =>
    tool({ name: called, description: "Answers.", unknownArguments: "allow", run: () => `${called} done` }),
  );
  const asking = ["test_elicitation", "test_input_required_result_elicitation"].map((called) =>
    tool({
      name: called,
      description: "Asks.",
      unknownArguments: "allow",
      run: async (_input, call) => ((await call.elicit("user_name", "Who?", name)) ? "accepted" : "declined"),
    }),
  );
  const reporting = tool({
    name: "test_tool_with_progress",
    description: "Reports.",
    unknownArguments: "allow",
    run(_input, call) {
      for (const step of [1, 50, 100]) call.progress(step, `at ${step}`, 100);
      return "reported";
    },
  });
  return createServer({
    name: "replay",
    version: "1.0.0",
    dynamic: true,
    tools: [...plain, ...asking, reporting],
    log: () => undefined,
  });
}

/** The client's half of a capture, one list per process or session that it opened. */
function readConnections(file: string): JsonObject[][] {
  const connections: JsonObject[][] = [[]];
  for (const line of readFileSync(folder + file, "utf8")
    .trim()
    .split("\n")) {
    const event = JSON.parse(line) as { dir: string; what?: string; msg?: JsonObject };
    const opens = event.what === "spawn" || (event.dir === "c2s" && event.msg?.["method"] === "initialize");
    const current = connections.at(-1) ?? [];
    const isUsed = current.some(({ method }) => event.what === "spawn" || method === "initialize");
    if (opens && isUsed) connections.push([]);
    if (event.dir === "c2s" && event.msg !== undefined) connections.at(-1)?.push(event.msg);
  }
  return connections.filter((messages) => messages.length > 0);
}

const isModern = ({ params }: JsonObject) =>
  ((params as JsonObject | undefined)?.["_meta"] as JsonObject | undefined)?.[
    "io.modelcontextprotocol/protocolVersion"
  ] !== undefined;

const isListening = (message: JsonObject) => message["method"] === "subscriptions/listen";

/** Replays the client's half to a server; returns the server's messages, and what is wrong with them. */
async function replay(messages: readonly JsonObject[]): Promise<{ answered: unknown[]; faults: string[] }> {
  const asked = messages.find(({ method }) => method === "initialize")?.["params"] as JsonObject | undefined;
  const agreed = (asked?.["protocolVersion"] as string | undefined) ?? STATELESS;
  const judges = { modern: createJudge(STATELESS), agreed: createJudge(agreed) };
  const modernIds = new Set(messages.filter(isModern).map(({ id }) => id));
  const answered: unknown[] = [];
  const faults: string[] = [];
  const hear = (text: string): void => {
    const message = JSON.parse(text) as JsonObject;
    const { id, method } = message;
    const meta = (message["params"] as JsonObject | undefined)?.["_meta"] as JsonObject | undefined;
    const isTagged = meta?.["io.modelcontextprotocol/subscriptionId"] !== undefined;
    const modern = agreed === STATELESS || isTagged || (method === undefined && modernIds.has(id));
    const violations = judges[modern ? "modern" : "agreed"].saw("server", message);
    faults.push(...violations, ...leaks(modern ? STATELESS : agreed, message).map((word) => `leaks ${word}`));
    if (method === undefined) answered.push(id);
    else if (id !== undefined) say({ jsonrpc: "2.0", id, result: { action: "decline" } });
  };
  const connection = await openMemoryConnection(createReplayServer(), hear);
  const say = (message: JsonObject): void => {
    judges[isModern(message) ? "modern" : "agreed"].saw("client", message);
    connection.send(JSON.stringify(message));
  };
  for (const message of messages) {
    say(message);
    await sleep(0);
  }
  const open = messages.filter((message) => "method" in message && "id" in message && !isListening(message)).length;
  for (let turns = 0; answered.length < open && turns < 500; turns += 1) await sleep(2);
  connection.close();
  await sleep(0);
  return { answered, faults };
}

test.skipIf(files.length === 0).each(files)(
  "the client of %s gets exactly one valid response to each request",
  async (file) => {
    for (const messages of readConnections(file)) {
      const { answered, faults } = await replay(messages);
      const requests = messages.filter((message) => "method" in message && "id" in message);
      const sorted = (ids: readonly unknown[]) => ids.map((id) => JSON.stringify(id)).toSorted();
      expect(sorted(answered)).toEqual(sorted(requests.map(({ id }) => id)));
      expect(faults).toEqual([]);
    }
  },
);

test.skipIf(files.length === 0)("the captures contain what they are replayed for", () => {
  const messages = files.flatMap(readConnections).flat();
  const count = (method: string) => messages.filter((message) => message["method"] === method).length;
  expect(files.length).toBeGreaterThanOrEqual(51);
  expect(count("initialize")).toBeGreaterThanOrEqual(40);
  expect(count("server/discover")).toBeGreaterThanOrEqual(25);
  expect(count("tools/call")).toBeGreaterThanOrEqual(71);
  expect(count("subscriptions/listen")).toBeGreaterThanOrEqual(8);
  expect(files.flatMap(readConnections).length).toBeGreaterThan(files.length);
});
