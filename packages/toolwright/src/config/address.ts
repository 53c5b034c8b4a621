/** Where to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The default address: only this machine reaches it. */
export const DEFAULT_ADDRESS: Address = { host: "127.0.0.1", port: 3000 };

const ADDRESS = /^(?:(?<host>\[[\da-f:.]+\]|(?!\d+:)[^:[\]/\s]*):)?(?<port>\d{1,5})$/i;
const HOST = /^(?:\[[\da-f:.]+\]|(?!\d+$)[^:[\]/\s]+)$/i;

/** Reads `PORT`, `HOST`, `HOST:PORT` or `:PORT`; an IPv6 address stands in brackets. Undefined = it is none of them. */
export function readAddress(text: string): Address | undefined {
  const { host = "", port } = ADDRESS.exec(text)?.groups ?? {};
  if (port !== undefined && Number(port) <= 65_535)
    return { host: host === "" ? DEFAULT_ADDRESS.host : withoutBrackets(host), port: Number(port) };
  return HOST.test(text) ? { ...DEFAULT_ADDRESS, host: withoutBrackets(text) } : undefined;
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, "");

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
