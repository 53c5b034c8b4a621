import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Draft } from "./corpus.js";

const at = (place: string): string => fileURLToPath(new URL(place, import.meta.url));
const captures = at("../../../shared/transcripts/");
const conversations = at("../../packages/engine/test/conversations/");

/** Whether the transcripts of real clients are available. */
export const HAS_TRANSCRIPTS = existsSync(captures);

/** What real clients have sent, each message once. */
export function readTranscripts(): Draft[] {
  const texts = readdirSync(captures)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) =>
      readFileSync(captures + name, "utf8")
        .trim()
        .split("\n"),
    )
    .map((line) => JSON.parse(line) as { dir: string; msg?: unknown })
    .flatMap(({ dir, msg }) => (dir === "c2s" && isDraft(msg) ? [JSON.stringify(msg)] : []));
  return [...new Set(texts)].map((text) => JSON.parse(text) as Draft);
}

/** What the clients of our own conversations send in a revision. */
export function readConversations(revision: string): Draft[] {
  return readdirSync(conversations + revision)
    .flatMap((name) => readFileSync(`${conversations}${revision}/${name}`, "utf8").split("\n"))
    .filter((line) => line.startsWith("→ {"))
    .flatMap((line) => {
      try {
        return [JSON.parse(line.slice(2)) as Draft];
      } catch {
        // Some conversations contain invalid JSON.
        return [];
      }
    });
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && !Array.isArray(value);
