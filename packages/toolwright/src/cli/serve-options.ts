import type { CallLimits, RateOptions, ServerChanges } from "@toolwright/engine/types";
import { type Address, DEFAULT_ADDRESS, readAddress } from "../config/address.js";
import { type Config, groupOf, valueOf } from "../config/config.js";
import { STRICTER_LIMITS } from "../config/limit-settings.js";

/** The ways in that `toolwright serve` opens. */
export interface ServeOptions {
  readonly stdio: boolean;
  readonly http: Address | undefined;
  /** HTTP+SSE beside HTTP. */
  readonly sse: boolean;
  /** What is counted, for Prometheus, beside HTTP. */
  readonly metrics: boolean;
  /** An address of its own, or that of HTTP. */
  readonly ws: Address | "http" | undefined;
  readonly socket: string | undefined;
}

/** Reads from the configuration how to serve. */
export function createServeOptions(config: Config): ServeOptions {
  const http = toAddress(valueOf(config, "http.listen"));
  const ws = valueOf(config, "ws");
  const socket = valueOf(config, "socket");
  const isListening = http !== undefined || toAddress(ws) !== undefined || socket !== undefined;
  return {
    stdio: valueOf(config, "stdio") ?? !isListening,
    http,
    sse: valueOf(config, "http.sse") ?? false,
    metrics: valueOf(config, "metrics") ?? false,
    ws: ws === true && http !== undefined ? "http" : toAddress(ws),
    socket,
  };
}

function toAddress(given: boolean | number | string | undefined): Address | undefined {
  if (given === undefined || given === false) return undefined;
  return given === true ? DEFAULT_ADDRESS : readAddress(String(given));
}

/** What bounds all calls of a server together, and can change while it runs. */
export function readBounds(config: Config): ServerChanges {
  const rate = readRate(config, "rate");
  return { limits: { ...STRICTER_LIMITS, ...groupOf(config, "limits"), ...(rate && { rate }) } };
}

/** A rate is given in full or not at all: that was checked. */
function readRate(config: Config, group: "rate" | "perPrincipal.rate"): RateOptions | undefined {
  const given = groupOf(config, group);
  return "burst" in given ? (given as unknown as RateOptions) : undefined;
}

/** Undefined if there are no such limits: then calls need not be counted by principal. */
export function readShare(config: Config): CallLimits | undefined {
  const calls = valueOf(config, "perPrincipal.calls");
  const rate = readRate(config, "perPrincipal.rate");
  if (calls === undefined && rate === undefined) return undefined;
  return { ...(calls !== undefined && { calls }), ...(rate && { rate }) };
}
