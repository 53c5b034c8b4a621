import type { Ending } from "./meters/ending.js";
import type { WorkKind } from "./work-kind.js";

/** The upper bounds of the duration histogram, in seconds, as the semantic conventions for MCP have them. */
export const DURATION_BOUNDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** What was counted of the calls of one tool, prompt or kind of resource. */
export class CallCounts {
  readonly kind: WorkKind;
  readonly name: string;
  readonly endings: Record<Ending, number> = { ok: 0, failed: 0, refused: 0, cancelled: 0 };
  /** Calls that took at most as long as the bound at the same place; the last is for the rest. */
  readonly durations: number[] = Array.from({ length: DURATION_BOUNDS.length + 1 }, () => 0);
  seconds = 0;

  constructor(kind: WorkKind, name: string) {
    this.kind = kind;
    this.name = name;
  }

  add(ending: Ending, seconds: number): void {
    this.endings[ending] += 1;
    this.seconds += seconds;
    let at = 0;
    while (at < DURATION_BOUNDS.length && seconds > (DURATION_BOUNDS[at] as number)) at += 1;
    this.durations[at] = (this.durations[at] as number) + 1;
  }
}

/** What a server counts, for those who show it. */
export interface ServerMetrics {
  /** Every series, tools by name; prompts, resources and completions as one each. */
  all(): readonly CallCounts[];
  /** Calls that run at the moment. */
  readonly running: number;
  /** Calls that wait until they may run. */
  readonly queued: number;
  /** Sessions that a handshake has opened. */
  readonly sessions: number;
  /** Event streams that are open over HTTP; transports count them. */
  streams: number;
}

/** What is counted elsewhere, when somebody looks. */
interface Counted {
  queued(): number;
  sessions(): number;
}

/** What a server counts of its calls. Always on: one look-up and a few additions a call. */
export class Metrics implements ServerMetrics {
  /** Calls that were accepted and are not over: those that run, and those that wait. */
  accepted = 0;
  streams = 0;
  readonly #counted: Counted;
  readonly #tools = new Map<string, CallCounts>();
  readonly #others = new Map<WorkKind, CallCounts>();

  constructor(counted: Counted = { queued: () => 0, sessions: () => 0 }) {
    this.#counted = counted;
  }

  get running(): number {
    return this.accepted - this.queued;
  }

  get queued(): number {
    return this.#counted.queued();
  }

  get sessions(): number {
    return this.#counted.sessions();
  }

  /** Where the calls of a tool are counted, or those of another kind all together. */
  countsOf(kind: WorkKind, name: string): CallCounts {
    const known = kind === "tool" ? this.#tools.get(name) : this.#others.get(kind);
    if (known !== undefined) return known;
    const counts = new CallCounts(kind, kind === "tool" ? name : "");
    if (kind === "tool") this.#tools.set(name, counts);
    else this.#others.set(kind, counts);
    return counts;
  }

  all(): readonly CallCounts[] {
    return [...this.#tools.values(), ...this.#others.values()];
  }
}
