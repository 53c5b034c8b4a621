import { existsSync } from "node:fs";
import path from "node:path";
import { Failure, type Given, type OptionKind, readWords, UsageError } from "@toolwright/kit/cli";
import { type Address, DEFAULT_ADDRESS, readAddress } from "../../config/address.js";
import { projectOf } from "../../dev/project-watch.js";
import { type Launch, launchCommand, launchFile } from "../../dev/server-process.js";
import { isLoopback } from "../loopback.js";

const OPTIONS = {
  "--http": { value: "HOST:PORT", isBare: true },
  "--watch": { value: "a folder", isList: true },
  "--drain": { value: "seconds" },
} as const satisfies Record<string, OptionKind>;

type Options = Given<keyof typeof OPTIONS>;

/** How an author's server is to be run. */
export interface DevWords {
  readonly launch: Launch;
  /** The folders whose code is watched. */
  readonly folders: readonly string[];
  readonly drainMs: number;
  /** Where clients come in; undefined = over stdin and stdout. */
  readonly http: Address | undefined;
}

/** Reads the words after `dev`. Throws `UsageError`, and `Failure` where a file is not there. */
export function readDevWords(words: readonly string[]): DevWords {
  const at = words.indexOf("--");
  const [own, rest] = at === -1 ? [words, undefined] : [words.slice(0, at), words.slice(at + 1)];
  const plain: string[] = [];
  const options: Options = readWords<keyof typeof OPTIONS>(own, OPTIONS, plain);
  const [file, extra] = plain;
  if (extra !== undefined) throw new UsageError(`"${extra}" is one file too many; what the server is told follows --`);
  const watched = (options["--watch"] ?? []).map((folder) => path.resolve(folder));
  const missing = watched.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw new Failure(`There is no folder ${missing} that could be watched`, 2);
  const common = { drainMs: readDrain(options), http: readHttp(options) };
  if (file !== undefined)
    return { launch: launchFile(readFile(file), rest ?? []), folders: [projectOf(file), ...watched], ...common };
  const [command, ...args] = rest ?? [];
  if (command === undefined) throw new UsageError("dev needs a file, as in: toolwright dev src/server.ts");
  return {
    launch: launchCommand(command, args),
    folders: watched.length > 0 ? watched : [process.cwd()],
    ...common,
  };
}

function readFile(file: string): string {
  if (!/\.m?[jt]s$/.test(file)) throw new UsageError(`${file} is no .ts, .mts, .js or .mjs; start others with --`);
  if (!existsSync(file)) throw new Failure(`There is no file ${file}`, 2);
  return file;
}

function readDrain(options: Options): number {
  const seconds = Number(options["--drain"]?.[0] ?? 30);
  if (!(seconds >= 0)) throw new UsageError("--drain needs seconds, such as 30");
  return seconds * 1000;
}

function readHttp(options: Options): Address | undefined {
  const given = options["--http"]?.[0];
  if (given === undefined) return undefined;
  const address = given === "" ? DEFAULT_ADDRESS : readAddress(given);
  if (address === undefined) throw new UsageError(`--http cannot be at ${given}; give HOST:PORT, such as 8080`);
  if (!isLoopback(address.host)) throw new UsageError(`--http ${given}: code in the making is for this machine alone`);
  return address;
}
