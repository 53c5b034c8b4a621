import type { ToolError } from "../../protocol/outcome.js";
import { lookAtClock } from "../clock.js";
import type { Reporting } from "../progress.js";
import type { WorkKind } from "../work-kind.js";
import type { Ending } from "./ending.js";
import type { RateOptions } from "./rate.js";
import type { Share } from "./share.js";

/** Where a call stands that had to wait. */
export interface Place {
  readonly isWaiting: boolean;
  /** When the wait was over. */
  readonly admittedAt: number;
}

/** What a meter sees of a call. */
export interface Metered extends Reporting {
  readonly kind: WorkKind;
  readonly name: string;
  readonly principal: string | undefined;
  /** Where it comes from: calls of one principal, or of one session where nobody is told apart, take turns with others. */
  readonly link: { readonly principal: string | undefined; readonly session: object };
  /** What calls of its tool may use; undefined for what is no tool. */
  readonly share: Share | undefined;
  /** Where it stands, if it had to wait. Kept by the admission. */
  place: Place | undefined;
  /** How much longer its caller waits, from when the call is let in; undefined = for ever. Kept by the admission. */
  patienceMs: number | undefined;
  /** How long the call may go without progress. */
  readonly timeoutMs: number;
  /** The limit for how long the call may take, however much progress it reports. */
  readonly totalLimit: "callTotalMs" | "taskTotalMs";
  /** When the call runs out of time; moved by progress and by answers. Kept by the timeout. */
  deadline: number;
  /** When the call began to count; moved on by the time in which the client was asked. Kept by the timeout. */
  startedAt: number;
  /** When the call was accepted. Kept by whoever reports it. */
  acceptedAt: number;
  /** How many of the meters the call has entered. */
  entered: number;
  /** How the call ended; known when it leaves. */
  readonly ending: Ending;
  /** What the call failed with, if it did. */
  readonly failure: unknown;
  /** The call waits for an answer of the client, which no deadline of ours may cut short. */
  readonly isAsking: boolean;
  /** Goes on with the next meter after a wait. */
  proceed(): void;
  /** Ends the call with a failure that the model sees, and tells the tool to stop. */
  stop(error: ToolError): void;
}

/** What bounds all calls of a server together. */
export interface ServerBounds {
  readonly calls: number;
  readonly queued: number;
  readonly rate: RateOptions | undefined;
}

/**
 * One concern around calls of what authors wrote, in the form that costs next to nothing. Meters are entered in order; all that
 * were entered are left when the call ends.
 */
export interface Meter {
  /** Calls that wait here. */
  readonly queued?: number;
  /** Other bounds hold from now on; calls that run go on. */
  rebound?(bounds: ServerBounds): void;
  /** Lets a call in: true = go on now, false = `proceed` is called later. Throws to refuse. */
  enter(call: Metered): boolean;
  /** The tool did not answer within the turn of the event loop in which the call came. */
  wait?(call: Metered): void;
  /** The call is over since now, or was given up while it waited. */
  leave(call: Metered, now: number): void;
}

/** Goes on into the meters; false = one of them lets the call wait. */
export function enterMeters(meters: readonly Meter[], call: Metered): boolean {
  for (let meter = meters[call.entered]; meter !== undefined; meter = meters[call.entered]) {
    const isIn = meter.enter(call);
    call.entered += 1;
    if (!isIn) return false;
  }
  return true;
}

/** Leaves the meters that were entered, the last first. */
export function leaveMeters(meters: readonly Meter[], call: Metered): void {
  const { entered } = call;
  if (entered === 0) return;
  call.entered = 0;
  // One clock for all of them: it costs as much as what they do with it.
  const now = lookAtClock();
  for (let at = entered - 1; at >= 0; at -= 1) meters[at]?.leave(call, now);
}

/** Tells the meters that a call takes its time. */
export function waitInMeters(meters: readonly Meter[], call: Metered): void {
  for (const meter of meters) meter.wait?.(call);
}
