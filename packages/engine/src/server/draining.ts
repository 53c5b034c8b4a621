import { type RpcError, stoppedShort } from "../jsonrpc/errors.js";
import { monotonic } from "./clock.js";
import type { Log } from "./log.js";
import type { Running } from "./running.js";
import type { Session } from "./session.js";
import type { Settings } from "./settings.js";

/** How often a server that drains looks whether something still runs. */
const LOOK_MS = 10;
/** What is served to the end: signs of life, and what goes with work that has begun. */
const TO_THE_END = /^(?:ping$|tasks\/)/;

/** Whether a request is none that a server that drains refuses. */
export const isServedToTheEnd = (method: string): boolean => TO_THE_END.test(method);

/** Ends what lasts, and waits for what runs. What still does when the time is up is cut off: its client hears it, and so does the log. */
export async function drain(sessions: ReadonlySet<Session>, { limits, log }: Settings): Promise<void> {
  // What has just come is noted at the end of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  for (const session of sessions) conclude(session);
  const isBusy = (): boolean => [...sessions].some(({ running }) => running.isBusy);
  if (!isBusy()) return;
  const { drainMs } = limits;
  log({ level: "notice", message: `stopping: what runs may go on for ${drainMs / 1000} s` });
  const until = monotonic() + drainMs;
  while (isBusy() && monotonic() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  for (const session of sessions) cutOff(session, log);
}

/** Cuts off what runs in a conversation: its client hears it, and so does the log. */
export function cutOff({ running }: Session, log: Log): void {
  for (const request of running.all()) cutShort(request, log);
}

/** Ends a conversation; one that cannot be ended keeps no other from it. */
export function endInOrder(session: Session, log: Log): void {
  try {
    session.end();
  } catch (error) {
    log({ level: "error", message: "a conversation could not be ended in good order", error });
  }
}

function conclude({ running }: Session): void {
  for (const request of running.all()) request.conclude?.();
}

function cutShort(request: Running, log: Log): void {
  const { id, name, startedAt } = request;
  const { method } = request.request;
  const elapsedMs = startedAt === 0 ? 0 : Math.round(monotonic() - startedAt);
  const time = startedAt === 0 ? "before it had begun" : `after ${(elapsedMs / 1000).toFixed(1)} s`;
  const what = name === "" ? method : `${method} "${name}"`;
  log({ level: "warning", message: `cut off ${what} ${time}: the server stops`, requestId: id });
  const error: RpcError = stoppedShort(time, elapsedMs);
  request.cutOff(error);
}
