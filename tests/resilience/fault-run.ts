import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../fuzz/random.js";
import { ATTACKS } from "./attacks.js";
import { HttpClient, type Identity } from "./http-client.js";
import { RealServer } from "./real-server.js";
import { Report } from "./report.js";
import { type DiskKind, SmallDisk } from "./small-disk.js";
import { WellBehavedClient } from "./well-behaved-client.js";

/** How long to run, where, and with which seed. */
export interface FaultRunOptions {
  /** The built command. */
  readonly program: string;
  /** An empty folder, at which a disk is mounted. */
  readonly folder: string;
  readonly configFolder: string;
  readonly diskKind: DiskKind;
  readonly milliseconds: number;
  /** Only faults with this in their name; by default all that the disk can have. */
  readonly only?: string;
  /** How long clients work before they check what is stored, at most. */
  readonly roundMs: number;
  /** Determines all random choices. */
  readonly seed: number;
  readonly onProgress: (line: string) => void;
}

const WELL_BEHAVED = 3;
const LEAST_ROUND_MS = 1500;
const FAULTS = ["kill", "stop", "none"];
const DISK_FAULTS = ["full disk", "full disk and kill"];
const POWER_FAULTS = ["power loss", "full disk and power loss"];

/**
 * Runs well-behaved and hostile clients against the real program, which is killed, stopped and runs out of disk space at random moments.
 * After each round the well-behaved clients check that nothing is lost.
 */
export async function runWithFaults(options: FaultRunOptions): Promise<Report> {
  const { folder, diskKind, milliseconds, roundMs, seed, only = "", onProgress } = options;
  const random = new Random(seed);
  const report = new Report();
  const hasKeys = seed % 2 === 0;
  const identities = Array.from({ length: WELL_BEHAVED + 1 }, (_, index): Identity => {
    const name = index === WELL_BEHAVED ? "hostile" : `client${index}`;
    // Without keys the address tells clients apart.
    return { name, hasKey: hasKeys, address: hasKeys ? "127.0.0.1" : `127.0.0.${10 + index}` };
  });
  const server = new RealServer({ ...options, keyNames: hasKeys ? identities.map(({ name }) => name) : [] });
  const disk = diskKind === "none" ? undefined : new SmallDisk(folder, diskKind);
  const faults = [...FAULTS, ...(disk ? DISK_FAULTS : []), ...(disk?.canLosePower ? POWER_FAULTS : [])].filter((name) =>
    name.includes(only),
  );
  if (faults.length === 0) return report;
  if (disk === undefined) report.skipped.push("full disks: this user cannot mount a disk");
  if (disk?.canLosePower !== true) report.skipped.push("power loss: only root can mount the image of a disk");
  const clients = identities
    .slice(0, WELL_BEHAVED)
    .map(
      (identity, index) =>
        new WellBehavedClient(identity, server, new Random(seed * 10 + index), report, () => disk?.isFull ?? false),
    );
  const hostile = identities[WELL_BEHAVED] as Identity;
  const until = performance.now() + milliseconds;
  try {
    disk?.sync();
    await server.start();
    // On a busy machine the first rounds may be over before anything was acknowledged.
    const isOver = (): boolean =>
      performance.now() > (report.counts["acknowledged"] === undefined ? until + 60_000 : until);
    for (let round = 1; !isOver() && !report.isFull; round += 1) {
      const fault = random.pick(faults);
      const attacks = [random.pick(Object.keys(ATTACKS)), random.pick(Object.keys(ATTACKS))];
      onProgress(`round ${round}: ${fault}; ${attacks.join(", ")}`);
      const known = report.failures.length;
      await runRound({ server, disk, clients, hostile, random, report, fault, attacks, roundMs });
      for (const client of clients) await client.verify();
      for (const failure of report.failures.slice(known)) onProgress(`✗ ${failure}`);
    }
    const code = await server.end("SIGTERM");
    if (code !== 0) report.fail(`the server ended with ${code}: ${server.stderrTail}`);
  } catch (error) {
    report.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await server.end("SIGKILL");
    for (const client of clients) client.close();
  }
  return report;
}

interface Round {
  readonly server: RealServer;
  readonly disk: SmallDisk | undefined;
  readonly clients: readonly WellBehavedClient[];
  readonly hostile: Identity;
  readonly random: Random;
  readonly report: Report;
  readonly fault: string;
  readonly attacks: readonly string[];
  readonly roundMs: number;
}

/** Runs clients for a moment and injects a fault. Afterwards the server runs, and the disk has room. */
async function runRound({
  server,
  disk,
  clients,
  hostile,
  random,
  report,
  fault,
  attacks,
  roundMs,
}: Round): Promise<void> {
  const end = performance.now() + LEAST_ROUND_MS + random.below(roundMs - LEAST_ROUND_MS);
  const isOver = (): boolean => performance.now() > end;
  const http = new HttpClient(hostile, () => server.port);
  report.count(fault);
  for (const attack of attacks) report.count(attack);
  const target = { client: http, port: server.port, identity: hostile, random: new Random(random.below(1e9)), isOver };
  const attacking = attacks.map((name) => ATTACKS[name]?.(target) ?? Promise.resolve());
  const working = clients.map((client) => client.work(isOver));
  await sleep(random.below(LEAST_ROUND_MS));
  if (fault.startsWith("full disk")) disk?.fill();
  await sleep(random.below(300));
  if (fault.endsWith("power loss")) {
    server.freeze();
    disk?.snapshot();
    await server.end("SIGKILL");
    disk?.restore();
  } else if (fault.endsWith("kill")) await server.end("SIGKILL");
  else if (fault === "stop") await expectExit(server, report);
  else {
    while (!isOver()) await sleep(50);
    if (!server.isRunning) report.fail(`the server has died: ${server.stderrTail}`);
  }
  disk?.free();
  await Promise.all(working);
  http.close();
  await Promise.all(attacking);
  if (!server.isUp || !server.isRunning) await server.start();
}

async function expectExit(server: RealServer, report: Report): Promise<void> {
  const code = await server.end("SIGTERM");
  if (code !== 0) report.fail(`a server that was told to stop ended with ${code}: ${server.stderrTail}`);
}
