import type { SecureContextOptions } from "node:tls";
import { builtin } from "../../server/builtin.js";
import { checksTls } from "../runtime.js";
import { optionFault } from "./options.js";

/** Throws `TypeError` where there is no certificate with its key. */
export function checkTls(tls: SecureContextOptions): void {
  const { cert = [], key = [], passphrase, pfx } = tls;
  if (!pfx && !(tls.cert && tls.key)) throw optionFault("tls needs cert and key, or pfx");
  try {
    if (checksTls) return void builtin("node:tls").createSecureContext(tls);
    const { createPrivateKey, X509Certificate } = builtin("node:crypto");
    for (const each of [cert].flat()) void new X509Certificate(each);
    for (const each of [key].flat()) {
      const { pem, ...own } = typeof each === "string" || Buffer.isBuffer(each) ? { pem: each } : each;
      createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }), ...own });
    }
  } catch (error) {
    throw optionFault(`tls cannot be used: ${(error as Error).message}`);
  }
}
