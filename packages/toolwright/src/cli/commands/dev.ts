import { Failure, untilStopped } from "@toolwright/kit/cli";
import { outliveReaders } from "@toolwright/kit/terminal";
import { Connection, type ConnectionOptions } from "../../dev/connection.js";
import { ProjectWatch } from "../../dev/project-watch.js";
import { readLines } from "../../dev/server-process.js";
import { type DevWords, readDevWords } from "../dev/dev-words.js";

/** A way in for clients, whose code can be swapped. */
interface Front {
  swap(): void;
  close(): Promise<void>;
  /** Resolves when there is nobody left to serve. */
  readonly over: Promise<void>;
}

type Open = (send: ConnectionOptions["send"]) => Connection;

/** Serves an author's server, whose code is swapped each time it is saved, until the client has gone. */
export async function runDev(words: readonly string[]): Promise<void> {
  const { launch, folders, drainMs, http } = readDevWords(words);
  outliveReaders();
  const stop = untilStopped();
  const open: Open = (send) =>
    new Connection({ launch, drainMs, send, tell, pass: (line) => process.stderr.write(`${line}\n`) });
  const front = http === undefined ? openStdio(open) : await openHttp(http, open);
  const watch = new ProjectWatch(folders, () => front.swap());
  if (http === undefined && process.stdin.isTTY)
    tell(`waiting for the messages of a client; watching ${folders.join(", ")}`);
  const stopped = new Promise<void>((resolve) => {
    stop.addEventListener("abort", () => resolve());
  });
  await Promise.race([front.over, stopped]);
  watch.close();
  await front.close();
  stop.throwIfAborted();
}

function openStdio(open: Open): Front {
  const connection = open((text) => process.stdout.write(`${text}\n`));
  const over = new Promise<void>((resolve) => {
    readLines(process.stdin, (line) => connection.receive(line), resolve);
    process.stdout.once("error", () => resolve());
  });
  return { swap: () => void connection.swap(), close: () => connection.close(), over };
}

async function openHttp(address: NonNullable<DevWords["http"]>, open: Open): Promise<Front> {
  const { serveWeb } = await import("../../dev/http-server.js");
  const web = await serveWeb(address, open).catch((error: Error) => {
    throw new Failure(`Cannot serve at ${address.host}:${address.port}: ${error.message}`, 1, error);
  });
  tell(`serving ${web.url}; press Ctrl-C to stop`);
  return { ...web, over: new Promise(() => undefined) };
}

const tell = (line: string): void => void process.stderr.write(`toolwright dev: ${line}\n`);
