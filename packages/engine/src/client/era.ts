import { headerMismatch, missingCapability, unsupportedVersion } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { SERVER_KEY } from "../revisions/meta-keys.js";
import type { SpokenRevision } from "./channel.js";
import type { Connection } from "./connection.js";
import { ConnectionFailed, RequestRefused, statusOf, TimedOut } from "./errors.js";
import { pause } from "./pause.js";
import { dress, introduce, NEWEST_HANDSHAKE, revisionOf, SPOKEN, type Speaker } from "./speech.js";
import { textOf } from "./text.js";

/** What is known of a server once both ends have agreed on a revision. */
export interface ServerFacts {
  readonly revision: string;
  /** The server opens with a handshake and keeps a session; otherwise each request stands alone. */
  readonly handshake: boolean;
  /** Who the server is; empty where it does not say. */
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** How to find out what a server speaks. */
export interface EraOptions {
  /** The only revision to speak; undefined = the newest that both know. */
  readonly revision?: string | undefined;
  /** The server is known to be of the older era, or cannot bear to be asked. */
  readonly isOlder: boolean;
  /** How long to wait for the answer to the first question before the server is taken for one of the older era. */
  readonly probeMs: number;
  readonly speaker: Speaker;
}

/** The refusals that only a server of the newer era makes. */
const MODERN: ReadonlySet<number> = new Set([
  headerMismatch("").code,
  missingCapability({}).code,
  unsupportedVersion("", []).code,
]);
/** HTTP statuses that say nothing of what the server speaks: it wants something else first. */
const NO_SIGN: ReadonlySet<number | undefined> = new Set([401, 403, 407, 408, 429]);

/** Finds the revision that both ends speak, and opens the conversation in it. Throws where there is none. */
export async function agree(connection: Connection, options: EraOptions): Promise<ServerFacts> {
  const { revision, isOlder } = options;
  const wanted = revision === undefined && isOlder ? NEWEST_HANDSHAKE : revisionOf(revision);
  const find = wanted.handshake ? shakeHands : revision === undefined ? probe : discover;
  const facts = await find(connection, options, wanted);
  await connection.agree({ version: facts.revision, handshake: facts.handshake });
  return facts;
}

/** Asks in the newer way first. Some older servers answer nothing before the handshake, so silence counts as theirs. */
async function probe(connection: Connection, options: EraOptions, wanted: SpokenRevision): Promise<ServerFacts> {
  const done = new AbortController();
  const first = discover(connection, options, wanted, done.signal);
  const silence = pause(options.probeMs, done.signal).then(() => undefined);
  const refused = (error: unknown): Promise<ServerFacts> => otherEra(connection, options, error);
  try {
    const facts = await Promise.race([first, silence]).catch(refused);
    return facts ?? (await shakeHandsOr(connection, options, () => first.catch(refused)));
  } finally {
    done.abort();
    for (const late of [first, silence]) late.catch(() => undefined);
  }
}

/** A server of the newer era that was only slow refuses the handshake, and its first answer comes still. */
async function shakeHandsOr(
  connection: Connection,
  options: EraOptions,
  first: () => Promise<ServerFacts>,
): Promise<ServerFacts> {
  try {
    return await shakeHands(connection, options, NEWEST_HANDSHAKE);
  } catch (error) {
    if (error instanceof RequestRefused) return first();
    throw error;
  }
}

/** What a refused probe says of the server. */
function otherEra(connection: Connection, options: EraOptions, error: unknown): Promise<ServerFacts> {
  const supported = error instanceof RequestRefused && isObject(error.data) ? error.data["supported"] : undefined;
  if (Array.isArray(supported)) {
    const common = SPOKEN.find(({ version }) => supported.includes(version));
    if (common === undefined) throw noCommon(supported, error);
    return common.handshake ? shakeHands(connection, options, common) : discover(connection, options, common);
  }
  if (!isOfOlder(error)) throw error;
  return shakeHands(connection, options, NEWEST_HANDSHAKE);
}

/** Any refusal that a server of the newer era would not make comes from one of the older. */
export function isOfOlder(error: unknown): boolean {
  const status = statusOf(error);
  if (NO_SIGN.has(status)) return false;
  if (error instanceof RequestRefused) return !MODERN.has(error.code);
  return error instanceof TimedOut || (status !== undefined && status >= 400 && status < 500);
}

async function discover(
  connection: Connection,
  { speaker }: EraOptions,
  revision: SpokenRevision,
  signal?: AbortSignal,
): Promise<ServerFacts> {
  const result = await connection.request("server/discover", dress({}, revision, speaker), { signal });
  const { supportedVersions, capabilities, instructions, _meta } = result;
  // The list is there in every such answer, so anything else comes from a server that answers whatever it is asked.
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(revision.version))
    throw new RequestRefused({
      code: unsupportedVersion("", []).code,
      message: `The server does not speak ${revision.version}`,
      data: { supported: Array.isArray(supportedVersions) ? supportedVersions : [NEWEST_HANDSHAKE.version] },
    });
  const info = isObject(_meta) ? _meta[SERVER_KEY] : undefined;
  return factsOf(revision, info, capabilities, instructions);
}

async function shakeHands(
  connection: Connection,
  { speaker, revision: pinned }: EraOptions,
  asked: SpokenRevision,
): Promise<ServerFacts> {
  const result = await connection.request("initialize", introduce(asked.version, speaker));
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  const agreed = SPOKEN.find(({ version, handshake }) => handshake && version === protocolVersion);
  if (agreed === undefined || (pinned !== undefined && agreed.version !== pinned))
    throw noCommon([protocolVersion ?? null], undefined, pinned);
  return factsOf(agreed, serverInfo, capabilities, instructions);
}

function factsOf(
  { version, handshake }: SpokenRevision,
  info?: Json,
  capabilities?: Json,
  instructions?: Json,
): ServerFacts {
  return Object.freeze({
    revision: version,
    handshake,
    info: isObject(info) ? info : {},
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
  });
}

function noCommon(offered: readonly Json[], cause: unknown, pinned?: string): ConnectionFailed {
  const ours = pinned ?? SPOKEN.map(({ version }) => version).join(", ");
  const message = `Cannot connect: the server offers revision ${offered.map((version) => textOf(version, "?")).join(", ")}, and this client speaks ${ours}`;
  return new ConnectionFailed(message, { cause });
}
