import path from "node:path";

/** What the first bytes of files say of them. */
const MAGIC: readonly (readonly [mime: string, at: number, bytes: string])[] = [
  ["image/png", 0, "\u0089PNG\r\n\u001A\n"],
  ["image/jpeg", 0, "\u00FF\u00D8\u00FF"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["application/pdf", 0, "%PDF-"],
  ["application/zip", 0, "PK\u0003\u0004"],
  ["application/gzip", 0, "\u001F\u008B"],
  ["application/wasm", 0, "\0asm"],
  ["application/x-executable", 0, "\u007FELF"],
  ["application/vnd.sqlite3", 0, "SQLite format 3\0"],
];

const BY_ENDING: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".csv": "text/csv",
  ".htm": "text/html",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".toml": "application/toml",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
};

/** Images that clients can show to a model. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The media type of a file, by its first bytes where they tell, else by its name. */
export function mediaType(name: string, head: Uint8Array, isText: boolean): string {
  const start = Buffer.from(head.subarray(0, 32)).toString("latin1");
  const known = MAGIC.find(([, at, bytes]) => start.startsWith(bytes, at));
  if (known !== undefined && !isText) return known[0];
  if (!isText) return "application/octet-stream";
  return BY_ENDING[path.extname(name).toLowerCase()] ?? "text/plain";
}

/** Whether clients can show a file to a model as an image. */
export const isImage = (mime: string): boolean => SHOWN.has(mime);
