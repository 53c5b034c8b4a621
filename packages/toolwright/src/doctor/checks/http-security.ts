import type { HttpContext } from "../context.js";
import { type Check, fault, good, notApplicable, note, warning } from "../finding.js";
import { asObject } from "../wire/connection.js";
import { type HttpResponse, JSON_HEADERS } from "../wire/http.js";
import { initializeParams, NEWEST_HANDSHAKE } from "../wire/protocol.js";

const FOREIGN_ORIGIN = "https://evil.example";

/** The first request of a conversation. */
export const OPENING = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: initializeParams(NEWEST_HANDSHAKE.version, { name: "toolwright-doctor", version: "1.0.0" }),
});

/** Sends the first request with additional headers. */
export const sendOpening = ({ wire }: HttpContext, headers: Readonly<Record<string, string>>): Promise<HttpResponse> =>
  wire.send({ headers: { ...JSON_HEADERS, ...headers }, body: OPENING, until: { id: 1 } });

const isServed = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;
const isUnauthorized = ({ status }: HttpResponse): boolean => status === 401;

const REBINDING_ADVICE = {
  why: "Any web page that a user opens can reach a server on their machine, directly or through a host name that resolves to 127.0.0.1 (DNS rebinding).",
  next: "Reject requests whose Origin or Host is not on an allow list, with 403.",
};

const origin: Check<HttpContext> = {
  id: "http.origin",
  title: "Rejects requests from other web pages (Origin)",
  group: "http",
  async run(context) {
    const answer = await sendOpening(context, { origin: FOREIGN_ORIGIN });
    if (isUnauthorized(answer))
      return [good("Without a token every request is rejected, also from web pages.", answer.evidence)];
    if (isServed(answer))
      return [fault(`A request with Origin ${FOREIGN_ORIGIN} is served.`, REBINDING_ADVICE, answer.evidence)];
    if (answer.status === 0)
      return [note(`A foreign Origin closes the connection: ${answer.reason}.`, answer.evidence)];
    return [good(`A foreign Origin gets ${answer.status}.`, answer.evidence)];
  },
};

const host: Check<HttpContext> = {
  id: "http.host",
  title: "Rejects requests for another host (DNS rebinding)",
  group: "http",
  async run(context) {
    if (!context.wire.isLocal) return notApplicable("It is not on this machine; a proxy may route by host.");
    const answer = await sendOpening(context, { host: "evil.example" });
    if (isUnauthorized(answer)) return [good("Without a token every request is rejected.", answer.evidence)];
    if (isServed(answer))
      return [fault("A request for the host evil.example is served.", REBINDING_ADVICE, answer.evidence)];
    return [good(`Another host gets ${answer.status === 0 ? "no connection" : answer.status}.`, answer.evidence)];
  },
};

const cors: Check<HttpContext> = {
  id: "http.cors",
  title: "Does not let other web pages read responses (CORS)",
  group: "http",
  async run(context) {
    const answer = await context.wire.send({
      method: "OPTIONS",
      headers: {
        origin: FOREIGN_ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    const allowed = answer.headers["access-control-allow-origin"];
    if (allowed === undefined) return [good("It allows no foreign Origin.", answer.evidence)];
    const isCredited = answer.headers["access-control-allow-credentials"] === "true";
    if (allowed !== "*" && allowed !== FOREIGN_ORIGIN) return [good(`It allows only ${allowed}.`, answer.evidence)];
    const summary = `It tells browsers that ${FOREIGN_ORIGIN} may read its responses${isCredited ? ", with cookies" : ""}.`;
    if (isCredited) return [fault(summary, REBINDING_ADVICE, answer.evidence)];
    if (context.wire.isLocal) return [warning(summary, REBINDING_ADVICE, answer.evidence)];
    return [
      note(summary, answer.evidence, "Any web page may use it. With tokens that may be intended, without them hardly."),
    ];
  },
};

/** The checks of who gets in. */
export const GUARD_CHECKS: readonly Check<HttpContext>[] = [origin, host, cors];

const METADATA_ADVICE = {
  why: "These documents tell clients where to sign in: without them users cannot connect.",
  next: "Name the document with resource_metadata in WWW-Authenticate, and serve it without a token.",
};

/** Says where to get a token. */
export const authorization: Check<HttpContext> = {
  id: "http.authorization",
  title: "Says where to get a token, if it requires one",
  group: "http",
  async run(context) {
    const { wire } = context;
    const answer = await sendOpening(context, {});
    if (answer.status !== 401) {
      if (wire.isLocal) return [good("It requires no token, and is on this machine.", answer.evidence)];
      return [note("It requires no token, or one was sent.", answer.evidence)];
    }
    const challenge = answer.headers["www-authenticate"];
    if (challenge === undefined)
      return [fault("It responds with 401 without WWW-Authenticate.", METADATA_ADVICE, answer.evidence)];
    const [, named] = /resource_metadata="?([^",\s]+)/.exec(challenge) ?? [];
    const place = named ?? new URL(`/.well-known/oauth-protected-resource${wire.url.pathname}`, wire.url).href;
    if (!URL.canParse(place) || new URL(place).origin !== wire.url.origin)
      return [
        warning(`The protected resource metadata is at ${place}, on another host.`, METADATA_ADVICE, answer.evidence),
      ];
    const document = await wire.send({ method: "GET", url: new URL(place) });
    const issuers = document.messages.flatMap((value) => asObject(value)?.["authorization_servers"] ?? []);
    const evidence = [...answer.evidence, ...document.evidence];
    if (document.status === 200 && issuers.length > 0) return [good("It names the authorization servers.", evidence)];
    if (named === undefined)
      return [note("It requires a key from its operator: there is no protected resource metadata.", evidence)];
    return [
      fault(
        `The protected resource metadata gets ${document.status}, or names no authorization server.`,
        METADATA_ADVICE,
        evidence,
      ),
    ];
  },
};
