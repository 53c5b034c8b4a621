import type { ContentBlock, Json } from "@toolwright/engine";
import type { CallToolResult } from "@toolwright/engine/client";
import { isObject } from "../json/index.js";
import { say } from "../terminal/output.js";
import { visible } from "../terminal/text.js";

/** Writes a text to stdout, with a newline at its end, and resolves when it has been taken. A terminal is spared control signs. */
export function print(text: string): Promise<void> {
  if (text === "") return Promise.resolve();
  const shown = process.stdout.isTTY ? visible(text) : text;
  return say(shown);
}

/** A result as text: its text blocks, short notes on the others, and structured content if there is no text. */
export function resultText({ content, structuredContent }: CallToolResult, asJson: boolean): string {
  if (asJson) return writeJson(structuredContent ?? [...content]);
  const isStructureShown = structuredContent !== undefined && !content.some((block) => block?.type === "text");
  return [...content.map(blockText), ...(isStructureShown ? [writeJson(structuredContent)] : [])].join("\n");
}

/** JSON that is readable by people and programs. */
export function writeJson(value: Json): string {
  return JSON.stringify(value, null, 2);
}

/** A content block as text: text unchanged, a short note on others. Some servers send invalid blocks. */
export function blockText(block: ContentBlock): string {
  if (!isObject(block)) return `[${JSON.stringify(block)}]`;
  const { type, text, name, uri } = block;
  if (type === "text") return wordsOf([text]);
  if (type === "resource_link") return `[link to ${wordsOf([name, uri])}]`;
  const resource = isObject(block["resource"]) ? block["resource"] : undefined;
  if (typeof resource?.["text"] === "string") return resource["text"];
  const { uri: address, mimeType } = resource ?? block;
  return `[${wordsOf([type, address, mimeType, sizeOf(resource?.["blob"] ?? block["data"])])}]`;
}

/** The members that exist and are strings. */
function wordsOf(members: readonly unknown[]): string {
  return members.filter((member) => typeof member === "string").join(", ");
}

/** The decoded size of base64. */
export function sizeOf(base64: Json | undefined): string | undefined {
  if (typeof base64 !== "string") return undefined;
  const bytes = Buffer.byteLength(base64, "base64");
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time for people: relative if it is near, otherwise a date. */
export function relative(at: string, now: Date): string {
  const distance = now.getTime() - Date.parse(at);
  const [far, words] = [Math.abs(distance), (text: string) => (distance < 0 ? `in ${text}` : `${text} ago`)];
  if (Number.isNaN(far)) return at;
  if (far < MINUTE) return distance < 0 ? "in a moment" : "just now";
  if (far < HOUR) return words(`${Math.floor(far / MINUTE)}m`);
  if (far < DAY) return words(`${Math.floor(far / HOUR)}h`);
  return far < 30 * DAY ? words(`${Math.floor(far / DAY)}d`) : at.slice(0, 10);
}
