import type { HttpContext } from "../context.js";
import { type Check, fault, good, note, warning } from "../finding.js";
import { asObject } from "../wire/reply.js";
import { sendOpening } from "./http-guards.js";

const MAZE = {
  why: "A client finds out where to sign in by these documents alone: without them its user cannot connect.",
  next: "Name the document with resource_metadata in WWW-Authenticate, and serve it without a token.",
};

/** Can a client find out where to get a token? */
export const authorization: Check<HttpContext> = {
  id: "http.authorization",
  title: "Says where to get a token, when it wants one",
  group: "http",
  async run(context) {
    const { wire } = context;
    const answer = await sendOpening(context, {});
    if (answer.status !== 401) {
      if (wire.isLocal) return [good("It wants no token, and is on this machine.", answer.evidence)];
      return [note("It wants no token (or has got one).", answer.evidence)];
    }
    const challenge = answer.headers["www-authenticate"];
    if (challenge === undefined) return [fault("It answers 401 without WWW-Authenticate.", MAZE, answer.evidence)];
    const [, named] = /resource_metadata="?([^",\s]+)/.exec(challenge) ?? [];
    const place = named ?? new URL(`/.well-known/oauth-protected-resource${wire.url.pathname}`, wire.url).href;
    if (!URL.canParse(place) || new URL(place).origin !== wire.url.origin)
      return [
        warning(`The document about authorization is named as ${place}, on another host.`, MAZE, answer.evidence),
      ];
    const document = await wire.send({ method: "GET", url: new URL(place) });
    const issuers = document.messages.flatMap((value) => asObject(value)?.["authorization_servers"] ?? []);
    const evidence = [...answer.evidence, ...document.evidence];
    if (document.status === 200 && issuers.length > 0)
      return [good("It says by which issuers a token can be had.", evidence)];
    if (named === undefined)
      return [
        note("It wants a key that only its operator can give: there is no document about authorization.", evidence),
      ];
    return [fault(`The document about authorization gets ${document.status}, or names no issuer.`, MAZE, evidence)];
  },
};
