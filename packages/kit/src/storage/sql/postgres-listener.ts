import type { Client } from "pg";

/** How long to wait before a lost connection is made anew. */
const AGAIN_MS = 1000;

/** Hears what is notified on a channel, over a connection of its own that is made anew when it breaks. Gives how to stop. */
export function listenFor(channel: string, connect: () => Client, heard: () => void): () => void {
  let client: Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let isOver = false;

  const lost = (broken: Client): void => {
    if (isOver || client !== broken) return;
    client = undefined;
    void broken.end().catch(() => undefined);
    again = setTimeout(start, AGAIN_MS).unref();
  };
  const start = (): void => {
    const fresh = connect();
    client = fresh;
    fresh.on("notification", heard);
    fresh.on("error", () => lost(fresh));
    fresh.on("end", () => lost(fresh));
    // What was changed while nobody listened is heard of now.
    fresh
      .connect()
      .then(() => fresh.query(`LISTEN ${channel}`))
      .then(heard)
      .catch(() => lost(fresh));
  };
  start();
  return () => {
    isOver = true;
    clearTimeout(again);
    void client?.end().catch(() => undefined);
  };
}
