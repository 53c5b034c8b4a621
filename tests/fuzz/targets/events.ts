import {
  EventStreamParser,
  type ServerSentEvent,
  type StreamPosition,
} from "../../../packages/engine/src/client/event-stream.js";
import { expectSame, splitIntoChunks, type Target } from "./target.js";

const MOST = 5000;

function read(chunks: readonly string[]): { events: ServerSentEvent[]; place: StreamPosition; isTooLarge: boolean } {
  const events: ServerSentEvent[] = [];
  const place: StreamPosition = { lastEventId: undefined, retryMs: 1 };
  let isTooLarge = false;
  const reader = new EventStreamParser(MOST, place, (event) => void events.push(event));
  try {
    for (const chunk of chunks) reader.push(chunk);
  } catch (error) {
    if (!(error as Error).message.startsWith("an event is larger than")) throw error;
    isTooLarge = true;
  }
  return { events, place, isTooLarge };
}

/** Any chunking of an event stream gives the same events and the same last event id. */
export const events: Target = (input) => {
  const whole = read([input]);
  const parts = [read(splitIntoChunks(input)), read(input.split("").flatMap((one) => [one, ""]))];
  // How much is buffered depends on the chunking if the limit is exceeded.
  if (whole.isTooLarge || parts.some(({ isTooLarge }) => isTooLarge)) return;
  for (const part of parts) expectSame("cut anywhere", part, whole);
};
