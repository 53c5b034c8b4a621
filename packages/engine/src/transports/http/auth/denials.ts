import type { Denial } from "../gate.js";
import { type Challenge, writeChallenge } from "./bearer.js";
import { resourceMetadataUrl } from "./documents.js";
import type { RequestHead } from "./options.js";
import { type Place, resourceOf } from "./place.js";
import { COOL_DOWN_MS } from "./remote.js";
import { uniteScopes } from "./scopes.js";
import type { AuthSettings } from "./settings.js";

const NO_TOKEN =
  "This server must know who calls. Send an access token or an API key in the header Authorization: Bearer … (and nowhere else).";
const MALFORMED = "The header Authorization says Bearer, and what follows is not one token.";
const MORE_SCOPES = "This needs scopes that were not granted.";

/** Every way of not letting a request in. */
export interface Denials {
  missing(request: RequestHead): Denial;
  malformed(request: RequestHead): Denial;
  wrong(request: RequestHead, fault: string): Denial;
  /** The scopes that every request needs were not granted. */
  limited(request: RequestHead): Denial;
  readonly unknowable: Denial;
  readonly broken: Denial;
  /** The challenge for an operation that needs these scopes beside those that every request needs. */
  challenge(request: RequestHead, scopes: readonly string[]): string;
}

/** Makes the denials of one gate. Their challenges name the same scopes in the same order each time. */
export function createDenials({ issuer, audience, scopes }: AuthSettings, place: Place): Denials {
  const write = (request: RequestHead, about: Omit<Challenge, "metadataUrl">): string =>
    writeChallenge({
      ...about,
      metadataUrl: issuer && resourceMetadataUrl(resourceOf(request, place, audience)),
    });
  const challenge = (request: RequestHead, needed: readonly string[]): string =>
    write(request, {
      scopes: uniteScopes(scopes, needed),
      error: "insufficient_scope",
      description: MORE_SCOPES,
    });
  return {
    missing: (request) => ({ status: 401, challenge: write(request, { scopes }), message: NO_TOKEN }),
    malformed: (request) => ({
      status: 400,
      challenge: write(request, { scopes, error: "invalid_request", description: MALFORMED }),
      message: MALFORMED,
    }),
    wrong: (request, fault) => ({
      status: 401,
      challenge: write(request, { scopes, error: "invalid_token", description: fault }),
      message: fault,
    }),
    limited: (request) => ({
      status: 403,
      challenge: challenge(request, []),
      message: `${MORE_SCOPES} Every request needs ${scopes.join(", ")}.`,
    }),
    unknowable: {
      status: 503,
      challenge: "",
      message: "The authorization server cannot be reached, so the token cannot be checked. Try again in a while.",
      // Before that, the issuer is not asked again.
      retryAfterMs: COOL_DOWN_MS,
    },
    broken: {
      status: 500,
      challenge: "",
      message: "Who calls could not be found out. The log of the server says why.",
    },
    challenge,
  };
}
