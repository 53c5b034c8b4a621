import { type ServerSnapshot, takeSnapshot } from "./snapshot.js";
import type { Conversation } from "./wire/connection.js";
import { type HttpConversation, HttpWire, openHttp } from "./wire/http.js";
import { type ClientInfo, NEWEST_HANDSHAKE, type ProtocolRevision } from "./wire/protocol.js";
import { openStdio, Program, type ProgramTarget, type StdioConversation } from "./wire/stdio.js";

/** A server to check: a program to start, or a URL. */
export type Subject = { readonly name: string } & (
  | ProgramTarget
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
);

/** The limits of an examination. */
export interface Limits {
  /** How long a response may take. */
  readonly responseTimeoutMs: number;
  /** How long a check may take. */
  readonly checkMs: number;
  /** How long all checks may take together; the remaining ones are skipped. */
  readonly totalMs: number;
  /** A tool that may be called although it is not marked as read-only. */
  readonly allowedTool?: string;
}

/** How long to wait for a response once the server has responded to something that was sent later. */
export const QUIET_MS = 400;

/** What checks of every server work with. */
export interface Context {
  readonly limits: Limits;
  /** Opens a conversation, which is closed after the check. */
  open(era?: ProtocolRevision, client?: string): Promise<Conversation>;
  /** A conversation that checks share if they do not change the server: each start takes time. */
  share(revision: ProtocolRevision): Promise<Conversation>;
  /** What the server offers in each revision; taken once. */
  snapshot(): Promise<ServerSnapshot>;
}

/** What checks of a program work with. */
export interface ProgramContext extends Context {
  /** Starts it without sending anything. */
  start(): Program;
  open(era?: ProtocolRevision, client?: string): Promise<StdioConversation>;
  share(revision: ProtocolRevision): Promise<StdioConversation>;
}

/** What checks of a URL work with. */
export interface HttpContext extends Context {
  readonly wire: HttpWire;
  open(era?: ProtocolRevision, client?: string): Promise<HttpConversation>;
}

type Closing = () => Promise<void>;

/** What to close after a check, and after all of them. */
export interface Opened {
  readonly byCheck: Set<Closing>;
  readonly shared: Set<Closing>;
}

const toClientInfo = (name: string): ClientInfo => ({ name, version: "1.0.0" });
const CLIENT_NAME = "toolwright-doctor";

/** Creates the context of checks of a program. */
export function createProgramContext(target: ProgramTarget, limits: Limits, opened: Opened): ProgramContext {
  const open = async (revision = NEWEST_HANDSHAKE, client = CLIENT_NAME): Promise<StdioConversation> => {
    const conversation = await openStdio(target, revision, toClientInfo(client), limits.responseTimeoutMs);
    opened.byCheck.add(() => conversation.close());
    return conversation;
  };
  const share = shareConversations(
    (revision) => openStdio(target, revision, toClientInfo(CLIENT_NAME), limits.responseTimeoutMs),
    opened.shared,
  );
  return {
    limits,
    open,
    share,
    start() {
      const program = new Program(target, limits.responseTimeoutMs);
      opened.byCheck.add(() => program.stop());
      return program;
    },
    snapshot: once(() => takeSnapshot(open, share)),
  };
}

/** Creates the context of checks of a URL. */
export function createHttpContext(
  target: { readonly url: string; readonly headers?: Readonly<Record<string, string>> },
  limits: Limits,
  opened: Opened,
): HttpContext {
  const wire = new HttpWire(new URL(target.url), target.headers ?? {}, limits.responseTimeoutMs);
  const open = async (revision = NEWEST_HANDSHAKE, client = CLIENT_NAME): Promise<HttpConversation> => {
    const conversation = await openHttp(wire, revision, toClientInfo(client));
    opened.byCheck.add(() => conversation.close());
    return conversation;
  };
  // Some servers have one session at a time, so none is kept.
  return { limits, wire, open, share: open, snapshot: once(() => takeSnapshot(open, open)) };
}

/** One conversation for each revision, opened again if the process has exited. */
function shareConversations(
  open: (revision: ProtocolRevision) => Promise<StdioConversation>,
  shared: Set<Closing>,
): (revision: ProtocolRevision) => Promise<StdioConversation> {
  const conversations = new Map<string, StdioConversation>();
  return async (revision) => {
    const known = conversations.get(revision.version);
    if (known !== undefined && known.program.exitReason === undefined) return known;
    const conversation = await open(revision);
    shared.add(() => conversation.close());
    conversations.set(revision.version, conversation);
    return conversation;
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
