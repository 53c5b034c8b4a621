import type { Server } from "../server/server.js";

/** Those that serve now; the one that began first tells. */
const serving: Server[] = [];

const survive = (error: unknown): void =>
  serving[0]?.log({ level: "error", message: "a tool left an error behind that nobody caught", error });

const hear = (deed: "on" | "off") => process[deed]("uncaughtException", survive)[deed]("unhandledRejection", survive);

/** Has errors that tools leave behind logged instead of ending the process, until what it gives is called. */
export function surviveLeftBehind(server: Server): () => void {
  if (serving.push(server) === 1) hear("on");
  return () => {
    serving.splice(serving.indexOf(server), 1);
    if (serving.length === 0) hear("off");
  };
}
