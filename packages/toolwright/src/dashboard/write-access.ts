import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { PageRequest as HttpRequest } from "@toolwright/engine/http";

/** Shorter tokens could be guessed. */
const MIN_LENGTH = 16;

/** How long a browser stays unlocked, if it is not closed before. */
const SESSION_MS = 12 * 60 * 60 * 1000;
/** With more unlocked browsers, the one that was unlocked first is locked. */
const MAX_SESSIONS = 100;

/** A browser that was unlocked. */
interface WriteSession {
  /** The digest of the value of its cookie. */
  readonly digest: Buffer;
  /** Who unlocked it; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Lets browsers run actions. A person types the write token into a form, and the browser gets a cookie with a random value. */
export class WriteAccess {
  readonly #token: Buffer;
  readonly #now: () => number;
  #sessions: readonly WriteSession[] = [];

  /** Throws `TypeError` for a token that is too short. `now` returns the time in milliseconds since 1970. */
  constructor(token: string, now: () => number = Date.now) {
    if (token.length < MIN_LENGTH)
      throw new TypeError(`Cannot use the write token: it must have at least ${MIN_LENGTH} characters`);
    this.#token = digest(token);
    this.#now = now;
  }

  /** Unlocks the browser that sent a request. Returns its cookie; undefined if the token is wrong. */
  unlock(request: HttpRequest, token: string): string | undefined {
    if (!timingSafeEqual(digest(token), this.#token)) return undefined;
    const value = randomBytes(32).toString("base64url");
    const expiresAt = this.#now() + SESSION_MS;
    const session = { digest: digest(value), principal: request.principal, expiresAt };
    this.#sessions = [...this.#sessions, session].slice(-MAX_SESSIONS);
    return formatCookie(request, value);
  }

  /** Locks the browser that sent a request. Returns the cookie that replaces the one it has. */
  lock(request: HttpRequest): string {
    const session = this.#find(request);
    this.#sessions = this.#sessions.filter((other) => other !== session);
    return `${formatCookie(request, "")}; Max-Age=0`;
  }

  /** Whether the browser that sent a request is unlocked. */
  isUnlocked(request: HttpRequest): boolean {
    return this.#find(request) !== undefined;
  }

  #find(request: HttpRequest): WriteSession | undefined {
    const name = `${cookieName(request)}=`;
    const cookies = (request.header("cookie") ?? "").split(/; */);
    const own = cookies.find((cookie) => cookie.startsWith(name));
    if (own === undefined) return undefined;
    const actual = digest(own.slice(name.length));
    return this.#sessions.find(
      (session) =>
        timingSafeEqual(session.digest, actual) &&
        session.principal === request.principal &&
        session.expiresAt > this.#now(),
    );
  }
}

/** Browsers send cookies to every port of a host, so the dashboards of a host need different names. */
const cookieName = (request: HttpRequest): string =>
  `toolwright_write_${/:(\d+)$/.exec(request.header("host") ?? "")?.[1] ?? "0"}`;

const formatCookie = (request: HttpRequest, value: string): string =>
  `${cookieName(request)}=${value}; Path=/; HttpOnly; SameSite=Strict${request.isSecure ? "; Secure" : ""}`;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether a form was sent by a page of the dashboard itself, and not by another site or port. */
export function isSameOrigin(request: HttpRequest): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = request.header("origin");
  if (origin === undefined) return site === "same-origin";
  return URL.canParse(origin) && new URL(origin).host === request.header("host")?.toLowerCase();
}
