import type { Ending } from "./meters/meter.js";
import type { WorkKind } from "./work.js";

/** The upper bounds of the duration histogram, in seconds, as the semantic conventions for MCP have them. */
export const DURATION_BOUNDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** What was counted of the calls of one tool, prompt or kind of resource. */
export class CallCounts {
  readonly kind: WorkKind;
  readonly name: string;
  readonly endings: Record<Ending, number> = { ok: 0, failed: 0, refused: 0, cancelled: 0 };
  /** Calls that took at most as long as the bound at the same place, and longer than the one before; the last is for the rest. */
  readonly durations: number[] = new Array<number>(DURATION_BOUNDS.length + 1).fill(0);
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

/** What a server counts of its calls. Always on: one look-up and a few additions a call. */
export class Metrics {
  readonly #tools = new Map<string, CallCounts>();
  readonly #others = new Map<WorkKind, CallCounts>();

  count(kind: WorkKind, name: string, ending: Ending, seconds: number): void {
    this.#countsOf(kind, name).add(ending, seconds);
  }

  /** Every series, tools by name; prompts, resources and completions as one each, because clients may make up their names. */
  all(): readonly CallCounts[] {
    return [...this.#tools.values(), ...this.#others.values()];
  }

  #countsOf(kind: WorkKind, name: string): CallCounts {
    const known = kind === "tool" ? this.#tools.get(name) : this.#others.get(kind);
    if (known !== undefined) return known;
    const counts = new CallCounts(kind, kind === "tool" ? name : "");
    if (kind === "tool") this.#tools.set(name, counts);
    else this.#others.set(kind, counts);
    return counts;
  }
}
