import type { JsonObject } from "../../../jsonrpc/json.js";
import type { Log } from "../../../server/log.js";
import type { Verdict } from "./claims.js";
import { introspect } from "./introspect.js";
import { createKeys, judgeJwt } from "./jwt.js";
import { audiencesOf, type Place } from "./place.js";
import type { Remote } from "./remote.js";
import type { AuthSettings } from "./settings.js";

/** Says whether a token of the issuer is good, and how long that may be believed. */
export interface TokenJudge {
  judge(token: string): Promise<Verdict>;
  /** A key may be withdrawn and a token revoked: so long nobody notices. */
  readonly believedMs: number;
}

/** The judge that the options ask for: by signature, or by asking the issuer. */
export function createTokenJudge(
  settings: AuthSettings & { readonly issuer: string },
  place: Place,
  metadata: Remote<JsonObject>,
  log: Log,
): TokenJudge {
  const { issuer, audience, introspection, clockSkewMs } = settings;
  // The port may be known only once the server listens.
  const expected = () => ({ issuer, audiences: audiencesOf(audience, place), clockSkewMs });
  if (introspection !== undefined)
    return { judge: (token) => introspect(token, introspection, metadata, expected(), log), believedMs: 30_000 };
  const keys = createKeys(settings, metadata, log);
  return { judge: (token) => judgeJwt(token, keys, expected(), settings), believedMs: 600_000 };
}
