import { BlockList, type IPVersion, isIP } from "node:net";
import { optionFault } from "./options.js";

/** The proxies whose word counts, by address. */
export class Proxies {
  readonly #trusted = new BlockList();

  /** Takes addresses and networks, such as `10.0.0.0/8`. Throws `TypeError` for what is neither. */
  constructor(trusted: readonly string[]) {
    if (!Array.isArray(trusted)) throw optionFault("trustProxy must be false or a list");
    for (const entry of trusted) this.#add(entry);
  }

  isTrusted(address: string | undefined): boolean {
    const plain = address === undefined ? "" : withoutMapping(address);
    const family = isIP(plain);
    return family !== 0 && this.#trusted.check(plain, `ipv${family}` as IPVersion);
  }

  /** Who sent a request: the nearest address that is no trusted proxy, as the proxies tell it. Undefined = as it seems. */
  peerOf(address: string | undefined, forwarded: string | undefined): string | undefined {
    if (forwarded === undefined || !this.isTrusted(address)) return undefined;
    // Some proxies add the port.
    const addresses = forwarded.split(",").map((part) => part.trim().replace(/^\[(.+)\].*|^([\d.]+):\d+$/, "$1$2"));
    const nearest = addresses.findLast((part) => !this.isTrusted(part)) ?? addresses[0];
    return isIP(nearest ?? "") === 0 ? undefined : nearest;
  }

  #add(entry: unknown): void {
    const [address = "", bits, more] = String(entry).split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    if (family === 0 || more !== undefined || (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= most)))
      throw optionFault(`trustProxy has ${JSON.stringify(entry)}, which is no address and no network`);
    const kind = `ipv${family}` as IPVersion;
    if (bits === undefined) this.#trusted.addAddress(address, kind);
    else this.#trusted.addSubnet(address, Number(bits), kind);
  }
}

/** What the nearest proxy has said; what stands before it anybody may have written. */
export const lastOf = (forwarded: string | undefined): string | undefined => forwarded?.split(",").at(-1)?.trim();

/** An IPv4 address as sockets of both kinds show it. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
