import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Channel, Ear } from "./channel.js";
import { broken, ConnectionFailed } from "./errors.js";
import { hearLines, sayLine } from "./lines.js";

/** A server to start, which is spoken to over its stdin and stdout. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[];
  /** What the server finds in its environment beside the names that any program needs; `process.env` gives it everything. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Where its stderr goes, line by line: nowhere, to our own, or to a function. */
  readonly stderr?: "ignore" | "inherit" | ((line: string) => void);
}

/** What a server gets of our environment: what programs need to run and to reach others, and no secrets. */
const PASSED_ON =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|APPDATA|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMFILES|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR|COMSPEC)$/i;
/** How long a server may take to end after its input has ended, and again after it was asked to. */
const GRACE_MS = 2000;
const MOST_CHARACTERS = 1e6;
const LAST_WORDS = { lines: 10, characters: 2000 };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a server and opens a channel over its stdin and stdout. */
export async function openStdio(target: CommandTarget, mostBytes: number, ear: Ear): Promise<Channel> {
  const { command, args = [], cwd } = target;
  const child: Child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: environmentOf(target),
    windowsHide: true,
    ...(cwd !== undefined && { cwd }),
  });
  const words: string[] = [];
  const hearWord = (line: string): void => {
    words.push(line.slice(0, LAST_WORDS.characters));
    if (words.length > LAST_WORDS.lines) words.shift();
    if (target.stderr === "inherit") process.stderr.write(`${line}\n`);
    else if (typeof target.stderr === "function") target.stderr(line);
  };
  const tellEnd = (): void => {
    const { exitCode, signalCode } = child;
    const ended = exitCode === null ? "closed its stdout" : `ended with exit code ${exitCode}`;
    const how = signalCode === null ? ended : `ended by ${signalCode}`;
    ear.broke(broken(`The server ("${command}") has ${how}${lastWords(words)}`));
  };
  // A grandchild may hold the pipes open, and a server may stay that says nothing more.
  const tellSoon = (): unknown => setTimeout(tellEnd, GRACE_MS).unref();
  child.on("exit", tellSoon);
  child.stdout.on("end", tellSoon);
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      tellEnd();
      resolve();
    });
  });
  // A write to a process that has just ended fails; its end says more.
  child.stdin.on("error", () => undefined);
  hearLines(child.stdout, mostBytes, ear, hearWord);
  hearWords(child.stderr, hearWord);
  await started(child, command);
  return {
    send: (message) => sayLine(child.stdin, message),
    close: () => end(child, ended),
  };
}

function environmentOf({ env }: CommandTarget): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => PASSED_ON.test(name));
  return { ...Object.fromEntries(names.map((name) => [name, process.env[name]])), ...env };
}

function started(child: Child, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.on("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "ENOENT" ? "there is no such program, or no such folder to start it in" : cause.message;
      reject(new ConnectionFailed(`Cannot start the server "${command}": ${why}`, { cause }));
    });
  });
}

/** Closing its input is how a server hears that nobody needs it; one that stays is asked to go, and then made to. */
async function end(child: Child, ended: Promise<void>): Promise<void> {
  child.stdin.end();
  const timers = [
    setTimeout(() => child.kill("SIGTERM"), GRACE_MS),
    setTimeout(() => {
      if ((child.exitCode ?? child.signalCode) === null) kill(child);
      // A grandchild may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, 2 * GRACE_MS),
  ];
  await ended;
  for (const timer of timers) clearTimeout(timer);
}

/** By its number: Deno sends one signal to a child and no other. */
function kill({ pid }: Child): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

function hearWords(stderr: Readable, hear: (line: string) => void): void {
  let rest = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    const [first = "", ...more] = text.split("\n");
    rest += first;
    for (const line of more) {
      hear(rest.replace(/\r$/, ""));
      rest = line;
    }
    // A line without an end is told in pieces rather than kept.
    if (rest.length > MOST_CHARACTERS) {
      hear(rest);
      rest = "";
    }
  });
  stderr.on("end", () => {
    if (rest !== "") hear(rest);
  });
}

function lastWords(words: readonly string[]): string {
  if (words.length === 0) return "; it said nothing on stderr";
  return `. Its last words:\n${words.join("\n").slice(-LAST_WORDS.characters)}`;
}
