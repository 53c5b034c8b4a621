import type { HttpContext } from "../context.js";
import { introduce, NEWEST_HANDSHAKE } from "../eras.js";
import { type Check, fault, good, notApplicable, note, warning } from "../finding.js";
import { JSON_HEADERS } from "../wire/http-talk.js";
import type { HttpAnswer } from "../wire/http-wire.js";

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
