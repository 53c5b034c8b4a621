import type { SecureContextOptions } from "node:tls";
import { isNode } from "../runtime.js";

/** Throws where a certificate or a key is none. Node does so by itself; Deno would let every client find out. */
export function checkTls({ cert = [], key = [], passphrase }: SecureContextOptions): void {
  if (isNode) return;
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  for (const each of [cert].flat()) void new X509Certificate(each);
  for (const each of [key].flat()) {
    const { pem, ...own } = typeof each === "string" || Buffer.isBuffer(each) ? { pem: each } : each;
    createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }), ...own });
  }
}
