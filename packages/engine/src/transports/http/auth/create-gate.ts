import { hash as hashOf } from "node:crypto";
import type { Log } from "../../../server/log.js";
import type { Denial, Gate, Verified } from "../gate.js";
import type { HttpRequest } from "../host.js";
import { findApiKey } from "./api-keys.js";
import { isToken, readBearer } from "./bearer.js";
import { createDenials } from "./denials.js";
import { createDocuments } from "./documents.js";
import { IssuerError } from "./fetch-json.js";
import { createMetadata } from "./issuer.js";
import type { AuthOptions } from "./options.js";
import { askOwnWay } from "./own-way.js";
import type { Place } from "./place.js";
import { createAuthSettings, readApiKeys, toVerified } from "./settings.js";
import { TokenCache } from "./token-cache.js";
import { createTokenJudge } from "./token-judge.js";

type Admission = Verified | Denial;

/**
 * Builds the gate that the option `auth` describes. The ways are tried in this order: API keys, `authenticate`, tokens of the
 * issuer. Throws `TypeError` that names the option at fault.
 */
export function createGate(options: AuthOptions, place: Place, log: Log): Gate {
  const settings = createAuthSettings(options, place);
  const { issuer, scopes, covers, authenticate } = settings;
  let { apiKeys } = settings;
  const denials = createDenials(settings, place);
  const metadata = issuer === undefined ? undefined : createMetadata(issuer, log);
  const tokens = issuer && metadata && createTokenJudge({ ...settings, issuer }, place, metadata, log);
  const cache = new TokenCache();
  void metadata?.renew();

  const admitted = (request: HttpRequest, verified: Verified): Admission => {
    const { scopes: granted } = verified;
    return granted === undefined || scopes.every((scope) => granted.has(scope)) ? verified : denials.limited(request);
  };

  const judge = async (request: HttpRequest, token: string, hash: string): Promise<Admission> => {
    if (!tokens) return denials.wrong(request, "The key is not known here.");
    try {
      const verdict = await tokens.judge(token);
      if ("fault" in verdict) return denials.wrong(request, verdict.fault);
      const verified = toVerified(verdict, covers);
      cache.keep(hash, verified, verdict.expiresAt, tokens.believedMs);
      return admitted(request, verified);
    } catch (error) {
      if (error instanceof IssuerError) return denials.unknowable;
      log({ level: "error", message: "A token could not be checked", error });
      return denials.broken;
    }
  };

  const byToken = (request: HttpRequest, token: string | undefined, hash: string) => {
    if (token === undefined) return denials.missing(request);
    const known = cache.find(hash);
    if (known !== undefined) return admitted(request, known);
    return isToken(token) ? judge(request, token, hash) : denials.malformed(request);
  };

  /** Undefined where the author's own way does not know the client. */
  const byOwnWay = async (request: HttpRequest, own: NonNullable<typeof authenticate>) => {
    try {
      const identity = await askOwnWay(own, request);
      return identity && admitted(request, toVerified(identity, covers));
    } catch (error) {
      log({ level: "error", message: "auth.authenticate failed", error });
      return denials.broken;
    }
  };

  return {
    admit(request) {
      const token = readBearer(request.header("authorization"));
      const hash = token === undefined ? "" : hashOf("sha256", token, "base64");
      const key = token === undefined ? undefined : findApiKey(apiKeys, hash);
      if (key !== undefined) return admitted(request, key.verified);
      if (authenticate === undefined) return byToken(request, token, hash);
      return byOwnWay(request, authenticate).then((known) => known ?? byToken(request, token, hash));
    },
    knows(request) {
      const token = readBearer(request.header("authorization"));
      if (token === undefined) return false;
      const hash = hashOf("sha256", token, "base64");
      return Boolean(findApiKey(apiKeys, hash) ?? (!authenticate && cache.find(hash)));
    },
    challenge: (request, needed) => denials.challenge(request, needed),
    document: createDocuments(settings, place, metadata),
    renewKeys(keys) {
      apiKeys = readApiKeys(keys, covers);
    },
  };
}
