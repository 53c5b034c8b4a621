import { introduce } from "../eras.js";
import type { Reply } from "../wire/reply.js";
import type { Talk } from "../wire/talk.js";

/** Sends `initialize` on a conversation that has had one. */
export function introduceAgain(talk: Talk): Promise<Reply> {
  return talk.ask("initialize", introduce(talk.era.version, { name: "toolwright-doctor", version: "1.0.0" }));
}
