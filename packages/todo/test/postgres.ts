import { execFile, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A PostgreSQL server for tests, which listens on a Unix socket in a temporary folder. */
export interface PostgresServer {
  /** Creates a database and returns its URL. */
  makeDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** The folder of the system's PostgreSQL programs, or undefined if it is not installed. */
const BIN = ((): string | undefined => {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const found = versions
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
    .filter((folder) => existsSync(`${folder}/initdb`));
  return found.sort().at(-1);
})();

/** The user to run PostgreSQL as: it refuses to run as root. */
const USER = ((): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (what: string): number => Number(execFileSync("id", [what, "postgres"], { encoding: "utf8" }));
  try {
    return { uid: ask("-u"), gid: ask("-g") };
  } catch {
    return undefined;
  }
})();

/** Why PostgreSQL cannot run on this machine, or undefined if it can. */
export const noUser: string | undefined =
  process.getuid?.() === 0 && USER === undefined
    ? "there is no user postgres, and PostgreSQL does not run as root"
    : undefined;

/** Why no server can be started, or undefined if one can. */
export const noPostgres: string | undefined =
  BIN === undefined ? "PostgreSQL is not installed (Debian: apt-get install postgresql)" : noUser;

/** Starts a server with the system's programs, or with those in a folder. `stop` ends it. */
export async function startPostgres(bin = BIN, maxConnections = 100): Promise<PostgresServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "pg-"));
  if (USER !== undefined) chownSync(folder, USER.uid, USER.gid);
  const cluster = path.join(folder, "cluster");
  await run(`${bin}/initdb`, ["-D", cluster, "-U", "tester", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"], {
    ...USER,
    cwd: folder,
  });
  const settings = [
    "fsync=off",
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    `max_connections=${maxConnections}`,
  ];
  const server = spawn(`${bin}/postgres`, ["-D", cluster, ...settings.flatMap((each) => ["-c", each])], {
    ...USER,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said}`)));
  });
  let made = 0;
  return {
    async makeDatabase() {
      const name = `tasks_${(made += 1)}`;
      await run(`${bin}/createdb`, ["-h", folder, "-U", "tester", name]);
      return `postgres://tester@/${name}?host=${encodeURIComponent(folder)}`;
    },
    async stop() {
      server.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
