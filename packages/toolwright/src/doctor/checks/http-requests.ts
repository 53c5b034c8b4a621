import type { HttpContext } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, note, warning } from "../finding.js";
import { codeOf, resultOf } from "../wire/connection.js";
import { type HttpAnswer, type HttpTalk, type HttpWire, JSON_HEADERS, toReply } from "../wire/http.js";
import { CODES, HANDSHAKES, STATELESS, WITH_BATCHES } from "../wire/protocol.js";
import { OPENING, sendOpening } from "./http-security.js";

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

const PING = JSON.stringify({ jsonrpc: "2.0", id: 5, method: "ping" });

const ping = (wire: HttpWire, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
  wire.send({ headers: { ...JSON_HEADERS, ...headers }, body: PING, until: { id: 5 } });

const NO_HANDSHAKE = notApplicable("It came to no agreement over a handshake.");

/** Does a session begin, live and end as clients expect? */
const sessions: Check<HttpContext> = {
  id: "http.sessions",
  title: "Answers 404 for a session that it does not know",
  group: "http",
  async run(context) {
    const { wire } = context;
    const talk = await context.open();
    if (resultOf(talk.opening) === undefined) return NO_HANDSHAKE;
    const { "mcp-session-id": id, ...others } = talk.headers;
    if (id === undefined) return notApplicable("It keeps no sessions.");
    const unknown = await ping(wire, { ...others, "mcp-session-id": "toolwright-doctor-no-such-session" });
    const without = await ping(wire, others);
    const ended = await wire.send({ method: "DELETE", headers: talk.headers });
    const after = await ping(wire, talk.headers);
    const isEnded = ended.status >= 200 && ended.status < 300;
    const isAlive = isEnded && after.status >= 200 && after.status < 400;
    return [
      judgeUnknown(unknown, "An unknown session"),
      // Where an id that never was gets the same answer, it has been told already.
      ...(isEnded && after.status >= 400 && unknown.status === 404
        ? [judgeUnknown(after, "A session that was ended")]
        : []),
      without.status === 400
        ? good("A request without its session gets 400.", without.evidence)
        : note(`A request without a session gets ${without.status}.`, without.evidence),
      ...(ended.status === 405 ? [note("Sessions cannot be ended (DELETE gets 405).", ended.evidence)] : []),
      ...(isAlive
        ? [
            warning(
              `After DELETE the session still answers ${after.status}.`,
              {
                why: "What a user has ended lives on, with all that it may do.",
                next: "Forget the session, and answer 404.",
              },
              [...ended.evidence, ...after.evidence],
            ),
          ]
        : []),
    ];
  },
};

/** How a session is taken that is not there. */
function judgeUnknown(answer: HttpAnswer, which: string): Finding {
  const saw = `${which} gets ${answer.status}.`;
  if (answer.status === 404) return good(saw, answer.evidence);
  if (answer.status >= 400)
    return warning(
      saw,
      {
        why: "Clients begin anew when they hear 404, and only then: after a restart of the server they stay broken.",
        next: "Answer 404 for a session that is not there.",
      },
      answer.evidence,
    );
  return fault(
    `${saw} Any text is taken for a session.`,
    {
      why: "Whoever guesses or makes up an id is let in.",
      next: "Take only ids that the server has given out; else answer 404.",
    },
    answer.evidence,
  );
}

/** Does GET open a stream, or say that there is none? */
const stream: Check<HttpContext> = {
  id: "http.get-stream",
  title: "GET opens an event stream, or gets 405",
  group: "http",
  async run(context) {
    const talk: HttpTalk = await context.open();
    if (resultOf(talk.opening) === undefined) return NO_HANDSHAKE;
    const headers = { ...talk.headers, accept: "text/event-stream" };
    const answer = await context.wire.send({ method: "GET", headers, until: "head" });
    if (answer.status === 405) return [good("GET gets 405: there is no stream.", answer.evidence)];
    if (answer.status === 200 && /event-stream/.test(answer.headers["content-type"] ?? ""))
      return [good("GET opens an event stream.", answer.evidence)];
    return [
      warning(
        `GET gets ${answer.status === 0 ? answer.reason : answer.status}.`,
        {
          why: "Clients open the stream after each handshake; other answers make them retry for ever, or give up.",
          next: "Open an event stream, or answer 405.",
        },
        answer.evidence,
      ),
    ];
  },
};

/** Is a version refused that it does not speak? */
const version: Check<HttpContext> = {
  id: "http.version-header",
  title: "Refuses a wrong MCP-Protocol-Version",
  group: "http",
  async run(context) {
    const talk = await context.open();
    if (resultOf(talk.opening) === undefined) return NO_HANDSHAKE;
    const answer = await ping(context.wire, { ...talk.headers, "mcp-protocol-version": "1999-01-01" });
    if (answer.status === 400) return [good("It answers 400.", answer.evidence)];
    const advice = {
      why: "Client and server go on in different versions, and each takes the other's messages for wrong.",
      next: "Answer 400 for a version that the server does not speak.",
    };
    return [warning(`A wrong MCP-Protocol-Version gets ${answer.status}.`, advice, answer.evidence)];
  },
};

/** Are both eras served at one URL? */
const bothEras: Check<HttpContext> = {
  id: "http.both-eras",
  title: "Serves both eras at one URL",
  group: "http",
  async run(context) {
    const { visits, stateless } = await context.survey();
    const spoken = visits.filter(({ era, isSpoken }) => isSpoken && era.handshake);
    if (spoken.length > 0 && stateless !== undefined) return [good("Both eras are served at this URL.")];
    if (spoken.length > 0)
      return [note(`It serves ${HANDSHAKES.length} handshake revisions at most, and not ${STATELESS.version}.`)];
    return stateless === undefined ? NO_HANDSHAKE : [note(`It serves ${STATELESS.version} alone.`)];
  },
};

/** Are batches served where the revision has them? */
const batches: Check<HttpContext> = {
  id: "http.batches",
  title: `Answers batches in ${WITH_BATCHES.version}, which has them`,
  group: "http",
  async run(context) {
    const talk = await context.open(WITH_BATCHES);
    if (resultOf(talk.opening)?.["protocolVersion"] !== WITH_BATCHES.version)
      return notApplicable(`It does not speak ${WITH_BATCHES.version}.`);
    const body = JSON.stringify([6, 7].map((id) => ({ jsonrpc: "2.0", id, method: "ping" })));
    const answer = await context.wire.send({ headers: { ...JSON_HEADERS, ...talk.headers }, body });
    const answered = answer.messages.filter((message) => "result" in message).length;
    if (answered === 2) return [good("Both requests of a batch are answered.", answer.evidence)];
    const advice = {
      why: "Clients of that revision that send batches cannot use it.",
      next: "Answer each request of the batch.",
    };
    return [
      warning(
        `Of two requests in a batch ${answered} were answered (${answer.status === 0 ? answer.reason : `HTTP ${answer.status}`}).`,
        advice,
        answer.evidence,
      ),
    ];
  },
};

/** The checks of sessions and streams. */
export const SESSION_CHECKS: readonly Check<HttpContext>[] = [bothEras, sessions, stream, version, batches];
