import { CODES } from "../codes.js";
import type { HttpContext } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, note, warning } from "../finding.js";
import { JSON_HEADERS, toReply } from "../wire/http-talk.js";
import { codeOf } from "../wire/reply.js";
import { OPENING, sendOpening } from "./http-guards.js";

const LARGE = 24 * 1024 * 1024;

/** Which answers can clients ask for? */
const accept: Check<HttpContext> = {
  id: "http.accept",
  title: "Serves clients whatever kind of answer they accept",
  group: "http",
  async run(context) {
    const findings: Finding[] = [];
    for (const wanted of ["application/json", "*/*", "text/event-stream"]) {
      const answer = await sendOpening(context, { accept: wanted });
      if (answer.status === 401) return notApplicable("It wants a token; give it one with --token-env NAME.");
      const kind = answer.headers["content-type"] ?? "";
      const isOther = wanted === "application/json" && /event-stream/.test(kind);
      if (answer.status === 200 && !isOther) continue;
      const saw = isOther
        ? `Accept: ${wanted} gets an event stream all the same.`
        : `Accept: ${wanted} gets ${answer.status}.`;
      findings.push(
        wanted === "text/event-stream"
          ? note(saw, answer.evidence)
          : warning(
              saw,
              {
                why: "Simple clients, scripts and gateways ask for JSON alone, and cannot use the server.",
                next: "Answer with JSON whoever accepts JSON.",
              },
              answer.evidence,
            ),
      );
    }
    return findings.length > 0 ? findings : [good("JSON alone, anything, and event streams alone are served.")];
  },
};

/** Is a body refused that is no JSON? */
const kinds: Check<HttpContext> = {
  id: "http.bodies",
  title: "Refuses bodies that are not JSON",
  group: "http",
  async run({ wire }) {
    const plain = await wire.send({
      headers: { ...JSON_HEADERS, "content-type": "text/plain" },
      body: OPENING,
      until: { id: 1 },
    });
    if (plain.status === 401) return notApplicable("It wants a token; give it one with --token-env NAME.");
    const broken = await wire.send({ headers: JSON_HEADERS, body: OPENING.slice(0, -3), until: { id: 1 } });
    const code = codeOf(toReply(broken, 1));
    return [
      plain.status >= 400 && plain.status < 500
        ? good(`A body of type text/plain gets ${plain.status}.`, plain.evidence)
        : warning(
            `A body of type text/plain gets ${plain.status}.`,
            {
              why: "Browsers send text/plain to other hosts without asking: a web page can reach the server.",
              next: "Refuse everything but application/json with 415.",
            },
            plain.evidence,
          ),
      broken.status >= 400 && broken.status < 500
        ? good(`Broken JSON gets ${broken.status}${code === undefined ? "" : ` and error ${code}`}.`, broken.evidence)
        : fault(
            `Broken JSON gets ${broken.status === 0 ? broken.reason : broken.status}.`,
            {
              why: "Clients retry what looks like a failure of the server.",
              next: `Answer 400 and error ${CODES.parseError}.`,
            },
            broken.evidence,
          ),
    ];
  },
};

/** Is there a limit to what it takes? */
const large: Check<HttpContext> = {
  id: "http.large-body",
  title: "Refuses a body of 24 MB, and lives on",
  group: "http",
  async run(context) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { pad: "x".repeat(LARGE) } });
    const answer = await context.wire.send({ headers: JSON_HEADERS, body, until: { id: 1 } });
    if (answer.status === 401) return [good("Without a token nothing is read.", answer.evidence)];
    const after = await sendOpening(context, {});
    if (after.status === 0)
      return [
        fault(
          "It does not survive a body of 24 MB.",
          { why: "Anybody who reaches it can end it.", next: "Set a limit for bodies, and answer 413 above it." },
          [...answer.evidence, ...after.evidence],
        ),
      ];
    if (answer.status === 413) return [good("It answers 413.", answer.evidence)];
    // A server may also hang up on a body that it will not read.
    if (answer.status === 0) return [good(`It hangs up on the body, and lives on: ${answer.reason}.`, answer.evidence)];
    if (answer.status >= 400 && /too large|limit|exceed|size/i.test(answer.text))
      return [good(`It answers ${answer.status}, and says that it is too large.`, answer.evidence)];
    return [
      warning(
        `It reads a body of 24 MB, and answers ${answer.status}.`,
        {
          why: "Anybody who reaches it can fill its memory, with many such bodies at once.",
          next: "Set a limit for bodies, and answer 413 above it.",
        },
        answer.evidence,
      ),
    ];
  },
};

/** Is a notification accepted without a body? */
const accepted: Check<HttpContext> = {
  id: "http.notification",
  title: "Accepts a notification with 202",
  group: "http",
  async run(context) {
    const talk = await context.open();
    if (talk.opening.kind !== "answer") return notApplicable("It came to no agreement.");
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const answer = await context.wire.send({ headers: { ...JSON_HEADERS, ...talk.headers }, body });
    if (answer.status === 202) return [good("It answers 202.", answer.evidence)];
    if (answer.status >= 400 || answer.status === 0)
      return [
        fault(
          `A notification gets ${answer.status === 0 ? answer.reason : answer.status}.`,
          { why: "The official clients take that for a failed connection.", next: "Answer 202 without a body." },
          answer.evidence,
        ),
      ];
    return [note(`A notification gets ${answer.status} in place of 202.`, answer.evidence)];
  },
};

/** Is a connection kept for the next request? */
const keepAlive: Check<HttpContext> = {
  id: "http.keep-alive",
  title: "Keeps a connection for the next request",
  group: "http",
  async run({ wire }) {
    const body = "{";
    await wire.send({ headers: JSON_HEADERS, body });
    const second = await wire.send({ headers: JSON_HEADERS, body });
    if (second.isReused) return [good("The second request came over the connection of the first.")];
    return [
      note(
        "Every request needs a new connection.",
        second.evidence,
        "Each call pays for another handshake of TCP and TLS.",
      ),
    ];
  },
};

/** The checks of bodies. */
export const BODY_CHECKS: readonly Check<HttpContext>[] = [accept, kinds, large, accepted, keepAlive];
