import type { JsonObject } from "@toolwright/engine";
import { objectsIn } from "./reply.js";

/** The messages in the body of an answer: a JSON text, or the events of a stream. What is none is left out. */
export function readMessages(text: string, kind: string): readonly JsonObject[] {
  const texts = /event-stream/i.test(kind) ? eventsOf(text) : [text];
  return texts.flatMap((each) => {
    try {
      const value: unknown = JSON.parse(each);
      return objectsIn([value].flat());
    } catch {
      return [];
    }
  });
}

function eventsOf(text: string): readonly string[] {
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const lines = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []));
    return lines.length === 0 ? [] : [lines.join("\n")];
  });
}
