import { existsSync } from "node:fs";
import path from "node:path";
import { type CommandContext, Failure, UsageError } from "@toolwright/kit/cli";
import { type Address, DEFAULT_ADDRESS, isLoopback, readAddress } from "../../config/address.js";
import { Connection, type ConnectionOptions } from "../../dev/connection.js";
import { ProjectWatch, projectOf } from "../../dev/project-watch.js";
import { type Launch, launchCommand, launchFile, readLines } from "../../dev/server-process.js";

interface DevInput {
  readonly file: string | undefined;
  readonly trailing?: readonly string[];
  readonly http: string | undefined;
  readonly watch: readonly string[];
  readonly drain: number;
}

/** Where clients connect; the code behind it can be replaced. */
interface Frontend {
  swap(): void;
  close(): Promise<void>;
  /** Resolves when the last client has disconnected. */
  readonly over: Promise<void>;
}

type Open = (send: ConnectionOptions["send"]) => Connection;

/** Runs a server whose code is replaced each time it is saved, until the client disconnects. */
export async function runDev(input: DevInput, { signal: stop }: CommandContext): Promise<void> {
  const { launch, folders } = readServer(input);
  const http = readHttp(input.http);
  const open: Open = (send) =>
    new Connection({ launch, drainMs: input.drain, send, notify, pass: (line) => process.stderr.write(`${line}\n`) });
  const frontend = http === undefined ? openStdio(open) : await openHttp(http, open);
  const watch = new ProjectWatch(folders, () => frontend.swap());
  if (http === undefined && process.stdin.isTTY)
    notify(`waiting for the messages of a client; watching ${folders.join(", ")}`);
  const stopped = new Promise<void>((resolve) => {
    stop.addEventListener("abort", () => resolve());
  });
  await Promise.race([frontend.over, stopped]);
  watch.close();
  await frontend.close();
  stop.throwIfAborted();
}

function openStdio(open: Open): Frontend {
  const connection = open((text) => process.stdout.write(`${text}\n`));
  const over = new Promise<void>((resolve) => {
    readLines(process.stdin, (line) => connection.receive(line), resolve);
    process.stdout.once("error", () => resolve());
  });
  return { swap: () => void connection.swap(), close: () => connection.close(), over };
}

async function openHttp(address: Address, open: Open): Promise<Frontend> {
  const { serveWeb } = await import("../../dev/http-server.js");
  const web = await serveWeb(address, open).catch((error: Error) => {
    throw new Failure(`Cannot serve at ${address.host}:${address.port}: ${error.message}`, 1, error);
  });
  notify(`serving ${web.url}; press Ctrl-C to stop`);
  return { ...web, over: new Promise(() => undefined) };
}

const notify = (line: string): void => void process.stderr.write(`toolwright dev: ${line}\n`);

/** The server to run, and the folders to watch. Throws `UsageError`, and `Failure` if a file does not exist. */
function readServer({ file, trailing, watch }: DevInput): {
  readonly launch: Launch;
  readonly folders: readonly string[];
} {
  const watched = watch.map((folder) => path.resolve(folder));
  const missing = watched.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw new Failure(`The folder ${missing} does not exist`, 2);
  if (file !== undefined)
    return { launch: launchFile(checkFile(file), trailing ?? []), folders: [projectOf(file), ...watched] };
  const [command, ...args] = trailing ?? [];
  if (command === undefined) throw new UsageError("dev needs a file, such as: toolwright dev src/server.ts");
  return { launch: launchCommand(command, args), folders: watched.length > 0 ? watched : [process.cwd()] };
}

function checkFile(file: string): string {
  if (!/\.m?[jt]s$/.test(file))
    throw new UsageError(`${file} is not a .ts, .mts, .js or .mjs file; start others with --`);
  if (!existsSync(file)) throw new Failure(`The file ${file} does not exist`, 2);
  return file;
}

function readHttp(given: string | undefined): Address | undefined {
  if (given === undefined) return undefined;
  const address = given === "" ? DEFAULT_ADDRESS : readAddress(given);
  if (address === undefined) throw new UsageError(`--http must be HOST:PORT, such as 8080, not "${given}"`);
  if (!isLoopback(address.host))
    throw new UsageError(`--http ${given}: the server must not be reachable from other machines`);
  return address;
}
