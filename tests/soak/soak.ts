import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../fuzz/random.js";
import { ConnectionClient } from "./connection-client.js";
import { openSocket, openWebSocket, stdioConnection } from "./connections.js";
import { describeGrowth, type Usage } from "./growth.js";
import { type Counts, RequestTracker } from "./request-tracker.js";
import { runClients } from "./run-clients.js";
import { ServerProcess } from "./server-process.js";

/** How long to run and with which seed. */
export interface SoakOptions {
  /** The root folder of the workspace. */
  readonly root: URL;
  readonly milliseconds: number;
  /** After each round all clients disconnect, and the resources of the servers are measured. */
  readonly roundMs: number;
  /** Determines all random choices. */
  readonly seed: number;
  /** Receives a progress line after each round. */
  readonly onProgress: (line: string) => void;
}

/** The result of a run. */
export interface SoakReport {
  readonly counts: Counts;
  readonly usages: readonly Usage[];
  /** Everything that went wrong; empty if the run succeeded. */
  readonly failures: readonly string[];
}

/** How long a server may take to release what clients have left. */
const RELEASE_MS = 5000;
const POLL_MS = 40;
/** Stops after this many failures. */
const MAX_FAILURES = 100;

/** Runs clients of every kind against real servers, and reports what went wrong. */
export async function soak({ root, milliseconds, roundMs, seed, onProgress }: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(path.join(tmpdir(), "soak-"));
  const socket = path.join(folder, "s");
  const tracker = new RequestTracker();
  const pipes = new ServerProcess(root);
  const listening = new ServerProcess(root, ["listen", socket]);
  const usages: Usage[] = [];
  try {
    pipes.child.stderr?.resume();
    const url = await listening.address();
    const client = new ConnectionClient(stdioConnection(pipes.child), new Random(seed), tracker, "stdio", "2025-11-25");
    await client.initialize();
    const until = performance.now() + milliseconds;
    for (let number = 0; performance.now() < until; number += 1) {
      const end = Math.min(until, performance.now() + roundMs);
      const known = tracker.failures.length;
      const isLate = () => performance.now() >= end || tracker.failureCount > MAX_FAILURES;
      const agent = new Agent({ keepAlive: true });
      const long = client.sendRequests(Number.POSITIVE_INFINITY, isLate).then(() => client.settle());
      await Promise.all([long, runClients({ root, endpoint: { url, agent }, socket, tracker, isLate }, seed, number)]);
      agent.destroy();
      usages.push(await measureUsage(pipes, listening));
      onProgress(progressLine(tracker, usages, until - performance.now()));
      for (const failure of tracker.failures.slice(known)) onProgress(`✗ ${failure}`);
      if (!pipes.isRunning || !listening.isRunning || tracker.failureCount > MAX_FAILURES) break;
    }
    if (pipes.isRunning && listening.isRunning) await endBoth(pipes, listening, url, socket, tracker);
    else tracker.fail("a server has died");
    const failures = [...tracker.failures, ...describeGrowth(usages)];
    if (tracker.failureCount > tracker.failures.length)
      failures.push(`and ${tracker.failureCount - tracker.failures.length} more`);
    return { counts: tracker.counts, usages, failures };
  } finally {
    for (const { child } of [pipes, listening]) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The resources of both servers without clients; descriptors may take a moment to be closed. */
async function measureUsage(pipes: ServerProcess, listening: ServerProcess): Promise<Usage> {
  let last = Number.POSITIVE_INFINITY;
  for (let waited = 0, same = 0; waited < RELEASE_MS && same < 5; waited += POLL_MS) {
    await sleep(POLL_MS);
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

function progressLine({ counts, failureCount }: RequestTracker, usages: readonly Usage[], leftMs: number): string {
  const last = usages.at(-1) as Usage;
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  return [
    `${Math.max(0, Math.round(leftMs / 1000))} s left`,
    `${counts.requests} requests`,
    `${counts.answers} answers`,
    `${counts.cancels} cancels`,
    `${counts.disconnects} disconnects`,
    `heap ${mib(last["stdio heap"])} and ${mib(last["listening heap"])} MiB`,
    `descriptors ${last["stdio descriptors"]} and ${last["listening descriptors"]}`,
    `${failureCount} failures`,
  ].join(" · ");
}

/** Both servers must exit with 0: one when its input ends, one on a signal while calls are pending. */
async function endBoth(
  pipes: ServerProcess,
  listening: ServerProcess,
  url: URL,
  socket: string,
  tracker: RequestTracker,
): Promise<void> {
  const connections = await Promise.all([openSocket(socket), openWebSocket(url.href)]);
  for (const connection of connections)
    connection.send(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","arguments":{"text":"to the end"}}}',
    );
  await sleep(100);
  pipes.child.stdin?.end();
  listening.child.kill("SIGTERM");
  for (const [name, server] of Object.entries({ pipes, listening })) {
    const code = await server.end();
    if (code !== 0) tracker.fail(`the server of ${name} ended with ${code}`);
  }
  for (const connection of connections) connection.destroy();
}
