import type { Target } from "../options.js";
import type { Replay, ReplayOptions } from "./replay-options.js";

/**
 * Plays a recording, given as text, against a server, in any revision, and tells what is not as it was. Throws `TypeError` for
 * what is no recording, and what `connect` throws.
 */
export async function replay(recording: string, target: Target, options: ReplayOptions = {}): Promise<Replay> {
  // Whoever only calls tools never reads it.
  const { replay: play } = await import("./stage.js");
  return play(recording, target, options);
}
