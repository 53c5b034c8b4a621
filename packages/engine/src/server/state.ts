import type { TurnQueue } from "./active-requests.js";
import type { ChangeNotifier } from "./changes.js";
import type { Definitions } from "./definitions/pack.js";
import type { RequestStateSigner } from "./features/elicitation/request-state.js";
import type { LargeResults } from "./features/large-results/large-results.js";
import type { TaskManager } from "./features/tasks/task-manager.js";
import type { KeptBytes } from "./limits/kept-bytes.js";
import type { CallLimiter } from "./limits/limiter.js";
import type { FrameRecorder } from "./logging/frame-recorder.js";
import type { RejectionLog } from "./logging/rejection-log.js";
import type { Middleware } from "./middleware.js";
import type { ServerOptions, ServerSettings } from "./options.js";
import type { RegistrySnapshot } from "./registry.js";
import type { Session } from "./session.js";

/** What all parts of a running server share. */
export interface ServerState {
  readonly settings: ServerSettings;
  readonly changes: ChangeNotifier;
  readonly turns: TurnQueue;
  /** The sessions that last longer than a turn of the event loop. */
  readonly sessions: Set<Session>;
  /** Counts what clients make the server keep. */
  readonly kept: KeptBytes;
  /** The limits on calls of author code. */
  readonly limiter: CallLimiter;
  /** Middleware around each request, outermost first; undefined = none. */
  readonly middleware: readonly Middleware[] | undefined;
  /** The server rejects new requests because it is about to stop. */
  readonly isDraining: boolean;
  /** Records the last messages; undefined = off. */
  readonly recorder: FrameRecorder | undefined;
  /** Logs what is rejected. */
  readonly rejections: RejectionLog;
  /** The encoded `_meta` members of results that identify the server. */
  readonly serverInfoMeta: string;
  /** Immutable; replaced when a definition is added or removed. */
  readonly registry: RegistrySnapshot;
  /** The capabilities that were declared to clients; they are never withdrawn. */
  readonly declared: ReadonlySet<keyof Definitions>;
  /** Called when a session has been closed. */
  onSessionClosed(session: Session): void;
  /** Signs the state of stateless requests. Created from the secret of the server on first use: few calls need it. */
  requestStateSigner(create: (secret: ServerOptions["secret"]) => RequestStateSigner): RequestStateSigner;
  /** Set when the server has started, if it has tasks. */
  readonly tasks: TaskManager | undefined;
  /** Set when the server has started, if it stores large results. */
  readonly results: LargeResults | undefined;
}
