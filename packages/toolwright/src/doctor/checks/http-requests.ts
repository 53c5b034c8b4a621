import type { HttpContext } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, note, warning } from "../finding.js";
import { codeOf, resultOf } from "../wire/connection.js";
import { type HttpConversation, type HttpResponse, type HttpWire, JSON_HEADERS, toReply } from "../wire/http.js";
import { CODES, STATELESS, WITH_BATCHES } from "../wire/protocol.js";
import { OPENING, sendOpening } from "./http-security.js";

const LARGE_BODY_BYTES = 24 * 1024 * 1024;

const accept: Check<HttpContext> = {
  id: "http.accept",
  title: "Serves every media type that clients accept",
  group: "http",
  async run(context) {
    const findings: Finding[] = [];
    for (const wanted of ["application/json", "*/*", "text/event-stream"]) {
      const answer = await sendOpening(context, { accept: wanted });
      if (answer.status === 401) return notApplicable("It requires a token. Pass one with --token-env NAME.");
      const kind = answer.headers["content-type"] ?? "";
      const isOther = wanted === "application/json" && /event-stream/.test(kind);
      if (answer.status === 200 && !isOther) continue;
      const summary = isOther
        ? `Accept: ${wanted} gets an event stream anyway.`
        : `Accept: ${wanted} gets ${answer.status}.`;
      findings.push(
        wanted === "text/event-stream"
          ? note(summary, answer.evidence)
          : warning(
              summary,
              {
                why: "Simple clients, scripts and gateways accept only JSON, and cannot use the server.",
                next: "Respond with JSON to clients that accept it.",
              },
              answer.evidence,
            ),
      );
    }
    return findings.length > 0
      ? findings
      : [good("Clients that accept only JSON, only event streams, or anything are served.")];
  },
};

const kinds: Check<HttpContext> = {
  id: "http.bodies",
  title: "Rejects bodies that are not JSON",
  group: "http",
  async run({ wire }) {
    const plain = await wire.send({
      headers: { ...JSON_HEADERS, "content-type": "text/plain" },
      body: OPENING,
      until: { id: 1 },
    });
    if (plain.status === 401) return notApplicable("It requires a token. Pass one with --token-env NAME.");
    const broken = await wire.send({ headers: JSON_HEADERS, body: OPENING.slice(0, -3), until: { id: 1 } });
    const code = codeOf(toReply(broken, 1));
    return [
      plain.status >= 400 && plain.status < 500
        ? good(`A body of type text/plain gets ${plain.status}.`, plain.evidence)
        : warning(
            `A body of type text/plain gets ${plain.status}.`,
            {
              why: "Browsers send text/plain to other hosts without a preflight request, so web pages can reach the server.",
              next: "Reject everything but application/json with 415.",
            },
            plain.evidence,
          ),
      broken.status >= 400 && broken.status < 500
        ? good(`Invalid JSON gets ${broken.status}${code === undefined ? "" : ` and error ${code}`}.`, broken.evidence)
        : fault(
            `Invalid JSON gets ${broken.status === 0 ? broken.reason : broken.status}.`,
            {
              why: "Clients retry after what looks like a server error.",
              next: `Respond with 400 and error ${CODES.parseError}.`,
            },
            broken.evidence,
          ),
    ];
  },
};

const large: Check<HttpContext> = {
  id: "http.large-body",
  title: "Rejects a body of 24 MB, and keeps running",
  group: "http",
  async run(context) {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "ping",
      params: { pad: "x".repeat(LARGE_BODY_BYTES) },
    });
    const answer = await context.wire.send({ headers: JSON_HEADERS, body, until: { id: 1 } });
    if (answer.status === 401) return [good("Without a token the body is not read.", answer.evidence)];
    const after = await sendOpening(context, {});
    if (after.status === 0)
      return [
        fault(
          "It does not survive a body of 24 MB.",
          {
            why: "Anyone who can reach it can crash it.",
            next: "Limit the size of bodies, and respond with 413 above it.",
          },
          [...answer.evidence, ...after.evidence],
        ),
      ];
    if (answer.status === 413) return [good("It responds with 413.", answer.evidence)];
    // A server may also close the connection instead of reading the body.
    if (answer.status === 0)
      return [good(`It closes the connection, and keeps running: ${answer.reason}.`, answer.evidence)];
    if (answer.status >= 400 && /too large|limit|exceed|size/i.test(answer.text))
      return [good(`It responds with ${answer.status}, and says that the body is too large.`, answer.evidence)];
    return [
      warning(
        `It reads a body of 24 MB, and responds with ${answer.status}.`,
        {
          why: "Anyone who can reach it can exhaust its memory with many such bodies.",
          next: "Limit the size of bodies, and respond with 413 above it.",
        },
        answer.evidence,
      ),
    ];
  },
};

const accepted: Check<HttpContext> = {
  id: "http.notification",
  title: "Accepts a notification with 202",
  group: "http",
  async run(context) {
    const conversation = await context.open();
    if (conversation.opening.kind !== "answer") return notApplicable("No version was negotiated.");
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const answer = await context.wire.send({ headers: { ...JSON_HEADERS, ...conversation.headers }, body });
    if (answer.status === 202) return [good("It responds with 202.", answer.evidence)];
    if (answer.status >= 400 || answer.status === 0)
      return [
        fault(
          `A notification gets ${answer.status === 0 ? answer.reason : answer.status}.`,
          { why: "The official clients treat that as a failed connection.", next: "Respond with 202 without a body." },
          answer.evidence,
        ),
      ];
    return [note(`A notification gets ${answer.status} instead of 202.`, answer.evidence)];
  },
};

const keepAlive: Check<HttpContext> = {
  id: "http.keep-alive",
  title: "Keeps connections alive",
  group: "http",
  async run({ wire }) {
    const body = "{";
    await wire.send({ headers: JSON_HEADERS, body });
    const second = await wire.send({ headers: JSON_HEADERS, body });
    if (second.isReused) return [good("The second request used the connection of the first.")];
    return [
      note("Every request needs a new connection.", second.evidence, "Each call needs another TCP and TLS handshake."),
    ];
  },
};

/** The checks of bodies. */
export const BODY_CHECKS: readonly Check<HttpContext>[] = [accept, kinds, large, accepted, keepAlive];

const PING = JSON.stringify({ jsonrpc: "2.0", id: 5, method: "ping" });

const ping = (wire: HttpWire, headers: Readonly<Record<string, string>>): Promise<HttpResponse> =>
  wire.send({ headers: { ...JSON_HEADERS, ...headers }, body: PING, until: { id: 5 } });

const NO_HANDSHAKE = notApplicable("No handshake succeeded.");

const sessions: Check<HttpContext> = {
  id: "http.sessions",
  title: "Responds with 404 to an unknown session",
  group: "http",
  async run(context) {
    const { wire } = context;
    const conversation = await context.open();
    if (resultOf(conversation.opening) === undefined) return NO_HANDSHAKE;
    const { "mcp-session-id": id, ...others } = conversation.headers;
    if (id === undefined) return notApplicable("It has no sessions.");
    const unknown = await ping(wire, { ...others, "mcp-session-id": "toolwright-doctor-no-such-session" });
    const without = await ping(wire, others);
    const ended = await wire.send({ method: "DELETE", headers: conversation.headers });
    const after = await ping(wire, conversation.headers);
    const isEnded = ended.status >= 200 && ended.status < 300;
    const isAlive = isEnded && after.status >= 200 && after.status < 400;
    return [
      judgeUnknownSession(unknown, "An unknown session"),
      // An unknown id may get the same response, which is reported already.
      ...(isEnded && after.status >= 400 && unknown.status === 404
        ? [judgeUnknownSession(after, "A deleted session")]
        : []),
      without.status === 400
        ? good("A request without a session gets 400.", without.evidence)
        : note(`A request without a session gets ${without.status}.`, without.evidence),
      ...(ended.status === 405 ? [note("Sessions cannot be deleted (DELETE gets 405).", ended.evidence)] : []),
      ...(isAlive
        ? [
            warning(
              `After DELETE the session still responds with ${after.status}.`,
              {
                why: "A session that the user has ended stays usable, with all its permissions.",
                next: "Delete the session, and respond with 404.",
              },
              [...ended.evidence, ...after.evidence],
            ),
          ]
        : []),
    ];
  },
};

/** Judges the response to an unknown session. */
function judgeUnknownSession(answer: HttpResponse, which: string): Finding {
  const summary = `${which} gets ${answer.status}.`;
  if (answer.status === 404) return good(summary, answer.evidence);
  if (answer.status >= 400)
    return warning(
      summary,
      {
        why: "Clients start a new session only after a 404, so after a restart of the server they stay broken.",
        next: "Respond with 404 to unknown sessions.",
      },
      answer.evidence,
    );
  return fault(
    `${summary} Any text is accepted as a session id.`,
    {
      why: "Anyone can use an invented session id.",
      next: "Accept only ids that the server has issued; otherwise respond with 404.",
    },
    answer.evidence,
  );
}

const stream: Check<HttpContext> = {
  id: "http.get-stream",
  title: "GET opens an event stream, or gets 405",
  group: "http",
  async run(context) {
    const conversation: HttpConversation = await context.open();
    if (resultOf(conversation.opening) === undefined) return NO_HANDSHAKE;
    const headers = { ...conversation.headers, accept: "text/event-stream" };
    const answer = await context.wire.send({ method: "GET", headers, until: "head" });
    if (answer.status === 405) return [good("GET gets 405: there is no event stream.", answer.evidence)];
    if (answer.status === 200 && /event-stream/.test(answer.headers["content-type"] ?? ""))
      return [good("GET opens an event stream.", answer.evidence)];
    return [
      warning(
        `GET gets ${answer.status === 0 ? answer.reason : answer.status}.`,
        {
          why: "Clients open the stream after each handshake; after other responses they retry forever, or give up.",
          next: "Open an event stream, or respond with 405.",
        },
        answer.evidence,
      ),
    ];
  },
};

const version: Check<HttpContext> = {
  id: "http.version-header",
  title: "Rejects an unsupported MCP-Protocol-Version",
  group: "http",
  async run(context) {
    const conversation = await context.open();
    if (resultOf(conversation.opening) === undefined) return NO_HANDSHAKE;
    const answer = await ping(context.wire, { ...conversation.headers, "mcp-protocol-version": "1999-01-01" });
    if (answer.status === 400) return [good("It responds with 400.", answer.evidence)];
    const advice = {
      why: "Client and server continue in different versions, and misread each other's messages.",
      next: "Respond with 400 to a version that the server does not support.",
    };
    return [warning(`An unsupported MCP-Protocol-Version gets ${answer.status}.`, advice, answer.evidence)];
  },
};

const bothEras: Check<HttpContext> = {
  id: "http.both-eras",
  title: "Serves handshake and stateless clients at one URL",
  group: "http",
  async run(context) {
    const { revisionSnapshots, stateless } = await context.snapshot();
    const spoken = revisionSnapshots.filter(({ revision, isSupported }) => isSupported && revision.handshake);
    if (spoken.length > 0 && stateless !== undefined)
      return [good("Handshake and stateless clients are served at this URL.")];
    if (spoken.length > 0) return [note(`It supports handshake revisions, but not ${STATELESS.version}.`)];
    return stateless === undefined ? NO_HANDSHAKE : [note(`It supports only ${STATELESS.version}.`)];
  },
};

const batches: Check<HttpContext> = {
  id: "http.batches",
  title: `Responds to batches in ${WITH_BATCHES.version}`,
  group: "http",
  async run(context) {
    const conversation = await context.open(WITH_BATCHES);
    if (resultOf(conversation.opening)?.["protocolVersion"] !== WITH_BATCHES.version)
      return notApplicable(`It does not support ${WITH_BATCHES.version}.`);
    const body = JSON.stringify([6, 7].map((id) => ({ jsonrpc: "2.0", id, method: "ping" })));
    const answer = await context.wire.send({ headers: { ...JSON_HEADERS, ...conversation.headers }, body });
    const answered = answer.messages.filter((message) => "result" in message).length;
    if (answered === 2) return [good("Both requests of a batch got a response.", answer.evidence)];
    const advice = {
      why: "Clients of that revision that send batches cannot use the server.",
      next: "Respond to each request of the batch.",
    };
    return [
      warning(
        `Of two requests in a batch, ${answered} got a response (${answer.status === 0 ? answer.reason : `HTTP ${answer.status}`}).`,
        advice,
        answer.evidence,
      ),
    ];
  },
};

/** The checks of sessions and streams. */
export const SESSION_CHECKS: readonly Check<HttpContext>[] = [bothEras, sessions, stream, version, batches];
