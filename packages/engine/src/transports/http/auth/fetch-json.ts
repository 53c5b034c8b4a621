import { BlockList, isIPv4, isIPv6 } from "node:net";
import { isObject, type JsonObject } from "../../../jsonrpc/json.js";
import { isLocalName } from "./place.js";

const TIME_LIMIT_MS = 5000;
const MOST_BYTES = 1024 * 1024;

/** The authorization server could not be asked, or what it said makes no sense: nothing is known about a token. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

const inner = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  inner.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  inner.addSubnet(net, bits, "ipv6");

/** Whether a host name means this machine or one of an inner net, as far as the name shows it. */
function isInner(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIPv4(address)) return inner.check(address, "ipv4");
  return isIPv6(address) ? inner.check(address, "ipv6") : isLocalName(hostname);
}

/**
 * Says what is wrong with an address that the issuer's metadata name. The operator has chosen the issuer, but not what stands in
 * its documents: they must not lead into the inner net, unless the issuer itself is there.
 */
function addressFault(url: string, issuer: string): string | undefined {
  if (!URL.canParse(url)) return "is no URL";
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && isLocalName(hostname))) return "is not https";
  if (isInner(hostname) && !isInner(new URL(issuer).hostname)) return "leads into the inner network";
  return undefined;
}

/** Fetches a JSON object on behalf of an issuer, within limits of time and size, and without being sent elsewhere. */
export async function fetchJson(url: string, issuer: string, init: RequestInit = {}): Promise<JsonObject> {
  const fault = addressFault(url, issuer);
  if (fault !== undefined) throw new IssuerError(`Cannot ask ${url}: the address ${fault}`);
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: "application/json", ...(init.headers as Record<string, string>) },
      redirect: "manual",
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new IssuerError(`${url} answered with status ${response.status}`);
    }
    return readObject(url, await readText(url, response));
  } catch (error) {
    if (error instanceof IssuerError) throw error;
    throw new IssuerError(`Cannot ask ${url}: ${reasonOf(error)}`);
  }
}

async function readText(url: string, { body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    // Leaving the loop cancels the rest.
    if (text.length > MOST_BYTES) throw new IssuerError(`${url} answered with more than ${MOST_BYTES} bytes`);
  }
  return text + decoder.decode();
}

function readObject(url: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new IssuerError(`${url} answered with something that is not JSON`);
  }
  if (!isObject(value)) throw new IssuerError(`${url} answered with JSON that is no object`);
  return value;
}

/** Why a request failed, in a few words; the message of `fetch` itself says only that it did. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${TIME_LIMIT_MS} ms`;
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
