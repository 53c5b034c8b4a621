import { isObject } from "../jsonrpc/json.js";

/** What servers, tools, prompts and resources may say of themselves. */
interface Described {
  readonly title?: unknown;
  readonly description?: unknown;
  readonly mimeType?: unknown;
  readonly instructions?: unknown;
  readonly websiteUrl?: unknown;
  readonly icons?: unknown;
  readonly meta?: unknown;
  readonly timeoutMs?: unknown;
}

const TEXTS = ["title", "description", "mimeType", "instructions", "websiteUrl"] as const;

/**
 * Says what is wrong with how something describes itself; undefined where nothing is. What comes from a table or from plain
 * JavaScript may be null or of another kind, and clients then refuse the whole list in which it stands.
 */
export function describedFault(entry: Described): string | undefined {
  const odd = TEXTS.find((member) => entry[member] !== undefined && typeof entry[member] !== "string");
  if (odd !== undefined) return `${odd} must be text`;
  const { icons, meta, timeoutMs } = entry;
  if (meta !== undefined && !(isObject(meta) && isJson(meta))) return "meta must be an object that JSON can write";
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0))
    return "timeoutMs must be a positive number";
  if (icons === undefined) return undefined;
  if (!Array.isArray(icons)) return "icons must be a list";
  for (const icon of icons as readonly unknown[]) {
    const { src, sizes, mimeType, theme } = (isObject(icon) ? icon : {}) as Record<string, unknown>;
    if (typeof src !== "string" || !/^(https:|data:)/.test(src)) return "an icon's src must be an https: or data: URI";
    if (sizes !== undefined && !(Array.isArray(sizes) && sizes.every((size) => typeof size === "string")))
      return 'an icon\'s sizes must be a list such as ["48x48"]';
    if (mimeType !== undefined && typeof mimeType !== "string") return "an icon's mimeType must be text";
    if (![undefined, "light", "dark"].includes(theme as undefined)) return "an icon's theme must be light or dark";
  }
  return undefined;
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
