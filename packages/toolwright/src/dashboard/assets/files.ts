import { createHash } from "node:crypto";
import { SCRIPT } from "./page-script.js";
import { STYLE } from "./page-style.js";

/** A file that pages load. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#0b5cad"/><g fill="#fff"><rect x="4" y="5" width="4" height="14" rx="1"/><rect x="10" y="5" width="4" height="9" rx="1"/><rect x="16" y="5" width="4" height="5" rx="1"/></g></svg>`;

const style = { type: "text/css; charset=utf-8", text: STYLE };
const script = { type: "text/javascript; charset=utf-8", text: SCRIPT };
const icon = { type: "image/svg+xml; charset=utf-8", text: ICON };

/** The path of a file: another one as soon as anything in it is another, so that browsers may keep it for ever. */
const pathOf = (name: string, { text }: PageFile, end: string): string =>
  `/assets/${name}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.${end}`;

/** Where each file is. */
export const FILE_PATHS = {
  style: pathOf("style", style, "css"),
  script: pathOf("script", script, "js"),
  icon: pathOf("icon", icon, "svg"),
} as const;

/** Every file that pages load, by its path. */
export const FILES: ReadonlyMap<string, PageFile> = new Map([
  [FILE_PATHS.style, style],
  [FILE_PATHS.script, script],
  [FILE_PATHS.icon, icon],
]);
