import { UsageError } from "./usage-error.js";

/** Where to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a server listens that is not told: only this machine reaches it. */
const DEFAULT: Address = { host: "127.0.0.1", port: 3000 };

const ADDRESS = /^(?:(?<host>\[[\da-f:.]+\]|(?!\d+:)[^:[\]/\s]*):)?(?<port>\d{1,5})$/i;
const HOST = /^(?:\[[\da-f:.]+\]|(?!\d+$)[^:[\]/\s]+)$/i;

/** Reads `PORT`, `HOST`, `HOST:PORT`, `:PORT` or nothing; an IPv6 address stands in brackets. Throws `UsageError`. */
export function readAddress(option: string, text: string): Address {
  if (text === "") return DEFAULT;
  const { host = "", port } = ADDRESS.exec(text)?.groups ?? {};
  if (port !== undefined && Number(port) <= 65_535)
    return { host: host === "" ? DEFAULT.host : withoutBrackets(host), port: Number(port) };
  if (HOST.test(text)) return { ...DEFAULT, host: withoutBrackets(text) };
  throw new UsageError(`${option} cannot be at "${text}"; give HOST:PORT, such as 8080, 0.0.0.0:8080 or [::1]:8080`);
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, "");
