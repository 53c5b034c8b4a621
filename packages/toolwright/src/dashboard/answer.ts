import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { PageRequest, PageResponse } from "@toolwright/engine/http";
import type { Html } from "./html.js";

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** What a page may load and do: its own files, and nothing of anybody else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers that everything has. */
const GUARDED: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  // Without one at all, browsers would not say which page a form comes from.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Answers shorter than this are sent as they are. */
const WORTH_BYTES = 800;

/** Answers with a page; one that a browser has already is not sent again. */
export async function answerPage(request: PageRequest, status: number, page: Html): Promise<PageResponse> {
  const tag = `W/"${createHash("sha256").update(page.text).digest("base64url").slice(0, 22)}"`;
  const headers = { ...GUARDED, "cache-control": "private, no-cache", vary: "Accept-Encoding, Cookie", etag: tag };
  if (status === 200 && request.header("if-none-match") === tag) return { status: 304, headers };
  return pack(request, status, { ...headers, "content-type": "text/html; charset=utf-8" }, page.text);
}

/** Answers with a file whose name changes with what is in it. */
export function answerFile(request: PageRequest, type: string, text: string): Promise<PageResponse> {
  const headers = { ...GUARDED, "content-type": type, vary: "Accept-Encoding" };
  return pack(request, 200, { ...headers, "cache-control": "public, max-age=31536000, immutable" }, text, true);
}

/** Sends the browser to another page. */
export const answerElsewhere = (path: string, more: Readonly<Record<string, string>> = {}): PageResponse => ({
  status: 303,
  headers: { ...GUARDED, "cache-control": "no-store", location: path, ...more },
});

async function pack(
  request: PageRequest,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  isKept = false,
): Promise<PageResponse> {
  const accepted = request.header("accept-encoding") ?? "";
  const length = Buffer.byteLength(text);
  if (length < WORTH_BYTES) return { status, headers, body: text };
  if (/\bbr\b/.test(accepted)) {
    // What is sent once and kept by browsers may take longer.
    const quality = isKept ? 9 : 4;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: length };
    return { status, headers: { ...headers, "content-encoding": "br" }, body: await toBrotli(text, { params }) };
  }
  if (/\bgzip\b/.test(accepted))
    return { status, headers: { ...headers, "content-encoding": "gzip" }, body: await toGzip(text) };
  return { status, headers, body: text };
}
