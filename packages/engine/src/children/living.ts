import { monotonic } from "../server/clock.js";
import { pauseNow } from "./pause.js";

/** A child process, or a group of them, that must not outlive this process. */
export interface Living {
  readonly isGone: boolean;
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

/** How long children may take to end: while the process ends in good order, and when it is about to exit. */
const GRACE_MS = { inOrder: 2000, atExit: 100 };
const LOOK_MS = 10;

const living = new Set<Living>();
let isWatching = false;

/** Has a child ended with this process, however that ends. */
export function note(child: Living): void {
  living.add(child);
  if (isWatching) return;
  isWatching = true;
  process.on("exit", endNow);
}

/** The child has ended, or may live on. */
export function forget(child: Living): void {
  living.delete(child);
}

/** Every child that was noted and not forgotten. */
export function allLiving(): Iterable<Living> {
  return living;
}

/** Ends all children before the process ends in good order: they are asked, and get some time. The exit ends those that are left. */
export async function endChildren(): Promise<void> {
  if (living.size === 0) return;
  for (const child of living) child.signal("SIGTERM");
  const until = monotonic() + GRACE_MS.inOrder;
  while (monotonic() < until && areLeft()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** Nothing but this runs any more. */
function endNow(): void {
  if (!areLeft()) return;
  for (const child of living) child.signal("SIGTERM");
  pauseNow(GRACE_MS.atExit);
  for (const child of living) child.signal("SIGKILL");
}

function areLeft(): boolean {
  for (const child of living) if (child.isGone) living.delete(child);
  return living.size > 0;
}
