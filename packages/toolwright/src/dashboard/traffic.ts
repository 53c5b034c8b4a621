import { open } from "node:fs/promises";
import type { Frame, ServerMetrics } from "@toolwright/engine/observability";

/** The counters of a server at one moment. */
interface Sample {
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
  readonly seconds: number;
}

/** The rates between two moments. */
export interface Interval {
  readonly callsPerSecond: number;
  readonly failuresPerSecond: number;
  /** The mean duration of the calls that ended; 0 if none did. */
  readonly meanMs: number;
}

const INTERVAL_MS = 5000;
const MAX_SAMPLES = 121;

/** Samples the call counters of a server, so that the last minutes can be drawn. */
export class CallSamples {
  readonly #metrics: ServerMetrics;
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(metrics: ServerMetrics) {
    this.#metrics = metrics;
    this.#samples.push(this.#sample());
    this.#timer = setInterval(() => {
      this.#samples.push(this.#sample());
      if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    }, INTERVAL_MS).unref();
  }

  /** The intervals of the last minutes, the oldest first; the last one ends now. */
  intervals(): readonly Interval[] {
    const all = [...this.#samples, this.#sample()];
    return all.slice(1).map((sample, index) => {
      const before = all[index] as Sample;
      const [seconds, calls] = [Math.max(0.001, (sample.at - before.at) / 1000), sample.calls - before.calls];
      return {
        callsPerSecond: calls / seconds,
        failuresPerSecond: (sample.failures - before.failures) / seconds,
        meanMs: calls === 0 ? 0 : ((sample.seconds - before.seconds) / calls) * 1000,
      };
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): Sample {
    let [calls, failures, seconds] = [0, 0, 0];
    for (const { outcomes, totalSeconds } of this.#metrics.calls()) {
      calls += outcomes.ok + outcomes.failed + outcomes.refused + outcomes.cancelled;
      failures += outcomes.failed + outcomes.refused;
      seconds += totalSeconds;
    }
    return { at: performance.now(), calls, failures, seconds };
  }
}

/** A recorded request, without its arguments and result. */
export interface RecentCall {
  /** When it was received, in ISO 8601. */
  readonly at: string;
  /** The method, with the name of the tool or prompt. */
  readonly name: string;
  /** Undefined while it runs. */
  readonly ms: number | undefined;
  readonly outcome: "running" | "ok" | "failed" | "rejected";
}

interface ObservedCall {
  readonly startedAt: number;
  call: RecentCall;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown };
  readonly result?: { readonly isError?: unknown };
  readonly error?: unknown;
}

/** The requests in the recorded messages of a server, the newest first. */
export function recentCalls(frames: readonly Frame[], limit: number): readonly RecentCall[] {
  const all: ObservedCall[] = [];
  const running = new Map<string, ObservedCall>();
  for (const frame of frames) {
    const message = readFrame(frame);
    if (message?.id === undefined || message.id === null) continue;
    const key = `${frame.session} ${JSON.stringify(message.id)}`;
    const known = running.get(key);
    if (frame.from === "client" && typeof message.method === "string") {
      const at = new Date(frame.timestamp).toISOString();
      const observed: ObservedCall = {
        startedAt: frame.timestamp,
        call: { at, name: nameOf(message), ms: undefined, outcome: "running" },
      };
      all.push(observed);
      // A reused id is another call.
      running.set(key, observed);
    } else if (frame.from === "server" && message.method === undefined && known !== undefined) {
      known.call = { ...known.call, ms: frame.timestamp - known.startedAt, outcome: outcomeOf(message) };
      running.delete(key);
    }
  }
  return all
    .slice(-limit)
    .map(({ call }) => call)
    .toReversed();
}

function nameOf({ method, params }: Message): string {
  return typeof params?.name === "string" ? `${String(method)} ${params.name}` : String(method);
}

function outcomeOf({ result, error }: Message): RecentCall["outcome"] {
  if (error !== undefined) return "rejected";
  return result?.isError === true ? "failed" : "ok";
}

/** Reads a message; the beginning of one that was cut is enough. */
function readFrame({ text, originalLength: cut }: Frame): Message | undefined {
  if (cut !== undefined) return readHead(text);
  try {
    const message = JSON.parse(text) as Message | readonly Message[] | null;
    return Array.isArray(message) ? undefined : ((message ?? undefined) as Message | undefined);
  } catch {
    return undefined;
  }
}

function readHead(text: string): Message | undefined {
  const id = /"id":("(?:[^"\\]|\\.)*"|-?\d+)/.exec(text)?.[1];
  if (id === undefined) return undefined;
  const method = /"method":"([\w/]+)"/.exec(text)?.[1];
  const name = /"name":"([^"\\]*)"/.exec(text)?.[1];
  return {
    id: JSON.parse(id) as unknown,
    ...(method !== undefined && { method }),
    ...(name !== undefined && { params: { name } }),
  };
}

/** What the page shows of an entry of the audit log. */
export interface AuditEntry {
  readonly time: string;
  readonly tool: string;
  readonly outcome: string;
  readonly principal: string;
  readonly ms: string;
}

/** How much of the end of the file is read. */
const TAIL_BYTES = 64 * 1024;

/** Reads the last entries of an audit log, the newest first; undefined if it cannot be read. */
export async function readAuditTail(file: string, limit: number): Promise<readonly AuditEntry[] | undefined> {
  try {
    await using log = await open(file, "r");
    const { size } = await log.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.subarray(0, bytesRead).toString("utf8").split("\n");
    return lines.flatMap(toEntry).slice(-limit).toReversed();
  } catch (error) {
    // The first entry creates it.
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

/** The first line may be incomplete, and so may the last. */
function toEntry(text: string): AuditEntry[] {
  try {
    const line = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (line["event"] !== "end") return [];
    const textOf = (name: string): string => {
      const value = line[name];
      return typeof value === "string" ? value : "";
    };
    const code = textOf("code");
    const ms = line["durationMs"];
    return [
      {
        time: textOf("time"),
        tool: textOf("tool"),
        outcome: code === "" ? textOf("outcome") : `${textOf("outcome")} (${code})`,
        principal: textOf("principal"),
        ms: typeof ms === "number" ? ms.toFixed(1) : "",
      },
    ];
  } catch {
    return [];
  }
}
