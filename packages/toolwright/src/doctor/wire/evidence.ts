import { createRedaction } from "@toolwright/engine/observability";

/** How much of one frame is shown, and how many frames a finding has. */
const MOST_SIGNS = 360;
const MOST_FRAMES = 8;

const redaction = createRedaction();

/** A text of a server, short and without secrets. */
export function shorten(text: string, most = MOST_SIGNS): string {
  // What is cut off first need not be searched for secrets: a message can have megabytes.
  const head = redaction.text(text.slice(0, most * 4)).trim();
  return text.length <= most && head.length <= most ? head : `${head.slice(0, most)}… (${text.length} characters)`;
}

/** A frame that was sent. */
export const sent = (text: string): string => `→ ${shorten(text)}`;

/** A frame that came. */
export const came = (text: string): string => `← ${shorten(text)}`;

/** Something about the wire that is no frame. */
export const remark = (text: string): string => `· ${shorten(text)}`;

/** As many frames as a reader takes in. */
export function few(frames: readonly string[]): readonly string[] {
  if (frames.length <= MOST_FRAMES) return frames;
  return [...frames.slice(0, MOST_FRAMES - 1), `· … ${frames.length - MOST_FRAMES + 1} more`];
}
