import type { HttpContext } from "../context.js";
import { type Check, fault, good, notApplicable, note, warning } from "../finding.js";
import { asObject } from "../wire/connection.js";
import { type HttpAnswer, JSON_HEADERS } from "../wire/http.js";
import { introduce, NEWEST_HANDSHAKE } from "../wire/protocol.js";

const EVIL = "https://evil.example";

/** What opens a conversation. */
export const OPENING = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: introduce(NEWEST_HANDSHAKE.version, { name: "toolwright-doctor", version: "1.0.0" }),
});

/** Sends what opens a conversation, with headers of a check. */
export const sendOpening = ({ wire }: HttpContext, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
  wire.send({ headers: { ...JSON_HEADERS, ...headers }, body: OPENING, until: { id: 1 } });

const isTaken = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;
const isLocked = ({ status }: HttpAnswer): boolean => status === 401;

const REBINDING = {
  why: "Any web page that a user opens can talk to a server on their machine: by its Origin, or by a name that points to 127.0.0.1 (DNS rebinding).",
  next: "Refuse requests whose Origin or Host is not on a list, with 403.",
};

/** Are web pages of others kept out? */
const origin: Check<HttpContext> = {
  id: "http.origin",
  title: "Refuses requests from web pages of others (Origin)",
  group: "http",
  async run(context) {
    const answer = await sendOpening(context, { origin: EVIL });
    if (isLocked(answer)) return [good("Without a token nobody gets in, web pages included.", answer.evidence)];
    if (isTaken(answer)) return [fault(`A request with Origin ${EVIL} is served.`, REBINDING, answer.evidence)];
    if (answer.status === 0) return [note(`A foreign Origin ends the connection: ${answer.reason}.`, answer.evidence)];
    return [good(`A foreign Origin gets ${answer.status}.`, answer.evidence)];
  },
};

/** Is a name that only points here kept out? */
const host: Check<HttpContext> = {
  id: "http.host",
  title: "Refuses requests for another host (DNS rebinding)",
  group: "http",
  async run(context) {
    if (!context.wire.isLocal)
      return notApplicable("It is not on this machine; what stands before it chooses by the host.");
    const answer = await sendOpening(context, { host: "evil.example" });
    if (isLocked(answer)) return [good("Without a token nobody gets in.", answer.evidence)];
    if (isTaken(answer)) return [fault("A request for the host evil.example is served.", REBINDING, answer.evidence)];
    return [good(`Another host gets ${answer.status === 0 ? "no connection" : answer.status}.`, answer.evidence)];
  },
};

/** Does it let web pages of others read its answers? */
const cors: Check<HttpContext> = {
  id: "http.cors",
  title: "Lets no web page of others read its answers (CORS)",
  group: "http",
  async run(context) {
    const answer = await context.wire.send({
      method: "OPTIONS",
      headers: {
        origin: EVIL,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    const allowed = answer.headers["access-control-allow-origin"];
    if (allowed === undefined) return [good("It allows no foreign Origin.", answer.evidence)];
    const isCredited = answer.headers["access-control-allow-credentials"] === "true";
    if (allowed !== "*" && allowed !== EVIL) return [good(`It allows ${allowed} alone.`, answer.evidence)];
    const saw = `It tells browsers that ${EVIL} may read its answers${isCredited ? ", with cookies" : ""}.`;
    if (isCredited) return [fault(saw, REBINDING, answer.evidence)];
    if (context.wire.isLocal) return [warning(saw, REBINDING, answer.evidence)];
    return [note(saw, answer.evidence, "Any web page may use it; with tokens that is meant so, without them hardly.")];
  },
};

/** The checks of who gets in. */
export const GUARD_CHECKS: readonly Check<HttpContext>[] = [origin, host, cors];

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
