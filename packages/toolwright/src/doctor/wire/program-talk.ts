import { dress, type Era, introduce, type Speaker } from "../eras.js";
import { Program, type ProgramTarget } from "./program.js";
import { resultOf } from "./reply.js";
import type { Talk } from "./talk.js";

/** A conversation with a program, which can be looked at as it goes. */
export interface ProgramTalk extends Talk {
  readonly program: Program;
  /** How long it took to the first answer, which tells how busy the machine is. */
  readonly openedMs: number;
}

/** Starts a program and opens a conversation with it. */
export async function openProgram(
  target: ProgramTarget,
  era: Era,
  speaker: Speaker,
  patienceMs: number,
): Promise<ProgramTalk> {
  const begun = performance.now();
  const program = new Program(target, patienceMs);
  const opening = era.handshake
    ? await program.ask("initialize", introduce(era.version, speaker), 1)
    : await program.ask("server/discover", dress(era, {}, speaker), 1);
  const openedMs = performance.now() - begun;
  if (era.handshake && resultOf(opening) !== undefined) program.notify("notifications/initialized");
  return {
    program,
    openedMs,
    era,
    opening,
    ask: (method, params = {}, id) => program.ask(method, dress(era, params, speaker), id),
    async notify(method, params) {
      program.notify(method, params);
    },
    heard: () => program.heard.map(({ message }) => message),
    unmatched: () => program.unmatched(),
    close: () => program.stop(),
  };
}
