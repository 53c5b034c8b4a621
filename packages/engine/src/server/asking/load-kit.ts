import type * as Kit from "./kit.js";

/** All that it takes to ask. */
export type AskingKit = typeof Kit;

let kit: AskingKit | Promise<AskingKit> | undefined;

/** Gives what it takes to ask; few servers ask, so it is loaded at the first question, and there at once from then on. */
export function loadKit(): AskingKit | Promise<AskingKit> {
  kit ??= import("./kit.js").then((loaded) => {
    kit = loaded;
    return loaded;
  });
  return kit;
}
