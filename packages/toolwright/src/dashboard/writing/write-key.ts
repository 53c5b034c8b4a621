import { createHash, timingSafeEqual } from "node:crypto";
import type { PageRequest } from "@toolwright/engine/http";

/** The shortest token that nobody guesses. */
const SHORTEST = 16;

/** What unlocks changes: a token that somebody types into a form, and that their browser then brings along as a cookie. */
export class WriteKey {
  readonly #token: Buffer;
  /** Browsers send cookies to every port of a machine: two dashboards must not take each other's. */
  readonly #name: string;

  /** Throws `TypeError` for a token that could be guessed. */
  constructor(token: string) {
    if (token.length < SHORTEST)
      throw new TypeError(`Cannot use the write token: it must have at least ${SHORTEST} characters`);
    this.#token = digest(token);
    this.#name = `toolwright_${digest(`name ${token}`).toString("hex").slice(0, 8)}`;
  }

  /** Whether a text is the token; how long that takes says nothing of it. */
  fits(given: string): boolean {
    return timingSafeEqual(digest(given), this.#token);
  }

  /** Whether a request brings the token along. */
  isIn(request: PageRequest): boolean {
    const cookies = (request.header("cookie") ?? "").split(/; */);
    const own = cookies.find((cookie) => cookie.startsWith(`${this.#name}=`));
    return own !== undefined && this.fits(decode(own.slice(this.#name.length + 1)));
  }

  /** The cookie with which a browser brings it along, until the browser ends; an empty token takes it away. */
  cookie(token: string, isSecure: boolean): string {
    const end = token === "" ? "; Max-Age=0" : "";
    const secure = isSecure ? "; Secure" : "";
    return `${this.#name}=${encodeURIComponent(token)}; Path=/; HttpOnly; SameSite=Strict${secure}${end}`;
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Whether a request comes from a page of the dashboard itself, and not from one of another site or another port. */
export function isFromHere(request: PageRequest): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = request.header("origin");
  if (origin === undefined) return site === "same-origin";
  return URL.canParse(origin) && new URL(origin).host === request.header("host")?.toLowerCase();
}
