import type { AuthOptions, Identity, RequestHead } from "./options.js";

/** How long an author's way may take: whoever waits at the other end has to hear something. */
const TIME_LIMIT_MS = 10_000;

/**
 * Asks an author's own way who sends a request; undefined where it does not know. Throws where it fails, takes too long, or
 * gives something that is nobody in particular, who could do everything then.
 */
export async function askOwnWay(
  own: NonNullable<AuthOptions["authenticate"]>,
  request: RequestHead,
): Promise<Identity | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`auth.authenticate has given nothing within ${TIME_LIMIT_MS} ms`);
    timer = setTimeout(() => reject(error), TIME_LIMIT_MS).unref();
  });
  try {
    const identity: unknown = await Promise.race([own(request), late]);
    if (identity === undefined || isIdentity(identity)) return identity;
  } finally {
    clearTimeout(timer);
  }
  throw new TypeError("auth.authenticate must give undefined or { principal, scopes }");
}

/** A text is a list of its characters too, and never what is meant by scopes. */
function isIdentity(value: unknown): value is Identity {
  const { principal, scopes } = (value ?? {}) as { readonly principal?: unknown; readonly scopes?: unknown };
  return typeof principal === "string" && principal !== "" && typeof scopes !== "string";
}
