import type { RpcError } from "../jsonrpc/errors.js";
import type { KnownSession, SpokenRevision } from "./agreed.js";
import type { Host } from "./host.js";
import type { Limits } from "./limits.js";
import type { OpenSession, TransportLink } from "./link.js";
import type { Discovery, Selection } from "./lists/selection.js";
import type { Toolset } from "./lists/toolsets.js";
import type { Prompt } from "./prompt.js";
import type { Reconfiguration } from "./reconfigure.js";
import type { FrameSource } from "./recorder.js";
import type { Resource, ResourceTemplate } from "./resource.js";

/** A server: what it offers, and the one door through which transports hand messages to it. */
export interface Server extends Host {
  readonly limits: Limits;
  /** The last messages, and those to come; undefined where the options say so. */
  readonly recorder: FrameSource | undefined;
  /** The prompts that it offers now. */
  readonly prompts: readonly Prompt[];
  /** The resources and families of resources that it offers now. */
  readonly resources: readonly (Resource | ResourceTemplate)[];
  /** Opens the packs. Transports call it before they read; further calls change nothing. */
  start(): Promise<void>;
  /** The revisions that it speaks, newest first. */
  readonly revisions: readonly SpokenRevision[];
  /** Opens a conversation; `push` sends what belongs to no request, `hangUp` ends one whose client does not answer any more. */
  openSession(push: (message: string) => void, hangUp?: () => void, known?: KnownSession): OpenSession;
  /** Serves one message as a transport read it; `link.session` is one that `openSession` gave. */
  receive(text: string, link: TransportLink): void;
  /** Answers what a transport could not read as a message. */
  refuse(error: RpcError, link: TransportLink): void;
  /**
   * Changes the limits and the rate while it runs; what is left out goes back to its default. Connections that are there keep
   * what they began with. Throws `TypeError`, and changes nothing, where something is wrong.
   */
  reconfigure(changes: Reconfiguration): void;
  /** The groups of its tools, which a selection names: one for each toolset, and one for each pack. */
  readonly toolsets: readonly Toolset[];
  /**
   * Offers these of its tools from now on, and tells the clients; `{}` = all. `discovery` stays as it is where it is left out.
   * Needs `dynamic: true`. Throws `TypeError`, and changes nothing, where a name is unknown.
   */
  select(selection: Selection, discovery?: Discovery): Promise<void>;
  /** It takes nothing new: whoever shows its state, such as a health check, should say so. */
  readonly isDraining: boolean;
  /**
   * Before the end: refuses new requests, except pings, cancellations and answers, ends subscriptions, and resolves when
   * nothing runs any more. What still runs after `limits.drainMs` is cut off, with an error for its client and a line in the
   * log.
   */
  drain(): Promise<void>;
  /**
   * Ends the open conversations and closes the packs, last first. Throws `AggregateError` with every pack that could not be
   * closed. Of the transports, only `serveStdio` calls it.
   */
  close(): Promise<void>;
}
