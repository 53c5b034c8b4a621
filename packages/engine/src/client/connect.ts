import { answerWith, capabilitiesOf } from "./answers.js";
import type { OpenChannel } from "./channel.js";
import { Client } from "./client.js";
import { Connection } from "./connection.js";
import { agree, isOfOlder } from "./era.js";
import { ConnectionFailed, RequestRefused, statusOf, TimedOut } from "./errors.js";
import type { Listener } from "./listening.js";
import { openerFor } from "./opener.js";
import { CLIENT_OPTIONS, type ClientOptions, checkOptions, DEFAULTS, type LogLine, type Target } from "./options.js";
import { followingTasks, revisionOf, type Speaker } from "./speech.js";

/** What an HTTP server says that does not know Streamable HTTP at this address. */
const NOT_STREAMABLE: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/** One way to a server, and whether it leads to one of the older era. */
interface Way {
  readonly open: OpenChannel;
  readonly isOlder: boolean;
}

/**
 * Connects to a server and agrees with it on a revision. Throws `ConnectionFailed`, `RequestRefused` or `TimedOut`, and `TypeError`
 * for wrong options.
 */
export async function connect(target: Target, options: ClientOptions = {}): Promise<Client> {
  checkOptions(options, CLIENT_OPTIONS);
  const { timeoutMs = DEFAULTS.timeoutMs, probeMs = DEFAULTS.probeMs } = options;
  // All attempts share the time of one request; this much of it is kept for the second where the first may use up all.
  const keptMs = isProbed(target, options) ? Math.min(probeMs, timeoutMs / 3) : 0;
  const until = performance.now() + timeoutMs;
  try {
    return await begin({ open: openerFor(target, options), isOlder: "sse" in target }, options, timeoutMs - keptMs);
  } catch (error) {
    const other = otherWay(target, options, error);
    if (other === undefined) throw error;
    const restMs = Math.max(keptMs, until - performance.now());
    // A refusal in words is most often one, so the other way gets only the time of a probe.
    const mostMs = error instanceof RequestRefused ? Math.min(probeMs, restMs) : restMs;
    return begin(other, options, mostMs).catch(() => {
      if (error instanceof TimedOut) throw new TimedOut(`The server did not answer within ${timeoutMs} ms (timeoutMs)`);
      // That the other way leads nowhere either says nothing of what is wrong with the first.
      throw error;
    });
  }
}

const isProbed = (target: Target, { revision }: ClientOptions): boolean =>
  "command" in target && revision === undefined;

/** The way to older servers, where what happened is a sign of one. */
function otherWay(target: Target, options: ClientOptions, error: unknown): Way | undefined {
  if (options.revision !== undefined && !revisionOf(options.revision).handshake) return undefined;
  if ("url" in target && NOT_STREAMABLE.has(statusOf(error)) && isOfOlder(error))
    return { open: openerFor({ sse: target.url }, options), isOlder: true };
  // Some do not survive a request before the handshake, so they are started once more and spared it.
  const hasDied = error instanceof TimedOut || (error instanceof ConnectionFailed && error.hasBroken);
  return hasDied && isProbed(target, options) ? { open: openerFor(target, options), isOlder: true } : undefined;
}

async function begin({ open, isOlder }: Way, options: ClientOptions, mostMs: number): Promise<Client> {
  const { timeoutMs = DEFAULTS.timeoutMs, totalMs = DEFAULTS.totalMs, probeMs = DEFAULTS.probeMs } = options;
  const answer = answerWith(options);
  const listeners = new Set<Listener>();
  const connection = new Connection({
    timeoutMs,
    totalMs,
    answer,
    notified: (method, params) => {
      for (const listener of listeners) listener(method, params);
      if (method === "notifications/message") options.onLog?.(params as unknown as LogLine);
      options.onNotification?.(method, params);
    },
  });
  const speaker = speakerOf(options);
  const era = { revision: options.revision, isOlder, probeMs: Math.min(probeMs, mostMs / 2), speaker };
  const server = await connection.open(open, mostMs, () => agree(connection, era));
  const following = server.handshake ? speaker : followingTasks(speaker);
  return new Client({ connection, server, speaker: following, answer, listeners });
}

function speakerOf(options: ClientOptions): Speaker {
  const capabilities = { ...capabilitiesOf(options), ...options.capabilities };
  return { info: { ...(options.info ?? DEFAULTS.info) } as Speaker["info"], capabilities };
}
