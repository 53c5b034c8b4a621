import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Dice } from "../fuzz/dice.js";
import { type Counts, Ledger } from "./ledger.js";
import { talkAll } from "./lives.js";
import { ServerProcess } from "./server-process.js";
import { Talker } from "./talker.js";
import { growth, type Rest } from "./verdict.js";
import { openSocket, openWebSocket, stdioWire } from "./wires.js";

/** How long and how to soak. */
export interface SoakOptions {
  /** The folder of the workspace. */
  readonly root: URL;
  readonly milliseconds: number;
  /** After each round everybody leaves, and it is looked what the servers still hold. */
  readonly roundMs: number;
  /** Decides all that is left to chance. */
  readonly seed: number;
  /** Hears how it goes, in words. */
  readonly tell: (line: string) => void;
}

/** What came of it. */
export interface SoakReport {
  readonly counts: Counts;
  readonly rests: readonly Rest[];
  /** Everything that is wrong; empty = all is well. */
  readonly wrongs: readonly string[];
}

/** How long a server may take to let go of what has left it. */
const RELEASE_MS = 5000;
const LOOK_MS = 40;
/** With so much wrong there is no use in going on. */
const MOST_WRONG = 100;

/** Lets clients of every kind use, misuse and leave servers, and says what of it came out wrong. */
export async function soak({ root, milliseconds, roundMs, seed, tell }: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(path.join(tmpdir(), "soak-"));
  const socket = path.join(folder, "s");
  const ledger = new Ledger();
  const pipes = new ServerProcess(root);
  const listening = new ServerProcess(root, ["listen", socket]);
  const rests: Rest[] = [];
  try {
    pipes.child.stderr?.resume();
    const url = await listening.address();
    const talker = new Talker(stdioWire(pipes.child), new Dice(seed), ledger, "stdio", "2025-11-25");
    await talker.shakeHands();
    const until = performance.now() + milliseconds;
    for (let number = 0; performance.now() < until; number += 1) {
      const end = Math.min(until, performance.now() + roundMs);
      const known = ledger.wrongs.length;
      const isLate = () => performance.now() >= end || ledger.wrongCount > MOST_WRONG;
      const agent = new Agent({ keepAlive: true });
      const long = talker.talk(Number.POSITIVE_INFINITY, isLate).then(() => talker.rest());
      await Promise.all([long, talkAll({ root, place: { url, agent }, socket, ledger, isLate }, seed, number)]);
      agent.destroy();
      rests.push(await takeRest(pipes, listening));
      tell(progress(ledger, rests, until - performance.now()));
      for (const wrong of ledger.wrongs.slice(known)) tell(`✗ ${wrong}`);
      if (!pipes.isRunning || !listening.isRunning || ledger.wrongCount > MOST_WRONG) break;
    }
    if (pipes.isRunning && listening.isRunning) await endBoth(pipes, listening, url, socket, ledger);
    else ledger.wrong("a server has died");
    const wrongs = [...ledger.wrongs, ...growth(rests)];
    if (ledger.wrongCount > ledger.wrongs.length) wrongs.push(`and ${ledger.wrongCount - ledger.wrongs.length} more`);
    return { counts: ledger.counts, rests, wrongs };
  } finally {
    for (const { child } of [pipes, listening]) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What both servers hold when nobody is there; descriptors may take a moment to be closed. */
async function takeRest(pipes: ServerProcess, listening: ServerProcess): Promise<Rest> {
  let last = Number.POSITIVE_INFINITY;
  for (let waited = 0, same = 0; waited < RELEASE_MS && same < 5; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    const open = listening.descriptors() ?? 0;
    same = open === last ? same + 1 : 0;
    last = open;
  }
  return {
    "stdio heap": await pipes.heap(),
    "stdio descriptors": pipes.descriptors() ?? 0,
    "listening heap": await listening.heap(),
    "listening descriptors": listening.descriptors() ?? 0,
  };
}

function progress({ counts, wrongCount }: Ledger, rests: readonly Rest[], leftMs: number): string {
  const last = rests.at(-1) as Rest;
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  return [
    `${Math.max(0, Math.round(leftMs / 1000))} s left`,
    `${counts.requests} requests`,
    `${counts.answers} answers`,
    `${counts.cancels} cancels`,
    `${counts.disconnects} disconnects`,
    `heap ${mib(last["stdio heap"])} and ${mib(last["listening heap"])} MiB`,
    `descriptors ${last["stdio descriptors"]} and ${last["listening descriptors"]}`,
    `${wrongCount} wrong`,
  ].join(" · ");
}

/** Both servers must end well: one by the end of its input, one by a signal while clients are in the middle of something. */
async function endBoth(
  pipes: ServerProcess,
  listening: ServerProcess,
  url: URL,
  socket: string,
  ledger: Ledger,
): Promise<void> {
  const wires = await Promise.all([openSocket(socket), openWebSocket(url.href)]);
  for (const wire of wires)
    wire.send(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","arguments":{"text":"to the end"}}}',
    );
  await sleep(100);
  pipes.child.stdin?.end();
  listening.child.kill("SIGTERM");
  for (const [name, server] of Object.entries({ pipes, listening })) {
    const code = await server.end();
    if (code !== 0) ledger.wrong(`the server of ${name} ended with ${code}`);
  }
  for (const wire of wires) wire.cut();
}
