import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { PageRequest as HttpRequest, PageResponse } from "@toolwright/engine/http";
import type { Html } from "@toolwright/kit/html";

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** A page may load and contact only this server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  // With "no-referrer" browsers would not say which page a form comes from.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Shorter bodies are not compressed. */
const MIN_COMPRESSED_BYTES = 800;

/** Responds with a page, or with 304 if the browser has it. */
export async function respondWithPage(request: HttpRequest, status: number, page: Html): Promise<PageResponse> {
  const etag = `W/"${createHash("sha256").update(page.text).digest("base64url").slice(0, 22)}"`;
  const headers = { ...SECURITY_HEADERS, "cache-control": "private, no-cache", vary: "Accept-Encoding, Cookie", etag };
  if (status === 200 && request.header("if-none-match") === etag) return { status: 304, headers };
  return compress(request, {
    status,
    headers: { ...headers, "content-type": "text/html; charset=utf-8" },
    body: page.text,
  });
}

/** Responds with an asset, whose path changes with its content. */
export function respondWithAsset(request: HttpRequest, type: string, body: string): Promise<PageResponse> {
  const headers = {
    ...SECURITY_HEADERS,
    "content-type": type,
    vary: "Accept-Encoding",
    "cache-control": "public, max-age=31536000, immutable",
  };
  return compress(request, { status: 200, headers, body }, true);
}

/** Redirects to another page. */
export const redirectTo = (path: string, headers: Readonly<Record<string, string>> = {}): PageResponse => ({
  status: 303,
  headers: { ...SECURITY_HEADERS, "cache-control": "no-store", location: path, ...headers },
});

type TextResponse = PageResponse & { readonly body: string };

/** Compresses the body if the browser accepts that; assets, which are sent once, more thoroughly. */
async function compress(request: HttpRequest, response: TextResponse, isAsset = false): Promise<PageResponse> {
  const { headers, body } = response;
  const accepted = request.header("accept-encoding") ?? "";
  const length = Buffer.byteLength(body);
  if (length < MIN_COMPRESSED_BYTES) return response;
  const encoded = (encoding: string, bytes: Buffer): PageResponse => ({
    ...response,
    headers: { ...headers, "content-encoding": encoding },
    body: bytes,
  });
  if (/\bbr\b/.test(accepted)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: isAsset ? 9 : 4, [constants.BROTLI_PARAM_SIZE_HINT]: length };
    return encoded("br", await toBrotli(body, { params }));
  }
  return /\bgzip\b/.test(accepted) ? encoded("gzip", await toGzip(body)) : response;
}
