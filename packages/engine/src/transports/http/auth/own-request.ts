import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

const TIME_LIMIT_MS = 5000;
const MOST_CHARACTERS = 1024 * 1024;

/** What a server answered. */
export interface OwnAnswer {
  readonly status: number;
  readonly challenge: string;
  readonly text: string;
}

/**
 * Sends a request to the server that runs here, under the name that clients know it by. Its certificate is not looked at: it is
 * made for that name, and it is known who answers.
 */
export function askOwn(url: URL, host: string, method: "GET" | "POST", body?: string): Promise<OwnAnswer> {
  const headers = {
    host,
    accept: "application/json, text/event-stream",
    ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  const common = { method, headers, agent: false, timeout: TIME_LIMIT_MS } as const;
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:"
        ? requestHttps(url, { ...common, rejectUnauthorized: false, servername: nameOf(host) })
        : requestHttp(url, common);
    request.on("error", reject);
    request.on("timeout", () => request.destroy(new Error(`no answer within ${TIME_LIMIT_MS} ms`)));
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > MOST_CHARACTERS) request.destroy(new Error("the answer is too long"));
      });
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers: answered } = response;
        resolve({ status: statusCode, challenge: answered["www-authenticate"] ?? "", text });
      });
    });
    request.end(body);
  });
}

/** TLS has no names that are addresses. */
function nameOf(host: string): string {
  const { hostname } = new URL(`https://${host}`);
  return /^\[|^[\d.]+$/.test(hostname) ? "" : hostname;
}
