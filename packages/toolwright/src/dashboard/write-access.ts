import { createHash, timingSafeEqual } from "node:crypto";
import type { PageRequest as HttpRequest } from "@toolwright/engine/http";

/** Shorter tokens could be guessed. */
const MIN_LENGTH = 16;

/** The token that lets browsers run actions. A person types it into a form, and the browser sends it as a cookie. */
export class WriteKey {
  readonly #token: Buffer;
  /** Browsers send cookies to every port of a host, so dashboards need different names. */
  readonly #cookieName: string;

  /** Throws `TypeError` for a token that is too short. */
  constructor(token: string) {
    if (token.length < MIN_LENGTH)
      throw new TypeError(`Cannot use the write token: it must have at least ${MIN_LENGTH} characters`);
    this.#token = digest(token);
    this.#cookieName = `toolwright_${digest(`name ${token}`).toString("hex").slice(0, 8)}`;
  }

  /** Whether a text is the token. Takes the same time for every text. */
  matches(text: string): boolean {
    return timingSafeEqual(digest(text), this.#token);
  }

  /** Whether the cookie of a request has the token. */
  isIn(request: HttpRequest): boolean {
    const cookies = (request.header("cookie") ?? "").split(/; */);
    const own = cookies.find((cookie) => cookie.startsWith(`${this.#cookieName}=`));
    return own !== undefined && this.matches(decode(own.slice(this.#cookieName.length + 1)));
  }

  /** The cookie for a browser session; an empty token deletes it. */
  cookie(token: string, isSecure: boolean): string {
    const expiry = token === "" ? "; Max-Age=0" : "";
    const secure = isSecure ? "; Secure" : "";
    return `${this.#cookieName}=${encodeURIComponent(token)}; Path=/; HttpOnly; SameSite=Strict${secure}${expiry}`;
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

/** Whether a form was sent by a page of the dashboard itself, and not by another site or port. */
export function isSameOrigin(request: HttpRequest): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = request.header("origin");
  if (origin === undefined) return site === "same-origin";
  return URL.canParse(origin) && new URL(origin).host === request.header("host")?.toLowerCase();
}
