import { type Address, DEFAULT_ADDRESS, readAddress } from "../config/address.js";
import { type Config, valueOf } from "../config/config.js";

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
