import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Direction } from "./official-documents.js";
import { createJudge, judgeSource } from "./official-schema.js";
import { leaks } from "./revision-words.js";

type JsonObject = Readonly<Record<string, unknown>>;

const folder = fileURLToPath(new URL("../../../../../shared/transcripts/", import.meta.url));
const present = existsSync(folder) && judgeSource.startsWith("the official");
const files = present ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((inside, step) => (isObject(inside) ? inside[step] : undefined), value);
}

function readMessages(name: string): [Direction, JsonObject][] {
  const lines = readFileSync(folder + name, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.flatMap((line): [Direction, JsonObject][] => {
    const event: unknown = JSON.parse(line);
    const message = at(event, "sse", "data") ?? at(event, "msg");
    if (!isObject(message) || !("jsonrpc" in message)) return [];
    return [[at(event, "dir") === "c2s" ? "client" : "server", message]];
  });
}

/** Judges a capture, each request in its own era and everything else in that of the connection. */
function judgeTranscript(messages: readonly [Direction, JsonObject][]): string[] {
  const versions = messages.map(([, message]) => at(message, "result", "protocolVersion"));
  const agreed = versions.find((version): version is string => typeof version === "string") ?? "2026-07-28";
  const judges = { modern: createJudge("2026-07-28"), agreed: createJudge(agreed) };
  const modernIds = new Set<unknown>();
  return messages.flatMap(([direction, message]) => {
    const asksModern = at(message, "params", "_meta", "io.modelcontextprotocol/protocolVersion") !== undefined;
    if (asksModern) modernIds.add(message["id"]);
    else if (direction === "client") modernIds.delete(message["id"]);
    const isModern = asksModern || (direction === "server" && "id" in message && modernIds.has(message["id"]));
    const violations = judges[isModern ? "modern" : "agreed"].saw(direction, message);
    if (direction === "client") return [];
    return [...violations, ...leaks(isModern ? "2026-07-28" : agreed, message).map((word) => `leaks ${word}`)];
  });
}

// Errors with an id of null, which no schema allows, and words of 2025-11-25 in a session of 2025-06-18.
const nullId = "JSONRPCErrorResponse/id: must be string,integer";
const knownViolations: Readonly<Record<string, readonly string[]>> = {
  "inspector-2.12-cli.http.auto.server-everything.jsonl": [nullId],
  "sdk-2.4-client.http.auto.server-everything.jsonl": [nullId],
  "gemini-cli-0.61.stdio.server-everything.jsonl": ["leaks result>capabilities>tasks"],
  "gemini-cli-0.61.agent.stdio.server-everything.jsonl": [
    "leaks result>capabilities>tasks",
    "leaks result>tools>*>execution",
  ],
};

test.runIf(present).each(files)("the judges find in %s what is known of its server", (name) => {
  expect([...new Set(judgeTranscript(readMessages(name)))]).toEqual(knownViolations[name] ?? []);
});

test.runIf(present)("the captures hold enough to judge", () => {
  const sent = files.flatMap(readMessages).filter(([direction]) => direction === "server");
  expect(sent.length).toBeGreaterThanOrEqual(395);
  expect(files).toEqual(expect.arrayContaining(Object.keys(knownViolations)));
});
