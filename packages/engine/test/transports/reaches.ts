import { request } from "node:https";
import type { SecureVersion } from "node:tls";

/** Whether a client that trusts this certificate can open a new connection to the server. */
export const reaches = (url: string, ca: string, maxVersion: SecureVersion = "TLSv1.3"): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request(new URL("/alive", url), { ca, maxVersion, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.on("error", () => resolve(false));
    sent.end();
  });
